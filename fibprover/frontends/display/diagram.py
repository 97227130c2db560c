"""Automata placed in the plane: circles, curves between them, and labels.

svg.py, plot.py, tikz.py and the page draw them.  Lengths are pixels (points, from graphviz); ordinates grow downwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from time import monotonic
from typing import Any

from fibprover.automata.dfa import Dfa
from fibprover.automata.formats.dot import state_text, titled, wrapped
from fibprover.automata.formats.labels import edges
from fibprover.base.errors import FibproverError
from fibprover.frontends.display.curves import loop, routed
from fibprover.frontends.display.layout import Point, Size, Wire, layered

#: Width of a character of a label, and height of a line, as the layout allots them.
CHARACTER = 6.7
LINE = 14.0


@dataclass(frozen=True, slots=True)
class Arc:
    """An edge: its curve, a chain of cubic Bezier curves (a point, then three points a curve), and its label's lines.

    forward: the edge does not lead to a column further left.
    """

    source: int
    target: int
    lines: tuple[str, ...]
    curve: tuple[Point, ...]
    label: Point
    forward: bool


@dataclass(frozen=True, slots=True)
class Diagram:
    """A placed automaton: for each state its centre, radius, text, and whether its circle is doubled; all edges.
    """

    title: str
    places: tuple[Point, ...]
    radii: tuple[float, ...]
    texts: tuple[str, ...]
    doubled: tuple[bool, ...]
    arcs: tuple[Arc, ...]
    width: float
    height: float

    @property
    def entry(self) -> Point:
        """The point where the arrow into state 0 begins, which is horizontal."""
        x, y = self.places[0]
        return x - self.radii[0] - 26, y


def own_diagram(a: Dfa, name: str, *, word: bool = False, seconds: float = inf) -> Diagram:
    """Return an automaton placed by fibprover's layered layout.

    name, word: as for `to_dot`; seconds: FibproverError if the layout takes longer.
    """
    deadline = monotonic() + seconds

    def check() -> None:
        if monotonic() > deadline:
            raise FibproverError(
                f"the layout has not been finished in {seconds:.4g} s",
                hint="give it more: seconds=, on the command line --timeout; or draw it as DOT",
            )

    texts = {edge: tuple(wrapped(labels)) for edge, labels in edges(a).items()}
    radius = max(15.0, 6.0 + CHARACTER / 2 * max(len(state_text(a, state, word)) for state in range(a.states)))
    loops = {source: lines for (source, target), lines in texts.items() if source == target}
    sizes = []
    for state in range(a.states):
        label = loops.get(state)
        width = max(2 * radius, text_width(label)) if label else 2 * radius
        sizes.append(Size(width, radius + (20.0 + LINE * len(label) if label else 0.0), radius))
    ends = [edge for edge in texts if edge[0] != edge[1]]
    wires = [Wire(source, target, label_size(texts[source, target])) for source, target in ends]
    layout = layered(sizes, wires, check=check)
    curves = routed(layout, wires, radius, {state: label_size(lines) for state, lines in loops.items()}, check)
    arcs = [
        Arc(*edge, texts[edge], *found, layout.nodes[edge[0]][0] <= layout.nodes[edge[1]][0])
        for edge, found in zip(ends, curves, strict=True)
    ]
    arcs += [
        Arc(state, state, lines, *loop(layout.nodes[state], radius, LINE * len(lines)), True)
        for state, lines in loops.items()
    ]
    return Diagram(
        titled(a, name), tuple(layout.nodes), (radius,) * a.states,
        tuple(state_text(a, state, word) for state in range(a.states)), _doubled(a, word), tuple(arcs),
        layout.width, layout.height,
    )


def graphviz_diagram(a: Dfa, name: str, placed: Mapping[str, Any], *, word: bool = False) -> Diagram:
    """Return an automaton as graphviz placed the graph of `to_dot`.

    placed: the JSON of graphviz; raises FibproverError if it is not of this automaton."""
    texts = {edge: tuple(wrapped(labels)) for edge, labels in edges(a).items()}
    places: dict[int, Point] = {}
    radii: dict[int, float] = {}
    arcs = []
    try:
        _, _, right, top = (float(part) for part in placed["bb"].split(","))
        numbers = {}
        for node in placed["objects"]:
            if node["name"].isdigit():
                state = numbers[node["_gvid"]] = int(node["name"])
                places[state] = _point(node["pos"], top)
                radii[state] = 36.0 * float(node["width"])
        for edge in placed.get("edges", ()):
            if edge["tail"] not in numbers:
                continue  # the arrow into the initial state
            ends = numbers[edge["tail"]], numbers[edge["head"]]
            label = _point(edge["lp"], top) if "lp" in edge else (0.0, 0.0)
            forward = places[ends[0]][0] <= places[ends[1]][0]
            arcs.append(Arc(*ends, texts.pop(ends), _spline(edge["pos"], top), label, forward))
        if texts:
            raise KeyError(next(iter(texts)))
        order = range(a.states)
        return Diagram(
            titled(a, name), tuple(places[state] for state in order), tuple(radii[state] for state in order),
            tuple(state_text(a, state, word) for state in order), _doubled(a, word), tuple(arcs), right, top,
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise FibproverError(f"the output of graphviz cannot be read: {error}") from error


def text_width(lines: Sequence[str]) -> float:
    """Return the width of the lines of a label."""
    return CHARACTER * max(map(len, lines))


def label_size(lines: Sequence[str]) -> Size:
    """Return the size of a label, with some space on both sides."""
    half = LINE * len(lines) / 2
    return Size(text_width(lines) + 8.0, half, half)


def _doubled(a: Dfa, word: bool) -> tuple[bool, ...]:
    return tuple(bool(a.outputs[state]) and not word for state in range(a.states))


def _point(text: str, top: float) -> Point:
    x, y = (float(part) for part in text.split(","))
    return x, top - y


def _spline(text: str, top: float) -> tuple[Point, ...]:
    """Return the curve of an edge, up to the tip of its arrow."""
    parts = text.split()
    tip = _point(parts.pop(0)[2:], top) if parts[0].startswith("e,") else None
    points = [_point(part, top) for part in parts]
    if tip is not None:
        points[-1] = tip
    if len(points) % 3 != 1:
        raise ValueError(text)
    return tuple(points)


def printable(name: str) -> str:
    """Return a name with a mark for each character that XML or a font lacks: control characters and surrogates."""
    return "".join(each if each.isprintable() or each in "\n\t" else "\N{REPLACEMENT CHARACTER}" for each in name)
