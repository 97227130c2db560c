"""The game on k piles of the k-bonacci word, from its rules alone, and what the proof in docs/splithoff.md uses."""

from __future__ import annotations

from itertools import combinations_with_replacement, pairwise, permutations
from math import comb
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.proofs.chapters import session

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

#: k, and a bound of the piles: those with four and five piles have P-positions beside the least ones.
BOARDS = [(2, 500), (3, 100), (4, 40), pytest.param(4, 60, marks=pytest.mark.long)]
NAMES = {2: "fib", 3: "trib", 4: "4bonacci", 5: "5bonacci"}


def moves_to(sources: Numbers, target: Numbers, without: int | None = None) -> NDArray[np.bool_]:
    """Say which positions have a move to a target; each source has its piles in order, pile i becomes target[i].

    without: the order of the differences in moves (A) that are left out, -1 for the moves (B).

    Of equal piles any one may be taken for the smaller one: all orders of a target are tried for a source, and where
    piles of the target are equal, they are those of (0, ..., 0).
    """
    piles = sources.shape[1]
    lost = sources - target
    possible = (lost >= 0).all(axis=1) & lost.any(axis=1)
    allowed = np.zeros(len(sources), dtype=bool)
    rank = np.argsort(np.argsort(target, kind="stable"), kind="stable")
    for order in sorted({*range(piles - 1)} - {without}):
        signs = np.array([(-1) ** i * comb(order, i) for i in range(order + 1)])
        for first in range(piles - order):
            if (np.diff(rank[first : first + order + 1]) == 1).all():
                allowed |= lost[:, first : first + order + 1] @ signs == 0
    if without != -1 and (np.diff(target) >= 0).all():
        numbers = np.column_stack([2 * lost[:, -1] - lost.sum(axis=1), lost])
        allowed |= (numbers[:, 1:] > 2 * numbers[:, :-1]).any(axis=1)
    return np.asarray(possible & allowed)


def p_positions(piles: int, bound: int, without: int | None = None) -> list[tuple[int, ...]]:
    """The P-positions with piles below a bound, each in order; without: as in `moves_to`."""
    left = np.array(list(combinations_with_replacement(range(bound), piles)), dtype=np.int64)
    left = left[np.argsort(left.sum(axis=1), kind="stable")]
    found = []
    while len(left):
        least, left = left[0], left[1:]
        found.append(tuple(least.tolist()))
        for target in set(permutations(least.tolist())):
            left = left[~moves_to(left, np.array(target), without)]
    return found


def places(k: int, letters: int) -> list[tuple[int, ...]]:
    """(0, ..., 0), and the places of the n-th letters of each sort in the k-bonacci word, from 1."""
    word = [0]
    while len(word) < letters:
        word = [x for j in word for x in ([0, j + 1] if j < k - 1 else [0])]
    columns = [[n for n, x in enumerate(word, 1) if x == letter] for letter in range(k)]
    return [(0,) * k, *zip(*columns, strict=False)]


@pytest.mark.parametrize(("k", "bound"), BOARDS)
def test_the_game_has_these_positions(k: int, bound: int) -> None:
    expected = [row for row in places(k, 4 * bound) if max(row) < bound]
    assert len(expected) > 2
    assert p_positions(k, bound) == expected


@pytest.mark.parametrize(("k", "without"), [(2, -1), (2, 0), (3, -1), (3, 0), (3, 1), (4, -1), (4, 1), (4, 2)])
def test_no_sort_of_moves_can_be_left_out(k: int, without: int) -> None:
    """Nor can those of order 0 for k = 4, but the first difference has a pile above 60."""
    assert p_positions(k, 40, without) != p_positions(k, 40)


@pytest.mark.parametrize("k", NAMES)
def test_the_rows_of_the_chapter(k: int) -> None:
    s = session(f"The game of the {NAMES[k]} word")
    for letter, row in enumerate(zip(*places(k, 4000)[1:60], strict=True)):
        assert s.relation(f"$x{letter}(n,x)").first(59) == list(enumerate(row, 1))


@pytest.mark.parametrize("k", NAMES)
def test_what_the_proof_says_of_the_growth(k: int) -> None:
    """The steps of t_n are unit vectors in the numbers 2 u_(i-1) - u_i, between (1,2,4,...) and (2,4,8,...), in order.
    """
    rows = places(k, 20000)[:400]
    steps = {tuple(y - x for x, y in zip(*pair, strict=True)) for pair in pairwise(rows)}
    assert len(steps) == k
    for letter, step in enumerate(sorted(steps, reverse=True)):
        excess = 2 * step[-1] - sum(step)
        assert excess == 1
        counts = [2 * x - y for x, y in pairwise((excess, *step))]
        assert counts == [int(i == k - 1 - letter) for i in range(k)]
        assert all(2**i <= x <= 2 ** (i + 1) for i, x in enumerate(step))
    in_order = sorted(steps, reverse=True)
    assert all(x >= y for pair in pairwise(in_order) for x, y in zip(*pair, strict=True))
