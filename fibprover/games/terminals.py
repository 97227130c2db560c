"""The terminal positions of a game, as the compiled solvers read them."""

from __future__ import annotations

from fibprover.errors import LimitError
from fibprover.games import intervals
from fibprover.games.grids import antidiagonals_of, board_of, rows_of
from fibprover.games.intervals import Intervals
from fibprover.games.rules import Game
from fibprover.limits import Budget

#: A formula that is no union of polyhedra is looked at cell by cell, on a board of at most this size.
MOST_BOARD = 1 << 14


def by_rows(game: Game, bound: int, budget: Budget) -> Intervals:
    """The terminal positions (k,x) with both coordinates below the bound, by k."""
    regions = game.terminal_regions
    if regions is not None:
        return intervals.by_rows(regions, bound)
    return rows_of(board_of(game.terminal, ("a", "b"), checked_board(bound), budget))


def by_antidiagonals(game: Game, bound: int, budget: Budget, *, box: bool) -> Intervals:
    """The terminal positions (x,k-x) by k: those with both coordinates, or else with k, below the bound."""
    regions = game.terminal_regions
    if regions is not None:
        return intervals.by_antidiagonals(regions, bound, box=box)
    board = board_of(game.terminal, ("a", "b"), checked_board(bound), budget)
    return antidiagonals_of(board, 2 * bound - 1 if box else bound)


def checked_board(bound: int) -> int:
    """The bound; LimitError if a board of this size is too large."""
    if bound > MOST_BOARD:
        raise LimitError(
            f"a bound of {bound} is too large for rules that are looked at cell by cell",
            hint=f"the largest one is {MOST_BOARD}; rules without quantifiers and divisions go further",
        )
    return bound
