"""What was found out about a game, as a value: the theorem and its consequences, or an honest report.

    theorem = discover("terminal(1)")
    print(theorem)
    session = theorem.session()     # in which P(p,q) are the P-positions
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from fibprover.automata.dfa import Dfa
from fibprover.errors import FibproverError
from fibprover.games import search
from fibprover.games.findings.collect import collect_findings
from fibprover.games.findings.context import Finding
from fibprover.games.positions import MOST_BOUND, check_bound
from fibprover.games.proof import session_for
from fibprover.games.ready import game_of
from fibprover.games.rules import Game
from fibprover.games.search import Discovery, Notify, SearchAttempt
from fibprover.io.walnut import automaton_text
from fibprover.limits import Limits
from fibprover.numeration.system import NumerationSystem
from fibprover.session import Session
from fibprover.values import Displayed
from fibprover.verdict.relation import Relation

#: Seconds that a search, and each kind of finding, may take unless limits are given.
SECONDS = 60.0
FINDING_SECONDS = 20.0


@dataclass(frozen=True, eq=False, repr=False)
class Theorem(Displayed):
    """The outcome of a search for the P-positions of a game; true if they were found and proved.

    discovery: how it went, with all that was tried; findings: what follows, each proved, in order;
    undecided: kinds of findings that their limits did not suffice for.
    """

    discovery: Discovery
    findings: tuple[Finding, ...]
    undecided: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.status == "proved"

    @property
    def game(self) -> Game:
        """The rules."""
        return self.discovery.game

    @property
    def status(self) -> str:
        """ "proved", "refuted", "no automaton" or "undecided"."""
        return self.discovery.status

    @property
    def system(self) -> NumerationSystem:
        """The numeration system of the theorem; FibproverError unless there is one."""
        return self._proved()[1]

    @property
    def automaton(self) -> Dfa:
        """The automaton of the P-positions (a,b); FibproverError unless it is proved."""
        return self._proved()[0]

    @cached_property
    def relation(self) -> Relation:
        """The P-positions as a relation of a and b, to be named by `Session.define`."""
        system_of = self.session().namespace.system
        return Relation(self.automaton.renamed(("a", "b")), system_of, f"P-positions of {self.game}")

    def session(self, limits: Limits | None = None) -> Session:
        """A new session in the theorem's numeration system in which P(a,b) are the P-positions."""
        return session_for(self.automaton, self.system, limits)

    @cached_property
    def symmetric(self) -> bool:
        """Whether (b,a) is a P-position wherever (a,b) is one."""
        return bool(self.session().prove("Aa,b $P(a,b) <=> $P(b,a)"))

    def _proved(self) -> tuple[Dfa, NumerationSystem]:
        found = self.discovery
        if not self or found.candidate is None or found.system is None:
            raise FibproverError(
                f"no theorem about {self.game} was found: {self.status}", hint="print() of it says what was tried"
            )
        return found.candidate.automaton, found.system

    def as_json(self) -> dict[str, Any]:
        """Everything for programs; docs/cli.md describes it."""

        return record(self)

    def __str__(self) -> str:
        from fibprover.games.report import theorem_text

        return theorem_text(self)

    def __repr__(self) -> str:
        known = f"{self.automaton.states} states in {self.system.name}, " if self else ""
        return f"Theorem({self.game}: {self.status}, {known}{len(self.findings)} findings)"


def discover(
    game: Game | str, systems: str | Sequence[str | NumerationSystem] = "auto", *, terminal: str = "", blocked: int = 0,
    limits: Limits | None = None, largest: int = search.BOUNDS[-1], with_findings: bool = True,
    notify: Notify | None = None,
) -> Theorem:
    """Finds the P-positions of a game, from its rules, as the set of an automaton, and proves it.

    game: a Game, or a text as `game_of` takes it, with its terminal positions and the number of options that may be
    blocked; systems: "auto", or the numeration systems to try; limits: of the search (a minute unless they say)
    and of each kind of finding (20 s); largest: bound of the data; notify: is told what is done.  BudgetSpent only
    if the budget does not suffice for the first data, LimitError for a bound that no data can have; whatever else
    does not come off is the theorem's status.
    """
    if isinstance(game, str):
        game = game_of(game, terminal, blocked)
    elif terminal or blocked:
        raise FibproverError("a Game has its terminal positions and blocked options itself")
    check_bound(largest, MOST_BOUND)
    limits = limits or Limits()
    found = search.find_automaton(game, systems, limits=_within(limits, SECONDS), largest=largest, notify=notify)
    if not found or not with_findings:
        return Theorem(found, ())
    if notify is not None:
        notify("findings")
    return Theorem(found, *collect_findings(found, _within(limits, FINDING_SECONDS)))


def _within(limits: Limits, seconds: float) -> Limits:
    """The same limits, with so many seconds unless they have some."""
    return limits if limits.seconds is not None else replace(limits, seconds=seconds)



# ---- record
# A theorem, or what was tried, for programs.

def record(theorem: Theorem) -> dict[str, Any]:
    """A theorem as an object of JSON: numbers, texts, lists and mappings; null where nothing is proved."""
    found = theorem.discovery
    proved = bool(theorem)
    candidate, proof = found.candidate, found.proof
    return {
        "game": found.game.name,
        "rules": {
            "form": found.game.form,
            "moves": found.game.moves if isinstance(found.game.moves, str) else None,
            "terminal": found.game.terminal,
            "blocked": found.game.blocked,
        },
        "status": found.status,
        "system": theorem.system.name if proved else None,
        "states": theorem.automaton.states if proved else None,
        "data_bound": found.data.bound,
        "positions": len(found.data),
        "terminal_positions": found.data.terminal,
        "margin": candidate.margin if proved and candidate is not None else None,
        "proof_states": proof.states if proved and proof is not None else None,
        "seconds": round(found.seconds, 6),
        "peak_bytes": found.peak_bytes,
        "findings": [_finding(finding) for finding in theorem.findings],
        "undecided": list(theorem.undecided),
        "attempts": [_attempt(attempt) for attempt in found.attempts],
        "automaton": automaton_text(theorem.automaton) if proved else None,
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "name": finding.name,
        "statement": finding.statement,
        "script": list(finding.script),
        "data": _plain(finding.data),
        "automata": {name: automaton_text(found) for name, found in finding.automata.items()},
    }


def _attempt(attempt: SearchAttempt) -> dict[str, Any]:
    return {
        "system": attempt.system,
        "bound": attempt.bound,
        "positions": attempt.positions,
        "states": attempt.states,
        "margin": attempt.margin,
        "outcome": attempt.outcome,
        "failure": None if attempt.failure is None else list(attempt.failure),
        "reason": attempt.reason,
        "seconds": round(attempt.seconds, 6),
    }


def _plain(item: Any) -> Any:
    """Data of a finding as JSON can say it."""
    if isinstance(item, Mapping):
        return {str(key): _plain(part) for key, part in item.items()}
    if isinstance(item, list | tuple | set | frozenset):
        return [_plain(part) for part in item]
    if isinstance(item, Dfa):
        return automaton_text(item)
    if item is None or isinstance(item, bool | int | float | str):
        return item
    return item.item() if hasattr(item, "item") else str(item)
