"""`fibprover run FILE`: execute the commands of a script in order."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from itertools import takewhile

from fibprover.base.errors import BudgetSpent, FibproverError, FileProblem, TextError
from fibprover.base.wording import plural
from fibprover.frontends.cli.eval import add_outcome_arguments, json_of, parts, status
from fibprover.frontends.cli.status import TRUE, describe_error
from fibprover.frontends.conversation import options, output
from fibprover.frontends.conversation.progress import Progress
from fibprover.frontends.conversation.warnings import (
    CommandLocation,
    LocatedWarning,
    parsed,
    warnings_about,
    warnings_json,
)
from fibprover.frontends.display.progress import share
from fibprover.frontends.display.text import certified_text
from fibprover.language.commands import (
    Command,
    DefCommand,
    EvalCommand,
    OperationCommand,
    after_command,
    ends_session,
    iterate_script,
    loads,
    title,
)
from fibprover.language.source import Source
from fibprover.language.undefined import UndefinedNames
from fibprover.numeration.system import NumerationSystem
from fibprover.prover.verdict.relation import Relation
from fibprover.prover.verdict.verdict import Verdict
from fibprover.workspace.commands.interpreter import Result
from fibprover.workspace.session import Session

_EXAMPLES = """\
examples:
  fibprover run definitions.txt
  fibprover run --words words.json --trace paper.txt
  fibprover run --home-dir Walnut --session-dir results commands.txt
  fibprover run --certify certificates theorems.txt
  echo 'eval t "?msd_fib An Em m=2*n";' | fibprover run -

The exit status is 1 if an `eval` of the script is FALSE.  The script ends at its
first error, unless --keep-going is given.
"""

#: The meaning of an empty answer.
NOTHING = {"inf": "finitely many words", "first": "no values", "first_rej": "no values"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = _EXAMPLES
    parser.add_argument("file", metavar="FILE", help="a script of commands; - is standard input")
    add_outcome_arguments(parser)
    parser.add_argument(
        "--keep-going", action="store_true",
        help="continue after a command that fails, as Walnut does; the exit status shows it",
    )
    parser.add_argument(
        "--certify", metavar="DIR",
        help="write a proof of what each `eval` and `solve` proves into a folder, and check it",
    )
    options.add_plan_argument(parser)
    options.add_session_arguments(parser)
    options.add_folder_arguments(parser)
    options.add_limit_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the script and print the outcome of each command."""
    worst = TRUE
    output.as_latex(arguments)  # or an error
    file = options.command_file(arguments, arguments.file)
    with Progress(arguments.progress) as progress:
        with output.reported(arguments, progress):
            text = _script(file, arguments)
            session = options.session(arguments, progress)
            commands, done, total = iterate_script(text), 0, 0 if progress.stream is None else _count(text)
        folders = session.namespace.folders
        undefined, read = UndefinedNames(eval_defines=folders is not None and folders.written), 0
        while True:
            try:
                with output.reported(arguments, progress), options.naming(file, text):
                    command = next(commands, None)
            except TextError as problem:
                worst = max(worst, _reported_error(problem, arguments, progress))
                following = after_command(text, problem.start)
                if not undefined.add_unreadable(text, read, following):
                    raise
                read, commands = following, iterate_script(text, following)
                continue
            if command is None or ends_session(command):
                return worst
            read = command.span.end
            progress.counted = share(done, total, 0) if total > 1 else ""
            done += 1
            try:
                with output.reported(arguments, progress, about(command)), options.naming(file, text):
                    undefined.check(command, text, session.namespace.macros)
                worst = max(worst, _execute(command, session, arguments, progress, (file, text)))
                undefined.defined_by(command)
            except FibproverError as problem:
                if not undefined.add(command, text):
                    raise
                worst = max(worst, _reported_error(problem, arguments, progress))


def _count(text: str) -> int:
    """Return the number of commands of a script; 0 where it is not known, as one of them cannot be read."""
    try:
        return sum(1 for _ in takewhile(lambda command: not ends_session(command), iterate_script(text)))
    except TextError:
        return 0


def _script(file: str, arguments: argparse.Namespace) -> str:
    """Return the text of the script."""
    try:
        return options.read_script(file)
    except FileProblem as problem:
        if file != "-" and arguments.home_dir is None and not os.path.dirname(file) and not os.path.lexists(file):
            problem.hint = f"for a script in Walnut's folder: fibprover run --home-dir FOLDER {file}"
        raise


def _reported_error(problem: FibproverError, arguments: argparse.Namespace, progress: Progress) -> int:
    """Print an error and return its exit status if the script continues; else raise it."""
    late = isinstance(problem, BudgetSpent) and problem.resource == "seconds"
    if late or not arguments.keep_going:
        raise problem
    message, state = describe_error(problem)
    progress.warn(message)
    return state


