"""Games by name: their rules against a description in Python, and texts that name none."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from fibprover.base.errors import FibproverError, SyntaxProblem, TextError, UnknownName
from fibprover.games.catalogue import (
    READY,
    blocking,
    game_named,
    game_of,
    mark,
    nim,
    queen,
    splithoff,
    terminal,
    wythoff,
)
from fibprover.games.rules import Game
from tests.oracle.games import holds
from tests.proofs.test_splithoff import options

VECTORS: list[tuple[Game, Callable[[int, int], bool]]] = [
    (nim(), lambda i, j: i == 0 or j == 0),
    (nim(2), lambda i, j: (i, j) in {(0, 2), (2, 0)}),
    (nim(1, 2, 3), lambda i, j: (i == 0 or j == 0) and 1 <= i + j <= 3),
    (nim(5, 1), lambda i, j: (i == 0 or j == 0) and i + j in (1, 5)),
    (wythoff(), lambda i, j: i == 0 or j == 0 or i == j),
    (wythoff(1, 1), lambda i, j: i == 0 or j == 0 or i == j),
    (wythoff(4), lambda i, j: i == 0 or j == 0 or abs(i - j) < 4),
    (wythoff(2, 3), lambda i, j: i == 0 or j == 0 or 0 < min(i, j) <= max(i, j) < 2 * min(i, j) + 3),
    (wythoff(3, 1), lambda i, j: i == 0 or j == 0 or 0 < min(i, j) <= max(i, j) < 3 * min(i, j) + 1),
    (queen(1, 2), lambda i, j: i == 0 or j == 0 or i == j or sorted((i, j)) == [1, 2]),
    (queen(5, 3), lambda i, j: i == 0 or j == 0 or i == j or sorted((i, j)) == [3, 5]),
    (queen(2, 2), lambda i, j: i == 0 or j == 0 or i == j),
    (terminal(3), lambda i, j: i == 0 or j == 0 or i == j),
    (blocking(3), lambda i, j: i == 0 or j == 0 or i == j),
]


@pytest.mark.parametrize(("game", "allowed"), VECTORS, ids=lambda item: str(item) if isinstance(item, Game) else "")
def test_vectors(game: Game, allowed: Callable[[int, int], bool]) -> None:
    i, j = np.meshgrid(range(20), range(20), indexing="ij")
    found = np.broadcast_to(holds(str(game.moves), {"i": i, "j": j}), i.shape)
    assert {(x, y) for x, y in np.argwhere(found).tolist() if x + y} == {
        (x, y) for x in range(20) for y in range(20) if x + y and allowed(x, y)
    }


@pytest.mark.parametrize("a", [1, 2, 3])
def test_splithoff(a: int) -> None:
    size, moves = 6, str(splithoff(a).moves)
    r, s = np.meshgrid(range(size), range(size), indexing="ij")
    for p in range(size):
        for q in range(size):
            found = holds(moves, {"p": p, "q": q, "r": r, "s": s})
            assert {tuple(cell) for cell in np.argwhere(found).tolist()} == options(p, q, a)


@pytest.mark.parametrize("d", [2, 3, 4])
def test_mark(d: int) -> None:
    size, moves = 9, str(mark(d).moves)
    r, s = np.meshgrid(range(size), range(size), indexing="ij")
    for p in range(size):
        for q in range(size):
            found = holds(moves, {"p": p, "q": q, "r": r, "s": s})
            one, other = ({n - k for k in range(1, d) if k <= n} | ({n // d} - {n}) for n in (p, q))
            expected = {(x, q) for x in one} | {(p, y) for y in other}
            assert {tuple(cell) for cell in np.argwhere(found).tolist()} == expected


def test_terminal_positions_and_blocking() -> None:
    assert (terminal(3).terminal, terminal(3).blocked) == ("a+b<=3", 0)
    assert (blocking(3).terminal, blocking(3).blocked) == ("", 2)
    assert blocking(1).blocked == 0
    assert all(not game.terminal and not game.blocked for game in (nim(), wythoff(3), splithoff()))


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("nim()", nim()), ("nim", nim()), ("nim(1,2,3)", nim(1, 2, 3)), (" wythoff ( 2 , 3 ) ", wythoff(2, 3)),
        ("wythoff", wythoff()), ("wythoff(5)", wythoff(5)), ("terminal(7)", terminal(7)),
        ("terminal(0)", terminal(0)), ("blocking(4)", blocking(4)), ("splithoff()", splithoff()),
        ("splithoff(1)", splithoff()), ("splithoff(2)", splithoff(2)), ("queen(1,2)", queen(1, 2)),
        ("mark(3)", mark(3)),
    ],
)
def test_names(text: str, game: Game) -> None:
    assert game_named(text) == game
    assert game_named(str(game)) == game


@pytest.mark.parametrize(
    ("text", "error", "place"),
    [
        ("", SyntaxProblem, ""),
        ("(3)", SyntaxProblem, "(3)"),
        ("terminl(7)", UnknownName, "terminl"),
        ("chess", UnknownName, "chess"),
        ("terminal", SyntaxProblem, "terminal"),
        ("terminal(1,2)", SyntaxProblem, "terminal(1,2)"),
        ("terminal(x)", SyntaxProblem, "x"),
        ("terminal(-1)", SyntaxProblem, "-1"),
        ("terminal(7) + 1", SyntaxProblem, "+ 1"),
        ("terminal(7", SyntaxProblem, "(7"),
        ("nim(1,,2)", SyntaxProblem, ","),
        ("nim(1,)", SyntaxProblem, ")"),
        ("nim(0,1)", SyntaxProblem, "0,1"),
        ("blocking(0)", SyntaxProblem, "0"),
        ("wythoff(1,2,3)", SyntaxProblem, "wythoff(1,2,3)"),
        ("splithoff(__import__)", SyntaxProblem, "__import__"),
    ],
)
def test_texts_that_name_no_game(text: str, error: type[TextError], place: str) -> None:
    with pytest.raises(error) as caught:
        game_named(text)
    assert text[caught.value.start : caught.value.end].strip() == place
    assert caught.value.hint


def test_errors_list_the_ready_made_games() -> None:
    with pytest.raises(UnknownName) as caught:
        game_named("chess")
    assert all(name in str(caught.value) for name in READY)
    with pytest.raises(UnknownName, match=r"did you mean terminal\?"):
        game_named("terminl(7)")
    with pytest.raises(FibproverError, match="the name of a game"):
        game_named(7)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [lambda: nim(0), lambda: wythoff(0), lambda: wythoff(1, 2, 3), lambda: terminal(-1),
                                   lambda: blocking(0), lambda: splithoff(0), lambda: nim(True),
                                   lambda: terminal("3")])  # type: ignore[arg-type]
def test_numbers_that_make_no_game(wrong: Callable[[], Game]) -> None:
    with pytest.raises(FibproverError):
        wrong()


def test_an_error_shows_the_number_in_the_name_of_a_paper() -> None:
    with pytest.raises(SyntaxProblem) as refused:
        game_named("W^0")
    assert (refused.value.text, refused.value.start, refused.value.end) == ("W^0", 2, 3)


@pytest.mark.parametrize(
    ("written", "call"), [("K2", "terminal(2)"), (" K^13 ", "terminal(13)"), ("W^4", "blocking(4)")]
)
def test_games_have_the_names_of_papers(written: str, call: str) -> None:
    assert game_named(written) == game_named(call) == game_of(written)


def test_rules_that_are_no_formula_say_how_they_are_written() -> None:
    with pytest.raises(SyntaxProblem) as raised:
        game_of("take 1 or 2")
    assert "i=0 | j=0" in (raised.value.hint or "")
