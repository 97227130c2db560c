"""Drawings of automata: values that notebooks display and that can be written to files in every form.

`drawing_of` chooses the layout and the program; `draw` and `Drawing` are its interface for Python.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from fibprover.automata.dfa import Dfa
from fibprover.automata.digit_order import to_reading_order
from fibprover.automata.formats.dot import (
    DEFAULT_LIMIT,
    SECONDS,
    check_drawable,
    installed,
    positions,
    to_dot,
)
from fibprover.automata.formats.dot import run as run_graphviz
from fibprover.automata.kernel_calls import edge_count
from fibprover.base.errors import FibproverError, LimitError, NotInstalled
from fibprover.base.values import RichlyDisplayed, value
from fibprover.base.wording import plural
from fibprover.frontends.display.diagram import graphviz_diagram, own_diagram, printable
from fibprover.frontends.display.html import picture, quiet
from fibprover.frontends.display.svg import diagram_svg
from fibprover.frontends.display.tikz import to_tikz
from fibprover.numeration.system import NumerationSystem
from fibprover.prover.verdict.relation import MODERATE, Relation
from fibprover.words.automatic import AutomaticWord

Form = Literal["svg", "png", "pdf", "dot", "tikz"]

LayoutName = Literal["auto", "graphviz", "own"]

#: The forms of a drawing, and its layouts.
FORMS: tuple[Form, ...] = ("svg", "png", "pdf", "dot", "tikz")

LAYOUTS: tuple[LayoutName, ...] = ("auto", "graphviz", "own")

#: The form of a file by the end of its name.
SUFFIXES: dict[str, Form] = {
    ".svg": "svg", ".png": "png", ".pdf": "pdf", ".dot": "dot", ".gv": "dot", ".tex": "tikz", ".tikz": "tikz",
}

#: The most edges that are placed, for each state of the limit.
EDGES_A_STATE = 10

#: Of automata with more edges the own layout makes smaller drawings than graphviz, and more legible ones.
_FEW_EDGES = 20

#: The most states and transitions of an automaton that is drawn along with a value.
INLINE_STATES = 60

INLINE_TRANSITIONS = 1000


@value
class Drawing(RichlyDisplayed):
    """The drawing of an automaton.

    name: its title; word: whether its outputs are letters, written in the states; limit: the most states; layout: the
    program that places the states, "auto", "graphviz" or "own"; seconds: the time limit of the layout.  All forms
    raise LimitError beyond the limits, NotInstalled without the program they need, FibproverError if it fails.
    """

    automaton: Dfa
    name: str
    word: bool
    limit: int
    layout: LayoutName = "auto"
    seconds: float = SECONDS

    def __repr__(self) -> str:
        return f"Drawing({self.name!r}; {plural(self.automaton.states, 'state')})"

    @property
    def svg(self) -> str:
        """The drawing as an SVG document."""
        return self.drawn("svg").decode()

    @property
    def dot(self) -> str:
        """The graph in DOT, the language of graphviz."""
        return self.drawn("dot").decode()

    @property
    def tikz(self) -> str:
        """The drawing as a tikzpicture."""
        return self.drawn("tikz").decode()

    @property
    def tex(self) -> str:
        """The tikzpicture as a document for pdflatex."""
        return self.drawn("tikz", standalone=True).decode()

    @property
    def png(self) -> bytes:
        """The drawing as an image, by graphviz or by matplotlib."""
        return self.drawn("png")

    @property
    def pdf(self) -> bytes:
        """The drawing as a page of its size, by graphviz or by matplotlib."""
        return self.drawn("pdf")

    def drawn(self, form: Form, *, standalone: bool = False) -> bytes:
        """Return the drawing in a form; standalone: TikZ as a document."""
        return drawing_of(
            self.automaton, self.name, form, word=self.word, limit=self.limit, layout=self.layout,
            seconds=self.seconds, standalone=standalone,
        )

    def save(self, path: str | Path, *, standalone: bool = False) -> Path:
        """Write a file: *.svg, *.png, *.pdf, *.dot (*.gv), or *.tex (*.tikz), standalone as a document."""
        from fibprover.base.files import write_bytes

        place = Path(path)
        write_bytes(place, self.drawn(form_of(place), standalone=standalone))
        return place


def draw(
    what: object, *, limit: int = DEFAULT_LIMIT, name: str = "", layout: LayoutName = "auto", seconds: float = SECONDS
) -> Drawing:
    """Return the drawing of an automaton: of a relation, a word, a system's digit words, a theorem's P-positions.

    Parameters:

    - what: one of these, or an automaton
    - limit: the most states that are drawn
    - name: for the title
    - layout: as in Drawing
    - seconds: likewise

    Returns: a Drawing, which notebooks show and `save` writes to a file.

    Errors: FibproverError for what has no automaton.

    >>> drawing = fp.draw(fp.word("T"))
    >>> drawing.name, drawing.automaton.states
    ('T', 2)
    """
    match what:
        case Drawing():
            return Drawing(what.automaton, name or what.name, what.word, limit, layout, seconds)
        case Relation():
            title = name or one_line(what.text, 60) or "relation"
            return Drawing(what.to_reading_order(MODERATE), title, False, limit, layout, seconds)
        case AutomaticWord():
            automaton = to_reading_order(what.machine, MODERATE.start(), word=True)
            return Drawing(automaton, name or what.name, True, limit, layout, seconds)
        case Dfa():
            return Drawing(what, name or "automaton", False, limit, layout, seconds)
        case NumerationSystem():
            return draw(what.valid, limit=limit, name=name or what.name, layout=layout, seconds=seconds)
        case str():
            raise FibproverError(
                f"a text has no automaton to draw: {what!r}", hint="draw a relation: draw(session.relation(...))"
            )
    relation = getattr(what, "relation", None)
    if isinstance(relation, Relation):
        return draw(relation, limit=limit, name=name, layout=layout, seconds=seconds)
    raise FibproverError(
        f"{type(what).__name__} has no automaton to draw", hint="relations, words and automata have one"
    )


def one_line(text: str, most: int) -> str:
    """Return a text on one line, of at most so many characters."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else f"{flat[: most - 3]}..."


