"""Theorems about games: the text as a mathematician would write it, the board and the automaton."""

from __future__ import annotations

import re
from html import escape

from fibprover.display.drawing import drawing_html
from fibprover.display.game import board_of
from fibprover.display.html import GREEN, RED, beside, bold, card, folded, numbered, paragraph, plural, preformatted
from fibprover.games.report import report, sentence
from fibprover.games.theorem import Theorem

#: What a paragraph begins with that is no table.
_BEGINNING = re.compile(r"(Game|Theorem|Proof|No theorem: [\w ]+)\.  ")


def html(theorem: Theorem) -> str:
    """Rules, theorem, proof and findings, or what was tried; board and automaton."""
    paragraphs, rest = str(theorem).split("\n\n"), []
    findings = ""
    if theorem and theorem.findings:
        # Behind the game, the theorem and the proof; remarks about them come last.
        paragraphs, rest = paragraphs[:3], paragraphs[4:]
        findings = numbered(escape(sentence(finding.statement)) for finding in theorem.findings)
    drawing = ""
    if theorem:
        states = plural(theorem.automaton.states, "state")
        drawing = folded(f"automaton, {states}", drawing_html(theorem.relation, theorem.game.name))
    status = bold(theorem.status, GREEN if theorem else RED)
    return card(
        f"{bold(theorem.game.name)} {status}", *map(_paragraph, paragraphs), findings, *map(_paragraph, rest),
        beside(board_of(theorem.game), drawing),
    )


def _paragraph(text: str) -> str:
    """A paragraph with its beginning in bold, or a table as it is."""
    begun = _BEGINNING.match(text)
    if begun is None and "\n" in text:
        return preformatted(text)
    flat = " ".join(text.split())
    if begun is None:
        return paragraph(escape(flat))
    return paragraph(f"{bold(f'{begun[1]}.')} {escape(flat[len(begun[1]) + 2 :])}")


def text(theorem: Theorem) -> str:
    """The printed theorem."""
    return report(theorem)
