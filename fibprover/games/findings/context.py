"""What all findings about one game start from: a session that knows its P-positions, and the counts of options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

from fibprover.automata.dfa import Dfa
from fibprover.games.positions import Positions
from fibprover.games.proof import option_counts, session_for
from fibprover.games.rules import Game
from fibprover.limits import Limits
from fibprover.numeration.system import NumerationSystem
from fibprover.session import Session
from fibprover.values import value
from fibprover.verdict.relation import Relation


@dataclass(frozen=True)
class GameContext:
    """A game, the proved automaton of its P-positions, and the data it was inferred from.

    In the session P(p,q) is the set of the P-positions, T(p,q) that of the terminal positions.
    """

    game: Game
    automaton: Dfa
    system: NumerationSystem
    data: Positions
    limits: Limits

    @cached_property
    def session(self) -> Session:
        """A session with P and T."""
        session = session_for(self.automaton, self.system, self.limits)
        session.define("T", f"p>=0 & q>=0 & ({self.game.terminal_formula('p', 'q')})")
        return session

    @property
    def enough(self) -> int:
        """How many options in P make an N-position."""
        return self.game.blocked + 1

    @cached_property
    def counts(self) -> Dfa:
        """How many options of (p,q) are P-positions, up to one more than enough."""
        return option_counts(self.game, self.session, self.enough + 1, self.limits.start())

    def relation(self, automaton: Dfa, text: str) -> Relation:
        """An automaton over tracks of the system, as a relation."""
        return Relation(automaton, self.session.namespace.system, text)



# ---- finding
# One thing that was found out about a game beyond the automaton of its P-positions.

@value
class Finding:
    """A proved statement.

    name: what it is about, such as "redundant moves"; statement: a sentence; script: the commands that prove it, in
    the language of `fibprover run` (the automaton of the P-positions is P there), as far as the statement can be
    said there; data: the numbers in the statement, for programs; automata: what the script calls by name beside
    the P-positions P and the terminal positions T, and what its own commands define.
    """

    name: str
    statement: str
    script: tuple[str, ...]
    data: Mapping[str, Any]
    automata: Mapping[str, Dfa] = MappingProxyType({})
