"""Sequences as Python's values: slices, first values, powers, residues, membership, limits and the display."""

from __future__ import annotations

import pickle
from fractions import Fraction
from itertools import islice, product

import numpy as np
import pytest

import fibprover as fp
from fibprover.base.errors import AutomatonError, BudgetSpent, DigitError, LimitError
from fibprover.sequences import rational, residues
from fibprover.sequences.series import Series, constant
from tests.display.html import read

SYSTEMS = ("msd_2", "lsd_3", "msd_fib", "lsd_fib")


def halves(system: str) -> Series:
    """The number of even i < n: half of n, rounded up."""
    return fp.Session(system).counts("n", "i<n & Ej i=2*j")


def half(n: int) -> int:
    return (n + 1) // 2


@pytest.mark.parametrize("system", SYSTEMS)
def test_slices_are_those_of_lists(system: str) -> None:
    a = halves(system)
    terms = [half(n) for n in range(60)]
    for part in (slice(3, 10), slice(10), slice(0), slice(7, 3), slice(2, 30, 5), slice(20, 4, -3), slice(9, None, -2)):
        assert a[part] == terms[part]
    assert a.first(20) == terms[:20] and a.first(0) == [] and list(islice(a, 20)) == terms[:20]
    assert a[10**30 : 10**30 + 3] == [half(10**30 + k) for k in range(3)]


def test_slices_without_meaning_are_errors() -> None:
    a = halves("msd_2")
    for part in (slice(None), slice(3, None), slice(-3, 5), slice(0, -1), slice(0, 5, 0), slice(None, 3, -1)):
        with pytest.raises(AutomatonError):
            a[part]
    for count in (-1, "2", 2.5):
        with pytest.raises(DigitError):
            a.first(count)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        a["2":5]


def test_slices_below_zero_where_there_are_such_numbers() -> None:
    s = fp.Session("msd_neg_2")
    squares = s.counts("n", "(n>=0 & i>=0 & i<n) | (n<0 & i<0 & i>=n)")
    assert squares[-3:4] == [3, 2, 1, 0, 1, 2, 3]
    everywhere = s.relation("n=n")
    assert squares.first(12) == [abs(n) for (n,) in everywhere.first(12)]


def test_first_values_of_several_variables_are_in_the_order_of_a_relation() -> None:
    s = fp.Session("msd_fib")
    several = s.counts(["n", "a"], "i<n & j<=a")
    pairs = s.relation("n=n & a=a").first(30)
    assert several.first(30) == [n * (a + 1) for a, n in pairs]
    with pytest.raises(AutomatonError):
        several[:3]
    with pytest.raises(AutomatonError):
        iter(several)


@pytest.mark.parametrize("system", SYSTEMS)
def test_powers(system: str) -> None:
    a = halves(system) - 5
    for exponent in range(4):
        assert (a**exponent)[:40] == [(half(n) - 5) ** exponent for n in range(40)]
    assert (a * Fraction(1, 2)) ** 3 == a * a * a * Fraction(1, 8)
    assert a**0 == constant(a.system, 1)
    with pytest.raises(AutomatonError):
        a ** (-1)
    with pytest.raises(TypeError):
        a**0.5  # type: ignore[operator]


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("modulus", [1, 2, 3])
def test_residues(system: str, modulus: int) -> None:
    n = fp.Session(system).counts("n", "i<n")
    a = halves(system)
    for sequence in (n, a * a - 7, 3 - n * 2, n.partial_sums(), n * 0):
        left = sequence % modulus
        assert left[:80] == [value % modulus for value in sequence[:80]]
        assert left[10**20] == sequence[10**20] % modulus
        assert set(left.values()) <= set(range(modulus))
        assert left.word("R")[:80] == left[:80]


