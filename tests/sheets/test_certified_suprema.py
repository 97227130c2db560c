"""Certificates of suprema and limits superior of quotients: what is stated is the number that the sheet prints."""

from __future__ import annotations

from math import isqrt
from pathlib import Path

import pytest

from fibprover.base.errors import LimitError
from fibprover.base.limits import Limits
from fibprover.checker import fibcheck
from fibprover.language.builder import call, exists
from fibprover.language.tree import Formula
from fibprover.numeration.quadratic import Quadratic
from fibprover.sheets.certified_suprema import Quotient, supremum_statement
from fibprover.sheets.study import study
from fibprover.sheets.subject import Subject, subject
from fibprover.sheets.vocabulary import Vocabulary, i, n, p, t
from fibprover.workspace.floors import define_floor
from tests.few import few

LINES = (
    "gaps", "appearance", "recurrence-quotient", "critical-exponent", "asymptotic-critical-exponent", "prefix-exponent",
    "initial-critical-exponent",
)

GOLDEN = Quadratic(1, 2, 5)

#: Numbers below this are compared.
SEEN = 30


@pytest.fixture(scope="module")
def about() -> Subject:
    """The Fibonacci word, with the predicate of floor(n phi)."""
    found = subject("F")
    assert define_floor(found.session, GOLDEN, Limits(), "h", "msd_fib")
    return found


def compared(n_: int, p_: int, quotient: Quotient) -> int:
    """Return floor(v n - v x p) exactly."""
    root = isqrt(5 * (quotient.w * p_) ** 2)  # w alpha p = (w p + sqrt(5 w^2 p^2)) / 2, by sign of w
    doubled = 2 * quotient.v * n_ - 2 * quotient.u * p_ - quotient.w * p_
    if quotient.w == 0:
        return doubled // 2
    return (doubled - root - 1) // 2 if quotient.w > 0 else (doubled + root) // 2


@pytest.mark.parametrize("quotient", [
    Quotient(2, 0, 1), Quotient(5, 0, 3), Quotient(2, 1, 1, "h"), Quotient(3, -1, 1, "h"), Quotient(-1, 2, 2, "h"),
    Quotient(7, -2, 3, "h"),
])
@pytest.mark.parametrize("more", [-3, -1, 0, 2])
def test_comparisons(about: Subject, quotient: Quotient, more: int) -> None:
    """The formulas say what they are to say, for each pair."""
    below, above = (about.relation((p > 0) & each) for each in (quotient.at_most(more), quotient.at_least(more)))
    for p_ in range(1, SEEN):
        for n_ in range(SEEN):
            difference = compared(n_, p_, quotient)  # of an irrational number: it is not an integer, and above this
            exact = difference + (quotient.w != 0)
            assert ((n_, p_) in below) == (exact <= more), (n_, p_)
            if difference >= -more:
                assert (n_, p_) in above
            if exact < -more - 1:
                assert (n_, p_) not in above


#: Pairs: the formula, and by what the supremum and the limit superior are said: u, w, v.
PAIRS: dict[str, tuple[Formula, tuple[int, int, int], tuple[int, int, int]]] = {
    "attained once": ((p > 0) & (n.eq(2 * p) | (n.eq(3) & p.eq(1))), (3, 0, 1), (2, 0, 1)),
    "below": ((p > 3) & (2 * n + 7).eq(5 * p), (5, 0, 2), (5, 0, 2)),
    "above": ((p > 0) & n.eq(2 * p + 5), (7, 0, 1), (2, 0, 1)),
    "floors": ((p > 0) & call("h", p, n), (0, 1, 1), (0, 1, 1)),
    "above a difference": ((p > 0) & exists(t, call("h", p, t) & (n + t).eq(3 * p)), (2, 0, 1), (3, -1, 1)),
    "below a difference": ((p > 0) & exists(t, call("h", p, t) & (n + t + 1).eq(3 * p)), (3, -1, 1), (3, -1, 1)),
    "half": ((p > 0) & exists(t, call("h", p, t) & (2 * n).eq(t)), (0, 1, 2), (0, 1, 2)),
}


@pytest.mark.parametrize("kind", PAIRS)
@pytest.mark.parametrize("limit", [False, True])
def test_statements(about: Subject, kind: str, limit: bool) -> None:
    """They are true, and about the number that is the supremum, or the limit."""
    formula, supremum, superior = PAIRS[kind]
    u, w, v = superior if limit else supremum
    statement = supremum_statement(about, formula, limit=limit)
    assert about.session.prove(statement)
    said = str(statement)
    assert ("$floor_F(" in said) == (w != 0)
    assert (str(Quotient(u, w, v, "floor_F").at_least()).split("<=")[0] in said)


def test_none(about: Subject) -> None:
    """There is no statement where there is no such number, or it is in no field that has floors."""
    for formula in (p.eq(1) & (n > p), (p > 0) & (n > p) & (n < p)):
        with pytest.raises(LimitError, match="no such number"):
            supremum_statement(about, formula, limit=False)
    tribonacci = subject("TR")
    ends = (p > 0) & exists(i, n.eq(i + p) & Vocabulary("TR").first(i, p))
    with pytest.raises(LimitError, match="no floors"):
        supremum_statement(tribonacci, ends, limit=True)


@pytest.mark.parametrize(("word", "line"), few([(word, line) for word in ("T", "F", "PD") for line in LINES], 6))
def test_lines(word: str, line: str, tmp_path: Path) -> None:
    """The checker accepts the certificate of the line."""
    (found,) = study(word, only=[line], certify=tmp_path).lines
    check = found.certificate
    assert check is not None and check.checked, check
    printed = list(fibcheck.check(check.file).understood())
    assert found.status == "proved" and printed[-1].count("(A ") >= 1
    golden = any("with m = floor(n*(1+sqrt(5))/2)" in each for each in printed)
    assert golden == ("sqrt(5)" in found.text)
