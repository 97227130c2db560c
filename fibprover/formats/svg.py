"""Automata as SVG drawings, with graphviz where it is installed and without it elsewhere."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from html import escape
from math import hypot

from fibprover.automata.dfa import Dfa
from fibprover.formats.dot import DEFAULT_LIMIT, check_drawable, state_text, to_dot, wrapped
from fibprover.formats.labels import edges
from fibprover.formats.layout import Layout, Point, Size, Wire, layered

_CHARACTER = 6.7
_LINE = 14.0
_MARGIN = 18.0
_TITLE = 26.0
_FORWARD, _BACKWARD = "#222222", "#2f6fb0"
_STYLE = (
    "text{font-family:Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:11px;text-anchor:middle;fill:#111}"
    ".title{font-size:13px;text-anchor:start}.wire{fill:none;stroke-width:1.1}"
    ".state{fill:#fff;stroke:#111;stroke-width:1.3}.halo{fill:#fff;fill-opacity:.88}"
)


def to_svg(
    a: Dfa, name: str = "automaton", *, word: bool = False, limit: int = DEFAULT_LIMIT, graphviz: bool = True
) -> str:
    """A drawing of the automaton as an SVG document; the arguments are those of `to_dot`.

    graphviz: let the program `dot` draw if it is found; a layered layout of our own serves
    otherwise, or if the program fails.  LimitError beyond `limit` states.
    """
    check_drawable(a, limit)
    drawn = _by_graphviz(to_dot(a, name, word=word, limit=limit)) if graphviz else None
    return drawn or _by_layers(a, name, word)


def _by_graphviz(dot: str) -> str | None:
    """What the program `dot` makes of a graph, or None if it is missing or fails."""
    program = shutil.which("dot")
    if program is None:
        return None
    try:
        finished = subprocess.run(
            [program, "-Tsvg"], input=dot, capture_output=True, text=True, encoding="utf-8", timeout=60, check=True
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return finished.stdout or None


def _by_layers(a: Dfa, name: str, word: bool) -> str:
    """The drawing by our own layout."""
    texts = {edge: wrapped(labels) for edge, labels in edges(a).items()}
    radius = max(15.0, 6.0 + _CHARACTER / 2 * max(len(state_text(a, state, word)) for state in range(a.states)))
    loops = {source: text for (source, target), text in texts.items() if source == target}
    sizes = []
    for state in range(a.states):
        loop = loops.get(state)
        width = max(2 * radius, _width(loop)) if loop else 2 * radius
        sizes.append(Size(width, radius + (20.0 + _LINE * len(loop) if loop else 0.0), radius))
    ends = [edge for edge in texts if edge[0] != edge[1]]
    wires = [Wire(source, target, _label_size(texts[source, target])) for source, target in ends]
    layout = layered(sizes, wires)
    left, top = _MARGIN + 30.0, _MARGIN + _TITLE
    title = f"{name} ({', '.join(a.names)})" if a.tracks else name
    width = max(left + layout.width + _MARGIN, 2 * _MARGIN + 8.2 * len(title))
    height = top + layout.height + _MARGIN
    body = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="{-left:.1f} {-top:.1f} {width:.1f} {height:.1f}">',
        f"<title>{escape(title)}</title>",
        f"<style>{_STYLE}</style>",
        "<defs>" + _marker("forward", _FORWARD) + _marker("backward", _BACKWARD) + "</defs>",
        f'<rect x="{-left:.1f}" y="{-top:.1f}" width="100%" height="100%" fill="#fff"/>',
        f'<text class="title" x="{_MARGIN - left:.1f}" y="{_MARGIN - top:.1f}">{escape(title)}</text>',
    ]
    body += _wires(layout, ends, radius)
    for state, (x, y) in enumerate(layout.nodes):
        body += _state(a, state, word, x, y, radius)
        if state in loops:
            body += _loop(loops[state], x, y, radius)
    for end, centre in zip(ends, layout.labels, strict=True):
        body += _label(texts[end], *centre)
    return "\n".join([*body, "</svg>"]) + "\n"


def _width(lines: Sequence[str]) -> float:
    return _CHARACTER * max(map(len, lines))


def _label_size(lines: Sequence[str]) -> Size:
    half = _LINE * len(lines) / 2
    return Size(_width(lines) + 8.0, half, half)


def _marker(name: str, colour: str) -> str:
    return (
        f'<marker id="{name}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" '
        f'orient="auto"><path d="M0 1L10 5L0 9z" fill="{colour}"/></marker>'
    )


def _wires(layout: Layout, ends: Sequence[tuple[int, int]], radius: float) -> list[str]:
    """The curves of the edges between different states, and the arrow into the initial state."""
    x, y = layout.nodes[0]
    first = f"M{x - radius - 26:.1f} {y:.1f}L{x - radius:.1f} {y:.1f}"
    result = [_path(first, "forward")]
    for (source, target), route in zip(ends, layout.routes, strict=True):
        begin, end = layout.nodes[source], layout.nodes[target]
        if begin[0] == end[0]:
            curve = _bulge(begin, route[0], end, radius)
        else:
            start, stop = _rim(begin, route[0], radius), _rim(end, route[-1], radius)
            curve = _smooth([start, *route, stop], begin, end)
        result.append(_path(curve, "forward" if begin[0] <= end[0] else "backward"))
    return result


def _path(curve: str, kind: str) -> str:
    colour = _FORWARD if kind == "forward" else _BACKWARD
    return f'<path class="wire" stroke="{colour}" marker-end="url(#{kind})" d="{curve}"/>'


def _rim(centre: Point, towards: Point, radius: float) -> Point:
    """The point of a circle that looks at another point."""
    dx, dy = towards[0] - centre[0], towards[1] - centre[1]
    length = hypot(dx, dy) or 1.0
    return centre[0] + radius * dx / length, centre[1] + radius * dy / length


def _smooth(points: Sequence[Point], begin: Point, end: Point) -> str:
    """A curve through points whose abscissas run one way: horizontal inside, radial at both rims."""
    parts = [f"M{points[0][0]:.1f} {points[0][1]:.1f}"]
    last = len(points) - 1
    for index in range(last):
        (x0, y0), (x1, y1) = points[index], points[index + 1]
        pull = (x1 - x0) / 2
        slope0 = _slope(begin, points[0]) if index == 0 else 0.0
        slope1 = _slope(end, points[last]) if index + 1 == last else 0.0
        parts.append(
            f"C{x0 + pull:.1f} {y0 + slope0 * pull:.1f} {x1 - pull:.1f} {y1 - slope1 * pull:.1f} {x1:.1f} {y1:.1f}"
        )
    return "".join(parts)


def _slope(centre: Point, rim: Point) -> float:
    """Direction in which an edge leaves a state, kept moderate."""
    dx, dy = rim[0] - centre[0], rim[1] - centre[1]
    return max(-1.5, min(1.5, dy / dx)) if dx else 0.0


def _bulge(begin: Point, label: Point, end: Point, radius: float) -> str:
    """An edge within a column: out to its label beside the column and back."""
    (x0, y0), (x1, y1) = _rim(begin, label, radius), _rim(end, label, radius)
    lx, ly = label
    return (
        f"M{x0:.1f} {y0:.1f}C{(x0 + lx) / 2:.1f} {(y0 + ly) / 2:.1f} {lx:.1f} {(y0 + ly) / 2:.1f} {lx:.1f} {ly:.1f}"
        f"C{lx:.1f} {(ly + y1) / 2:.1f} {(x1 + lx) / 2:.1f} {(y1 + ly) / 2:.1f} {x1:.1f} {y1:.1f}"
    )


def _state(a: Dfa, state: int, word: bool, x: float, y: float, radius: float) -> list[str]:
    circles = [f'<circle class="state" cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"/>']
    if a.outputs[state] and not word:
        circles.append(f'<circle class="state" cx="{x:.1f}" cy="{y:.1f}" r="{radius - 3:.1f}"/>')
    return [*circles, f'<text x="{x:.1f}" y="{y + 4:.1f}">{escape(state_text(a, state, word))}</text>']


def _loop(lines: Sequence[str], x: float, y: float, radius: float) -> list[str]:
    """A loop above a state, its label on top."""
    side, top = radius * 0.55, y - radius * 0.83
    curve = (
        f"M{x - side:.1f} {top:.1f}C{x - side - 8:.1f} {top - 22:.1f} {x + side + 8:.1f} {top - 22:.1f} "
        f"{x + side:.1f} {top:.1f}"
    )
    centre = y - radius - 18.0 - _LINE * len(lines) / 2
    return [_path(curve, "forward"), *_label(lines, x, centre)]


def _label(lines: Sequence[str], x: float, y: float) -> list[str]:
    """Lines of text around a point, on a ground that lets the edge fade."""
    size = _label_size(lines)
    if not size.width or lines == [""]:
        return []
    result = [
        f'<rect class="halo" x="{x - size.width / 2 + 2:.1f}" y="{y - size.above:.1f}" '
        f'width="{size.width - 4:.1f}" height="{size.above + size.below:.1f}"/>'
    ]
    for number, line in enumerate(lines):
        result.append(f'<text x="{x:.1f}" y="{y - size.above + _LINE * number + 10.5:.1f}">{escape(line)}</text>')
    return result
