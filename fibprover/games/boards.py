"""Games whose moves are neither vectors nor polyhedra, solved position by position on a board."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from fibprover.errors import BudgetSpent, FibproverError, LimitError
from fibprover.games import shapes
from fibprover.games.formulas import SYSTEM
from fibprover.games.rules import Game, Position
from fibprover.games.shapes import Intervals
from fibprover.limits import UNBOUNDED, Budget, Limits
from fibprover.session import Session

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fibprover.automata.dfa import Dfa


T = TypeVar("T")


def _by_sums(size: int, budget: Budget, *, box: bool) -> Iterator[Position]:
    """The positions with p, q < size, or else p+q < size, by their sums; BudgetSpent when the time is over."""
    for total in range(2 * size - 1 if box else size):
        if budget.seconds_left() <= 0:
            raise BudgetSpent("seconds", 0, during=f"the positions below {size}")
        for p in range(max(0, total - size + 1) if box else 0, min(total, size - 1) + 1):
            yield p, total - p


def step_positions(game: Game, size: int, budget: Budget, *, box: bool) -> NDArray[np.bool_]:
    """Where the P-positions are, by the automaton of the steps: each marks those from which a step leads to it.

    box: of those with p, q < size, else with p+q < size.  O(size^2) a position.
    """
    steps = RuleAutomaton(game.formula, ("p", "q", "r", "s"), budget)
    terminal = formula_board(game.terminal, ("a", "b"), size, budget)
    found = np.zeros((size, size), bool)
    options = np.zeros((size, size), np.int32)
    for r, s in _by_sums(size, budget, box=box):
        if terminal[r, s] or options[r, s] <= game.blocked:
            found[r, s] = True
            options += steps.board(("p", "q"), size, r=r, s=s)
    return found


def step_values(game: Game, size: int, budget: Budget, *, box: bool) -> NDArray[np.int32]:
    """The Sprague-Grundy values by the automaton of the steps.  O(size^2) a position."""
    steps = RuleAutomaton(game.formula, ("p", "q", "r", "s"), budget)
    terminal = formula_board(game.terminal, ("a", "b"), size, budget)
    values = np.full((size, size), -1, np.int32)
    for p, q in _by_sums(size, budget, box=box):
        options = steps.board(("r", "s"), size, p=p, q=q)
        values[p, q] = 0 if terminal[p, q] else least_missing(values[options])
    return values


def least_missing(values: NDArray[np.int32]) -> int:
    """The least natural number that is no value."""
    there = np.zeros(len(values) + 1, bool)
    there[values[values <= len(values)]] = True
    return int(np.argmin(there))


def values_by_options(
    game: Game, bound: int, value_of: Callable[[list[T]], T], last: T, budget: Budget
) -> dict[Position, T]:
    """By position a value made of those of its options; `last` for terminal ones.  At least all below the bound.

    Options may be anywhere with a smaller sum; each position is asked for its options once.
    """
    terminal = formula_board(game.terminal, ("a", "b"), 2 * bound, budget)
    known: dict[Position, T] = {}
    asked: dict[Position, set[Position]] = {}
    for start in _by_sums(bound, budget, box=True):
        waiting = [start]
        while waiting:
            position = waiting.pop()
            if position in known:
                continue
            if terminal[position]:
                known[position] = last
                continue
            options = asked.pop(position, None) or options_of(game.moves, *position)
            unknown = [option for option in options if option not in known]
            if unknown:
                asked[position] = options
                waiting += [position, *unknown]
            else:
                known[position] = value_of([known[option] for option in options])
    return known


def options_of(moves: object, p: int, q: int) -> set[Position]:
    """The options a Python function gives (p,q); FibproverError unless they are positions with fewer counters."""
    if not callable(moves):
        raise AssertionError("a game by its options has a function")
    given = moves(p, q)
    try:
        options = list(given)
    except TypeError:
        raise FibproverError(f"the options of ({p},{q}) are to be a list of positions, and not {given!r}") from None
    found: set[Position] = set()
    for option in options:
        try:
            r, s = map(int, option)
        except (TypeError, ValueError):
            raise FibproverError(f"an option of ({p},{q}) is to be a position (r,s), and not {option!r}") from None
        if r < 0 or s < 0 or r + s >= p + q:
            raise FibproverError(
                f"a move leads from ({p},{q}) to ({r},{s}), which is no position with fewer counters",
                hint="the options of a position are pairs of natural numbers with a smaller sum",
            )
        found.add((r, s))
    return found



# ---- grids
# Truth values of rules on a board: of any formula, by its automaton, or of a Python function.
#
# An automaton is run on all pairs of numbers at once, digit by digit: the board of the first k+1 digits
# has four cells for each one of the board of the first k.

class RuleAutomaton:
    """A formula as an automaton over binary numbers; names: all its variables may be among them."""

    def __init__(self, formula: str, names: tuple[str, ...], budget: Budget) -> None:
        kept = " & ".join(f"{name}={name}" for name in names)
        relation = Session(SYSTEM, limits=_limits(budget)).relation(f"({formula}) & {kept}")
        automaton = relation.automaton
        self.names = names
        self.table = _table(automaton)
        self.accepting = np.append(np.asarray(automaton.outputs) != 0, False)
        # The digit of a variable weighs as much in a letter as the tracks after its own have letters.
        self.weights = {name: 1 << (len(names) - 1 - place) for place, name in enumerate(automaton.names)}

    def board(self, free: tuple[str, str], size: int, **fixed: int) -> NDArray[np.bool_]:
        """Where the rule holds, by two of its variables below `size`, the others being fixed numbers."""
        digits = max(size - 1, 1, *fixed.values()).bit_length()
        rows, columns = (self.weights[name] for name in free)
        states = np.zeros((1, 1), np.int32)
        for place in reversed(range(digits)):
            there = ((size - 1) >> place) + 1
            given = sum(self.weights[name] * (number >> place & 1) for name, number in fixed.items())
            wider = np.empty((2 * len(states), 2 * len(states)), np.int32)
            for x in (0, 1):
                for y in (0, 1):
                    wider[x::2, y::2] = self.table[given + x * rows + y * columns][states]
            states = np.ascontiguousarray(wider[:there, :there])
        return self.accepting[states]


def _table(automaton: Dfa) -> NDArray[np.int32]:
    """By letter, then state: the next state, the last number standing for none."""
    states = automaton.states
    table = np.full((automaton.letters, states + 1), states, np.int32)
    sources = np.repeat(np.arange(states), np.diff(np.asarray(automaton.offsets)))
    table[np.asarray(automaton.codes), sources] = np.asarray(automaton.targets)
    return table


def _limits(budget: Budget) -> Limits:
    """What is left of a budget, for the prover."""

    def bound(amount: int) -> int | None:
        return None if amount >= UNBOUNDED else amount

    seconds = budget.seconds_left()
    if seconds <= 0:
        raise BudgetSpent("seconds", 0, during="the automaton of a rule")
    return Limits(
        bound(budget.states), bound(budget.transitions), bound(budget.bytes),
        None if seconds == float("inf") else seconds,
    )


def formula_board(formula: str, names: tuple[str, str], size: int, budget: Budget) -> NDArray[np.bool_]:
    """Where a formula in two variables holds, by both below `size`; nowhere if it is empty."""
    if not formula:
        return np.zeros((size, size), bool)
    return RuleAutomaton(formula, names, budget).board(names, size)


def function_board(function: Callable[[int, int], object], size: int, budget: Budget) -> NDArray[np.bool_]:
    """Where a Python function is true of two numbers below `size`."""
    board = np.empty((size, size), bool)
    for i in range(size):
        if budget.seconds_left() <= 0:
            raise BudgetSpent("seconds", 0, during="the table of moves")
        for j in range(size):
            board[i, j] = bool(function(i, j))
    return board


def board_rows(board: NDArray[Any]) -> Intervals:
    """The true cells of a board, row by row."""
    return _runs(board)


def board_antidiagonals(board: NDArray[np.bool_], sums: int) -> Intervals:
    """The true cells (x,k-x) of a square board, by k < sums."""
    size = len(board)
    slanted = np.zeros((2 * size - 1, size), bool)
    for x in range(size):
        slanted[x : x + size, x] = board[x]
    return _runs(slanted[:sums])


def _runs(board: NDArray[Any]) -> Intervals:
    """The runs of true cells in each row."""
    padded = np.zeros((len(board), board.shape[1] + 2), np.int8)
    padded[:, 1:-1] = board
    change = np.diff(padded, axis=1)
    rows, starts = np.nonzero(change == 1)
    ends = np.nonzero(change == -1)[1] - 1
    offsets = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(board)))])
    return Intervals(offsets.astype(np.int64), starts.astype(np.int64), ends.astype(np.int64))



# ---- terminals
# The terminal positions of a game, as the compiled solvers read them.

#: A formula that is no union of polyhedra is looked at cell by cell, on a board of at most this size.
MOST_BOARD = 1 << 14


def terminal_rows(game: Game, bound: int, budget: Budget) -> Intervals:
    """The terminal positions (k,x) with both coordinates below the bound, by k."""
    regions = game.terminal_regions
    if regions is not None:
        return shapes.row_intervals(regions, bound)
    return board_rows(formula_board(game.terminal, ("a", "b"), check_board_bound(bound), budget))


def terminal_antidiagonals(game: Game, bound: int, budget: Budget, *, box: bool) -> Intervals:
    """The terminal positions (x,k-x) by k: those with both coordinates, or else with k, below the bound."""
    regions = game.terminal_regions
    if regions is not None:
        return shapes.antidiagonal_intervals(regions, bound, box=box)
    board = formula_board(game.terminal, ("a", "b"), check_board_bound(bound), budget)
    return board_antidiagonals(board, 2 * bound - 1 if box else bound)


def check_board_bound(bound: int) -> int:
    """The bound; LimitError if a board of this size is too large."""
    if bound > MOST_BOARD:
        raise LimitError(
            f"a bound of {bound} is too large for rules that are looked at cell by cell",
            hint=f"the largest one is {MOST_BOARD}; rules without quantifiers and divisions go further",
        )
    return bound
