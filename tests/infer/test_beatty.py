"""a(n) = floor((n+c) alpha) + lambda(n): the paper's games, other numbers, and sequences without such a form."""

from __future__ import annotations

import random
from math import isqrt

import pytest

from fibprover.base.errors import FibproverError
from fibprover.infer.beatty import beatty_fit
from fibprover.numeration.quadratic import Quadratic, quadratic
from tests.few import few
from tests.infer.positions import golden, queens, s_m_game

PHI = Quadratic(1, 2, 5)

#: The ranges of lambda_l for K^l with c = l, a(0) being the first position that is not terminal (issue 6).
RANGES = {0: (1, 2), 1: (0, 1), 2: (-1, 0), 3: (-2, 0), 4: (-3, -1), 5: (-5, -2), 6: (-6, -2)}


@pytest.mark.parametrize("terminal", RANGES)
@pytest.mark.parametrize("bound", [400, 6000])
def test_the_games_of_the_paper(terminal: int, bound: int) -> None:
    a, b = queens(terminal, bound)
    fit = beatty_fit(a, c=terminal)
    assert fit is not None and fit.alpha == PHI
    low, high = RANGES[terminal]
    assert fit.values == tuple(range(low, high + 1))
    assert fit.settled
    for value, first in zip(fit.values, fit.first, strict=True):
        offsets = [y - golden(n + terminal) for n, y in enumerate(a)]
        assert offsets.index(value) == first
    second = beatty_fit(b, c=terminal)
    assert second is not None and second.alpha == Quadratic(3, 2, 5)
    # b(n) = floor((n+l) phi^2) + lambda(n) + 1 (a corollary in the paper)
    assert second.values == tuple(value + 1 for value in fit.values)


@pytest.mark.parametrize(("terminal", "c", "values"), [(0, 1, (0,)), (1, 2, (-1,)), (2, 2, (-1, 0)), (3, 0, (3, 4))])
def test_the_shift_with_the_least_spread(terminal: int, c: int, values: tuple[int, ...]) -> None:
    fit = beatty_fit(queens(terminal, 1500)[0])
    assert fit is not None
    assert (fit.alpha, fit.c, fit.values) == (PHI, c, values)


@pytest.mark.parametrize("terminal", [10, 20, 50])
def test_games_with_many_terminal_positions(terminal: int) -> None:
    fit = beatty_fit(queens(terminal, 6000)[0])
    assert fit is not None and fit.alpha == PHI and fit.settled


@pytest.mark.parametrize("s", few(range(1, 5), 2))
@pytest.mark.parametrize("m", range(1, 5))
def test_fraenkels_games(s: int, m: int) -> None:
    """b(n) grows by beta = s alpha + m, where 1/alpha + 1/beta = 1: so beta^2 - (s + m + 1) beta + m = 0."""
    a, b = s_m_game(s, m, 8000)
    fit = beatty_fit(b)
    assert fit is not None
    p, q, d = fit.alpha
    assert p * p + d - (s + m + 1) * p * q + m * q * q == 0
    assert 2 * p - (s + m + 1) * q == 0
    assert beatty_fit(a) is not None
    if s == 1:
        assert fit.values == (0,)


@pytest.mark.parametrize(
    "number", ["sqrt(2)", "sqrt(5)", "3/2", "7/4", "2", "(5+sqrt(13))/6", "(1+sqrt(17))/2", "sqrt(2)-1", "0", "-3/5"]
)
def test_beatty_sequences(number: str) -> None:
    alpha = quadratic(number)
    fit = beatty_fit([alpha.floor_multiple(n) for n in range(6000)])
    assert fit is not None and fit.values == (0,)
    assert (fit.alpha.q * alpha.p, fit.alpha.d * alpha.q**2) == (alpha.q * fit.alpha.p, alpha.d * fit.alpha.q**2)
    assert fit.c == 0


def test_a_shift_is_found() -> None:
    for shift in (-40, -3, 7, 100):
        fit = beatty_fit([golden(abs(n + shift)) if n + shift >= 0 else -golden(-n - shift) - 1 for n in range(3000)])
        assert fit is not None
        assert (fit.alpha, fit.c, fit.values) == (PHI, shift, (0,))


def test_exceptions_at_the_beginning() -> None:
    data = [17, 0, 9, *(golden(n) for n in range(3, 4000))]
    fit = beatty_fit(data)
    assert fit is not None and fit.alpha == PHI
    assert len(fit.values) == 4 and fit.settled


@pytest.mark.long
@pytest.mark.parametrize("length", [60, 1000, 6000])
def test_sequences_without_a_simple_slope(length: int) -> None:
    rng = random.Random(length)
    assert beatty_fit([n * n for n in range(length)]) is None
    assert beatty_fit([isqrt(n) for n in range(length)]) is None
    # 2^(1/3), exactly
    cube = [next(m for m in range(2 * n, n - 1, -1) if m**3 <= 2 * n**3) for n in range(min(length, 1000))]
    assert beatty_fit(cube) is None
    walk = [0]
    for _ in range(length):
        walk.append(walk[-1] + rng.choice((0, 3)))
    fit = beatty_fit(walk)
    assert fit is None or not fit.settled


def test_given_alpha_and_shift() -> None:
    a = queens(3, 1000)[0]
    fit = beatty_fit(a, alpha=Quadratic(0, 1, 3), c=1)
    assert fit is not None
    assert (fit.alpha, fit.c) == (Quadratic(0, 1, 3), 1)
    assert fit.spread > 20 and not fit.settled


def test_text_of_a_fit() -> None:
    assert str(beatty_fit(queens(4, 2000)[0])) == "floor((n+2)*(1+sqrt(5))/2) + {0, 1, 2}"


@pytest.mark.parametrize("data", [[], [3], [1, "x"]])
def test_invalid_arguments(data: list[int]) -> None:
    with pytest.raises(FibproverError):
        beatty_fit(data)
