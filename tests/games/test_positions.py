"""P-positions by every solver against the plain twin, and what is asked wrongly."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fibprover.base.errors import BudgetSpent, FibproverError, LimitError
from fibprover.base.limits import Limits, peak_bytes, reset_peak, resident_bytes
from fibprover.games.catalogue import as_game, blocking, nim, splithoff, terminal, wythoff
from fibprover.games.positions import positions
from fibprover.games.rules import Game
from fibprover.games.shapes import lines_of
from tests.oracle import games as reference

from .boards import by_regions, by_table, check_shape, solved
from .rules_at_random import formulas, lines, terminals

ON_LINES = [
    nim(), wythoff(), *map(wythoff, (2, 3, 5)), *map(terminal, (0, 1, 2, 3, 7)), *map(blocking, (2, 3, 4, 9)),
    Game.by_vectors("i=0 | j=0 | i=2*j | j=2*i", blocked=2),
    Game.by_vectors("i=2*j+1 | (j=i+4 & i>2)", "a<3 | b=a+2 | a+2*b=20", 1),
    Game.by_vectors("j=0 | (2*i<=3*j+3 & 3*j<=2*i+2)"),
    Game.by_vectors("j=3*i", "a=4"),
    Game.by_vectors("i=j", "a>=b & a<=b+3", 3),
    Game.by_vectors("(i=1 & j=2) | (i=2 & j=1) | i=0 | i=j", blocked=1),
    Game.by_vectors("(i=1 & j=2) | (i=2 & j=1) | i=0 | j=0 | i=j"),
    Game.by_vectors("(i=0 & j<5) | (i<4 & j<=2*i) | j=0 | i=j+7", "a+2*b=20 | a<3", 2),
    Game.by_vectors("(2*i+3*j<12 & i>j) | i=j"),
]

IN_REGIONS = [
    nim(1, 2, 3), nim(1, 4), wythoff(2, 1), wythoff(2, 3), wythoff(4, 4),
    Game.by_vectors("i<=j & j<=2*i", "a+b<=2", 2),
    Game.by_vectors("i>3 | j=2", "b=0"),
    Game.by_vectors("0=0"),
    Game.by_vectors("0=1"),
]

MISERE = [replace(game, blocked=0).in_misere_play() for game in IN_REGIONS]

STEPS = [
    splithoff(), splithoff(2), splithoff(3),
    Game.by_steps("r+s<p+q & r<=p & s<=p & p=r+s", blocked=1),
    Game.by_steps("r+s<p+q & (r=0 | s=q)", "a=b & a<4"),
    Game.by_steps("r=p+1 & s+2<=q"),
    Game.by_steps("r=p+q-1 & s=0 | p+s=q+r & r<p"),
    Game.by_steps("(r=2*p+1 & 2*r+s<=p+q) | (s=2*q+p & s<p+q)", "a=3", 1),
]


@pytest.mark.parametrize("game", ON_LINES, ids=str)
def test_lines(game: Game) -> None:
    assert game.vector_regions is not None and lines_of(game.vector_regions) is not None
    expected = reference.p_positions(game, 70)
    assert np.array_equal(solved(game, 70), expected)
    assert np.array_equal(by_regions(game, 70, box=True), expected)


@pytest.mark.long
def test_wythoff_on_a_board_with_several_levels_of_blocks() -> None:
    """The positions are (floor(n phi), floor(n phi) + n), and the same with the piles exchanged."""
    bound = 1 << 21
    found = positions(wythoff(), bound)
    n = np.arange(bound // 2, dtype=np.int64)
    root = np.sqrt(5.0 * n * n).astype(np.int64)
    root += ((root + 1) ** 2 <= 5 * n * n).astype(np.int64) - (root**2 > 5 * n * n)
    first = (n + root) // 2
    second = first + n
    kept = second < bound
    below = found.a <= found.b
    assert np.array_equal(found.a[below], first[kept]) and np.array_equal(found.b[below], second[kept])
    order = np.argsort(found.b[~below])
    assert np.array_equal(found.b[~below][order], found.a[below][1:])
    assert np.array_equal(found.a[~below][order], found.b[below][1:])


@pytest.mark.parametrize("game", IN_REGIONS, ids=str)
def test_regions(game: Game) -> None:
    assert game.vector_regions is not None and (lines_of(game.vector_regions) is None or not game.vector_regions)
    assert np.array_equal(solved(game, 60), reference.p_positions(game, 60))


@pytest.mark.parametrize("game", STEPS, ids=str)
def test_steps(game: Game) -> None:
    assert np.array_equal(solved(game, 22), reference.p_positions(game, 22))


@pytest.mark.parametrize("game", [*ON_LINES, *IN_REGIONS, *STEPS], ids=str)
def test_misere_play(game: Game) -> None:
    size = 18 if game in STEPS else 45
    misere = replace(game, blocked=0).in_misere_play()
    expected = reference.p_positions(misere, size)
    assert np.array_equal(solved(misere, size), expected)
    assert not expected[0, 0]


def test_no_options_are_blocked_in_misere_play() -> None:
    """Who has no option that is not blocked would win: it is not enough to count the P-positions among the options."""
    with pytest.raises(FibproverError, match="misere"):
        blocking(2).in_misere_play()


def test_misere_play_of_functions() -> None:
    knight = Game.by_function(lambda i, j: (i, j) in ((1, 2), (2, 1), (3, 0)), "a=4 & b=7").in_misere_play()
    assert np.array_equal(solved(knight, 25), reference.p_positions(knight, 25))
    king = Game.by_function(lambda p, q: [(p - 1, q)] if p else [], options=True).in_misere_play()
    assert np.array_equal(solved(king, 9), reference.p_positions(king, 9))


@pytest.mark.parametrize("game", [*ON_LINES[:6], *IN_REGIONS[:5], *MISERE], ids=str)
def test_tables_and_functions(game: Game) -> None:
    size = 40
    i, j = np.meshgrid(range(size), range(size), indexing="ij")
    table = np.broadcast_to(reference.holds(str(game.moves), {"i": i, "j": j}), i.shape)
    expected = reference.p_positions(game, size)
    assert np.array_equal(by_table(game, table), expected)
    by_vectors = Game.by_function(lambda i, j: bool(table[i, j]), game.terminal, game.blocked)
    by_vectors = replace(by_vectors, misere=game.misere)
    assert np.array_equal(solved(by_vectors, size), expected)
    assert np.array_equal(reference.p_positions(by_vectors, size), expected)

    def options(p: int, q: int) -> list[tuple[int, int]]:
        return [(p - i, q - j) for i in range(p + 1) for j in range(q + 1) if i + j and table[i, j]]

    by_options = replace(Game.by_function(options, game.terminal, game.blocked, options=True), misere=game.misere)
    assert np.array_equal(solved(by_options, 15), expected[:15, :15])
    assert np.array_equal(reference.p_positions(by_options, 9), expected[:9, :9])


@pytest.mark.long
@settings(max_examples=40)
@given(lines(), terminals(), st.integers(0, 4), st.booleans())
def test_random_lines(moves: str, ends: str, blocked: int, misere: bool) -> None:
    game = Game.by_vectors(moves, ends, 0).in_misere_play() if misere else Game.by_vectors(moves, ends, blocked)
    expected = reference.p_positions(game, 30)
    assert np.array_equal(solved(game, 30), expected)
    if game.step_regions is not None and game.terminal_regions is not None:
        assert np.array_equal(by_regions(game, 30, box=True), expected)
        triangle = np.add.outer(range(30), range(30)) < 30
        assert np.array_equal(by_regions(game, 30, box=False), expected & triangle)


@pytest.mark.long
@settings(max_examples=40)
@given(formulas(("i", "j")), terminals(), st.integers(0, 4), st.booleans())
def test_random_vectors(moves: str, ends: str, blocked: int, misere: bool) -> None:
    game = Game.by_vectors(moves, ends, 0).in_misere_play() if misere else Game.by_vectors(moves, ends, blocked)
    expected = reference.p_positions(game, 24)
    assert np.array_equal(solved(game, 24), expected)
    i, j = np.meshgrid(range(24), range(24), indexing="ij")
    table = np.broadcast_to(reference.holds(moves, {"i": i, "j": j}), i.shape)
    assert np.array_equal(by_table(game, table), expected)


@pytest.mark.long
@settings(max_examples=60)
@given(formulas(("p", "q", "r", "s")), terminals(), st.integers(0, 4))
def test_random_steps(moves: str, ends: str, blocked: int) -> None:
    game = Game.by_steps(f"r+s<p+q & ({moves})", ends, blocked)
    assert np.array_equal(solved(game, 9), reference.p_positions(game, 9))


@pytest.mark.parametrize("blocked", [0, 2])
@pytest.mark.parametrize("ends", ["", "a+b<=3", "Ek a=2*k+1 & b=3*a"])
def test_rules_that_are_no_polyhedra(ends: str, blocked: int) -> None:
    vectors = Game.by_vectors("i=0 | j=0 | (i=j & Ek i=2*k)", ends, blocked)
    steps = Game.by_steps("(p=r & s<q) | (q=s & r<p) | (p+s=q+r & (Ek p=r+2*k & k>0))", ends, blocked)
    assert vectors.vector_regions is None and steps.step_regions is None
    expected = reference.p_positions(vectors, 24)
    assert np.array_equal(solved(vectors, 24), expected)
    assert np.array_equal(solved(steps, 24), expected)
    assert np.array_equal(solved(Game.by_vectors("i=0 | j=0", ends, blocked), 24),
                          reference.p_positions(Game.by_vectors("i=0 | j=0", ends, blocked), 24))


def test_large_coordinates() -> None:
    """The compiled solvers on boards of several blocks, against each other and against known sequences."""
    golden = (1 + 5**0.5) / 2
    found = positions(wythoff(), 20000)
    check_shape(found)
    below = found.a <= found.b
    n = np.arange(below.sum())
    assert np.array_equal(found.a[below], np.floor(n * golden))
    assert np.array_equal(found.b[below], found.a[below] + n)
    for game in (blocking(5), terminal(6), wythoff(7)):
        found = positions(game, 1500)
        assert np.array_equal(solved(game, 1500), by_regions(game, 1500, box=True))


#: Renard & Rigo, Table 3: (a_n,b_n) of K^1 but for (0,0).
K1 = [(0, 1), (2, 4), (3, 6), (5, 9), (7, 12), (8, 14), (10, 17), (11, 19), (13, 22), (15, 25)]


def test_the_positions_of_the_paper() -> None:
    found = positions(terminal(1), 26)
    assert [(a, b) for a, b in zip(found.a.tolist(), found.b.tolist(), strict=True) if a <= b] == [(0, 0), *K1]
    assert found.terminal == 3


def test_counts_and_membership() -> None:
    found = positions(terminal(3), 100)
    assert found.terminal == 10 and len(found) == len(found.a)
    assert (0, 3) in found and (3, 0) in found and (0, 4) not in found
    assert (np.int64(1), np.int64(2)) in found
    assert (-1, 3) not in found and "x" not in found and (1, 2, 3) not in found and (0.0, 3) not in found
    with pytest.raises(FibproverError, match="below 100"):
        (100, 3) in found  # noqa: B015
    assert repr(found) == f"Positions(terminal(3), {len(found)} below 100, 10 of them terminal)"
    with pytest.raises(ValueError, match="read-only"):
        found.a[0] = 1
    with pytest.raises(AttributeError):
        found.bound = 3  # type: ignore[misc]


@pytest.mark.parametrize("game", [wythoff(), wythoff(2, 2), splithoff(), Game.by_function(lambda i, j: True)], ids=str)
def test_small_bounds(game: Game) -> None:
    empty = positions(game, 0)
    check_shape(empty)
    assert len(empty) == 0 and empty.terminal == 0
    one = positions(game, 1)
    check_shape(one)
    assert one.a.tolist() == one.b.tolist() == [0]


@pytest.mark.parametrize("bound", [-1, 2.0, "10", None, True, 10**12, 10**40])
def test_bounds_that_are_none(bound: Any) -> None:
    with pytest.raises(LimitError, match="bound"):
        positions(wythoff(), bound)


def test_bounds_that_are_too_large_for_a_solver() -> None:
    for game, bound in (
        (wythoff(2, 2), 1 << 28), (Game.by_function(lambda i, j: True), 1 << 16),
        (Game.by_vectors("Ek i=2*k"), 1 << 16), (Game.by_vectors("i=0", "Ek a=2*k"), 1 << 16),
        (Game.by_function(lambda p, q: [], options=True), 1 << 13),
        (Game.by_steps("p=r & (Ek q=s+2*k & k>0)"), 1 << 13),
    ):
        with pytest.raises(LimitError, match=f"{bound}"):
            positions(game, bound)


def test_numbers_that_are_too_large() -> None:
    huge = Game.by_vectors(f"i=0 | i=j+{10**30}")
    with pytest.raises(LimitError):
        positions(huge, 10)
    assert solved(Game.by_vectors("i=0 | j=0", f"a+b<={10**12}"), 10).all()


def test_many_blocked_options() -> None:
    assert solved(Game.by_vectors("i=0 | j=0 | i=j", blocked=10**6), 30).all()
    few = Game.by_function(lambda i, j: i < 2, blocked=10**6)
    with pytest.raises(LimitError, match="1000000 blocked"):
        positions(few, 30)


@pytest.mark.parametrize(
    "game",
    [
        wythoff(), wythoff(2, 2), splithoff(2), Game.by_vectors("Ek i+j=2*k"),
        Game.by_function(lambda i, j: i == j), Game.by_function(lambda p, q: [], options=True),
        Game.by_steps("p=r & (Ek q=s+2*k & k>0)"),
    ],
    ids=str,
)
def test_a_spent_budget(game: Game) -> None:
    budget = Limits(seconds=1e-9).start()
    with pytest.raises(BudgetSpent) as caught:
        positions(game, 2000, budget)
    assert caught.value.resource == "seconds" and "0 states" not in str(caught.value)


def test_memory_is_limited() -> None:
    with pytest.raises(BudgetSpent) as caught:
        positions(Game.by_vectors("i=0", "a>=0"), 20000, Limits(bytes=400 << 20).start())
    assert caught.value.resource == "bytes"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (lambda p, q: [(p, q)], r"\(0,0\) to \(0,0\)"),
        (lambda p, q: [(p - 1, q)], r"\(0,0\) to \(-1,0\)"),
        (lambda p, q: 7, r"the options of \(0,0\).* 7"),
        (lambda p, q: [7], r"a position \(r,s\).* 7"),
        (lambda p, q: [(0, 0, 0)], r"a position \(r,s\)"),
    ],
)
def test_options_that_are_none(options: Any, message: str) -> None:
    with pytest.raises(FibproverError, match=message):
        positions(Game.by_function(options, options=True), 5)


def test_errors_of_a_function_are_its_own() -> None:
    with pytest.raises(ZeroDivisionError):
        positions(Game.by_function(lambda i, j: 1 // 0 > 0), 5)


def test_options_beyond_the_bound() -> None:
    """A long way through large piles, each asked for its options once."""
    asked: list[tuple[int, int]] = []

    def options(p: int, q: int) -> list[tuple[int, int]]:
        asked.append((p, q))
        return [(p + q - 1, 0)] if p + q else []

    found = positions(Game.by_function(options, options=True), 40)
    assert len(asked) == len(set(asked))
    assert {(int(a), int(b)) for a, b in zip(found.a, found.b, strict=True)} == {
        (a, b) for a in range(40) for b in range(40) if (a + b) % 2 == 0
    }


def test_positions_are_iterated_and_shown() -> None:
    found = positions(wythoff(), 8)
    assert list(found) == [(0, 0), (1, 2), (2, 1), (3, 5), (4, 7), (5, 3), (7, 4)]
    assert all(pair in found for pair in found)
    assert str(found).splitlines()[1] == "  (0, 0), (1, 2), (2, 1), (3, 5), (4, 7), (5, 3), (7, 4)"
    assert "7 P-positions" in str(found)
    assert "(3, 5)" in found._repr_html_()
    assert str(positions(wythoff(), 100)).endswith(", ...")
    assert "\n" not in str(positions(wythoff(), 0))


@pytest.mark.parametrize(("moves", "bound"), [
    ("i=0 | j=0 | 5*i=j", 1 << 27), ("i=0 | j=0 | (Ek i=2*k)", 1 << 14), ("nim3()", 8000),
    ("i<=1 & j<=1", 1 << 14), ("p=r & s<q & (Ek q=2*k)", 1 << 12),
])
def test_arrays_for_which_there_is_no_room_are_not_made(moves: str, bound: int) -> None:
    """They would be taken at once, where no limit is looked at."""
    game = as_game(moves)
    reset_peak()
    held = resident_bytes()
    with pytest.raises((BudgetSpent, LimitError)):
        positions(game, bound, Limits(bytes=held + (10 << 20), cpu_seconds=5).start())
    assert (peak_bytes() or held) < held + (60 << 20)


@pytest.mark.parametrize("number", [10**9, 2**31, 2**63 - 1, 2**63, 10**24, 10**400])
@pytest.mark.parametrize("moves", [
    "i=0 | j=0 | (i=j & i<{})", "i=0 | j=0 | (i=j & j>={})", "i<={0} & j<={0}", "i={0} & j={0}", "i=0 | j=0 | i=j+{}",
    "i=0 | j=0 | {}*i=j", "terminal({})", "blocking({})", "queen({0},{0})", "(p=r & s<q) | (q=s & r+{}<p)",
])
def test_numbers_of_any_size_in_rules(moves: str, number: int) -> None:
    """They are small enough for the solver, or the error says so."""
    with pytest.raises(FibproverError) if number > 2**70 else suppress(FibproverError):
        assert len(positions(moves.format(number), 8, Limits(cpu_seconds=2, bytes=16 << 30).start())) <= 64
