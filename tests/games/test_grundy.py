"""Sprague-Grundy values: tables of papers, the plain twin, and games that have none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from fibprover.base.errors import BudgetSpent, FibproverError, LimitError
from fibprover.base.limits import Limits
from fibprover.games.catalogue import blocking, nim, splithoff, terminal, wythoff
from fibprover.games.positions import grundy, positions
from fibprover.games.rules import Game
from tests.oracle import games as reference
from tests.proofs.test_splithoff import GRUNDY

from .rules_at_random import formulas, terminals

#: Berlekamp, Conway & Guy, Winning Ways, the beginning of the table of Wythoff's game.
WYTHOFF = """
0 1 2 3 4 5 6 7 8 9 10
1 2 0 4 5 3 7 8 6 10 11
2 0 1 5 3 4 8 6 7 11 9
3 4 5 6 2 0 1 9 10 12 8
4 5 3 2 7 6 9 0 1 8 13
5 3 4 0 6 8 10 1 2 7 12
6 7 8 1 9 10 3 4 5 13 0
7 8 6 9 0 1 4 5 3 14 15
8 6 7 10 1 2 5 3 4 15 16
9 10 11 12 8 7 13 14 15 16 17
10 11 9 8 13 12 0 15 16 17 14
"""

READY = [
    nim(), nim(1, 2, 3), wythoff(), wythoff(4), wythoff(2, 2), terminal(3), splithoff(), splithoff(2),
    Game.by_vectors("i=0 | j=0 | (i=j & Ek i=2*k)", "a+b<=2"),
    Game.by_steps("(p=r & s<q) | (q=s & r<p) | (p+s=q+r & (Ek p=r+2*k & k>0))"),
    Game.by_steps("r+s<p+q & (s=0 | p+s=q+r)"),
    Game.by_vectors("i=0 | j=0", "Ek a=2*k & b=3"),
]


def table(text: str) -> Any:
    return np.array([[int(word) for word in line.split()] for line in text.split("\n") if line])


def test_splithoff_as_printed() -> None:
    """Fokkink & Rust 2022, Table 6: the rows are from (0,0) upward."""
    values = grundy(splithoff(), 18)
    assert values.shape == (18, 18) and values.dtype == np.int32
    assert np.array_equal(values, table(GRUNDY))


def test_wythoff_as_printed() -> None:
    assert np.array_equal(grundy(wythoff(), 11), table(WYTHOFF))


def test_nim_is_the_sum_without_carry() -> None:
    piles = np.arange(64)
    assert np.array_equal(grundy(nim(), 64), np.bitwise_xor.outer(piles, piles))
    assert np.array_equal(grundy(nim(1, 2, 3), 64), np.bitwise_xor.outer(piles % 4, piles % 4))


@pytest.mark.parametrize("game", READY, ids=str)
def test_ready_games(game: Game) -> None:
    values = grundy(game, 12)
    assert np.array_equal(values, reference.grundy(game, 12))
    found = positions(game, 12)
    assert np.array_equal(np.argwhere(values == 0), np.transpose([found.a, found.b]))


def test_functions() -> None:
    expected = grundy(wythoff(), 14)
    assert np.array_equal(grundy(Game.by_function(lambda i, j: i == 0 or j == 0 or i == j), 14), expected)

    def options(p: int, q: int) -> list[tuple[int, int]]:
        return [(r, s) for r in range(p + 1) for s in range(q + 1) if (r, s) != (p, q)
                and (r == p or s == q or p - r == q - s)]

    assert np.array_equal(grundy(Game.by_function(options, options=True), 14), expected)


@pytest.mark.long
@settings(max_examples=50)
@given(formulas(("i", "j")), terminals())
def test_random_vectors(moves: str, ends: str) -> None:
    game = Game.by_vectors(moves, ends)
    assert np.array_equal(grundy(game, 10), reference.grundy(game, 10))


@settings(max_examples=25)
@given(formulas(("p", "q", "r", "s")), terminals())
def test_random_steps(moves: str, ends: str) -> None:
    game = Game.by_steps(f"r+s<p+q & ({moves})", ends)
    assert np.array_equal(grundy(game, 6), reference.grundy(game, 6))


def test_values_do_not_depend_on_the_bound() -> None:
    for game in (splithoff(), Game.by_steps("r+s<p+q & (s=0 | p+s=q+r)"), wythoff(2, 2)):
        assert np.array_equal(grundy(game, 30)[:17, :17], grundy(game, 17))


def test_blocking_has_no_values() -> None:
    with pytest.raises(FibproverError, match=r"blocking\(2\) has no Sprague-Grundy values"):
        grundy(blocking(2), 10)


@pytest.mark.parametrize("bound", [-1, "3", 10**9, None])
def test_bounds_that_are_none(bound: Any) -> None:
    with pytest.raises(LimitError):
        grundy(wythoff(), bound)


def test_no_values() -> None:
    assert grundy(wythoff(), 0).shape == (0, 0)
    assert grundy(wythoff(), 1).tolist() == [[0]]


@pytest.mark.parametrize("game", [wythoff(), Game.by_vectors("Ek i=2*k"), Game.by_function(lambda i, j: i == j),
                                  Game.by_steps("p=r & (Ek q=s+2*k & k>0)")], ids=str)
def test_a_spent_budget(game: Game) -> None:
    with pytest.raises(BudgetSpent):
        grundy(game, 600, Limits(seconds=1e-9).start())
