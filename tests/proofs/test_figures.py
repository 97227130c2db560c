"""The figures of the paper beside those of the gallery."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import fibprover as fp
from tests.display.structure import Picture, of_svg, squares
from tests.pictures import PICTURES, ROOT, alike

SOURCES = ROOT.parent / "shared" / "seeds"

_STATE = re.compile(r"\\node\[state[^\]]*\]\s*\((\w+)\)[^{]*\{\$?(\w+)\$?\};")
_EDGE = re.compile(r"\((\w+)\) edge(?:\[[^\]]*\])?\s*node(?:\[[^\]]*\])? \{(\d)\} \((\w+)\)")


def picture(name: str) -> Picture:
    return of_svg((PICTURES / name).read_text())


def test_figure_2_edge_by_edge() -> None:
    """The paper's own TikZ: the states 0 to 5, of which 1 and 5 are mapped to b, and the states a and b."""
    papers = [file for file in SOURCES.glob("000_*.txt") if r"\label{fig:muf}" in file.read_text()]
    if not papers:
        pytest.skip("the source of the paper is not here")
    text = papers[0].read_text()
    end = text.index(r"\label{fig:muf}")
    source = text[text.rindex(r"\begin{tikzpicture}", 0, end) : end]
    states = dict(_STATE.findall(source))
    edges = {(states[begin], states[end]): (label,) for begin, label, end in _EDGE.findall(source)}
    assert len(edges) == 10 + 3
    word, letters = picture("g.svg"), picture("fibonacci.svg")
    assert {tuple(map(str, ends)): label for ends, label in word.edges.items()} == {
        ends: label for ends, label in edges.items() if ends[0].isdigit()
    }
    assert {("ab"[i], "ab"[j]): label for (i, j), label in letters.edges.items()} == {
        ends: label for ends, label in edges.items() if ends[0].isalpha()
    }
    assert word.states == {0: "0/1", 1: "1/0", 2: "2/1", 3: "3/1", 4: "4/0", 5: "5/1"}


def test_figure_1_is_figure_2_with_accepting_states() -> None:
    one, two = picture("fig1.svg"), picture("g.svg")
    assert one.edges == two.edges
    assert one.accepting == {state for state, text in two.states.items() if text.endswith("/1")} == {0, 2, 3, 5}


def test_figure_4_has_the_words_of_theorem_12() -> None:
    """rep(a) ends with 0, and rep(b) is the same with a 1 behind it, in both orders, or a = b = 0."""
    shown = picture("fig4.svg")
    assert len(shown.states) == 5 and len(shown.edges) == 9
    system = fp.system_named("msd_fib")
    for a in range(60):
        for b in range(60):
            one, other = (list(system.write(n)) for n in (a, b))
            expected = a == b == 0 or any(
                longer == [*shorter, 1] and (not shorter or shorter[-1] == 0)
                for shorter, longer in ((one, other), (other, one))
            )
            width = max(len(one), len(other))
            state: int | None = 0
            for x, y in zip([0] * (width - len(one)) + one, [0] * (width - len(other)) + other, strict=True):
                state = next(
                    (target for (source, target), boxes in shown.edges.items()
                     if source == state and f"[{x},{y}]" in boxes), None,
                )
            assert (state in shown.accepting) is expected, (a, b)


@pytest.mark.parametrize(
    ("games", "name"),
    [(["terminal(2)", "terminal(3)"], "k2k3.svg"), (["blocking(2)"], "w2.svg"), (["blocking(3)"], "w3.svg")],
)
def test_boards_from_formulas_are_those_of_the_rules(games: list[str], name: str, tmp_path: Path) -> None:
    drawn = fp.board(*games, size=40, values=False).save(tmp_path / name)
    assert alike(drawn, PICTURES / name)


def test_colours_of_figure_5() -> None:
    """K^2 is red, K^3 green, and what they share blue."""
    shown = squares((PICTURES / "k2k3.svg").read_text())
    red, green, blue = (shown[colour] for colour in ("#c8372d", "#2e8b3d", "#2b5fb8"))
    assert {(0, 0), (1, 1), (0, 2)} <= blue
    assert {(0, 3), (1, 2)} <= green
    assert not red & green
    # The paper's table beside it: (a_n, b_n) for the P-positions of K^3 that are not terminal.
    first = (4, 5, 6, 7, 9, 11, 13, 15, 16, 18, 19, 21, 22)
    second = (8, 10, 12, 14, 17, 20, 23, 26, 28, 31, 33, 36, 38)
    found = {(a, b) for a, b in green | blue if a < b and a + b > 3}
    assert found == set(zip(first, second, strict=True))
