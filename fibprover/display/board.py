"""Boards: sets of positions in colours; under the mouse the coordinates, and the Grundy value where there is one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from math import isfinite, nan, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from fibprover.display.diagram import printable
from fibprover.display.html import paragraph, picture, plural, quiet
from fibprover.errors import BudgetSpent, FibproverError, LimitError
from fibprover.limits import Limits
from fibprover.numeration.quadratic import quadratic
from fibprover.values import Displayed, value
from fibprover.verdict.relation import Relation, pairs_in_square

if TYPE_CHECKING:
    from fibprover.games.rules import Game


#: Columns and rows unless others are asked for.
SIZE = 30

#: Inches that a board is wide unless told otherwise, and at most.
INCHES = 6.0

#: Boards of more columns do not answer to the mouse: that takes 80 bytes a square.
MOST_ANSWERING = 64

#: Seconds that the Grundy values of a board may take.
SECONDS = 5.0

_CALL = re.compile(r"\$(\w+)\([\w\s,]*\)")
_VIEW = re.compile(r'viewBox="0 0 (\d+) (\d+)"')


@value
class Board(Displayed):
    """Sets of positions below `size`, and lines; values: Grundy values of positions, where they are known.

    inches: how wide it is as PNG and PDF.
    """

    layers: tuple[Layer, ...]
    size: int
    axes: tuple[str, str]
    values: Mapping[tuple[int, int], int]
    lines: tuple[Line, ...] = ()
    inches: float = INCHES

    def __repr__(self) -> str:
        names = ", ".join(repr(layer.name) for layer in self.layers)
        return f"Board({names}; {plural(self.size, 'column')})"

    @property
    def svg(self) -> str:
        """An SVG document."""
        return to_board(self.layers, self.size, x=self.axes[0], y=self.axes[1], lines=self.lines)

    @property
    def png(self) -> bytes:
        """An image, by matplotlib."""
        return self._rendered("png")

    @property
    def pdf(self) -> bytes:
        """A page as large as the board, by matplotlib."""
        return self._rendered("pdf")

    def figure(self) -> Any:
        """The board as a figure of matplotlib, to work on and to save in its formats; NotInstalled without it."""
        from fibprover.display.plot import board_figure

        x, y = self.axes
        return board_figure(self.layers, self.size, x=x, y=y, lines=self.lines, inches=self.inches)

    def save(self, path: str | Path) -> Path:
        """Writes a file *.svg, *.png or *.pdf; NotInstalled where the latter two miss matplotlib."""
        from fibprover.io.files import write_bytes

        place = Path(path)
        form = board_form(place)
        write_bytes(place, self.svg.encode() if form == "svg" else self._rendered(form))
        return place

    def _rendered(self, form: Literal["png", "pdf"]) -> bytes:
        from fibprover.display.plot import rendered

        return rendered(self.figure(), form)


def board_form(path: str | Path) -> Literal["svg", "png", "pdf"]:
    """What to write into a file, by the end of its name.

    FibproverError for any other, NotInstalled without matplotlib where that is needed.
    """
    form = Path(path).suffix.lower().removeprefix(".")
    if form == "svg":
        return "svg"
    if form not in ("png", "pdf"):
        raise FibproverError(f"{path}: a board is a file called *.svg, *.png or *.pdf")
    from fibprover.display.plot import part

    part("figure")
    return "png" if form == "png" else "pdf"


def board(
    *sets: object, size: int = SIZE, values: bool = True, lines: Iterable[object] = (), inches: float = INCHES,
    names: Sequence[str] = (),
) -> Board:
    """The positions of some sets below `size`, such as the P-positions of one or two games.

    sets: games, by themselves or by what `fibprover game` calls them, theorems about them, and relations of two
    numbers; values: whether to compute the Grundy values of a single game; lines: slopes, such as "phi" or 2, or
    pairs of a slope and an intercept; inches: how wide PNG and PDF are; names: what the sets are called, in order.
    """
    check_size(size)
    if not 1 <= len(sets) <= MOST_SETS:
        raise FibproverError(f"a board shows one to {MOST_SETS} sets, not {len(sets)}")
    if len(names) > len(sets):
        raise FibproverError(f"there are {len(names)} names for {len(sets)} sets")
    layers, axes = [], ("a", "b")
    for number, each in enumerate(sets):
        layer, own = _layer(each, size)
        axes = axes if number else own
        layers.append(Layer(names[number], layer.positions) if number < len(names) else layer)
    known: Mapping[tuple[int, int], int] = {}
    if values and len(sets) == 1 and size <= MOST_ANSWERING and not isinstance(sets[0], Relation):
        known = _grundy_values(_game(sets[0]), size)
    return Board(tuple(layers), size, axes, known, tuple(line_of(line, axes) for line in lines), inches)


def _layer(what: object, size: int) -> tuple[Layer, tuple[str, str]]:
    """A set with its name, and what its axes are called."""
    if isinstance(what, Relation):
        axes = _names(what)
        return Layer(_called(what), pairs_in_square(what, size)), axes
    from fibprover.games.positions import positions

    game = _game(what)
    found = positions(game, size)
    return Layer(game.name, frozenset(zip(found.a.tolist(), found.b.tolist(), strict=True))), ("a", "b")


def _called(relation: Relation) -> str:
    """The name of a relation that is that of a predicate, else its formula."""
    text = " ".join(relation.text.split())
    call = _CALL.fullmatch(text)
    return call[1] if call else text or "relation"


def _game(what: object) -> Game:
    """The game that is meant."""
    from fibprover.games.ready import game_of
    from fibprover.games.rules import Game

    found = game_of(what) if isinstance(what, str) else getattr(what, "game", what)
    if not isinstance(found, Game):
        raise FibproverError(
            f"{type(what).__name__} is nothing that has positions", hint="games and relations of two numbers have"
        )
    return found


def _names(relation: Relation) -> tuple[str, str]:
    if len(relation.names) != 2 or any(not track.system for track in relation.automaton.tracks):
        raise FibproverError(f"a board shows pairs of numbers; the variables are ({', '.join(relation.names)})")
    return relation.names[0], relation.names[1]


def _grundy_values(game: Game, size: int) -> Mapping[tuple[int, int], int]:
    """The Grundy values; none for a game with blocking, or where they take too long."""
    from fibprover.games.positions import grundy

    if game.blocked:
        return {}
    try:
        values = grundy(game, size, Limits(seconds=SECONDS).start()).tolist()
    except BudgetSpent:
        return {}
    return {(a, b): values[a][b] for a in range(size) for b in range(size)}


def board_html(shown: Board) -> str:
    """The drawing, under squares that cannot be seen and say what they are."""
    svg = shown.svg
    names = " and ".join(layer.name for layer in shown.layers)
    drawn = picture(svg, f"board of {names}")
    view = _VIEW.search(svg)
    if shown.size > MOST_ANSWERING or view is None:
        return drawn + paragraph(quiet(f"squares answer to the mouse on boards of up to {MOST_ANSWERING} columns"))
    squares = "".join(_answer(shown, x, y) for x in range(shown.size) for y in range(shown.size))
    return (
        f'<div style="position:relative;display:inline-block;max-width:100%">{drawn}'
        f'<svg viewBox="0 0 {view[1]} {view[2]}" style="position:absolute;left:0;top:0;width:100%;height:100%">'
        f'<g fill-opacity="0">{squares}</g></svg></div>'
    )


def _answer(shown: Board, x: int, y: int) -> str:
    left, top, side = square(x, y, shown.size)
    said = [f"({x},{y})"]
    inside = [layer.name for layer in shown.layers if (x, y) in layer.positions]
    if inside:
        said.append("in " + " and ".join(inside))
    if (x, y) in shown.values:
        said.append(f"Grundy value {shown.values[x, y]}")
    text = escape(", ".join(said))
    return f'<rect x="{left}" y="{top}" width="{side}" height="{side}"><title>{text}</title></rect>'



# ---- board
# Sets of positions (x,y) on a board, as an SVG drawing: one set, or several and what they share.
#
# Column x, row y, with (0,0) at the lower left; a line goes through the middles of squares.  Each colour is one
# path of horizontal runs, so a board of 50 by 50 squares takes a few kilobytes.

#: The widest board that is drawn, and the most sets on it.
MOST_SQUARES = 1000
MOST_SETS = 8

_SQUARE = 10
_LEFT, _TOP, _RIGHT, _BOTTOM = 34, 14, 14, 26
_LEGEND = 18
_ALONE, _FIRST, _SECOND, _COMMON = "#222222", "#c8372d", "#2e8b3d", "#2b5fb8"
#: For three sets and more; neighbours differ in lightness too.
_MANY = (
    "#c8372d", "#2e8b3d", "#2b5fb8", "#e6a817", "#7a3fb0", "#17a3a3", "#8c5a2b", "#d66fae", "#7f7f7f", "#a8c937",
    "#10325c", "#f28e6b", "#5fc27e", "#8fb3f0", "#5e1414", "#c9b3e6", "#4d4d00", "#f2d58a", "#003d3d", "#bdbdbd",
)
_LINES = ("#e07b00", "#7a3fb0", "#008a8a", "#b8a000", "#8c5a2b", "#d6368f")
_STYLE = (
    "text{font-family:Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:11px;fill:#111}"
    ".x{text-anchor:middle}.y{text-anchor:end}.grid{stroke:#d8d8d8;stroke-width:.5}"
    ".tens{stroke:#a8a8a8;stroke-width:.8}.frame{fill:none;stroke:#555}"
    ".line{stroke-width:1.6;fill:none}"
)


@dataclass(frozen=True, slots=True)
class Layer:
    """A set of positions and what it is called."""

    name: str
    positions: frozenset[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Coloured:
    """Positions in one colour, and what the legend says of them."""

    name: str
    positions: frozenset[tuple[int, int]]
    colour: str


def to_board(layers: Sequence[Layer], size: int, *, x: str = "x", y: str = "y", lines: Sequence[Line] = ()) -> str:
    """The squares below `size` of some sets, as an SVG document.

    Two sets are red and green, and blue where they agree; of more, positions that are in the same ones have the
    same colour.  x, y: what the axes are called.  LimitError beyond MOST_SQUARES, FibproverError for no or too
    many sets, or no square.
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


