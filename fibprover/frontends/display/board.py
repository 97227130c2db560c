"""Boards as values: the positions of games and relations, which notebooks display and which can be written to files.

On boards of moderate size the mouse over a square shows its coordinates, its sets, and its Grundy value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from fibprover.base.errors import BudgetSpent, FibproverError, LimitError
from fibprover.base.limits import Limits
from fibprover.base.values import RichlyDisplayed, value
from fibprover.base.wording import plural
from fibprover.frontends.display.board_lines import Line, line_of
from fibprover.frontends.display.board_svg import MOST_SETS, VALUE_COLOURS, Layer, check_size, square, to_board
from fibprover.frontends.display.board_tikz import board_tikz
from fibprover.frontends.display.html import paragraph, picture, quiet
from fibprover.frontends.display.plot import INCHES, board_figure, part, rendered
from fibprover.language.tokens import END, Token, formula_tokens
from fibprover.prover.verdict.relation import Relation, pairs_in_square

if TYPE_CHECKING:
    from fibprover.games.rules import Game

#: Columns and rows by default.
SIZE = 30

#: Larger boards have no tooltips, which take 80 bytes a square.
MOST_WITH_TOOLTIPS = 64

#: The most seconds for the Grundy values of a board.
SECONDS = 5.0

#: The tokens of a call of variables and numbers, after its name.
_OF_CALLS = ("LPAR", "NAME", "NUMBER", "COMMA", "RPAR", END)

_VIEW = re.compile(r'viewBox="0 0 (\d+) (\d+)"')


@value
class Board(RichlyDisplayed):
    """Sets of positions below `size`, and lines.

    values: the Grundy values of positions, where they are known; inches: the width of PNG and PDF.
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
        """The board as an SVG document."""
        return to_board(self.layers, self.size, x=self.axes[0], y=self.axes[1], lines=self.lines)

    @property
    def tikz(self) -> str:
        """The board as a picture of TikZ, for a document that uses amssymb and tikz."""
        return board_tikz(self.layers, self.size, x=self.axes[0], y=self.axes[1], lines=self.lines)

    @property
    def png(self) -> bytes:
        """The board as an image, by matplotlib."""
        return self._rendered("png")

    @property
    def pdf(self) -> bytes:
        """The board as a page of its size, by matplotlib."""
        return self._rendered("pdf")

    def figure(self) -> Any:
        """Return the board as a figure of matplotlib; raises NotInstalled without matplotlib."""
        x, y = self.axes
        return board_figure(self.layers, self.size, x=x, y=y, lines=self.lines, inches=self.inches)

    def save(self, path: str | Path) -> Path:
        """Write a file *.svg, *.png or *.pdf; raises NotInstalled if a PNG or a PDF needs matplotlib."""
        from fibprover.base.files import write_bytes

        place = Path(path)
        form = board_form(place)
        write_bytes(place, self.svg.encode() if form == "svg" else self._rendered(form))
        return place

    def _rendered(self, form: Literal["png", "pdf"]) -> bytes:
        return rendered(self.figure(), form)


def board_form(path: str | Path) -> Literal["svg", "png", "pdf"]:
    """Return the form of a file by the end of its name.

    Raises FibproverError for an unknown form, NotInstalled for one that needs matplotlib where it is missing.
    """
    form = Path(path).suffix.lower().removeprefix(".")
    if form == "svg":
        return "svg"
    if form not in ("png", "pdf"):
        raise FibproverError(f"{path}: the name of a board must be *.svg, *.png or *.pdf")
    part("figure")
    return "png" if form == "png" else "pdf"


def board(
    *sets: object, size: int = SIZE, values: bool = True, lines: Iterable[object] = (), inches: float = INCHES,
    names: Sequence[str] = (), value: int = 0,
) -> Board:
    """Return the board of some sets of positions below `size`, such as the P-positions of one or two games.

    Parameters:

    - sets: games, or their names for `fibprover game`; theorems about games; relations of two numbers
    - size: the number of rows and columns
    - values: whether to compute the Grundy values of a single game
    - lines: slopes, such as "phi" or 2, or pairs of a slope and an intercept
    - inches: the width of PNG and PDF
    - names: of the sets, in order
    - value: of a single game, the positions of Sprague-Grundy values 0, 1, ..., `value`, each in its colour; so it is
      for a theorem about positions of a value

    Returns: a Board, which notebooks show and `save` writes to a file.

    Errors: FibproverError for what is no such set, and for a size that is not valid.

    >>> board = fp.board("wythoff()", size=8)
    >>> [(layer.name, len(layer.positions)) for layer in board.layers]
    [('wythoff()', 7)]
    """
    check_size(size)
    if not 1 <= len(sets) <= MOST_SETS:
        raise FibproverError(f"a board shows one to {MOST_SETS} sets, not {len(sets)}")
    game = _game(sets[0]) if len(sets) == 1 and not isinstance(sets[0], Relation) else None
    if value and game is None:
        raise FibproverError("a board shows the values of a single game", hint="leave value out")
    axes = ("a", "b")
    if game is not None and (value or getattr(sets[0], "value", 0)):
        layers = value_layers(game, size, value or getattr(sets[0], "value", 0))
    else:
        found = [_layer(each, size) for each in sets]
        layers, axes = [layer for layer, _ in found], found[0][1]
    if len(names) > len(layers):
        raise FibproverError(f"{plural(len(names), 'name')} for {plural(len(layers), 'set')}")
    layers = [*map(_renamed, layers, names), *layers[len(names) :]]
    known: Mapping[tuple[int, int], int] = {}
    if values and game is not None and size <= MOST_WITH_TOOLTIPS:
        known = _grundy_values(game, size)
    return Board(tuple(layers), size, axes, known, tuple(line_of(line, axes) for line in lines), inches)


