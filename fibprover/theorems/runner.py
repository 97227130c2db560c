"""Carries out chapters: every chapter in a session of its own, every theorem to a row of the report.

Whatever goes wrong with one step is kept with that step, and the next one is tried.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path

from fibprover.decide import Options
from fibprover.errors import BudgetSpent, FibproverError
from fibprover.evaluate.trace import Record, Trace
from fibprover.limits import Limits
from fibprover.parse.commands import DefCommand, iterate_script
from fibprover.session import Outcome, Session
from fibprover.theorems.chapter import Chapter, Define, Reg, Script, Step, Theorem, Word, Words, claim_of
from fibprover.theorems.collect import Problem, shown, shown_file
from fibprover.theorems.counts import FILE, Count, Counts, fingerprint, read
from fibprover.theorems.memory import peak_bytes, reset_peak
from fibprover.verdict.vacuity import UNDECIDED, VACUOUS, Finding
from fibprover.verdict.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Settings:
    """How theorems are run.

    limits: of every single evaluation; textbook: whether to run the textbook plan as well; vacuity:
    whether to look for parts of true theorems that do not matter; pattern: which ids (part of an
    id, or a pattern with * ? [...]); begin: told of each id before it is tried; watch: told of
    every finished step of an evaluation.
    """

    plan: str = "optimized"
    limits: Limits = field(default_factory=Limits)
    textbook: bool = False
    vacuity: bool = False
    pattern: str = ""
    begin: Callable[[str], None] | None = None
    watch: Callable[[Record], None] | None = None

    def selects(self, name: str) -> bool:
        """Whether an id is to be tried."""
        if any(sign in self.pattern for sign in "*?["):
            return fnmatchcase(name.lower(), self.pattern.lower())
        return self.pattern.lower() in name.lower()


@dataclass(frozen=True, slots=True)
class Vacuity:
    """The parts of a true theorem that do not matter, and what it took to find them."""

    findings: tuple[Finding, ...]
    seconds: float
    peak_bytes: int | None


@dataclass(frozen=True, slots=True)
class Row:
    """What came of one claim.

    verdict: None if there is none; states_textbook: the largest minimal automaton of the textbook
    plan's steps, None unless measured; states_built: the largest automaton of the plan in use, None
    without a verdict; seconds: of the plan in use; peak_bytes: see memory.py; problem: what went
    wrong, with the place; spent: whether that is a spent budget; detail: why an unexpected verdict
    is what it is, where that is known; vacuity: the parts that do not matter, None unless looked for;
    count: what was measured of the textbook plan before, None if nothing that still holds.
    """

    claim: Theorem | Define
    verdict: bool | None
    states_textbook: int | None
    states_built: int | None
    seconds: float
    peak_bytes: int | None
    problem: str = ""
    spent: bool = False
    detail: str = ""
    vacuity: Vacuity | None = None
    count: Count | None = None

    @property
    def vacuous(self) -> tuple[str, ...] | None:
        """The parts that say nothing; None if they were not looked for, or if the limits left it open."""
        if self.vacuity is None:
            return None
        found = tuple(finding.text for finding in self.vacuity.findings if finding.grade == VACUOUS)
        return found if found or not any(item.grade == UNDECIDED for item in self.vacuity.findings) else None

    @property
    def expected(self) -> bool:
        """The verdict that the claim should get."""
        return self.claim.expected if isinstance(self.claim, Theorem) else True

    @property
    def form(self) -> str:
        """printed, strong or control; a published number of states is printed."""
        return self.claim.form if isinstance(self.claim, Theorem) else "printed"

    @property
    def as_expected(self) -> bool:
        """Whether the verdict is the expected one and nothing went wrong on the way."""
        return self.verdict == self.expected and not self.problem


def run(chapters: Iterable[Chapter], settings: Settings) -> Iterator[Row | Problem]:
    """Tries every selected claim of the chapters, in order.

    A chapter's steps are carried out as far as its last selected claim; without one, not at all.
    """
    known: dict[Path, Counts] = {}
    for chapter in chapters:
        steps = chapter.steps
        wanted = [index for index, step in enumerate(steps) if _selected(step, settings)]
        if not wanted:
            continue
        file = Path(chapter.place.file).parent / FILE
        if file not in known:
            known[file] = Counts({}, {})
            try:
                known[file] = read(file)
            except FibproverError as error:
                yield Problem(shown_file(str(file)), str(error))
        yield from ChapterRun(chapter, settings, known[file]).rows(steps[: wanted[-1] + 1])


def _selected(step: Step, settings: Settings) -> bool:
    claim = claim_of(step)
    return claim is not None and settings.selects(claim.id)


class ChapterRun:
    """One chapter in progress; counts: what is known of the textbook plan."""

    def __init__(self, chapter: Chapter, settings: Settings, counts: Counts) -> None:
        self.settings = settings
        self.chapter = chapter
        self.counts = counts

    def begin(self) -> None:
        """Makes the session; FibproverError if there is no such system."""
        self.session = Session(self.chapter.system, plan=self.settings.plan, limits=self.settings.limits)
        self.session.options = Options(self.settings.plan, self.settings.limits, self.settings.watch)

    def rows(self, steps: Iterable[Step]) -> Iterator[Row | Problem]:
        """The rows of the selected claims among the steps, and what went wrong with other steps."""
        try:
            self.begin()
        except FibproverError as error:
            yield Problem(shown(self.chapter.place), str(error))
            return
        for step in steps:
            claim = claim_of(step)
            if claim is not None and self.settings.selects(claim.id):
                yield self.row(claim)
            elif not isinstance(step, Theorem):
                try:
                    self.carry_out(step)
                except (FibproverError, MemoryError) as error:
                    yield Problem(shown(step.place), _named(step) + _message(error), _is_spent(error))
                except Exception as defect:
                    yield Problem(shown(step.place), _named(step) + _message(defect))

    # -- steps that claim nothing ----------------------------------------------------------

    def carry_out(self, step: Step) -> None:
        """A step that makes names known."""
        session = self.session
        match step:
            case Reg():
                session.reg(step.name, step.alphabets, step.regex)
            case Word():
                session.word(step.name, step.images, step.coding, step.system)
            case Words():
                session.load_words(step.file)
            case Define():
                second = self.second_opinion(step.formula)
                self.textbook_states(session.define(step.name, step.formula), second)
            case Script():
                for command in iterate_script(step.text):
                    second = self.second_opinion(command.text) if isinstance(command, DefCommand) else None
                    outcome = session.execute(command, step.text)
                    if isinstance(command, DefCommand) and outcome is not None:
                        self.textbook_states(outcome, second)
            case Theorem():
                raise AssertionError("a theorem is a row")

    # -- claims ----------------------------------------------------------------------------

    def row(self, claim: Theorem | Define) -> Row:
        """One claim, tried."""
        if self.settings.begin is not None:
            self.settings.begin(claim.id)
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
        if outcome is None:
            return Row(claim, None, None, None, seconds, peak, _placed(claim, problem), _is_spent(problem))
        textbook: int | None = None if count is None or count.spent else count.states
        vacuity: Vacuity | None = None
        try:
            measured = self.textbook_states(outcome, second)
            textbook = textbook if measured is None else measured
            vacuity = self.vacuity(claim, outcome)
        except Exception as error:
            problem = error
        verdict, built = _judged(claim, outcome)
        row = Row(
            claim, verdict, textbook, built, seconds, peak,
            "" if problem is None else _placed(claim, problem), _is_spent(problem), "", vacuity, count,
        )
        return row if row.as_expected else replace(row, detail=_explanation(row, outcome))

    def tried(self, claim: Theorem | Define) -> Outcome:
        """What the plan in use makes of a claim."""
        if isinstance(claim, Define):
            return self.session.define(claim.name, claim.formula)
        return self.session.prove(claim.formula)

    def count_of(self, claim: Theorem | Define) -> Count | None:
        """What is known of the textbook plan for a claim, if its formula still means what it meant."""
        if claim.id not in self.counts.by_id:
            return None
        try:
            return self.counts.of(claim.id, fingerprint(claim.formula, self.session))
        except FibproverError:
            return None  # no formula: the evaluation says so

    def vacuity(self, claim: Theorem | Define, outcome: Outcome) -> Vacuity | None:
        """The parts of a true theorem that do not matter; by the optimized plan, whatever plan is in use."""
        if not self.settings.vacuity or not isinstance(outcome, Verdict) or not isinstance(claim, Theorem):
            return None
        if not outcome.truth:
            return None
        reset_peak()
        begun = time.perf_counter()
        verdict = outcome if outcome.plan == "optimized" else self.session.prove(claim.formula, plan="optimized")
        findings = verdict.vacuity()
        return Vacuity(findings, time.perf_counter() - begun, peak_bytes())

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


def _same(one: Outcome, other: Outcome) -> bool:
    """Whether two plans came to the same result; automata are canonical, so arrays tell."""
    if isinstance(one, Verdict) or isinstance(other, Verdict):
        return isinstance(one, Verdict) and isinstance(other, Verdict) and one.truth == other.truth
    return one.automaton == other.automaton


def _judged(claim: Theorem | Define, outcome: Outcome) -> tuple[bool, int]:
    """The verdict on a claim, and the states of the largest automaton built for it."""
    largest = 1 if outcome.trace is None else outcome.trace.largest
    if isinstance(claim, Define):
        return _states(outcome) == claim.states_paper, largest
    return bool(isinstance(outcome, Verdict) and outcome.truth), largest


def _states(outcome: Outcome) -> int:
    return 1 if isinstance(outcome, Verdict) else outcome.states


def _explanation(row: Row, outcome: Outcome) -> str:
    """The evidence for a verdict that nobody expected."""
    if isinstance(row.claim, Define):
        return f"the automaton has {_states(outcome)} states"
    if not isinstance(outcome, Verdict):
        return ""
    try:
        return "" if outcome.evidence is None else str(outcome.evidence)
    except FibproverError as error:
        return f"no evidence: {error.message}"


def _placed(claim: Theorem | Define, error: Exception | None) -> str:
    return f"{shown(claim.place)}: {claim.id}: {_message(error)}"


def _named(step: Step) -> str:
    return f"{step.name}: " if isinstance(step, Define | Reg | Word) else ""


def _message(error: Exception | None) -> str:
    if isinstance(error, FibproverError):
        return str(error)
    if isinstance(error, MemoryError):
        return "no memory is left"
    return f"internal error: {type(error).__name__}: {error}"


def _is_spent(error: Exception | None) -> bool:
    return isinstance(error, BudgetSpent | MemoryError)