def square(x: int, y: int, size: int) -> tuple[int, int, int]:
    """Left, top and side of the square of column x and row y on the drawing of a board of `size` columns."""
    return _LEFT + x * _SQUARE, _TOP + (size - 1 - y) * _SQUARE, _SQUARE


def check_size(size: int) -> None:
    """An error unless a board can have so many columns and rows."""
    if size < 1:
        raise FibproverError(f"a board has at least one square, not {size}")
    if size > MOST_SQUARES:
        raise LimitError(f"a board of {size} columns is not drawn; at most {MOST_SQUARES}")


def coloured(layers: Sequence[Layer], size: int) -> list[Coloured]:
    """The positions below `size` by what they are in: one colour for each combination of sets.

    FibproverError for no set or more than MOST_SETS, LimitError for more combinations than there are colours.
    """
    if not 1 <= len(layers) <= MOST_SETS:
        raise FibproverError(f"a board shows one to {MOST_SETS} sets, not {len(layers)}")
    sets = [frozenset((x, y) for x, y in layer.positions if 0 <= x < size and 0 <= y < size) for layer in layers]
    names = [printable(layer.name) for layer in layers]
    if len(layers) == 1:
        return [Coloured(names[0], sets[0], _ALONE)]
    if len(layers) == 2:
        common = sets[0] & sets[1]
        return [
            Coloured(f"{names[0]} only", sets[0] - common, _FIRST),
            Coloured(f"{names[1]} only", sets[1] - common, _SECOND),
            Coloured("both", common, _COMMON),
        ]
    places: dict[tuple[int, ...], set[tuple[int, int]]] = {}
    for position in frozenset().union(*sets):
        inside = tuple(number for number, each in enumerate(sets) if position in each)
        places.setdefault(inside, set()).add(position)
    for number in range(len(sets)):
        places.setdefault((number,), set())
    if len(places) > len(_MANY):
        raise LimitError(
            f"there are {len(places)} combinations of these {len(sets)} sets, and {len(_MANY)} colours",
            hint="show fewer sets, or a smaller board",
        )
    order = sorted(places, key=lambda inside: (len(inside), inside))
    return [
        Coloured(_combination(inside, names), frozenset(places[inside]), colour)
        for inside, colour in zip(order, _MANY, strict=False)
    ]