def _renamed(layer: Layer, name: str) -> Layer:
    return replace(layer, name=name)


def value_layers(game: Game, size: int, value: int) -> list[Layer]:
    """Return the positions below `size` of the Sprague-Grundy values 0, 1, ..., `value`, each in its colour.

    Raises LimitError for more values than there are colours; FibproverError for a game without values.
    """
    from fibprover.games.positions import check_value, positions

    check_value(game, value)
    if value >= len(VALUE_COLOURS):
        raise LimitError(f"a board has colours for the values up to {len(VALUE_COLOURS) - 1}, not for {value}")
    return [
        Layer(f"{game.name}, value {each}", frozenset(positions(game, size, value=each).pairs), colour)
        for each, colour in zip(range(value + 1), VALUE_COLOURS, strict=False)
    ]


def _layer(what: object, size: int) -> tuple[Layer, tuple[str, str]]:
    """Return a set with its name, and the names of its axes."""
    if isinstance(what, Relation):
        axes = _names(what)
        return Layer(_called(what), pairs_in_square(what, size)), axes
    from fibprover.games.positions import positions

    game = _game(what)
    # Among several sets, a theorem about the positions of another value is one of these.
    value = getattr(what, "value", 0)
    found = positions(game, size, value=value)
    name = f"{game.name}, value {value}" if value else game.name
    return Layer(name, frozenset(zip(found.a.tolist(), found.b.tolist(), strict=True))), ("a", "b")


def _called(relation: Relation) -> str:
    """Return the name of the predicate that a relation calls, else its formula."""
    text = " ".join(relation.text.split())
    first, *others = *formula_tokens(text), Token(END, "")
    call = first.type == "CALL" and all(each.type in _OF_CALLS for each in others)
    return first[1:] if call else text or "relation"


def _game(what: object) -> Game:
    """Return the game that a name, a theorem or the game itself stands for."""
    from fibprover.games.catalogue import game_of
    from fibprover.games.rules import Game

    found = game_of(what) if isinstance(what, str) else getattr(what, "game", what)
    if not isinstance(found, Game):
        raise FibproverError(
            f"expected a game or a relation of two numbers, got {type(what).__name__}"
        )
    return found


def _names(relation: Relation) -> tuple[str, str]:
    if len(relation.names) != 2 or any(not track.system for track in relation.automaton.tracks):
        raise FibproverError(f"a board shows pairs of numbers; the variables are ({', '.join(relation.names)})")
    return relation.names[0], relation.names[1]


def _grundy_values(game: Game, size: int) -> Mapping[tuple[int, int], int]:
    """Return the Grundy values; none for a game with blocking, or if they take too long."""
    from fibprover.games.positions import grundy

    if game.blocked or game.misere or game.passes:
        return {}
    try:
        values = grundy(game, size, Limits(cpu_seconds=SECONDS).start()).tolist()
    except BudgetSpent:
        return {}
    return {(a, b): values[a][b] for a in range(size) for b in range(size)}


def board_html(shown: Board) -> str:
    """Return the drawing below invisible squares with tooltips."""
    svg = shown.svg
    names = " and ".join(layer.name for layer in shown.layers)
    drawn = picture(svg, f"board of {names}")
    view = _VIEW.search(svg)
    if shown.size > MOST_WITH_TOOLTIPS or view is None:
        return drawn + paragraph(quiet(f"tooltips are shown on boards of up to {MOST_WITH_TOOLTIPS} columns"))
    squares = "".join(_tooltip(shown, x, y) for x in range(shown.size) for y in range(shown.size))
    return (
        f'<div style="position:relative;display:inline-block;max-width:100%">{drawn}'
        f'<svg viewBox="0 0 {view[1]} {view[2]}" style="position:absolute;left:0;top:0;width:100%;height:100%">'
        f'<g fill-opacity="0">{squares}</g></svg></div>'
    )


def _tooltip(shown: Board, x: int, y: int) -> str:
    left, top, side = square(x, y, shown.size)
    parts = [f"({x},{y})"]
    inside = [layer.name for layer in shown.layers if (x, y) in layer.positions]
    if inside:
        parts.append("in " + " and ".join(inside))
    if (x, y) in shown.values:
        parts.append(f"Grundy value {shown.values[x, y]}")
    text = escape(", ".join(parts))
    return f'<rect x="{left}" y="{top}" width="{side}" height="{side}"><title>{text}</title></rect>'
