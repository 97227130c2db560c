"""The statements of a document, what each defines and uses, and what is wrong with them; nothing is decided.

`outline_of` reads a script or a Python file.  A statement is a command of a script, or a formula that a Python file
gives to a session.  `needed` returns what has to be carried out before a statement, for `running.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from fibprover.base.errors import BudgetSpent, FibproverError, SyntaxProblem, TextError
from fibprover.base.files import read_text
from fibprover.base.limits import Limits, poll, spending
from fibprover.base.names import system_name, word_predicate
from fibprover.base.values import value
from fibprover.frontends.editor.folder import MOST, script_defining
from fibprover.frontends.editor.places import Passage, whole
from fibprover.frontends.editor.python_source import Begun, Defined, Step, Unread, Written, steps_of
from fibprover.frontends.editor.sketch import Problem, Sketch
from fibprover.language.commands import Command, ends_session, iterate_script, loads, title
from fibprover.language.commands import after_command as end_of_unread
from fibprover.language.source import Span
from fibprover.language.tokens import names_used
from fibprover.language.undefined import UndefinedNames, mentioned
from fibprover.workspace.session import Session

#: Makes a session whose formulas are in a numeration system, "" for the default one.
Maker: TypeAlias = Callable[[str], Session]

#: What reading a document may spend, in CPU seconds: an editor works while the machine does other things.
LIMITS = Limits(cpu_seconds=5.0)

#: The most files that a document loads, one within the other.
MOST_FILES = 20

#: Commands that a lens does not run: they write files, or belong to the prompt.
_NOT_RUN = ("export", "load", "help", "cls", "clear", "quit", "exit")


@value
class Place:
    """A place of a name: in a file, None for the document itself."""

    file: str | None
    span: Span


@value
class Statement:
    """A command or a formula.

    title: what it is called in answers; file: that it is in, None for the document; span: its place there; session:
    whose it is; defines: the names that it defines, with their places; uses: the names that it mentions; entry: what is
    carried out, a kind ("command" without metacommands, which may write files, "formula", "term", "define") and its
    texts, None where it is not known; text: that it has; runs: whether it can be evaluated on request.
    """

    title: str
    file: str | None
    span: Span
    session: str
    system: str
    defines: Mapping[str, Span]
    uses: frozenset[str]
    entry: tuple[str, ...] | None
    text: str
    runs: bool


@value
class Outline:
    """What was read of a document.

    passages: its scripts, formulas and terms, each with its session; sketches: what names mean at its end, by session.
    """

    statements: tuple[Statement, ...]
    problems: tuple[Problem, ...]
    passages: tuple[tuple[Passage, str], ...]
    sketches: Mapping[str, Sketch]

    def statement_at(self, offset: int) -> int | None:
        """Return the number of the statement of the document at an offset; None if there is none."""
        found = [
            number for number, each in enumerate(self.statements)
            if each.file is None and each.span.start <= offset <= each.span.end
        ]
        return found[-1] if found else None

    def defining(self, name: str, number: int, session: str | None = None) -> Statement | None:
        """Return the last statement before one that defines a name, or else the first one after it."""
        every = list(enumerate(self.statements))
        own = [
            (at, each) for at, each in every
            if name in each.defines and (session is None or each.session == session)
        ]
        before = [each for at, each in own if at < number]
        return before[-1] if before else own[0][1] if own else None

    def needed(self, number: int) -> list[Statement]:
        """Return the statements that define what a statement uses, in order, and the statement last."""
        chosen = [self.statements[number]]
        wanted = set(chosen[0].uses)
        for each in reversed(self.statements[:number]):
            defined = set(each.defines) & wanted
            if defined and each.session == chosen[0].session:
                chosen.append(each)
                wanted = (wanted - defined) | each.uses
        return chosen[::-1]


def outline_of(text: str, path: Path | None, make: Maker) -> Outline:
    """Return the outline of a document; path: of its file, if it has one, which says whether it is one of Python."""
    if len(text) > MOST:
        return Outline((), (), (), {})
    reader = _Reader(path.parent if path is not None else Path(), make)
    with spending(LIMITS.start()), suppress(BudgetSpent):  # what was read by then is shown
        if path is not None and path.suffix == ".py":
            try:
                steps = steps_of(text)
            except (SyntaxError, ValueError, RecursionError):
                return Outline((), (), (), {})
            for step in steps:
                reader.step(step)
        else:
            reader.begin("", "")
            reader.script(whole(text), "")
    return Outline(
        tuple(reader.statements), tuple(reader.problems), tuple(reader.passages), dict(reader.sketches)
    )


def is_about(name: str) -> set[str]:
    """Return the names whose definition gives a name its meaning: those of the word of $feq_W, and of ?msd_name."""
    parts = word_predicate(name)
    return {name, system_name(name).base, *([parts[1]] if parts else [])}


class _Reader:
    """Reads the statements of a document, one after the other."""

    def __init__(self, folder: Path, make: Maker) -> None:
        self.folder, self.make = folder, make
        self.statements: list[Statement] = []
        self.problems: list[Problem] = []
        self.passages: list[tuple[Passage, str]] = []
        self.sketches: dict[str, Sketch] = {}
        self.systems: dict[str, str] = {}
        self.loading: list[Path] = []
        #: The number of sessions that have begun: one that begins anew under its name has none of the old names.
        self.begun = 0
        self.keys: dict[str, str] = {}

    def begin(self, session: str, system: str) -> None:
        """Begin a session; one of an unknown system is one of the default system."""
        self.begun += 1
        self.keys[session] = f"{session}#{self.begun}"
        try:
            made = self.make(system)
        except FibproverError:
            made, system = self.make(""), ""
        self.sketches[session], self.systems[session] = Sketch(made), system

    def step(self, step: Step) -> None:
        """Read what a Python file does."""
        if isinstance(step, Begun):
            self.begin(step.session, step.system)
            return
        if step.session not in self.sketches:
            self.begin(step.session, "")
            self.sketches[step.session].opened = True
        sketch = self.sketches[step.session]
        match step:
            case Unread():
                sketch.opened = True
            case Defined():
                sketch.hide([step.name])
                self._add(step.name, None, step.place, step.session, {step.name: step.place}, frozenset(), None, "")
            case Written(passage=passage) if passage.kind == "script":
                self.script(passage, step.session)
            case Written():
                self._formula(step, sketch)

    def _formula(self, step: Written, sketch: Sketch) -> None:
        """Read a formula or a term that a Python file gives to a session."""
        passage, name = step.passage, step.name
        self.passages.append((passage, step.session))
        found, tracks = sketch.formula(passage.text, term=passage.kind == "term")
        self._report(found, passage, soft=True)
        if name:
            sketch.define(name, tracks)
        place = passage.placed(0, len(passage.text))
        entry = ("define", name, passage.text) if name else (passage.kind, passage.text)
        defines = {name: step.name_place} if name else {}
        self._add(
            f"define {name}" if name else passage.kind, None, place, step.session, defines,
            _names_in(passage.text, sketch), entry, passage.text,
        )

    def script(self, passage: Passage, session: str, file: str | None = None) -> None:
        """Read the commands of a script; of one that is loaded, what it defines."""
        text, sketch, at = passage.text, self.sketches[session], 0
        if file is None:
            self.passages.append((passage, session))
        commands = iterate_script(text)
        while True:
            poll("the outline")
            try:
                command = next(commands, None)
            except SyntaxProblem as problem:
                if file is None:
                    self._report([Problem(_told(problem), problem.start, problem.end)], passage)
                following = max(end_of_unread(text, problem.start), at + 1)
                undefined = UndefinedNames()
                sketch.opened |= not undefined.add_unreadable(text, at, following, "the document")
                sketch.hide(list(undefined.failed))
                at, commands = following, iterate_script(text, following)
                continue
            if command is None or ends_session(command):
                return
            at = command.span.end
            self._command(command, passage, session, file)

    def _command(self, command: Command, passage: Passage, session: str, file: str | None) -> None:
        text, sketch = passage.text, self.sketches[session]
        if loads(command):
            self._load(command, passage, session, file)
            return
        found = sketch.command(command, text)
        if file is None:
            self._report(found, passage, soft=passage.kind != "script" or session != "")
        names = UndefinedNames().definitions(command)
        uses = frozenset(
            each for found_name in mentioned(command, text, sketch.session.namespace.macros)
            for each in is_about(found_name.name)
        )
        span = command.span
        self._add(
            title(command), file, passage.placed(span.start, span.end), session,
            {name: passage.placed(place.start, place.end) for name, place in names.items()},
            uses - set(names), ("command", text[command.word_span.start : span.end]), text[span.start : span.end],
            runs=command.word not in _NOT_RUN,
        )

    def _load(self, command: Command, passage: Passage, session: str, file: str | None) -> None:
        """Read a script that is loaded, from the folder of the document."""
        sketch, (name, span) = self.sketches[session], command.places[0]
        folders = sketch.session.namespace.folders
        path = self.folder / name if folders is None else Path(folders.command_file(name))
        try:
            place = path.resolve()
            if place in self.loading or len(self.loading) >= MOST_FILES:
                return  # an error when it is run, which defines nothing
            text = read_text(str(path), pipe=False)
        except (FibproverError, OSError, ValueError) as problem:
            sketch.opened = True
            if file is None:
                said = problem.message if isinstance(problem, FibproverError) else str(problem)
                self._report([Problem(said, span.start, span.end, "warning")], passage)
            return
        if len(text) > MOST:
            sketch.opened = True
            return
        self.loading.append(place)
        try:
            self.script(whole(text), session, str(place))
        finally:
            self.loading.pop()

    def _report(self, problems: list[Problem], passage: Passage, *, soft: bool = False) -> None:
        """Note problems of a passage; soft: a name that is not known may be defined where it is not seen."""
        for each in problems:
            span, message = passage.placed(each.start, each.end), each.message
            other = script_defining(each.unknown, self.folder) if each.unknown else None
            if other is not None:
                message = f"{message}\n{other.name} defines {each.unknown}: load {other.name};"
            severity = "warning" if each.unknown and (soft or other is not None) else each.severity
            self.problems.append(Problem(message, span.start, span.end, severity, each.unknown))

    def _add(
        self, title: str, file: str | None, span: Span, session: str, defines: Mapping[str, Span],
        uses: frozenset[str], entry: tuple[str, ...] | None, text: str, *, runs: bool = True,
    ) -> None:
        """Note a statement."""
        self.statements.append(Statement(
            title, file, span, self.keys[session], self.systems[session], defines, uses, entry, text,
            runs and entry is not None and file is None,
        ))


def _names_in(formula: str, sketch: Sketch) -> frozenset[str]:
    """Return the names that a formula mentions, with those of its macros."""
    text = formula
    with suppress(FibproverError):
        text = sketch.session.parse(formula).text
    return frozenset(
        each for name in (*names_used(formula), *names_used(text)) for each in is_about(name.lstrip("$.?#"))
    )


def _told(problem: TextError) -> str:
    return f"{problem.message}\n{problem.hint}" if problem.hint else problem.message