def _combination(inside: Sequence[int], names: Sequence[str]) -> str:
    if len(inside) == len(names):
        return "all"
    return f"{names[inside[0]]} only" if len(inside) == 1 else " and ".join(names[number] for number in inside)


def line_colour(number: int) -> str:
    """The colour of a line, by its number on the board."""
    return _LINES[number % len(_LINES)]


def runs(positions: Iterable[tuple[int, int]]) -> list[tuple[int, int, int]]:
    """Positions as (x, y, length), those beside each other in a row joined."""
    found: list[tuple[int, int, int]] = []
    for y, x in sorted((y, x) for x, y in positions):
        if found and found[-1][1] == y and found[-1][0] + found[-1][2] == x:
            found[-1] = (found[-1][0], y, found[-1][2] + 1)
        else:
            found.append((x, y, 1))
    return found


def _squares(positions: Iterable[tuple[int, int]], colour: str, size: int) -> str:
    """The squares of one colour."""
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


def _grid(size: int) -> Iterable[str]:
    side = size * _SQUARE
    for kind, numbers in (("grid", range(1, size)), ("tens", range(10, size, 10))):
        lines = "".join(
            f"M{_LEFT + k * _SQUARE} {_TOP}v{side}M{_LEFT} {_TOP + side - k * _SQUARE}h{side}" for k in numbers
        )
        yield f'<path class="{kind}" d="{lines}"/>'


