"""Carries out the steps of a chapter in a session of its own, every claim to a row of the report.

Whatever goes wrong with one step is kept with that step, and the next one can be tried.  What comes
of a step depends on the steps before it that make names known, and on nothing else: neither on the
claims that were tried before it, nor on the process that tries it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase

from fibprover.commands.interpreter import Outcome
from fibprover.errors import BudgetSpent, FibproverError
from fibprover.evaluate.cache import Cache
from fibprover.evaluate.trace import Record, Trace
from fibprover.limits import Limits, peak_bytes, reset_peak
from fibprover.session import Session
from fibprover.syntax.commands import DefCommand, iterate_script
from fibprover.theorems.chapter import (
    Chapter,
    Claim,
    Declaration,
    DeclaredAutomaton,
    DeclaredDefinition,
    DeclaredLanguage,
    DeclaredScript,
    DeclaredTheorem,
    DeclaredWord,
    DeclaredWordFile,
    claim_of,
)
from fibprover.theorems.collect import Problem, shown
from fibprover.theorems.counts import TextbookCount, TextbookCounts, fingerprint
from fibprover.theorems.names import SessionDelta, names_of, set_names
from fibprover.theorems.report import Row, VacuityCheck
from fibprover.verdict.relation import Relation
from fibprover.verdict.vacuity import UNDECIDED
from fibprover.verdict.verdict import Evidence, Verdict


@dataclass(frozen=True, slots=True)
class ProofSettings:
    """How theorems are run.

    limits: of every single evaluation; textbook: whether to run the textbook plan as well; vacuity:
    whether to look for parts of true theorems that do not matter; pattern: which ids (part of an
    id, or a pattern with * ? [...]); long: whether theorems tagged as long are tried too; watch: told
    of every finished step of an evaluation; without: rules of the optimized plan that are switched off;
    exhibits: whether to keep what a page shows beside the rows, evidence and what names mean.
    """

    plan: str = "optimized"
    limits: Limits = field(default_factory=Limits)
    textbook: bool = False
    vacuity: bool = False
    pattern: str = ""
    long: bool = False
    watch: Callable[[Record], None] | None = None
    without: tuple[str, ...] = ()
    exhibits: bool = False

    def selects(self, name: str) -> bool:
        """Whether an id is asked for."""
        if any(sign in self.pattern for sign in "*?["):
            return fnmatchcase(name.lower(), self.pattern.lower())
        return self.pattern.lower() in name.lower()

    def row_of(self, step: Declaration) -> Claim | None:
        """The claim of a step that is asked for, so that the report has a row for it."""
        claim = claim_of(step)
        return claim if claim is not None and self.selects(claim.id) else None

    def skips(self, claim: Claim) -> bool:
        """Whether a claim that is asked for is left out all the same: it takes long, and its id was not given."""
        if not isinstance(claim, DeclaredTheorem) or not claim.long or self.long:
            return False
        return self.pattern.lower() != claim.id.lower()


@dataclass(frozen=True, slots=True)
class Attempt:
    """What came of one step.

    result: a claim's row, what went wrong with another step, None if nothing did; short: whether
    memory did not suffice somewhere, so that with more of it the result may be another.
    """

    result: Row | Problem | None
    short: bool


class ChapterRun:
    """One chapter in progress; counts: what is known of the textbook plan.

    names: what the steps carried out so far have made known, by the number of the step; others may
    be added that another process has carried out.
    """

    def __init__(self, chapter: Chapter, settings: ProofSettings, counts: TextbookCounts) -> None:
        self.settings = settings
        self.chapter = chapter
        self.counts = counts
        self.names: dict[int, SessionDelta] = {}
        self.cache = Cache()
        self.short = False

    def begin(self) -> None:
        """Makes the session; FibproverError if there is no such system."""
        settings = self.settings
        self.session = Session(
            self.chapter.system, plan=settings.plan, limits=settings.limits, without=settings.without
        )
        self.session.options = replace(self.session.options, watch=self.settings.watch)

    def attempt(self, index: int, most_bytes: int | None = None) -> Attempt:
        """The step of this number, where names mean what the steps before it have made them mean.

        most_bytes: of this process, instead of what the limits say.
        """
        step = self.chapter.declarations[index]
        claim = self.settings.row_of(step)
        limits = self.settings.limits if most_bytes is None else replace(self.settings.limits, bytes=most_bytes)
        self.session.options = replace(self.session.options, limits=limits)
        before = set_names(self.session, (self.names[other] for other in sorted(self.names) if other < index))
        # What a row says of the automata that were built is not to depend on the rows before it.
        self.session.cache = self.cache if claim is None else Cache()
        self.short = False
        result = self.problem(step) if claim is None else self.row(claim)
        if not isinstance(step, DeclaredTheorem):
            self.names[index] = names_of(self.session).since(before)
        return Attempt(result, self.short)

    def noticed(self, error: Exception | None) -> None:
        """Takes note of an error that more memory might prevent."""
        self.short |= isinstance(error, MemoryError) or (isinstance(error, BudgetSpent) and error.resource == "bytes")

    # -- steps that claim nothing ----------------------------------------------------------

    def problem(self, step: Declaration) -> Problem | None:
        """Carries out a step that claims nothing; what went wrong."""
        try:
            self.carry_out(step)
        except Exception as error:
            self.noticed(error)
            return Problem(shown(step.place), _named(step) + _message(error), _is_spent(error))
        return None

    def carry_out(self, step: Declaration) -> None:
        """A step that makes names known."""
        session = self.session
        match step:
            case DeclaredLanguage():
                session.reg(step.name, step.alphabets, step.regex)
            case DeclaredWord():
                session.define_morphic_word(step.name, step.images, step.coding, step.system)
            case DeclaredWordFile():
                session.load_words(step.file)
            case DeclaredAutomaton():
                session.namespace.load_predicate(step.file, step.name)
            case DeclaredDefinition():
                second = self.second_opinion(step.formula)
                self.textbook_states(session.define(step.name, step.formula), second)
            case DeclaredScript():
                for command in iterate_script(step.text):
                    second = self.second_opinion(command.text) if isinstance(command, DefCommand) else None
                    outcome = session.execute(command, step.text)
                    if isinstance(command, DefCommand) and isinstance(outcome, Verdict | Relation):
                        self.textbook_states(outcome, second)
            case DeclaredTheorem():
                raise AssertionError("a theorem is a row")

    # -- claims ----------------------------------------------------------------------------

    def row(self, claim: Claim) -> Row:
        """One claim, tried."""
        count = self.count_of(claim)
        second = self.second_opinion(claim.formula)
        reset_peak()
        begun = time.perf_counter()
        outcome: Outcome | None = None
        problem: Exception | None = None
        try:
            outcome = self.tried(claim)
        except Exception as error:
            problem = error
        seconds = time.perf_counter() - begun
        peak = peak_bytes()
        self.noticed(problem)
        if outcome is None:
            return Row(claim, None, None, None, seconds, peak, _placed(claim, problem), _is_spent(problem))
        textbook: int | None = None if count is None or count.spent else count.states
        vacuity: VacuityCheck | None = None
        evidence: Evidence | None = None
        try:
            measured = self.textbook_states(outcome, second)
            textbook = textbook if measured is None else measured
            vacuity = self.vacuity(claim, outcome)
            evidence = self.evidence(outcome)
        except Exception as error:
            problem = error
            self.noticed(problem)
        verdict, built = _judged(claim, outcome)
        row = Row(
            claim, verdict, textbook, built, seconds, peak,
            "" if problem is None else _placed(claim, problem), _is_spent(problem), "", vacuity, count,
            evidence=evidence,
        )
        return row if row.as_expected else replace(row, detail=self.explanation(row, outcome))

    def tried(self, claim: Claim) -> Outcome:
        """What the plan in use makes of a claim."""
        if isinstance(claim, DeclaredDefinition):
            return self.session.define(claim.name, claim.formula)
        return self.session.prove(claim.formula)

    def count_of(self, claim: Claim) -> TextbookCount | None:
        """What is known of the textbook plan for a claim, if its formula still means what it meant."""
        if claim.id not in self.counts.by_id:
            return None
        try:
            return self.counts.of(claim.id, fingerprint(claim.formula, self.session))
        except (FibproverError, MemoryError):
            return None  # no formula, or no memory: the evaluation says so

    def vacuity(self, claim: Claim, outcome: Outcome) -> VacuityCheck | None:
        """The parts of a true theorem that do not matter; by the optimized plan, whatever plan is in use."""
        if not self.settings.vacuity or not isinstance(outcome, Verdict) or not isinstance(claim, DeclaredTheorem):
            return None
        if not outcome.truth:
            return None
        reset_peak()
        begun = time.perf_counter()
        verdict = outcome if outcome.plan == "optimized" else self.session.prove(claim.formula, plan="optimized")
        findings = verdict.vacuity()
        if self.session.options.limits.bytes is not None:
            self.short |= any(finding.grade == UNDECIDED for finding in findings)
        return VacuityCheck(findings, time.perf_counter() - begun, peak_bytes())

    def evidence(self, outcome: Outcome) -> Evidence | None:
        """A witness or a counterexample, if the page is to show it and the limits suffice for it."""
        if not self.settings.exhibits or not isinstance(outcome, Verdict):
            return None
        try:
            return outcome.evidence
        except (BudgetSpent, MemoryError) as error:
            self.noticed(error)
            return None

    def second_opinion(self, formula: str) -> Outcome | Exception | None:
        """What the textbook plan makes of a formula, if it is asked; or why it makes nothing of it.

        Before a definition of that formula is stored: a name may be defined anew in terms of itself.
        """
        if self.settings.plan == "textbook" or not self.settings.textbook:
            return None
        try:
            return self.session.eval(formula, plan="textbook")
        except Exception as problem:
            return problem

    def textbook_states(self, outcome: Outcome, second: Outcome | Exception | None) -> int | None:
        """The largest minimal automaton of the textbook plan's steps; an error if that plan disagrees."""
        if isinstance(second, Exception):
            raise second
        if self.settings.plan == "textbook":
            again = outcome
        elif second is None:
            return None
        else:
            again = second
            if not _same(outcome, again):
                raise FibproverError(
                    "the two plans disagree on this formula, so one of them is wrong",
                    hint="please report it, with the script",
                )
        trace = again.trace or Trace((), 1, 0.0)
        return max((states for _, states in trace.steps()), default=1)

    def explanation(self, row: Row, outcome: Outcome) -> str:
        """The evidence for a verdict that nobody expected."""
        if isinstance(row.claim, DeclaredDefinition):
            return f"the automaton has {_states(outcome)} states"
        if not isinstance(outcome, Verdict):
            return ""
        try:
            return "" if outcome.evidence is None else str(outcome.evidence)
        except FibproverError as error:
            self.noticed(error)
            return f"no evidence: {error.message}"


