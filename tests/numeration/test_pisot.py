"""The Pisot test and the certified bounds, against floating point where its errors do not matter."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from fibprover.base.errors import NumerationError
from fibprover.numeration.pisot import (
    check_pisot,
    divides,
    dominant_root,
    greatest_common_divisor,
    growth,
    roots_inside,
    show,
)
from fibprover.numeration.weights import pisot_recurrence
from tests.numeration.systems import RECURRENCES, system


def is_pisot(polynomial: tuple[int, ...]) -> bool:
    try:
        check_pisot(polynomial)
    except NumerationError:
        return False
    return True


@pytest.mark.parametrize("degree", [1, 2, 3, 4])
def test_against_numerical_roots(degree: int) -> None:
    seen = 0
    for lower in product(range(-4, 5) if degree < 4 else range(-2, 3), repeat=degree):
        if lower[0] == 0:
            continue
        polynomial = (*lower, 1)
        sizes = sorted(abs(np.roots(polynomial[::-1])))
        largest = max(np.roots(polynomial[::-1]), key=abs)
        # Floating point cannot decide moduli near 1.
        if any(abs(size - 1) < 1e-4 for size in sizes):
            assert not is_pisot(polynomial)
            continue
        assert roots_inside(polynomial) == sum(size < 1 for size in sizes)
        expected = abs(largest.imag) < 1e-9 and largest.real > 1 and all(size < 1 for size in sizes[:-1])
        assert is_pisot(polynomial) == expected, show(polynomial)
        seen += expected
    assert seen > (2 if degree == 1 else 10)


def test_the_smallest_pisot_number_and_salem_numbers() -> None:
    assert is_pisot((-1, -1, 0, 1))
    lehmer = (1, 1, 0, -1, -1, -1, -1, -1, 0, 1, 1)
    assert not is_pisot(lehmer)
    assert not is_pisot((1, -1, -1, -1, 1))
    with pytest.raises(NumerationError, match="roots in pairs"):
        check_pisot(lehmer)


def test_roots_on_the_circle_cannot_be_counted() -> None:
    with pytest.raises(NumerationError, match="too near the unit circle"):
        roots_inside((-1, 3, -3, 1))


def test_roots_close_to_the_circle() -> None:
    # x^n (x^2 - x - 1) + x^2 - 1 has a Pisot root, with conjugates ever closer to the circle.
    for n in range(2, 14):
        polynomial = [0] * (n + 3)
        for index, value in ((n + 2, 1), (n + 1, -1), (n, -1), (2, 1), (0, -1)):
            polynomial[index] += value
        while sum(polynomial) == 0:
            # Divide by x - 1.
            quotient, carry = [], 0
            for value in reversed(polynomial[1:]):
                carry += value
                quotient.append(carry)
            polynomial = quotient[::-1]
        moduli = abs(np.roots(polynomial[::-1]))
        if all(abs(moduli - 1) > 1e-6):
            assert is_pisot(tuple(polynomial)) == (sum(moduli > 1) == 1), show(polynomial)


@pytest.mark.parametrize("name", RECURRENCES)
def test_bounds_hold_and_are_sharp(name: str) -> None:
    terms = system(name).recurrence
    bounds = terms.growth
    one = 1 << bounds.bits
    beta = max(np.roots(terms.polynomial[::-1]).real)
    values = terms.terms(80 + terms.order)
    for j, (low, high) in enumerate(bounds.powers):
        assert low <= high <= low + (1 << (bounds.bits - 100))
        assert low / one == pytest.approx(beta**j, rel=1e-12)
        errors = [
            max(abs((values[t + j] << bounds.bits) - side * values[t]) for side in (low, high)) for t in range(40)
        ]
        assert max(errors) <= bounds.spread[j] + (1 << (bounds.bits - 40))
        assert max(errors) >= bounds.spread[j] - (1 << (bounds.bits - 40))
    assert list(terms.constants.terms[:5]) == values[:5]
    assert len(terms.constants.terms) > 10


@pytest.mark.parametrize("name", RECURRENCES)
def test_always_positive(name: str) -> None:
    terms = system(name).recurrence
    values = terms.terms(120)
    for vector in product(range(-3, 4), repeat=terms.order) if terms.order < 4 else product((-1, 0, 1), repeat=4):
        for constant in (-2, 0, 1):
            seen = all(sum(v * values[t + j] for j, v in enumerate(vector)) + constant > 0 for t in range(100))
            assert terms.always_positive(vector, constant) == seen, (vector, constant)


def test_steps_and_final_values() -> None:
    terms = pisot_recurrence((2, 1), (1, 3))
    remainder = (0,) * terms.order
    for digit in (1, 0, 2, 0):
        remainder = terms.step(remainder, digit)
    assert terms.final(remainder) == 17 + 2 * 3


def test_dominant_root() -> None:
    low, high = dominant_root((-1, -1, 1), 64)
    assert high - low <= 1
    assert low / 2**64 == pytest.approx((1 + 5**0.5) / 2)
    assert dominant_root((-7, 1), 10) == (7 << 10, 7 << 10)


def test_growth_of_a_transient() -> None:
    # 1, 3, 6, 12, ...: U_{t+1} - 2 U_t is 1 at t = 0 and 0 from then on.
    bounds = growth((0, -2, 1), (1, 3))
    assert bounds.spread == (0, 1 << bounds.bits)


def test_polynomials() -> None:
    assert greatest_common_divisor((-1, 0, 1), (1, -2, 1)) == (-1, 1)
    assert greatest_common_divisor((-1, -1, 1), (-2, 1)) == (1,)
    assert divides((-2, 1), (4, 0, -1)) and not divides((-2, 1), (4, 1, -1))
    assert divides((-1, -1, 1), (0, 0)) and not divides((-1, -1, 1), (0, 1))
    assert show((-1, -2, 0, 1)) == "x^3 - 2x - 1"
    assert show((0,)) == "0"
