"""Games with given moves, and the differences of a set, on boards: by addition alone, without automata."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Mask = NDArray[np.bool_]


def positions_by_moves(moves: Mask, terminal: Mask | None = None) -> Mask:
    """The P-positions of the game in which a move takes one of the vectors of a board, from any position."""
    lost = np.zeros_like(moves)
    won = np.zeros_like(moves)
    taken = moves.copy()
    taken[(0,) * moves.ndim] = False
    places = np.argwhere(np.ones_like(moves))
    for place in places[np.argsort(places.sum(axis=1), kind="stable")].tolist():
        here = tuple(place)
        ended = terminal is not None and terminal[here]
        if won[here] and not ended:
            continue
        lost[here] = True
        above = tuple(slice(x, None) for x in here)
        won[above] |= taken[tuple(slice(None, size - x) for x, size in zip(here, moves.shape, strict=True))]
    return lost


def differences(inside: Mask, bound: int, terminal: Mask | None = None) -> Mask:
    """The vectors below a bound from one position of a board to another one that is not terminal; the zero vector, too.
    """
    found = np.zeros((bound,) * inside.ndim, bool)
    upper = np.argwhere(inside if terminal is None else inside & ~terminal)
    for low in np.argwhere(inside):
        vectors = upper - low
        kept = vectors[((vectors >= 0) & (vectors < bound)).all(axis=1)]
        found[tuple(kept.T)] = True
    found[(0,) * inside.ndim] = True
    return found


def unreached(inside: Mask, differ: Mask) -> Mask:
    """The positions outside a set from which no vector but the differences leads into it."""
    reached = inside.copy()
    for place in np.argwhere(inside).tolist():
        above = tuple(slice(x, None) for x in place)
        reached[above] |= ~differ[tuple(slice(None, size - x) for x, size in zip(place, differ.shape, strict=True))]
    return ~reached
