"""What drawings show, read back from files: states and edges of automata, squares of boards."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"

_DOT_STATE = re.compile(r'^  (\d+) \[label="([^"]*)", shape=(\w+)\];$', re.MULTILINE)
_DOT_EDGE = re.compile(r'^  (\d+) -> (\d+) \[label="([^"]*)"\];$', re.MULTILINE)
_TIKZ_STATE = re.compile(r"^  \\node\[state([^\]]*)\] \(q(\d+)\) at \([-\d.]+,[-\d.]+\) \{\$(.*)\$\};$", re.MULTILINE)
_TIKZ_EDGE = re.compile(
    r"^    \(q(\d+)\) edge(?:\[([^\]]*)\])?(?: node(?:\[[^\]]*\])? \{(.*)\})? \((?:q(\d+))?\);?$", re.MULTILINE
)
_TIKZ_CURVE = re.compile(r"^  \\draw\[->\] \(q(\d+)\) \.\. controls .* \.\. \(q(\d+)\);$", re.MULTILINE)
_TIKZ_LABEL = re.compile(r"^  \\node\[fill=white, inner sep=1pt\] at \(.*?\) \{(.*)\};$", re.MULTILINE)
_RUN = re.compile(r"M(\d+) (\d+)h(\d+)v10h-(\d+)z")

Ends = tuple[int, int]


@dataclass(frozen=True)
class Picture:
    """An automaton as it is drawn: texts of states, which are accepting, and the boxes of every edge."""

    states: dict[int, str]
    accepting: frozenset[int]
    edges: dict[Ends, tuple[str, ...]]


def of_dot(text: str) -> Picture:
    """The automaton of a graph in the language of graphviz; each state and each edge is there once."""
    states, edges = {}, {}
    accepting = set()
    assert text.count("  start -> 0;\n") == 1
    for number, label, shape in _DOT_STATE.findall(text):
        assert int(number) not in states
        states[int(number)] = label
        if shape == "doublecircle":
            accepting.add(int(number))
    for source, target, label in _DOT_EDGE.findall(text):
        assert (int(source), int(target)) not in edges
        edges[int(source), int(target)] = tuple(label.replace("\\n", " ").split())
    assert text.count(" -> ") == len(edges) + 1 + text.split("{", 1)[0].count(" -> ")
    return Picture(states, frozenset(accepting), edges)


def of_tikz(text: str) -> Picture:
    """The automaton of a tikzpicture."""
    states, edges, initial = {}, {}, []
    accepting = set()
    for options, number, label in _TIKZ_STATE.findall(text):
        assert int(number) not in states
        states[int(number)] = _plain(label)
        initial += [int(number)] if "initial" in options else []
        accepting |= {int(number)} if "accepting" in options else set()
    assert initial == [0]
    for source, options, label, target in _TIKZ_EDGE.findall(text):
        assert bool(target) != options.startswith("loop ")
        ends = int(source), int(target or source)
        assert ends not in edges
        edges[ends] = _boxes(label)
    curves = _TIKZ_CURVE.findall(text)
    labels = _TIKZ_LABEL.findall(text)
    assert len(labels) in (0, len(curves))
    for number, (source, target) in enumerate(curves):
        assert (int(source), int(target)) not in edges
        edges[int(source), int(target)] = _boxes(labels[number] if labels else "")
    assert text.count(" edge") + text.count(r"\draw[->]") == len(edges)
    return Picture(states, frozenset(accepting), edges)


def _plain(math: str) -> str:
    """A label in math as text."""
    return math.replace("{*}", "*").replace("{|}", "|").replace("{-}", "-")


def _boxes(label: str) -> tuple[str, ...]:
    return tuple(_plain(label.replace("$", "").replace(r"\\", " ").replace("\\ ", " ")).split())


def of_svg(text: str) -> Picture:
    """The automaton of an SVG document, by graphviz or of our own."""
    root = ElementTree.fromstring(text)
    states: dict[int, str] = {}
    accepting = set()
    edges: dict[Ends, tuple[str, ...]] = {}
    labels: dict[Ends, tuple[str, ...]] = {}
    for group in root.iter(f"{SVG}g"):
        kind, title = group.get("class"), group.findtext(f"{SVG}title") or ""
        texts = [each.text or "" for each in group.findall(f".//{SVG}text")]
        if kind == "node" and title.isdigit():
            assert int(title) not in states
            (states[int(title)],) = texts
            rings = len([*group.iter(f"{SVG}circle"), *group.iter(f"{SVG}ellipse")])
            assert rings in (1, 2)
            accepting |= {int(title)} if rings == 2 else set()
        elif kind in ("edge", "label"):
            source, target = title.split("->")
            if source == "start":
                continue
            where = edges if kind == "edge" else labels
            assert (int(source), int(target)) not in where
            where[int(source), int(target)] = tuple(" ".join(map(unescape, texts)).split())
    assert labels.keys() <= edges.keys()
    return Picture(states, frozenset(accepting), edges | labels)


def squares(svg: str) -> dict[str, frozenset[tuple[int, int]]]:
    """The squares of a board of our own SVG, by colour; (0,0) is at the lower left."""
    found = {}
    root = ElementTree.fromstring(svg)
    frame = next(each for each in root.iter(f"{SVG}rect") if each.get("class") == "frame")
    size = int(frame.attrib["width"]) // 10
    for path in root.iter(f"{SVG}path"):
        colour = path.get("fill")
        if colour is None:
            continue
        cells: set[tuple[int, int]] = set()
        for left, top, length, back in _RUN.findall(path.attrib["d"]):
            assert length == back
            x, y = (int(left) - 34) // 10, size - 1 - (int(top) - 14) // 10
            run = {(x + i, y) for i in range(int(length) // 10)}
            assert not run & cells
            cells |= run
        assert colour not in found
        found[colour] = frozenset(cells)
    return found
