"""The P-positions of a game to a bound, by the solver that suits its moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fibprover.errors import FibproverError, LimitError
from fibprover.games import boards, kernels
from fibprover.games.boards import (
    board_rows,
    formula_board,
    function_board,
    least_missing,
    step_positions,
    step_values,
    values_by_options,
)
from fibprover.games.rules import OPTIONS_FUNCTION, STEPS, VECTORS, Game
from fibprover.games.shapes import lines_of, stays_in_box, step_rows, step_rows_by_sum
from fibprover.limits import UNLIMITED, Budget
from fibprover.numeration.system import NumerationSystem
from fibprover.session import Session
from fibprover.values import value

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
    check_bound(bound, MOST_BOUND)
    if bound == 0:
        a = b = np.zeros(0, np.int64)
        return _made(game, bound, a, b, 0)
    if game.form == OPTIONS_FUNCTION:
        return _by_options(game, bound, budget)
    lines = None if game.vector_regions is None else lines_of(game.vector_regions)
    if lines is not None and game.blocked <= kernels.MOST_BLOCKED_ON_LINES:
        terminal = boards.terminal_rows(game, bound, budget)
        return _made(game, bound, *kernels.line_positions(lines, bound, game.blocked, terminal, budget))
    if game.form == STEPS or game.step_regions is not None:
        return _by_steps(game, bound, budget)
    check_bound(bound, kernels.MOST_BOUND_OF_TABLES)
    if game.blocked > kernels.MOST_BLOCKED_IN_TABLES:
        raise LimitError(f"{game.blocked} blocked options are too many for moves that are not linear")
    table = vector_table(game, bound, budget)
    terminal = boards.terminal_rows(game, bound, budget)
    return _made(game, bound, *kernels.table_positions(table, game.blocked, terminal, budget))


def marks_lines(game: Game) -> bool:
    """Whether the moves are full lines, so that positions cost as much as they are many, and not as much as cells."""
    return game.vector_regions is not None and lines_of(game.vector_regions) is not None


def check_bound(bound: object, most: int) -> None:
    """LimitError unless a bound is a number from 0 to `most`."""
    if not isinstance(bound, int) or isinstance(bound, bool):
        raise LimitError(f"a bound is a natural number, and not {bound!r}")
    if bound < 0:
        raise LimitError(f"a bound is not negative, as {bound} is")
    if bound > most:
        raise LimitError(f"a bound of {bound} is too large here", hint=f"the largest one is {most}")


def steps_stay_in_box(game: Game) -> bool:
    """Whether no move makes the larger pile larger, so that the positions below a bound decide each other."""
    regions = game.step_regions
    return regions is not None and stays_in_box(regions)


def vector_table(game: Game, bound: int, budget: Budget) -> NDArray[np.uint8]:
    """By i and j below the bound, 1 where (i,j) is a move."""
    if game.form == VECTORS:
        board = formula_board(game.formula, ("i", "j"), boards.check_board_bound(bound), budget)
    else:
        if not callable(game.moves):
            raise AssertionError("a game by its vectors has a function")
        board = function_board(game.moves, bound, budget)
    table = board.astype(np.uint8)
    table[0, 0] = 0
    return table


def _by_steps(game: Game, bound: int, budget: Budget) -> Positions:
    """The P-positions of a game whose steps are polyhedra, or a formula: all of smaller sums if piles can grow."""
    regions = game.step_regions
    check_bound(bound, MOST_BOUND_ONE_BY_ONE if regions is None else kernels.MOST_BOUND_OF_REGIONS)
    box = steps_stay_in_box(game)
    size = bound if box else 2 * bound - 1
    if regions is None:
        a, b = np.nonzero(step_positions(game, size, budget, box=box))
    else:
        terminal = boards.terminal_antidiagonals(game, size, budget, box=box)
        a, b, _ = kernels.region_positions(
            *step_rows_by_sum(regions, size, box=box), size, game.blocked, terminal, box=box, budget=budget
        )
    inside = (a < bound) & (b < bound)
    a, b = a[inside], b[inside]
    order = np.lexsort((b, a))
    return _made(game, bound, a[order], b[order], boards.terminal_rows(game, bound, budget).points())


def _by_options(game: Game, bound: int, budget: Budget) -> Positions:
    """The P-positions of a game by the options that a Python function gives."""
    check_bound(bound, MOST_BOUND_ONE_BY_ONE)

    def is_p(options: list[bool]) -> bool:
        return sum(options) <= game.blocked

    known = values_by_options(game, bound, is_p, True, budget)
    board = np.array([[known[p, q] for q in range(bound)] for p in range(bound)])
    a, b = np.nonzero(board)
    return _made(game, bound, a, b, boards.terminal_rows(game, bound, budget).points())


def _made(game: Game, bound: int, a: NDArray[np.int64], b: NDArray[np.int64], terminal: int) -> Positions:
    for coordinates in (a, b):
        coordinates.flags.writeable = False
    return Positions(game, bound, a, b, terminal)



# ---- grundy
# Sprague-Grundy values of a game to a bound.

def grundy(game: Game, bound: int, budget: Budget = UNLIMITED) -> NDArray[np.int32]:
    """The Sprague-Grundy values of the positions (p,q) with p, q < bound: an int32 array, bound x bound.

    The value of a position is the least natural number that no option has; terminal positions have 0.  For
    n options a position O(bound^2 n): a second for bounds of some hundreds.
    Raises FibproverError for a game with blocking, LimitError for a bound that is none, BudgetSpent.
    """
    if game.blocked:
        raise FibproverError(
            f"{game} has no Sprague-Grundy values: in a sum of games with blocking, it matters what is blocked",
            hint="its P-positions are what there is",
        )
    check_bound(bound, kernels.MOST_BOUND_OF_VALUES)
    if bound == 0:
        return np.zeros((0, 0), np.int32)
    if game.form == OPTIONS_FUNCTION:
        known = values_by_options(game, bound, _value, 0, budget)
        return np.array([[known[p, q] for q in range(bound)] for p in range(bound)], np.int32)
    if game.form == STEPS or game.step_regions is not None:
        box = steps_stay_in_box(game)
        size = bound if box else 2 * bound - 1
        check_bound(size, kernels.MOST_BOUND_OF_VALUES)
        if game.step_regions is None:
            values = step_values(game, size, budget, box=box)
        else:
            terminal = boards.terminal_antidiagonals(game, size, budget, box=box)
            values = kernels.region_grundy(*step_rows(game.step_regions), size, terminal, box=box, budget=budget)
        return np.ascontiguousarray(values[:bound, :bound])
    vectors = board_rows(vector_table(game, bound, budget))
    return kernels.table_grundy(vectors, bound, boards.terminal_rows(game, bound, budget), budget)


def _value(options: list[int]) -> int:
    return least_missing(np.array(options, np.int32))



# ---- tables
# P-positions in the order in which papers number them, for tables.
#
# In a game that is symmetric in its piles only positions with a <= b are numbered, as by Renard & Rigo
# (section 4); the order is by a, then by b; n = 0 is the first position that is not terminal.

#: Positions below this bound, or so many times as many as are wanted, are looked at first.
LEAST_BOUND, PER_POSITION = 256, 16

#: They are compared with those below a bound so many times as large, at most so often.
FARTHER, ROUNDS = 4, 3


@value
class NumberedPositions:
    """(n, a_n, b_n) in order; symmetric: whether only positions with a <= b are numbered."""

    rows: tuple[tuple[int, int, int], ...]
    symmetric: bool


def numbered_positions(game: Game, count: int, first: int = 0, budget: Budget = UNLIMITED) -> NumberedPositions:
    """The P-positions with numbers from `first` on, `count` of them; numbers below 0 are those of terminal ones.

    The piles that are looked at are the larger, until a bound four times as large changes nothing: for the piles of
    a game that grow much faster than that, a position is missing.  FibproverError if there is no end of changes.
    """
    bound = max(LEAST_BOUND, PER_POSITION * (count + abs(first)))
    known = _below(game, bound, count, first, budget)
    for _ in range(ROUNDS):
        bound *= FARTHER
        wider = _below(game, bound, count, first, budget)
        if wider == known and len(wider.rows) == count:
            return known
        known = wider
    raise FibproverError(
        f"{game} has no {count} P-positions from number {first} on that are settled by the piles below {bound}",
        hint="ask for fewer, or list all P-positions below a bound",
    )


def _below(game: Game, bound: int, count: int, first: int, budget: Budget) -> NumberedPositions:
    """What the positions below a bound say."""
    found = positions(game, bound, budget)
    pairs = list(zip(found.a.tolist(), found.b.tolist(), strict=True))
    swapped = {(b, a) for a, b in pairs}
    symmetric = all(pair in swapped for pair in pairs)
    if symmetric:
        pairs = [(a, b) for a, b in pairs if a <= b]
    ended = Session().relation(f"a>=0 & b>=0 & ({game.terminal_formula()})")
    terminal: list[tuple[int, int]] = []
    others: list[tuple[int, int]] = []
    for pair in pairs:
        if len(others) == first + count and first >= 0:
            break
        (terminal if pair in ended else others).append(pair)
    rows = [(n, a, b) for n, (a, b) in enumerate(terminal + others, start=-len(terminal)) if n >= first]
    return NumberedPositions(tuple(rows[:count]), symmetric)


def representation(system: NumerationSystem, number: int) -> str:
    """A number in a system as papers write it: the empty word for 0, digits of several figures in brackets."""
    return "".join(str(digit) if digit < 10 else f"[{digit}]" for digit in system.write(number)) or "\u03b5"
