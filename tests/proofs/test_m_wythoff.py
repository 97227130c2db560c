"""m-Wythoff: the set and the redundant moves are those that recursion finds; the definitions mean what they say."""

from __future__ import annotations

from functools import cache
from itertools import product
from runpy import run_path
from typing import Any

import pytest

import fibprover as fp
from fibprover.campaigns.theorems.chapter import DeclaredTheorem
from tests.proofs.chapters import FOUND, PROOFS, session

Position = tuple[int, int]

SIZE = 60
GAMES = (1, 2, 3, 4, 5)


def title(m: int) -> str:
    return f"m-Wythoff for m = {m}"


@cache
def script() -> Any:
    """The names of the script."""
    return run_path(str(PROOFS / "m_wythoff.py"))


def is_move(m: int, i: int, j: int) -> bool:
    return (i > 0 or j > 0) and (i == 0 or j == 0 or abs(i - j) < m)


@cache
def p_positions(m: int) -> frozenset[Position]:
    """The P-positions below SIZE by their recursion: those without a move to a smaller one."""
    found: set[Position] = set()
    for x, y in sorted(product(range(SIZE), repeat=2), key=sum):
        if not any(r <= x and s <= y and is_move(m, x - r, y - s) for r, s in found):
            found.add((x, y))
    return frozenset(found)


def needed_moves(m: int) -> set[Position]:
    """The moves that are the only way to a P-position from some position below SIZE."""
    found = set()
    positions = p_positions(m)
    for x, y in product(range(SIZE), repeat=2):
        ways = [(x - r, y - s) for r, s in positions if r <= x and s <= y and is_move(m, x - r, y - s)]
        if len(ways) == 1:
            found.add(ways[0])
    return found


def pairs(relation: fp.Relation) -> set[Position]:
    return {(a, b) for a, b in relation}


@pytest.mark.parametrize("m", GAMES)
def test_the_set_is_that_of_the_game(m: int) -> None:
    assert pairs(session(title(m)).relation(f"$P(a,b) & a<{SIZE} & b<{SIZE}")) == p_positions(m)


@pytest.mark.parametrize("m", GAMES)
def test_the_moves_are_those_of_the_game(m: int) -> None:
    moves = {(i, j) for i, j in product(range(15), repeat=2) if is_move(m, i, j)}
    assert pairs(session(title(m)).relation("$move(i,j) & i<15 & j<15")) == moves


@pytest.mark.parametrize("m", GAMES)
def test_a_small_move_is_needed_somewhere_on_the_board_unless_it_is_redundant(m: int) -> None:
    """A board can only show that a move is needed; for moves this small it is large enough to."""
    made = session(title(m))
    small = 8
    moves = {(i, j) for i, j in product(range(small), repeat=2) if is_move(m, i, j)}
    redundant = pairs(made.relation(f"$redundant(i,j) & i<{small} & j<{small}"))
    assert needed_moves(m) & moves == moves - redundant
    assert bool(redundant) is (m > 1)
    assert redundant == {
        (i, j) for i, j in moves if i and j and i != j and min(i, j) >= m - abs(i - j) + 2 and abs(i - j) < m
    }


@pytest.mark.parametrize("m", GAMES)
def test_no_move_that_the_board_needs_is_redundant(m: int) -> None:
    redundant = session(title(m)).relation("$redundant(i,j)")
    assert not [move for move in needed_moves(m) if move in redundant]


def test_for_m_1_it_is_wythoffs_game() -> None:
    known = session("Wythoff's game").relation("$ppos(a,b) & a<200 & b<200")
    assert pairs(session(title(1)).relation("$P(a,b) & a<200 & b<200")) == pairs(known)


def test_for_m_1_the_expressions_are_those_of_the_slides() -> None:
    slides = fp.Session("msd_fib")
    digits = [[0, 1], [0, 1]]
    assert slides.reg("shift", digits, "([0,0]|([0,1][1,1]*[1,0]))*").automaton == slides.reg(
        "other", digits, script()["left_shift"](1)
    ).automaton
    zeros = slides.reg("zeros", ["msd_fib"], "0*(00|0*1)*").automaton
    assert zeros == slides.reg("others", ["msd_fib"], script()["even_zeros"](1)).automaton


@pytest.mark.parametrize("m", [2, 3, 10, 11])
def test_the_expressions_say_what_they_should_of_representations(m: int) -> None:
    """From m = 10 on there are digits of two figures."""
    made = fp.Session(f"msd_wythoff_{m}")
    made.run(script()["definitions"](m).split("def needed")[0])
    system, bound = made.namespace.system(f"msd_wythoff_{m}"), 2 * m * m + 5 * m
    even, shift = made.relation("$even_zeros(a)"), made.relation("$left_shift(a,b)")
    for a in range(bound):
        digits = system.represent(a)
        zeros = next((place for place, digit in enumerate(reversed(digits)) if digit), 0)
        assert (a in even) is (zeros % 2 == 0)
        shifted = (*digits, 0) if digits else ()
        b = system.value(shifted)
        assert [c for c in {a, max(b - 1, 0), b, b + 1} if (a, c) in shift] == [b]


def test_the_games_of_the_script_and_which_are_long() -> None:
    games = [chapter for chapter in FOUND.chapters if chapter.title.startswith("m-Wythoff")]
    assert [game.title for game in games] == [title(m) for m in range(1, 21)]
    for m, game in enumerate(games, 1):
        theorems = [step for step in game.declarations if isinstance(step, DeclaredTheorem)]
        assert len(theorems) == (11 if m > 1 else 9)
        assert {theorem.long for theorem in theorems} == {m > 8}
