"""Laurent polynomials with integer coefficients, as mappings from exponents to coefficients other than 0."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fibprover.base.errors import LimitError
from fibprover.base.limits import poll

#: The exponent of each variable.
Exponents = tuple[int, ...]
Polynomial = Mapping[Exponents, int]

#: The most terms of a polynomial.
MOST_TERMS = 200_000


def monomial(count: int, place: int) -> dict[Exponents, int]:
    """Return the variable at a place, of so many."""
    return {tuple(int(each == place) for each in range(count)): 1}


def constant(count: int, number: int) -> dict[Exponents, int]:
    """Return a number as a polynomial of so many variables."""
    return {(0,) * count: number} if number else {}


def added(one: Polynomial, two: Polynomial, factor: int = 1) -> dict[Exponents, int]:
    """Return a polynomial and a multiple of another one, added."""
    total = dict(one)
    for at, coefficient in two.items():
        total[at] = total.get(at, 0) + factor * coefficient
    return {at: coefficient for at, coefficient in total.items() if coefficient}


def times(one: Polynomial, two: Polynomial, modulus: int = 0) -> dict[Exponents, int]:
    """Return a product, with coefficients modulo a number unless it is 0.  LimitError if it has too many terms."""
    total: dict[Exponents, int] = {}
    for at, coefficient in one.items():
        poll("a product of polynomials", len(two))
        for other, factor in two.items():
            place = tuple(map(int.__add__, at, other))
            total[place] = total.get(place, 0) + coefficient * factor
        if len(total) > MOST_TERMS:
            raise LimitError(f"a polynomial has more than {MOST_TERMS} terms")
    return reduced(total, modulus) if modulus else {at: each for at, each in total.items() if each}


def reduced(polynomial: Polynomial, modulus: int) -> dict[Exponents, int]:
    """Return a polynomial with coefficients modulo a number."""
    return {at: each % modulus for at, each in polynomial.items() if each % modulus}


def power(polynomial: Polynomial, exponent: int, count: int, modulus: int = 0) -> dict[Exponents, int]:
    """Return a power, with a natural number as exponent, of a polynomial of so many variables."""
    found = constant(count, 1)
    square = dict(polynomial)
    while exponent:
        if exponent & 1:
            found = times(found, square, modulus)
        exponent >>= 1
        if exponent:
            square = times(square, square, modulus)
    return found


def derivative(polynomial: Polynomial, place: int) -> dict[Exponents, int]:
    """Return the derivative by the variable at a place."""
    return {
        (*at[:place], at[place] - 1, *at[place + 1 :]): coefficient * at[place]
        for at, coefficient in polynomial.items() if at[place]
    }


def mapped(polynomial: Polynomial, matrix: Iterable[Exponents]) -> dict[Exponents, int]:
    """Return a polynomial with monomials in place of its variables, given by their exponents."""
    rows = [*matrix]
    total: dict[Exponents, int] = {}
    for at, coefficient in polynomial.items():
        place = tuple(sum(map(int.__mul__, at, column)) for column in zip(*rows, strict=True))
        total[place] = total.get(place, 0) + coefficient
    return {at: each for at, each in total.items() if each}


def by_residues(polynomial: Polynomial, prime: int) -> dict[Exponents, list[tuple[Exponents, int]]]:
    """Return the terms by their exponents modulo a number."""
    found: dict[Exponents, list[tuple[Exponents, int]]] = {}
    for at, coefficient in polynomial.items():
        found.setdefault(tuple(each % prime for each in at), []).append((at, coefficient))
    return found


def least_exponents(polynomial: Polynomial) -> Exponents:
    """Return the least exponent of each variable."""
    return tuple(map(min, zip(*polynomial, strict=True)))
