"""Drawings of automata, as values that notebooks show and that can be written to files."""

from __future__ import annotations

from pathlib import Path

from fibprover.automata.dfa import Dfa
from fibprover.automata.reading import as_read
from fibprover.errors import FibproverError, LimitError
from fibprover.formats.dot import DEFAULT_LIMIT
from fibprover.show.markup import card, picture, plural, quiet
from fibprover.shown import Shown
from fibprover.values import value
from fibprover.verdict.relation import MODERATE, Relation
from fibprover.words.automatic import AutomaticWord

#: Most states and transitions of an automaton that is drawn without having been asked for.
UNASKED = 60
UNASKED_TRANSITIONS = 1000


@value
class Drawing(Shown):
    """The drawing of an automaton: what it is called, whether its outputs are letters, the most states to draw."""

    automaton: Dfa
    name: str
    word: bool
    limit: int

    shown_by = "fibprover.show.drawing"

    @property
    def svg(self) -> str:
        """An SVG document; LimitError beyond the limit."""
        from fibprover.formats.svg import to_svg

        self._check()
        return to_svg(self.automaton, self.name, word=self.word, limit=self.limit)

    @property
    def dot(self) -> str:
        """A graph in the language of graphviz; LimitError beyond the limit."""
        from fibprover.formats.dot import to_dot

        self._check()
        return to_dot(self.automaton, self.name, word=self.word, limit=self.limit)

    def save(self, path: str | Path) -> Path:
        """Writes a file: *.svg, *.dot or *.gv."""
        from fibprover.formats.atomic import write_text

        place = Path(path)
        if place.suffix.lower() not in (".svg", ".dot", ".gv"):
            raise FibproverError(f"{path}: a drawing is a file called *.svg, *.dot or *.gv")
        write_text(str(place), self.svg if place.suffix.lower() == ".svg" else self.dot)
        return place

    def _check(self) -> None:
        states = self.automaton.states
        if states > self.limit:
            raise LimitError(f"{plural(states, 'state')}: not drawn", hint=f"use limit={states}, and have patience")


def draw(what: object, *, limit: int = DEFAULT_LIMIT, name: str = "") -> Drawing:
    """The drawing of a relation, a word, an automaton, or the P-positions of a theorem about a game.

    limit: the most states that are drawn.
    """
    match what:
        case Drawing():
            return Drawing(what.automaton, name or what.name, what.word, limit)
        case Relation():
            return Drawing(what.as_read(MODERATE), name or _one_line(what.text) or "relation", False, limit)
        case AutomaticWord():
            automaton = as_read(what.machine, MODERATE.start(), word=True)
            return Drawing(automaton, name or what.name, True, limit)
        case Dfa():
            return Drawing(what, name or "automaton", False, limit)
    relation = getattr(what, "relation", None)
    if isinstance(relation, Relation):
        return draw(relation, limit=limit, name=name)
    raise FibproverError(
        f"{type(what).__name__} has no automaton to draw", hint="relations, words and automata have one"
    )


def _one_line(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 60 else f"{flat[:57]}..."


def drawing_html(what: Relation | AutomaticWord | Dfa, name: str = "") -> str:
    """The drawing of an automaton that is small, or why there is none."""
    size = what.machine if isinstance(what, AutomaticWord) else what.automaton if isinstance(what, Relation) else what
    if size.states > UNASKED or size.transitions > UNASKED_TRANSITIONS:
        return quiet(_too_large(size))
    try:
        drawing = draw(what, limit=UNASKED, name=name)
        return picture(drawing.svg, f"automaton {drawing.name}")
    except LimitError as large:
        return quiet(large.message)
    except FibproverError as error:  # an lsd automaton that is much larger as it is read
        return quiet(f"not drawn: {error.message}")


def _too_large(automaton: Dfa) -> str:
    sizes = plural(automaton.states, "state")
    if automaton.states <= UNASKED:
        sizes += f" and {plural(automaton.transitions, 'transition')}"
    more = "" if automaton.states <= DEFAULT_LIMIT else f", limit={automaton.states}"
    return f"{sizes}: not drawn; fibprover.draw(..{more}) draws it"


def html(drawing: Drawing) -> str:
    """The image, or why there is none."""
    try:
        return card(picture(drawing.svg, f"automaton {drawing.name}"))
    except LimitError as large:
        return card(quiet(f"{large.message}; use limit={drawing.automaton.states}"))


def text(drawing: Drawing) -> str:
    """What is drawn."""
    automaton = drawing.automaton
    sizes = f"{plural(automaton.states, 'state')}, {plural(automaton.transitions, 'transition')}"
    return f"the automaton {drawing.name}: {sizes}, over {', '.join(automaton.names) or 'no variables'}"


