"""Boards as SVG documents: sets of positions (x, y) in colours, and lines.

Column x, row y, with (0,0) at the lower left; a line goes through the middles of squares.  Each colour is one path of
horizontal runs, so a board of 50 by 50 squares takes a few kilobytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from fibprover.base.errors import FibproverError, LimitError
from fibprover.base.limits import polled
from fibprover.frontends.display.board_lines import Line, line_colour
from fibprover.frontends.display.diagram import printable

#: The most columns of a board, and the most sets on it.
MOST_SQUARES = 1000

MOST_SETS = 8

_SQUARE = 10

_LEFT, _TOP, _RIGHT, _BOTTOM = 34, 14, 14, 26

_LEGEND = 18

_ALONE, _FIRST, _SECOND, _COMMON = "#222222", "#c8372d", "#2e8b3d", "#2b5fb8"

#: For three sets and more; neighbours also differ in lightness.
_MANY = (
    "#c8372d", "#2e8b3d", "#2b5fb8", "#e6a817", "#7a3fb0", "#17a3a3", "#8c5a2b", "#d66fae", "#7f7f7f", "#a8c937",
    "#10325c", "#f28e6b", "#5fc27e", "#8fb3f0", "#5e1414", "#c9b3e6", "#4d4d00", "#f2d58a", "#003d3d", "#bdbdbd",
)

#: Of the Sprague-Grundy values 0, 1, 2, ...
VALUE_COLOURS = (_ALONE, *_MANY)

_STYLE = (
    "text{font-family:Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:11px;fill:#111}"
    ".x{text-anchor:middle}.y{text-anchor:end}.grid{stroke:#d8d8d8;stroke-width:.5}"
    ".tens{stroke:#a8a8a8;stroke-width:.8}.frame{fill:none;stroke:#555}"
    ".line{stroke-width:1.6;fill:none}"
)


@dataclass(frozen=True, slots=True)
class Layer:
    """A set of positions (x, y) with its name.

    colour: if all sets of a board have one, they are drawn in these, a later set over an earlier one.
    """

    name: str
    positions: frozenset[tuple[int, int]]
    colour: str = ""


def to_board(layers: Sequence[Layer], size: int, *, x: str = "x", y: str = "y", lines: Sequence[Line] = ()) -> str:
    """Return the squares below `size` of some sets as an SVG document.

    Two sets are red and green, and blue in common; with more sets, positions that are in the same sets have the same
    colour.  x, y: the names of the axes.  Raises LimitError for more than MOST_SQUARES columns, FibproverError for
    none, and for no set or more than MOST_SETS.
    """
    check_size(size)
    colours = coloured(layers, size)
    side = size * _SQUARE
    names = [*(each.name for each in colours), *(line.name for line in lines)]
    width = max(_LEFT + side + _RIGHT, 2 * _LEFT + max(7 * len(name) for name in names))
    height = _TOP + side + _BOTTOM + _LEGEND * len(names)
    title = printable(", ".join(layer.name for layer in layers))
    body = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
        f"<title>{escape(title)}</title>",
        f"<style>{_STYLE}</style>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        *_grid(size),
        *(_squares(each.positions, each.colour, size) for each in colours),
        *_lines(lines, size),
        f'<rect class="frame" x="{_LEFT}" y="{_TOP}" width="{side}" height="{side}"/>',
        *_axes(size, x, y),
        *_legend(colours, _TOP + side + _BOTTOM),
        *_legend_of_lines(lines, _TOP + side + _BOTTOM + _LEGEND * len(colours)),
        "</svg>",
    ]
    return "\n".join(body) + "\n"


def check_size(size: int) -> None:
    """Raise an error unless a board can have `size` columns and rows."""
    if not isinstance(size, int):
        raise FibproverError(f"the size of a board is a number of columns, not {size!r}")
    if size < 1:
        raise FibproverError(f"a board has at least one square, not {size}")
    if size > MOST_SQUARES:
        raise LimitError(f"a board of {size} columns is not drawn; at most {MOST_SQUARES}")


def coloured(layers: Sequence[Layer], size: int) -> list[Layer]:
    """Return the positions below `size`, in one colour for each combination of sets that hold them.

    Sets with colours of their own keep these.  Raises FibproverError for no set or more than MOST_SETS without such,
    LimitError for more combinations than there are colours.
    """
    if layers and all(layer.colour for layer in layers):
        return [Layer(printable(layer.name), _inside(layer, size), layer.colour) for layer in layers]
    if not 1 <= len(layers) <= MOST_SETS:
        raise FibproverError(f"a board shows one to {MOST_SETS} sets, not {len(layers)}")
    sets = [_inside(layer, size) for layer in layers]
    names = [printable(layer.name) for layer in layers]
    if len(layers) == 1:
        return [Layer(names[0], sets[0], _ALONE)]
    if len(layers) == 2:
        common = sets[0] & sets[1]
        return [
            Layer(f"{names[0]} only", sets[0] - common, _FIRST),
            Layer(f"{names[1]} only", sets[1] - common, _SECOND),
            Layer("both", common, _COMMON),
        ]
    places: dict[tuple[int, ...], set[tuple[int, int]]] = {}
    for position in frozenset().union(*sets):
        inside = tuple(number for number, each in enumerate(sets) if position in each)
        places.setdefault(inside, set()).add(position)
    for number in range(len(sets)):
        places.setdefault((number,), set())
    if len(places) > len(_MANY):
        raise LimitError(
            f"the {len(sets)} sets have {len(places)} combinations, but only {len(_MANY)} colours are available",
            hint="show fewer sets, or a smaller board",
        )
    order = sorted(places, key=lambda inside: (len(inside), inside))
    return [
        Layer(_combination(inside, names), frozenset(places[inside]), colour)
        for inside, colour in zip(order, _MANY, strict=False)
    ]


def _inside(layer: Layer, size: int) -> frozenset[tuple[int, int]]:
    return frozenset((x, y) for x, y in polled(layer.positions, "a board") if 0 <= x < size and 0 <= y < size)


def _combination(inside: Sequence[int], names: Sequence[str]) -> str:
    if len(inside) == len(names):
        return "all"
    return f"{names[inside[0]]} only" if len(inside) == 1 else " and ".join(names[number] for number in inside)


def runs(positions: Iterable[tuple[int, int]]) -> list[tuple[int, int, int]]:
    """Return the horizontal runs of positions as (x, y, length)."""
    rows: dict[int, list[int]] = {}
    for x, y in polled(positions, "a board"):
        rows.setdefault(y, []).append(x)
    found: list[tuple[int, int, int]] = []
    for y in sorted(rows):
        for x in polled(sorted(rows[y]), "a board"):
            if found and found[-1][1] == y and found[-1][0] + found[-1][2] == x:
                found[-1] = (found[-1][0], y, found[-1][2] + 1)
            else:
                found.append((x, y, 1))
    return found


def square(x: int, y: int, size: int) -> tuple[int, int, int]:
    """Return left, top and side of the square in column x and row y of a drawing with `size` columns, in pixels."""
    return _LEFT + x * _SQUARE, _TOP + (size - 1 - y) * _SQUARE, _SQUARE


def steps(size: int) -> range:
    """Return the columns and rows with a number: every tenth, or every fiftieth on wide boards."""
    return range(0, size, 10 if size <= 200 else 50)


def _grid(size: int) -> Iterable[str]:
    side = size * _SQUARE
    for kind, numbers in (("grid", range(1, size)), ("tens", range(10, size, 10))):
        lines = "".join(
            f"M{_LEFT + k * _SQUARE} {_TOP}v{side}M{_LEFT} {_TOP + side - k * _SQUARE}h{side}" for k in numbers
        )
        yield f'<path class="{kind}" d="{lines}"/>'


def _squares(positions: Iterable[tuple[int, int]], colour: str, size: int) -> str:
    """Return the squares of one colour as one path."""
    drawn = "".join(
        f"M{_LEFT + x * _SQUARE} {_TOP + (size - 1 - y) * _SQUARE}h{length * _SQUARE}v{_SQUARE}h-{length * _SQUARE}z"
        for x, y, length in runs(positions)
    )
    return f'<path fill="{colour}" d="{drawn}"/>'


def _lines(lines: Sequence[Line], size: int) -> Iterable[str]:
    for number, line in enumerate(lines):
        ends = line.within(size)
        if ends is not None:
            drawn = "L".join(
                f"{_LEFT + (x + 0.5) * _SQUARE:.2f} {_TOP + (size - 0.5 - y) * _SQUARE:.2f}" for x, y in ends
            )
            yield f'<path class="line" stroke="{line_colour(number)}" d="M{drawn}"/>'


def _axes(size: int, x: str, y: str) -> Iterable[str]:
    """Yield the numbers and the names of the axes."""
    bottom, half = _TOP + size * _SQUARE, _SQUARE // 2
    for k in steps(size):
        yield f'<text class="x" x="{_LEFT + k * _SQUARE + half}" y="{bottom + 13}">{k}</text>'
        yield f'<text class="y" x="{_LEFT - 5}" y="{bottom - k * _SQUARE - 1}">{k}</text>'
    yield f'<text class="x" x="{_LEFT + size * _SQUARE - half}" y="{bottom + 13}">{escape(x)}</text>'
    yield f'<text class="y" x="{_LEFT - 5}" y="{_TOP + 10}">{escape(y)}</text>'


def _legend(colours: Sequence[Layer], top: int) -> Iterable[str]:
    for number, each in enumerate(colours):
        y = top + number * _LEGEND
        yield f'<rect x="{_LEFT}" y="{y}" width="{_SQUARE}" height="{_SQUARE}" fill="{each.colour}"/>'
        yield f'<text x="{_LEFT + 16}" y="{y + 9}">{escape(each.name)}</text>'


def _legend_of_lines(lines: Sequence[Line], top: int) -> Iterable[str]:
    for number, line in enumerate(lines):
        y = top + number * _LEGEND
        colour = line_colour(number)
        yield f'<path class="line" stroke="{colour}" d="M{_LEFT} {y + _SQUARE}L{_LEFT + _SQUARE} {y}"/>'
        yield f'<text x="{_LEFT + 16}" y="{y + 9}">{escape(line.name)}</text>'
