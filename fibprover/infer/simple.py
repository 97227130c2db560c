"""The simplest number in an interval: rational or quadratic, by the size of its equation's coefficients.

Numbers are (p + sqrt(d)) / q in integers; every decision is made in exact arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import gcd, isqrt

from fibprover.infer.strip import Slopes
from fibprover.numeration.quadratic import Quadratic
from fibprover.values import value

#: Quadratic equations are tried to this height at most.
MOST_HEIGHT = 60

#: How many numbers at least as simple might lie in an interval by chance, on average, for one to be accepted.
CHANCE = Fraction(1, 4)

@value
class Candidate:
    """A number with its equation a x^2 + b x + c = 0, coprime; a is positive, or 0 where the number is rational."""

    number: Quadratic
    equation: tuple[int, int, int]

    @property
    def height(self) -> int:
        """The largest coefficient."""
        return max(map(abs, self.equation))


def simplest(between: Slopes, chance: Fraction = CHANCE) -> Candidate | None:
    """The simplest number of an interval, if so simple a number would hardly be there by chance; or None.

    About h^2 w rational numbers, h^2 w quadratic integers and 2 h^3 w quadratic numbers of height up to h lie
    in an interval of length w around 1 or 2: that has to be at most `chance` for what is found.
    """
    width = between.high - between.low
    if width <= 0:
        return None
    rare, common = chance / width, chance / (2 * width)
    first = rational(between)
    found = [first] if first.height**2 <= rare else []
    limit = found[0].height if found else MOST_HEIGHT
    found += integers(between, min(limit, isqrt(int(rare))))
    most = next((h for h in range(limit) if (h + 1) ** 3 > common), limit)
    found += quadratics(between, range(2, most + 1), most)
    return min(found, key=lambda each: (each.height, each.equation[0], sum(map(abs, each.equation))), default=None)


def integers(between: Slopes, most: int) -> list[Candidate]:
    """The quadratic integers of an interval whose equations have coefficients up to `most`."""
    return quadratics(between, range(1, 2), most)


def rational(between: Slopes) -> Candidate:
    """The rational number with the least denominator in an interval, and of these the least in size."""
    low, high = between
    if low <= 0 <= high:
        return Candidate(Quadratic(0, 1, 0), (0, 1, 0))
    if high < 0:
        p, q, _ = rational(Slopes(-high, -low)).number
        return Candidate(Quadratic(-p, q, 0), (0, q, p))
    # Along the continued fraction of both ends, as far as it is the same.
    terms = []
    while True:
        whole = low.numerator // low.denominator
        if whole == low or whole + 1 <= high:
            terms.append(whole if whole == low else whole + 1)
            break
        terms.append(whole)
        low, high = 1 / (high - whole), 1 / (low - whole)
    number = Fraction(terms.pop())
    while terms:
        number = terms.pop() + 1 / number
    p, q = number.numerator, number.denominator
    return Candidate(Quadratic(p, q, 0), (0, q, -p))


def quadratics(between: Slopes, leading: Iterable[int], most: int) -> list[Candidate]:
    """The roots in an interval of irreducible equations with these leading coefficients and others up to `most`.

    O(most) for each leading coefficient, as a third one hardly ever fits two others.
    """
    found: list[Candidate] = []
    for a in leading:
        for b in range(-most, most + 1):
            for c in _constants(a, b, between, most):
                if gcd(a, b, c) == 1:
                    found += (Candidate(root, (a, b, c)) for root in roots(a, b, c) if _inside(root, between))
    return found


def _constants(a: int, b: int, between: Slopes, most: int) -> range:
    """The c for which a x^2 + b x + c has a root in the interval, from -most to most."""
    ends = [a * x * x + b * x for x in between]
    if between.low < Fraction(-b, 2 * a) < between.high:
        ends.append(Fraction(-b * b, 4 * a))
    least, largest = -max(ends), -min(ends)
    return range(max(-(-least.numerator // least.denominator), -most), min(largest // 1, most) + 1)


def roots(a: int, b: int, c: int) -> list[Quadratic]:
    """The real roots of a x^2 + b x + c, unless they are rational."""
    d = b * b - 4 * a * c
    if d < 0 or isqrt(d) ** 2 == d:
        return []
    # (-b + sqrt d) / 2a and (-b - sqrt d) / 2a, without a common factor.
    return [_reduced(-b, 2 * a, d), _reduced(b, -2 * a, d)]


def _reduced(p: int, q: int, d: int) -> Quadratic:
    """(p + sqrt(d)) / q in lowest terms: p, q over the largest f with f^2 in d."""
    common = gcd(p, q)
    while d % (common * common):
        common = max(f for f in range(1, common) if common % f == 0)
    return Quadratic(p // common, q // common, d // (common * common))


def _inside(number: Quadratic, between: Slopes) -> bool:
    return compare(number, between.low) >= 0 and compare(number, between.high) <= 0


def compare(number: Quadratic, other: Fraction) -> int:
    """-1, 0 or 1 as a number is smaller than, equal to or larger than a rational one."""
    # (p + sqrt(d)) / q - other has the sign of q, or its opposite, times that of sqrt(d) - rest.
    rest = other * number.q - number.p
    square = rest * abs(rest)
    sign = (number.d > square) - (number.d < square)
    return sign if number.q > 0 else -sign


def floor_multiple(number: Quadratic, factor: int) -> int:
    """floor(factor times number), exactly."""
    p, q, d = number
    if q < 0:
        # The root's sign is turned with the rest: (p + sqrt d) / q = (-p - sqrt d) / -q.
        p, q, turned = -p, -q, True
    else:
        turned = False
    square = factor * factor * d
    root = isqrt(square)
    if (factor < 0) != turned:
        # The floor of the root's negative.
        root = -root - (root * root != square)
    return (factor * p + root) // q


def written(number: Quadratic) -> str:
    """A number as `fibprover.numeration.quadratic` reads it."""
    p, q, d = number
    root = isqrt(d)
    if root * root == d:
        exact = Fraction(p + root, q)
        return str(exact)
    if q < 0:
        top = f"{-p}-sqrt({d})" if p else f"-sqrt({d})"
        q = -q
    else:
        top = f"{p}+sqrt({d})" if p else f"sqrt({d})"
    return top if q == 1 else f"({top})/{q}"
