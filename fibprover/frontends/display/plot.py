"""PNG and PDF files of automata and boards, and figures of boards, by matplotlib.

Figures belong to no window and share no state; matplotlib is imported when something is drawn, and every function
raises NotInstalled without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import Any, Literal

from fibprover.automata.formats.exports import library
from fibprover.base.errors import LimitError
from fibprover.frontends.display.board_lines import Line, line_colour
from fibprover.frontends.display.board_svg import Layer, check_size, coloured, runs, steps
from fibprover.frontends.display.diagram import LINE, Diagram, label_size
from fibprover.frontends.display.layout import Point

#: Dots in an inch of a PNG.
DOTS = 150


def figure(width: float, height: float) -> Any:
    """Return an empty figure; width, height: in inches."""
    made = part("figure").Figure(figsize=(width, height), facecolor="white")
    part("backends.backend_agg").FigureCanvasAgg(made)
    return made


def part(name: str) -> Any:
    """Return a module of matplotlib; raises NotInstalled, with the command that installs it, if it is missing."""
    return library(f"matplotlib.{name}", "matplotlib", "drawing")


def rendered(drawn: Any, form: Literal["png", "svg", "pdf"]) -> bytes:
    """Return a figure as a file without dates, so that equal figures are equal files."""
    stream = BytesIO()
    about = {"png": {"Software": None}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}[form]
    with library("matplotlib", "matplotlib", "drawing").rc_context(
        {"svg.hashsalt": "fibprover", "svg.fonttype": "none", "pdf.fonttype": 42}
    ):
        drawn.savefig(stream, format=form, dpi=DOTS, metadata=about)
    return stream.getvalue()

# ---- automata

#: Pixels of the layout in an inch, so that its text of 11 pixels is one of 8 points.
_PIXELS = 100.0

_MARGIN, _TITLE, _LEFT = 18.0, 26.0, 48.0

_FORWARD, _BACKWARD = "#222222", "#2f6fb0"

#: Beyond so many pixels on a side no image is made.
_MOST_PIXELS = 30_000


def plot_diagram(diagram: Diagram, form: Literal["png", "pdf"]) -> bytes:
    """Return a placed automaton as a file, with the look of `svg.py`.

    Raises LimitError for a PNG that would be too large.
    """
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
    """Write text literally: a dollar sign does not begin a formula."""
    axes.text(
        *place, text, fontsize=size, family="monospace", verticalalignment="center", parse_math=False,
        **({"horizontalalignment": "center"} | options),
    )

# ---- boards

#: The width of a board in inches by default, and the largest one.
INCHES = 6.0

MOST_INCHES = 100.0

_BOARD_LEFT, _TOP, _RIGHT, _BOTTOM, _LEGEND = 0.55, 0.15, 0.15, 0.4, 0.2


def board_figure(
    layers: Sequence[Layer], size: int, *, x: str = "x", y: str = "y", lines: Sequence[Line] = (),
    inches: float = INCHES,
) -> Any:
    """Return the board of `to_board` as a figure; inches: its width.

    Raises LimitError and FibproverError as for `to_board`.
    """
    check_size(size)
    if not 1 <= inches <= MOST_INCHES:
        raise LimitError(f"a board is 1 to {MOST_INCHES:.0f} inches wide, not {inches:g}")
    colours = coloured(layers, size)
    legend = _LEGEND * (len(colours) + len(lines)) + 0.1
    side = max(inches - _BOARD_LEFT - _RIGHT, 0.2)
    height = _TOP + side + _BOTTOM + legend
    drawn = figure(inches, height)
    axes = drawn.add_axes((_BOARD_LEFT / inches, (_BOTTOM + legend) / height, side / inches, side / height))
    axes.set_xlim(-0.5, size - 0.5)
    axes.set_ylim(-0.5, size - 0.5)
    axes.set_xticks(steps(size))
    axes.set_yticks(steps(size))
    axes.tick_params(labelsize=8, length=2)
    axes.set_xlabel(x, fontsize=9, parse_math=False)
    axes.set_ylabel(y, fontsize=9, parse_math=False, rotation=0, labelpad=8)
    _grid(axes, size, side)
    for each in colours:
        _squares(axes, each)
    for number, line in enumerate(lines):
        ends = line.within(size)
        if ends is not None:
            (x0, y0), (x1, y1) = ends
            axes.plot([x0, x1], [y0, y1], color=line_colour(number), linewidth=1.4, scalex=False, scaley=False)
    _legend(drawn, colours, lines, _BOARD_LEFT / inches, legend / height)
    return drawn


def _grid(axes: Any, size: int, side: float) -> None:
    """Draw a grid, unless it is too fine to be seen, and a stronger one at every tenth square."""
    lowest, highest = -0.5, size - 0.5
    for every, colour, width in ((1, "#d8d8d8", 0.4), (10, "#a8a8a8", 0.6)):
        if size / every > 25 * side:
            continue
        places = [k - 0.5 for k in range(every, size, every)]
        lines = [((place, lowest), (place, highest)) for place in places]
        lines += [((lowest, place), (highest, place)) for place in places]
        grid = part("collections").LineCollection(lines, colors=colour, linewidths=width, zorder=0.5)
        axes.add_collection(grid, autolim=False)


def _squares(axes: Any, each: Layer) -> None:
    """Draw the squares of one colour, without antialiasing, so that neighbours touch."""
    corners = [
        ((x - 0.5, y - 0.5), (x + length - 0.5, y - 0.5), (x + length - 0.5, y + 0.5), (x - 0.5, y + 0.5))
        for x, y, length in runs(each.positions)
    ]
    squares = part("collections").PolyCollection(
        corners, facecolors=each.colour, linewidths=0, antialiaseds=False, label=each.name, zorder=1
    )
    axes.add_collection(squares, autolim=False)


def _legend(drawn: Any, colours: Sequence[Layer], lines: Sequence[Line], left: float, top: float) -> None:
    handles = [part("patches").Patch(facecolor=each.colour, label=each.name) for each in colours]
    handles += [
        part("lines").Line2D([], [], color=line_colour(number), linewidth=1.4, label=line.name)
        for number, line in enumerate(lines)
    ]
    legend = drawn.legend(
        handles=handles, loc="upper left", bbox_to_anchor=(left, top), borderaxespad=0, frameon=False, fontsize=9,
        handlelength=1.0, handleheight=0.8, labelspacing=0.25,
    )
    for text in legend.get_texts():
        text.set_parse_math(False)
