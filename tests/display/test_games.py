"""Games, boards and theorems in notebooks and terminals."""

from __future__ import annotations

from pathlib import Path

import pytest
from IPython.lib.pretty import pretty

import fibprover as fp
from fibprover.base.errors import FibproverError, LimitError
from fibprover.frontends.display.board import MOST_WITH_TOOLTIPS, SIZE, board
from fibprover.frontends.display.board_svg import Layer, to_board
from fibprover.frontends.display.drawing import draw
from fibprover.games.catalogue import game_named
from fibprover.games.rules import Game
from fibprover.games.theorem import Theorem, discover
from fibprover.workspace.session import Session
from tests.display.html import Element, elements, images, read


@pytest.fixture(scope="module")
def theorem() -> Theorem:
    return discover("terminal(1)")


def squares(html: str) -> dict[str, Element]:
    """The squares that answer to the mouse, by their coordinates."""
    found = [each for each in elements(html, "rect") if each.text.startswith("(")]
    return {each.text.partition(")")[0] + ")": each for each in found}


def test_a_game_is_shown_with_its_board() -> None:
    game = game_named("wythoff()")
    shown = game._repr_html_()
    assert "wythoff(), Wythoff's game" in read(shown).text
    assert "cannot move loses." in read(shown).text
    answers = squares(shown)
    assert len(answers) == SIZE**2
    assert answers["(1,2)"].text == "(1,2), in wythoff(), Grundy value 0"
    assert answers["(1,1)"].text == "(1,1), Grundy value 2"
    assert pretty(game).startswith("wythoff(), Wythoff's game\n")


def test_squares_lie_where_they_are_drawn() -> None:
    shown = board("terminal(1)", size=20)
    svg = to_board(shown.layers, 20, x="a", y="b")
    assert images(shown._repr_html_()) == [svg] == [shown.svg]
    positions = shown.layers[0].positions
    for a, b in positions:
        if (a - 1, b) in positions:
            continue  # drawn together with its neighbour
        place = squares(shown._repr_html_())[f"({a},{b})"].attributes
        assert f"M{place['x']} {place['y']}h" in svg


def test_a_game_with_blocking_has_no_grundy_values() -> None:
    answers = squares(game_named("blocking(2)")._repr_html_())
    assert answers["(0,0)"].text == "(0,0), in blocking(2)"
    assert answers["(1,3)"].text == "(1,3), in blocking(2)"
    assert answers["(0,2)"].text == "(0,2)"


def test_a_game_that_has_no_board_says_why() -> None:
    game = Game.by_vectors("i=0 | j=0 | (i=2*j & i<3) | Ex i=7*x & j=x*3")
    shown = read(game._repr_html_()).text
    assert "A move takes i counters" in shown


def test_two_sets_on_one_board() -> None:
    s = Session("msd_fib")
    s.define("low", "x+y<=2")
    shown = board(s.relation("$low(x,y)"), game_named("terminal(2)"), size=12)
    answers = squares(shown._repr_html_())
    assert answers["(1,1)"].text == "(1,1), in low and terminal(2)"
    assert answers["(3,6)"].text == "(3,6), in terminal(2)"
    assert answers["(3,3)"].text == "(3,3)"
    assert pretty(shown) == "the squares below 12 of low (6 positions) and terminal(2) (12 positions)"


def test_a_relation_of_numbers_of_two_systems() -> None:
    s = Session()
    relation = s.relation("(?msd_fib x=5) & (?msd_2 y<4)")
    assert board(relation, size=10).layers[0].positions == {(5, y) for y in range(4)}


def test_a_relation_of_integers_is_shown_where_it_is_natural() -> None:
    relation = Session("msd_neg_2").relation("x+y=0 & x<4 & x>_4")
    assert board(relation, size=10).layers[0].positions == {(0, 0)}
    assert board(Session("msd_neg_2").relation("x=y"), size=4).layers[0].positions == {(x, x) for x in range(4)}


