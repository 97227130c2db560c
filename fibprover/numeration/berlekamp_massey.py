"""The shortest linear recurrence of some terms (Massey, "Shift-register synthesis and BCH decoding", 1969)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import zip_longest

from fibprover.base.errors import NumerationError

#: Longer recurrences are not looked for.
MOST_ORDER = 20


def shortest_recurrence(terms: Sequence[int]) -> list[int]:
    """Return q with u(t) = q_1 u(t-1) + q_2 u(t-2) + ...; raises NumerationError if it is long or not in integers."""
    current, before = [Fraction(1)], [Fraction(1)]
    length, gap, last = 0, 1, Fraction(1)
    for place, _ in enumerate(terms):
        error = sum((c * terms[place - i] for i, c in enumerate(current) if i <= place), Fraction(0))
        if not error:
            gap += 1
            continue
        factor = error / last
        shifted = [Fraction(0)] * gap + [factor * c for c in before]
        grown = [a - b for a, b in zip_longest(current, shifted, fillvalue=Fraction(0))]
        if 2 * length <= place:
            length, before, last, gap = place + 1 - length, current, error, 1
        else:
            gap += 1
        current = grown
        if length > MOST_ORDER:
            raise NumerationError("no short recurrence")
    coefficients = [-c for c in current[1:]] + [Fraction(0)] * (length + 1 - len(current))
    if any(c.denominator != 1 for c in coefficients):
        raise NumerationError("no recurrence in integers")
    return [int(c) for c in coefficients]
