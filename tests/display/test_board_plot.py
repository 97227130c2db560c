"""Boards of several sets with lines, as SVG and by matplotlib."""

from __future__ import annotations

import io
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fibprover as fp
from fibprover.base.errors import FibproverError, LimitError, NotInstalled
from fibprover.frontends.display.board_lines import Line, line_of
from fibprover.frontends.display.board_svg import Layer, coloured, to_board
from tests.cli.command import answer
from tests.display.structure import squares

POSITIONS = st.frozensets(st.tuples(st.integers(0, 9), st.integers(0, 9)))


@given(st.lists(POSITIONS, min_size=1, max_size=4), st.integers(1, 12))
def test_every_position_has_one_colour_which_says_in_what_it_is(
    sets: list[frozenset[tuple[int, int]]], size: int
) -> None:
    layers = [Layer(chr(ord("A") + number), each) for number, each in enumerate(sets)]
    colours = coloured(layers, size)
    assert len({each.colour for each in colours}) == len(colours)
    for number, each in enumerate(sets):
        name = layers[number].name
        inside = [
            one.positions for one in colours
            if name in one.name.split() or one.name in ("all", "both") or len(sets) == 1
        ]
        found = [position for positions in inside for position in positions]
        assert sorted(found) == sorted((x, y) for x, y in each if x < size and y < size)
    assert squares(to_board(layers, size)) == {each.colour: each.positions for each in colours}


def test_names_of_combinations() -> None:
    layers = [Layer(name, frozenset(positions)) for name, positions in (
        ("A", [(0, 0), (1, 0), (3, 3)]), ("B", [(0, 0), (1, 0), (2, 2)]), ("C", [(0, 0), (9, 9)])
    )]
    assert [each.name for each in coloured(layers, 5)] == ["A only", "B only", "C only", "A and B", "all"]


def test_too_many_combinations() -> None:
    layers = [Layer(f"S{bit}", frozenset((n, 0) for n in range(1, 64) if n >> bit & 1)) for bit in range(6)]
    with pytest.raises(LimitError, match="6 sets have 63 combinations, but only 20 colours"):
        coloured(layers, 100)


@pytest.mark.parametrize(
    ("what", "line"),
    [
        (2, Line(2.0, 0.0, "y = 2 x")),
        (Fraction(3, 2), Line(1.5, 0.0, "y = 3/2 x")),
        (0.25, Line(0.25, 0.0, "y = 0.25 x")),
        ("1.5", Line(1.5, 0.0, "y = 1.5 x")),
        ("phi", Line((1 + 5**0.5) / 2, 0.0, "y = phi x")),
        ("1/phi, -2", Line((5**0.5 - 1) / 2, -2.0, "y = 1/phi x - 2")),
        ("1+sqrt(2),1/2", Line(1 + 2**0.5, 0.5, "y = (1+sqrt(2)) x + 1/2")),
        ((-1, 5), Line(-1.0, 5.0, "y = -x + 5")),
        ("0", Line(0.0, 0.0, "y = 0")),
        ("0,-3", Line(0.0, -3.0, "y = -3")),
        ("1,0", Line(1.0, 0.0, "y = x")),
        ("2,-0", Line(2.0, 0.0, "y = 2 x")),
        (("phi", -3), Line((1 + 5**0.5) / 2, -3.0, "y = phi x - 3")),
        ((1, "-1+sqrt(2)"), Line(1.0, 2**0.5 - 1, "y = x + (-1+sqrt(2))")),
    ],
)
def test_lines_as_people_write_them(what: object, line: Line) -> None:
    found = line_of(what)
    assert (found.slope, found.intercept) == pytest.approx((line.slope, line.intercept))
    assert found.name == line.name
    assert line_of(what, ("a", "b")).name == line.name.replace("y =", "b =").replace("x", "a")
    assert line_of(found) is found


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("", "a number is expected"), ("two", "not part of a number"), ("1,2,3", "not 3 numbers"), ((), "not 0"),
        (True, "not True"), (None, "not None"), (float("nan"), "no line"), ("9" * 400, "no line"), (10**400, "no line"),
        ("1/(phi-phi)", "divides by 0"), ((1, [2]), r"not \[2\]"),
        ("*".join(["999999999999999999"] * 20), "no line"),
    ],
)
def test_what_is_no_line(what: object, said: str) -> None:
    with pytest.raises(FibproverError, match=said):
        line_of(what)


@given(st.fractions(-4, 4, max_denominator=9), st.fractions(-30, 30, max_denominator=9), st.integers(1, 20))
def test_lines_are_cut_at_the_frame(slope: Fraction, intercept: Fraction, size: int) -> None:
    line = Line(float(slope), float(intercept), "l")
    ends = line.within(size)
    low, high = Fraction(-1, 2), size - Fraction(1, 2)
    inside = [x for x in (low + (high - low) * k / 997 for k in range(998)) if low < slope * x + intercept < high]
    if ends is None:
        assert not inside
        return
    for x, y in ends:
        assert float(low) - 1e-9 <= x <= float(high) + 1e-9
        assert float(low) - 1e-9 <= y <= float(high) + 1e-9
        assert y == pytest.approx(float(slope) * x + float(intercept))
    assert all(ends[0][0] - 1e-9 <= x <= ends[1][0] + 1e-9 for x in map(float, inside))


