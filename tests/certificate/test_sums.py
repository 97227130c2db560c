"""Comparisons of sums of many numbers under guards, and equations that differ by a number."""

from __future__ import annotations

from pathlib import Path

import pytest

import fibprover as fp
from fibprover.prover.certificate import proof, sums
from fibprover.prover.certificate.normal import Conjunction
from fibprover.prover.certificate.simplified import simplified
from fibprover.prover.certificate.terms import shifted, shifted_block
from fibprover.prover.logic import Linear
from fibprover.prover.verdict.verdict import Verdict
from tests.certificate.meaning import checked

#: s < p, and each number is the one before with a zero appended: what is said of six numbers is about two.
SHIFTS = "$shift(p,q) & $shift(q,r) & $shift(s,t) & $shift(t,u) & s<p"


def trib() -> fp.Session:
    session = fp.Session("msd_trib")
    session.reg("shift", [[0, 1], [0, 1]], "([0,0]|[0,1][1,1]*[1,0])*")
    return session


def largest(formula: str, session: fp.Session, folder: Path) -> tuple[bool, int]:
    """Return whether a formula is true, and how many transitions the largest relation of its certificate has."""
    found = session.eval(formula)
    assert isinstance(found, Verdict)
    checker = checked(found.certificate().content, folder)
    return found.truth, max(sum(map(len, claim.relation.automaton.rows)) for claim in checker.claims)


def test_six_numbers_are_compared_where_a_guard_holds(tmp_path: Path) -> None:
    """The automaton of the comparison by itself has more than a million transitions."""
    truth, transitions = largest(f"Ap,q,r,s,t,u ~({SHIFTS} & s+t+u>=p+q+r)", trib(), tmp_path)
    assert truth and transitions < 120_000


@pytest.mark.parametrize(("most", "formula", "truth"), [
    (2, "Ax,y,z,w ~(x=2*y & z=w+1 & w<y & x+z!=2*y+w+1)", True),
    (2, "Ax,y,z,w (x=2*y & z=w+1 & w<y) => (x+y>z+2*w | 2*z+w=x)", True),
    (2, "Ax,y,z,w (x=2*y & z=w+1 & w<y) => 2*x+3*w+1<y+z+w", False),
    (2, "Ex,y,z x=y+3 & z<y & 2*x+2*y=z+z+20", True),
    (2, "Ax,y (Ez z<x & x+y+z=7) => (Ez z<=6 & x+y+2*z>=7)", True),
])
def test_sums_are_split(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, formula: str, truth: bool,
) -> None:
    """All splits are right, with factors and constants, where sums are equal or not, and if there is no guard."""
    monkeypatch.setattr(sums, "_FEW_NUMBERS", most)
    monkeypatch.setattr(sums, "_MANY_STATES", 0)
    session = trib() if "$" in formula else fp.Session("msd_fib")
    assert largest(formula, session, tmp_path)[0] is truth


#: s, t and u are 1, 2 and 3, and r is what r+s+t = p+q+u says.
BALANCED = "s=1 & t=2 & u=3 & p<9 & q<9 & r<9 & r+s+t=p+q+u"


@pytest.mark.parametrize(("formula", "truth"), [
    (f"Ap,q,r,s,t,u ({BALANCED} & p+t+u<=q+r+s) => t<=q", True),
    (f"Ap,q,r,s,t,u ({BALANCED} & q+s+u<p+r+t) => s<p", True),
    (f"Ap,q,r,s,t,u ({BALANCED} & q+s+u+1<=p+r+t) => s+1<p", False),
    (f"Ap,q,r,s,t,u {BALANCED} => r+s+t<=p+q+u", True),
    (f"Ep,q,r,s,t,u {BALANCED} & r+s+t<p+q+u", False),
    (f"Ep,q,r,s,t,u {BALANCED} & q+s+u+7>=p+r+t & p>2", True),
    ("Ap,q,r,s,t,u (t=2 & u=1 & p=s & q<3 & r<9 & u+t+s<p+q+r) => u+t<q+r", True),
    ("Ap,q,r,s,t,u (t=2 & u=1 & p=s+2 & q<3 & r<9 & t+u+s+3<=p+q+r) => t+u+1<=q+r", True),
])
def test_a_comparison_says_less_where_an_equation_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, formula: str, truth: bool,
) -> None:
    monkeypatch.setattr(sums, "_MANY_STATES", 0)
    assert largest(formula, fp.Session("msd_2"), tmp_path)[0] is truth


