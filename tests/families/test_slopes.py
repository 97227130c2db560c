"""Sets of slopes: answers of closed formulas against words of random quadratic slopes, and expressions."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import pairwise

import pytest

from fibprover import Session
from fibprover.base.errors import FibproverError, NotSupported, SyntaxProblem
from fibprover.numeration.parameters import Parameter
from fibprover.numeration.slope_expressions import slopes_of
from fibprover.numeration.slope_sets import SlopeSet
from fibprover.numeration.system import ContinuedFraction
from fibprover.prover.verdict.slopes import SlopeVerdict
from tests.families.oracle import characteristic
from tests.few import few

Word = list[int]

#: So many letters of each word are made, and so long are the factors that are looked at.
LETTERS, LONGEST = 5000, 60


@pytest.fixture(scope="module")
def session() -> Session:
    made = Session("msd_sturmian")
    made.define("feq", "Ak k<n => C[i+k]=C[j+k]")
    made.define("pal", "Ak k<n => C[i+k]=C[i+n-1-k]")
    made.define("antisquare", "n>0 & Ak k<n => C[i+k]!=C[i+n+k]")
    made.define("antipal", "n>0 & Ak k<n => C[i+k]!=C[i+n-1-k]")
    return made


def slopes(session: Session, formula: str, plan: str = "optimized") -> SlopeSet:
    verdict = session.eval(formula, plan=plan)
    assert isinstance(verdict, SlopeVerdict)
    assert bool(verdict) == (verdict.slopes.answer == "every")
    return verdict.slopes


def factors(w: Word, n: int) -> dict[tuple[int, ...], list[int]]:
    """Return where each factor of length n occurs."""
    found: dict[tuple[int, ...], list[int]] = {}
    for i in range(len(w) - n):
        found.setdefault(tuple(w[i : i + n]), []).append(i)
    return found


def power(w: Word, exponent: int) -> bool:
    return any(
        all(w[i + k] == w[i + k + p] for k in range((exponent - 1) * p))
        for p in range(1, LONGEST) for i in range(6 * LONGEST)
    )


def cube_prefix(w: Word) -> bool:
    return any(w[: 2 * p] == w[p : 3 * p] for p in range(1, LONGEST))


def antisquare(w: Word, least: int) -> bool:
    return any(
        all(w[i + k] != w[i + n + k] for k in range(n)) for n in range(least, 2 * least + 12) for i in range(2000)
    )


def antipalindrome(w: Word, least: int) -> bool:
    return any(
        all(w[i + k] != w[i + n - 1 - k] for k in range(n)) for n in range(least, 2 * least + 12) for i in range(2000)
    )


def early(w: Word, factor: int) -> bool:
    return all(min(places) <= factor * n for n in range(20) for places in factors(w, n).values())


def soon(w: Word, factor: int) -> bool:
    return all(
        later - place <= factor * n
        for n in range(1, 20) for places in factors(w[:2000], n).values()
        for place, later in pairwise(places)
    )


#: Formulas, and functions of a word that decide them for slopes with small partial quotients and a short period.
CASES: list[tuple[str, Callable[[Word], bool]]] = [
    ("Ei C[i]=1 & C[i+1]=1", lambda w: "11" in "".join(map(str, w))),
    ("C[0]=1", lambda w: w[0] == 1),
    ("$feq(0,5,3)", lambda w: w[:3] == w[5:8]),
    ("E=3 i i<7 & C[i]=1", lambda w: sum(w[:7]) == 3),
    ("Ei,p p>0 & $feq(i,i+p,3*p)", lambda w: power(w, 4)),
    ("Ei,p p>0 & $feq(i,i+p,2*p)", lambda w: power(w, 3)),
    ("~(Ei,p p>0 & $feq(i,i+p,3*p))", lambda w: not power(w, 4)),
    ("Ep p>0 & $feq(0,p,2*p)", cube_prefix),
    ("Ei,n n>2 & $antisquare(i,n)", lambda w: antisquare(w, 3)),
    ("Ei,n n>1 & $antisquare(i,n)", lambda w: antisquare(w, 2)),
    ("Ei,n n>2 & $antipal(i,n)", lambda w: antipalindrome(w, 3)),
    ("Ai,n (Aj j<i => ~$feq(i,j,n)) => i<=2*n", lambda w: early(w, 2)),
    ("Ai,n n>0 => Ej j>i & j<=i+3*n & $feq(i,j,n)", lambda w: soon(w, 3)),
    ("Ai,n n>0 => Ej j>i & j<=i+4*n & $feq(i,j,n)", lambda w: soon(w, 4)),
    ("(C[0]=1 & Ei,p p>0 & $feq(i,i+p,3*p)) | C[2]=1", lambda w: (w[0] == 1 and power(w, 4)) or w[2] == 1),
]


def random_slope(rng: random.Random) -> ContinuedFraction:
    return ContinuedFraction(
        tuple(rng.randint(1, 4) for _ in range(rng.randint(0, 3))),
        tuple(rng.randint(1, 4) for _ in range(rng.randint(1, 2))),
    )


def word_of(slope: Parameter) -> Word:
    return characteristic([*slope.preperiod, *slope.period * 30], LETTERS)


@pytest.mark.parametrize(("formula", "expected"), few(CASES, 3), ids=[formula for formula, _ in CASES])
def test_which_slopes(session: Session, formula: str, expected: Callable[[Word], bool]) -> None:
    found = slopes(session, formula)
    assert found == slopes(session, formula, "textbook")
    rng = random.Random(formula)
    for slope in {random_slope(rng) for _ in range(25)}:
        assert (slope in found) == expected(word_of(slope)), slope


@pytest.mark.parametrize(("formula", "expected"), CASES, ids=[formula for formula, _ in CASES])
def test_the_least_slopes(session: Session, formula: str, expected: Callable[[Word], bool]) -> None:
    found = slopes(session, formula)
    for slope, inside in ((found.least, True), (found.least_outside, False)):
        if slope is not None:
            assert (slope in found) is inside
            assert expected(word_of(slope)) is inside
    assert (found.answer == "every") == (found.least_outside is None)
    assert (found.answer == "none") == (found.least is None)


@pytest.mark.parametrize("formula", [formula for formula, _ in CASES])
def test_the_expression_means_the_set(session: Session, formula: str) -> None:
    found = slopes(session, formula)
    assert found.expression is not None
    assert slopes_of(found.expression) == found


#: Expressions, with slopes that they mean and slopes that they do not mean.
EXPRESSIONS: list[tuple[str, list[Sequence[int]], list[Sequence[int]]]] = [
    ("[1-3]*", [[1], [2, 3]], [[4], [1, 7]]),
    (".* 4 .*", [[4], [1, 4, 2]], [[3], [5]]),
    ("2 (1 3)*", [], [[2, 1], [1, 3]]),
    ("(1 3)*", [[1, 3]], [[3, 1], [1]]),
    ("[>=7]*", [[7], [100, 9999]], [[6], [7, 6]]),
    ("[2,>=5]+", [[2, 5], [900]], [[3], [4, 2]]),
    ("[<3]* | [>100]*", [[1, 2], [101]], [[3], [1, 101]]),
    (".?.*", [[1], [9]], []),
    ("1 2", [], [[1, 2]]),
    ("()", [], [[1]]),
]


@pytest.mark.parametrize(("text", "inside", "outside"), EXPRESSIONS, ids=[text for text, _, _ in EXPRESSIONS])
def test_expressions(text: str, inside: list[Sequence[int]], outside: list[Sequence[int]]) -> None:
    found = slopes_of(text)
    for periods, expected in ((inside, True), (outside, False)):
        for period in periods:
            assert (ContinuedFraction((), tuple(period)) in found) is expected, period
    assert found.expression is not None
    assert slopes_of(found.expression) == found


def test_a_preperiod() -> None:
    assert ContinuedFraction((2,), (1, 3)) in slopes_of("2 (1 3)*")
    assert ContinuedFraction((2, 1), (1, 3)) not in slopes_of("2 (1 3)*")
    assert slopes_of("2 (1 3)*") != slopes_of("2 (3 1)*")
    assert slopes_of(".*").answer == "every"
    assert slopes_of("1").answer == "none"


#: Expressions that are none, and the text under the caret.
WRONG = [
    ("2 (1", "("), ("[0]", "[0]"), ("a", "a"), ("*", "*"), ("[1-", "["), ("2)", ")"), ("[3-1]", "[3-1]"), ("[x]", "x"),
    ("99999", "99999"), ("(|", "("),
]


@pytest.mark.parametrize(("text", "place"), WRONG)
def test_what_is_no_expression(text: str, place: str) -> None:
    with pytest.raises(SyntaxProblem) as caught:
        slopes_of(text)
    assert caught.value.text[caught.value.start : caught.value.end] == place
    assert caught.value.hint


@pytest.mark.parametrize("text", ["(.* 4)*", "(.* 1 1)*", "2 ([1-3]* 7)*"])
def test_what_no_beginning_settles(text: str) -> None:
    with pytest.raises(NotSupported, match="settled by no beginning"):
        slopes_of(text)


def test_the_command(session: Session) -> None:
    session.run('slope golden "(sqrt(5)-1)/2"; slope silver "[0; (2)]"; slope small "[1-2]*";')
    assert slopes(session, "$golden()").expression == "1*"
    assert ContinuedFraction((), (2,)) in slopes(session, "$silver()")
    assert slopes(session, "$golden() & $silver()").answer == "none"
    assert slopes(session, "($golden() | $silver()) => $small()").answer == "every"
    assert slopes(session, "$small() => $golden()").answer == "some"
    assert slopes(session, "$golden() => ~(Ei C[i]=0 & C[i+1]=0)").answer == "every"
    for wrong in ("sqrt(4)", "(1+sqrt(5))/2", "[0; 1]", "[1; (2)]", "[0; 0, (1)]"):
        with pytest.raises(FibproverError):
            session.slope("wrong", wrong)
        assert "wrong" not in session.namespace.definitions


def test_a_closed_formula_as_a_predicate(session: Session) -> None:
    session.define("has_fourth", "Ei,p p>0 & $feq(i,i+p,3*p)")
    assert slopes(session, "$has_fourth() <=> Ep p>0 & $feq(0,p,2*p)").answer == "every"
    assert slopes(session, "$has_fourth() & ~$has_fourth()").answer == "none"


@pytest.mark.long
def test_least_slopes_where_large_partial_quotients_are_told_apart() -> None:
    session, sets = Session("msd_sturmian"), []
    for text in ("C[300]=1", "Ex x=300", "Ex x=300 & x<300"):
        verdict = session.eval(text)
        assert isinstance(verdict, SlopeVerdict)
        sets.append(verdict.slopes)
    slopes, every, none = sets
    assert str(slopes.least) == "[0; (2)]" and str(slopes.least_outside) == "[0; (1)]"
    assert "[0; (2)]" in slopes and "[0; (1)]" not in slopes
    assert (str(every), str(none)) == (".*", "[]")


def test_numbers_at_slopes(session: Session) -> None:
    fourth = session.eval("Ei,n n>0 & $feq(i,i+n,3*n)")
    soon = session.eval("Ai,n n>0 => Ej j>i & j<=i+3*n & $feq(i,j,n)")
    assert isinstance(fourth, SlopeVerdict) and isinstance(soon, SlopeVerdict)
    rng = random.Random(3)
    for slope in sorted({random_slope(rng) for _ in range(15)}):
        w, written = word_of(slope), str(slope)
        witness, counterexample = fourth.at(written), soon.at(written)
        assert (witness is not None) == (slope in fourth.slopes)
        assert (counterexample is None) == (slope in soon.slopes)
        if witness is not None:
            i, n = (int(str(witness.values[name])) for name in "in")
            assert n > 0 and w[i : i + 3 * n] == w[i + n : i + 4 * n]
        if counterexample is not None:
            i, n = (int(str(counterexample.values[name])) for name in "in")
            assert all(w[i : i + n] != w[j : j + n] for j in range(i + 1, i + 3 * n + 1))


def test_numbers_beside_the_least_slopes(session: Session) -> None:
    verdict = session.eval("Ei C[i]=1 & C[i+1]=1")
    assert isinstance(verdict, SlopeVerdict)
    assert "i = 2" in verdict.lines()[1]
