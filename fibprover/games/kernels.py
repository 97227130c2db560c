"""The door to the compiled solvers of games: arrays in, arrays out, errors of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fibprover.automata.kernels import metered
from fibprover.games.shapes import Intervals, Lines, Rows
from fibprover.limits import UNLIMITED, Budget
from fibprover_ext import line_positions as _line_positions
from fibprover_ext import region_grundy as _region_grundy
from fibprover_ext import region_positions as _region_positions
from fibprover_ext import table_grundy as _table_grundy
from fibprover_ext import table_positions as _table_positions
from fibprover_ext._positions import Intervals as _Intervals
from fibprover_ext._regions import Regions as _Regions

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
        first, second, count = _line_positions.positions(
            bound, blocked, lines.row, _columns(lines.directions, 2), _columns(lines.rays, 3),
            _Intervals(bound, *terminal), meter,
        )
        return np.asarray(first), np.asarray(second), count


def region_positions(
    moves: Rows, life: Rows, bound: int, blocked: int, terminal: Intervals, *, box: bool, budget: Budget = UNLIMITED
) -> Solution:
    """The P-positions below a bound where steps are a union of polyhedra, in no order; `terminal` by antidiagonals.

    box: those with p, q < bound, else p+q < bound.  O(M n bound) for M positions, n polyhedra.
    """
    with metered(budget, f"the P-positions below {bound}") as meter:
        first, second, count = _region_positions.positions(
            bound, blocked, box, _Regions(*moves, 5), _Regions(*life, 4), _Intervals(bound, *terminal), meter
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
        first, second, count = _table_positions.positions(table, blocked, _Intervals(bound, *terminal), meter)
        return np.asarray(first), np.asarray(second), count


def region_grundy(
    moves: Rows, ranges: Rows, bound: int, terminal: Intervals, *, box: bool, budget: Budget = UNLIMITED
) -> NDArray[np.int32]:
    """The Sprague-Grundy values, bound x bound, where steps are a union of polyhedra; `terminal` by antidiagonals.

    box: of the (p,q) with p, q < bound, else with p+q < bound.  O(bound^2) times the number of options.
    """
    with metered(budget, f"the Sprague-Grundy values below {bound}") as meter:
        found = _region_grundy.values(
            bound, box, _Regions(*moves, 5), _Regions(*ranges, 4), _Intervals(bound, *terminal), meter
        )
        return np.asarray(found).reshape(bound, bound)


def table_grundy(vectors: Intervals, bound: int, terminal: Intervals, budget: Budget = UNLIMITED) -> NDArray[np.int32]:
    """The Sprague-Grundy values, bound x bound, where the moves are vectors, by i; `terminal` by rows.

    O(bound^2) times the number of vectors.
    """
    with metered(budget, f"the Sprague-Grundy values below {bound}") as meter:
        found = _table_grundy.values(bound, _Intervals(bound, *vectors), _Intervals(bound, *terminal), meter)
        return np.asarray(found).reshape(bound, bound)


def _columns(rows: tuple[tuple[int, ...], ...], width: int) -> NDArray[np.int64]:
    """Tuples as the columns of an array of int64."""
    return np.ascontiguousarray(np.array(rows, np.int64).reshape(-1, width).T)
