"""Boards: which squares are drawn, in which colour, and what is refused."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fibprover.base.errors import FibproverError, LimitError
from fibprover.frontends.display.board import board
from fibprover.frontends.display.board_svg import MOST_SQUARES, Layer, to_board
from fibprover.games.catalogue import as_game
from tests.cli.command import answer
from tests.oracle import games as reference

SVG = "{http://www.w3.org/2000/svg}"
ROOT = Path(__file__).resolve().parents[2]
_RUN = re.compile(r"M(\d+) (\d+)h(\d+)v10h-(\d+)z")

Position = tuple[int, int]
POSITIONS = st.frozensets(st.tuples(st.integers(0, 8), st.integers(0, 8)))


def squares(svg: str, size: int) -> list[set[Position]]:
    """The squares of each colour, in the order of the legend, read back from the drawing."""
    found = []
    for path in ElementTree.fromstring(svg).iter(f"{SVG}path"):
        if path.get("fill"):
            cells: set[Position] = set()
            for left, top, length, back in _RUN.findall(path.attrib["d"]):
                assert length == back
                x, y = (int(left) - 34) // 10, size - 1 - (int(top) - 14) // 10
                run = {(x + i, y) for i in range(int(length) // 10)}
                assert not run & cells
                cells |= run
            found.append(cells)
    return found


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


@given(POSITIONS, st.integers(1, 9))
def test_one_set(positions: frozenset[Position], size: int) -> None:
    svg = to_board([Layer("P", positions)], size)
    assert squares(svg, size) == [{(x, y) for x, y in positions if x < size and y < size}]
    assert "P" in texts(svg)


@given(POSITIONS, POSITIONS)
def test_two_sets(one: frozenset[Position], other: frozenset[Position]) -> None:
    svg = to_board([Layer("A<", one), Layer("B", other)], 9)
    assert squares(svg, 9) == [one - other, other - one, one & other]
    assert {"A< only", "B only", "both"} <= set(texts(svg))


def test_runs_are_joined_within_a_row_only() -> None:
    svg = to_board([Layer("P", frozenset({(0, 0), (1, 0), (3, 0), (0, 1), (2, 1)}))], 4)
    (path,) = (path for path in ElementTree.fromstring(svg).iter(f"{SVG}path") if path.get("fill"))
    assert len(_RUN.findall(path.attrib["d"])) == 4
    assert path.attrib["d"].startswith("M34 44h20v10h-20z")


def test_axes() -> None:
    drawn = texts(to_board([Layer("P", frozenset())], 25, x="a", y="b"))
    assert drawn == ["0", "0", "10", "10", "20", "20", "a", "b", "P"]
    assert "50" in texts(to_board([Layer("P", frozenset())], 201)) and "10" not in texts(
        to_board([Layer("P", frozenset())], 201)
    )


def test_what_is_refused() -> None:
    layer = Layer("P", frozenset())
    with pytest.raises(FibproverError, match="at least one square"):
        to_board([layer], 0)
    with pytest.raises(LimitError, match="at most"):
        to_board([layer], MOST_SQUARES + 1)
    for layers in ([], [layer] * 9):
        with pytest.raises(FibproverError, match="one to 8 sets"):
            to_board(layers, 3)


# -- the command ------------------------------------------------------------------------------------


@pytest.fixture
def games(tmp_path: Path) -> list[str]:
    script = tmp_path / "games.txt"
    script.write_text('def less "?msd_fib x<y"; def both "?msd_fib x=y"; def one "x<3"; def diagonal "b=a";')
    return ["--load", str(script)]


def test_a_predicate_on_standard_output(capsys: pytest.CaptureFixture[str], games: list[str]) -> None:
    said = answer(capsys, "board", *games, "less", "--size", "4")
    assert (said.status, said.err) == (0, "")
    assert squares(said.out, 4) == [{(x, y) for x in range(4) for y in range(4) if x < y}]


def test_a_game_needs_no_brackets(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "board", "wythoff", "--label", "P", "--size", "9")
    assert said.status == 0 and said.out == answer(capsys, "board", "wythoff()", "--label", "P", "--size", "9").out


def test_two_predicates_in_a_file(capsys: pytest.CaptureFixture[str], games: list[str], tmp_path: Path) -> None:
    file = tmp_path / "two.svg"
    assert answer(capsys, "board", *games, "$less", "x<=y", "--size", "3", "-o", str(file)).status == 0
    assert squares(file.read_text(), 3) == [set(), {(0, 0), (1, 1), (2, 2)}, {(0, 1), (0, 2), (1, 2)}]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["les"], "unknown predicate les\n  hint: did you mean less?"),
        (["one"], "the predicate is about 1"),
        (["x<3"], "the variables are (x)"),
        (["x=0&y=0&z=0"], "the variables are (x, y, z)"),
        (["1=1"], "it has no free variables"),
        (["less"] * 9, "one to 8 sets, not 9"),
        (["less", "-o", "board.bmp"], "the name of a board must be *.svg, *.png or *.pdf"),
        (["less", "--label", "a", "--label", "b"], "2 labels for 1 set"),
        (["less", "--line", "psi"], "  psi\n  ^"),
        (["less", "--line", "1,2,3"], "a slope and an intercept, not 3"),
        (["less", "--line", "1/0"], "divides by 0"),
        (["terminal()", "--size", "3"], "terminal takes 1 number"),
        (["unknown(3)"], "unknown"),
        (["less", "--size", "0"], "0"),
        (["less", "--size", "5000"], "at most 1000"),
    ],
)
def test_mistakes(capsys: pytest.CaptureFixture[str], games: list[str], arguments: list[str], said: str) -> None:
    answered = answer(capsys, "board", *games, *arguments)
    assert answered.status == 2
    assert said in answered.err


@pytest.mark.parametrize(("sets", "file"), [(["K2", "K3"], "k2k3"), (["W2"], "w2"), (["W3"], "w3")])
def test_the_boards_of_the_documentation(capsys: pytest.CaptureFixture[str], sets: list[str], file: str) -> None:
    names = ["--load", str(ROOT / "docs/games.txt"), "--words", str(ROOT / "proofs/words.json")]
    assert answer(capsys, "board", *names, *sets).out == (ROOT / f"docs/img/{file}.svg").read_text()


def test_values_in_colours() -> None:
    """Each square of a board has the colour of the value that the legend gives it, as brute force has it."""
    made = board("wythoff()", size=12, value=3)
    assert [layer.name for layer in made.layers] == [f"wythoff(), value {value}" for value in range(4)]
    values = reference.grundy(as_game("wythoff()"), 12)
    assert squares(made.svg, 12) == [
        {(a, b) for a in range(12) for b in range(12) if values[a, b] == value} for value in range(4)
    ]
    assert len({layer.colour for layer in made.layers}) == 4
    for value, name in enumerate(layer.name for layer in made.layers):
        fill = made.layers[value].colour
        assert re.search(rf'fill="{fill}"/>\s*<text[^>]*>{re.escape(name)}<', made.svg)


def test_values_that_are_not_shown() -> None:
    with pytest.raises(FibproverError, match="single game"):
        board("wythoff()", "nim()", value=1)
    with pytest.raises(LimitError):
        board("nim()", value=21)
    with pytest.raises(FibproverError, match="blocked"):
        board("blocking(2)", value=1)
    assert len(board("nim()", value=20, size=5).layers) == 21


def test_values_on_the_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "values.svg"
    asked = ("game", "wythoff()", "--value", "2", "--positions", "9", "--board", str(file), "--size", "9")
    assert answer(capsys, *asked).status == 0
    assert file.read_text() == board("wythoff()", size=9, value=2).svg
    assert answer(capsys, *asked, "--compare", "nim()").status == 0
    values = [reference.grundy(as_game(name), 9) for name in ("wythoff()", "nim()")]
    first, second = ({(a, b) for a in range(9) for b in range(9) if each[a, b] == 2} for each in values)
    assert squares(file.read_text(), 9) == [first - second, second - first, first & second]
