"""The door to the compiled solvers of games: arrays in, arrays out, errors of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fibprover.automata.kernels import metered
from fibprover.errors import LimitError
from fibprover.games.shapes import Intervals, Lines, Rows
from fibprover.limits import UNLIMITED, Budget
from fibprover_ext import games as compiled
from fibprover_ext.games import Intervals as IntervalArrays
from fibprover_ext.games import Regions

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: The solver for lines has counts of 16 bits.
MOST_BLOCKED_ON_LINES = 2000

#: The solver for tables has counts of 16 bits as well, and keeps bound^2 bytes.
MOST_BLOCKED_IN_TABLES = 4000
MOST_BOUND_OF_TABLES = 1 << 15

#: Boards of values have 4 bytes a cell, and their cells are numbered by 31 bits.
MOST_BOUND_OF_VALUES = 1 << 14

#: Twice it, the largest sum, is a number of 31 bits.
MOST_BOUND_OF_REGIONS = 1 << 27

#: The coordinates of positions, and how many of them are terminal.
Solution = tuple["NDArray[np.int64]", "NDArray[np.int64]", int]


def line_positions(
    lines: Lines, bound: int, blocked: int, terminal: Intervals, budget: Budget = UNLIMITED
) -> Solution:
    """The P-positions below a bound where moves are full lines, ordered; `terminal` by rows.

    O(bound^2 / 4096) and a little for each position, in practice; 4 (u+v) bound bytes for a direction (u,v).
    """
    with metered(budget, f"the P-positions below {bound}") as meter:
        first, second, count = compiled.line_positions(
            bound, blocked, lines.row, _columns(lines.directions, 2), _columns(lines.rays, 3),
            IntervalArrays(bound, *terminal), meter,
        )
        return np.asarray(first), np.asarray(second), count


def region_positions(
    moves: Rows, life: Rows, bound: int, blocked: int, terminal: Intervals, *, box: bool, budget: Budget = UNLIMITED
) -> Solution:
    """The P-positions below a bound where steps are a union of polyhedra, in no order; `terminal` by antidiagonals.

    box: those with p, q < bound, else p+q < bound.  O(M n bound) for M positions, n polyhedra.
    """
    with metered(budget, f"the P-positions below {bound}") as meter:
        first, second, count = compiled.region_positions(
            bound, blocked, box, Regions(*moves, 5), Regions(*life, 4), IntervalArrays(bound, *terminal), meter
        )
        return np.asarray(first), np.asarray(second), count


def table_positions(
    table: NDArray[np.uint8], blocked: int, terminal: Intervals, budget: Budget = UNLIMITED
) -> Solution:
    """The P-positions on a board, ordered, where the moves are the vectors of a table; `terminal` by rows.

    O(M n bound / 64) for M positions and n rows of the table that are not empty; / 16 with blocking.
    """
    bound = len(table)
    with metered(budget, f"the P-positions below {bound}") as meter:
        first, second, count = compiled.table_positions(table, blocked, IntervalArrays(bound, *terminal), meter)
        return np.asarray(first), np.asarray(second), count


def region_grundy(
    moves: Rows, ranges: Rows, bound: int, terminal: Intervals, *, box: bool, budget: Budget = UNLIMITED
) -> NDArray[np.int32]:
    """The Sprague-Grundy values, bound x bound, where steps are a union of polyhedra; `terminal` by antidiagonals.

    box: of the (p,q) with p, q < bound, else with p+q < bound.  O(bound^2) times the number of options.
    """
    with metered(budget, f"the Sprague-Grundy values below {bound}") as meter:
        found = compiled.region_grundy(
            bound, box, Regions(*moves, 5), Regions(*ranges, 4), IntervalArrays(bound, *terminal), meter
        )
        return np.asarray(found).reshape(bound, bound)


def table_grundy(vectors: Intervals, bound: int, terminal: Intervals, budget: Budget = UNLIMITED) -> NDArray[np.int32]:
    """The Sprague-Grundy values, bound x bound, where the moves are vectors, by i; `terminal` by rows.

    O(bound^2) times the number of vectors.
    """
    with metered(budget, f"the Sprague-Grundy values below {bound}") as meter:
        found = compiled.table_grundy(bound, IntervalArrays(bound, *vectors), IntervalArrays(bound, *terminal), meter)
        return np.asarray(found).reshape(bound, bound)


def _columns(rows: tuple[tuple[int, ...], ...], width: int) -> NDArray[np.int64]:
    """Tuples as the columns of an array of int64; LimitError if a number does not fit."""
    try:
        return np.ascontiguousarray(np.array(rows, np.int64).reshape(-1, width).T)
    except OverflowError:
        raise LimitError("the vectors of the moves exceed 64 bits") from None
