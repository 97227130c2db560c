"""Boards: sets of positions in colours; under the mouse the coordinates, and the Grundy value where there is one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from fibprover.errors import BudgetSpent, FibproverError
from fibprover.formats.board import MOST_SETS, Layer, check_size, square, to_board
from fibprover.formats.board_plot import INCHES
from fibprover.formats.lines import Line
from fibprover.limits import Limits
from fibprover.show.lines import line_of
from fibprover.show.markup import card, paragraph, picture, plural, quiet
from fibprover.shown import Shown
from fibprover.values import value
from fibprover.verdict.relation import Relation
from fibprover.verdict.square import pairs_in_square

if TYPE_CHECKING:
    from fibprover.games.rules import Game

#: Columns and rows unless others are asked for.
SIZE = 30

#: Boards of more columns do not answer to the mouse: that takes 80 bytes a square.
MOST_ANSWERING = 64

#: Seconds that the Grundy values of a board may take.
SECONDS = 5.0

_CALL = re.compile(r"\$(\w+)\([\w\s,]*\)")
_VIEW = re.compile(r'viewBox="0 0 (\d+) (\d+)"')


@value
class Board(Shown):
    """Sets of positions below `size`, and lines; values: Grundy values of positions, where they are known.

    inches: how wide it is as PNG and PDF.
    """

    layers: tuple[Layer, ...]
    size: int
    axes: tuple[str, str]
    values: Mapping[tuple[int, int], int]
    lines: tuple[Line, ...] = ()
    inches: float = INCHES

    shown_by = "fibprover.show.board"

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
        from fibprover.formats.board_plot import board_figure

        x, y = self.axes
        return board_figure(self.layers, self.size, x=x, y=y, lines=self.lines, inches=self.inches)

    def save(self, path: str | Path) -> Path:
        """Writes a file *.svg, *.png or *.pdf; NotInstalled where the latter two miss matplotlib."""
        from fibprover.formats.atomic import write_bytes

        place = Path(path)
        form = board_form(place)
        write_bytes(place, self.svg.encode() if form == "svg" else self._rendered(form))
        return place

    def _rendered(self, form: Literal["png", "pdf"]) -> bytes:
        from fibprover.formats.plotting import rendered

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
    from fibprover.formats.plotting import part

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
    from fibprover.games.reading import game_of
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
    from fibprover.games.grundy import grundy

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


def html(shown: Board) -> str:
    """The board."""
    return card(board_html(shown))


def text(shown: Board) -> str:
    """What is on it."""
    sets = " and ".join(f"{layer.name} ({len(layer.positions)} positions)" for layer in shown.layers)
    return f"the squares below {shown.size} of {sets}"


