"""A search for the P-positions of a game, without what follows from them: shown as the theorem that it is."""

from __future__ import annotations

from fibprover.display import theorem
from fibprover.games.search import Discovery
from fibprover.games.theorem import Theorem


def html(discovery: Discovery) -> str:
    """Rules, theorem and proof, or what was tried; board and automaton."""
    return theorem.html(Theorem(discovery, ()))


def text(discovery: Discovery) -> str:
    """The same printed."""
    return theorem.text(Theorem(discovery, ()))
