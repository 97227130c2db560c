"""Boards by matplotlib: PNG and PDF, and figures that can be worked on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fibprover.errors import LimitError
from fibprover.formats.board import Coloured, Layer, check_size, coloured, line_colour, runs, steps
from fibprover.formats.lines import Line
from fibprover.formats.plotting import figure, part

#: Inches that a board is wide unless told otherwise, and at most.
INCHES = 6.0
MOST_INCHES = 100.0

_LEFT, _TOP, _RIGHT, _BOTTOM, _LEGEND = 0.55, 0.15, 0.15, 0.4, 0.2


def board_figure(
    layers: Sequence[Layer], size: int, *, x: str = "x", y: str = "y", lines: Sequence[Line] = (),
    inches: float = INCHES,
) -> Any:
    """The board of `to_board` as a figure of matplotlib, so many inches wide.

    NotInstalled without matplotlib; LimitError and FibproverError as there.
    """
    check_size(size)
    if not 1 <= inches <= MOST_INCHES:
        raise LimitError(f"a board is 1 to {MOST_INCHES:.0f} inches wide, not {inches:g}")
    colours = coloured(layers, size)
    legend = _LEGEND * (len(colours) + len(lines)) + 0.1
    side = max(inches - _LEFT - _RIGHT, 0.2)
    height = _TOP + side + _BOTTOM + legend
    drawn = figure(inches, height)
    axes = drawn.add_axes((_LEFT / inches, (_BOTTOM + legend) / height, side / inches, side / height))
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
    _legend(drawn, colours, lines, _LEFT / inches, legend / height)
    return drawn


def _grid(axes: Any, size: int, side: float) -> None:
    """A grid of squares where it is not finer than what is seen, and a stronger one at every tenth."""
    lowest, highest = -0.5, size - 0.5
    for every, colour, width in ((1, "#d8d8d8", 0.4), (10, "#a8a8a8", 0.6)):
        if size / every > 25 * side:
            continue
        places = [k - 0.5 for k in range(every, size, every)]
        lines = [((place, lowest), (place, highest)) for place in places]
        lines += [((lowest, place), (highest, place)) for place in places]
        grid = part("collections").LineCollection(lines, colors=colour, linewidths=width, zorder=0.5)
        axes.add_collection(grid, autolim=False)


def _squares(axes: Any, each: Coloured) -> None:
    """The squares of one colour; their edges are not blurred, so that neighbours touch."""
    corners = [
        ((x - 0.5, y - 0.5), (x + length - 0.5, y - 0.5), (x + length - 0.5, y + 0.5), (x - 0.5, y + 0.5))
        for x, y, length in runs(each.positions)
    ]
    squares = part("collections").PolyCollection(
        corners, facecolors=each.colour, linewidths=0, antialiaseds=False, label=each.name, zorder=1
    )
    axes.add_collection(squares, autolim=False)


def _legend(drawn: Any, colours: Sequence[Coloured], lines: Sequence[Line], left: float, top: float) -> None:
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
