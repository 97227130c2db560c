"""Suprema of quotients against the pairs themselves."""

from __future__ import annotations

from fractions import Fraction

import pytest

import fibprover as fp
from fibprover.prover.verdict.relation import pairs_in_square
from fibprover.sheets.suprema import limit_superior, supremum
from tests.few import few

#: Definitions of a session, a formula of n and p, and the supremum, whether it is attained, and the limit superior.
CASES = [
    ("?msd_2 p>0 & n<3*p", "3", False, "3"),
    ("?msd_2 p>0 & n<=3*p", "3", True, "3"),
    ("?msd_2 p>0 & n<=3*p+1", "4", True, "3"),
    ("?lsd_3 p>4 & 7*n<=3*p+20", "8/7", None, "3/7"),
    ("?msd_fib p>0 & 2*n<5*p", "5/2", False, "5/2"),
    ("?msd_fib p>2 & n<=2*p+4", "10/3", True, "2"),
    ("?msd_fib p>0 & Fib(n) & Fib(p) & n>p & (Am (m>p & m<n) => ~Fib(m))", "2", True, "(1+sqrt(5))/2"),
    ("?msd_fib p>1 & Fib(n) & Fib(p) & n>p & (Am (m>p & m<n) => ~Fib(m))", "5/3", None, "(1+sqrt(5))/2"),
    # From one side the quotients come nearer to the golden ratio than any bound, and never reach it.
    ("?msd_fib p>0 & Fib(n) & $iseven(p) & n>p & (Am (m>p & m<n) => ~Fib(m))", "2", True, "(1+sqrt(5))/2"),
    ("?msd_fib p>0 & Fib(n) & $isodd(p) & n>p & (Am (m>p & m<n) => ~Fib(m))", "(1+sqrt(5))/2", False, "(1+sqrt(5))/2"),
    ("?msd_trib p>0 & n<=p+2", "3", True, "1"),
    ("?msd_2 p=0 & n=1", None, False, None),
    ("?msd_2 p=5000 & n<=p", "1", True, None),
    ("?msd_fib p>3 & p<60 & 3*n<=7*p+20", "4", None, None),
]


def greatest(relation: fp.Relation, bound: int) -> Fraction:
    return max(Fraction(n, p) for n, p in pairs_in_square(relation, bound))


@pytest.fixture(scope="module")
def session() -> fp.Session:
    session = fp.Session()
    session.run('reg isfib msd_fib "0*10*":')
    session.run('reg iseven msd_fib "0*1(00)*":')
    session.run('reg isodd msd_fib "0*10(00)*":')
    return session


@pytest.mark.parametrize(("formula", "value", "attained", "limit"), few([case for case in CASES if case[1]], 2))
def test_formulas(session: fp.Session, formula: str, value: str, attained: bool | None, limit: str | None) -> None:
    relation = session.relation(formula.replace("Fib", "$isfib"))
    found = supremum(relation)
    assert found is not None and found.value is not None
    if "=5000" not in formula:
        best = greatest(relation, 300)
        assert found.value >= best and (found.attained == (found.value == found.value.field.number(best)))
    assert str(found.value).split(" = ")[0] == str(greatest(relation, 60) if attained is None else value)
    assert attained is None or found.attained == attained
    assert (found.limit is None) == (limit is None) and str(found.limit).split(" = ")[0] == str(limit)
    if found.pair is not None:
        assert found.pair in relation and found.value.rational == Fraction(*found.pair)
    if limit is not None:
        assert limit_superior(relation) == found.limit


def test_no_pairs_and_unbounded_quotients(session: fp.Session) -> None:
    assert supremum(session.relation("?msd_2 p>0 & n>p & n<p")) is None
    for formula in ("?msd_fib p>0 & n>=p", "?msd_2 p=7 & n>=p"):
        found = supremum(session.relation(formula))
        assert found is not None and found.value is None and str(found) == "infinite"
        assert limit_superior(session.relation(formula)) is None


@pytest.mark.parametrize(
    "name", ["T", "F", "PD", *(pytest.param(name, marks=pytest.mark.long) for name in ("RS", "RF", "P", "pell"))]
)
@pytest.mark.parametrize("formula", ["Ei $per_X(i,n,p)", "$per_X(0,n,p)", "Ei n=i+p & $first_X(i,p)"])
def test_words(name: str, formula: str) -> None:
    """No pair below a bound is above the supremum, and those with large p come near to the limit superior."""
    session = fp.Session()
    system = session.namespace.library_words[name].tracks[0].system
    relation = session.relation(f"?{system} p>0 & ({formula.replace('_X', '_' + name)})")
    found = supremum(relation)
    assert found is not None and found.value is not None and found.limit is not None
    pairs = pairs_in_square(relation, 500)
    best = max(Fraction(n, p) for n, p in pairs)
    assert found.value >= best and (not found.attained or found.value == found.value.field.number(best))
    limit = float(found.limit)
    late = max(n / p for n, p in pairs if p > 120 / limit)
    assert abs(late - limit) < 0.25 * limit
