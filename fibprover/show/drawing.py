"""Drawings of automata, as values that notebooks show and that can be written to files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fibprover.automata.dfa import Dfa
from fibprover.automata.reading import as_read
from fibprover.errors import FibproverError, LimitError
from fibprover.formats.dot import DEFAULT_LIMIT
from fibprover.formats.graphviz import SECONDS
from fibprover.show.markup import card, picture, plural, quiet
from fibprover.shown import Shown
from fibprover.values import value
from fibprover.verdict.relation import MODERATE, Relation
from fibprover.words.automatic import AutomaticWord

if TYPE_CHECKING:
    from fibprover.formats.drawings import Form, LayoutName

#: Most states and transitions of an automaton that is drawn without having been asked for.
UNASKED = 60
UNASKED_TRANSITIONS = 1000


@value
class Drawing(Shown):
    """The drawing of an automaton: what it is called, whether its outputs are letters, the most states to draw.

    layout: what places the states, "auto", "graphviz" or "own"; seconds: how long that may take.  All of its forms
    raise LimitError beyond the limit, NotInstalled without what they need, and FibproverError if the layout fails.
    """

    automaton: Dfa
    name: str
    word: bool
    limit: int
    layout: LayoutName = "auto"
    seconds: float = SECONDS

    shown_by = "fibprover.show.drawing"

    def __repr__(self) -> str:
        return f"Drawing({self.name!r}; {plural(self.automaton.states, 'state')})"

    @property
    def svg(self) -> str:
        """An SVG document, by graphviz where it is installed unless the layout says otherwise."""
        return self.drawn("svg").decode()

    @property
    def dot(self) -> str:
        """A graph in the language of graphviz."""
        return self.drawn("dot").decode()

    @property
    def tikz(self) -> str:
        """A tikzpicture for papers."""
        return self.drawn("tikz").decode()

    @property
    def tex(self) -> str:
        """The same as a document for pdflatex."""
        return self.drawn("tikz", standalone=True).decode()

    @property
    def png(self) -> bytes:
        """An image, by graphviz or by matplotlib."""
        return self.drawn("png")

    @property
    def pdf(self) -> bytes:
        """A page as large as the drawing, by graphviz or by matplotlib."""
        return self.drawn("pdf")

    def drawn(self, form: Form, *, standalone: bool = False) -> bytes:
        """The drawing in a form; standalone: TikZ as a document."""
        from fibprover.formats.drawings import drawing_of

        return drawing_of(
            self.automaton, self.name, form, word=self.word, limit=self.limit, layout=self.layout,
            seconds=self.seconds, standalone=standalone,
        )

    def save(self, path: str | Path, *, standalone: bool = False) -> Path:
        """Writes a file: *.svg, *.png, *.pdf, *.dot (*.gv), or *.tex (*.tikz), standalone as a document."""
        from fibprover.formats.atomic import write_bytes
        from fibprover.formats.drawings import form_of

        place = Path(path)
        write_bytes(place, self.drawn(form_of(place), standalone=standalone))
        return place


def draw(
    what: object, *, limit: int = DEFAULT_LIMIT, name: str = "", layout: LayoutName = "auto", seconds: float = SECONDS
) -> Drawing:
    """The drawing of a relation, a word, an automaton, or the P-positions of a theorem about a game.

    limit: the most states that are drawn; layout, seconds: as in Drawing.
    """
    match what:
        case Drawing():
            return Drawing(what.automaton, name or what.name, what.word, limit, layout, seconds)
        case Relation():
            title = name or _one_line(what.text) or "relation"
            return Drawing(what.as_read(MODERATE), title, False, limit, layout, seconds)
        case AutomaticWord():
            automaton = as_read(what.machine, MODERATE.start(), word=True)
            return Drawing(automaton, name or what.name, True, limit, layout, seconds)
        case Dfa():
            return Drawing(what, name or "automaton", False, limit, layout, seconds)
    relation = getattr(what, "relation", None)
    if isinstance(relation, Relation):
        return draw(relation, limit=limit, name=name, layout=layout, seconds=seconds)
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
        # Quick, and the same everywhere: nobody has asked to wait for another program.
        drawing = draw(what, limit=UNASKED, name=name, layout="own")
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
    """The image, or why there is none; without waiting for graphviz unless that is asked for."""
    shown = draw(drawing, limit=drawing.limit, layout="own") if drawing.layout == "auto" else drawing
    try:
        return card(picture(shown.svg, f"automaton {drawing.name}"))
    except LimitError as large:
        return card(quiet(f"{large.message}; {large.hint}"))


def text(drawing: Drawing) -> str:
    """What is drawn."""
    automaton = drawing.automaton
    sizes = f"{plural(automaton.states, 'state')}, {plural(automaton.transitions, 'transition')}"
    return f"the automaton {drawing.name}: {sizes}, over {', '.join(automaton.names) or 'no variables'}"


