"""The two copies of a recursion: what is between them, whatever the relation is."""

from __future__ import annotations

import pytest

from fibprover.language.builder import call, forall, variables
from fibprover.learn.induction import statements
from fibprover.learn.recursion import default_measures, read_measure, read_recursion
from fibprover.workspace.session import Session

P, Q = variables("p q")
F = call("F", P, Q)

#: Recursions with calls of both signs below all connectives and quantifiers; p and q are their parameters.
FORMULAS = (
    "p=0 | (Ex x<p & $R(x,q))",
    "~(Ex,y $R(x,y) & x+y<p+q)",
    "p>q => (Ax x<p => $R(x,q))",
    "(p=q) <=> (Ex x<p & $R(x,q))",
    "(p=q) ^ (Ax x<=p => ~$R(x,q))",
    "E>=2 x x<p & $R(x,q)",
    "E<=1 x x<p & $R(x,q)",
    "E=1 x x<p & $R(q,x)",
    "p=0 | (Ep p<q & $R(p,p))",
    "p=0 | $R(p-1,q)",
    "p=0 | ~$R(p-1,q+1)",
    "?msd_2 p=0 | (Er p=r+1 & (T[r]=@1 ^ $R(r,q/2)))",
)


@pytest.mark.parametrize("formula", FORMULAS)
def test_the_formula_is_between_its_copies(formula: str) -> None:
    """For a relation that is arbitrary, lower => F(R) => upper, and all agree where calls go down."""
    session = Session("msd_2")
    recursion = read_recursion({"R": formula}, session.namespace.environment())
    for relation in ("T[p+2*q]=@1", "p<q | p=5", "Ek p=3*k+q"):
        session.define("R", relation)
        session.define("F", formula)
        for measures in default_measures(recursion):
            (lower, upper) = statements(recursion, measures)
            assert session.prove(forall(P, Q, lower.right >> F))
            assert session.prove(forall(P, Q, F >> upper.left))


@pytest.mark.parametrize("formula", FORMULAS)
def test_copies_do_not_depend_on_the_relation_above(formula: str) -> None:
    """Values of the relation at tuples of the same or a larger measure do not matter."""
    session = Session("msd_2")
    recursion = read_recursion({"R": formula}, session.namespace.environment())
    measure = {"R": read_measure("p+q", recursion.equation("R"))}
    found = []
    for relation in ("T[p+2*q]=@1 & p+q<20", "(T[p+2*q]=@1 & p+q<20) | p+q>=20"):
        session.define("R", relation)
        found.append([
            session.relation((copy & (P + Q <= 20)) | ((P + Q > 20) & (P > Q))).automaton
            for copy in (statements(recursion, measure)[0].right, statements(recursion, measure)[1].left)
        ])
    assert found[0] == found[1]


def test_parameters_get_the_systems_of_what_they_meet() -> None:
    session = Session("msd_2")
    environment = session.namespace.environment()
    recursion = read_recursion({
        "A": "?msd_fib n=0 | Em n=m+1 & $B(m,v) & v=v", "B": "n=0 | Em n=m+1 & $B(m,v) & F[m]=F[m+1]",
    }, environment)
    assert {sort.system for sorts in recursion.sorts.values() for sort in sorts} == {"msd_fib"}


def test_an_earlier_relation_may_have_the_same_measure() -> None:
    session = Session("msd_2")
    recursion = read_recursion({"A": "n=0 | $B(n-1)", "B": "$A(n)"}, session.namespace.environment())
    assert recursion.may_repeat("B", "A") and not recursion.may_repeat("A", "B") and not recursion.may_repeat("A", "A")
    solution = session.solve("A", "n=0 | Em n=m+2 & $B(m)", "B", "$A(n)")
    assert solution.relations["B"].values(3) == [0, 2, 4]


def test_measures() -> None:
    session = Session("msd_2")
    recursion = read_recursion({"R": "p=0 | $R(p-1,q)"}, session.namespace.environment())
    measure = read_measure("2*p+q+3", recursion.equation("R"))
    assert measure.value((5, 7)) == 17
    assert str(measure.of([P, Q + 1])) == "2*p+(q+1)"
    assert [each["R"].text for each in default_measures(recursion)] == ["p", "q", "p+q"]


def test_a_name_that_is_defined_is_hidden() -> None:
    """The recursion is about the new relation, not about an older one of its name."""
    session = Session("msd_2")
    session.define("even", "Ek n=3*k")
    assert session.solve("even", "n=0 | Em n=m+1 & ~$even(m)").relation.values(3) == [0, 2, 4]
    assert session.relation("$even(n)").values(3) == [0, 2, 4]
