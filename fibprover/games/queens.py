"""Automata of the positions of queens with single moves, inferred from far more positions than memory holds.

A queen takes from one pile, or the same from both; the single moves are symmetric, such as those of a knight.  Its
positions of one Sprague-Grundy value are computed column by column and not kept, only sums over the residuals of
prefixes (`fibprover.infer.prefixes`): some 30 million columns a second, for bounds of several billions.
"""

from __future__ import annotations

from collections.abc import Iterator

from fibprover.base.limits import UNLIMITED, Budget
from fibprover.games import kernel_calls, positions
from fibprover.games.positions import check_bound, largest_bound
from fibprover.games.rules import Game
from fibprover.games.shapes import lines_of
from fibprover.infer.prefixes import LEAST_DIGITS, infer_from_sums, prefix_blocks, symmetric
from fibprover.infer.residuals import InferredSet, digit_weights
from fibprover.numeration.system import NumerationSystem

#: Positions below this bound are kept; so is the first bound of residuals larger.
KEPT_BOUND = 1 << 22

#: The largest bound of residuals.
MOST_BOUND = 1 << 36

#: A step has no larger numbers.
MOST_STEP = 1 << 10

#: Members have so many digits more from one bound to the next.
MORE_DIGITS = 3

#: The lines of a queen: rows, columns and the diagonal (`shapes.Lines`).
_DIRECTIONS, _RAYS = ((1, 0), (1, 1)), ((0, 1, 0), (1, 1, 1))


def queen_steps(game: Game) -> tuple[tuple[int, int], ...] | None:
    """Return the single moves of a queen; None for any other game, and for other rules than those of normal play."""
    if game.piles != 2 or game.terminal or game.blocked or game.misere or game.passes or game.vector_regions is None:
        return None
    lines = lines_of(game.vector_regions)
    if lines is None or not lines.row or (lines.directions, lines.rays) != (_DIRECTIONS, _RAYS):
        return None
    steps = set(lines.steps)
    if steps != {(j, i) for i, j in steps} or any(not 0 < number <= MOST_STEP for step in steps for number in step):
        return None
    return tuple(sorted(steps))


def most_bound(game: Game, value: int = 0) -> int:
    """Return the largest bound of the data of a game that can be computed."""
    return largest_bound(game, value) if queen_steps(game) is None else MOST_BOUND


def check_largest(game: Game, largest: object) -> None:
    """Raise LimitError for a largest bound of the data that is no natural number, or larger than any that is used."""
    check_bound(largest, positions.MOST_BOUND if queen_steps(game) is None else MOST_BOUND)


def far_digits(system: NumerationSystem, largest: int) -> Iterator[int]:
    """Yield ever larger numbers of digits of members, whose bounds lie above KEPT_BOUND, up to the largest bound.

    Raises FibproverError for a system whose digits are not worth the same in all numbers.
    """
    # The first weight that is not below the bound is the last one.
    digits = max(len(digit_weights(system, KEPT_BOUND)), LEAST_DIGITS)
    most = len(digit_weights(system, min(largest, MOST_BOUND) + 1)) - 2
    while digits < most:
        yield digits
        digits += MORE_DIGITS
    if most > LEAST_DIGITS:
        yield most


def far_set(
    steps: tuple[tuple[int, int], ...], value: int, system: NumerationSystem, digits: int, budget: Budget = UNLIMITED
) -> InferredSet:
    """Return the automaton of the positions of a value, inferred from all that have at most so many digits."""
    blocks = prefix_blocks(system, digits)
    sums = kernel_calls.queen_residuals(steps, value, blocks, budget)
    return symmetric(infer_from_sums(sums, blocks, system, ("a", "b"), budget), system, budget)
