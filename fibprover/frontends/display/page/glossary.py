"""The meanings of the names in the formulas of a page: predicates, languages and words with their automata."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fibprover.automata.dfa import Dfa
from fibprover.automata.digit_order import to_reading_order
from fibprover.base.errors import FibproverError
from fibprover.base.limits import poll
from fibprover.frontends.display.page.figures import Figures
from fibprover.language.macros import expanded
from fibprover.language.tokens import names_used
from fibprover.prover.environment import Definition, sort_of
from fibprover.prover.verdict.relation import MODERATE
from fibprover.words.automatic import AutomaticWord

#: The meanings of names at a place of a script: the number of the entry of `$predicate` and of `word`.
Scope = dict[str, int]


class Glossary:
    """The entries of a page, one for each definition, numbered in the order in which they are added."""

    def __init__(self, figures: Figures) -> None:
        self.figures = figures
        self.entries: list[dict[str, Any]] = []

    def define(self, definition: Definition, scope: Scope, place: str = "") -> int:
        """Add a predicate, or a language that was given as such; scope: the names that its text may mention."""
        entry: dict[str, Any] = {
            "kind": "language" if definition.raw else "predicate", "text": str(definition.origin),
            "calls": {} if definition.raw else used(str(definition.origin), scope), "place": place,
        }
        return self._add(entry, definition.name, definition.automaton, word=False)

    def word(self, word: AutomaticWord, place: str = "") -> int:
        """Add an automatic word."""
        return self._add({"kind": "word", "text": "", "calls": {}, "place": place}, word.name, word.machine, word=True)

    def unseen(self, name: str, text: str, scope: Scope, place: str) -> int:
        """Add a predicate whose automaton is not available, because it is too large or was not made."""
        entry = {"kind": "predicate", "name": name, "text": text, "calls": used(text, scope), "place": place}
        self.entries.append(entry)
        return len(self.entries) - 1

    def _add(self, entry: dict[str, Any], name: str, automaton: Dfa, *, word: bool) -> int:
        shown: Dfa | None
        try:
            shown = to_reading_order(automaton, MODERATE.start(), word=word)
        except FibproverError:  # the reversed automaton is too large, or cannot be made
            poll(name)
            shown = None
        sized = shown or automaton
        entry |= {
            "name": name,
            "variables": list(automaton.names),
            "systems": [str(sort_of(track)) for track in automaton.tracks],
            "states": sized.states,
            "transitions": sized.transitions,
            # The page runs the automaton that reads the most significant digit first, and draws the one of the system.
            "automaton": self.figures.add(automaton),
            "drawn": None if shown is None else self.figures.draw(shown, word=word),
        }
        self.entries.append(entry)
        return len(self.entries) - 1


def used(formula: str, scope: Scope, macros: Mapping[str, str] | None = None) -> Scope:
    """Return the defined names that a formula uses, in the order of the text."""
    found: Scope = {}
    for token in names_used(expanded(formula, macros or {})):
        name = token.removeprefix(".")
        if name in scope:
            found.setdefault(name, scope[name])
    return found
