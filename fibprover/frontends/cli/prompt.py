"""`fibprover` alone, or `fibprover prompt`: formulas and commands are answered as they are typed."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Protocol

from fibprover import __version__
from fibprover.commands.interpreter import Result
from fibprover.frontends.cli import options, typed
from fibprover.frontends.cli import remarks as vacuity
from fibprover.frontends.cli.eval import add_outcome_arguments, shown
from fibprover.frontends.cli.options import Progress
from fibprover.frontends.cli.run import line
from fibprover.frontends.cli.status import TRUE, describe_error
from fibprover.limits import Limits
from fibprover.session import Session
from fibprover.syntax.commands import Command, DefCommand, EvalCommand, ends_session, iterate_script, title
from fibprover.syntax.formula import Source
from fibprover.verdict.relation import Relation
from fibprover.verdict.verdict import Verdict

_EXAMPLES = """\
examples:
  fibprover                                      the same, on a terminal
  fibprover prompt --system msd_fib --load definitions.txt

At the prompt, help says what may be typed, and Ctrl-D leaves.
"""

_NAME = "fibprover> "

#: Before further lines of an entry: what would end it.
_MORE = {'"': '       "> ', ";": "       ;> ", ")": "       )> "}

#: Clears a terminal.
_CLEAR = "\x1b[H\x1b[2J"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.epilog = _EXAMPLES
    add_outcome_arguments(parser)
    options.add_plan_argument(parser)
    options.add_session_arguments(parser)
    options.add_folder_arguments(parser)
    options.add_limit_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Answers until the user leaves; what is wrong with one entry ends only that."""
    session = options.session(arguments)
    # The seconds are for each entry, not for all that is done at the prompt.
    limits = Limits(states=arguments.max_states, bytes=arguments.max_memory, seconds=arguments.timeout)
    session.options = replace(session.options, limits=limits)
    prompt = Prompt(session, arguments)
    prompt.greet()
    while True:
        try:
            entry = prompt.entry()
            if entry is None or not prompt.answer(entry):
                return TRUE
        except KeyboardInterrupt:  # between an entry and its answer
            print()


class Prompt:
    """A session, and the terminal that it is talked to at.

    ask: shows what it is given and returns a line that is typed; EOFError where there are no more.
    """

    def __init__(
        self, session: Session, arguments: argparse.Namespace, ask: Callable[[str], str] = input
    ) -> None:
        self.session = session
        self.arguments = arguments
        self.ask = ask
        self.readline = _readline()
        self.history = History(self.readline, history_file())
        self.before = ""
        self.found: list[str] = []
        if self.readline is not None:
            self.readline.set_completer_delims(typed.DELIMITERS)
            self.readline.set_completer(self._complete)
            self.readline.parse_and_bind("tab: complete")

    def greet(self) -> None:
        """What is said first."""
        system = self.session.namespace.default_system
        print(f"fibprover {__version__}, numbers in {system}; help explains, Ctrl-D leaves")

    # -- typing ------------------------------------------------------------------------------

    def entry(self) -> str | None:
        """The next entry, of one or more lines; "" for one that was given up, None at the end."""
        lines: list[str] = []
        try:
            while True:
                self.before = "".join(f"{line}\n" for line in lines)
                awaited = typed.awaited(self.before, self.session.namespace.macros)
                if lines and not awaited:
                    break
                blank = len(lines) > 1 and not lines[-1].strip()
                if blank and awaited == ")":
                    break  # an empty line ends a formula, and the error says what is missing
                lines.append(self.ask(_MORE.get(awaited, _NAME)))
        except EOFError:
            print()
            self._keep(lines)
            return "" if lines else None
        except KeyboardInterrupt:
            print()
            self._keep([*lines, self._line()])
            return ""
        except UnicodeDecodeError as problem:
            _say(f"error: this line is not text: {problem.reason}")
            return ""
        self._keep(lines)
        return self.before

    def _keep(self, lines: Sequence[str]) -> None:
        self.history.add(typed.remembered("\n".join(lines)))

    def _line(self) -> str:
        """What is on the line that is being typed."""
        return "" if self.readline is None else str(self.readline.get_line_buffer())

    def _complete(self, text: str, state: int) -> str | None:
        """For readline: what the word at the cursor may become, one after the other."""
        if state == 0 and self.readline is not None:
            from fibprover.frontends.cli.completion import candidates  # nobody may press Tab

            before = self.before + str(self.readline.get_line_buffer()[: self.readline.get_begidx()])
            self.found = candidates(before, text, self.session)
        return self.found[state] if state < len(self.found) else None

    # -- answering ---------------------------------------------------------------------------

    def answer(self, entry: str) -> bool:
        """Answers an entry; whether there is to be another one."""
        try:
            with Progress(self.arguments.progress) as progress:
                progress.over(self.session.options.limits)
                self.session.options = replace(self.session.options, watch=progress.step)
                return self._answer(entry, progress)
        except KeyboardInterrupt:
            _say("\ninterrupted; what has been defined is still there")
        except (BrokenPipeError, SystemExit):
            raise
        except Exception as problem:
            _say(describe_error(problem, debug=self.arguments.debug)[0])
        return True

    def _answer(self, entry: str, progress: Progress) -> bool:
        if typed.stands_alone(entry):
            word, *topics = typed.words_of(entry)
            if word == "help":
                from fibprover.frontends.cli.help import help_text  # nobody may ask

                progress.say(help_text(topics))
                return True
            if word in ("cls", "clear"):
                progress.say(_CLEAR)
                return True
        return answer(entry, self.session, self.arguments, progress)


