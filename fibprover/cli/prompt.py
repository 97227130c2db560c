"""`fibprover` alone, or `fibprover prompt`: formulas and commands are answered as they are typed."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import ModuleType

from fibprover import __version__
from fibprover.cli import options, typed
from fibprover.cli.answers import answer
from fibprover.cli.eval import add_outcome_arguments
from fibprover.cli.history import History, history_file
from fibprover.cli.problems import told
from fibprover.cli.progress import Progress
from fibprover.cli.status import TRUE
from fibprover.limits import Limits
from fibprover.session import Session

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
        print(f"fibprover {__version__}, numbers in {self.session.default_system}; help explains, Ctrl-D leaves")

    # -- typing ------------------------------------------------------------------------------

    def entry(self) -> str | None:
        """The next entry, of one or more lines; "" for one that was given up, None at the end."""
        lines: list[str] = []
        try:
            while True:
                self.before = "".join(f"{line}\n" for line in lines)
                awaited = typed.awaited(self.before, self.session.macros)
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
            from fibprover.cli.completion import candidates  # nobody may press Tab

            before = self.before + str(self.readline.get_line_buffer()[: self.readline.get_begidx()])
            self.found = candidates(before, text, self.session)
        return self.found[state] if state < len(self.found) else None

    # -- answering ---------------------------------------------------------------------------

    def answer(self, entry: str) -> bool:
        """Answers an entry; whether there is to be another one."""
        try:
            with Progress() as progress:
                self.session.options = replace(self.session.options, watch=progress.step)
                return self._answer(entry, progress)
        except KeyboardInterrupt:
            _say("\ninterrupted; what has been defined is still there")
        except (BrokenPipeError, SystemExit):
            raise
        except Exception as problem:
            _say(told(problem, debug=self.arguments.debug)[0])
        return True

    def _answer(self, entry: str, progress: Progress) -> bool:
        if typed.stands_alone(entry):
            word, *topics = typed.words_of(entry)
            if word == "help":
                from fibprover.cli.help import help_text  # nobody may ask

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


