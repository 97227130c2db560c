"""Forbidden moves of Wythoff's game: the automaton and both descriptions against a board."""

from __future__ import annotations

from functools import cache, partial
from itertools import product
from math import isqrt

import pytest

import fibprover as fp
from tests.proofs.boards import Position, moves, p_positions
from tests.proofs.chapters import session

#: Forbidden moves that take less than SMALL from each pile lead from P-positions on a board of this size.
SIZE, SMALL = 300, 60


def chapter() -> fp.Session:
    return session("Forbidden moves of Wythoff's game")


def allowed(i: int, j: int) -> bool:
    return (i == 0) != (j == 0) or i == j


@cache
def board() -> frozenset[Position]:
    return frozenset(p_positions(moves(allowed, SIZE)))


def corner() -> set[Position]:
    """The P-positions on a small board."""
    return {(x, y) for x, y in board() if x < SMALL and y < SMALL}


def differences() -> set[Position]:
    """Small differences of P-positions."""
    found = {(p - r, q - s) for (p, q), (r, s) in product(board(), repeat=2)}
    return {(i, j) for i, j in found if 0 <= i < SMALL and 0 <= j < SMALL} - {(0, 0)}


def forbidden() -> fp.Relation:
    return chapter().relation("$forbidden(i,j)")


def below(size: int) -> set[Position]:
    return {(i, j) for i, j in chapter().relation(f"$forbidden(i,j) & i<{size} & j<{size}")}


def floor_phi(n: int) -> int:
    return (n + isqrt(5 * n * n)) // 2


def test_the_set_is_that_of_the_game() -> None:
    found = chapter().relation(f"$ppos(a,b) & a<{SIZE} & b<{SIZE}")
    assert set(found) == board()


def test_the_forbidden_moves_are_the_differences_of_p_positions() -> None:
    assert below(SMALL) == differences()


def test_the_automaton_has_20_states() -> None:
    assert forbidden().states == 20


@pytest.mark.parametrize("i", [0, 1, 2, 7, 40, 10**6, 10**30 + 1])
def test_a_row_is_as_described(i: int) -> None:
    """j = floor(i phi) + 1 + b, where b is 0 or some floor(k phi^2) and i+b is some floor(n phi); or the extra one."""
    def is_lower(x: int) -> bool:
        n = (isqrt(5 * x * x) - x) // 2  # x / phi, rounded down
        return x > 0 and x in {floor_phi(n), floor_phi(n + 1)}

    start = floor_phi(i)
    columns = {start + 1 + b for k in range(80) if is_lower(i + (b := floor_phi(k) + k))}
    columns |= {start} if is_lower(i - 1) else set()
    relation = forbidden()
    found = {j for j in range(max(i, start - 150), start + 150) if (i, j) in relation}
    assert found == {j for j in columns if j < start + 150}


def test_with_all_other_moves_allowed_the_p_positions_are_the_same() -> None:
    left_out = differences()
    extended = moves(lambda i, j: (i, j) not in left_out, SMALL)
    assert p_positions(extended) == corner()


def allowed_but(move: tuple[int, ...], also: bool, i: int, j: int) -> bool:
    """Return whether a move is allowed, where this one is allowed or not."""
    return also if (i, j) == move else allowed(i, j)


def test_with_a_forbidden_move_allowed_they_are_not() -> None:
    for move in sorted(below(12)):
        extended = moves(partial(allowed_but, move, True), SMALL)
        assert p_positions(extended) != corner(), move


def test_without_a_move_of_the_game_they_are_not() -> None:
    for move in product(range(8), repeat=2):
        if move != (0, 0) and allowed(*move):
            reduced = moves(partial(allowed_but, move, False), SMALL)
            assert p_positions(reduced) != corner(), move
