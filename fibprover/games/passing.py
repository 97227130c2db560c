"""Games with a pass: once in a game, either player may pass instead of moving.

As in the analyses of Nim with a pass (Morrison, Friedman and Landsberg 2012; Low and Chan 2015; a question of Gale), a
player cannot pass where play has ended, and who passes leaves the other player the same position without a pass.  So a
position at which play has not ended is a P-position, with the pass still to be used, if no move leads to one and if it
is no P-position of the game without the pass.

This is the game without these positions.  In normal play those at which play has ended are P-positions all the same,
and what leads to them is no P-position: both are left out, too, and the former added in the end.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from fibprover.base.limits import Budget, check_budget
from fibprover.games import boards, shapes
from fibprover.games.polyhedra import Polyhedron, to_formula
from fibprover.games.rules import FORMULAS, Game, regions_of
from fibprover.games.shapes import Intervals
from fibprover.language.builder import exists, variables
from fibprover.language.tree import disjunction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Coordinates = NDArray[np.int64]
    Board = NDArray[np.bool_]


def without_pass(game: Game) -> Game:
    """Return the game without the pass."""
    return replace(game, name=game.name.removesuffix("; one pass"), passes=False)


@dataclass(frozen=True, eq=False)
class Excluded:
    """Excluded positions: those of regions, or of a board where there are no regions, and single ones (a,b)."""

    regions: tuple[Polyhedron, ...] | None
    board: Board | None
    a: Coordinates
    b: Coordinates

    def rows(self, bound: int) -> Intervals:
        """Return the positions with both coordinates below the bound, by rows."""
        if self.board is not None:
            return boards.board_rows(self.whole_board(bound))
        assert self.regions is not None
        return _joined(shapes.row_intervals(self.regions, bound), self.a, self.b)

    def antidiagonals(self, bound: int, *, box: bool) -> Intervals:
        """Return the positions (x,k-x) by k; `box` as in `shapes.antidiagonal_intervals`."""
        if self.board is not None:
            return boards.board_antidiagonals(self.whole_board(bound), 2 * bound - 1 if box else bound)
        assert self.regions is not None
        inside = (self.a < bound) & (self.b < bound) & (box | (self.a + self.b < bound))
        found = shapes.antidiagonal_intervals(self.regions, bound, box=box)
        return _joined(found, (self.a + self.b)[inside], self.a[inside])

    def whole_board(self, size: int) -> Board:
        """Return the positions below a size as a board; the regions have to be a board, too."""
        assert self.board is not None
        board = self.board[:size, :size].copy()
        inside = (self.a < size) & (self.b < size)
        board[self.a[inside], self.b[inside]] = True
        return board


def _joined(intervals: Intervals, rows: Coordinates, columns: Coordinates) -> Intervals:
    """Return intervals with single points besides, those that are in no interval."""
    count = len(intervals.offsets) - 1
    own = np.repeat(np.arange(count, dtype=np.int64), np.diff(intervals.offsets))
    if len(own):
        # Rows and columns are below 2^30, so that keys of both fit.
        place = np.searchsorted((own << 31) + intervals.starts, (rows << 31) + columns, side="right") - 1
        before = np.maximum(place, 0)
        new = (place < 0) | (own[before] != rows) | (intervals.ends[before] < columns)
        rows, columns = rows[new], columns[new]
    own = np.concatenate([own, rows])
    starts, ends = np.concatenate([intervals.starts, columns]), np.concatenate([intervals.ends, columns])
    order = np.lexsort((starts, own))
    offsets = np.searchsorted(own[order], np.arange(count + 1)).astype(np.int64)
    return Intervals(offsets, np.ascontiguousarray(starts[order]), np.ascontiguousarray(ends[order]))


def ended(game: Game, size: int, budget: Budget) -> tuple[Coordinates, Coordinates]:
    """Return the positions at which play has ended, below a size."""
    regions = game.ended_regions if game.form in FORMULAS else None
    if regions is None:
        rows = boards.board_rows(_ended_board(game, size, budget))
    else:
        rows = shapes.row_intervals(regions, size)
    lengths = rows.ends - rows.starts + 1
    a = np.repeat(np.repeat(np.arange(size, dtype=np.int64), np.diff(rows.offsets)), lengths)
    within = np.arange(len(a), dtype=np.int64) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return a, np.repeat(rows.starts, lengths) + within


def _ended_board(game: Game, size: int, budget: Budget) -> Board:
    # In misere play the positions whose outcome is given are these.
    return boards.ended_board(replace(game, passes=False, misere=True), boards.check_board_bound(size), budget)


def excluded(game: Game, size: int, lost: tuple[Coordinates, Coordinates], budget: Budget) -> Excluded:
    """Return the positions, to a size, that are left out where there is a pass.

    lost: the P-positions (a,b) of the game without the pass; moves given by a formula or by a function of vectors.
    """
    regions = _regions(game)
    if regions is not None:
        return Excluded(regions, None, *lost)
    board = _ended_board(game, size, budget)
    if not game.misere:
        board = board | _sources(game, board, budget)
    return Excluded(None, board, *lost)


def _regions(game: Game) -> tuple[Polyhedron, ...] | None:
    """Return where play has ended and, in normal play, what leads there, as polyhedra; None if these sets are not
    unions of polyhedra.
    """
    if game.form not in FORMULAS or game.ended_regions is None or game.step_regions is None:
        return None
    if game.misere:
        return game.ended_regions
    r, s = variables("r s")
    ends = [to_formula(region) for region in game.ended_regions]
    parts = [*ends, *(exists(r, s, kind & end.substitute(p=r, q=s)) for kind in game.kinds for end in ends)]
    return regions_of(disjunction(parts), ("p", "q"))


def _sources(game: Game, targets: Board, budget: Budget) -> Board:
    """Return from where on a board a move leads to a target: a formula of the moves, or a function of vectors."""
    size = len(targets)
    found = np.zeros((size, size), bool)
    if game.form in FORMULAS:
        steps = boards.RuleAutomaton(game.step, ("p", "q", "r", "s"), budget)
        for r, s in np.argwhere(targets).tolist():
            check_budget(budget, 0, "the positions from which a move ends the game")
            found |= steps.board(("p", "q"), size, r=r, s=s)
        return found
    moves = boards.function_board(game.moves, size, budget)
    moves[0, 0] = False
    for r, s in np.argwhere(targets).tolist():
        check_budget(budget, 0, "the positions from which a move ends the game")
        found[r:, s:] |= moves[: size - r, : size - s]
    return found
