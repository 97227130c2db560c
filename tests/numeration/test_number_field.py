"""Numbers of Q(beta) against floating point, and against what they satisfy."""

from __future__ import annotations

import random
from fractions import Fraction
from math import isclose, sqrt

import pytest

from fibprover.base.errors import NumerationError
from fibprover.numeration.number_field import Algebraic, NumberField, number_field

FIELDS = [(-1, -1, 1), (-1, -2, 1), (-1, -1, -1, 1), (-1, 0, -1, 1), (-1, -1, -1, -1, 1), (-3, 1)]


def drawn(owner: NumberField, source: random.Random) -> Algebraic:
    return owner.number(*(Fraction(source.randint(-9, 9), source.randint(1, 9)) for _ in range(owner.degree)))


@pytest.mark.parametrize("polynomial", FIELDS)
def test_arithmetic(polynomial: tuple[int, ...]) -> None:
    field, source = number_field(polynomial), random.Random(1)
    for _ in range(30):
        x, y = drawn(field, source), drawn(field, source)
        assert isclose(float(x + y), float(x) + float(y), abs_tol=1e-9)
        assert isclose(float(x * y - 2), float(x) * float(y) - 2, abs_tol=1e-9)
        assert (x - y) * (x + y) == x * x - y * y and (x < y) == (float(x) < float(y))
        if any(x.coefficients):
            assert x / x == field.number(1) and isclose(float(y / x), float(y) / float(x), abs_tol=1e-9)
            assert x.power(-3) * x.power(5) == x * x


@pytest.mark.parametrize("polynomial", FIELDS)
def test_minimal_polynomials(polynomial: tuple[int, ...]) -> None:
    field, source = number_field(polynomial), random.Random(2)
    for _ in range(10):
        x = drawn(field, source)
        found = x.minimal_polynomial()
        value = field.number(0)
        for entry in reversed(found):
            value = value * x + entry
        assert value == field.number(0) and found[-1] > 0 and (x.rational is None) == (len(found) > 2)
    assert field.beta.minimal_polynomial() == polynomial


def test_numbers_that_are_nearly_equal() -> None:
    """F(n+1)/F(n) is nearer to the golden ratio than the precision that is kept."""
    a, b = 1, 1
    for _ in range(2000):
        a, b = b, a + b
    phi = number_field((-1, -1, 1)).beta
    low, high = sorted((Fraction(b, a), Fraction(a + b, b)))
    assert low < high and phi > low and phi < high and (phi - low).sign() == 1 and (phi - phi).sign() == 0


def test_texts() -> None:
    phi, root = number_field((-1, -1, 1)).beta, number_field((-1, -2, 1)).beta - 1
    assert str(phi + 2) == "(5+sqrt(5))/2 = 3.6180339887..." and str(phi.inverse()).startswith("(sqrt(5)-1)/2")
    assert str(root) == "sqrt(2) = 1.4142135623..." and str(root * -3) == "-3*sqrt(2) = -4.2426406871..."
    assert str(root * 0 + Fraction(7, 3)) == "7/3" and str(2 - root).startswith("2-sqrt(2)")
    assert phi.field.number(Fraction(5, 2)).decimals() == "2.5" and isclose(float(root), sqrt(2))
    cubic = number_field((-1, -1, -1, 1)).beta
    assert str(cubic) == "1.8392867552..., a root of x^3 - x^2 - x - 1"


def test_what_is_no_field() -> None:
    with pytest.raises(NumerationError):
        number_field((-3, -1, 1))
    with pytest.raises(ZeroDivisionError):
        number_field((-1, -1, 1)).number(0).inverse()
