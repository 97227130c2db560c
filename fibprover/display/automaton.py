"""Automata: sizes, tracks, and a drawing where they are small."""

from __future__ import annotations

from html import escape

from fibprover.automata.dfa import Dfa
from fibprover.display.drawing import drawing_html
from fibprover.display.html import card, plural


def html(automaton: Dfa) -> str:
    """A line and the drawing."""
    return card(escape(text(automaton)), drawing_html(automaton))


def text(automaton: Dfa) -> str:
    """Sizes and tracks."""
    tracks = ", ".join(
        f"{track.name}:{track.system or '{' + ','.join(map(str, track.digits)) + '}'}" for track in automaton.tracks
    )
    return (
        f"automaton ({tracks}): {plural(automaton.states, 'state')}, {plural(automaton.transitions, 'transition')}"
    )