def test_residues_where_the_representation_has_fractions() -> None:
    """Triangular numbers are integers, and the products of n and n - 1 are halved."""
    n = fp.Session("msd_fib").counts("n", "i<n")
    triangles = n * (n - 1) * Fraction(1, 2)
    assert (triangles % 5)[:100] == [k * (k - 1) // 2 % 5 for k in range(100)]
    binomials = n * (n - 1) * (n - 2) * Fraction(1, 6)
    assert (binomials % 4)[:100] == [k * (k - 1) * (k - 2) // 6 % 4 for k in range(100)]
    thirds = n * Fraction(1, 3) - Fraction(1, 2)
    assert (thirds % 2)[:50] == [(Fraction(k, 3) - Fraction(1, 2)) % 2 for k in range(50)]


def test_residues_of_several_variables() -> None:
    every = fp.Session("msd_2").counts("n", "i<n")
    assert every % 6 % 3 == every % 3 and (every * 3 + 1) % 6 % 3 == constant(every.system, 1)
    several = fp.Session("msd_3").counts(["n", "a"], "i<n & j<=a")
    left = several % 4
    for n, a in product(range(12), repeat=2):
        assert left[n, a] == n * (a + 1) % 4


def test_residues_of_a_large_representation() -> None:
    """One that is not minimal, as that of the counts of a large automaton: here a sum of many copies."""
    n = fp.Session("msd_2").counts("n", "i<n")
    copies = 200
    parts = tuple(
        tuple(
            tuple((column + n.dimension * k, x) for column, x in row) for k in range(copies) for row in part
        ) for part in n.parts
    )
    large = Series(n.variables, n.systems, n.entering * copies, n.leaving * copies, parts)
    assert large.dimension > 300 and (large % 7)[:50] == [copies * k % 7 for k in range(50)]


def test_residues_that_are_not_found_are_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    n = fp.Session("msd_2").counts("n", "i<n")
    # 2 to the power of minus the number of digits 1: the denominators are not bounded.
    falling = Series(("n",), n.systems, (1,), (1,), (((((0, 1)),),), (((0, Fraction(1, 2)),),)))
    assert falling[7] == Fraction(1, 8)
    with pytest.raises(LimitError):
        falling % 2
    for modulus in (0, -2):
        with pytest.raises(AutomatonError):
            n % modulus
    with pytest.raises(TypeError):
        n % Fraction(1, 2)  # type: ignore[operator]
    with pytest.raises(LimitError):
        residues.residues(n, 50, 49)


def test_values_are_listed_as_they_occur() -> None:
    s = fp.Session("msd_fib")
    left = s.counts("n", "i<n") % 4
    assert left.values() == [0, 1, 2, 3] and left.values(2) == [0, 1] and left.values(9) == [0, 1, 2, 3]
    n = s.counts("n", "i<n")
    assert n.values(6) == [0, 1, 2, 3, 4, 5] and n.values(0) == []
    assert (n * n - n * 4).values(4) == [0, -3, -4, 5]
    assert (10 - s.counts("n", "i<5 & i<n")).values() == s.relation("n>=5 & n<=10").values()[::-1]


@pytest.mark.long
def test_whether_a_number_is_a_value() -> None:
    s = fp.Session("msd_2")
    n, left = s.counts("n", "i<n"), s.counts("n", "i<n") % 4
    assert 3 in left and 4 not in left and Fraction(1, 2) not in left and "3" not in left
    assert 3.0 in left and 2.5 not in left and float("nan") not in left and np.int64(3) in left
    assert (n ** np.int64(2))[:4] == (n**2)[:4] and (n % np.int64(4)) == left
    twice = n * 2
    assert 10 in twice and 10**20 in twice and 7 not in twice and -2 not in twice and -2 in 0 - twice
    assert Fraction(3, 2) in n * Fraction(1, 2) and Fraction(1, 3) not in n * Fraction(1, 2)
    with pytest.raises(LimitError):
        _ = 3 in n * n


def test_the_limits_are_those_of_the_session() -> None:
    s = fp.Session("msd_2", limits=fp.Limits(seconds=20))
    n = s.counts("n", "i<n")
    for made in (n, n + 1, 1 - n, n * n, n**3, n % 5, n.subsequence(3, 1), n.subsequence(0, 1), n.partial_sums()):
        assert made.limits == s.options.limits
    assert pickle.loads(pickle.dumps(n)) == n and pickle.loads(pickle.dumps(n)).limits == n.limits
    assert n.with_limits(fp.Limits()).limits == fp.Limits()
    with pytest.raises(LimitError):
        n.with_limits(5)  # type: ignore[arg-type]


def test_methods_end_by_the_limits() -> None:
    n = fp.Session("msd_2").counts("n", "i<n")
    soon = fp.Limits(seconds=1e-9)
    late = n.with_limits(soon)
    hard = n**4 - n * 50 + 2500 - n**3
    for spent in (
        lambda: late.values(), lambda: late.values(50), lambda: late[:10], lambda: late.first(5), lambda: late**5,
        lambda: late % 7, lambda: late.growth(), lambda: late.graph(), lambda: late.subsequence(7, 3),
        lambda: late.partial_sums(), lambda: late.word(), lambda: late.least_with(lambda value: value == 5),
        lambda: hard.first_negative(soon), lambda: hard.with_limits(soon).first_negative(),
        lambda: hard.with_limits(soon) >= 0, lambda: 5 in late, lambda: n.values(limits=soon), lambda: n.first(5, soon),
        lambda: n.first_nonzero() and late.first_nonzero() and (late - late * 2), lambda: late == n,
    ):
        with pytest.raises(BudgetSpent):
            spent()
    assert n.first(3, fp.Limits(seconds=60)) == late.first(3, fp.Limits(seconds=60)) == [0, 1, 2]


def test_the_display() -> None:
    s = fp.Session("msd_2")
    n = s.counts("n", "i<n")
    shown = (n * n)._repr_html_()
    read(shown)
    assert "msd_2" in shown and ">49<" in shown
    for other in (n * Fraction(1, 2), s.counts(["n", "a"], "i<n & j<=a"), n - n):
        read(other._repr_html_())
    assert rational.plain(Fraction(1)) == 1
