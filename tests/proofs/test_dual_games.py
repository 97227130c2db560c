"""Dual games of m-Wythoff on boards, from m-Wythoff's rules, without automata but for P."""

from __future__ import annotations

import numpy as np
import pytest

from tests.oracle.invention import differences, positions_by_moves
from tests.proofs.chapters import session


@pytest.mark.parametrize(
    ("m", "size"), [(m, 150) for m in (1, 2, 3, 4)] + [pytest.param(m, 500, marks=pytest.mark.long) for m in (1, 2, 3, 4)]
)
def test_the_dual_game_and_its_dual(m: int, size: int) -> None:
    i, j = np.indices((size, size))
    inside = positions_by_moves(((i > 0) & (j > 0) & (abs(i - j) < m)) | ((i == 0) ^ (j == 0)))
    relation = session(f"The dual game of {m}-Wythoff").relation(f"$P(x,y) & x<{size} & y<{size}")
    assert set(relation) == set(map(tuple, np.argwhere(inside).tolist()))
    dual = positions_by_moves(inside)
    assert (positions_by_moves(dual) == inside).all()
    # What the chapter proves: no vector of P* is a difference of P, since a vector of P leads to where play has ended.
    nonzero = differences(inside, size)
    nonzero[0, 0] = False
    assert not (nonzero & dual).any()
    ended = (i == 0) | (j == 0) | ((i <= m) & (j <= m))
    assert dual[ended].all()
    for place in np.argwhere(nonzero[:60, :60]):
        options = place - np.argwhere(inside[: place[0] + 1, : place[1] + 1])[1:]
        assert ended[tuple(options.T)].any()
