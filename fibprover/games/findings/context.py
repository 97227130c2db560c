"""The context that all findings about one game share, and the finding as a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

from fibprover.automata.dfa import Dfa
from fibprover.base.limits import Limits
from fibprover.base.values import value
from fibprover.games.formulas import rule_automaton
from fibprover.games.positions import Positions
from fibprover.games.proof import option_counts, session_for
from fibprover.games.rules import Game
from fibprover.language.tree import Formula
from fibprover.numeration.system import NumerationSystem
from fibprover.prover.verdict.relation import Relation
from fibprover.workspace.session import Session


@value
class FindingCommand:
    """A command of the proof of a finding: `def NAME` or `eval` (then the name is empty) and a formula."""

    word: str
    name: str
    formula: Formula

    def __str__(self) -> str:
        return f'{self.word} {self.name} "{self.formula}"' if self.name else f'{self.word} "{self.formula}"'


@value
class Finding:
    """A proved statement about a game beyond the automaton of its P-positions.

    name: the subject, such as "redundant moves"; statement: a sentence; commands: those that prove it by `fibprover
    run`, with P for the P-positions and T for the terminal positions, as far as the statement is a formula; data: the
    numbers in the statement; automata: those that the commands call besides P, T and their own definitions.
    """

    name: str
    statement: str
    commands: tuple[FindingCommand, ...]
    data: Mapping[str, Any]
    automata: Mapping[str, Dfa] = MappingProxyType({})

    def __reduce__(self) -> tuple[Any, ...]:
        """Support pickle and copy, which cannot handle read-only views of dictionaries."""
        return Finding, (self.name, self.statement, self.commands, dict(self.data), dict(self.automata))


@dataclass(frozen=True)
class GameContext:
    """A game, the proved automaton of its P-positions, and the data it was inferred from.

    limits: of each evaluation.
    """

    game: Game
    automaton: Dfa
    system: NumerationSystem
    data: Positions
    limits: Limits

    @cached_property
    def session(self) -> Session:
        """A session in which P(p,q) are the P-positions and T(p,q) the terminal positions.

        In misere play T(p,q) are all positions at which play has ended.
        """
        session = session_for(self.automaton, self.system, self.limits)
        formula = self.game.ended if self.game.misere else self.game.terminal_source
        terminal = rule_automaton(session, formula, ("p", "q"), self.limits)
        session.define("T", Relation(terminal, session.namespace.system, "terminal positions"))
        return session

    @property
    def enough(self) -> int:
        """The least number of options in P that makes a position an N-position."""
        return self.game.blocked + 1

    @cached_property
    def counts(self) -> Dfa:
        """An automaton whose output for (p,q) is the number of options in P, at most one more than `enough`."""
        return option_counts(self.game, self.session, self.enough + 1, self.limits.start())

    def relation(self, automaton: Dfa, text: str) -> Relation:
        """Return an automaton over tracks of the system as a relation."""
        return Relation(automaton, self.session.namespace.system, text)
