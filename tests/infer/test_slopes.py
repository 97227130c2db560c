"""Systems suggested by slopes: the expected ones are among the first."""

from __future__ import annotations

import random
from math import isqrt

import numpy
import pytest

from fibprover.base.errors import FibproverError
from fibprover.infer.slopes import clusters, fundamental_unit, suggested_systems
from fibprover.numeration.quadratic import Quadratic
from fibprover.numeration.registry import system_named
from tests.infer.positions import queens, s_m_game


def blocking(k: int, bound: int) -> list[tuple[int, int]]:
    """Return the P-positions of W^k: at most k - 1 earlier ones lie in the row, column and diagonal of each."""
    columns, diagonals = [0] * bound, [0] * (2 * bound)
    found = []
    for y in range(bound):
        row = 0
        for x in range(bound):
            if row + columns[x] + diagonals[x - y + bound] < k:
                found.append((x, y))
                row += 1
                columns[x] += 1
                diagonals[x - y + bound] += 1
    return found


@pytest.mark.parametrize("terminal", [0, 1, 4, 20])
def test_the_games_of_the_paper(terminal: int) -> None:
    a, b = queens(terminal, 3000)
    (only,) = clusters(a, b)
    assert only.slope == Quadratic(1, 2, 5)
    assert suggested_systems(a, b) == ["msd_fib", "msd_lucas"]


@pytest.mark.parametrize("s", range(1, 5))
@pytest.mark.parametrize("m", range(1, 5))
def test_fraenkels_games(s: int, m: int) -> None:
    found = suggested_systems(*s_m_game(s, m, 3000))
    first = "msd_fib" if s == m == 1 else f"msd_wythoff_{m}" if s == 1 else f"msd_fraenkel_{s}_{m}"
    assert found[0] == first
    assert len(found) <= 8
    for name in found:
        system_named(name)


def test_wythoff_games_with_wide_diagonals() -> None:
    for m in range(5, 9):
        assert suggested_systems(*s_m_game(1, m, 5000))[0] == f"msd_wythoff_{m}"


@pytest.mark.parametrize(
    ("k", "expected", "lines"),
    [
        (2, ["msd_fib", "msd_lucas"], 2),
        (3, ["msd_2", "msd_3"], 1),
        (4, ["msd_wythoff_2", "msd_pell"], 1),
        (8, ["msd_2", "msd_3"], 2),
        (10, ["msd_fib", "msd_lucas"], 3),
        (14, ["msd_2", "msd_3"], 1),
    ],
)
def test_blocking_games(k: int, expected: list[str], lines: int) -> None:
    positions = numpy.array(blocking(k, 900))
    found = clusters(positions[:, 0], positions[:, 1])  # type: ignore[arg-type]
    assert len(found) == lines
    assert [each.points for each in found] == sorted((each.points for each in found), reverse=True)
    assert suggested_systems(positions[:, 0], positions[:, 1]) == expected  # type: ignore[arg-type]


def test_no_suggestion_without_a_line() -> None:
    rng = random.Random(3)
    a, b = ([rng.randrange(3000) for _ in range(20000)] for _ in range(2))
    assert clusters(a, b)[0].points > 3000
    assert suggested_systems(a, b) == []
    assert suggested_systems(a[:200], b[:200]) == []
    assert suggested_systems([], []) == []
    assert suggested_systems([0, 1, 2], [0, 2, 1]) == []


def test_coordinates_may_come_in_any_order() -> None:
    a, b = queens(2, 2000)
    pairs = [*zip(a, b, strict=True), *zip(b, a, strict=True)]
    random.Random(1).shuffle(pairs)
    assert suggested_systems([x for x, _ in pairs], [y for _, y in pairs]) == ["msd_fib", "msd_lucas"]


def test_coordinates_belong_together() -> None:
    with pytest.raises(FibproverError, match="3 first coordinates but 2 second coordinates"):
        clusters([1, 2, 3], [1, 2])


def test_the_slope_of_one_line() -> None:
    a = range(100, 1000)
    (irrational,) = clusters(a, [isqrt(2 * n * n) + n % 2 for n in a])
    (rational,) = clusters(a, [n * 3 // 2 for n in a])
    assert (irrational.slope, rational.slope) == (Quadratic(0, 1, 2), Quadratic(3, 2, 0))


def units(d: int) -> tuple[int, int]:
    """Trace and norm of the fundamental unit of Q(sqrt d), d squarefree: the least y with x^2 - d y^2 = +-4 or +-1."""
    y = 0
    while True:
        y += 1
        for norm in (-4, 4):
            square = d * y * y + norm
            x = isqrt(max(square, 0))
            if square > 0 and x * x == square and (d % 4 == 1 or (x % 2 == 0 and y % 2 == 0)):
                return x, norm // 4


@pytest.mark.parametrize("d", [2, 3, 5, 6, 7, 10, 11, 13, 14, 15, 17, 19, 21, 22, 23, 26, 29, 30, 33, 37, 41, 53])
def test_fundamental_units(d: int) -> None:
    assert fundamental_unit(Quadratic(0, 1, d)) == units(d)
    assert fundamental_unit(Quadratic(3, 7, 9 * d)) == units(d)
    assert fundamental_unit(Quadratic(-1, -2, 4 * d)) == units(d)
