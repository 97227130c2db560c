"""Dual games of m-Wythoff on boards, from m-Wythoff's rules, without automata but for P."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import fibprover as fp
from tests.oracle.invention import differences, positions_by_moves
from tests.proofs.chapters import session


@pytest.mark.parametrize("m", [1, 2, 3, 4])
@pytest.mark.parametrize("size", [150, pytest.param(500, marks=pytest.mark.long)])
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


@pytest.mark.parametrize("a", range(2, 12))
def test_pairs_of_letters_over_all_slopes_are_squares(a: int) -> None:
    """docs/invent.md: at the slope [0; a, b, ...], b > a, the a-th 0 is at a+1, and the a-th 1 at a^2."""
    for b in (a + 1, a + 5):
        alpha = 1 / (a + 1 / (b + Fraction(2, 3)))
        word = [int((n + 1) * alpha) - int(n * alpha) for n in range(1, a * a + 1)]
        zeros, ones = ([n for n, x in enumerate(word, 1) if x == letter] for letter in (0, 1))
        assert (zeros[a - 1], ones[a - 1]) == (a + 1, a * a)
        system = f"msd_ost_0_{a}_{b}_per_1"
        assert fp.Session(system).namespace.system(system).write(a * a) == (a, 0)
