"""Remainders of a linear recurrence: what has been read so far, with an unknown number of digits to come.

A remainder is an integer vector r that stands for sum r_j U_{t+j}, t being the number of digits
still to come.  Reading one more digit turns t into t - 1 and the vector into `step(r, digit)`.
Whether such a value, plus a constant, is positive for every t is decided exactly: term by term
for small t, and by the dominant root, with certified errors, from some t on.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import inf, nextafter
from typing import NamedTuple

from fibprover.errors import LimitError, NumerationError
from fibprover.numeration.pisot import Growth, check_pisot, divides, growth, show

Vector = tuple[int, ...]

#: Digits above this number are refused: an alphabet of that size has no use here.
MOST_DIGITS = 1 << 16


#: Terms up to this size are handed to the compiled atoms.
LARGEST_TERM = 1 << 61


class Constants(NamedTuple):
    """What the compiled atoms know of a recurrence, as read-only arrays of `q` and `d`.

    feedback: (q_d, ..., q_1); terms: U_0, U_1, ... as far as LARGEST_TERM; powers: beta^j to the
    nearest double; spread: Growth.spread, rounded up.
    """

    feedback: memoryview[int]
    terms: memoryview[int]
    powers: memoryview[float]
    spread: memoryview[float]


@dataclass(frozen=True, slots=True)
class Recurrence:
    """U_{t+d} = q_1 U_{t+d-1} + ... + q_d U_t with U_0 = 1, U increasing, of Pisot type.

    coefficients: (q_1, ..., q_d), the nearest term first; initial: (U_0, ..., U_{d-1}).
    transient: how many times x divides the characteristic polynomial; constants: the same facts
    for the compiled atoms.
    """

    coefficients: Vector
    initial: Vector
    growth: Growth
    transient: int
    constants: Constants = field(compare=False, repr=False)

    @property
    def order(self) -> int:
        """The order d."""
        return len(self.coefficients)

    @property
    def polynomial(self) -> Vector:
        """The characteristic polynomial, constant term first, monic."""
        return (*(-q for q in reversed(self.coefficients)), 1)

    def terms(self, count: int) -> list[int]:
        """U_0, ..., U_{count-1}."""
        values: list[int] = []
        for term, _ in zip(self.walk(), range(count), strict=False):
            values.append(term[0])
        return values

    def walk(self) -> Iterator[Vector]:
        """The windows (U_t, ..., U_{t+d-1}) for t = 0, 1, ..., without end."""
        window = self.initial
        while True:
            yield window
            following = sum(q * u for q, u in zip(self.coefficients, reversed(window), strict=True))
            window = (*window[1:], following)

    def zero(self) -> Vector:
        """The remainder before anything is read."""
        return (0,) * self.order

    def step(self, remainder: Vector, weight: int) -> Vector:
        """The remainder after one more letter of this weight (sum of coefficient times digit)."""
        top = remainder[-1]
        shifted = (weight, *remainder[:-1])
        return tuple(r + q * top for r, q in zip(shifted, reversed(self.coefficients), strict=True))

    def final(self, remainder: Vector) -> int:
        """The value of a remainder with no digit to come."""
        return sum(r * u for r, u in zip(remainder, self.initial, strict=True))

    def vanishes(self, vector: Sequence[int]) -> bool:
        """Whether sum v_j U_{t+j} is 0 for every t past the transient terms."""
        return divides(self.polynomial[self.transient :], vector)

    def always_positive(self, vector: Sequence[int], constant: int) -> bool:
        """Whether sum v_j U_{t+j} + constant > 0 for every t >= 0.

        True is a proof, and so is False except where the precision of `growth` is exhausted
        (vectors with entries of some fifty digits), when False means "not known".
        """
        low, high = self.growth.rho(vector)
        error = self.growth.error(vector) + (abs(constant) << self.growth.bits)
        vanishing = low <= 0 <= high and self.vanishes(vector)
        for t, window in enumerate(self.walk()):
            if sum(v * u for v, u in zip(vector, window, strict=True)) + constant <= 0:
                return False
            if vanishing:
                if t >= self.transient:
                    return True
            elif low <= 0:
                return False
            elif low * window[0] > error:
                # U increases, so the dominant part outweighs the error from here on.
                return True
        raise AssertionError("a walk has no end")


def recurrence(coefficients: Sequence[int], initial: Sequence[int]) -> Recurrence:
    """A checked recurrence; NumerationError, with the reason, if no numeration system comes of it.

    Needs U_0 = 1, U increasing, and a characteristic polynomial that is the minimal polynomial
    of a Pisot number, possibly times a power of x.
    """
    q, u = tuple(coefficients), tuple(initial)
    if not q or len(q) != len(u):
        raise NumerationError(f"{len(q)} coefficients need as many initial terms, not {len(u)}")
    if u[0] != 1:
        raise NumerationError(f"the first term must be 1, not {u[0]}: otherwise not every number has a representation")
    if any(a >= b for a, b in pairwise(u)):
        raise NumerationError(f"the terms must increase, and {', '.join(map(str, u))} do not")
    transient = next((index for index, value in enumerate(reversed(q)) if value), len(q))
    if transient == len(q):
        raise NumerationError("all coefficients are 0, so the terms do not increase")
    polynomial = (*(-value for value in reversed(q)), 1)
    check_pisot(polynomial[transient:])
    found = growth(polynomial, u)
    result = Recurrence(q, u, found, transient, _constants(q, u, found))
    _check_increasing(result)
    return result


def _constants(coefficients: Vector, initial: Vector, found: Growth) -> Constants:
    """The arrays for the compiled atoms; LimitError for terms or coefficients that do not fit them."""
    if max(map(abs, coefficients)) >= MOST_DIGITS or initial[-1] > LARGEST_TERM:
        raise LimitError("the coefficients or initial terms of this recurrence are too large")
    order = len(coefficients)
    terms = list(initial)
    while True:
        following = sum(q * u for q, u in zip(coefficients, reversed(terms[-order:]), strict=True))
        # Terms that do not increase are refused later; here they only must not go on for ever.
        if following > LARGEST_TERM or following <= terms[-1]:
            break
        terms.append(following)
    one = 1 << found.bits
    powers = array("d", [low / one for low, _ in found.powers])
    spread = array("d", [nextafter(value / one, inf) for value in found.spread])
    return Constants(
        memoryview(array("q", reversed(coefficients))).toreadonly(),
        memoryview(array("q", terms)).toreadonly(),
        memoryview(powers.tobytes()).cast("d"),
        memoryview(spread.tobytes()).cast("d"),
    )


def _check_increasing(system: Recurrence) -> None:
    """Refuses terms that do not increase for ever.

    Once (beta - 1) U_t exceeds the error bound for U_{t+1} - beta U_t, the next term is larger,
    and then the same holds for it; until then the terms are compared one by one.
    """
    order, bits = system.order, system.growth.bits
    previous = 0
    for window in system.walk():
        if window[0] <= previous:
            polynomial = show(system.polynomial)
            raise NumerationError(
                f"the terms of {polynomial} from {', '.join(map(str, system.initial))} do not increase:"
                f" {previous} is followed by {window[0]}"
            )
        previous = window[0]
        if order == 1:
            return  # the only coefficient is above 1, or the Pisot test had refused it
        if (system.growth.powers[1][0] - (1 << bits)) * window[0] > system.growth.spread[1]:
            return
