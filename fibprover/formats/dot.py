"""Automata as graphs in the DOT language of graphviz."""

from __future__ import annotations

import re

from fibprover.automata.dfa import Dfa
from fibprover.errors import LimitError
from fibprover.formats.labels import edges

#: Most states that are drawn unless the caller asks for more.
DEFAULT_LIMIT = 200


#: What graphviz would read as a character of HTML.
_ENTITY = re.compile(r"&(?=#?\w+;)")


def to_dot(a: Dfa, name: str = "automaton", *, word: bool = False, limit: int = DEFAULT_LIMIT) -> str:
    """A graph of the automaton: one edge between two states, its letters as few labels.

    word: the outputs are letters of an automatic word, shown as `state/output`; otherwise states
    with an output other than 0 are accepting and drawn with two circles.  LimitError beyond `limit`
    states, where a drawing shows nothing.
    """
    check_drawable(a, limit)
    lines = [
        f"digraph {quoted(name)} {{",
        "  rankdir=LR;",
        f'  label={quoted(titled(a, name))}; labelloc=t; fontname="Helvetica";',
        '  node [shape=circle, fontname="Helvetica", fontsize=12];',
        '  edge [fontname="Helvetica", fontsize=11];',
        '  start [shape=point, style=invis, label=""];',
    ]
    for state in range(a.states):
        shape = "circle" if word or not a.outputs[state] else "doublecircle"
        lines.append(f"  {state} [label={quoted(state_text(a, state, word))}, shape={shape}];")
    lines.append("  start -> 0;")
    for (source, target), labels in edges(a).items():
        lines.append(f"  {source} -> {target} [label={quoted(chr(10).join(wrapped(labels)))}];")
    return "\n".join([*lines, "}"]) + "\n"


def check_drawable(a: Dfa, limit: int, edges_too: int = 0) -> None:
    """LimitError for an automaton of more than `limit` states, or more than so many edges for each of them.

    Parallel transitions are one edge; without edges_too, edges do not matter.
    """
    needed, sizes = a.states, f"{a.states} states"
    if edges_too and a.states <= limit and a.transitions > edges_too * limit:
        count = edge_count(a)
        needed, sizes = max(needed, -(-count // edges_too)), f"{a.states} states with {count} edges"
    if needed > limit:
        raise LimitError(f"{sizes}: not drawn", hint=f"use limit={needed} (--limit {needed} on the command line)")


def edge_count(a: Dfa) -> int:
    """Pairs of states with a transition from one to the other."""
    return sum(len({target for _, target in a.row(state)}) for state in range(a.states))


def titled(a: Dfa, name: str) -> str:
    """The title of a drawing: the name, and what the tracks are called."""
    return f"{name} ({', '.join(a.names)})" if a.tracks else name


def state_text(a: Dfa, state: int, word: bool) -> str:
    """What stands in the circle of a state."""
    return f"{state}/{a.outputs[state]}" if word else str(state)


def wrapped(labels: list[str], width: int = 24) -> list[str]:
    """Labels joined by blanks into lines of about `width` characters."""
    lines: list[str] = []
    for label in labels:
        if lines and len(lines[-1]) + 1 + len(label) <= width:
            lines[-1] += " " + label
        else:
            lines.append(label)
    return lines


def quoted(text: str) -> str:
    """A DOT string: quotes and backslashes escaped, line breaks as `\\n`, and `&lt;` not taken for `<`."""
    text = _ENTITY.sub("&amp;", text)
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
