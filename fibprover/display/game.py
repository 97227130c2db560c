"""Games: their rules and their board."""

from __future__ import annotations

from html import escape

from fibprover.display.board import SIZE, board, board_html
from fibprover.display.html import bold, card, paragraph, quiet
from fibprover.errors import FibproverError
from fibprover.games.report import rules_in_words, title
from fibprover.games.rules import Game


def html(game: Game) -> str:
    """Name, rules, and the P-positions on a board."""
    rules = " ".join(rules_in_words(game))
    return card(bold(title(game)), paragraph(escape(rules)), board_of(game))


def text(game: Game) -> str:
    """Name and rules."""
    return f"{title(game)}\n  {' '.join(rules_in_words(game))}"


def board_of(game: Game, size: int = SIZE) -> str:
    """The board of a game, or why there is none."""
    try:
        return board_html(board(game, size=size))
    except FibproverError as error:
        return quiet(f"no board: {error.message}")