def drawing_html(what: Relation | AutomaticWord | Dfa, name: str = "") -> str:
    """Return the drawing of a small automaton, or why there is none."""
    size = what.machine if isinstance(what, AutomaticWord) else what.automaton if isinstance(what, Relation) else what
    if size.states > INLINE_STATES or size.transitions > INLINE_TRANSITIONS:
        return quiet(_too_large(size))
    try:
        # The layout is quick and everywhere the same; no other program is started.
        drawing = draw(what, limit=INLINE_STATES, name=name, layout="own")
        return picture(drawing.svg, f"automaton {drawing.name}")
    except LimitError as large:
        return quiet(large.message)
    except FibproverError as error:  # an lsd automaton can be much larger as it reads
        return quiet(f"not drawn: {error.message}")


def _too_large(automaton: Dfa) -> str:
    sizes = plural(automaton.states, "state")
    if automaton.states <= INLINE_STATES:
        sizes += f" and {plural(automaton.transitions, 'transition')}"
    more = "" if automaton.states <= DEFAULT_LIMIT else f", limit={automaton.states}"
    return f"{sizes}: not drawn; fibprover.draw(..{more}) draws it"


def form_of(path: str | Path) -> Form:
    """Return the form of a file by the end of its name; raises FibproverError for an unknown one."""
    form = SUFFIXES.get(Path(path).suffix.lower())
    if form is None:
        raise FibproverError(f"{path}: the name of a drawing must be {', '.join(f'*{suffix}' for suffix in SUFFIXES)}")
    return form


def drawing_of(
    a: Dfa, name: str, form: Form, *, word: bool = False, limit: int = DEFAULT_LIMIT,
    layout: LayoutName = "auto", seconds: float = SECONDS, standalone: bool = False,
) -> bytes:
    """Return an automaton drawn in one of the forms; word, limit: as for `to_dot`.

    layout: "graphviz" places states and edges by its program `dot`; "own" is the layered layout of `layout.py`, with
    PNG and PDF by matplotlib; "auto" is graphviz if it is installed and there are at most 20 edges, and otherwise, and
    for TikZ, the own layout, which is smaller.  seconds: the time limit of either; standalone: TikZ as a
    document.  Raises LimitError beyond `limit` states, or ten edges for each of them (DOT, which has no places,
    excepted); NotInstalled without the program that a form needs, FibproverError if graphviz fails or the time is over.
    """
    name = printable(name)
    if layout not in LAYOUTS:
        raise FibproverError(f"unknown layout {layout!r}", hint=f"known layouts: {', '.join(LAYOUTS)}")
    if not seconds > 0:
        raise LimitError(f"the time limit of a drawing must be positive, not {seconds} s")
    check_drawable(a, limit, 0 if form == "dot" else EDGES_A_STATE)
    graph = to_dot(a, name, word=word, limit=limit)
    if form == "dot":
        return graph.encode()
    by_graphviz = layout == "graphviz" or (layout == "auto" and _better_by_graphviz(a, form))
    if form == "tikz":
        placed = graphviz_diagram(a, name, positions(graph, seconds), word=word) if by_graphviz else None
        return to_tikz(placed or own_diagram(a, name, word=word, seconds=seconds), standalone=standalone).encode()
    if by_graphviz:
        drawn = run_graphviz(graph, form, seconds)
        # A page into which an SVG is put wants it without the prologue of a file.
        return drawn[max(drawn.find(b"<svg"), 0) :] if form == "svg" else drawn
    diagram = own_diagram(a, name, word=word, seconds=seconds)
    return diagram_svg(diagram).encode() if form == "svg" else _plotting(form).plot_diagram(diagram, form)


def check_installed(form: Form, layout: LayoutName) -> None:
    """Raise an error if automata cannot be drawn in this way; called before one is computed."""
    if layout == "graphviz" and form != "dot" and not installed():
        run_graphviz("", "svg")
    if form in ("png", "pdf") and (layout == "own" or not installed()):
        _plotting(form)


def _better_by_graphviz(a: Dfa, form: Form) -> bool:
    """Return whether graphviz is installed, and the edges are few or it is the only program for the form."""
    if form == "tikz" or not installed():
        return False
    return edge_count(a) <= _FEW_EDGES or (form != "svg" and find_spec("matplotlib") is None)


def _plotting(form: Form) -> Any:
    """Return the module that plots diagrams; raises NotInstalled without matplotlib."""
    try:
        from fibprover.frontends.display import plot

        plot.part("figure")
        return plot
    except NotInstalled as missing:
        raise NotInstalled(
            f"an automaton as {form.upper()} needs graphviz or matplotlib, and neither is installed",
            hint=f"{missing.hint}; or on Debian and Ubuntu: apt install graphviz",
        ) from missing
