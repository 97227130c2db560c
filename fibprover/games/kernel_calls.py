"""The solvers of games, called with arrays and a budget; nothing else in this package calls the kernels.games.

All raise AutomatonError for malformed arrays, LimitError for numbers out of range and BudgetSpent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from fibprover.automata import kernels
from fibprover.automata.kernel_calls import metered
from fibprover.base.errors import LimitError
from fibprover.base.limits import UNLIMITED, Budget
from fibprover.games.shapes import Intervals, Lines, Rows
from fibprover.infer.prefixes import Blocks, Sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: The solver for lines counts options in 16 bits.
MOST_BLOCKED_ON_LINES = 2000

#: The solver for tables counts options in 16 bits as well, and takes bound^2 bytes.
MOST_BLOCKED_IN_TABLES = 4000
MOST_BOUND_OF_TABLES = 1 << 15

#: Boards of Sprague-Grundy values take 4 bytes a cell, and cells are numbered in 31 bits.
MOST_BOUND_OF_VALUES = 1 << 14

#: Twice this bound, the largest sum of two coordinates, fits into 31 bits.
MOST_BOUND_OF_REGIONS = 1 << 27

#: A cube of this size takes a gigabyte, as bits.
MOST_BOUND_OF_CUBES = 1 << 11

#: The coordinates a and b of positions (int64), and how many of the positions are terminal.
Solution = tuple["NDArray[np.int64]", "NDArray[np.int64]", int]


def line_positions(
    lines: Lines, bound: int, blocked: int, terminal: Intervals, budget: Budget = UNLIMITED, *, left_out: bool = False
) -> Solution:
    """Return the P-positions below a bound, by a, then b, where the moves are lines and steps; `terminal` by rows.

    left_out: whether the positions of `terminal` are left out instead, as if no move led to them.

    In practice O(bound^2 / 2^21) for large bounds plus a little for each position; 4 (u+v) bound bytes for each
    direction (u,v).
    """
    with metered(budget, f"the P-positions below {bound}") as meter:
        first, second, count = kernels.games.line_positions(
            bound, blocked, lines.row, _columns(lines.directions, 2), _columns(lines.rays, 3),
            _columns(lines.steps, 2), kernels.games.Intervals(bound, *terminal), left_out, meter,
        )
        return np.asarray(first), np.asarray(second), count


def region_positions(
    moves: Rows, ranges: Rows, bound: int, blocked: int, terminal: Intervals, *, box: bool, budget: Budget = UNLIMITED,
    left_out: bool = False,
) -> Solution:
    """Return the P-positions below a bound, in no order, where the steps are polyhedra; `terminal` by antidiagonals.

    moves, ranges: as `shapes.step_rows_by_sum` returns them; box: solve for p, q < bound, otherwise for p+q < bound;
    left_out: as for `line_positions`.
    O(M n bound) for M positions and n polyhedra.
    """
    with metered(budget, f"the P-positions below {bound}") as meter:
        first, second, count = kernels.games.region_positions(
            bound, blocked, box, kernels.games.Regions(*moves, 5), kernels.games.Regions(*ranges, 4),
            kernels.games.Intervals(bound, *terminal), left_out, meter,
        )
        return np.asarray(first), np.asarray(second), count


def queen_residuals(
    steps: Sequence[tuple[int, int]], value: int, blocks: Blocks, budget: Budget = UNLIMITED
) -> Sums:
    """Return the residuals of the positions (a,b), a <= b, of a queen with single moves, to the bound of the blocks.

    value: of Sprague and Grundy, 0 for P-positions; steps: vectors of positive numbers, with (j,i) for each (i,j).  A
    queen moves along a row, a column or the diagonal.
    O(bound), and bound / 16 bytes besides the sums, for each value up to this one.
    """
    with metered(budget, f"the residuals of the positions below {blocks.bound}") as meter:
        depths, first, second, sums, count = kernels.games.queen_residuals(
            blocks.bound, value, _columns(tuple(steps), 2), blocks.starts, blocks.begins, meter
        )
        return Sums(np.asarray(depths), np.asarray(first), np.asarray(second), np.asarray(sums), count)


def table_positions(
    table: NDArray[np.uint8], blocked: int, terminal: Intervals, budget: Budget = UNLIMITED, *, left_out: bool = False
) -> Solution:
    """Return the P-positions on a board, ordered by a, then b, for the vectors marked in a table; `terminal` by rows.

    left_out: as for `line_positions`.
    O(M n bound / 64) for M positions and n rows of the table that are not empty; with blocking O(M n bound / 16).
    """
    bound = len(table)
    with metered(budget, f"the P-positions below {bound}") as meter:
        ends = kernels.games.Intervals(bound, *terminal)
        first, second, count = kernels.games.table_positions(table, blocked, ends, left_out, meter)
        return np.asarray(first), np.asarray(second), count


def cube_positions(
    moves: Sequence[Rows], bound: int, terminal: Intervals, budget: Budget = UNLIMITED, *, left_out: bool = False
) -> tuple[NDArray[np.int64], ...]:
    """Return the P-positions (a,b,c) below a bound, in order, where the steps are polyhedra that make no pile larger.

    moves: as `shapes.cube_rows` returns them; terminal: those with a and b in row a bound + b; left_out: as for
    `line_positions`.  O(bound^3 / 64), and O(n bound^3 / 64) at most for each position and n polyhedra.
    """
    with metered(budget, f"the P-positions below {bound}") as meter:
        third, second, first = (
            kernels.games.Regions(*rows, width) for rows, width in zip(moves, (7, 6, 5), strict=True)
        )
        ends = kernels.games.Intervals(bound, *terminal)
        *found, _ = kernels.games.cube_positions(bound, third, second, first, ends, left_out, meter)
        return tuple(map(np.asarray, found))


def region_grundy(
    moves: Rows, ranges: Rows, bound: int, terminal: Intervals, *, box: bool, budget: Budget = UNLIMITED
) -> NDArray[np.int32]:
    """Return the Sprague-Grundy values, bound x bound, where the steps are polyhedra; `terminal` by antidiagonals.

    moves, ranges: as `shapes.step_rows` returns them; box: solve for p, q < bound, otherwise for p+q < bound.
    O(bound^2) times the number of options.
    """
    with metered(budget, f"the Sprague-Grundy values below {bound}") as meter:
        found = kernels.games.region_grundy(
            bound, box, kernels.games.Regions(*moves, 5), kernels.games.Regions(*ranges, 4),
            kernels.games.Intervals(bound, *terminal), meter,
        )
        return np.asarray(found).reshape(bound, bound)


def table_grundy(vectors: Intervals, bound: int, terminal: Intervals, budget: Budget = UNLIMITED) -> NDArray[np.int32]:
    """Return the Sprague-Grundy values, bound x bound, where the moves are vectors (i,j), by i; `terminal` by rows.

    O(bound^2) times the number of vectors.
    """
    with metered(budget, f"the Sprague-Grundy values below {bound}") as meter:
        taken, ends = kernels.games.Intervals(bound, *vectors), kernels.games.Intervals(bound, *terminal)
        found = kernels.games.table_grundy(bound, taken, ends, meter)
        return np.asarray(found).reshape(bound, bound)


def _columns(rows: tuple[tuple[int, ...], ...], width: int) -> NDArray[np.int64]:
    """Return tuples as the columns of an array of int64; raises LimitError if a number does not fit."""
    try:
        return np.ascontiguousarray(np.array(rows, np.int64).reshape(-1, width).T)
    except OverflowError:
        raise LimitError("the vectors of the moves exceed 64 bits") from None
