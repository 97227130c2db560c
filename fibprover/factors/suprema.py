"""The supremum of the quotients of lengths of two orbits, for all their members at once, and for single pairs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from fibprover.base.errors import Undecided
from fibprover.base.limits import poll
from fibprover.base.values import value
from fibprover.factors.perron import Perron, characteristic_polynomial
from fibprover.factors.sequences import MOST_TERMS, Difference, Orbit, times
from fibprover.numeration.number_field import Algebraic

#: So many quotients of each pair of orbits are computed.
SEEN = 24


@value
class Quotients:
    """The quotients top(k)/bottom(k) of the lengths of two orbits with one matrix and period."""

    top: Orbit
    bottom: Orbit

    def first(self, count: int) -> list[tuple[int, int]]:
        """Return the first pairs of lengths."""
        return list(zip(self.top.lengths(count), self.bottom.lengths(count), strict=True))

    def combination(self, a: int, b: int, c: int = 0) -> Difference:
        """Return a top(k) - b bottom(k) - c; both have the same weights."""
        top, bottom = self.top, self.bottom
        assert top.weights == bottom.weights
        start, constant = (
            tuple(a * x - b * y for x, y in zip(one, two, strict=True))
            for one, two in ((top.start, bottom.start), (top.constant, bottom.constant))
        )
        offset = a * top.offset - b * bottom.offset - c
        return Difference(Orbit(top.matrix, top.period, start, constant, top.weights, offset))


@value
class Greatest:
    """The supremum of quotients, and a pair that has it, None if it is not attained."""

    value: Algebraic
    pair: tuple[int, int] | None


def supremum(single: Sequence[tuple[int, int]], families: Sequence[Quotients], of: Perron) -> Greatest:
    """Return the supremum of the quotients of some pairs and of families of pairs.

    Raises Undecided where it is a limit, and it is not proved that no quotient of a family exceeds it.
    """
    pairs = [*single, *(pair for each in families for pair in each.first(SEEN))]
    best = max((Fraction(top, bottom), -bottom) for top, bottom in pairs)
    limits = [of.limit(each.top) / of.limit(each.bottom) for each in families]
    limit = max(limits, default=of.field.number(0))
    exceeded = of.field.number(best[0])
    greatest = exceeded if exceeded >= limit else limit
    for each, own in zip(families, limits, strict=True):
        poll("the supremum of quotients")
        if own < greatest:
            _stays_below(each, own, greatest)
        else:
            _approaches(each, greatest, of)
    pair = (int(best[0] * -best[1]), -best[1]) if exceeded >= limit else None
    return Greatest(greatest, pair)


def _stays_below(each: Quotients, own: Algebraic, bound: Algebraic) -> None:
    """Raise Undecided unless no quotient with a smaller limit exceeds a bound."""
    between = _between(own, bound)
    found = each.combination(between.denominator, between.numerator).sign_from()
    if found is None or found[0] > 0:
        raise Undecided("the quotients of a family were not proved to stay below its limit")
    if any(bound * bottom < top for top, bottom in each.first(found[1])):
        raise Undecided("a quotient exceeds the supremum")


def _between(low: Algebraic, high: Algebraic) -> Fraction:
    """Return a fraction greater than one number and at most another one."""
    if high.rational is not None:
        return high.rational
    bits = 8
    while True:
        found = Fraction(int(float(high) * (1 << bits)), 1 << bits)
        if low < found < high:
            return found
        bits += 4
        if bits > 48:
            raise Undecided("two limits of quotients are too near to each other")


def _approaches(each: Quotients, limit: Algebraic, of: Perron) -> None:
    """Raise Undecided unless no quotient exceeds the limit of the quotients.

    The lengths u(k) = limit * bottom(k) - top(k) satisfy a linear recurrence without the dominant eigenvalue.  Where
    their steps are multiples of each other by one factor, u is at least the least of two terms and of its limit.  Else,
    if the coefficients of step(k+n) as a combination of the d steps from step(k) on have an absolute sum of 1/2 or
    less, for n >= d, all steps from k on have an absolute sum of at most 2n times the greatest of the first n + d.
    """
    order = len(each.top.matrix) + 2
    terms = [limit * bottom - top for top, bottom in each.first(3 * order)]
    steps = [b - a for a, b in pairwise(terms)]
    if any(term.sign() < 0 for term in terms):
        raise Undecided("a quotient exceeds its limit")
    if not any(steps[-order:]):
        return
    if all(steps[-order - 1 :]):
        factor = steps[-1] / steps[-2]
        if all(b == a * factor for a, b in zip(steps[-order - 1 :], steps[-order:], strict=False)):
            below_limit = -1 < factor < 1 and (terms[-1] + steps[-1] * factor / (1 - factor)).sign() >= 0
            if below_limit or (factor.sign() >= 0 and steps[-1].sign() > 0):
                return
            raise Undecided("the quotients of a family exceed their limit, or may do so")
    _tail_is_small(each, limit, of)


def _tail_is_small(each: Quotients, limit: Algebraic, of: Perron) -> None:
    """Raise Undecided unless some u(k) is greater than all later steps together, and none before is negative."""
    coefficients = _without_dominant(each.top, of)
    degree = len(coefficients) - 1
    power = [of.field.number(0)] * degree
    power[0] = of.field.number(1)
    for length in range(1, MOST_TERMS):
        poll("the supremum of quotients")
        top = power[-1]
        power = [a - top * b for a, b in zip([of.field.number(0), *power[:-1]], coefficients[:-1], strict=True)]
        total = sum((abs(float(a)) for a in power), 0.0)
        if length >= degree and total < 0.499:
            break
    else:
        raise Undecided("the quotients of a family approach their limit too slowly")
    terms = [limit * bottom - top for top, bottom in each.first(MOST_TERMS + length + degree + 1)]
    sizes = [abs(float(b - a)) for a, b in pairwise(terms)]
    for place in range(MOST_TERMS):
        if terms[place].sign() < 0:
            raise Undecided("a quotient exceeds its limit")
        if float(terms[place]) > 2.01 * length * max(sizes[place : place + length + degree]):
            return
    raise Undecided("the quotients of a family come too near to their limit")


def _without_dominant(orbit: Orbit, of: Perron) -> list[Algebraic]:
    """Return the characteristic polynomial of the steps of an orbit, without the dominant root; constant term first."""
    matrix = orbit.matrix
    for _ in range(orbit.period - 1):
        matrix = tuple(times(tuple(zip(*orbit.matrix, strict=True)), row) for row in matrix)
    root = of.field.beta.power(orbit.period)
    quotient: list[Algebraic] = []
    carry = of.field.number(0)
    for coefficient in reversed(characteristic_polynomial(matrix)):
        carry = carry * root + coefficient
        quotient.append(carry)
    return quotient[-2::-1]


def limit_superior(families: Sequence[Quotients], of: Perron) -> Algebraic | None:
    """Return the limit superior of the quotients of families; None without a family."""
    limits = [of.limit(each.top) / of.limit(each.bottom) for each in families]
    return max(limits) if limits else None