def _execute(
    command: Command, session: Session, arguments: argparse.Namespace, progress: Progress, script: tuple[str, str]
) -> int:
    """Execute a command and print its outcome, or the error that is raised; return the exit status.

    script: the file of the command and its text.
    """
    with output.reported(arguments, progress, about(command)), options.naming(*script):
        return _answered(command, session, arguments, progress, script)


def _answered(
    command: Command, session: Session, arguments: argparse.Namespace, progress: Progress, script: tuple[str, str]
) -> int:
    """Execute a command, print its outcome, and return the exit status; `load` has the outcomes of its commands."""
    file, text = script
    if loads(command):
        return _load(command, session, arguments, progress, text)
    progress.title = title(command)
    warnings: tuple[LocatedWarning, ...] = ()
    source: Source | None = None
    if isinstance(command, DefCommand | EvalCommand):
        source = parsed(command.text, session)
        warnings = warnings_about(source, session, CommandLocation(file, text, command))
    for warning in warnings:
        progress.warn(f"warning: {warning}")
    outcome = session.execute(command, text, source)
    for part in lines(command, outcome, arguments, warnings):
        progress.say(part)
    return status(outcome) if isinstance(command, EvalCommand) and isinstance(outcome, Verdict | Relation) else TRUE


def _load(
    command: OperationCommand, session: Session, arguments: argparse.Namespace, progress: Progress, text: str
) -> int:
    """Execute the commands of the file that a `load` names as those of the script itself, and print how many."""
    worst, count = TRUE, 0
    with session.loaded(command, text) as inner:
        for each in iterate_script(inner[1]):
            if ends_session(each):
                break
            worst = max(worst, _answered(each, session, arguments, progress, inner))
            count += 1
    for part in lines(command, plural(count, "command"), arguments):
        progress.say(part)
    return worst


def about(command: Command) -> output.Json:
    """Return the fields of JSON about a command, which come before its outcome."""
    word, _, name = title(command).partition(" ")
    return {"command": word, "name": name, "line": command.line}


def lines(
    command: Command, outcome: Result, arguments: argparse.Namespace, warnings: Sequence[LocatedWarning] = ()
) -> Iterator[str]:
    """Yield the outcome of a command as text, piece by piece, or as JSON; a definition is neither true nor false."""
    if output.as_latex(arguments) and outcome is not None:
        remarks = filter(None, [title(command), certified_text(outcome).strip()])
        yield "\n".join([*(f"% {remark}" for remark in remarks), output.latex_text(outcome), ""])
    elif isinstance(outcome, Verdict | Relation) and not arguments.json:
        head = f"{title(command)}: "
        for part in parts(outcome, arguments, checked=isinstance(command, EvalCommand)):
            yield head + part
            head = ""
    else:
        yield _line(command, outcome, arguments, warnings)


def _line(
    command: Command, outcome: Result, arguments: argparse.Namespace, warnings: Sequence[LocatedWarning]
) -> str:
    """Return the outcome of a command as a line or JSON, all at once."""
    if arguments.json:
        return output.dumped(about(command) | outcome_json(command, outcome, arguments) | warnings_json(warnings))
    if outcome is None:
        return ": ".join(filter(None, [title(command), nothing(command)]))
    text = answer_text(outcome)
    whole = f"{title(command)}:\n{text}" if "\n" in text else f"{title(command)}: {text}"
    return "\n".join(filter(None, [whole, certified_text(outcome)]))


def outcome_json(command: Command, outcome: Result, arguments: argparse.Namespace) -> output.Json:
    """Return the outcome of a command as JSON."""
    if isinstance(outcome, Verdict | Relation):
        return json_of(outcome, arguments, checked=isinstance(command, EvalCommand))
    if type(outcome).__name__ == "SequenceSolution":
        return {"kind": "sequences", **outcome.as_json()}  # type: ignore[attr-defined]  # imported late
    if outcome is not None:
        return {"kind": "answer", "text": answer_text(outcome)} | output.certified_json(outcome)
    return {"kind": "none", "text": nothing(command)} if nothing(command) else {"kind": "done"}


def nothing(command: Command) -> str:
    """Return the meaning of an empty answer, "" for commands that do not answer."""
    return NOTHING.get(command.word, "") if isinstance(command, OperationCommand) else ""


def answer_text(outcome: Result) -> str:
    """Return the text of another outcome: a word, a listing."""
    return outcome.name if isinstance(outcome, NumerationSystem) else str(outcome)
