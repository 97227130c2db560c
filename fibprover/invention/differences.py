"""The vectors that no rule may take: the differences of the set, on a board and as an automaton.

Let P be a set of positions.  A vector v > 0 may be a move of an invariant game with the P-positions P only if no x and
x + v are both in P (x + v not terminal).  All other vectors together are the largest set of moves; P is the set of
P-positions of some invariant game if and only if that set absorbs: if from every position outside P it has a move into
P (Duchene and Rigo 2010; Larsson, Hegarty and Fraenkel 2011).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from fibprover.base.limits import Budget, check_budget
from fibprover.games.rules import VARIABLES
from fibprover.language.builder import call, exists
from fibprover.language.tree import Formula, Term, Variable, conjunction
from fibprover.workspace.session import Session

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Mask = NDArray[np.bool_]


def difference(piles: int, *vector: Term) -> Formula:
    """Return that a vector leads from a position of P to one of the set `live`: those of P that are not terminal."""
    source = tuple(map(Variable, VARIABLES[piles].source))
    return exists(*source, call("P", *source) & call("live", *(x + v for x, v in zip(source, vector, strict=True))))


@dataclass(frozen=True, eq=False)
class Board:
    """P and its differences with all coordinates below a bound; both are exact.

    inside, differences: boolean arrays with an axis for each pile; the zero vector counts as a difference.
    """

    bound: int
    inside: Mask
    differences: Mask

    @property
    def piles(self) -> int:
        """The number of piles."""
        return self.inside.ndim

    def reached(self, moves: Mask) -> Mask:
        """Return the positions from which one of the moves leads into P.  O(n log n) for n positions of the board."""
        counts = np.fft.irfftn(self._spectrum * self._transformed(moves), self._padded, tuple(range(self.piles)))
        return np.asarray(counts[(slice(self.bound),) * self.piles] > 0.5)

    @cached_property
    def outside(self) -> Mask:
        """The positions from which a move has to lead into P."""
        return ~self.inside

    @cached_property
    def unreached(self) -> Mask:
        """The positions outside P from which no move of any rules leads into P."""
        return self.outside & ~self.reached(~self.differences)

    @property
    def _padded(self) -> tuple[int, ...]:
        # A vector and a position have a sum below twice the bound.
        return (2 * self.bound,) * self.piles

    @cached_property
    def _spectrum(self) -> NDArray[np.complex128]:
        return self._transformed(self.inside)

    def _transformed(self, mask: Mask) -> NDArray[np.complex128]:
        return np.asarray(np.fft.rfftn(mask, self._padded, tuple(range(self.piles))))


def board_of(session: Session, piles: int, bound: int, budget: Budget) -> Board:
    """Return the board of the session's P below a bound."""
    names = VARIABLES[piles]
    source, vector = tuple(map(Variable, names.source)), tuple(map(Variable, names.vector))
    masks = []
    for terms, holds in ((source, call("P", *source)), (vector, difference(piles, *vector))):
        check_budget(budget, 0, f"the board below {bound}")
        below = conjunction([holds, *(x < bound for x in terms)])
        found = session.relation(below, limits=budget.remaining()).to_numpy()
        mask = np.zeros((bound,) * piles, bool)
        mask[tuple(found.T)] = True
        masks.append(mask)
    masks[1][(0,) * piles] = True
    return Board(bound, *masks)


def first_of(places: NDArray[np.integer[Any]]) -> tuple[int, ...] | None:
    """Return of some positions that with the least largest pile, then the least sum, then the least first piles.

    Whatever is outside a board is not less than what is on it.
    """
    if not len(places):
        return None
    order = np.lexsort([*places.T[::-1], places.sum(axis=1), places.max(axis=1)])
    return tuple(int(x) for x in places[order[0]])
