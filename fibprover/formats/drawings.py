"""Automata as files of every kind: which layout, which program, which limits."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from fibprover.automata.dfa import Dfa
from fibprover.errors import FibproverError, LimitError, NotInstalled
from fibprover.formats.diagram import graphviz_diagram, own_diagram
from fibprover.formats.dot import DEFAULT_LIMIT, check_drawable, edge_count, to_dot
from fibprover.formats.graphviz import SECONDS, installed, positions
from fibprover.formats.graphviz import run as run_graphviz
from fibprover.formats.shown_names import printable
from fibprover.formats.svg import diagram_svg
from fibprover.formats.tikz import to_tikz

Form = Literal["svg", "png", "pdf", "dot", "tikz"]
LayoutName = Literal["auto", "graphviz", "own"]

#: The forms of a drawing, and where states can be placed.
FORMS: tuple[Form, ...] = ("svg", "png", "pdf", "dot", "tikz")
LAYOUTS: tuple[LayoutName, ...] = ("auto", "graphviz", "own")

#: Most edges that are placed for each state of the limit.
EDGES_A_STATE = 10

#: Edges that graphviz places within a few seconds.
_QUICK = 250

#: What the end of a file's name asks for.
SUFFIXES: dict[str, Form] = {
    ".svg": "svg", ".png": "png", ".pdf": "pdf", ".dot": "dot", ".gv": "dot", ".tex": "tikz", ".tikz": "tikz",
}


def form_of(path: str | Path) -> Form:
    """What to write into a file, by the end of its name; FibproverError for any other."""
    form = SUFFIXES.get(Path(path).suffix.lower())
    if form is None:
        raise FibproverError(f"{path}: a drawing is a file called {', '.join(f'*{suffix}' for suffix in SUFFIXES)}")
    return form


def drawing_of(
    a: Dfa, name: str, form: Form, *, word: bool = False, limit: int = DEFAULT_LIMIT,
    layout: LayoutName = "auto", seconds: float = SECONDS, standalone: bool = False,
) -> bytes:
    """An automaton drawn in one of the forms; word, limit: as for `to_dot`.

    layout: "graphviz" lets its program `dot` place states and edges; "own" is a layered layout of ours, whose PNG
    and PDF matplotlib draws; "auto" is graphviz where it is installed, for up to 250 edges, with which it is
    quick, and for TikZ always our own.  seconds: what either may take; standalone: TikZ as a document.
    LimitError beyond `limit` states, or (but for DOT, which nobody places) ten edges for each of them;
    NotInstalled without what a form needs, FibproverError where graphviz fails or the time is over.
    """
    name = printable(name)
    if layout not in LAYOUTS:
        raise FibproverError(f"there is no layout {layout!r}", hint=f"there are {', '.join(LAYOUTS)}")
    if not seconds > 0:
        raise LimitError(f"a drawing takes some time, not {seconds} s")
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
    """An error if no automaton can be drawn like this, before one is computed."""
    if layout == "graphviz" and form != "dot" and not installed():
        run_graphviz("", "svg")
    if form in ("png", "pdf") and (layout == "own" or not installed()):
        _plotting(form)


def _better_by_graphviz(a: Dfa, form: Form) -> bool:
    """Whether graphviz is there and quick, or the only way."""
    if form == "tikz" or not installed():
        return False
    return edge_count(a) <= _QUICK or (form != "svg" and find_spec("matplotlib") is None)


def _plotting(form: Form) -> Any:
    """What plots diagrams, if matplotlib is installed."""
    try:
        from fibprover.formats import diagram_plot, plotting

        plotting.part("figure")
        return diagram_plot
    except NotInstalled as missing:
        raise NotInstalled(
            f"an automaton as {form.upper()} needs graphviz or matplotlib, and neither is installed",
            hint=f"{missing.hint}; or on Debian and Ubuntu: apt install graphviz",
        ) from missing
