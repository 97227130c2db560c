"""Automata as PNG and PDF by matplotlib, for machines without graphviz: the drawing of `svg.py` once more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from fibprover.errors import LimitError
from fibprover.formats.diagram import LINE, Diagram, label_size
from fibprover.formats.layout import Point
from fibprover.formats.plotting import DOTS, figure, part, rendered

#: Pixels of the layout in an inch, so that its text of 11 pixels is one of 8 points.
_PIXELS = 100.0
_MARGIN, _TITLE, _LEFT = 18.0, 26.0, 48.0
_FORWARD, _BACKWARD = "#222222", "#2f6fb0"
#: Beyond so many pixels on a side no image is made.
_MOST_PIXELS = 30_000


def plot_diagram(diagram: Diagram, form: Literal["png", "pdf"]) -> bytes:
    """A diagram as a file of matplotlib; NotInstalled without it, LimitError where the image would be huge."""
    width = max(_LEFT + diagram.width + _MARGIN, 2 * _MARGIN + 8.2 * len(diagram.title))
    height = _MARGIN + _TITLE + diagram.height + _MARGIN
    if form == "png" and max(width, height) / _PIXELS * DOTS > _MOST_PIXELS:
        raise LimitError("the drawing is too large for a PNG", hint="SVG and PDF have any size")
    drawn = figure(width / _PIXELS, height / _PIXELS)
    axes = drawn.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(-_LEFT, width - _LEFT)
    axes.set_ylim(diagram.height + _MARGIN, -_MARGIN - _TITLE)
    _write(axes, (_MARGIN - _LEFT, -_TITLE + 4), diagram.title, 9.5, horizontalalignment="left")
    x, y = diagram.places[0]
    _arrow(axes, [diagram.entry, (x - diagram.radii[0], y)], _FORWARD, curved=False)
    for arc in diagram.arcs:
        _arrow(axes, arc.curve, _FORWARD if arc.forward else _BACKWARD)
    for state in range(len(diagram.places)):
        _state(axes, diagram, state)
    for arc in diagram.arcs:
        size = label_size(arc.lines)
        for number, line in enumerate(arc.lines):
            place = (arc.label[0], arc.label[1] - size.above + LINE * (number + 0.5))
            _write(axes, place, line, 8, bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6, "alpha": 0.88})
    return rendered(drawn, form)


def _arrow(axes: Any, points: Sequence[Point], colour: str, *, curved: bool = True) -> None:
    path = part("path").Path
    codes = [path.MOVETO, *([path.CURVE4 if curved else path.LINETO] * (len(points) - 1))]
    arrow = part("patches").FancyArrowPatch(
        path=path(list(points), codes), arrowstyle="-|>", mutation_scale=8, color=colour, linewidth=0.8,
        shrinkA=0, shrinkB=0,
    )
    axes.add_patch(arrow)


def _state(axes: Any, diagram: Diagram, state: int) -> None:
    place, radius = diagram.places[state], diagram.radii[state]
    for size in (radius, radius - 3) if diagram.doubled[state] else (radius,):
        axes.add_patch(part("patches").Circle(place, size, facecolor="white", edgecolor="#111111", linewidth=0.9))
    _write(axes, place, diagram.texts[state], 8)


def _write(axes: Any, place: Point, text: str, size: float, **options: Any) -> None:
    """Text as it is: a dollar sign begins no formula."""
    axes.text(
        *place, text, fontsize=size, family="monospace", verticalalignment="center", parse_math=False,
        **({"horizontalalignment": "center"} | options),
    )