def test_lines_in_svg() -> None:
    board = fp.board("terminal(1)", size=20, lines=["phi", ("2", 1), (0, 50)], names=["K<1>"])
    svg = board.svg
    assert svg.count('class="line"') == 2 + 3  # one is off the board, and all are in the legend
    assert "b = phi a" in svg and "b = 2 a + 1" in svg and "K&lt;1&gt;" in svg
    # From (-1/2, 0) to (37/4, 39/2), through the middle of (0, 1).
    assert 'd="M34.00 209.00L131.50 14.00"' in svg


# -- matplotlib -----------------------------------------------------------------------------------------------


def pixels(png: bytes) -> Any:
    image = pytest.importorskip("PIL.Image")
    return image.open(io.BytesIO(png)).convert("RGB")


def read_back(png: bytes, figure: Any, colours: dict[str, str], size: int) -> dict[str, set[tuple[int, int]]]:
    """The squares of each colour, from pixels in their middles and towards two of their corners."""
    image = pixels(png)
    box = figure.axes[0].get_position()
    found: dict[str, set[tuple[int, int]]] = {name: set() for name in colours}
    for x in range(size):
        for y in range(size):
            seen = set()
            for part in (0.1, 0.5, 0.9):
                across = box.x0 + box.width * (x + part) / size
                up = box.y0 + box.height * (y + part) / size
                seen.add(image.getpixel((int(across * image.width), int((1 - up) * image.height))))
            for name, colour in colours.items():
                if tuple(bytes.fromhex(colour[1:])) in seen:
                    assert len(seen) == 1
                    found[name].add((x, y))
    return found


@settings(max_examples=5)
@given(st.lists(POSITIONS, min_size=1, max_size=3))
def test_squares_of_an_image(sets: list[frozenset[tuple[int, int]]]) -> None:
    pytest.importorskip("matplotlib")
    from fibprover.frontends.display.board import Board

    layers = tuple(Layer(chr(ord("A") + number), each) for number, each in enumerate(sets))
    board = Board(layers, 10, ("x", "y"), {})
    colours = coloured(layers, 10)
    found = read_back(board.png, board.figure(), {each.name: each.colour for each in colours}, 10)
    assert found == {each.name: set(each.positions) for each in colours}


@pytest.mark.long
def test_files_and_figures(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    board = fp.board("terminal(2)", "terminal(3)", size=12, lines=["phi"], inches=3, names=["$K_2$ & _^{"])
    assert board.save(tmp_path / "b.png").read_bytes() == board.png
    assert board.save(tmp_path / "b.PDF").read_bytes() == board.pdf
    assert board.pdf.startswith(b"%PDF")
    assert pixels(board.png).width == 450
    figure = board.figure()
    assert [text.get_text() for text in figure.legends[0].get_texts()] == [
        "$K_2$ & _^{ only", "terminal(3) only", "both", "b = phi a"
    ]
    assert (figure.axes[0].get_xlabel(), figure.axes[0].get_ylabel()) == ("a", "b")
    assert len(figure.axes[0].lines) == 1
    assert "matplotlib.pyplot" not in sys.modules


def test_a_large_board() -> None:
    pytest.importorskip("matplotlib")
    board = fp.board(fp.Session().relation("x=2*y | y=2*x"), size=1000, inches=4)
    assert pixels(board.png).width == 600


def without_matplotlib(patch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"] + ["matplotlib"]:
        patch.setitem(sys.modules, name, None)


def test_without_matplotlib(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    board = fp.board("terminal(1)", size=5)
    with monkeypatch.context() as patch:
        without_matplotlib(patch)
        assert board.svg.startswith("<svg")
        for make in (lambda: board.png, lambda: board.pdf, board.figure, lambda: board.save(tmp_path / "b.png")):
            with pytest.raises(NotInstalled, match=r"matplotlib.*\n.*pip install 'fibprover\[drawing\]'"):
                make()
        said = answer(capsys, "board", "terminal(1)", "-o", str(tmp_path / "b.pdf"))
        assert said.status == 2
        assert "pip install 'fibprover[drawing]'" in said.err
        assert answer(capsys, "board", "terminal(1)", "-o", str(tmp_path / "b.svg")).status == 0
    assert [file.name for file in tmp_path.iterdir()] == ["b.svg"]


# -- the command ----------------------------------------------------------------------------------------------


def test_games_predicates_and_formulas_on_one_board(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    script = tmp_path / "s.txt"
    script.write_text('def low "?msd_fib x+y<=1";')
    said = answer(
        capsys, "board", "--load", str(script), "wythoff()", "low", "?msd_fib x=y", "--size", "6",
        "--line", "phi", "--line=-1,5", "--label", "W", "--label", "L",
    )
    assert (said.status, said.err) == (0, "")
    assert "<title>W, L, ?msd_fib x=y</title>" in said.out
    assert squares(said.out) == {
        "#c8372d": {(1, 2), (2, 1), (3, 5), (5, 3)}, "#2e8b3d": {(1, 0), (0, 1)},
        "#2b5fb8": {(n, n) for n in range(1, 6)}, "#e6a817": {(0, 0)},
    }
    assert "b = phi a" in said.out and "b = -a + 5" in said.out


@pytest.mark.parametrize("suffix", ["png", "pdf"])
def test_images_of_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path, suffix: str) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / f"b.{suffix}"
    said = answer(capsys, "board", "terminal(2)", "--size", "9", "--inches", "2", "-o", str(file))
    assert (said.status, said.out, said.err) == (0, "", "")
    assert file.read_bytes()[:4] in (b"\x89PNG", b"%PDF")
    refused = answer(capsys, "board", "terminal(2)", "--inches", "0.1", "-o", str(file))
    assert refused.status == 2 and "1 to 100 inches wide, not 0.1" in refused.err
