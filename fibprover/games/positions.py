"""The P-positions of a game to a bound, by the solver that suits its moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fibprover.errors import FibproverError, LimitError
from fibprover.games import kernels
from fibprover.games.intervals import by_rows
from fibprover.games.lines import lines_of
from fibprover.games.rules import Game
from fibprover.limits import UNLIMITED, Budget

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Bounds above this would take arrays that no machine of today holds.
MOST_BOUND = 1 << 28


@dataclass(frozen=True, eq=False, repr=False)
class Positions:
    """All P-positions (a[k],b[k]) of a game with both coordinates below `bound`, ordered by a, then b.

    a, b: read-only int64 arrays; terminal: how many of the positions satisfy the formula of terminal ones.
    """

    game: Game
    bound: int
    a: NDArray[np.int64]
    b: NDArray[np.int64]
    terminal: int

    def __len__(self) -> int:
        return len(self.a)

    def __contains__(self, position: object) -> bool:
        """Whether (a,b) is one of them; FibproverError for a position beyond the bound."""
        if not isinstance(position, tuple) or len(position) != 2 or not all(isinstance(x, int) for x in position):
            return False
        a, b = position
        if max(a, b) >= self.bound:
            raise FibproverError(f"the positions are known below {self.bound}, and ({a},{b}) is beyond")
        first, last = np.searchsorted(self.a, [a, a + 1])
        place = first + np.searchsorted(self.b[first:last], b)
        return bool(place < last and self.b[place] == b)

    def __repr__(self) -> str:
        return f"Positions({self.game}, {len(self)} below {self.bound}, {self.terminal} of them terminal)"


def positions(game: Game, bound: int, budget: Budget = UNLIMITED) -> Positions:
    """All P-positions (a,b) of a game with a < bound and b < bound.

    Moves that are full lines (rows, columns, diagonals and bands of them) take a second for bounds of 10^5.
    Raises LimitError for a bound that is no natural number or too large, BudgetSpent.
    """
    checked_bound(bound, MOST_BOUND)
    regions = game.vector_regions
    lines = None if regions is None else lines_of(regions)
    if lines is None or game.terminal_regions is None:
        raise FibproverError(f"no solver for {game}: its moves are no full lines")
    if bound == 0:
        empty = np.zeros(0, np.int64)
        return Positions(game, bound, empty, empty, 0)
    solution = kernels.line_positions(lines, bound, game.blocked, by_rows(game.terminal_regions, bound), budget)
    return Positions(game, bound, *solution)


def marks_lines(game: Game) -> bool:
    """Whether the moves are full lines, so that positions cost as much as they are many, and not as much as cells."""
    return game.vector_regions is not None and lines_of(game.vector_regions) is not None


def checked_bound(bound: object, most: int) -> None:
    """LimitError unless a bound is a number from 0 to `most`."""
    if not isinstance(bound, int) or isinstance(bound, bool):
        raise LimitError(f"a bound is a natural number, and not {bound!r}")
    if bound < 0:
        raise LimitError(f"a bound is not negative, as {bound} is")
    if bound > most:
        raise LimitError(f"a bound of {bound} is too large here", hint=f"the largest one is {most}")
