"""Discover theorems about games: `discover` returns a `Theorem`, or a report of what was tried, as one value.

    theorem = discover("terminal(1)")
    print(theorem)
    session = theorem.session()     # in which P(a,b) are the P-positions
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fibprover.automata.dfa import Dfa
from fibprover.base.errors import FibproverError
from fibprover.base.limits import Limits, check_limits
from fibprover.base.values import RichlyDisplayed
from fibprover.base.wording import plural
from fibprover.games import search
from fibprover.games.catalogue import as_game, game_of
from fibprover.games.costs import NextData
from fibprover.games.findings.collect import collect_findings
from fibprover.games.findings.context import Finding
from fibprover.games.positions import check_value, named
from fibprover.games.proof import session_for
from fibprover.games.queens import check_largest
from fibprover.games.rules import Game, Given
from fibprover.games.search import Discovery, Notify, SearchAttempt
from fibprover.language.builder import call, forall
from fibprover.language.tree import Formula, Variable
from fibprover.numeration.system import NumerationSystem
from fibprover.prover.verdict.relation import Relation
from fibprover.workspace.session import Session
from fibprover.workspace.walnut import automaton_text

if TYPE_CHECKING:
    from fibprover.prover.certificate.checking import CertificateCheck

#: Seconds for the search and for each kind of finding unless limits are given.
SECONDS = 60.0
FINDING_SECONDS = 20.0


def discover(
    game: Game | str | Formula, systems: str | Sequence[str | NumerationSystem] = "auto", *, terminal: Given = "",
    blocked: int = 0, limits: Limits | None = None, largest: int = search.BOUNDS[-1], with_findings: bool = True,
    notify: Notify | None = None, value: int = 0, misere: bool = False, passes: bool = False,
) -> Theorem:
    """Find an automaton of the P-positions of a game, from its rules, and prove it and what follows from it.

    Parameters:

    game: a Game, or a text or formula as `game_of` takes it, then with `terminal`, `blocked`, `misere` and `passes`; of
    a game with a pass, and of one on three piles, nothing that follows is looked for; systems: "auto", or the
    numeration systems to try; limits: of the search (by default a minute) and of each kind of finding (20 s); largest:
    the largest bound of the data; notify: called with a line on each stage.

    Returns: a Theorem. A failure is a Theorem that is false and whose status says why.

    Errors: BudgetSpent only if the budget does not suffice for the first data; LimitError for an invalid bound.

    >>> theorem = fp.discover("terminal(1)", with_findings=False)
    >>> theorem.status, theorem.relation.first(3)
    ('proved', [(0, 0), (0, 1), (1, 0)])
    """
    if isinstance(game, str | Formula):
        game = game_of(game, terminal, blocked, misere=misere, passes=passes)
    elif terminal != "" or blocked or misere or passes:
        raise FibproverError("a Game has its own terminal positions, blocked options, way to end and pass")
    game = as_game(game)
    check_largest(game, largest)
    limits = limits or Limits()
    check_limits(limits)
    check_value(game, value)
    found = search.find_automaton(
        game, systems, limits=_within(limits, SECONDS), largest=largest, notify=notify, value=value
    )
    if not found or not with_findings or value or game.passes or game.piles != 2:
        return Theorem(found, ())
    if notify is not None:
        notify("findings")
    return Theorem(found, *collect_findings(found, _within(limits, FINDING_SECONDS)))


@dataclass(frozen=True, eq=False, repr=False)
class Theorem(RichlyDisplayed):
    """The outcome of a search for the P-positions of a game; true if they are found and proved.

    `(a, b) in theorem` tells whether a position is one of them.

    Fields:

    - discovery: the outcome of the search, with all attempts
    - findings: what follows, each with a proof
    - undecided: the kinds of findings that their limits did not suffice for
    - certificates: of the theorem and of each finding, if `certified` was called

    >>> theorem = fp.discover("wythoff()", with_findings=False)
    >>> bool(theorem), theorem.status, theorem.system.name, theorem.automaton.states
    (True, 'proved', 'msd_fib', 7)
    >>> (4, 7) in theorem, (4, 8) in theorem
    (True, False)
    """

    discovery: Discovery
    findings: tuple[Finding, ...]
    undecided: tuple[str, ...] = ()
    certificates: tuple[CertificateCheck, ...] = ()

    def __bool__(self) -> bool:
        return self.status == "proved"

    def __contains__(self, position: object) -> bool:
        """Return whether (a,b) is one of the P-positions; FibproverError unless the theorem is proved."""
        return position in self.relation

    @property
    def game(self) -> Game:
        """The game."""
        return self.discovery.game

    @property
    def value(self) -> int:
        """The Sprague-Grundy value of its positions, 0 for P-positions."""
        return self.discovery.data.value

    @property
    def status(self) -> str:
        """ "proved", "refuted", "no automaton" or "undecided"."""
        return self.discovery.status

    @property
    def system(self) -> NumerationSystem:
        """The numeration system of the theorem; raises FibproverError unless it is proved."""
        return self._proved()[1]

    @property
    def automaton(self) -> Dfa:
        """The automaton of the P-positions (a,b); raises FibproverError unless it is proved."""
        return self._proved()[0]

    @cached_property
    def relation(self) -> Relation:
        """The P-positions as a relation of a and b (and c); `Session.define` gives it a name."""
        automaton = self.automaton.renamed(self.game.variables.position)
        return Relation(automaton, self.session().namespace.system, f"{named(self.value, 's')} of {self.game}")

    def session(self, limits: Limits | None = None) -> Session:
        """Return a new session in the theorem's numeration system in which P(a,b) are the P-positions."""
        return session_for(self.automaton, self.system, limits)

    @cached_property
    def symmetric(self) -> bool:
        """Whether the P-positions do not depend on the order of the piles: (b,a) is one whenever (a,b) is."""
        session = self.session()
        a, b, *c = names = tuple(map(Variable, self.game.variables.position))
        # The exchanges of neighbours generate all orders.
        swapped = [(b, a, *c)] if self.game.piles == 2 else [(b, a, *c), (a, *c, b)]
        return all(session.prove(forall(*names, call("P", *names).iff(call("P", *other)))) for other in swapped)

    def _proved(self) -> tuple[Dfa, NumerationSystem]:
        found = self.discovery
        if not self or found.candidate is None or found.system is None:
            raise FibproverError(
                f"no theorem about {self.game} was found: {self.status}", hint="print the theorem to see what was tried"
            )
        return found.candidate.automaton, found.system

    def certified(self, folder: str | Path, limits: Limits | None = None) -> Theorem:
        """Return the theorem with certificates of it and of its findings, which are written to a folder and checked.

        What has no certificate has the reason instead (docs/certificates.md).

        Parameters:

        - folder: gets P.jsonl.gz, and P.1.NAME.jsonl.gz and so on for the findings
        - limits: of each certificate, and of each check

        Errors: FibproverError unless the theorem is proved, or if a checker refuses a certificate, which is a defect.
        """
        from fibprover.games.certificate import certified

        self._proved()
        return certified(self, folder, limits)

    def to_latex(self, name: str = "game") -> str:
        """Return the theorem, what follows from it and the proof as LaTeX, with the formulas that were decided.

        name: begins the names of the commands in the proof; raises FibproverError unless the theorem is proved.  It
        needs \\usepackage{amsmath,amsthm} and \\newtheorem{theorem}{Theorem}.
        """
        from fibprover.games.latex import theorem_latex

        self._proved()
        return theorem_latex(self, name)

    def as_json(self) -> dict[str, Any]:
        """Return the theorem as an object of JSON: numbers, strings, lists and mappings; see docs/cli.md.

        Values are null where nothing is proved.
        """
        found = self.discovery
        proved = bool(self)
        candidate, proof = found.candidate, found.proof
        return {
            "game": found.game.name,
            "rules": {
                "form": found.game.form,
                "moves": found.game.moves if isinstance(found.game.moves, str) else None,
                "terminal": found.game.terminal,
                "blocked": found.game.blocked,
                "misere": found.game.misere,
                "passes": found.game.passes,
                "piles": found.game.piles,
            },
            "value": self.value,
            "status": found.status,
            "system": self.system.name if proved else None,
            "states": self.automaton.states if proved else None,
            "data_bound": found.data.bound,
            "positions": len(found.data),
            "terminal_positions": found.data.terminal,
            "margin": candidate.margin if proved and candidate is not None else None,
            "proof_states": proof.states if proved and proof is not None else None,
            "seconds": round(found.seconds, 6),
            "peak_bytes": found.peak_bytes,
            "findings": [
                _finding(finding) | _certificate(self.certificates[number : number + 1])
                for number, finding in enumerate(self.findings, start=1)
            ],
            "undecided": list(self.undecided),
            "following": None if found.following is None else _following(found.following),
            "stopped": None if found.stopped is None else {
                "step": found.stopped.step, "seconds": round(found.stopped.seconds, 6), "reason": found.stopped.reason,
            },
            "attempts": [_attempt(attempt) for attempt in found.attempts],
            "automaton": automaton_text(self.automaton) if proved else None,
        } | _certificate(self.certificates[:1])

    def __str__(self) -> str:
        from fibprover.games.theorem_text import theorem_text

        return theorem_text(self)

    def __repr__(self) -> str:
        known = f"{plural(self.automaton.states, 'state')} in {self.system.name}, " if self else ""
        return f"Theorem({self.game}: {self.status}, {known}{plural(len(self.findings), 'finding')})"


