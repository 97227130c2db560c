"""Display games, their positions and theorems about them in IPython and Jupyter, for `values`, which hands them over.

`html` and `text` are generic functions with a registration for each type of value, as in `values`.
"""

from __future__ import annotations

import re
from functools import singledispatch
from html import escape

from fibprover.base.errors import FibproverError
from fibprover.base.wording import plural
from fibprover.frontends.display.board import SIZE, board, board_html
from fibprover.frontends.display.drawing import drawing_html
from fibprover.frontends.display.html import (
    GREEN,
    RED,
    beside,
    bold,
    card,
    code,
    folded,
    numbered,
    paragraph,
    preformatted,
    quiet,
)
from fibprover.games.positions import Positions
from fibprover.games.rules import Game
from fibprover.games.search import Discovery
from fibprover.games.theorem import Theorem
from fibprover.games.theorem_text import game_title, rules_in_words, sentence
from fibprover.language.sentences import prose_html

#: The beginnings of paragraphs that are not tables.
_BEGINNING = re.compile(r"(Game|Theorem|Proof|Next|No theorem: [\w ]+)\.  ")


@singledispatch
def html(value: object) -> str:
    """Return a value as HTML; raises TypeError for a type without a registration."""
    raise TypeError(f"{type(value).__name__} is not displayed as HTML")


@singledispatch
def text(value: object) -> str:
    """Return a value as lines of text; raises TypeError for a type without a registration."""
    raise TypeError(f"{type(value).__name__} is not displayed as text")


@html.register
def _(found: Positions) -> str:
    head, _, first = str(found).partition("\n")
    return card(escape(head), code(first.strip()) if first else "")


@text.register
def _(found: Positions | Theorem) -> str:
    return str(found)


@html.register
def _(game: Game) -> str:
    rules = " ".join(rules_in_words(game))
    return card(bold(game_title(game)), paragraph(prose_html(rules)), _game_board(game))


@text.register
def _(game: Game) -> str:
    return f"{game_title(game)}\n  {' '.join(rules_in_words(game))}"


def _game_board(shown: Game | Theorem) -> str:
    """Return the board of the P-positions, or of the positions of a theorem, or why there is no board."""
    try:
        return board_html(board(shown, size=SIZE))
    except FibproverError as error:
        return quiet(f"no board: {error.message}")


@html.register
def _(theorem: Theorem) -> str:
    """Rules, theorem, proof and findings, or what was tried; then the board and the automaton."""
    paragraphs, rest = str(theorem).split("\n\n"), []
    findings = ""
    if theorem and theorem.findings:
        # The findings follow the game, the theorem and the proof; remarks about them come last.
        paragraphs, rest = paragraphs[:3], paragraphs[4:]
        findings = numbered(prose_html(sentence(finding.statement)) for finding in theorem.findings)
    drawing = ""
    if theorem:
        states = plural(theorem.automaton.states, "state")
        drawing = folded(f"automaton, {states}", drawing_html(theorem.relation, theorem.game.name))
    status = bold(theorem.status, GREEN if theorem else RED)
    return card(
        f"{bold(theorem.game.name)} {status}", *map(_paragraph, paragraphs), findings, *map(_paragraph, rest),
        beside(_game_board(theorem), drawing),
    )


def _paragraph(block: str) -> str:
    """Return a paragraph with its beginning in bold, or a table unchanged."""
    begun = _BEGINNING.match(block)
    if begun is None and "\n" in block:
        return preformatted(block)
    flat = " ".join(block.split())
    if begun is None:
        return paragraph(prose_html(flat))
    return paragraph(f"{bold(f'{begun[1]}.')} {prose_html(flat[len(begun[1]) + 2 :])}")


@html.register
def _(discovery: Discovery) -> str:
    return html(Theorem(discovery, ()))


@text.register
def _(discovery: Discovery) -> str:
    return text(Theorem(discovery, ()))
