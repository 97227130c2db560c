"""Sums, subsequences, recurrences, growth and comparison of sequences, against lists of their values."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

import fibprover as fp
from fibprover.base.errors import AutomatonError, BudgetSpent, DigitError, LimitError
from fibprover.base.limits import spending
from fibprover.sequences import long_products, rational
from fibprover.sequences.series import Series
from tests.few import few


def natural(system: str) -> tuple[fp.Session, Series]:
    session = fp.Session(system)
    return session, session.counts("n", "i<n")


def odd(n: int) -> int:
    """How many i there are with 2i <= n, or i = n + 3."""
    return n // 2 + 2


@pytest.mark.parametrize("system", ["msd_2", "lsd_3", "msd_fib"])
def test_sums_and_subsequences(system: str) -> None:
    session, n = natural(system)
    a = session.counts("n", "i*2<=n | i=n+3")
    sums, part, later = a.partial_sums(), a.subsequence(2, 1), a.subsequence(1, 1)
    for k in range(60):
        assert sums[k] == sum(odd(m) for m in range(k))
        assert part[k] == odd(2 * k + 1) and later[k] == odd(k + 1)
    assert a.subsequence(0, 7) == n * 0 + odd(7)
    assert 2 * n.partial_sums() == n * (n - 1) and n.subsequence(2, 3) == 2 * n + 3
    with pytest.raises(AutomatonError):
        a.subsequence(1, -1)


@pytest.mark.parametrize(("factor", "start"), few(
    [(10**6, 10**6), (3**40, 5), (1, 10**9), (1009, 7), (2 * 3 * 97, 10**4)], 2,
))
def test_subsequences_with_large_factors(factor: int, start: int) -> None:
    n = fp.Session().counts("n", "i<n")
    assert n.subsequence(factor, start) == factor * n + start
    ones = fp.Session("msd_neg_2").counts("n", "i<n & i>=0")
    assert [ones.subsequence(factor, start)[m] for m in range(9)] == [factor * m + start for m in range(9)]


@pytest.mark.long
@pytest.mark.parametrize(("factor", "start"), [(120, 10**4), (31, 3), (1, 10**9)])
def test_subsequences_of_a_word(factor: int, start: int) -> None:
    part = fp.Session().counts("n", "?msd_2 T[n]=@1 & i=0").subsequence(factor, start)
    assert all(part[m] == (factor * m + start).bit_count() % 2 for m in range(200))


def test_subsequences_whose_start_is_larger_than_the_factor() -> None:
    """What is left of the start is a step of its own: with the last prime factor it was refused, or took seconds."""
    n = fp.Session("msd_fib").counts("n", "i<n")
    for factor, start in ((10, 1000), (2, 300), (3, 50)):
        assert n.subsequence(factor, start) == factor * n + start
    for system in ("msd_pell", "msd_3", "lsd_3"):
        a = fp.Session(system).counts("n", "i*2<=n | i=n+3")
        part = a.subsequence(6, 100)
        assert [part[m] for m in range(60)] == [odd(6 * m + 100) for m in range(60)]


@pytest.mark.long
def test_a_start_does_not_make_a_step_larger() -> None:
    n = fp.Session("msd_fib").counts("n", "i<n")
    assert n.subsequence(7, 100) == 7 * n + 100


def test_a_hint_is_given_where_it_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A factor with smaller prime factors would be no easier where the prime factor is 3, or there is none."""
    monkeypatch.setattr("fibprover.sequences.subsequence.MOST_WORK", 1000)
    n = fp.Session("msd_fib").counts("n", "i<n")
    for factor, start, helps in ((11, 0, True), (3, 0, False), (1, 100, False)):
        with pytest.raises(LimitError) as refused:
            n.subsequence(factor, start)
        assert bool(refused.value.hint) == helps


@pytest.mark.long
def test_subsequences_that_are_too_large() -> None:
    """They are refused with what is too large, or end with the budget, and not after minutes."""
    fibonacci = fp.Session("msd_fib").counts("n", "i<n")
    for factor in (10**9 + 7, 2**61 - 1, 499):
        with pytest.raises(LimitError, match="states"):
            fibonacci.subsequence(factor)
    assert fibonacci.subsequence(10**6) == 10**6 * fibonacci
    with pytest.raises(BudgetSpent), spending(fp.Limits(seconds=0.3).start()):
        fp.Session().counts("n", "?msd_2 T[n]=@1 & i=0").subsequence(499)


@pytest.mark.parametrize("system", ["msd_2", "lsd_3", "msd_fib"])
def test_comparison(system: str) -> None:
    session, n = natural(system)
    a = session.counts("n", "i*2<=n | i=n+3")
    assert a <= n + 3 and a >= 2 and n >= n and not n <= a and n * n >= n and not n * n >= n + 1
    assert (n - a).first_negative() == (0, -2) and (a - 2).first_negative() is None
    late = session.counts("n", "i=n & n>=1000")
    assert not late <= 0 and (0 - late).first_negative() == (1000, -1)
    assert (n * n + 2500).first_negative() is None


@pytest.mark.long
def test_a_comparison_may_stay_open() -> None:
    _, n = natural("msd_2")
    # The square of n - 50 falls before it rises.
    with pytest.raises(LimitError):
        (n * n - n * 100 + 2500).first_negative()


def test_words_of_values() -> None:
    session, n = natural("msd_fib")
    a = session.counts("n", "i*2<=n | i=n+3")
    word = (a.subsequence(1, 1) - a).word("D")
    assert word.name == "D" and word.prefix(50) == [odd(k + 1) - odd(k) for k in range(50)]
    with pytest.raises(LimitError):
        n.word(most=50)
    with pytest.raises(AutomatonError):
        (n * 0 + Fraction(1, 2)).word()


