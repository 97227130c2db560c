"""Exact numbers of the field Q(beta), where beta is a Pisot number or an integer above 1.

A number is a polynomial in beta over the rationals, modulo the minimal polynomial of beta.  It is 0 only if all
coefficients are; any other sign is that of an interval around it, whose precision is raised until 0 is outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, isqrt, lcm
from operator import index

from fibprover.base.errors import NumerationError
from fibprover.numeration.equations import solved
from fibprover.numeration.pisot import Interval, Polynomial, check_pisot, dominant_root, show

#: Fractional bits of the powers of beta that a field keeps; more are computed when they are needed.
KEPT_BITS = 768

#: Decimals of a number in text.
DECIMALS = 10


@dataclass(frozen=True, slots=True)
class NumberField:
    """The field Q(beta); made by `number_field` and `dominant_field`.

    polynomial: the minimal one of beta, constant term first, monic; above: less than beta, and not less than its other
    real roots.
    """

    polynomial: Polynomial
    powers: tuple[Interval, ...] = field(compare=False, repr=False)
    above: Fraction = field(default=Fraction(1), compare=False, repr=False)

    @property
    def degree(self) -> int:
        """The degree of beta."""
        return len(self.polynomial) - 1

    def number(self, *coefficients: int | Fraction) -> Algebraic:
        """Return the number with these coefficients, that of 1 first; those that are missing are 0."""
        common = lcm(*(each.denominator for each in coefficients))
        scaled = [int(each * common) for each in coefficients]
        return _reduced(self, scaled, common)

    @property
    def beta(self) -> Algebraic:
        """The dominant root of the polynomial."""
        return self.number(0, 1)

    def powers_within(self, bits: int) -> tuple[Interval, ...]:
        """Return intervals around 1, beta, ..., scaled by 2^bits."""
        return self.powers if bits == KEPT_BITS else _powers(self.polynomial, bits, self.above)


def number_field(polynomial: Polynomial) -> NumberField:
    """Return Q(beta) for the minimal polynomial of a Pisot number, or x - k; raises NumerationError for any other."""
    check_pisot(polynomial)
    return NumberField(polynomial, _powers(polynomial, KEPT_BITS))


def dominant_field(polynomial: Polynomial, above: Fraction) -> NumberField:
    """Return Q(beta) for the greatest real root beta of an irreducible monic polynomial.

    above: at least 1, less than beta, and not less than the other real roots.
    """
    value = sum(coefficient * above**power for power, coefficient in enumerate(polynomial))
    if above < 1 or value >= 0:
        raise NumerationError(f"{show(polynomial)} has no root that is alone above {above}")
    return NumberField(polynomial, _powers(polynomial, KEPT_BITS, above), above)


def _powers(polynomial: Polynomial, bits: int, above: Fraction = Fraction(1)) -> tuple[Interval, ...]:
    low, high = dominant_root(polynomial, bits, int(above * (1 << bits)))
    found = [(1 << bits, 1 << bits)]
    for _ in range(len(polynomial) - 2):
        found.append((found[-1][0] * low >> bits, -(-found[-1][1] * high >> bits)))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Algebraic:
    """A number of a field: the sum of coefficients[j] beta^j, divided by a positive denominator, in lowest terms.

    Made by `NumberField.number`.  Numbers of one field are added, multiplied, divided and compared exactly, also with
    integers and fractions.
    """

    field: NumberField
    coefficients: tuple[int, ...]
    denominator: int

    def _other(self, other: Algebraic | int | Fraction) -> Algebraic:
        return other if isinstance(other, Algebraic) else self.field.number(other)

    def __add__(self, other: Algebraic | int | Fraction) -> Algebraic:
        right = self._other(other)
        p, q = right.denominator, self.denominator
        total = [a * p + b * q for a, b in zip(self.coefficients, right.coefficients, strict=True)]
        return _lowest(self.field, total, p * q)

    __radd__ = __add__

    def __neg__(self) -> Algebraic:
        return Algebraic(self.field, tuple(-a for a in self.coefficients), self.denominator)

    def __sub__(self, other: Algebraic | int | Fraction) -> Algebraic:
        return self + -other

    def __rsub__(self, other: int | Fraction) -> Algebraic:
        return -self + other

    def __mul__(self, other: Algebraic | int | Fraction) -> Algebraic:
        if not isinstance(other, Algebraic):
            scaled = [a * other.numerator for a in self.coefficients]
            return _lowest(self.field, scaled, self.denominator * other.denominator)
        product = [0] * (2 * self.field.degree - 1)
        for i, a in enumerate(self.coefficients):
            for j, b in enumerate(other.coefficients):
                product[i + j] += a * b
        return _reduced(self.field, product, self.denominator * other.denominator)

    __rmul__ = __mul__

    def __truediv__(self, other: Algebraic | int | Fraction) -> Algebraic:
        return self * self._other(other).inverse()

    def __rtruediv__(self, other: int | Fraction) -> Algebraic:
        return self.inverse() * other

    def __bool__(self) -> bool:
        """Return whether the number is not 0."""
        return any(self.coefficients)

    def inverse(self) -> Algebraic:
        """Return 1 divided by the number; raises ZeroDivisionError for 0."""
        degree, beta = self.field.degree, self.field.beta
        # The coefficients y of the inverse solve sum_j y_j beta^j x = 1, one equation for each power of beta.
        columns = [self]
        for _ in range(1, degree):
            columns.append(columns[-1] * beta)
        rows = [
            [*(Fraction(column.coefficients[i], column.denominator) for column in columns), Fraction(int(i == 0))]
            for i in range(degree)
        ]
        solution = solved(rows)
        if solution is None:
            raise ZeroDivisionError("0 has no inverse")
        return self.field.number(*solution)

    def power(self, exponent: int) -> Algebraic:
        """Return the power with a natural exponent, or a negative one of a number other than 0."""
        base = self if exponent >= 0 else self.inverse()
        result = self.field.number(1)
        for bit in bin(abs(index(exponent)))[2:]:
            result = result * result
            if bit == "1":
                result = result * base
        return result

    def interval(self, bits: int = KEPT_BITS) -> Interval:
        """Return an interval around the number, scaled by 2^bits."""
        low = high = 0
        for a, (below, above) in zip(self.coefficients, self.field.powers_within(bits), strict=True):
            low += a * (below if a >= 0 else above)
            high += a * (above if a >= 0 else below)
        return low // self.denominator, -(-high // self.denominator)

    def sign(self) -> int:
        """Return -1, 0 or 1: the sign of the number."""
        if not any(self.coefficients):
            return 0
        bits = KEPT_BITS
        while True:
            low, high = self.interval(bits)
            if low > 0:
                return 1
            if high < 0:
                return -1
            bits *= 2

    def __lt__(self, other: Algebraic | int | Fraction) -> bool:
        return (self - other).sign() < 0

    def __le__(self, other: Algebraic | int | Fraction) -> bool:
        return (self - other).sign() <= 0

    def __gt__(self, other: Algebraic | int | Fraction) -> bool:
        return (self - other).sign() > 0

    def __ge__(self, other: Algebraic | int | Fraction) -> bool:
        return (self - other).sign() >= 0

    def __float__(self) -> float:
        low, _ = self.interval()
        return float(Fraction(low, 1 << KEPT_BITS))

    @property
    def rational(self) -> Fraction | None:
        """The number as a fraction, None if it is irrational."""
        return None if any(self.coefficients[1:]) else Fraction(self.coefficients[0], self.denominator)

    def minimal_polynomial(self) -> Polynomial:
        """Return the primitive integer polynomial of least degree with this root, constant term first."""
        powers = [self.field.number(1)]
        while True:
            powers.append(powers[-1] * self)
            rows = [
                [Fraction(power.coefficients[i], power.denominator) for power in powers]
                for i in range(self.field.degree)
            ]
            found = solved(rows)
            if found is not None:
                monic = [*(-each for each in found), Fraction(1)]
                common = lcm(*(each.denominator for each in monic))
                return tuple(int(each * common) for each in monic)

    def decimals(self, places: int = DECIMALS) -> str:
        """Return the decimals of the number, rounded down in absolute value, with dots if there are more."""
        sign = self.sign()
        size = -self if sign < 0 else self
        bits = KEPT_BITS
        while True:
            low, high = (value * 10**places >> bits for value in size.interval(bits))
            if low == high or size.rational is not None:
                break
            bits *= 2
        whole, rest = divmod(high, 10**places)
        exact = size.rational is not None and size * 10**places == size.field.number(high)
        digits = f"{rest:0{places}d}".rstrip("0") if exact else f"{rest:0{places}d}..."
        return f"{'-' * (sign < 0)}{whole}{'.' * bool(digits)}{digits}"

    def __str__(self) -> str:
        """Return a fraction, (p+q*sqrt(d))/r with decimals, or decimals and the minimal polynomial."""
        rational = self.rational
        if rational is not None:
            return str(rational)
        polynomial = self.minimal_polynomial()
        if len(polynomial) == 3:
            return f"{_with_root(self, polynomial)} = {self.decimals()}"
        return f"{self.decimals()}, a root of {show(polynomial)}"


def _with_root(number: Algebraic, polynomial: Polynomial) -> str:
    """Return the text of a root of a quadratic polynomial."""
    c, b, a = polynomial
    square = b * b - 4 * a * c
    factor = max(each for each in range(1, min(isqrt(square), 10_000) + 1) if square % (each * each) == 0)
    sign = "+" if (number * (2 * a) + b).sign() > 0 else "-"
    common = gcd(b, factor, 2 * a)
    p, q, r, d = -b // common, factor // common, 2 * a // common, square // (factor * factor)
    root = f"sqrt({d})" if q == 1 else f"{q}*sqrt({d})"
    if sign == "-":
        top = f"{p}-{root}" if p else f"-{root}"
    else:
        top = root if not p else f"{p}+{root}" if p > 0 else f"{root}{p}"
    return top if r == 1 else f"({top})/{r}" if p else f"{top}/{r}"


def _reduced(owner: NumberField, coefficients: Sequence[int], denominator: int) -> Algebraic:
    """Return a number given by a polynomial in beta of any degree."""
    rest = list(coefficients)
    degree = owner.degree
    while len(rest) > degree:
        top = rest.pop()
        if top:
            for place, entry in enumerate(owner.polynomial[:-1]):
                rest[len(rest) - degree + place] -= top * entry
    return _lowest(owner, [*rest, *(0 for _ in range(degree - len(rest)))], denominator)


def _lowest(owner: NumberField, coefficients: Sequence[int], denominator: int) -> Algebraic:
    common = gcd(denominator, *coefficients)
    if common > 1:
        return Algebraic(owner, tuple(a // common for a in coefficients), denominator // common)
    return Algebraic(owner, tuple(coefficients), denominator)


def without_factors_x(polynomial: Polynomial) -> tuple[Polynomial, int]:
    """Return a monic polynomial without its factors x, and how many they were; raises NumerationError for x^n."""
    transient = next((place for place, entry in enumerate(polynomial) if entry), len(polynomial))
    if transient >= len(polynomial) - 1:
        raise NumerationError(f"{show(polynomial)} has no root but 0")
    return polynomial[transient:], transient
