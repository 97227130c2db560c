"""Linear equations over a field, such as the rationals, by the elimination of Gauss and Jordan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

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
