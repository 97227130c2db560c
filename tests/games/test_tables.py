"""P-positions in order, and tables of them."""

from __future__ import annotations

import json

import pytest

from fibprover.base.errors import FibproverError
from fibprover.frontends.display.text_table import Table, written
from fibprover.games.catalogue import game_of
from fibprover.games.positions import numbered_positions, representation
from fibprover.numeration.registry import system_named

#: Renard & Rigo, Table 4: (a_n,b_n) of K^3, n = 0, 1, ...
K3 = (
    (4, 5, 6, 7, 9, 11, 13, 15, 16, 18, 19, 21, 22, 24, 25, 27, 29, 30),
    (8, 10, 12, 14, 17, 20, 23, 26, 28, 31, 33, 36, 38, 41, 43, 46, 49, 51),
)

#: Table 5: those of K^4.
K4 = (
    (5, 6, 7, 8, 9, 11, 13, 15, 17, 19, 20, 22, 23, 25, 26, 28, 29, 31),
    (10, 12, 14, 16, 18, 21, 24, 27, 30, 33, 35, 38, 40, 43, 45, 48, 50, 53),
)


@pytest.mark.parametrize(("name", "printed"), [("terminal(3)", K3), ("terminal(4)", K4)])
def test_the_papers_tables(name: str, printed: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    found = numbered_positions(game_of(name), 18)
    assert found.symmetric
    assert found.rows == tuple(zip(range(18), *printed, strict=True))


def test_terminal_positions_have_negative_numbers() -> None:
    assert numbered_positions(game_of("terminal(1)"), 4, -2).rows == ((-2, 0, 0), (-1, 0, 1), (0, 2, 4), (1, 3, 6))
    assert numbered_positions(game_of("terminal(1)"), 2, 3).rows == ((3, 7, 12), (4, 8, 14))


def test_a_game_that_is_not_symmetric() -> None:
    """Only the first pile counts: P-positions are all (0,b)."""
    found = numbered_positions(game_of("j=0"), 3)
    assert (found.symmetric, found.rows) == (False, ((0, 0, 0), (1, 0, 1), (2, 0, 2)))


def test_more_terminal_positions_than_can_be_settled() -> None:
    """Of endlessly many terminal positions none is the last one."""
    with pytest.raises(FibproverError, match="settled"):
        numbered_positions(game_of("i=0 | j=0", "a=b & a<b+1"), 3, -2)


def test_representations() -> None:
    assert [representation(system_named("fib"), number) for number in (0, 1, 100)] == ["\u03b5", "1", "1000010100"]
    assert representation(system_named("wythoff_10"), 10) == "[10]"


TABLE = Table(("n", "a_n"), ((0, 4), (1, 15)), ("n", "a_n"), sideways=True)


def test_text() -> None:
    assert written(TABLE, "text", {}) == "n   | 0  1\na_n | 4 15"
    upright = Table(("a", "rep"), ((4, "101"), (15, "\u03b5")), ("a", "r"))
    assert written(upright, "text", {}) == " a | rep\n---+----\n 4 | 101\n15 |   \u03b5"


def test_csv() -> None:
    assert written(TABLE, "csv", {}) == "n,a_n\n0,4\n1,15"


def test_json() -> None:
    assert json.loads(written(TABLE, "json", {"game": "K"})) == {
        "game": "K", "columns": ["n", "a_n"], "rows": [[0, 4], [1, 15]],
    }


def test_latex() -> None:
    text = written(TABLE, "latex", {})
    assert text.splitlines() == [
        r"\begin{array}{r|rr}", r"n & 0 & 1 \\", r"\hline", r"a_n & 4 & 15 \\", r"\end{array}",
    ]
