"""The games W^k of proofs/blocking.py: recursion on a board, discovery from the rules, and the words for the sets."""

from __future__ import annotations

from functools import cache
from math import isqrt
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import fibprover as fp
from fibprover.base.limits import Limits
from fibprover.games.catalogue import blocking
from fibprover.games.search import find_automaton
from fibprover.numeration.registry import system_named
from fibprover.workspace.walnut import read_automaton
from tests.proofs.boards import Position, moves, p_positions
from tests.proofs.chapters import PROOFS, chapter, session

SIZE = 301

#: By title of the chapter: k, and the file of the automaton.
GAMES = {
    "The game W^4": (4, "w4"),
    "The game W^4, over 1, 3, 7, 17, ...": (4, "w4_wythoff_2"),
    "The game W^8": (8, "w8"),
    "The game W^14": (14, "w14"),
    "The game W^14, in base 3": (14, "w14_base_3"),
    "The game W^10": (10, "w10"),
}

STATES = {"w4": 26, "w4_wythoff_2": 40, "w8": 187, "w14": 189, "w14_base_3": 229, "w10": 2740}


def queen(i: int, j: int) -> bool:
    return i == 0 or j == 0 or i == j


@cache
def board(k: int) -> set[Position]:
    """The P-positions of W^k with fewer than SIZE counters a pile."""
    return p_positions(moves(queen, SIZE), k - 1)


def members(relation: fp.Relation) -> set[Position]:
    return {(p, q) for p, q in relation}


def by_options(k: int, size: int) -> set[Position]:
    """Another recursion: the options of every position are looked at one by one."""
    found: set[Position] = set()
    for x in range(size):
        for y in range(size):
            options = [(r, y) for r in range(x)] + [(x, s) for s in range(y)]
            options += [(x - i, y - i) for i in range(1, min(x, y) + 1)]
            if sum(option in found for option in options) < k:
                found.add((x, y))
    return found


@pytest.mark.parametrize("k", [1, 4, 8, 14])
def test_marking_finds_what_looking_at_options_finds(k: int) -> None:
    assert {(x, y) for x, y in board(k) if max(x, y) < 40} == by_options(k, 40)


@pytest.mark.parametrize("title", GAMES)
def test_the_set_is_that_of_the_game(title: str) -> None:
    k, _ = GAMES[title]
    assert members(session(title).relation(f"$P(p,q) & p<{SIZE} & q<{SIZE}")) == board(k)


@pytest.mark.parametrize(
    "title", [pytest.param(title, marks=[pytest.mark.very_long] if k == 10 else []) for title, (k, _) in GAMES.items()]
)
def test_the_automaton_is_found_from_the_rules(title: str) -> None:
    k, file = GAMES[title]
    name = chapter(title).system
    found = find_automaton(blocking(k), name, limits=Limits(seconds=300))
    assert found and found.candidate is not None
    written = read_automaton(PROOFS / "automata" / f"{file}.txt", lambda system: system_named(system).track("x"))
    assert written.renamed(found.candidate.automaton.names) == found.candidate.automaton
    assert found.candidate.states == STATES[file] == session(title).namespace.definitions["P"].automaton.states


def test_every_file_of_an_automaton_is_used() -> None:
    assert {path.stem for path in Path(PROOFS / "automata").glob("*.txt")} == {file for _, file in GAMES.values()}


# -- needed moves --------------------------------------------------------------------------------------


def options_in(inside: set[Position], size: int) -> NDArray[np.int64]:
    """How many options of each position of a board are among these."""
    counts = np.zeros((size, size), int)
    for a, b in inside:
        counts[a + 1 :, b] += 1
        counts[a, b + 1 :] += 1
        both = np.arange(1, size - max(a, b))
        counts[a + both, b + both] += 1
    return counts


def check_needed(title: str, size: int) -> None:
    """Compare the positions with just k options in P, and the moves (i,i) that are needed there, with a board."""
    k, _ = GAMES[title]
    inside = p_positions(moves(queen, size), k - 1)
    just = options_in(inside, size) == k
    definitions = session(title).namespace.definitions
    diagonals = [int(name.rsplit("_", 1)[1]) for name in definitions if name.startswith(f"just_{k}_on_")]
    needed: set[int] = set()
    for d in diagonals:
        places = set(np.flatnonzero(np.diagonal(just, d)).tolist())
        assert set(session(title).relation(f"$just_{k}_on_{d}(p) & p+{d}<{size}").values(size)) == places
        needed |= {p - a for a, b in inside if b == a + d for p in places if p > a}
    assert needed >= set(range(1, size - max(diagonals) - 40))
    assert all(just[i + k - 1, 0] and (k - 1, 0) in inside for i in range(1, size - k + 1))


@pytest.mark.parametrize("title", GAMES)
def test_the_moves_that_are_needed_are_those_of_the_board(title: str) -> None:
    check_needed(title, 150)


