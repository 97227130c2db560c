"""The door to the compiled solvers of games: arrays in, arrays out, errors of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fibprover.automata.calls import metered
from fibprover.games.intervals import Intervals
from fibprover.games.lines import Lines
from fibprover.limits import UNLIMITED, Budget
from fibprover_ext import line_positions as _line_positions
from fibprover_ext._positions import Intervals as _Intervals

if TYPE_CHECKING:
    from numpy.typing import NDArray

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


def _columns(rows: tuple[tuple[int, ...], ...], width: int) -> NDArray[np.int64]:
    """Tuples as the columns of an array of int64."""
    return np.ascontiguousarray(np.array(rows, np.int64).reshape(-1, width).T)
