"""Relations: the first tuples as a table, beside the automaton."""

from __future__ import annotations

from html import escape

from fibprover.display.drawing import drawing_html
from fibprover.display.html import beside, bold, card, code, folded, plural, quiet, styled, table
from fibprover.display.text import relation_head, relation_text
from fibprover.display.trace import trace_html
from fibprover.verdict.relation import Relation, Value, shown_value

#: How many tuples are shown.
FIRST = 10

#: Most states of an automaton whose drawing one does not have to ask for.
UNFOLDED = 16


def html(relation: Relation) -> str:
    """What it is, tuples and automaton, and how it was computed."""
    return relation_html(relation)


def text(relation: Relation) -> str:
    """Variables, size and first tuples."""
    return relation_text(relation, FIRST)


def relation_html(relation: Relation, name: str = "", *, unfolded: bool = False, drawn: bool = True) -> str:
    """The same under a name; unfolded: whether the steps are shown at once; drawn: whether the automaton is."""
    drawing = _drawn(relation, name.rpartition(" ")[2]) if drawn else ""
    return card(
        (bold(f"{name} ") if name else "") + styled(relation_head(relation), ""),
        code(relation.text) if relation.text else "",
        beside(tuples(relation), drawing),
        trace_html(relation.trace, unfolded=unfolded),
    )


def _drawn(relation: Relation, name: str) -> str:
    """The automaton, folded unless it is small."""
    drawing, states = drawing_html(relation, name), relation.automaton.states
    return drawing if states <= UNFOLDED else folded(f"automaton, {plural(states, 'state')}", drawing)


def tuples(relation: Relation, count: int = FIRST) -> str:
    """The first tuples as a table; a number's representation shows under the mouse."""
    found = relation.first(count + 1)
    if not found:
        return ""
    rows = [tuple(_cell(relation, column, value) for column, value in enumerate(row)) for row in found[:count]]
    more = quiet("and more") if len(found) > count else ""
    return table(relation.names, rows) + more


def _cell(relation: Relation, column: int, value: Value) -> str:
    shown = escape(shown_value(value))
    track = relation.automaton.tracks[column]
    if not track.system or not isinstance(value, int):
        return shown
    digits = shown_value(tuple(relation.system(track.system).represent(value)) or (0,))
    return f'<span title="{escape(digits)} in {escape(track.system)}">{shown}</span>'
