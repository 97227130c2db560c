"""Exact facts about a Pisot number: the test, and certified bounds on how a recurrence grows.

Polynomials are integer tuples, constant term first, monic.  Everything is decided in integers:
a root count by Graeffe's root squaring and Rouche's theorem, the dominant root by bisection,
and real numbers as intervals of integers over a common power of two.  Floating point is not
used, since a wrong sign here would be a wrong verdict later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd

from fibprover.base.errors import NumerationError

#: Fixed-point bits tried first, and the bits at which a polynomial is refused as undecidable here.
FIRST_BITS, MOST_BITS = 192, 1 << 15

#: How often roots are squared, and the total size in bits of such a polynomial, before counting is abandoned.
MOST_SQUARINGS, MOST_GRAEFFE_BITS = 40, 1 << 21

Polynomial = tuple[int, ...]
Interval = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Growth:
    """How U_t grows, as fixed-point intervals of `bits` fractional bits.

    powers: beta^j for 0 <= j < order, beta the dominant root of the characteristic polynomial.
    spread: an upper bound on sup over t >= 0 of |U_{t+j} - beta^j U_t|, same j, same scale.
    So sum v_j U_{t+j} is rho U_t up to sum |v_j| spread_j, where rho = sum v_j beta^j.
    """

    bits: int
    powers: tuple[Interval, ...]
    spread: tuple[int, ...]

    def rho(self, vector: Sequence[int]) -> Interval:
        """Return an interval that contains sum v_j beta^j."""
        low = sum(v * (p[0] if v >= 0 else p[1]) for v, p in zip(vector, self.powers, strict=True))
        high = sum(v * (p[1] if v >= 0 else p[0]) for v, p in zip(vector, self.powers, strict=True))
        return low, high

    def error(self, vector: Sequence[int]) -> int:
        """Return an upper bound on |sum v_j U_{t+j} - rho U_t|, valid for every t."""
        return sum(abs(v) * s for v, s in zip(vector, self.spread, strict=True))


def check_pisot(polynomial: Polynomial) -> None:
    """Raise NumerationError, with the reason, unless this is the minimal polynomial of a Pisot number.

    The constant term must not be 0.  If all roots but one lie in the open unit disk, the
    polynomial is irreducible: a factor without the outer root would have a constant term
    of absolute value below 1, that is 0.
    """
    degree = len(polynomial) - 1
    shown = show(polynomial)
    common = greatest_common_divisor(polynomial, polynomial[::-1])
    if len(common) > 1 and (degree > 2 or len(common) == 2):
        # Roots z and 1/z together, or a root on the circle.  In degree 2 beta, 1/beta is a Pisot pair.
        reason = "roots in pairs z, 1/z" if len(common) == len(polynomial) > 2 else "the factor " + show(common)
        raise NumerationError(f"{shown} has {reason}, so it is not the minimal polynomial of a Pisot number")
    if sum(polynomial) >= 0:
        raise NumerationError(
            f"{shown} has no single root above 1 with all others inside the unit disk, as a Pisot number needs",
            hint="the value at 1 must be negative",
        )
    inside = roots_inside(polynomial)
    if inside != degree - 1:
        raise NumerationError(
            f"{shown} has {inside} of its {degree} roots inside the unit disk; "
            f"the minimal polynomial of a Pisot number has all but one there"
        )


def growth(polynomial: Polynomial, initial: Sequence[int]) -> Growth:
    """Return the certified growth of the recurrence with this characteristic polynomial and initial terms.

    polynomial: a Pisot minimal polynomial times a power of x.  The precision is doubled
    until the bounds are sharp; raises NumerationError if that does not happen.
    """
    bits = FIRST_BITS
    while bits <= MOST_BITS:
        found = _growth(polynomial, initial, bits)
        if found is not None:
            return found
        bits *= 2
    raise NumerationError(f"the conjugates of {show(polynomial)} are too near the unit circle to be bounded")


def _growth(polynomial: Polynomial, initial: Sequence[int], bits: int) -> Growth | None:
    order = len(polynomial) - 1
    beta = dominant_root(polynomial, bits)
    powers: list[Interval] = [(1 << bits, 1 << bits)]
    for _ in range(1, order):
        powers.append(_times(powers[-1], beta, bits))
    if order == 1:
        return Growth(bits, tuple(powers), (0,))
    # E_t = U_{t+j} - beta^j U_t follows the recurrence of s(x) = p(x) / (x - beta), whose roots are
    # the conjugates.  Once x^n mod s has coefficients of absolute sum at most 1, every later E_t is
    # bounded by the ones before: the supremum is the maximum over t < n.
    divisor: list[Interval] = [(1 << bits, 1 << bits)]
    for coefficient in reversed(polynomial[1:-1]):
        low, high = _times(divisor[0], beta, bits)
        divisor.insert(0, (low + (coefficient << bits), high + (coefficient << bits)))
    size = order - 1
    power: list[Interval] = [(-high, -low) for low, high in divisor[:size]]
    count = size
    while sum(max(abs(low), abs(high)) for low, high in power) > 1 << bits:
        # Rounding errors make the sum grow without bound; more precision is needed.
        if any(high - low > 1 << (bits // 2) for low, high in power) or count > bits * 8:
            return None
        top = power[-1]
        power = [(0, 0), *power[:-1]]
        for index in range(size):
            low, high = _times(top, divisor[index], bits)
            power[index] = (power[index][0] - high, power[index][1] - low)
        count += 1
    terms = list(initial)
    while len(terms) < count + order:
        terms.append(-sum(a * u for a, u in zip(polynomial[:-1], terms[-order:], strict=True)))
    spread = [0]
    for j in range(1, order):
        worst = 0
        for t in range(count):
            shift, term = terms[t + j] << bits, terms[t]
            low, high = sorted((shift - powers[j][0] * term, shift - powers[j][1] * term))
            if high - low > 1 << (bits // 2):
                return None
            worst = max(worst, abs(low), abs(high))
        spread.append(worst)
    return Growth(bits, tuple(powers), tuple(spread))


def dominant_root(polynomial: Polynomial, bits: int, above: int | None = None) -> Interval:
    """Return an interval of width at most 2^-bits around the only root above a number, scaled by 2^bits.

    above: the number, scaled by 2^bits, too; 1 if it is None.
    """
    degree = len(polynomial) - 1
    # Scaling the coefficients once makes each step a Horner scheme in integers.
    scaled = [coefficient << (bits * (degree - index)) for index, coefficient in enumerate(polynomial)]
    low = 1 << bits if above is None else above
    high = (1 + max(abs(coefficient) for coefficient in polynomial[:-1])) << bits
    while high - low > 1:
        middle = (low + high) // 2
        value = 0
        for coefficient in reversed(scaled):
            value = value * middle + coefficient
        if value == 0:
            return middle, middle
        low, high = (middle, high) if value < 0 else (low, middle)
    return low, high


def roots_inside(polynomial: Polynomial) -> int:
    """Return the number of roots in the open unit disk, of a polynomial without roots on the unit circle.

    Squares the roots (Graeffe) until one coefficient outweighs all others together; by Rouche
    its index is the number of roots inside.  Raises NumerationError if the roots are too near the circle.
    """
    current = list(polynomial)
    for _ in range(MOST_SQUARINGS):
        if sum(coefficient.bit_length() for coefficient in current) > MOST_GRAEFFE_BITS:
            break
        total = sum(abs(coefficient) for coefficient in current)
        for index, coefficient in enumerate(current):
            if 2 * abs(coefficient) > total:
                return index
        current = _roots_squared(current)
    raise NumerationError(f"the roots of {show(polynomial)} are too near the unit circle to be counted")


def _roots_squared(polynomial: Sequence[int]) -> list[int]:
    """Return the polynomial whose roots are the squares: p(x) p(-x) = +- q(x^2)."""
    degree = len(polynomial) - 1
    product = [0] * (degree + 1)
    for i, a in enumerate(polynomial):
        for j, b in enumerate(polynomial):
            if (i + j) % 2 == 0:
                product[(i + j) // 2] += -a * b if j % 2 else a * b
    return product


def greatest_common_divisor(left: Sequence[int], right: Sequence[int]) -> Polynomial:
    """Return a primitive greatest common divisor of two integer polynomials, leading coefficient positive."""
    a, b = _primitive(left), _primitive(right)
    while b:
        while len(a) >= len(b):
            shift, factor = len(a) - len(b), a[-1]
            a = [coefficient * b[-1] for coefficient in a]
            for index, coefficient in enumerate(b):
                a[shift + index] -= factor * coefficient
            a = _primitive(a)
            if not a:
                break
        a, b = b, a
    return tuple(a)


def divides(divisor: Polynomial, vector: Sequence[int]) -> bool:
    """Return whether a monic polynomial divides the polynomial with these coefficients."""
    rest = list(vector)
    while len(rest) >= len(divisor):
        top = rest.pop()
        for index in range(1, len(divisor)):
            rest[-index] -= top * divisor[-1 - index]
    return not any(rest)


def show(polynomial: Sequence[int]) -> str:
    """Return the polynomial as text, such as x^2 - x - 1."""
    parts: list[str] = []
    for index in reversed(range(len(polynomial))):
        coefficient = polynomial[index]
        if coefficient == 0:
            continue
        sign = ("-" if coefficient < 0 else "") if not parts else (" - " if coefficient < 0 else " + ")
        power = "" if index == 0 else "x" if index == 1 else f"x^{index}"
        size = "" if abs(coefficient) == 1 and index else str(abs(coefficient))
        parts.append(sign + size + power)
    return "".join(parts) or "0"


def _primitive(polynomial: Sequence[int]) -> list[int]:
    values = list(polynomial)
    while values and values[-1] == 0:
        values.pop()
    if not values:
        return values
    content = gcd(*values) * (1 if values[-1] > 0 else -1)
    return [value // content for value in values]


def _times(left: Interval, right: Interval, bits: int) -> Interval:
    """Return the product of two fixed-point intervals, rounded outwards."""
    products = [x * y for x in left for y in right]
    return min(products) >> bits, -((-max(products)) >> bits)