def in_error(step: Declaration, claim: Claim | None, message: str) -> Row | Problem:
    """What comes of a step that could not be finished; claim: what the report has a row for."""
    if claim is None:
        return Problem(shown(step.place), _named(step) + message)
    return Row(claim, None, None, None, 0.0, None, f"{shown(claim.place)}: {claim.id}: {message}")


def _same(one: Outcome, other: Outcome) -> bool:
    """Whether two plans came to the same result; automata are canonical, so arrays tell."""
    if isinstance(one, Verdict) or isinstance(other, Verdict):
        return isinstance(one, Verdict) and isinstance(other, Verdict) and one.truth == other.truth
    return one.automaton == other.automaton


def _judged(claim: Claim, outcome: Outcome) -> tuple[bool, int]:
    """The verdict on a claim, and the states of the largest automaton built for it."""
    largest = 1 if outcome.trace is None else outcome.trace.largest
    if isinstance(claim, DeclaredDefinition):
        return _states(outcome) == claim.states_paper, largest
    return bool(isinstance(outcome, Verdict) and outcome.truth), largest


def _states(outcome: Outcome) -> int:
    return 1 if isinstance(outcome, Verdict) else outcome.states


def _placed(claim: Claim, error: Exception | None) -> str:
    return f"{shown(claim.place)}: {claim.id}: {_message(error)}"


def _named(step: Declaration) -> str:
    if isinstance(step, DeclaredDefinition | DeclaredLanguage | DeclaredWord | DeclaredAutomaton):
        return f"{step.name}: "
    return ""


def _message(error: Exception | None) -> str:
    if isinstance(error, FibproverError):
        return str(error)
    if isinstance(error, MemoryError):
        return "no memory is left"
    return f"internal error: {type(error).__name__}: {error}"


def _is_spent(error: Exception | None) -> bool:
    return isinstance(error, BudgetSpent | MemoryError)
