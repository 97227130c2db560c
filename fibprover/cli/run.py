"""`fibprover run FILE`: the commands of a script, in order."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from fibprover.cli import options, output, vacuity
from fibprover.cli.eval import add_outcome_arguments, json_of, shown, status
from fibprover.cli.keep_going import Missing
from fibprover.cli.problems import told
from fibprover.cli.progress import Progress
from fibprover.cli.status import TRUE
from fibprover.errors import BudgetSpent, FibproverError, TextError
from fibprover.numeration.system import NumerationSystem
from fibprover.parse.commands import (
    Command,
    DefCommand,
    EvalCommand,
    OperationCommand,
    behind,
    ends_session,
    iterate_script,
    title,
)
from fibprover.session import Result, Session
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
                rest = behind(text, problem.start)
                if not missing.unread(text, read, len(text) - len(rest.lstrip())):
                    raise
                text, commands = rest, iterate_script(rest)
                continue
            if command is None or ends_session(command):
                return worst
            read = command.span.end
            try:
                with output.reported(arguments, progress, about(command)), options.naming(file, text):
                    missing.check(command, text, session.macros)
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
    message, state = told(problem)
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
        if isinstance(command, DefCommand | EvalCommand):
            remarks = vacuity.remarks(command.text, session, vacuity.Script(file, text, command))
        for remark in remarks:
            progress.warn(f"warning: {remark}")
        outcome = session.execute(command, text)
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
