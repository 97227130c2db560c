"""Sets of positions (x,y) on a board, as an SVG drawing: one set, or two and what they share.

Column x, row y, with (0,0) at the lower left.  Each colour is one path of horizontal runs, so a board
of 50 by 50 squares takes a few kilobytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from fibprover.errors import FibproverError, LimitError

#: The widest board that is drawn.
MOST_SQUARES = 1000

_SQUARE = 10
_LEFT, _TOP, _RIGHT, _BOTTOM = 34, 14, 14, 26
_LEGEND = 18
_ALONE, _FIRST, _SECOND, _COMMON = "#222222", "#c8372d", "#2e8b3d", "#2b5fb8"
_STYLE = (
    "text{font-family:Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:11px;fill:#111}"
    ".x{text-anchor:middle}.y{text-anchor:end}.grid{stroke:#d8d8d8;stroke-width:.5}"
    ".tens{stroke:#a8a8a8;stroke-width:.8}.frame{fill:none;stroke:#555}"
)


@dataclass(frozen=True, slots=True)
class Layer:
    """A set of positions and what it is called."""

    name: str
    positions: frozenset[tuple[int, int]]


def to_board(layers: Sequence[Layer], size: int, *, x: str = "x", y: str = "y") -> str:
    """The squares below `size` of one or two sets, as an SVG document.

    Two sets are red and green, and blue where they agree; x, y: what the axes are called.
    LimitError beyond MOST_SQUARES; FibproverError for another number of sets, or no square.
    """
    check_size(size)
    colours = _colours(layers)
    side = size * _SQUARE
    width = max(_LEFT + side + _RIGHT, 2 * _LEFT + max(7 * len(name) for name, _, _ in colours))
    height = _TOP + side + _BOTTOM + _LEGEND * len(colours)
    title = ", ".join(layer.name for layer in layers)
    body = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
        f"<title>{escape(title)}</title>",
        f"<style>{_STYLE}</style>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        *_grid(size),
        *(_squares(positions, colour, size) for _, positions, colour in colours),
        f'<rect class="frame" x="{_LEFT}" y="{_TOP}" width="{side}" height="{side}"/>',
        *_axes(size, x, y),
        *_legend(colours, _TOP + side + _BOTTOM),
        "</svg>",
    ]
    return "\n".join(body) + "\n"


def square(x: int, y: int, size: int) -> tuple[int, int, int]:
    """Left, top and side of the square of column x and row y on the drawing of a board of `size` columns."""
    return _LEFT + x * _SQUARE, _TOP + (size - 1 - y) * _SQUARE, _SQUARE


def check_size(size: int) -> None:
    """An error unless a board can have so many columns and rows."""
    if size < 1:
        raise FibproverError(f"a board has at least one square, not {size}")
    if size > MOST_SQUARES:
        raise LimitError(f"a board of {size} columns is not drawn; at most {MOST_SQUARES}")


def _colours(layers: Sequence[Layer]) -> list[tuple[str, frozenset[tuple[int, int]], str]]:
    """What the legend says, the positions, and their colour."""
    if len(layers) == 1:
        return [(layers[0].name, layers[0].positions, _ALONE)]
    if len(layers) != 2:
        raise FibproverError(f"a board shows one or two sets, not {len(layers)}")
    one, other = layers
    common = one.positions & other.positions
    return [
        (f"{one.name} only", one.positions - common, _FIRST),
        (f"{other.name} only", other.positions - common, _SECOND),
        ("both", common, _COMMON),
    ]


def _squares(positions: Iterable[tuple[int, int]], colour: str, size: int) -> str:
    """The squares of one colour, runs along a row joined."""
    runs: list[list[int]] = []
    for y, x in sorted((y, x) for x, y in positions if 0 <= x < size and 0 <= y < size):
        if runs and runs[-1][0] == y and runs[-1][1] + runs[-1][2] == x:
            runs[-1][2] += 1
        else:
            runs.append([y, x, 1])
    drawn = "".join(
        f"M{_LEFT + x * _SQUARE} {_TOP + (size - 1 - y) * _SQUARE}h{length * _SQUARE}v{_SQUARE}h-{length * _SQUARE}z"
        for y, x, length in runs
    )
    return f'<path fill="{colour}" d="{drawn}"/>'


def _grid(size: int) -> Iterable[str]:
    side = size * _SQUARE
    for kind, numbers in (("grid", range(1, size)), ("tens", range(10, size, 10))):
        lines = "".join(
            f"M{_LEFT + k * _SQUARE} {_TOP}v{side}M{_LEFT} {_TOP + side - k * _SQUARE}h{side}" for k in numbers
        )
        yield f'<path class="{kind}" d="{lines}"/>'


def _axes(size: int, x: str, y: str) -> Iterable[str]:
    """A number at every tenth column and row, fewer on wide boards, and the names of the axes."""
    bottom, half = _TOP + size * _SQUARE, _SQUARE // 2
    step = 10 if size <= 200 else 50
    for k in range(0, size, step):
        yield f'<text class="x" x="{_LEFT + k * _SQUARE + half}" y="{bottom + 13}">{k}</text>'
        yield f'<text class="y" x="{_LEFT - 5}" y="{bottom - k * _SQUARE - 1}">{k}</text>'
    yield f'<text class="x" x="{_LEFT + size * _SQUARE - half}" y="{bottom + 13}">{escape(x)}</text>'
    yield f'<text class="y" x="{_LEFT - 5}" y="{_TOP + 10}">{escape(y)}</text>'


def _legend(colours: Sequence[tuple[str, object, str]], top: int) -> Iterable[str]:
    for number, (name, _, colour) in enumerate(colours):
        y = top + number * _LEGEND
        yield f'<rect x="{_LEFT}" y="{y}" width="{_SQUARE}" height="{_SQUARE}" fill="{colour}"/>'
        yield f'<text x="{_LEFT + 16}" y="{y + 9}">{escape(name)}</text>'
