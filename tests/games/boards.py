"""Positions found by the solvers, as boards that can be compared with the plain twin's."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fibprover.base.limits import UNLIMITED
from fibprover.games import boards, kernel_calls
from fibprover.games.positions import Positions, positions
from fibprover.games.rules import Game
from fibprover.games.shapes import step_rows_by_sum

Board = NDArray[np.bool_]


def board(a: NDArray[np.int64], b: NDArray[np.int64], size: int) -> Board:
    found = np.zeros((size, size), bool)
    found[a, b] = True
    return found


def solved(game: Game, size: int) -> Board:
    """The positions of the solver that is chosen, which have to be ordered and complete."""
    found = positions(game, size)
    check_shape(found)
    return board(found.a, found.b, size)


def check_shape(found: Positions) -> None:
    keys = found.a * found.bound + found.b
    assert np.all(np.diff(keys) > 0)
    assert len(found) == len(found.a) == len(found.b)
    for coordinates in (found.a, found.b):
        assert coordinates.dtype == np.int64 and not coordinates.flags.writeable
        assert np.all((coordinates >= 0) & (coordinates < found.bound))


def by_regions(game: Game, size: int, *, box: bool) -> Board:
    """The positions of the solver for polyhedra; not in the box: those with a smaller sum than `size`."""
    assert game.step_regions is not None
    a, b, _ = kernel_calls.region_positions(
        *step_rows_by_sum(game.step_regions, size, box=box), size, game.blocked,
        boards.terminal_antidiagonals(game, size, UNLIMITED, box=box), box=box,
        left_out=game.misere,
    )
    return board(a, b, size)


def by_table(game: Game, table: Board) -> Board:
    """The positions of the solver for tables."""
    size = len(table)
    marked = table.astype(np.uint8)
    marked[0, 0] = 0
    terminal = boards.terminal_rows(game, size, UNLIMITED)
    a, b, _ = kernel_calls.table_positions(marked, game.blocked, terminal, left_out=game.misere)
    return board(a, b, size)