def test_the_relation_of_such_a_comparison_is_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """p+t+u <= q+r+s has a claim whose relation compares t and q."""
    monkeypatch.setattr(sums, "_MANY_STATES", 0)
    found = fp.Session("msd_2").eval(f"Ap,q,r,s,t,u ({BALANCED} & p+t+u<=q+r+s) => t<=q")
    assert isinstance(found, Verdict)
    claims = checked(found.certificate().content, tmp_path).claims
    compared = [claim for claim in claims if claim.guards and claim.formula[0] == "linear" and claim.formula[3] == "<"]
    names = [len(claim.relation.names) for claim in compared if len(claim.formula[1]) == 6]
    assert names and min(names) < 6


@pytest.mark.parametrize(("atom", "known", "expected"), [
    ("p+t+u=q+r+s", ["r+s+t=p+q+u"], {"t": 2, "q": -2}),
    ("q+s+u=p+r+t", ["r+s+t=p+q+u"], {"s": 2, "p": -2}),
    ("r+s+t=p+q+u", ["r+s+t=p+q+u"], {}),
    ("s+t+u=p+q", ["x=y", "p=s"], {"t": 1, "u": 1, "q": -1}),
    ("p+q+u=r+s+t", ["p+t=q+s"], None),
    ("s+t+u=p+q+r", [], None),
])
def test_what_is_left_of_a_comparison(atom: str, known: list[str], expected: dict[str, int] | None) -> None:
    sums_equal = equation(atom)
    compared = Linear("msd_2", sums_equal.coefficients, sums_equal.variables, "<", 0)
    found = simplified(compared, list(map(equation, known)), 3)
    if expected is None:
        assert found is None
    else:
        assert found is not None and found.fewer.relation == "<"
        assert dict(zip(found.fewer.variables, found.fewer.coefficients, strict=True)) == expected


def test_numbers_that_others_determine_are_joined_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of u = f(n), v = g(n) and u+x = v the first two are joined, if the other pairs have many more transitions."""
    session = trib()
    session.define("f", "Ex $shift(n,x) & u=x+30")
    session.define("g", "Ex,y $shift(n,x) & $shift(x,y) & v=y+70")
    formula = "An,x (Eu,v $f(n,u) & $g(n,v) & u+x=v) => x>=n"
    sizes = []
    for limit in (10**9, 1000):
        monkeypatch.setattr(proof, "_LARGE_JOIN", limit)
        truth, size = largest(formula, session, tmp_path)
        assert truth
        sizes.append(size)
    assert 2 * sizes[1] < sizes[0]


def equation(text: str) -> Linear:
    """x+y=z+9, say, by the letters and the number."""
    left, right = text.split("=")
    terms = dict.fromkeys(left.split("+"), 1) | {name: -1 for name in right.split("+") if not name.isdigit()}
    constant = sum(int(one) for one in right.split("+") if one.isdigit())
    return Linear("msd_2", tuple(terms.values()), tuple(terms), "=", constant)


@pytest.mark.parametrize(("one", "known", "expected"), [
    ("t+i=p+9", ["u+i=p"], "t=u+9"),
    ("t+i=p", ["x+y=z", "u+i=p+2"], "u=t+2"),
    ("t+i=p+9", ["u+i=q"], None),
    ("t=p+9", ["t+i=p"], None),
    ("t+n=u", ["n=9"], None),
])
def test_equations_that_differ_by_a_number(one: str, known: list[str], expected: str | None) -> None:
    found = shifted(equation(one), map(equation, known))
    if expected is None:
        assert found is None
    else:
        wanted = equation(expected)
        turned = {(-c, name) for c, name in zip(wanted.coefficients, wanted.variables, strict=True)}
        assert found is not None and found.constant in (wanted.constant, -wanted.constant)
        assert set(zip(found.coefficients, found.variables, strict=True)) in (
            {(-c, name) for c, name in turned}, turned)


def test_a_block_about_a_variable_that_differs() -> None:
    known, other, less = equation("u+i=p"), equation("t+i=p+9"), Linear("msd_2", (1, -1), ("u", "t"), "<", 0)
    assert shifted_block(Conjunction(("t",), (known, other, less))) == (known, Conjunction(("t",), (other, less)))
    assert shifted_block(Conjunction(("t",), (known, other))) is None
    assert shifted_block(Conjunction((), (known, other, less))) is None


def test_a_move_from_a_diagonal(tmp_path: Path) -> None:
    """Where (p,p+9) leads to (p-i,p+9-i), the difference of these is 9: no sum of p, i and both is built."""
    session = fp.Session("msd_fib")
    session.define("some", "b=a+9 & (Ec a=2*c)")
    truth, transitions = largest("Ai,p (i<=p & $some(p-i,p+9-i)) => $some(p-i,p-i+9)", session, tmp_path)
    assert truth and transitions < 2500
