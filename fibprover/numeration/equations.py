"""Linear equations over a field, such as the rationals, and the shortest linear recurrence of some terms.

Equations are solved by the elimination of Gauss and Jordan; recurrences are found as by Massey, "Shift-register
synthesis and BCH decoding", 1969.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import zip_longest
from typing import Any, TypeVar

from fibprover.base.errors import NumerationError
from fibprover.base.limits import poll

#: Fewer unknowns take no time.
_SMALL = 16

#: Numbers of a field, which are false if they are 0.
N = TypeVar("N")


def solved(rows: Sequence[Sequence[N]]) -> list[N] | None:
    """Return the x with sum_j rows[i][j] x_j = rows[i][-1] for each i, by elimination; None if there is not one."""
    table: list[list[Any]] = [list(row) for row in rows]
    unknowns = len(table[0]) - 1
    for place in range(unknowns):
        pivot = next((i for i in range(place, len(table)) if table[i][place]), None)
        if pivot is None:
            return None
        table[place], table[pivot] = table[pivot], table[place]
        if unknowns > _SMALL:
            poll("linear equations")
        scale = 1 / table[place][place]
        table[place] = [entry * scale if entry else entry for entry in table[place]]
        for i, row in enumerate(table):
            if i != place and row[place]:
                factor = row[place]
                table[i] = [
                    entry - factor * unit if unit else entry for entry, unit in zip(row, table[place], strict=True)
                ]
    if any(row[-1] for row in table[unknowns:]):
        return None
    return [row[-1] for row in table[:unknowns]]


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
