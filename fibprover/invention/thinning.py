"""Few rules with the P-positions of the largest set of moves: chosen on boards, then proved.

On a board the parts of rules that the differences leave free are all taken, simple ones first, with single moves for
positions that none of them serves; then, the last ones first, each is left out that is not needed.  So of the parts
that remain none can be left out: for each there is a position from which no other part leads into the set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from fibprover.base.limits import Budget, check_budget
from fibprover.invention.differences import Board, first_of
from fibprover.invention.parts import Candidate, Part, candidates, single

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fibprover.invention.differences import Mask

#: So many single moves are added to lines, for at most so many positions.
MOST_SINGLES, MOST_SERVED = 24, 800

#: A single move that reaches fewer positions has to reach them all in the first half of a board, or else it is taken
#: for one of endlessly many.
OFTEN = 8

#: Parts that reach this part of the bound of a board in positions are taken to reach ever more.
MANY = 4


def thin_rules(board: Board, budget: Budget, *, symmetric: bool) -> tuple[Part, ...]:
    """Return parts that reach all positions outside the set on a board, each of them needed; none if there are none.
    """
    found: list[Candidate] = []
    left = board.outside.copy()
    for candidate in candidates(board, symmetric=symmetric):
        check_budget(budget, 0, f"the rules on a board below {board.bound}")
        found.append(candidate)
        left &= ~candidate.reached
    if left.any():
        found += _singles(board, left, symmetric=symmetric)
    return tuple(_irredundant(board, found))


def endless_rules(board: Board, budget: Budget, *, symmetric: bool) -> tuple[Part, ...]:
    """Return the parts without which many positions of a board are not reached, where no parts reach all."""
    found: list[Candidate] = []
    for candidate in candidates(board, symmetric=symmetric):
        check_budget(budget, 0, f"the rules on a board below {board.bound}")
        found.append(candidate)
    return tuple(each.part for each in _needed(board, found, board.bound // MANY)[0])


def _singles(board: Board, left: Mask, *, symmetric: bool) -> list[Candidate]:
    """Return single moves that reach the positions that are left; none if these need more and more."""
    found: list[Candidate] = []
    if left.sum() > MOST_SERVED:
        return []
    inside = np.argwhere(board.inside)
    while left.any() and len(found) < MOST_SINGLES:
        gains: Counter[tuple[int, ...]] = Counter()
        for place in np.argwhere(left):
            taken = place - inside[(inside <= place).all(axis=1)]
            free = taken[~board.differences[tuple(taken.T)]]
            gains.update({tuple(sorted(v) if symmetric else v) for v in free.tolist()})
        if not gains:
            return []
        best = min(gains, key=lambda vector: (-gains[vector], sum(vector), vector))
        chosen = single(board, best, symmetric=symmetric)
        served = np.argwhere(left & chosen.reached)
        if len(served) < OFTEN and served.max() >= board.bound // 2:
            return []
        found.append(chosen)
        left = left & ~chosen.reached
    return found


def _irredundant(board: Board, found: Sequence[Candidate]) -> list[Part]:
    """Return the parts that are needed, each with a position that needs it; none if all do not suffice."""
    kept, counts = _needed(board, found, 1)
    if (board.outside & (counts == 0)).any():
        return []
    return [
        Part(each.part.words, each.part.formula, first_of(np.argwhere(each.reached & (counts == 1)))) for each in kept
    ]


def _needed(board: Board, found: Sequence[Candidate], least: int) -> tuple[list[Candidate], NDArray[np.int16]]:
    """Return the parts without which so many positions are not reached, and how many parts reach a position.

    Of each the others count that are left when it is its turn, from the last one on.
    """
    counts = np.zeros(board.inside.shape, np.int16)
    for each in found:
        counts += each.reached
    kept = []
    for each in reversed(found):
        if (each.reached & (counts == 1)).sum() >= least:
            kept.append(each)
        else:
            counts -= each.reached
    return kept[::-1], counts
