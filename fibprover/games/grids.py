"""Truth values of rules on a board: of any formula, by its automaton, or of a Python function.

An automaton is run on all pairs of numbers at once, digit by digit: the board of the first k+1 digits
has four cells for each one of the board of the first k.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from fibprover.errors import BudgetSpent
from fibprover.games.formulas import SYSTEM
from fibprover.games.intervals import Intervals
from fibprover.limits import UNBOUNDED, Budget, Limits
from fibprover.session import Session

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fibprover.automata.dfa import Dfa


class Rule:
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


def board_of(formula: str, names: tuple[str, str], size: int, budget: Budget) -> NDArray[np.bool_]:
    """Where a formula in two variables holds, by both below `size`; nowhere if it is empty."""
    if not formula:
        return np.zeros((size, size), bool)
    return Rule(formula, names, budget).board(names, size)


def board_by(function: Callable[[int, int], object], size: int, budget: Budget) -> NDArray[np.bool_]:
    """Where a Python function is true of two numbers below `size`."""
    board = np.empty((size, size), bool)
    for i in range(size):
        if budget.seconds_left() <= 0:
            raise BudgetSpent("seconds", 0, during="the table of moves")
        for j in range(size):
            board[i, j] = bool(function(i, j))
    return board


def rows_of(board: NDArray[Any]) -> Intervals:
    """The true cells of a board, row by row."""
    return _runs(board)


def antidiagonals_of(board: NDArray[np.bool_], sums: int) -> Intervals:
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
