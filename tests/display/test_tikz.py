"""TikZ and DOT of random automata: every edge once, labels that say exactly its letters; documents that compile."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fibprover.automata.dfa import Dfa, Track, build
from fibprover.automata.formats.dot import installed, positions, to_dot
from fibprover.frontends.display.diagram import Arc, Diagram, graphviz_diagram, own_diagram
from fibprover.frontends.display.drawing import drawing_of
from fibprover.frontends.display.tikz import bends, tex_comment, tex_label, tex_text, to_tikz
from tests.display.structure import Picture, of_dot, of_svg, of_tikz
from tests.display.test_drawings import LESS, G, N, ring

ALPHABETS = [(0, 1), (0, 1), (-1, 0, 1), (0, 1, 2), tuple(range(12)), (5,)]


@st.composite
def automata(draw: st.DrawFn, most: int = 7) -> Dfa:
    """Automata over up to three tracks, not minimal, some states out of reach."""
    alphabets = draw(st.lists(st.sampled_from(ALPHABETS), max_size=3))
    tracks = tuple(Track("abc"[place], digits) for place, digits in enumerate(alphabets))
    letters = build(tracks, [{}], [0]).letters
    states = draw(st.integers(1, most))
    row = st.dictionaries(st.integers(0, letters - 1), st.integers(0, states - 1), max_size=min(letters, 12))
    return build(
        tracks, [draw(row) for _ in range(states)], draw(st.lists(st.integers(-2, 2), min_size=states, max_size=states))
    )


def letters_of(box: str, tracks: tuple[Track, ...]) -> set[tuple[int, ...]]:
    """The letters that a label such as [0,*] or [-1|1,1] stands for, as a reader understands it."""
    if len(tracks) == 1:
        if box == "*":
            return {(digit,) for digit in tracks[0].digits}
        return {(digit,) for digit in digits_of(box.split(","))}
    parts = box[1:-1].split(",") if tracks else []
    found: set[tuple[int, ...]] = {()}
    for part, track in zip(parts, tracks, strict=True):
        if part == "*":
            digits = set(track.digits)
        elif "|" in part or part.startswith("-") or track.digits[-1] > 9:
            digits = digits_of(part.split("|"))
        else:
            digits = set(map(int, part))
        found = {(*letter, digit) for letter in found for digit in digits}
    return found


def digits_of(runs: list[str]) -> set[int]:
    """The digits of numbers and runs such as 3..7."""
    ranges = [run.split("..") for run in runs]
    return {digit for ends in ranges for digit in range(int(ends[0]), int(ends[-1]) + 1)}


def check(shown: Picture, a: Dfa, word: bool) -> None:
    """A drawing shows exactly the automaton."""
    wanted: dict[tuple[int, int], set[tuple[int, ...]]] = {}
    for state in range(a.states):
        for code, target in a.row(state):
            wanted.setdefault((state, target), set()).add(a.letter(code))
    got = {
        ends: set().union(*(letters_of(box, a.tracks) for box in boxes)) if a.tracks else {()}
        for ends, boxes in shown.edges.items()
    }
    assert got == wanted
    texts = {state: f"{state}/{a.outputs[state]}" if word else str(state) for state in range(a.states)}
    assert shown.states == texts
    assert shown.accepting == frozenset(state for state in range(a.states) if a.outputs[state] and not word)


@pytest.mark.long
@settings(max_examples=40)
@given(automata(), st.booleans())
def test_every_form_shows_exactly_the_automaton(a: Dfa, word: bool) -> None:
    check(of_dot(to_dot(a, "a", word=word)), a, word)
    check(of_tikz(drawing_of(a, "a", "tikz", word=word).decode()), a, word)
    check(of_tikz(drawing_of(a, "a", "tikz", word=word, standalone=True).decode()), a, word)
    check(of_svg(drawing_of(a, "a", "svg", word=word, layout="own").decode()), a, word)


@pytest.mark.skipif(not installed(), reason="graphviz is not installed")
@settings(max_examples=15)
@given(automata(5), st.booleans())
def test_graphviz_shows_exactly_the_automaton(a: Dfa, word: bool) -> None:
    check(of_svg(drawing_of(a, "a", "svg", word=word, layout="graphviz").decode()), a, word)
    placed = positions(to_dot(a, "a", word=word))
    diagram = graphviz_diagram(a, "a", placed, word=word)
    check(of_tikz(to_tikz(diagram)), a, word)
    for (x, y), radius in zip(diagram.places, diagram.radii, strict=True):
        assert x - radius >= -1 and x + radius <= diagram.width + 1
        assert y - radius >= -1 and y + radius <= diagram.height + 1


def test_a_simple_picture_is_written_as_people_do() -> None:
    picture = drawing_of(LESS, "less", "tikz").decode()
    assert picture.startswith("% less (a, b)\n% needs \\usepackage{tikz} \\usetikzlibrary{automata,arrows.meta}\n")
    assert r"\node[state, initial] (q0) at" in picture
    assert r"\node[state, accepting] (q1) at" in picture
    assert "(q0) edge[loop above] node {$[0,0]\\ [1,1]$} ()" in picture
    assert "(q0) edge node[auto] {$[0,1]$} (q1)" in picture
    assert r"$[{*},{*}]$" in picture


def test_edges_to_and_fro_are_bent_and_legible() -> None:
    diagram = own_diagram(G, "G", word=True)
    chosen = bends(diagram)
    assert chosen is not None
    by_ends = {(arc.source, arc.target): bend for arc, bend in zip(diagram.arcs, chosen, strict=True)}
    assert by_ends[0, 1].angle == 0
    assert by_ends[0, 0].loop == "above"
    for ends in ((1, 2), (2, 1), (3, 4), (4, 3), (4, 5), (5, 4)):
        assert by_ends[ends].angle > 0


def test_no_edge_goes_through_a_state_or_a_label() -> None:
    """Three states in a row: from the first to the third the way is around the second."""
    places = ((0.0, 0.0), (100.0, 0.0), (200.0, 0.0))
    arcs = tuple(Arc(*ends, ("0",), ((0.0, 0.0),), (0.0, 0.0), True) for ends in ((0, 1), (1, 2), (0, 2), (1, 1)))
    diagram = Diagram("row", places, (15.0,) * 3, ("0", "1", "2"), (False,) * 3, arcs, 200.0, 30.0)
    chosen = bends(diagram)
    assert chosen is not None
    assert [bend.angle for bend in chosen[:2]] == [0, 0]
    assert abs(chosen[2].angle) >= 25
    # The loop is on the other side than the edge that goes around.
    assert chosen[3].loop == ("below" if chosen[2].angle > 0 else "above")


def test_what_cannot_be_bent_follows_the_layout() -> None:
    large = ring(60, 60)
    assert bends(own_diagram(large, "x")) is None
    picture = drawing_of(large, "x", "tikz").decode()
    assert ".. controls" in picture and "bend" not in picture
    check(of_tikz(picture), large, False)


def test_texts_for_tex() -> None:
    assert tex_text("a_b & 50%\n$x$") == r"a{\char95}b \& 50\% \$x\$"
    assert tex_text("\\{~^`--'") == "".join(rf"{{\char{ord(c)}}}" for c in "\\{~^`--'")
    assert tex_text("\u2200x \u03c6(x) \u2264 1") == r"$\forall$x $\varphi$(x) $\le$ 1"
    assert tex_text("\u00e9 \u6570 \u00f0") == "\u00e9 U+6570 U+00F0"
    assert tex_comment("a\nb\r\\end{x}\x07") == r"a b \end{x}"
    assert tex_label("[-1|1,*]") == "[{-}1{|}1,{*}]"


# -- pdflatex -------------------------------------------------------------------------------------------------

PDFLATEX = shutil.which("pdflatex")

DIGITS = build(
    (Track("x", tuple(range(12))), Track("y", (-1, 0, 1))),
    [{code: code * 7 % 3 for code in range(36)}, {0: 1, 1: 2}, {5: 0, 7: 0}], [1, 0, 0],
)
WIDE = build(
    tuple(Track(name, (0, 1)) for name in "abcd"),
    [{code: code % 2 for code in range(16)}, dict.fromkeys((3, 5, 6, 9, 14), 0)], [0, 1],
)
LONG = build(N, [*({0: state} for state in range(1, 300)), {}], [1] * 300)
CASES: dict[str, tuple[Dfa, str, bool]] = {
    "less": (LESS, "less", False),
    "one state": (build(N, [{0: 0, 1: 0}], [1]), "x_1 & y^2", False),
    "no track": (build((), [{0: 0}], [1]), "TRUE", False),
    "no edge": (build((), [{}], [0]), "", False),
    "word": (G, "G_2[n]", True),
    "signs": (build((Track("i", (-1, 0, 1)),), [{0: 0, 1: 1}, {0: 0, 2: 1}], [-1, -12]), "signs", True),
    "many digits": (DIGITS, "{digits} \\ # $ % ~ ^ ` -- ?` !` '' << \" | @ \\end{document} \\input{x}", False),
    "not ASCII": (LESS, "\u2200x \u2203y \u03c6(x) \u2264 2\u00b7\u00e9 & \u6570 \U0001f600 \u00f0 \u200b", False),
    "lines": (LESS, "a\nb % c\r\n\\d\x00", False),
    "by layout": (ring(30, 40), "ring", False),
    "wide labels": (WIDE, "w", True),
    "very long": (LONG, "longer than TeX can count", False),
}

#: Those with names that are hard to print; the paper below has all that are not large.
ALONE = ("less", "many digits", "not ASCII", "lines")


def compiled(folder: Path, document: str) -> str:
    """What pdflatex says of a document that it must accept."""
    assert PDFLATEX is not None
    (folder / "x.tex").write_text(document)
    done = subprocess.run(
        [PDFLATEX, "-interaction=nonstopmode", "-halt-on-error", "x.tex"],
        cwd=folder, capture_output=True, timeout=120, check=False,
    )
    said = done.stdout.decode(errors="replace")
    assert done.returncode == 0, said[-2000:]
    assert (folder / "x.pdf").read_bytes().startswith(b"%PDF")
    assert not re.search(r"Warning|Missing character|Overfull", said), said[-3000:]
    return said


@pytest.mark.skipif(PDFLATEX is None, reason="pdflatex is not installed")
@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=[] if case in ALONE else [pytest.mark.long]) for case in CASES]
)
def test_documents_compile(tmp_path: Path, case: str) -> None:
    a, name, word = CASES[case]
    said = compiled(tmp_path, drawing_of(a, name, "tikz", word=word, standalone=True, limit=300).decode())
    assert "(1 page" in said


@pytest.mark.long
@pytest.mark.skipif(PDFLATEX is None, reason="pdflatex is not installed")
def test_pictures_compile_in_a_paper(tmp_path: Path) -> None:
    pictures = [drawing_of(a, name, "tikz", word=word).decode() for a, name, word in CASES.values() if a.states < 50]
    paper = "\n".join(
        [
            r"\documentclass[12pt]{article}\usepackage{tikz}\usetikzlibrary{automata,positioning,arrows.meta}",
            r"\setlength{\textwidth}{60cm}\setlength{\pdfpagewidth}{70cm}",
            r"\begin{document}",
            *(f"\\begin{{figure}}[p]\\centering\n{picture}\\caption{{x}}\\end{{figure}}" for picture in pictures),
            r"\end{document}",
        ]
    )
    compiled(tmp_path, paper)


@pytest.mark.long
@pytest.mark.skipif(PDFLATEX is None or not installed(), reason="pdflatex or graphviz is not installed")
def test_positions_of_graphviz_compile(tmp_path: Path) -> None:
    for number, a in enumerate((G, ring(12, 12))):
        folder = tmp_path / str(number)
        folder.mkdir()
        compiled(folder, drawing_of(a, "a", "tikz", layout="graphviz", standalone=True).decode())
