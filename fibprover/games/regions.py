"""Moves that are polyhedra, as the compiled solvers read them: arrays of rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fibprover.errors import LimitError
from fibprover.games.polyhedra import Polyhedron, Row, combinations, halves, is_empty

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Larger numbers in rules are refused, so that sums of products stay in 64 bits.
MOST_COEFFICIENT = 1 << 28


class Rows(NamedTuple):
    """Bounds of several regions: region k has rows offsets[k] .. offsets[k+1] - 1; int64."""

    offsets: NDArray[np.int64]
    rows: NDArray[np.int64]


def stays_in_box(regions: Sequence[Polyhedron]) -> bool:
    """Whether no step from (p,q) to (r,s) makes the larger pile larger."""
    first_grows = ((-1, 0, 1, 0, -1), (0, -1, 1, 0, -1))
    second_grows = ((-1, 0, 0, 1, -1), (0, -1, 0, 1, -1))
    return all(is_empty(region, *rows) for region in regions for rows in (first_grows, second_grows))


def by_sums(regions: Sequence[Polyhedron], bound: int, *, box: bool) -> tuple[Rows, Rows]:
    """Steps by bounds on p, t = p+q, r, s, and what follows for t, r, s.

    box: for positions with p, q < bound; else for those with p+q < bound.
    """
    limits: list[Row] = [(1, 0, 0, 0, 0), (-1, 1, 0, 0, 0)]
    if box:
        limits += [(-1, 0, 0, 0, bound - 1), (1, -1, 0, 0, bound - 1)]
    moves: list[list[Row]] = []
    life: list[list[Row]] = []
    for region in regions:
        rows: list[Row] = [(p - q, q, r, s, constant) for p, q, r, s, constant in halves(region)]
        moves.append(rows)
        life.append([row[1:] for row in combinations([*rows, *limits], 0)])
    return arrays(moves, 5), arrays(life, 4)


def by_rows(regions: Sequence[Polyhedron]) -> tuple[Rows, Rows]:
    """Steps by bounds on s, p, q, r, and what follows for r, p, q."""
    moves: list[list[Row]] = []
    ranges: list[list[Row]] = []
    for region in regions:
        rows: list[Row] = [(s, p, q, r, constant) for p, q, r, s, constant in halves(region)]
        moves.append(rows)
        without = combinations([*rows, (1, 0, 0, 0, 0)], 0)
        ranges.append([(r, p, q, constant) for _, p, q, r, constant in without])
    return arrays(moves, 5), arrays(ranges, 4)


def arrays(regions: Sequence[Sequence[Row]], width: int) -> Rows:
    """The rows of all regions, one after the other; LimitError for numbers that are too large."""
    rows = [row for region in regions for row in region]
    for row in rows:
        if any(abs(c) > MOST_COEFFICIENT for c in row[:-1]) or abs(row[-1]) > MOST_COEFFICIENT << 20:
            raise LimitError(f"the rules have numbers too large to be solved, such as {max(map(abs, row))}")
    offsets = np.cumsum([0, *map(len, regions)], dtype=np.int64)
    return Rows(offsets, np.array(rows, np.int64).reshape(-1, width))
