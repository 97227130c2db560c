"""A recursion has the same values one by one, in rows and on lines."""

from __future__ import annotations

from itertools import product

import pytest

from fibprover.base.limits import UNLIMITED
from fibprover.learn.evaluation import Evaluator
from fibprover.learn.programs import NotGoingDown
from fibprover.learn.recursion import read_measure, read_recursion
from fibprover.workspace.session import Session


def evaluator(session: Session, by: str, **formulas: str) -> Evaluator:
    environment = session.namespace.environment()
    recursion = read_recursion(formulas, environment)
    measures = {each.name: read_measure(by, each) for each in recursion.equations}
    return Evaluator(recursion, measures, environment, UNLIMITED)


#: Formulas of x and y without recursion, whose values the prover knows: what bounds variables is of every kind.
FORMULAS = (
    "Ek k<x & T[k]=T[y]", "Ak k<=x => (k<y | T[k]=@1)", "E>=3 k k<x & T[k+y]=@0", "E=2 k k<x & T[k]=T[k+1]",
    "Ek,l k+l=x & T[k]=@1 & l>y", "Ek 2*k=x & k<y", "~(Ek k<y & (Al l<k => T[l+x]=@0))", "T[x+y]+T[x]=@1",
    "(Ek x=k+3 & T[k]=@1) <=> y>4", "(Ek k<5 & x=y+k) ^ T[x]=@1", "x/2<y & y-x<3", "Ek $near(x,k) & k<y",
    "Ek,l $near(x,k) & (k<l & l<y | k=l+1)", "RS[2*x+y]!=T[x]", "x=3 => Ek k<y & k*2>3",
)


@pytest.mark.parametrize("formula", FORMULAS)
def test_values_of_formulas(formula: str) -> None:
    session = Session("msd_2")
    session.define("near", "x<=z+2 & z<=x+2")
    formula = f"({formula}) & x=x & y=y"
    relation = session.relation(formula)
    values = evaluator(session, "x", R=formula)
    assert all(values("R", pair) == (pair in relation) for pair in product(range(12), repeat=2))


def test_lines_are_what_single_steps_are() -> None:
    session = Session("msd_2")
    for formula in (
        "n=0 | Em n=m+1 & $R(i,j,m) & T[i+m]=T[j+m]", "Em n=m+1 & ($R(i,j,m) | (T[i+2*m]=RS[j] & m>3))",
        "n=0 | Em n=m+1 & $R(i,j,m) & ((T[m]=@1 <=> i<m) ^ j=2*m+1)",
        "n<=1 | Em n=m+2 & $R(i+1,j,m) & T[i]=T[i+m+1] & j=j",
    ):
        fast, slow = evaluator(session, "n", R=formula), evaluator(session, "n", R=formula)
        assert fast._lines["R"] is not None
        slow._lines["R"] = None
        for values in product((0, 1, 2, 5, 11), (0, 3, 4, 16), (0, 1, 2, 7, 40, 65, 300)):
            assert fast("R", values) == slow("R", values), (formula, values)


def test_rows_of_functions() -> None:
    session = Session("msd_2")
    values = evaluator(session, "n", G="(n=0 & v=0) | Em,a,b n=m+1 & $G(m,a) & $G(a,b) & v+b=n")
    assert values.programs["G"].row
    assert [v for n in range(10) for v in range(10) if values("G", (n, v))] == [0, 1, 1, 2, 3, 3, 4, 4, 5, 6]
    # Deep recursion needs no deep stack.
    assert values("G", (4000, 2472))


def test_long_chains_need_no_deep_stack() -> None:
    session = Session("msd_2")
    values = evaluator(session, "n", R="n=0 | Em n=m+1 & ~$R(m) & n=n")
    assert not values("R", (4001,)) and values("R", (4000,))


def test_calls_that_do_not_go_down() -> None:
    session = Session("msd_2")
    values = evaluator(session, "n", R="n=2 | $R(n+1)")
    assert values("R", (2,))
    with pytest.raises(NotGoingDown) as problem:
        values("R", (1,))
    assert (problem.value.values, problem.value.arguments) == ((1,), (2,))
    values = evaluator(session, "n", R="~$R(n)")
    assert [values.with_value("R", (3,), assumed) for assumed in (False, True)] == [True, False]
