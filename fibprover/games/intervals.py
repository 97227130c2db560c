"""Terminal positions, row by row or antidiagonal by antidiagonal, as intervals of columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fibprover.games.polyhedra import Polyhedron, halves

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Intervals(NamedTuple):
    """Of row k the columns from starts[i] to ends[i], offsets[k] <= i < offsets[k+1]; int64, disjoint, in order."""

    offsets: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    def points(self) -> int:
        """How many points there are in all rows."""
        return int((self.ends - self.starts + 1).sum())


def by_rows(regions: Sequence[Polyhedron], bound: int) -> Intervals:
    """The points (k,x) of disjoint polyhedra with both coordinates below the bound, by k."""
    rows = np.arange(bound, dtype=np.int64)
    return _sections(regions, rows, np.zeros_like(rows), np.full_like(rows, bound - 1), 0)


def by_antidiagonals(regions: Sequence[Polyhedron], bound: int, *, box: bool = True) -> Intervals:
    """The points (x,k-x) of disjoint polyhedra by k: those with both coordinates, or else with k, below the bound."""
    sums = np.arange(2 * bound - 1 if box else bound, dtype=np.int64)
    least = np.maximum(0, sums - (bound - 1)) if box else np.zeros_like(sums)
    most = np.minimum(sums, bound - 1) if box else sums.copy()
    return _sections(regions, sums, least, most, 1)


def _sections(
    regions: Sequence[Polyhedron], k: NDArray[np.int64], least: NDArray[np.int64], most: NDArray[np.int64],
    diagonal: int,
) -> Intervals:
    """By k, the x between least and most with (k,x), or (x,k-x) on antidiagonals, in one of the polyhedra."""
    starts = np.empty((len(k), len(regions)), np.int64)
    ends = np.empty_like(starts)
    for column, region in enumerate(regions):
        low, high = least.copy(), most.copy()
        for a, b, constant in halves(region):
            slope, there = (a - b, b) if diagonal else (b, a)
            rest = there * k + constant
            if slope > 0:
                np.maximum(low, -(rest // slope), out=low)
            elif slope < 0:
                np.minimum(high, rest // -slope, out=high)
            else:
                high[rest < 0] = -1
        starts[:, column], ends[:, column] = low, high
    # Disjoint intervals, put in order; the empty ones are left out.
    order = np.argsort(starts, axis=1, kind="stable")
    starts = np.take_along_axis(starts, order, axis=1)
    ends = np.take_along_axis(ends, order, axis=1)
    kept = starts <= ends
    offsets = np.concatenate([[0], np.cumsum(kept.sum(axis=1))]).astype(np.int64)
    return Intervals(offsets, starts[kept], ends[kept])
