"""Intervals of slopes and the simplest numbers in them, against brute force with integers."""

from __future__ import annotations

from fractions import Fraction
from math import floor, isqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fibprover.base.errors import FibproverError
from fibprover.infer.slopes import (
    SlopeInterval,
    convex_hulls,
    quadratics,
    simplest_quadratic,
    simplest_rational,
    slope_interval,
)
from fibprover.numeration.quadratic import Quadratic, quadratic

POINTS = st.lists(st.tuples(st.integers(-20, 20), st.integers(-20, 20)), min_size=2, max_size=12)
NUMBERS = st.builds(
    Quadratic, st.integers(-9, 9), st.integers(-6, 6).filter(bool), st.integers(0, 40)
)
FRACTIONS = st.fractions(-5, 5, max_denominator=30)


def width(points: list[tuple[int, int]], slope: Fraction) -> Fraction:
    offsets = [y - slope * x for x, y in points]
    return max(offsets) - min(offsets)


@given(POINTS, st.fractions(Fraction(1, 10), 3, max_denominator=10))
def test_slopes_are_those_of_narrow_strips(points: list[tuple[int, int]], slack: Fraction) -> None:
    if len({x for x, _ in points}) == 1:
        with pytest.raises(FibproverError, match="one column"):
            slope_interval(points, slack)
        return
    interval = slope_interval(points, slack)
    pairs = [(a, b) for a in points for b in points if a[0] != b[0]]
    # A convex, piecewise linear function is least at one of its breaks, which are slopes interval points.
    least = min(width(points, Fraction(b[1] - a[1], b[0] - a[0])) for a, b in pairs)
    assert interval.low < interval.high
    assert [width(points, slope) for slope in interval] == [least + slack] * 2


@given(POINTS)
def test_hulls_hold_the_points(points: list[tuple[int, int]]) -> None:
    above, below = convex_hulls(points)
    for slope in (Fraction(-7), Fraction(-1, 3), Fraction(0), Fraction(2, 5), Fraction(30)):
        assert max(y - slope * x for x, y in above) == max(y - slope * x for x, y in points)
        assert min(y - slope * x for x, y in below) == min(y - slope * x for x, y in points)


def test_long_data_have_small_convex_hulls() -> None:
    above, below = convex_hulls([(n, (n + isqrt(5 * n * n)) // 2) for n in range(20000)])
    assert len(above) + len(below) < 40


@given(NUMBERS, FRACTIONS)
def test_comparisons(number: Quadratic, other: Fraction) -> None:
    p, q, d = number
    # Where (p + sqrt(d))/q = other, d is a square; otherwise 60 digits tell them apart.
    root = isqrt(d)
    if root * root == d:
        exact = Fraction(p + root, q)
        assert number.compare(other) == (exact > other) - (exact < other)
        return
    approximate = (p + Fraction(isqrt(d * 10**120), 10**60)) / q
    assert number.compare(other) == (1 if approximate > other else -1)


@given(NUMBERS, st.integers(-10**6, 10**6))
def test_floors(number: Quadratic, factor: int) -> None:
    whole = number.floor_multiple(factor)
    if factor == 0:
        assert whole == 0
    elif factor > 0:
        assert number.compare(Fraction(whole, factor)) >= 0
        assert number.compare(Fraction(whole + 1, factor)) < 0
    else:
        assert number.compare(Fraction(whole, factor)) <= 0
        assert number.compare(Fraction(whole + 1, factor)) > 0


@given(FRACTIONS, st.fractions(Fraction(1, 50), 1, max_denominator=50))
def test_the_simplest_rational(low: Fraction, length: Fraction) -> None:
    interval = SlopeInterval(low, low + length)
    candidate = simplest_rational(interval)
    found = Fraction(candidate.number.p, candidate.number.q)
    assert interval.low <= found <= interval.high
    assert candidate.equation == (0, found.denominator, -found.numerator)
    for denominator in range(1, found.denominator):
        assert floor(interval.high * denominator) < interval.low * denominator


@given(FRACTIONS, st.fractions(Fraction(1, 50), Fraction(1, 2), max_denominator=50))
def test_quadratics_of_an_interval(low: Fraction, length: Fraction) -> None:
    interval = SlopeInterval(low, low + length)
    found = quadratics(interval, range(1, 4), 5)
    assert len({candidate.equation for candidate in found}) <= len(found)
    for candidate in found:
        number, (a, b, c) = candidate.number, candidate.equation
        assert number.compare(interval.low) >= 0 >= number.compare(interval.high)
        # a x^2 + b x + c = 0 at (p + sqrt d)/q: rational part and the root's factor vanish.
        p, q, d = number
        assert a * (p * p + d) + b * p * q + c * q * q == 0
        assert 2 * a * p + b * q == 0
    every = {(a, b, c) for a in range(1, 4) for b in range(-5, 6) for c in range(-5, 6)}
    for a, b, c in every - {candidate.equation for candidate in found}:
        d = b * b - 4 * a * c
        if d > 0 and isqrt(d) ** 2 != d:
            for root in (Quadratic(-b, 2 * a, d), Quadratic(b, -2 * a, d)):
                outside = root.compare(interval.low) < 0 or root.compare(interval.high) > 0
                assert outside or any(a % f == b % f == c % f == 0 for f in (2, 3, 5))


@given(NUMBERS)
def test_numbers_are_written_as_they_are_read(number: Quadratic) -> None:
    read = quadratic(str(number))
    value = (Fraction(number.p, number.q), Fraction(number.d, number.q**2))
    if isqrt(number.d) ** 2 == number.d:
        assert Fraction(read.p + isqrt(read.d), read.q) == Fraction(number.p + isqrt(number.d), number.q)
    else:
        assert (Fraction(read.p, read.q), Fraction(read.d, read.q**2)) == value
        assert (read.q > 0) == (number.q > 0)


def test_numbers_that_are_not_simple_enough() -> None:
    about = Fraction(isqrt(5 * 10**40) + 10**20, 2 * 10**20)
    assert simplest_quadratic(SlopeInterval(about - Fraction(1, 100), about + Fraction(1, 100))) is not None
    pi = Fraction(314159265358979, 10**14)
    for digits in range(2, 8):
        width = Fraction(1, 10**digits)
        found = simplest_quadratic(SlopeInterval(pi - width, pi + width))
        # 355/113 is remarkable: of such a height there are few.
        assert found is None or found.number == Quadratic(355, 113, 0)
    assert simplest_quadratic(SlopeInterval(pi, pi)) is None
