"""`fibprover run FILE`: the commands of a script, in order."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping, Sequence

from fibprover.commands.interpreter import Result
from fibprover.errors import BudgetSpent, FibproverError, TextError, UnknownName
from fibprover.frontends.cli import options, output
from fibprover.frontends.cli import remarks as vacuity
from fibprover.frontends.cli.eval import add_outcome_arguments, json_of, shown, status
from fibprover.frontends.cli.options import Progress
from fibprover.frontends.cli.status import TRUE, describe_error
from fibprover.names import system_name
from fibprover.numeration.system import NumerationSystem
from fibprover.session import Session
from fibprover.syntax.commands import (
    WORDS,
    Command,
    DefCommand,
    EvalCommand,
    OperationCommand,
    ends_session,
    iterate_script,
    line_number,
    rest_of_script,
    title,
)
from fibprover.syntax.formula import Source
from fibprover.verdict.relation import Relation
from fibprover.verdict.verdict import Verdict

_EXAMPLES = """\
examples:
  fibprover run definitions.txt
  fibprover run --words words.json --trace paper.txt
  fibprover run --home-dir Walnut --session-dir results commands.txt
  echo 'eval t "?msd_fib An Em m=2*n";' | fibprover run -

The exit status is 1 if an `eval` of the script came out FALSE.  The script
ends at its first error, unless --keep-going.
"""

#: What no answer means.
NOTHING = {"inf": "finitely many words", "first": "no values", "first_rej": "no values"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.epilog = _EXAMPLES
    parser.add_argument("file", metavar="FILE", help="a script of commands; - is standard input")
    add_outcome_arguments(parser)
    parser.add_argument(
        "--keep-going", action="store_true", help="go on behind a command that fails, as Walnut does; the status tells"
    )
    options.add_plan_argument(parser)
    options.add_session_arguments(parser)
    options.add_folder_arguments(parser)
    options.add_limit_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Runs the script and prints one outcome a command as it comes."""
    worst = TRUE
    file = options.command_file(arguments, arguments.file)
    with Progress(arguments.progress) as progress:
        with output.reported(arguments, progress):
            text = options.read_script(file)
            session = options.session(arguments, progress)
            commands = iterate_script(text)
        missing, read = Missing(), 0
        while True:
            try:
                with output.reported(arguments, progress), options.naming(file, text):
                    command = next(commands, None)
            except TextError as problem:
                worst = max(worst, _passed_over(problem, arguments, progress))
                rest = rest_of_script(text, problem.start)
                if not missing.unread(text, read, len(text) - len(rest.lstrip())):
                    raise
                text, commands = rest, iterate_script(rest)
                continue
            if command is None or ends_session(command):
                return worst
            read = command.span.end
            try:
                with output.reported(arguments, progress, about(command)), options.naming(file, text):
                    missing.check(command, text, session.namespace.macros)
                worst = max(worst, _carried_out(command, session, arguments, progress, (file, text)))
                missing.done(command)
            except FibproverError as problem:
                if isinstance(command, OperationCommand) and command.word == "load":
                    raise  # whatever it was to make
                worst = max(worst, _passed_over(problem, arguments, progress))
                missing.failed(command)


def _passed_over(problem: FibproverError, arguments: argparse.Namespace, progress: Progress) -> int:
    """Says what is wrong and gives its exit status, if the script is to go on; if not, raises it."""
    late = isinstance(problem, BudgetSpent) and problem.resource == "seconds"
    if late or not arguments.keep_going:
        raise problem
    message, state = describe_error(problem)
    progress.warn(message)
    return state


def _carried_out(
    command: Command, session: Session, arguments: argparse.Namespace, progress: Progress, script: tuple[str, str]
) -> int:
    """Carries out a command and says what came of it; the exit status of that."""
    file, text = script
    progress.title = title(command)
    with output.reported(arguments, progress, about(command)), options.naming(file, text):
        remarks: tuple[vacuity.Shown, ...] = ()
        source: Source | None = None
        if isinstance(command, DefCommand | EvalCommand):
            source = vacuity.parsed(command.text, session)
            remarks = vacuity.remarks(source, vacuity.Script(file, text, command))
        for remark in remarks:
            progress.warn(f"warning: {remark}")
        outcome = session.execute(command, text, source)
        progress.say(line(command, outcome, arguments, remarks))
    return status(outcome) if isinstance(command, EvalCommand) and isinstance(outcome, Verdict | Relation) else TRUE


def about(command: Command) -> output.Json:
    """What JSON says of a command before its outcome."""
    word, _, name = title(command).partition(" ")
    return {"command": word, "name": name, "line": command.line}


