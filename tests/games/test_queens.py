"""Residuals of queens' positions against the positions themselves, and the automata that are inferred from them."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import fibprover as fp
from fibprover.base.errors import LimitError
from fibprover.games import kernel_calls, queens, search
from fibprover.games.catalogue import game_named
from fibprover.games.positions import positions
from fibprover.games.queens import far_digits, far_set, most_bound, queen_steps
from fibprover.games.search import find_automaton
from fibprover.infer.prefixes import Blocks, prefix_blocks
from fibprover.infer.residuals import infer_set
from fibprover.workspace.walnut import automaton_text
from tests.proofs.chapters import PROOFS

FIB = fp.system_named("msd_fib")
WORD = (1 << 64) - 1


def queen(steps: Sequence[tuple[int, int]]) -> fp.Game:
    return fp.Game(" | ".join(["i=0", "j=0", "i=j", *(f"(i={i} & j={j})" for i, j in steps)]))


def first_numbers(prefixes: int, depth: int) -> list[int]:
    """Return the first number of each block, and the end of the last one: representations followed by zeros."""
    return [FIB.value((*FIB.represent(k), *(0 for _ in range(depth)))) for k in range(prefixes + 1)]


def test_blocks_are_the_numbers_with_a_prefix() -> None:
    blocks = prefix_blocks(FIB, 10)
    assert blocks.bound == FIB.value((1, *(0 for _ in range(10)))) and blocks.depths == 8
    for depth in range(blocks.depths):
        starts = blocks.starts[blocks.begins[depth] : blocks.begins[depth + 1]].tolist()
        assert starts == first_numbers(blocks.prefixes(depth), depth)
        for number in range(starts[-1]):
            digits = FIB.represent(number)
            prefix = digits[: max(0, len(digits) - depth)]
            assert bisect_right(starts, number) - 1 == FIB.value(prefix)
    assert [blocks.prefixes(depth) for depth in (0, 3, 4, 7)] == [34, 34, 21, 5]


def mixed(x: int) -> int:
    x = (x ^ (x >> 31)) * 0x7FB5D329728EA185 & WORD
    x = (x ^ (x >> 27)) * 0x81DADEF4BC2DD44D & WORD
    return x ^ (x >> 33)


@pytest.mark.parametrize(("steps", "value"), [
    ((), 0), ((), 1), ((), 2), ((), 3), (((1, 2), (2, 1)), 0), (((1, 2), (2, 1)), 1), (((1, 2), (2, 1)), 2),
    (((3, 5), (5, 3)), 0), (((3, 5), (5, 3)), 2), (((1, 1), (2, 3), (3, 2), (1, 4), (4, 1)), 0),
    (((1, 3), (3, 1), (5, 7), (7, 5)), 1),
])
def test_sums_are_those_of_the_positions(steps: tuple[tuple[int, int], ...], value: int) -> None:
    """The general solvers have the same positions."""
    blocks = prefix_blocks(FIB, 12)
    found = kernel_calls.queen_residuals(steps, value, blocks)
    data = [(a, b) for a, b in positions(queen(steps), blocks.bound, value=value) if a <= b]
    assert found.members == len(data)
    expected: Counter[tuple[int, int, int]] = Counter()
    for depth in range(blocks.depths):
        starts = blocks.starts[blocks.begins[depth] : blocks.begins[depth + 1]]
        for a, b in data:
            if b < starts[-1]:
                first, second = (int(np.searchsorted(starts, x, "right")) - 1 for x in (a, b))
                hashed = mixed((a - int(starts[first])) * 0x9E3779B97F4A7C15 + 1 & WORD)
                expected[depth, first, second] += mixed(hashed + b - int(starts[second]) & WORD)
    sums: Counter[tuple[int, int, int]] = Counter()
    columns = (each.tolist() for each in (found.depths, found.first, found.second, found.sums))
    for depth, first, second, item in zip(*columns, strict=True):
        sums[depth, first, second] += item
    assert {key: item & WORD for key, item in sums.items()} == {key: item & WORD for key, item in expected.items()}


@pytest.mark.parametrize(("steps", "value", "digits", "states"), [
    ((), 0, 16, 7), pytest.param(((2, 3), (3, 2)), 0, 30, 307, marks=pytest.mark.long),
    (((1, 4), (4, 1)), 0, 24, 41), ((), 1, 32, 825),
])
def test_what_is_inferred_is_what_all_positions_show(
    steps: tuple[tuple[int, int], ...], value: int, digits: int, states: int
) -> None:
    found = far_set(steps, value, FIB, digits)
    data = positions(queen(steps), 1 << 18, value=value)
    known = infer_set(np.stack([data.a, data.b], axis=1), data.bound, FIB, ("a", "b"))
    assert (found.automaton, found.states) == (known.automaton, states)
    assert found.unknown == found.errors == 0 and found.margin > 0
    if not value:
        assert found.positions == len(positions(queen(steps), found.bound))


def test_what_is_not_complete_is_not_trusted() -> None:
    """The automaton of Maharaja Nim has 1975 states, and 1346269 is too small a bound to find them all."""
    found = far_set(((1, 2), (2, 1)), 0, FIB, 29)
    assert found.bound == 1346269 and found.states < 1975
    assert found.unknown and found.margin < 0


def test_which_games_are_queens() -> None:
    assert queen_steps(game_named("queen(1,2)")) == ((1, 2), (2, 1))
    assert queen_steps(game_named("wythoff()")) == ()
    others = [
        "nim()", "wythoff(2)", "terminal(2)", "blocking(2)", "mark(2)",
        fp.Game("i=0 | j=0 | i=j | (i=1 & j=2)"), fp.Game("i=0 | j=0 | i=j | i=2*j | j=2*i"),
        game_named("wythoff()").in_misere_play(),
    ]
    assert [queen_steps(fp.games.catalogue.as_game(each)) for each in others] == [None] * len(others)


def test_bounds_rise_to_the_largest() -> None:
    digits = list(far_digits(FIB, 10**9))
    bounds = [FIB.value((1, *(0 for _ in range(count)))) for count in digits]
    assert bounds == sorted(set(bounds)) and bounds[0] > queens.KEPT_BOUND
    assert bounds[-1] <= 10**9 < FIB.value((1, *(0 for _ in range(digits[-1] + 1))))


@pytest.mark.parametrize(("name", "value", "largest", "states"), [
    ("queen(2,3)", 0, 400_000, 307), pytest.param("wythoff()", 1, 20_000_000, 825, marks=pytest.mark.long),
])
def test_the_search_goes_on_with_residuals(
    monkeypatch: pytest.MonkeyPatch, name: str, value: int, largest: int, states: int
) -> None:
    monkeypatch.setattr(search, "BOUNDS", (3000,))
    for module in (search, queens):
        monkeypatch.setattr(module, "KEPT_BOUND", 3000)
    lines: list[str] = []
    found = find_automaton(
        game_named(name), "msd_fib", limits=fp.Limits(seconds=100), largest=largest, value=value, notify=lines.append
    )
    assert found and found.candidate is not None
    assert (found.candidate.states, found.data.bound) == (states, 3000)
    assert 3000 < found.candidate.bound == found.attempts[-1].bound <= largest
    assert found.attempts[-1].outcome == "proved" and found.attempts[-1].positions == found.candidate.positions
    assert any("residuals" in line for line in lines)


def test_a_bound_that_the_solver_for_all_positions_refuses() -> None:
    assert most_bound(game_named("queen(1,2)")) > most_bound(game_named("wythoff(2)"))
    with pytest.raises(LimitError):
        fp.discover("wythoff(2)", largest=1 << 30)
    with pytest.raises(LimitError):
        fp.discover("queen(1,2)", largest=1 << 37)
    found = fp.discover("queen(1,2)", "msd_fib", largest=1 << 36, limits=fp.Limits(seconds=1))
    assert found.status == "undecided"


def malformed() -> dict[str, tuple[Any, ...]]:
    good = [0, 1, 2, 3], [0, 4]
    return {
        "no depth": ([0, 1], [0]),
        "blocks that fall": ([0, 2, 1], [0, 3]),
        "blocks from 1 on": ([1, 2, 3], [0, 3]),
        "beyond the end": (good[0], [0, 9]),
        "no block": (good[0], [0, 1]),
    }


@pytest.mark.parametrize("name", malformed())
def test_malformed_blocks(name: str) -> None:
    starts, begins = (np.array(each, np.int64) for each in malformed()[name])
    with pytest.raises(fp.FibproverError):
        kernel_calls.queen_residuals((), 0, Blocks(starts, begins, starts, 100, 4))


def test_numbers_out_of_range() -> None:
    blocks = prefix_blocks(FIB, 8)
    for steps, value in (((1 << 20, 1), 0), ((0, 1), 0), ((1, 2), 101), ((1, 2), -1)):
        with pytest.raises(LimitError):
            kernel_calls.queen_residuals((steps,), value, blocks)
    with pytest.raises(LimitError):
        prefix_blocks(FIB, 3)


@pytest.mark.very_long
def test_maharaja_nim() -> None:
    """The automaton of proofs/other_games.py is inferred, and proved, from the rules alone."""
    found = find_automaton(
        game_named("queen(1,2)"), "msd_fib", limits=fp.Limits(cpu_seconds=1500), largest=7_778_742_049
    )
    assert found and found.candidate is not None and found.candidate.states == 1975
    text = (PROOFS / "automata" / "other_games" / "queen_1_2.txt").read_text()
    assert automaton_text(found.candidate.automaton) == text