@pytest.mark.parametrize("system", ["msd_2", "msd_3", "msd_fib"])
def test_recurrences(system: str) -> None:
    _, n = natural(system)
    weights = n.system.recurrence.terms(14)  # type: ignore[union-attr]
    found = (n * n + n).recurrence()
    assert found.terms(14) == [weight * weight + weight for weight in weights]
    assert [(n * n + n)[weight] for weight in weights] == found.terms(14) and found.order > 1
    assert (n - n).recurrence().order == 0 and str((n - n).recurrence()) == "s(k) = 0"
    with pytest.raises(DigitError):
        n.recurrence((7,))


def test_recurrences_along_other_words() -> None:
    session, _ = natural("msd_2")
    ones = session.counts("n", "i<n & T[i]=@1 & T[n]=@0")
    found = ones.recurrence((1,), (0, 1), (1,))

    def brute(number: int) -> int:
        return sum(bin(i).count("1") % 2 for i in range(number)) if bin(number).count("1") % 2 == 0 else 0

    assert found.terms(5) == [brute(int("1" + "01" * k + "1", 2)) for k in range(5)]
    assert "s(k+" in str(found)


@pytest.mark.long
def test_growth() -> None:
    session, n = natural("msd_2")
    assert (n - n + 3).growth().is_bounded and (n - n + 3).growth().values == {3}
    complexity = session.counts("n", "Aj j<i => ~$feq_T(i,j,n)").growth()
    assert complexity.degree == 1 and complexity.values == {1, 2, 4}
    assert complexity.estimate == pytest.approx(1, abs=0.01)
    assert (n * n).growth().degree == 2 and (n * n).growth().estimate == pytest.approx(2)
    cubes = n * n * n
    assert cubes.growth().degree == 3 and not cubes.growth().is_bounded
    # 2^(ones of n), the number of k without a 1 where n has none: no polynomial.
    session.reg("under", ["msd_2", "msd_2"], "([0,0]|[0,1]|[1,1])*")
    under = session.counts("n", "$under(i,n)")
    assert [under[k] for k in range(20)] == [2 ** bin(k).count("1") for k in range(20)]
    found = under.growth()
    assert found.degree is None and found.exponent == pytest.approx(1) and not found.is_bounded


def test_the_two_ways_to_minimize_agree() -> None:
    pytest.importorskip("flint")
    generator = random.Random(22)
    for size, rank in ((6, 6), (9, 3), (12, 5)):
        inside = [[generator.randrange(-2, 3) for _ in range(rank)] for _ in range(size)]
        parts = []
        for _ in range(2):
            other = [
                [Fraction(generator.randrange(-2, 3), generator.randrange(1, 4)) for _ in range(size)]
                for _ in range(rank)
            ]
            columns = list(zip(*other, strict=True))
            rows = [[sum(a * b for a, b in zip(row, each, strict=True)) for each in columns] for row in inside]
            parts.append(tuple(tuple((j, entry) for j, entry in enumerate(row) if entry) for row in rows))
        row = tuple(generator.randrange(-3, 4) for _ in range(size))
        column = tuple(generator.randrange(-3, 4) for _ in range(size))
        one = rational.reachable_by_fractions(row, column, tuple(parts))
        assert one == rational.reachable_by_flint(row, column, tuple(parts)) and len(one[0]) <= 2 * rank + 1
        zero = tuple(0 for _ in row)
        assert rational.reachable_by_flint(zero, column, tuple(parts)) == rational.reachable_by_fractions(
            zero, column, tuple(parts)
        )


@pytest.mark.parametrize("most", [20, pytest.param(60, marks=pytest.mark.long)])
def test_a_space_of_rows_may_not_be_larger_than_asked(most: int) -> None:
    """The rows of a cycle, in a space so large that FLINT is asked where many are allowed."""
    size = rational.LEAST_FOR_FLINT
    row = tuple(int(not place) for place in range(size))
    for length in (most, most + 1):
        cycle = rational.matrix_of(size, [(place, (place + 1) % length, 1) for place in range(length)])
        if length > most:
            with pytest.raises(LimitError, match=str(most)):
                rational.reachable(row, row, (cycle,), most)
        else:
            assert len(rational.reachable(row, row, (cycle,), most)[0]) == length


@pytest.mark.parametrize("system", ["msd_2", "lsd_3", pytest.param("msd_fib", marks=pytest.mark.long)])
@pytest.mark.parametrize("with_flint", [False, True])
def test_values_at_very_long_numbers(system: str, with_flint: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if with_flint:
        pytest.importorskip("flint")
    else:
        monkeypatch.setattr(long_products, "flint", lambda: None)
    session, n = natural(system)
    half = (n * n + n) * Fraction(1, 2) - session.counts("n", "i=n & n>5") * Fraction(1, 3)
    for number in (7**5000 + 1, 10**4000):
        assert half[number] == Fraction(number * (number + 1), 2) - Fraction(1, 3)


@pytest.mark.parametrize("system", ["msd_neg_2", "msd_neg_fib"])
def test_negative_numbers_have_values_too(system: str) -> None:
    """a(n) = n grows from 0 on, and is negative before."""
    session = fp.Session(system)
    n = session.counts("n", "m>=0 & m<n") - session.counts("n", "m>=n & m<0")
    found = n.first_negative()
    assert found is not None and found[0] == found[1] < 0
    assert not n >= 0