def test_a_large_board_does_not_answer() -> None:
    shown = board("terminal(1)", size=MOST_WITH_TOOLTIPS + 1)._repr_html_()
    assert squares(shown) == {}
    assert [each.text for each in elements(shown, "p")] == ["tooltips are shown on boards of up to 64 columns"]


def test_the_names_of_boards_and_drawings_are_short() -> None:
    assert repr(board("terminal(1)", "wythoff()", size=500)) == "Board('terminal(1)', 'wythoff()'; 500 columns)"
    assert repr(draw(Session("msd_2").relation("x=0"), name="zero")) == "Drawing('zero'; 1 state)"
    assert repr(Session("msd_2").relation("x=0")) == "Relation(x:msd_2; 1 state)"


def test_boards_are_written(tmp_path: Path) -> None:
    shown = board("terminal(1)", size=9)
    assert shown.save(tmp_path / "b.svg").read_text() == shown.svg
    with pytest.raises(FibproverError, match=r"\*\.svg"):
        shown.save(tmp_path / "b.bmp")


@pytest.mark.parametrize(
    ("sets", "size", "said"),
    [
        ((), 5, "one to 8 sets, not 0"),
        (("terminal(1)",) * 9, 5, "one to 8 sets, not 9"),
        (("terminal(1)",), 0, "at least one square"),
        ((5,), 5, "expected a game or a relation of two numbers, got int"),
        ((Session().relation("x=1"),), 5, "pairs of numbers"),
    ],
)
def test_what_is_no_board(sets: tuple[object, ...], size: int, said: str) -> None:
    with pytest.raises(FibproverError, match=said):
        board(*sets, size=size)


def test_boards_have_a_largest_size() -> None:
    with pytest.raises(LimitError):
        board("terminal(1)", size=5000)


def test_a_theorem(theorem: Theorem) -> None:
    shown = theorem._repr_html_()
    reader = read(shown)
    assert reader.text.startswith("terminal(1) proved")
    for beginning in ("Game.", "Theorem.", "Proof."):
        assert beginning in [each.text for each in reader.elements if each.tag == "span"]
    findings = [each.text for each in elements(shown, "li")]
    assert len(findings) == len(theorem.findings) > 3
    assert "No move is redundant." in findings
    assert len(squares(shown)) == SIZE**2
    assert len(images(shown)) == 2  # board and automaton
    flat = " ".join(str(theorem).split())
    said = " ".join(reader.text.split("Theorem.")[1].split("Proof.")[0].split())
    assert said.replace("≤", "<=") in flat and "≤" in said
    assert "⌊(n+1)\u202fφ⌋" in reader.text and "floor" not in reader.text
    assert pretty(theorem) == str(theorem)


def test_a_discovery_is_a_theorem_without_findings(theorem: Theorem) -> None:
    shown = theorem.discovery._repr_html_()
    assert elements(shown, "li") == []
    assert "Theorem." in read(shown).text
    assert pretty(theorem.discovery).startswith("Game.  terminal(1)")


def test_what_is_no_theorem_says_what_was_tried() -> None:
    tried = discover("blocking(5)", systems=["msd_2", "msd_fib"], largest=1 << 14)
    assert not tried
    shown = tried._repr_html_()
    assert tried.status in read(shown).text
    table, states = (each.text for each in elements(shown, "pre"))
    assert "msd_fib" in table and "msd_fib" in states
    assert len(images(shown)) == 1  # the board


def test_names_cannot_leave_their_place() -> None:
    game = Game.by_vectors("i=0 | j=0", name="<script>alert(1)</script>")
    for value in (game, fp.board(game, size=5), discover(game, "msd_2")):
        shown = value._repr_html_()
        assert "<script" not in shown
        assert all("<script" not in image for image in images(shown))
    assert isinstance(fp.board(game, size=5).layers[0], Layer)
