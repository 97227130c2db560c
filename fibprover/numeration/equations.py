"""Linear equations over a field, such as the rationals, by the elimination of Gauss and Jordan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from fibprover.base.limits import poll


class FieldNumber(Protocol):
    """A number of a field, which is false if it is 0."""

    def __bool__(self) -> bool:
        """Return whether it is not 0."""

    def __neg__(self) -> Any:
        """Return its negative."""

    def __sub__(self, other: Any) -> Any:
        """Return the difference."""

    def __mul__(self, other: Any) -> Any:
        """Return the product."""

    def __rtruediv__(self, other: int) -> Any:
        """Return a quotient, such as the inverse 1 / self."""


#: Fewer unknowns take no time.
_SMALL = 16

N = TypeVar("N", bound=FieldNumber)


def solved(rows: Sequence[Sequence[N]]) -> list[N] | None:
    """Return the x with sum_j rows[i][j] x_j = rows[i][-1] for each i, by elimination; None if there is not one."""
    table = [list(row) for row in rows]
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
