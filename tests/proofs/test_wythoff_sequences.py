"""The na+b Wythoff sequences and their games, by mex and on boards."""

from __future__ import annotations

from math import isqrt

import numpy as np
import pytest

from tests.oracle.invention import positions_by_moves
from tests.proofs.chapters import session

PAIRS = [(a, b) for a in (1, 2, 3) for b in range(1, a + 2)]


def pairs(a: int, b: int, count: int) -> list[tuple[int, int]]:
    """(A_n,B_n): A_n the least number that is not used, B_n = A_n + a n + b."""
    used: set[int] = set()
    found, least = [], 0
    for n in range(count):
        while least in used:
            least += 1
        found.append((least, least + a * n + b))
        used |= set(found[-1])
    return found


def floor_formula(a: int, b: int, n: int) -> int:
    """floor(n alpha + 1 - b/beta), alpha = (2 - a + sqrt(a^2+4))/2, in integers: ((n a + b) alpha - 2b + a)/a."""
    m = n * a + b
    return ((m * (2 - a) + isqrt(m * m * (a * a + 4))) // 2 - 2 * b + a) // a


def check_board(a: int, b: int, size: int) -> None:
    """P, as defined in the chapter, has the P-positions of the moves of a-Wythoff with these terminal positions."""
    i, j = np.indices((size, size))
    ends = np.zeros((size, size), dtype=bool)
    for place in [(0, 0), (1, b + 1), (b + 1, 1)] if b <= a else [(0, 0), (0, 1), (1, 0)]:
        ends[place] = True
    inside = positions_by_moves(((i > 0) & (j > 0) & (abs(i - j) < a)) | ((i == 0) ^ (j == 0)), ends)
    relation = session(f"The {a}n+{b} Wythoff sequences").relation(f"$P(x,y) & x<{size} & y<{size}")
    assert set(relation) == set(map(tuple, np.argwhere(inside).tolist()))


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_the_sequences(a: int, b: int) -> None:
    expected = pairs(a, b, 2000)
    assert [floor_formula(a, b, n) for n in range(2000)] == [x for x, _ in expected]
    s = session(f"The {a}n+{b} Wythoff sequences")
    assert s.relation("$A(n,x)").first(100) == [(n, x) for n, (x, _) in enumerate(expected[:100])]
    assert s.relation("$B(n,x)").first(100) == [(n, y) for n, (_, y) in enumerate(expected[:100])]


@pytest.mark.parametrize("a", [1, 2, 3])
def test_the_formula_ends_with_b_equal_to_a_plus_1(a: int) -> None:
    assert [floor_formula(a, a + 2, n) for n in range(20)] != [x for x, _ in pairs(a, a + 2, 20)]


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_the_games(a: int, b: int) -> None:
    check_board(a, b, 100)


@pytest.mark.long
@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_the_games_on_large_boards(a: int, b: int) -> None:
    check_board(a, b, 500)