def steps(size: int) -> range:
    """The columns and rows with a number: every tenth, fewer on wide boards."""
    return range(0, size, 10 if size <= 200 else 50)


def _axes(size: int, x: str, y: str) -> Iterable[str]:
    """Numbers, and the names of the axes."""
    bottom, half = _TOP + size * _SQUARE, _SQUARE // 2
    for k in steps(size):
        yield f'<text class="x" x="{_LEFT + k * _SQUARE + half}" y="{bottom + 13}">{k}</text>'
        yield f'<text class="y" x="{_LEFT - 5}" y="{bottom - k * _SQUARE - 1}">{k}</text>'
    yield f'<text class="x" x="{_LEFT + size * _SQUARE - half}" y="{bottom + 13}">{escape(x)}</text>'
    yield f'<text class="y" x="{_LEFT - 5}" y="{_TOP + 10}">{escape(y)}</text>'


def _legend(colours: Sequence[Coloured], top: int) -> Iterable[str]:
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



# ---- lines
# Straight lines on boards.

@dataclass(frozen=True, slots=True)
class Line:
    """The line y = slope * x + intercept, and what it is called."""

    slope: float
    intercept: float
    name: str

    def within(self, size: int) -> tuple[tuple[float, float], tuple[float, float]] | None:
        """The ends of its part on a board of `size` columns, the middle of whose first square is (0,0); None off it."""
        low, high = -0.5, size - 0.5
        first, last = low, high
        if self.slope:
            crossings = sorted((bound - self.intercept) / self.slope for bound in (low, high))
            first, last = max(first, crossings[0]), min(last, crossings[1])
        elif not low <= self.intercept <= high:
            return None
        if first >= last:
            return None
        return (first, self.slope * first + self.intercept), (last, self.slope * last + self.intercept)



# ---- lines
# What people mean by a line on a board.

_DECIMAL = re.compile(r"\s*[-+]?[0-9]+(\.[0-9]+)?\s*", re.ASCII)


def line_of(what: object, axes: tuple[str, str] = ("x", "y")) -> Line:
    """The line of a slope, or of a slope and an intercept; axes: what they are called.

    what: a number, a text such as "phi", "(5+sqrt(13))/6", "1.5" or "phi,-1", or a pair of them.  SyntaxProblem
    shows what is wrong in a text, FibproverError says that it is something else.
    """
    parts: Sequence[object] = [what]
    if isinstance(what, str):
        parts = what.split(",")
    elif isinstance(what, Line):
        return what
    elif isinstance(what, Sequence):
        parts = what
    if not 1 <= len(parts) <= 2:
        raise FibproverError(f"a line has a slope and an intercept, not {len(parts)} numbers", hint="as in phi,1")
    slope, slope_text = _number(parts[0])
    shown = {"0": "", "1": axes[0], "-1": f"-{axes[0]}"}.get(slope_text, f"{_factor(slope_text)} {axes[0]}")
    if len(parts) == 1:
        return Line(slope, 0.0, f"{axes[1]} = {shown or 0}")
    intercept, text = _number(parts[1])
    if not shown or not intercept:
        return Line(slope, intercept, f"{axes[1]} = {shown or (text if intercept else 0)}")
    shown = f"{axes[1]} = {shown}"
    if intercept < 0 and text.startswith("-") and not _is_sum(text[1:]):
        return Line(slope, intercept, f"{shown} - {text[1:]}")
    return Line(slope, intercept, f"{shown} + {_factor(text) if text.startswith('-') else text}")


def _number(what: object) -> tuple[float, str]:
    """A number and how it is written."""
    value, text = nan, ""
    if isinstance(what, str):
        text = what.strip()
        if _DECIMAL.fullmatch(text):
            value = float(text)
        else:
            p, q, d = quadratic(what)
            with suppress(OverflowError):
                value = (p + sqrt(d)) / q
    elif isinstance(what, (int, float, Fraction)) and not isinstance(what, bool):
        text = str(what) if isinstance(what, (int, Fraction)) else f"{what:.6g}"
        with suppress(OverflowError):
            value = float(what)
    else:
        raise FibproverError(
            f"the slope or intercept of a line is a number, not {what!r}", hint='as in 2, "phi", ("phi", 1)'
        )
    if not isfinite(value):
        raise FibproverError(f"no line on a board has the slope or intercept {text}")
    return value, text


def _factor(text: str) -> str:
    """A text before a factor."""
    return f"({text})" if _is_sum(text) else text


def _is_sum(text: str) -> bool:
    """Whether there is a plus or a minus outside of parentheses, but for a sign."""
    depth = 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if character in "+-" and place and not depth:
            return True
    return False
