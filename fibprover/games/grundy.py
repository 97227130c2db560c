"""Sprague-Grundy values of a game to a bound."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fibprover.errors import FibproverError
from fibprover.games import kernels, terminals
from fibprover.games.boards import by_options, least_missing, step_values
from fibprover.games.grids import rows_of
from fibprover.games.positions import checked_bound, stays, vector_table
from fibprover.games.regions import by_rows
from fibprover.games.rules import OPTIONS_FUNCTION, STEPS, Game
from fibprover.limits import UNLIMITED, Budget

if TYPE_CHECKING:
    from numpy.typing import NDArray


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
    checked_bound(bound, kernels.MOST_BOUND_OF_VALUES)
    if bound == 0:
        return np.zeros((0, 0), np.int32)
    if game.form == OPTIONS_FUNCTION:
        known = by_options(game, bound, _value, 0, budget)
        return np.array([[known[p, q] for q in range(bound)] for p in range(bound)], np.int32)
    if game.form == STEPS or game.step_regions is not None:
        box = stays(game)
        size = bound if box else 2 * bound - 1
        checked_bound(size, kernels.MOST_BOUND_OF_VALUES)
        if game.step_regions is None:
            values = step_values(game, size, budget, box=box)
        else:
            terminal = terminals.by_antidiagonals(game, size, budget, box=box)
            values = kernels.region_grundy(*by_rows(game.step_regions), size, terminal, box=box, budget=budget)
        return np.ascontiguousarray(values[:bound, :bound])
    vectors = rows_of(vector_table(game, bound, budget))
    return kernels.table_grundy(vectors, bound, terminals.by_rows(game, bound, budget), budget)


def _value(options: list[int]) -> int:
    return least_missing(np.array(options, np.int32))
