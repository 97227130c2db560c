"""Games whose moves are neither vectors nor polyhedra, solved position by position on a board."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from fibprover.errors import BudgetSpent, FibproverError
from fibprover.games.grids import Rule, board_of
from fibprover.games.rules import Game, Position
from fibprover.limits import Budget

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
    steps = Rule(game.formula, ("p", "q", "r", "s"), budget)
    terminal = board_of(game.terminal, ("a", "b"), size, budget)
    found = np.zeros((size, size), bool)
    options = np.zeros((size, size), np.int32)
    for r, s in _by_sums(size, budget, box=box):
        if terminal[r, s] or options[r, s] <= game.blocked:
            found[r, s] = True
            options += steps.board(("p", "q"), size, r=r, s=s)
    return found


def step_values(game: Game, size: int, budget: Budget, *, box: bool) -> NDArray[np.int32]:
    """The Sprague-Grundy values by the automaton of the steps.  O(size^2) a position."""
    steps = Rule(game.formula, ("p", "q", "r", "s"), budget)
    terminal = board_of(game.terminal, ("a", "b"), size, budget)
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


def by_options(game: Game, bound: int, value_of: Callable[[list[T]], T], last: T, budget: Budget) -> dict[Position, T]:
    """By position a value made of those of its options; `last` for terminal ones.  At least all below the bound.

    Options may be anywhere with a smaller sum; each position is asked for its options once.
    """
    terminal = board_of(game.terminal, ("a", "b"), 2 * bound, budget)
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
            options = asked.pop(position, None) or checked_options(game.moves, *position)
            unknown = [option for option in options if option not in known]
            if unknown:
                asked[position] = options
                waiting += [position, *unknown]
            else:
                known[position] = value_of([known[option] for option in options])
    return known


def checked_options(moves: object, p: int, q: int) -> set[Position]:
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
