"""What names mean at a place of a script, as far as that is known without deciding anything.

A predicate is known by its parameters and their numeration systems: formulas are bound, not evaluated.  Words are made,
within small limits, since their letters matter for messages.  A name whose parameters are not known is `hidden`:
formulas that use it are read, but not bound.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from fibprover.automata.dfa import Track
from fibprover.automata.operations import empty, true
from fibprover.base.errors import BudgetSpent, FibproverError, TextError, UnknownName
from fibprover.base.limits import Limits
from fibprover.base.names import WORD_PREDICATES, word_predicate
from fibprover.base.values import value
from fibprover.language.commands import (
    Command,
    DefCommand,
    EvalCommand,
    MacroCommand,
    OperationCommand,
    RegCommand,
    error_span,
    in_command,
    systems_of,
)
from fibprover.language.parser import closed_term
from fibprover.language.regular_expression import parse_regex
from fibprover.language.source import Source
from fibprover.language.tokens import names_used
from fibprover.language.undefined import UndefinedNames
from fibprover.prover.bind import bind
from fibprover.prover.environment import Definition, Environment
from fibprover.prover.formula_warnings import formula_warnings
from fibprover.workspace.session import Session

#: What the making of one word, and of a numeration system, may spend.
LIMITS = Limits(states=20_000, cpu_seconds=0.5)

#: Commands whose result has the parameters of their first predicate.
_ALIKE = (
    "union", "intersect", "concat", "star", "leftquo", "rightquo", "fixleadzero", "fixtrailzero", "reverse", "minimize",
)

#: Commands that ask about a predicate, and change nothing.
_QUESTIONS = ("inf", "test", "first", "first_rej", "count", "regex")

#: Commands that make words and systems, which are carried out unless they take a predicate that is not known.
_MAKING = (
    "word", "morphism", "promote", "image", "transduce", "join", "split", "rsplit", "ost", "dumont_thomas", "family",
    "slope",
)


@value
class Problem:
    """What is wrong, at a place of a text; severity: "error" or "warning"; unknown: a name that means nothing."""

    message: str
    start: int
    end: int
    severity: str = "error"
    unknown: str = ""


class Sketch:
    """A session in which predicates are known by their parameters alone.

    hidden: names whose meaning is not known; opened: whether any name may be defined elsewhere.
    """

    def __init__(self, session: Session) -> None:
        session.options = replace(session.options, limits=LIMITS)
        self.session = session
        self.hidden: set[str] = set()
        self.opened = False

    # -- formulas --------------------------------------------------------------------------

    def formula(self, text: str, *, term: bool = False) -> tuple[list[Problem], tuple[Track, ...] | None]:
        """Return the problems of a formula, and the parameters of the predicate that it defines, None if not known."""
        try:
            read = closed_term(text) if term else None
            if read is not None:
                return [], None
            source = self.session.parse(text)
            return self._bound(source, text)
        except FibproverError as problem:
            return [found for found in [problem_of(problem, text)] if found], None

    def _bound(self, source: Source, text: str) -> tuple[list[Problem], tuple[Track, ...] | None]:
        environment = self._environment(source)
        if self._uses_hidden(source.text):
            return list(self._unknown(source, environment, text)), None
        try:
            bound = bind(source, environment)
        except FibproverError as problem:
            found = problem_of(problem, text)
            return [found] if found and not (self.opened and found.unknown) else [], None
        warnings = [
            Problem(f"{each.message}\n{each.hint}", each.span.start, each.span.end, "warning")
            for each in formula_warnings(source, environment) if source.text == text
        ]
        return warnings, tuple(bound.sorts[name].track(name) for name in bound.free)

    def _environment(self, source: Source) -> Environment:
        """Return what names mean; the predicates of words, which would be made, are known by their parameters."""
        environment = self.session.namespace.environment()
        of_words = dict[str, Definition]()
        for token in names_used(source.text):
            name = token.removeprefix("$")
            parts = word_predicate(name) if token.type == "CALL" else None
            if parts is None or name in self.session.namespace.definitions:
                continue
            word = environment.words.get(parts[1])
            if word is not None and len(word.indices) == 1:
                tracks = [word.indices[0]._replace(name=each) for each in WORD_PREDICATES[parts[0]]]
                of_words[name] = Definition(name, empty(tracks))
        own = environment.definitions
        return replace(environment, definitions=ChainMap(of_words, own))  # type: ignore[arg-type]  # it is only read

    def _uses_hidden(self, text: str) -> bool:
        return bool(self.hidden) and any(
            _bare(token) in self.hidden or (word_predicate(_bare(token)) or ("", ""))[1] in self.hidden
            for token in names_used(text)
        )

    def _unknown(self, source: Source, environment: Environment, text: str) -> Iterator[Problem]:
        """Yield the names of a formula that mean nothing, where it cannot be bound."""
        if self.opened or source.text != text:
            return
        for token in names_used(text):
            name = _bare(token)
            within = (word_predicate(name) or ("", name))[1]
            tables = {"CALL": environment.definitions, "NAME": environment.words, "DOTTED": environment.words}
            table = tables.get(token.type)
            if table is not None and name not in self.hidden and within not in self.hidden and table.get(name) is None:
                yield Problem(f"nothing is called {name}", token.start, token.end, "error", name)

    # -- commands --------------------------------------------------------------------------

    def command(self, command: Command, script: str) -> list[Problem]:
        """Return the problems of a command of a script, and let what it defines be known."""
        names = UndefinedNames().defined_names(command)
        try:
            found = list(self._systems(command, script)) or self._carried_out(command, script)
        except BudgetSpent:
            self.hide(names)
            return []
        except FibproverError as error:
            placed = in_command(error, script, command) if isinstance(error, TextError) else error
            problem = problem_of(placed, script)
            if problem is None or not (isinstance(placed, TextError) and placed.text == script):
                place = error_span(command) or command.word_span
                problem = Problem(_message(error), place.start, place.end)
            found = [problem]
        if any(each.severity == "error" for each in found):
            self.hide(names)
        return [each for each in found if not (each.unknown and (self.opened or each.unknown in self.hidden))]

    def hide(self, names: Sequence[str]) -> None:
        """Let names be hidden: they are defined, but what they mean is not known."""
        self.hidden.update(names)

    def show(self, name: str) -> None:
        """Let a name be known again, since it was defined anew."""
        self.hidden.discard(name)

    def define(self, name: str, tracks: Sequence[Track] | None, *, raw: bool = False) -> None:
        """Let a predicate with these parameters be known; hide it if they are not known."""
        if tracks is None:
            self.hide([name])
            return
        self.show(name)
        automaton = empty(tracks) if tracks else true()
        with suppress(FibproverError):
            self.session.namespace.check_name(name)
            self.session.namespace.definitions[name] = Definition(name, automaton, raw=raw)

    def _systems(self, command: Command, script: str) -> Iterator[Problem]:
        """Yield the numeration systems of a command that do not exist."""
        for name in systems_of(command):
            try:
                self.session.namespace.system(name)
            except BudgetSpent:
                raise
            except FibproverError as error:
                place = next((span for text, span in command.places if text == name), command.word_span)
                yield Problem(_message(error), place.start, place.end)

    def _carried_out(self, command: Command, script: str) -> list[Problem]:
        """Let what a command defines be known, and return what is wrong with its formula.  Raises FibproverErrors."""
        session = self.session
        match command:
            case DefCommand() | EvalCommand():
                return self._evaluated(command)
            case RegCommand():
                tracks = session.namespace.tracks(command.alphabets)
                parse_regex(command.text, [track.digits for track in tracks])
                self.define(command.name, tracks, raw=True)
            case MacroCommand():
                self.show(command.name)
                session.macro(command.name, command.text)
            case OperationCommand():
                self._operation(command, script)
            case _:
                session.execute(command, script)  # which says that there is no such command
        return []

    def _evaluated(self, command: DefCommand | EvalCommand) -> list[Problem]:
        found, tracks = self.formula(command.text)
        at, place = command.text_offset, error_span(command)
        found = [replaced_by(each, at) for each in found]
        if tracks is not None and place is not None:
            free = [track.name for track in tracks]
            found += [
                Problem(f"{name} is no free variable of the formula", place.start, place.end)
                for name in command.variables if name not in free
            ]
        if isinstance(command, DefCommand) and command.name:
            self.define(command.name, tracks)
        return found

    def _operation(self, command: OperationCommand, script: str) -> None:
        """Let what an operation defines be known."""
        names, session = UndefinedNames().defined_names(command), self.session
        used = [text for text, _ in command.places if text not in names]
        if any(text.removeprefix("$") in self.hidden for text in used):
            self.hide(names)
        elif command.word == "solve":
            self._solved(command)
        elif command.word in _QUESTIONS:
            session.namespace.stored_predicate(str(command.arguments[0]))
        elif command.word in _ALIKE and (command.word not in ("reverse", "minimize") or used[0].startswith("$")):
            found = [session.namespace.stored_predicate(name) for name in used]
            self.define(names[0], found[0].automaton.tracks, raw=True)
        elif command.word in _MAKING:
            session.execute(command, script)
            for name in names:
                self.show(name)
        elif names:  # what it makes depends on what its predicates hold of
            self.hide(names)

    def _solved(self, command: OperationCommand) -> None:
        """Let the relations or sequences of a recursion be known by their parameters."""
        from fibprover.language.equation_parser import are_equations, read_equations
        from fibprover.learn.recursion import read_recursion

        texts = [each for each in command.arguments if isinstance(each, str)]
        formulas = dict(zip(texts[::2], texts[1::2], strict=False))
        names = self.session.namespace
        if any(are_equations(name, text) for name, text in formulas.items()):
            for name, text in formulas.items():
                read_equations(name, text, names.macros)
                self.hide([name])
            return
        if any(self._uses_hidden(text) for text in formulas.values()):
            self.hide(list(formulas))
            return
        recursion = read_recursion(formulas, names.environment())
        for each in recursion.equations:
            sorts = zip(each.parameters, recursion.sorts[each.name], strict=True)
            self.define(each.name, [sort.track(parameter) for parameter, sort in sorts])


def replaced_by(problem: Problem, offset: int) -> Problem:
    """Return a problem of a part of a text that begins at an offset."""
    place = problem.start + offset, problem.end + offset
    return Problem(problem.message, *place, problem.severity, problem.unknown)


def problem_of(error: FibproverError, text: str) -> Problem | None:
    """Return an error about a text; it is about all of it where its place is in another one, such as a macro.

    None for a spent budget, which says nothing about the text.
    """
    if isinstance(error, BudgetSpent):
        return None
    start, end = 0, len(text)
    if isinstance(error, TextError) and error.text == text:
        start, end = min(error.start, max(len(text) - 1, 0)), error.end  # one character at the end of the text
    unknown = ""
    if isinstance(error, UnknownName):
        written = error.text[error.start : error.end].lstrip("$.?#")
        unknown = (word_predicate(written) or ("", written))[1]
    return Problem(_message(error), start, end, "error", unknown)


def _message(error: FibproverError) -> str:
    return f"{error.message}\n{error.hint}" if error.hint else error.message


def _bare(name: str) -> str:
    return name.lstrip("$.?#")