@pytest.mark.long
@pytest.mark.parametrize("title", GAMES)
def test_the_moves_that_are_needed_are_those_of_the_large_board(title: str) -> None:
    check_needed(title, 500)


@pytest.mark.parametrize("k", [4, 8, 10, 14])
def test_without_a_move_the_positions_are_others(k: int) -> None:
    whole = p_positions(moves(queen, 100), k - 1)
    for missing in ((1, 0), (2, 0), (7, 0), (1, 1), (2, 2), (7, 7)):
        without = moves(queen, 100)
        without[missing] = False
        assert p_positions(without, k - 1) != whole, missing


# -- W^4 -----------------------------------------------------------------------------------------------


def rounded(d: int) -> int:
    """d/sqrt(2), rounded."""
    r = isqrt(d * d // 2)
    return r + (2 * (2 * r + 1) ** 2 < 4 * d * d)


def offsets(d: int) -> tuple[int, ...]:
    """Where the P-positions of W^4 on the diagonal b = a+d are, from d/sqrt(2) rounded."""
    return tuple(sorted(a - rounded(d) for a, b in board(4) if b - a == d))


W4 = ["The game W^4", "The game W^4, over 1, 3, 7, 17, ..."]
PLACES = {"usual": (-1, 0), "late": (0, 1), "early": (-2, -1), "apart": (-1, 1), "far": (-1, 3)}


@pytest.mark.long
@pytest.mark.parametrize("title", W4)
def test_the_diagonals_of_w4(title: str) -> None:
    kinds = {
        d: [kind for kind in PLACES if session(title).prove(f"Ex x={d} & ${kind}(x)")] for d in range(1, 170)
    }
    assert all(PLACES[kind] == offsets(d) for d, (kind,) in kinds.items())


@pytest.mark.parametrize("title", W4)
def test_the_exceptional_diagonals_are_those_of_the_recurrences(title: str) -> None:
    pell = [0, 1]
    while len(pell) < 30:
        pell.append(2 * pell[-1] + pell[-2])
    last = pell[-1]
    early = [pell[j] + 2 * pell[j - 1] for j in range(2, 30, 2)]
    nine = [1, 9]
    while nine[-1] < last:
        nine.append(6 * nine[-1] - nine[-2])
    expected = {
        "late": pell[4::2],
        "early": sorted([3, *pell[3::2], *early]),
        "apart": sorted([1, *(d - 1 for d in early[1:]), *(n - 1 for n in nine[1:])]),
        "far": [2],
    }
    for kind, numbers in expected.items():
        wanted = [d for d in numbers if d <= 10**8]
        assert session(title).relation(f"${kind}(d) & d<={10**8}").values(99) == wanted, kind


def test_rounding() -> None:
    assert [rounded(d) for d in range(1, 60)] == [round(d / 2**0.5) for d in range(1, 60)]
    made = session("The game W^4")
    assert members(made.relation("$round(d,r) & d<200")) == {(d, rounded(d)) for d in range(200)}


# -- the others ----------------------------------------------------------------------------------------


def test_the_line_of_slope_2_in_w8() -> None:
    """The columns of this line by their recursion: n is taken unless it is the b of an earlier one."""
    inner = {(a, b) for a, b in board(8) if a <= b and a >= 123 and 4 * b < 9 * a}
    taken = {b for a, b in board(8) if 15 < a <= b and 4 * b < 9 * a and a < 123}
    expected = set()
    for n in range(123, 152):
        if n not in taken:
            b = 2 * n - (5 if n % 3 == 2 else 4)
            expected.add((n, b))
            taken.add(b)
    assert {(a, b) for a, b in inner if a < 152} == expected


def test_wythoff_inside_w10() -> None:
    inner = {(a, b) for a, b in board(10) if 34 <= a <= b < 2 * a - 9}
    golden = [(isqrt(5 * n * n) + n) // 2 for n in range(1, 30)]
    expected = {(10 * x + 32, 10 * (x + n) + 32) for n, x in enumerate(golden, 1)}
    assert inner == {(a, b) for a, b in expected if b < SIZE}
    assert len(inner) > 9


def test_w14_repeats() -> None:
    far = sorted((a, b) for a, b in board(14) if 23 <= a <= b < 280 and a < 100)
    assert {(a + 8, b + 20) for a, b in far} == {(a, b) for a, b in board(14) if 31 <= a <= b < 300 and a < 108}
    assert all(len([b for x, b in far if x == a]) == 10 for a in range(23, 60))


@pytest.mark.parametrize("k", [2, 3, 4, 5, 8, 10, 13, 14])
def test_columns_have_k_positions(k: int) -> None:
    """Those of the first columns lie on the board as a whole."""
    columns = np.bincount([a for a, _ in board(k)], minlength=SIZE)
    assert set(columns[:70].tolist()) == {k}


def test_w4_lies_near_one_line() -> None:
    assert all(abs(b - (1 + 2**0.5) * a) < 4 for a, b in board(4) if 50 < a <= b)
