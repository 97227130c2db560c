"""Placed automata as SVG documents."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from fibprover.frontends.display.diagram import LINE, Arc, Diagram, label_size
from fibprover.frontends.display.layout import Point

_MARGIN = 18.0
_TITLE = 26.0
_FORWARD, _BACKWARD = "#222222", "#2f6fb0"
_STYLE = (
    "text{font-family:Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:11px;text-anchor:middle;fill:#111}"
    ".title{font-size:13px;text-anchor:start}.wire{fill:none;stroke-width:1.1}"
    ".state{fill:#fff;stroke:#111;stroke-width:1.3}.halo{fill:#fff;fill-opacity:.88}"
)


def diagram_svg(diagram: Diagram) -> str:
    """Return a diagram as an SVG document.

    As in the SVG of graphviz, a state is a group of the class `node` with its number as title, and an edge is a group
    of the class `edge` with a title such as `0->1`.
    """
    left, top = _MARGIN + 30.0, _MARGIN + _TITLE
    width = max(left + diagram.width + _MARGIN, 2 * _MARGIN + 8.2 * len(diagram.title))
    height = top + diagram.height + _MARGIN
    body = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="{-left:.1f} {-top:.1f} {width:.1f} {height:.1f}">',
        f"<title>{escape(diagram.title)}</title>",
        f"<style>{_STYLE}</style>",
        "<defs>" + _marker("forward", _FORWARD) + _marker("backward", _BACKWARD) + "</defs>",
        f'<rect x="{-left:.1f}" y="{-top:.1f}" width="100%" height="100%" fill="#fff"/>',
        f'<text class="title" x="{_MARGIN - left:.1f}" y="{_MARGIN - top:.1f}">{escape(diagram.title)}</text>',
        _path(_entry(diagram), True),
    ]
    # Labels are drawn over all curves, so an edge is two groups: its curve below the states, its label above.
    body += [_group("edge", _ends(arc), [_path(_curve(arc.curve), arc.forward)]) for arc in diagram.arcs]
    for state in range(len(diagram.places)):
        body.append(_group("node", str(state), _state(diagram, state)))
    body += [_group("label", _ends(arc), _label(arc)) for arc in diagram.arcs if arc.lines != ("",)]
    return "\n".join([*body, "</svg>"]) + "\n"


def _group(kind: str, title: str, parts: Sequence[str]) -> str:
    return f'<g class="{kind}"><title>{escape(title)}</title>{"".join(parts)}</g>'


def _ends(arc: Arc) -> str:
    return f"{arc.source}->{arc.target}"


def _marker(name: str, colour: str) -> str:
    return (
        f'<marker id="{name}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" '
        f'orient="auto"><path d="M0 1L10 5L0 9z" fill="{colour}"/></marker>'
    )


def _entry(diagram: Diagram) -> str:
    """Return the path of the arrow into the initial state."""
    x, y = diagram.entry
    return f"M{x:.1f} {y:.1f}L{diagram.places[0][0] - diagram.radii[0]:.1f} {y:.1f}"


def _curve(points: Sequence[Point]) -> str:
    parts = [f"M{points[0][0]:.1f} {points[0][1]:.1f}"]
    for place in range(1, len(points), 3):
        parts.append("C" + " ".join(f"{x:.1f} {y:.1f}" for x, y in points[place : place + 3]))
    return "".join(parts)


def _path(curve: str, forward: bool) -> str:
    kind, colour = ("forward", _FORWARD) if forward else ("backward", _BACKWARD)
    return f'<path class="wire" stroke="{colour}" marker-end="url(#{kind})" d="{curve}"/>'


def _state(diagram: Diagram, state: int) -> list[str]:
    (x, y), radius = diagram.places[state], diagram.radii[state]
    circles = [f'<circle class="state" cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"/>']
    if diagram.doubled[state]:
        circles.append(f'<circle class="state" cx="{x:.1f}" cy="{y:.1f}" r="{radius - 3:.1f}"/>')
    return [*circles, f'<text x="{x:.1f}" y="{y + 4:.1f}">{escape(diagram.texts[state])}</text>']


def _label(arc: Arc) -> list[str]:
    """Return the lines of a label around a point, on a background that covers the edge."""
    size = label_size(arc.lines)
    x, y = arc.label
    result = [
        f'<rect class="halo" x="{x - size.width / 2 + 2:.1f}" y="{y - size.above:.1f}" '
        f'width="{size.width - 4:.1f}" height="{size.above + size.below:.1f}"/>'
    ]
    for number, line in enumerate(arc.lines):
        result.append(f'<text x="{x:.1f}" y="{y - size.above + LINE * number + 10.5:.1f}">{escape(line)}</text>')
    return result
