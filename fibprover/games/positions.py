"""The P-positions of a game to a bound, by the solver that suits its moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fibprover.errors import FibproverError, LimitError
from fibprover.games import kernels, terminals
from fibprover.games.boards import by_options, step_positions
from fibprover.games.grids import board_by, board_of
from fibprover.games.lines import lines_of
from fibprover.games.regions import by_sums, stays_in_box
from fibprover.games.rules import OPTIONS_FUNCTION, STEPS, VECTORS, Game
from fibprover.limits import UNLIMITED, Budget

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Bounds above this would take arrays that no machine of today holds.
MOST_BOUND = 1 << 28

#: Positions that are decided one by one, by an automaton or a Python function.
MOST_BOUND_ONE_BY_ONE = 1 << 12


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
        """Whether (a,b) is one of them; FibproverError for a position that is not below the bound."""
        if not isinstance(position, tuple) or len(position) != 2:
            return False
        a, b = position
        if not isinstance(a, int | np.integer) or not isinstance(b, int | np.integer):
            return False
        if max(a, b) >= self.bound:
            raise FibproverError(f"the positions are known below {self.bound}, and ({a},{b}) is not")
        first, last = (int(np.searchsorted(self.a, x)) for x in (int(a), int(a) + 1))
        place = first + int(np.searchsorted(self.b[first:last], int(b)))
        return place < last and bool(self.b[place] == b)

    def __repr__(self) -> str:
        return f"Positions({self.game}, {len(self)} below {self.bound}, {self.terminal} of them terminal)"


def positions(game: Game, bound: int, budget: Budget = UNLIMITED) -> Positions:
    """All P-positions (a,b) of a game with a < bound and b < bound.

    Moves that are full lines (rows, columns, diagonals and bands of them) take a second for bounds of 10^5;
    other ones that are linear in i,j or p,q,r,s seconds for 10^4, and so do the vectors of any other formula;
    functions are called once for each vector or position, and steps that are not linear take seconds for 10^3.
    Raises LimitError for a bound that is no natural number or too large, BudgetSpent.
    """
    checked_bound(bound, MOST_BOUND)
    if bound == 0:
        a = b = np.zeros(0, np.int64)
        return _made(game, bound, a, b, 0)
    if game.form == OPTIONS_FUNCTION:
        return _by_options(game, bound, budget)
    lines = None if game.vector_regions is None else lines_of(game.vector_regions)
    if lines is not None and game.blocked <= kernels.MOST_BLOCKED_ON_LINES:
        terminal = terminals.by_rows(game, bound, budget)
        return _made(game, bound, *kernels.line_positions(lines, bound, game.blocked, terminal, budget))
    if game.form == STEPS or game.step_regions is not None:
        return _by_steps(game, bound, budget)
    checked_bound(bound, kernels.MOST_BOUND_OF_TABLES)
    if game.blocked > kernels.MOST_BLOCKED_IN_TABLES:
        raise LimitError(f"{game.blocked} blocked options are too many for moves that are not linear")
    table = vector_table(game, bound, budget)
    terminal = terminals.by_rows(game, bound, budget)
    return _made(game, bound, *kernels.table_positions(table, game.blocked, terminal, budget))


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


def stays(game: Game) -> bool:
    """Whether no move makes the larger pile larger, so that the positions below a bound decide each other."""
    regions = game.step_regions
    return regions is not None and stays_in_box(regions)


def vector_table(game: Game, bound: int, budget: Budget) -> NDArray[np.uint8]:
    """By i and j below the bound, 1 where (i,j) is a move."""
    if game.form == VECTORS:
        board = board_of(game.formula, ("i", "j"), terminals.checked_board(bound), budget)
    else:
        if not callable(game.moves):
            raise AssertionError("a game by its vectors has a function")
        board = board_by(game.moves, bound, budget)
    table = board.astype(np.uint8)
    table[0, 0] = 0
    return table


def _by_steps(game: Game, bound: int, budget: Budget) -> Positions:
    """The P-positions of a game whose steps are polyhedra, or a formula: all of smaller sums if piles can grow."""
    regions = game.step_regions
    checked_bound(bound, MOST_BOUND_ONE_BY_ONE if regions is None else kernels.MOST_BOUND_OF_REGIONS)
    box = stays(game)
    size = bound if box else 2 * bound - 1
    if regions is None:
        a, b = np.nonzero(step_positions(game, size, budget, box=box))
    else:
        terminal = terminals.by_antidiagonals(game, size, budget, box=box)
        a, b, _ = kernels.region_positions(
            *by_sums(regions, size, box=box), size, game.blocked, terminal, box=box, budget=budget
        )
    inside = (a < bound) & (b < bound)
    a, b = a[inside], b[inside]
    order = np.lexsort((b, a))
    return _made(game, bound, a[order], b[order], terminals.by_rows(game, bound, budget).points())


def _by_options(game: Game, bound: int, budget: Budget) -> Positions:
    """The P-positions of a game by the options that a Python function gives."""
    checked_bound(bound, MOST_BOUND_ONE_BY_ONE)

    def is_p(options: list[bool]) -> bool:
        return sum(options) <= game.blocked

    known = by_options(game, bound, is_p, True, budget)
    board = np.array([[known[p, q] for q in range(bound)] for p in range(bound)])
    a, b = np.nonzero(board)
    return _made(game, bound, a, b, terminals.by_rows(game, bound, budget).points())


def _made(game: Game, bound: int, a: NDArray[np.int64], b: NDArray[np.int64], terminal: int) -> Positions:
    for coordinates in (a, b):
        coordinates.flags.writeable = False
    return Positions(game, bound, a, b, terminal)