def _readline() -> ModuleType | None:
    """The standard library's editor of lines, where there is one and a terminal to use it on."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    try:
        import readline
    except ImportError:
        return None
    return readline


def _say(text: str) -> None:
    """Something that went wrong, after what was said before it."""
    sys.stdout.flush()
    print(text, file=sys.stderr, flush=True)



# ---- history
# The lines typed at the prompt, kept from one time to the next in the user's state folder.

#: Entries that are kept.
MOST = 10_000


def history_file() -> Path | None:
    """Where the history is: below XDG_STATE_HOME, or ~/.local/state; None for a user without a home."""
    state = os.environ.get("XDG_STATE_HOME", "")
    with contextlib.suppress(RuntimeError):
        base = Path(state) if os.path.isabs(state) else Path.home() / ".local" / "state"
        return base / "fibprover" / "history"
    return None


class History:
    """What was typed, for the arrow keys: read when it begins, written entry by entry.

    A file that cannot be read or written is no reason to complain: there is a history as long as the prompt.
    """

    def __init__(self, readline: ModuleType | None, file: Path | None) -> None:
        self.readline = readline
        self.file = file
        if readline is None:
            return
        readline.set_auto_history(False)
        readline.set_history_length(MOST)
        if file is None:
            return
        with contextlib.suppress(OSError, ValueError):
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            file.touch(mode=0o600)
            readline.read_history_file(file)

    def add(self, entry: str) -> None:
        """Keeps an entry, unless it is the one before once more."""
        readline = self.readline
        if readline is None or not entry.strip():
            return
        last = readline.get_current_history_length()
        if last and readline.get_history_item(last) == entry:
            return
        readline.add_history(entry)
        if self.file is not None:
            with contextlib.suppress(OSError, ValueError, AttributeError):
                readline.append_history_file(1, self.file)



# ---- answers
# Entries as a prompt has them, answered in a session: formulas, commands, and what the terminator asks for.

class Listener(Protocol):
    """Receives what a script does: its progress, its answers and its warnings."""

    title: str

    def say(self, text: str, /) -> None:
        """Takes an answer."""

    def warn(self, text: str, /) -> None:
        """Takes a warning."""


def answer(entry: str, session: Session, arguments: argparse.Namespace, listener: Listener) -> bool:
    """Answers an entry; False if it ends the session.

    A formula is evaluated; of commands each is carried out, up to the first error, which is raised.
    The terminator `:` asks for the effort as well, `::` for the steps.
    """
    macros = session.namespace.macros
    if typed.is_formula(entry, macros):
        formula, terminator = typed.formula_of(entry, macros)
        source = _parsed_with_warnings(formula, session, listener)
        verdict = session.eval(source or formula)
        listener.say(shown(verdict, _with_steps(arguments, terminator)) + _effort(verdict, terminator))
        return True
    script = typed.commands_of(entry)
    for command in iterate_script(script):
        if ends_session(command):
            return False
        listener.title = title(command)
        source = None
        if isinstance(command, DefCommand | EvalCommand):
            source = _parsed_with_warnings(command.text, session, listener)
        result = session.execute(command, script, source)
        for each, outcome in flat(command, result):
            how = _with_steps(arguments, command.terminator)
            listener.say(line(each, outcome, how) + _effort(outcome, command.terminator))
    return True


def flat(command: Command, result: Result) -> list[tuple[Command, Result]]:
    """A command with its result, or for `load` all commands of the file with theirs."""
    if not isinstance(result, list):
        return [(command, result)]
    return [pair for each, outcome in result for pair in flat(each, outcome)]


def _parsed_with_warnings(formula: str, session: Session, listener: Listener) -> Source | None:
    """Return the syntax tree of a formula, None if it has none, and print the warnings about it."""
    source = vacuity.parsed(formula, session)
    for remark in vacuity.remarks(source):
        listener.warn(f"warning: {remark}")
    return source


def _with_steps(arguments: argparse.Namespace, terminator: str) -> argparse.Namespace:
    if terminator != "::":
        return arguments
    return argparse.Namespace(**{**vars(arguments), "trace": True})


def _effort(outcome: Result, terminator: str) -> str:
    """How large automata got, and how long it took."""
    if terminator != ":" or not isinstance(outcome, Verdict | Relation):
        return ""
    trace = outcome.trace
    if trace is None or not trace.records:
        return ""
    count = len(trace.records)
    return f"\n  {count} step{'s' * (count > 1)}, at most {trace.largest} states, {trace.seconds:.3f} s"