def _within(limits: Limits, seconds: float) -> Limits:
    """Return limits with so many CPU seconds unless they bound the seconds."""
    bounded = limits.seconds is not None or limits.cpu_seconds is not None
    return limits if bounded else replace(limits, cpu_seconds=seconds)


def _certificate(checks: Sequence[CertificateCheck]) -> dict[str, Any]:
    """Return a certificate as an object of JSON, in one if it was asked for."""
    return {"certificate": checks[0].plain()} if checks else {}


def _finding(finding: Finding) -> dict[str, Any]:
    """Return a finding as an object of JSON."""
    return {
        "name": finding.name,
        "statement": finding.statement,
        "script": list(map(str, finding.commands)),
        "data": _plain(finding.data),
        "automata": {name: automaton_text(found) for name, found in finding.automata.items()},
    }


def _attempt(attempt: SearchAttempt) -> dict[str, Any]:
    """Return an attempt as an object of JSON."""
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
        "growth": None if attempt.growth is None else {
            "bounds": list(attempt.growth.bounds), "states": list(attempt.growth.states),
            "verdict": attempt.growth.verdict, "exponent": round(attempt.growth.exponent, 6),
            "limit": attempt.growth.limit,
        },
    }


def _following(data: NextData) -> dict[str, Any]:
    """Return the next data as an object of JSON."""
    return {
        "bound": data.bound, "seconds": round(data.seconds, 6), "bytes": data.peak, "power": round(data.power, 6),
        "systems": data.systems,
    }


def _plain(item: Any) -> Any:
    """Return data of a finding as JSON."""
    if isinstance(item, Mapping):
        return {str(key): _plain(part) for key, part in item.items()}
    if isinstance(item, list | tuple | set | frozenset):
        return [_plain(part) for part in item]
    if isinstance(item, Dfa):
        return automaton_text(item)
    if item is None or isinstance(item, bool | int | float | str):
        return item
    return item.item() if hasattr(item, "item") else str(item)