def line(
    command: Command, outcome: Result, arguments: argparse.Namespace, remarks: Sequence[vacuity.Shown] = ()
) -> str:
    """The outcome of a command as the options want it; a definition is neither true nor false."""
    checked = isinstance(command, EvalCommand)
    if arguments.json:
        answer: output.Json = {"kind": "done"}
        if isinstance(outcome, Verdict | Relation):
            answer = json_of(outcome, arguments, checked=checked)
        elif outcome is not None:
            answer = {"kind": "answer", "text": answer_text(outcome)}
        elif nothing(command):
            answer = {"kind": "none", "text": nothing(command)}
        return output.dumped(about(command) | answer | vacuity.json_of_remarks(remarks))
    if outcome is None:
        return ": ".join(filter(None, [title(command), nothing(command)]))
    if isinstance(outcome, Verdict | Relation):
        return f"{title(command)}: {shown(outcome, arguments, checked=checked)}"
    text = answer_text(outcome)
    return f"{title(command)}:\n{text}" if "\n" in text else f"{title(command)}: {text}"


def nothing(command: Command) -> str:
    """What it means that a question has no answer; nothing for commands that are no questions."""
    return NOTHING.get(command.word, "") if isinstance(command, OperationCommand) else ""


def answer_text(outcome: Result) -> str:
    """An answer that is no verdict and no relation: a word, a listing, the outcomes of a script that was loaded."""
    if isinstance(outcome, list):
        return f"{len(outcome)} commands"
    return outcome.name if isinstance(outcome, NumerationSystem) else str(outcome)



# ---- keep_going
# `run --keep-going`: a script goes on behind what fails, and nothing relies on what was not made.
#
# A name whose command failed may have an older meaning, in a library or above in the script.  A formula that mentions
# it would be about something else than the script says, so that it fails, too, until the name is made anew.  What a
# script that is loaded would have made is not known: the run ends there.

#: Commands whose first name is asked about, and not made.
_QUESTIONS = frozenset({"inf", "test", "first", "first_rej", "count", "regex", "describe", "export", "load", "help"})

_NAME = re.compile(r"[A-Za-z]\w*", re.ASCII)
#: How a command begins that makes something.
_BEGUN = re.compile(r"\b([a-z_]+)[^\S\n]+([A-Za-z]\w*)", re.ASCII)
_LOADS = re.compile(r"\bload\b")
#: In a formula, what is no variable: $predicate, #macro, .Word, Word[...], ?system.
_NAMED = re.compile(r"[$#.?]\s*([A-Za-z]\w*)|([A-Za-z]\w*)\s*\[", re.ASCII)


class Missing:
    """The names that commands of a script were to make and did not, with the lines of these."""

    def __init__(self) -> None:
        self.lines: dict[str, int] = {}

    def failed(self, command: Command) -> None:
        """Notes what a command that failed did not make."""
        name = made(command)
        if name:
            self.lines[name] = command.line

    def unread(self, script: str, start: int, end: int) -> bool:
        """Notes what commands between two offsets may have been to make, of which one cannot be read.

        False if that cannot be known, since a script may have been to be loaded.
        """
        for found in _BEGUN.finditer(script, start, end):
            if found[1] in WORDS and found[1] not in _QUESTIONS:
                self.lines[found[2]] = line_number(script, found.start())
        return _LOADS.search(script, start, end) is None

    def done(self, command: Command) -> None:
        """Forgets what a command has made by now."""
        self.lines.pop(made(command), None)

    def check(self, command: Command, script: str, macros: Mapping[str, str]) -> None:
        """UnknownName where a command mentions a name that was not made."""
        if not self.lines:
            return
        start, end = command.span.start, command.span.end
        for written, at in mentioned(script[start:end], made(command), macros):
            # A numeration system is mentioned with its direction, or without.
            for name in (written, system_name(written).base):
                if name in self.lines:
                    raise UnknownName(
                        f"{name} is what line {self.lines[name]} was to make, and did not",
                        script, start + at, start + at + len(written),
                    )


def made(command: Command) -> str:
    """The name that a command makes; nothing if it makes none."""
    if isinstance(command, OperationCommand):
        return "" if command.word in _QUESTIONS or not command.places else command.places[0][0]
    return str(getattr(command, "name", ""))


def mentioned(source: str, new: str, macros: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """The names in the text of a command, but for the one it makes where that stands first, with their offsets.

    What a macro mentions stands where the macro is called.
    """
    skipped = not new
    for number, part in _parts(source):
        if number % 2:
            for found in _NAMED.finditer(part[1]):
                name = found[1] or found[2]
                at = part[0] + found.start(found.lastindex or 0)
                yield name, at
                yield from ((inner, at) for inner in _behind(name, macros, set()))
            continue
        for found in _NAME.finditer(part[1]):
            if found[0] == new and not skipped:
                skipped = True
                continue
            yield found[0], part[0] + found.start()


def _parts(source: str) -> Iterator[tuple[int, tuple[int, str]]]:
    """The parts outside and inside of quotes in turn, each with its offset."""
    at = 0
    for number, part in enumerate(source.split('"')):
        yield number, (at, part)
        at += len(part) + 1


def _behind(name: str, macros: Mapping[str, str], seen: set[str]) -> Iterator[str]:
    """What the text of a macro mentions, and the macros in it."""
    if name in seen or name not in macros:
        return
    seen.add(name)
    for found in _NAMED.finditer(macros[name]):
        inner = found[1] or found[2]
        yield inner
        yield from _behind(inner, macros, seen)
