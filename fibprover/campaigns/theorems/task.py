"""One declaration of a chapter, carried out: `carry_out` takes a Task and returns a TaskResult.

Both are plain values that can be pickled.  A task holds all that its result depends on, the content of
the names that its formula mentions included, so any process can carry it out, in any order.  Errors are part of the
result.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from fibprover.base.errors import BudgetSpent, FibproverError
from fibprover.base.limits import Limits, peak_bytes, reset_peak
from fibprover.base.names import file_name, system_name
from fibprover.campaigns.theorems.chapter import (
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
from fibprover.campaigns.theorems.counts import TextbookCount, fingerprint
from fibprover.campaigns.theorems.proof_report import Row, VacuityCheck
from fibprover.campaigns.theorems.scripts import Problem, shown
from fibprover.language.commands import DefCommand, iterate_script
from fibprover.language.macros import expanded
from fibprover.language.tokens import names_used
from fibprover.language.undefined import UndefinedNames
from fibprover.numeration.system import NumerationSystem
from fibprover.prover.certificate.checking import ENDING, CertificateCheck, certify
from fibprover.prover.certificate.writing import Certificate
from fibprover.prover.environment import Definition
from fibprover.prover.evaluate.trace import Record, Trace
from fibprover.prover.verdict.evidence import Evidence
from fibprover.prover.verdict.relation import Relation
from fibprover.prover.verdict.slopes import FamilyRelation, SlopeVerdict
from fibprover.prover.verdict.vacuity import UNDECIDED
from fibprover.prover.verdict.verdict import Verdict
from fibprover.words.automatic import AutomaticWord
from fibprover.words.morphism import Morphism
from fibprover.words.transducers import Transducer
from fibprover.workspace.commands.interpreter import Outcome
from fibprover.workspace.guard import enforced
from fibprover.workspace.session import Session

#: A function that is called with every finished step of an evaluation.
Watch = Callable[[Record], None]


@dataclass(frozen=True, slots=True)
class ProofSettings:
    """How theorems are proved.

    limits: of every single evaluation; textbook: whether to run the textbook plan as well; vacuity:
    whether to look for parts of true theorems that do not matter; pattern: the ids to try (part of an
    id, or a pattern with * ? [...]); long: whether to try theorems tagged as long too; without: rules of
    the optimized plan that are switched off; exhibits: whether to keep the evidence and the meanings of
    names, which a page shows in addition to the rows; certificates: the folder for certificates, if they are wanted.
    """

    plan: str = "optimized"
    limits: Limits = field(default_factory=Limits)
    textbook: bool = False
    vacuity: bool = False
    pattern: str = ""
    long: bool = False
    without: tuple[str, ...] = ()
    exhibits: bool = False
    certificates: str = ""

    def selects(self, name: str) -> bool:
        """Return whether an id matches the pattern."""
        if any(sign in self.pattern for sign in "*?["):
            return fnmatchcase(name.lower(), self.pattern.lower())
        return self.pattern.lower() in name.lower()

    def selected_claim(self, declaration: Declaration) -> Claim | None:
        """Return the claim of a declaration if its id matches, so that the report has a row for it."""
        claim = claim_of(declaration)
        return claim if claim is not None and self.selects(claim.id) else None

    def skips(self, claim: Claim) -> bool:
        """Return whether a selected claim is skipped: it takes long, and its id was not given in full."""
        if not isinstance(claim, DeclaredTheorem) or not claim.long or self.long:
            return False
        return self.pattern.lower() != claim.id.lower()


#: The tables of a namespace that a declaration may change.
_TABLES = ("definitions", "words", "macros", "morphisms", "transducers", "systems")


@dataclass(frozen=True, slots=True)
class SessionDelta:
    """Names that a declaration adds to a session or redefines, with their content.

    undefined: the names that it should have defined but has not, since it failed, each with the place that failed.
    """

    definitions: Mapping[str, Definition] = field(default_factory=dict)
    words: Mapping[str, AutomaticWord] = field(default_factory=dict)
    macros: Mapping[str, str] = field(default_factory=dict)
    morphisms: Mapping[str, Morphism] = field(default_factory=dict)
    transducers: Mapping[str, Transducer] = field(default_factory=dict)
    systems: Mapping[str, NumerationSystem] = field(default_factory=dict)
    undefined: UndefinedNames = field(default_factory=UndefinedNames)

    @classmethod
    def of_session(cls, session: Session) -> SessionDelta:
        """Return all current names of a session."""
        tables: dict[str, Any] = {table: dict(getattr(session.namespace, table)) for table in _TABLES}
        return cls(**tables)

    @classmethod
    def merged(cls, deltas: Iterable[SessionDelta]) -> SessionDelta:
        """Return several deltas as one; a later meaning of a name replaces an earlier one."""
        tables: dict[str, dict[str, Any]] = {table: {} for table in _TABLES}
        undefined = UndefinedNames()
        for delta in deltas:
            for table, names in tables.items():
                made = getattr(delta, table)
                names.update(made)
                for name in made:
                    undefined.remove(system_name(name).base if table == "systems" else name)
            undefined.add_all(delta.undefined)
        return cls(**tables, undefined=undefined)

    def since(self, before: SessionDelta) -> SessionDelta:
        """Return the names that are new, or have another content than before."""
        tables: dict[str, Any] = {
            table: _changed(getattr(before, table), getattr(self, table)) for table in _TABLES
        }
        return SessionDelta(**tables)

    def without(self, undefined: UndefinedNames) -> SessionDelta:
        """Return the names that are left if these are undefined; the delta says that they are."""
        kept: dict[str, Any] = {
            table: {name: content for name, content in getattr(self, table).items() if name not in undefined.failed}
            for table in _TABLES
        }
        return SessionDelta(**kept, undefined=undefined)

    def for_formula(self, formula: str) -> SessionDelta:
        """Return the definitions and words that a formula may mention, and all macros and systems.

        Systems are kept since automata refer to them by name.
        All names are kept if the formula mentions an unknown name, since the error message then proposes another one.
        """
        if not self.definitions and not self.words:
            return self
        used = set(names_used(expanded(str(formula), self.macros)))  # a script may have given no text at all
        called = {name[1:] for name in used if name.type == "CALL"}
        indexed = {name.removeprefix(".") for name in used if name.type in ("DOTTED", "NAME")}
        if not (called <= self.definitions.keys() and indexed <= self.words.keys()):
            return self
        return replace(
            self,
            definitions={name: definition for name, definition in self.definitions.items() if name in called},
            words={name: word for name, word in self.words.items() if name in indexed},
            morphisms={}, transducers={},
        )

    def add_to(self, session: Session) -> None:
        """Give the names to a session."""
        for table in _TABLES:
            getattr(session.namespace, table).update(getattr(self, table))

    @property
    def nbytes(self) -> int:
        """The size of all automata."""
        automata = [definition.automaton for definition in self.definitions.values()]
        automata += [word.machine for word in self.words.values()]
        return sum(automaton.nbytes for automaton in automata)


def _changed(before: Mapping[str, object], after: Mapping[str, Any]) -> dict[str, Any]:
    return {name: content for name, content in after.items() if before.get(name) is not content}


@dataclass(frozen=True, slots=True)
class Task:
    """A declaration to carry out.

    key: the number of its chapter, and its own number in the chapter; system: the chapter's default
    numeration system; names: the names that it may mention; count: an earlier measurement of the
    textbook plan on this claim.
    """

    key: tuple[int, int]
    system: str
    declaration: Declaration
    names: SessionDelta
    count: TextbookCount | None
    settings: ProofSettings


@dataclass(frozen=True, slots=True)
class TaskResult:
    """The result of a task.

    outcome: the row of a selected claim, the problem of another declaration that failed, else None;
    short_of_memory: whether more memory might change it; delta: the names that the declaration made.
    """

    outcome: Row | Problem | None
    short_of_memory: bool = False
    delta: SessionDelta = field(default_factory=SessionDelta)


def carry_out(task: Task, watch: Watch | None = None) -> TaskResult:
    """Carry out a declaration; call watch with every finished step of an evaluation."""
    try:
        return _carried_out(task, watch)
    except MemoryError:
        return replace(failed(task, "no memory is left"), short_of_memory=True)
    except Exception as defect:
        return failed(task, _message(defect))


def _carried_out(task: Task, watch: Watch | None) -> TaskResult:
    settings = task.settings
    session = Session(task.system, plan=settings.plan, limits=settings.limits, without=settings.without)
    session.options = replace(session.options, watch=watch)
    task.names.add_to(session)
    before = SessionDelta.of_session(session)
    runner = DeclarationRunner(session, settings, task.names.undefined)
    claim = settings.selected_claim(task.declaration)
    outcome = runner.problem(task.declaration) if claim is None else runner.row(claim, task.count)
    delta = SessionDelta.of_session(session).since(before).without(runner.failed)
    return TaskResult(outcome, runner.short_of_memory, delta)


def failed(task: Task, message: str, *, spent: bool = False) -> TaskResult:
    """Return the result of a task that could not be finished; the names that it should have defined are undefined.

    spent: whether a budget was.
    """
    declaration = task.declaration
    claim = task.settings.selected_claim(declaration)
    undefined = UndefinedNames()
    note_failure(declaration, undefined)
    delta = SessionDelta(undefined=undefined)
    if claim is None:
        return TaskResult(Problem(shown(declaration.place), _prefix(declaration) + message, spent), delta=delta)
    row = Row(claim, None, None, None, 0.0, None, f"{shown(claim.place)}: {claim.id}: {message}", spent)
    return TaskResult(row, delta=delta)


def note_failure(declaration: Declaration, undefined: UndefinedNames, begun: int = 0) -> None:
    """Add the names that a failed declaration should have defined.

    begun: where in a script the first command begins that was not carried out.
    """
    place = shown(declaration.place)
    match declaration:
        case DeclaredWordFile():
            undefined.all_since = place
        case DeclaredAutomaton():
            undefined.failed[declaration.name or Path(declaration.file).stem] = place
        case DeclaredDefinition() | DeclaredLanguage() | DeclaredWord():
            undefined.failed[str(declaration.name)] = place  # a script may have given no text
        case DeclaredScript():
            for command in iterate_script(declaration.text):
                if command.span.start >= begun and not undefined.add(command, declaration.text, place):
                    undefined.all_since = place


class DeclarationRunner:
    """Carries out a declaration in a session; keeps whether it ran short of memory, and what it left undefined."""

    def __init__(self, session: Session, settings: ProofSettings, undefined: UndefinedNames | None = None) -> None:
        self.session = session
        self.settings = settings
        #: The names that earlier declarations should have defined, and those that this one should have.
        self.undefined, self.failed = UndefinedNames(), UndefinedNames()
        if undefined is not None:
            self.undefined.add_all(undefined)
        self.short_of_memory = False
        #: Where in a script the first command begins that was not carried out.
        self.begun = 0

    def note_error(self, error: Exception | None) -> None:
        """Note an error that more memory might prevent."""
        if isinstance(error, MemoryError) or (isinstance(error, BudgetSpent) and error.resource == "bytes"):
            self.short_of_memory = True

    # Declarations that make names

    def problem(self, declaration: Declaration) -> Problem | None:
        """Carry out a declaration that is no claim; return the problem if it failed."""
        try:
            self.declare(declaration)
        except Exception as error:
            self.note_error(error)
            note_failure(declaration, self.failed, self.begun)
            return Problem(shown(declaration.place), _prefix(declaration) + _message(error), _is_spent(error))
        return None

    def declare(self, declaration: Declaration) -> None:
        """Give the session the names of a declaration."""
        session = self.session
        match declaration:
            case DeclaredLanguage():
                session.reg(declaration.name, declaration.alphabets, declaration.regex)
            case DeclaredWord():
                images, coding = declaration.images, declaration.coding
                session.define_morphic_word(declaration.name, images, coding, declaration.system)
            case DeclaredWordFile():
                session.load_words(declaration.file)
            case DeclaredAutomaton():
                session.namespace.load_predicate(declaration.file, declaration.name)
            case DeclaredDefinition():
                self.undefined.check_formula(declaration.formula, session.namespace.macros)
                second = self.second_opinion(declaration.formula)
                self.textbook_states(session.define(declaration.name, declaration.formula), second)
            case DeclaredScript():
                self.execute(declaration.text)
            case DeclaredTheorem():
                raise AssertionError("a theorem makes no name")

    def execute(self, text: str) -> None:
        """Execute the commands of a script; note how far this has come."""
        for command in iterate_script(text):
            self.begun = command.span.start
            self.undefined.check(command, text, self.session.namespace.macros)
            second: Outcome | Exception | None = None
            if isinstance(command, DefCommand):
                with self.session.overridable():
                    second = self.second_opinion(command.text)
            outcome = self.session.execute(command, text)
            if isinstance(command, DefCommand) and isinstance(outcome, Verdict | Relation):
                self.textbook_states(outcome, second)
            self.undefined.defined_by(command)

    # Claims

    def row(self, claim: Claim, logged: TextbookCount | None) -> Row:
        """Try a claim; logged: a count of the textbook plan for this id."""
        count = self.valid_count(claim, logged)
        second = self.second_opinion(claim.formula)
        reset_peak()
        begun = time.perf_counter()
        outcome: Outcome | None = None
        problem: Exception | None = None
        try:
            self.undefined.check_formula(claim.formula, self.session.namespace.macros)
            with enforced(self.session.options.limits):
                outcome = self.outcome(claim)
        except Exception as error:
            problem = error
            if isinstance(claim, DeclaredDefinition):
                note_failure(claim, self.failed)
        seconds = time.perf_counter() - begun
        peak = peak_bytes()
        self.note_error(problem)
        if outcome is None:
            return Row(claim, None, None, None, seconds, peak, _located(claim, problem), _is_spent(problem))
        textbook: int | None = None if count is None or count.spent else count.states
        vacuity: VacuityCheck | None = None
        evidence: Evidence | None = None
        certificate: CertificateCheck | None = None
        try:
            measured = self.textbook_states(outcome, second)
            textbook = textbook if measured is None else measured
            vacuity = self.vacuity(claim, outcome)
            evidence = self.evidence(outcome)
            certificate = self.certificate(claim, outcome)
        except Exception as error:
            problem = error
            self.note_error(problem)
        verdict, built = _judged(claim, outcome)
        row = Row(
            claim, verdict, textbook, built, seconds, peak,
            "" if problem is None else _located(claim, problem), _is_spent(problem), "", vacuity, count,
            evidence=evidence, certificate=certificate,
        )
        return row if row.as_expected else replace(row, detail=self.explanation(row, outcome))

    def outcome(self, claim: Claim) -> Outcome:
        """Evaluate the formula of a claim under the plan in use."""
        if isinstance(claim, DeclaredDefinition):
            return self.session.define(claim.name, claim.formula)
        return self.session.prove(claim.formula)

    def valid_count(self, claim: Claim, logged: TextbookCount | None) -> TextbookCount | None:
        """Return a logged count if the formula still means what it meant when it was counted."""
        if logged is None:
            return None
        try:
            return logged if logged.hash == fingerprint(claim.formula, self.session) else None
        except (FibproverError, MemoryError):
            return None  # the evaluation reports that it is no formula, or that no memory is left

    def vacuity(self, claim: Claim, outcome: Outcome) -> VacuityCheck | None:
        """Find the parts of a true theorem that do not matter; this always uses the optimized plan."""
        if not self.settings.vacuity or not isinstance(outcome, Verdict) or not isinstance(claim, DeclaredTheorem):
            return None
        if not outcome.truth or isinstance(outcome, SlopeVerdict):
            return None  # parts that do not matter are not searched over families
        reset_peak()
        begun = time.perf_counter()
        verdict = outcome if outcome.plan == "optimized" else self.session.prove(claim.formula, plan="optimized")
        with enforced(self.session.options.limits):
            findings = verdict.vacuity()
        if self.session.options.limits.bytes is not None:
            self.short_of_memory |= any(finding.grade == UNDECIDED for finding in findings)
        return VacuityCheck(findings, time.perf_counter() - begun, peak_bytes())

    def evidence(self, outcome: Outcome) -> Evidence | None:
        """Return a witness or a counterexample, if a page is to show it and the limits suffice for it."""
        if not self.settings.exhibits or not isinstance(outcome, Verdict):
            return None
        with enforced(self.session.options.limits):
            found = outcome.evidence
        self.note_error(outcome.evidence_error)
        return found

    def certificate(self, claim: Claim, outcome: Outcome) -> CertificateCheck | None:
        """Write the certificate of a theorem, and check the file, if a folder for certificates is given.

        Raises FibproverError if the checker finds the certificate invalid.
        """
        if not self.settings.certificates or not isinstance(outcome, Verdict):
            return None
        limits = self.session.options.limits

        def made() -> Certificate:
            with enforced(limits):
                return outcome.certificate()

        return certify(made, str(Path(self.settings.certificates) / file_name(claim.id, ENDING)), limits.seconds)

    def second_opinion(self, formula: str) -> Outcome | Exception | None:
        """Evaluate a formula by the textbook plan if that is requested; return an error as a value.

        This comes before the definition of that formula is stored, since a name may be redefined in
        terms of itself.
        """
        if self.settings.plan == "textbook" or not self.settings.textbook:
            return None
        try:
            with enforced(self.session.options.limits):
                return self.session.eval(formula, plan="textbook")
        except Exception as problem:
            return problem

    def textbook_states(self, outcome: Outcome, second: Outcome | Exception | None) -> int | None:
        """Return the size of the largest minimal automaton of the textbook plan's steps.

        Raises FibproverError if that plan disagrees with the plan in use.
        """
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
        """Return the evidence for an unexpected verdict."""
        if isinstance(row.claim, DeclaredDefinition):
            return f"the automaton has {_states(outcome)} states"
        if not isinstance(outcome, Verdict):
            return ""
        if isinstance(outcome, SlopeVerdict):
            return "; ".join([str(outcome), *outcome.lines()])
        error = outcome.evidence_error
        if error is not None:
            self.note_error(error)
            return f"no evidence: {error.message if isinstance(error, FibproverError) else _message(error)}"
        return "" if outcome.evidence is None else str(outcome.evidence)


def _same(one: Outcome, other: Outcome) -> bool:
    """Return whether two plans have the same result; automata are canonical, so their arrays are compared."""
    if isinstance(one, Verdict) or isinstance(other, Verdict):
        if isinstance(one, SlopeVerdict):
            return isinstance(other, SlopeVerdict) and one.slopes == other.slopes
        return isinstance(one, Verdict) and isinstance(other, Verdict) and one.truth == other.truth
    if isinstance(one, FamilyRelation):
        return one == other
    return one.automaton == other.automaton


def _judged(claim: Claim, outcome: Outcome) -> tuple[bool, int]:
    """Return the verdict on a claim, and the states of the largest automaton built for it."""
    largest = 1 if outcome.trace is None else outcome.trace.largest
    if isinstance(claim, DeclaredDefinition):
        return _states(outcome) == claim.states_paper, largest
    return bool(isinstance(outcome, Verdict) and outcome.truth), largest


def _states(outcome: Outcome) -> int:
    return 1 if isinstance(outcome, Verdict) else outcome.states


def _located(claim: Claim, error: Exception | None) -> str:
    return f"{shown(claim.place)}: {claim.id}: {_message(error)}"


def _prefix(declaration: Declaration) -> str:
    if isinstance(declaration, DeclaredDefinition | DeclaredLanguage | DeclaredWord | DeclaredAutomaton):
        return f"{declaration.name}: "
    return ""


def _message(error: Exception | None) -> str:
    if isinstance(error, FibproverError):
        return str(error)
    if isinstance(error, MemoryError):
        return "no memory is left"
    return f"internal error: {type(error).__name__}: {error}"


def _is_spent(error: Exception | None) -> bool:
    return isinstance(error, BudgetSpent | MemoryError)
