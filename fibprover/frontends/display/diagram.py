"""Automata placed in the plane: circles, curves between them, and labels.

svg.py, plot.py, tikz.py and the page draw them.  Lengths are pixels (points, from graphviz); ordinates grow downwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot, inf
from time import monotonic
from typing import Any

from fibprover.automata.dfa import Dfa
from fibprover.automata.formats.dot import state_text, titled, wrapped
from fibprover.automata.formats.labels import edges
from fibprover.base.errors import FibproverError
from fibprover.frontends.display.layout import Layout, Point, Size, Wire, layered

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
        loop = loops.get(state)
        width = max(2 * radius, text_width(loop)) if loop else 2 * radius
        sizes.append(Size(width, radius + (20.0 + LINE * len(loop) if loop else 0.0), radius))
    ends = [edge for edge in texts if edge[0] != edge[1]]
    wires = [Wire(source, target, label_size(texts[source, target])) for source, target in ends]
    layout = layered(sizes, wires, check=check)
    arcs = [_arc(layout, place, edge, texts[edge], radius) for place, edge in enumerate(ends)]
    arcs += [_loop(state, lines, layout.nodes[state], radius) for state, lines in loops.items()]
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


def _arc(layout: Layout, place: int, edge: tuple[int, int], lines: tuple[str, ...], radius: float) -> Arc:
    """Return an edge between different states."""
    begin, end = layout.nodes[edge[0]], layout.nodes[edge[1]]
    route = layout.routes[place]
    if begin[0] == end[0]:
        curve = _bulge(begin, route[0], end, radius)
    else:
        start, stop = _rim(begin, route[0], radius), _rim(end, route[-1], radius)
        curve = _smooth([start, *route, stop], begin, end)
    return Arc(*edge, lines, curve, layout.labels[place], begin[0] <= end[0])


def _rim(centre: Point, towards: Point, radius: float) -> Point:
    """Return the point of a circle that is nearest to another point."""
    dx, dy = towards[0] - centre[0], towards[1] - centre[1]
    length = hypot(dx, dy) or 1.0
    return centre[0] + radius * dx / length, centre[1] + radius * dy / length


def _smooth(points: Sequence[Point], begin: Point, end: Point) -> tuple[Point, ...]:
    """Return a curve through points with monotonic abscissas: horizontal at inner points, radial at both ends."""
    curve = [points[0]]
    last = len(points) - 1
    for index in range(last):
        (x0, y0), (x1, y1) = points[index], points[index + 1]
        pull = (x1 - x0) / 2
        slope0 = _slope(begin, points[0]) if index == 0 else 0.0
        slope1 = _slope(end, points[last]) if index + 1 == last else 0.0
        curve += [(x0 + pull, y0 + slope0 * pull), (x1 - pull, y1 - slope1 * pull), (x1, y1)]
    return tuple(curve)


def _slope(centre: Point, rim: Point) -> float:
    """Return the slope of an edge at a state, kept moderate."""
    dx, dy = rim[0] - centre[0], rim[1] - centre[1]
    return max(-1.5, min(1.5, dy / dx)) if dx else 0.0


def _bulge(begin: Point, label: Point, end: Point, radius: float) -> tuple[Point, ...]:
    """Return an edge within a column: out to its label beside the column and back."""
    (x0, y0), (x1, y1) = _rim(begin, label, radius), _rim(end, label, radius)
    lx, ly = label
    return (
        (x0, y0), ((x0 + lx) / 2, (y0 + ly) / 2), (lx, (y0 + ly) / 2), (lx, ly),
        (lx, (ly + y1) / 2), ((x1 + lx) / 2, (y1 + ly) / 2), (x1, y1),
    )


def _loop(state: int, lines: tuple[str, ...], centre: Point, radius: float) -> Arc:
    """Return a loop above a state, with its label on top."""
    x, y = centre
    side, top = radius * 0.55, y - radius * 0.83
    curve = ((x - side, top), (x - side - 8, top - 22), (x + side + 8, top - 22), (x + side, top))
    return Arc(state, state, lines, curve, (x, y - radius - 18.0 - LINE * len(lines) / 2), True)

def printable(name: str) -> str:
    """Return a name with a mark for each character that XML or a font lacks: control characters and surrogates."""
    return "".join(each if each.isprintable() or each in "\n\t" else "\N{REPLACEMENT CHARACTER}" for each in name)
