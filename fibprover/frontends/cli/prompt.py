"""`fibprover prompt`, or `fibprover` alone: evaluate formulas and execute commands as they are typed.

`Prompt` reads entries from a terminal, `answer` evaluates one, and `History` keeps them for the arrow keys.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from difflib import get_close_matches
from math import inf
from pathlib import Path
from types import ModuleType
from typing import Protocol

from fibprover import __version__
from fibprover.base.errors import FibproverError, FileProblem, SyntaxProblem, UnknownName
from fibprover.base.limits import Limits, cpu_clock
from fibprover.base.screen import Verbatim
from fibprover.base.values import decimal
from fibprover.base.wording import plural
from fibprover.frontends.cli.eval import add_outcome_arguments, parts
from fibprover.frontends.cli.run import lines
from fibprover.frontends.cli.script_log import ScriptLog
from fibprover.frontends.cli.status import TRUE, describe_error
from fibprover.frontends.cli.termination import Terminated
from fibprover.frontends.conversation import options
from fibprover.frontends.conversation.entry import (
    DELIMITERS,
    PROMPT_WORDS,
    awaited,
    commands_of,
    file_of,
    formula_of,
    history_text,
    is_formula,
    only_word,
    stands_alone,
    words_of,
)
from fibprover.frontends.conversation.progress import Progress
from fibprover.frontends.conversation.warnings import parsed_with_warnings
from fibprover.language.commands import (
    WORDS,
    Command,
    DefCommand,
    EvalCommand,
    ends_session,
    iterate_script,
    loads,
    title,
)
from fibprover.language.parser import closed_term
from fibprover.prover.verdict.relation import Relation
from fibprover.prover.verdict.verdict import Verdict
from fibprover.workspace.commands.interpreter import Result
from fibprover.workspace.guard import enforced
from fibprover.workspace.session import Session

_EXAMPLES = """\
examples:
  fibprover                                      the same, on a terminal
  fibprover prompt --system msd_fib --load definitions.txt

At the prompt, help says what may be typed, and Ctrl-D leaves.
"""

_PROMPT = "fibprover> "

#: The prompts of further lines of an entry, by the character that would complete it.
_CONTINUATION = {'"': '       "> ', ";": "       ;> ", ")": "       )> "}

#: Clears a terminal.
_CLEAR = Verbatim("\x1b[H\x1b[2J")

#: The most characters of an entry: where it ends is looked for after each of its lines.
MOST_TYPED = 1 << 16

#: The most entries in the history.
MOST_ENTRIES = 10_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = _EXAMPLES
    add_outcome_arguments(parser)
    options.add_plan_argument(parser)
    options.add_session_arguments(parser)
    options.add_folder_arguments(parser)
    options.add_limit_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Answer entries until the user leaves; an error ends only its entry."""
    if sys.stdin is None:
        raise FileProblem("standard input cannot be read: it is closed")
    session = options.session(arguments)
    # The seconds are for each entry, not for the whole session.
    limits = Limits(
        states=arguments.max_states, seconds=arguments.timeout, cpu_seconds=arguments.cpu_timeout,
        **options.memory_of(arguments),
    )
    session.options = replace(session.options, limits=limits)
    prompt = Prompt(session, arguments)
    prompt.greet()
    while True:
        try:
            entry = prompt.entry()
            if entry is None or not prompt.answer(entry):
                return TRUE
        except Terminated:
            raise
        except KeyboardInterrupt:  # between an entry and its answer
            print()


class Prompt:
    """A session at a terminal.

    ask: prints a prompt and returns the line that is typed; EOFError at the end of the input.
    """

    def __init__(
        self, session: Session, arguments: argparse.Namespace, ask: Callable[[str], str] = input
    ) -> None:
        self.session = session
        self.arguments = arguments
        self.ask = ask
        self.readline = _readline()
        self.history = History(self.readline, history_file())
        self.log = ScriptLog(arguments)
        self.before = ""
        self.found: list[str] = []
        if self.readline is not None:
            self.readline.set_completer_delims(DELIMITERS)
            self.readline.set_completer(self._complete)
            self.readline.parse_and_bind("tab: complete")

    def greet(self) -> None:
        """Print the first line."""
        system = self.session.namespace.default_system
        print(f"fibprover {__version__}, numbers in {system}; help explains, Ctrl-D leaves")

    # -- typing ------------------------------------------------------------------------------

    def entry(self) -> str | None:
        """Return the next entry, of one or more lines; "" for an abandoned one, None at the end."""
        lines: list[str] = []
        missing, begun, limits = "", cpu_clock(), self.session.options.limits
        most = min(inf if each is None else each for each in (limits.seconds, limits.cpu_seconds))
        try:
            while True:
                self.before = "".join(f"{line}\n" for line in lines)
                if missing != '"' or '"' in lines[-1]:  # else the quotes are still open
                    missing = awaited(self.before, self.session.namespace.macros)
                if lines and not missing:
                    break
                blank = len(lines) > 1 and not lines[-1].strip()
                if blank and missing == ")":
                    break  # an empty line ends a formula; the error names the missing bracket
                if blank and missing == ";" and _is_complete(terminated := f"{self.before.rstrip()};\n"):
                    self.before = terminated  # and a command that lacks nothing but its terminator
                    break
                lines.append(self.ask(_CONTINUATION.get(missing, _PROMPT)))
                if len(self.before) + len(lines[-1]) > MOST_TYPED:
                    _say(f"error: an entry of more than {MOST_TYPED:,} characters")
                    _say("  hint: load FILE reads a longer one")
                    return ""
                if cpu_clock() - begun > most:
                    _say(f"budget spent: the budget of {most:g} s is spent while reading an entry of many lines")
                    _say("  hint: load FILE reads it at once")
                    return ""
        except EOFError:
            print()
            self._keep(lines)
            return "" if lines else None
        except Terminated:
            self._keep(lines)
            raise
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
        self.history.add(history_text("\n".join(lines)))

    def _line(self) -> str:
        """Return the text of the line that is being typed."""
        return "" if self.readline is None else str(self.readline.get_line_buffer())

    def _complete(self, text: str, state: int) -> str | None:
        """Return completion number `state` of the word at the cursor, None after the last one, for readline."""
        if state == 0 and self.readline is not None:
            from fibprover.frontends.conversation.completion import candidates  # needed only for Tab

            before = self.before + str(self.readline.get_line_buffer()[: self.readline.get_begidx()])
            self.found = candidates(before, text, self.session)
        return self.found[state] if state < len(self.found) else None

    # -- answering ---------------------------------------------------------------------------

    def answer(self, entry: str) -> bool:
        """Answer an entry; return whether the session continues."""
        try:
            with Progress(self.arguments.progress) as progress:
                progress.over(self.session.options.limits)
                self.session.options = replace(self.session.options, watch=progress.step)
                with enforced(self.session.options.limits):
                    return self._answer(entry, progress)
        except Terminated:
            raise
        except KeyboardInterrupt:
            _say("\ninterrupted; definitions are kept")
        except (BrokenPipeError, SystemExit):
            raise
        except Exception as problem:
            _say(describe_error(problem, debug=self.arguments.debug)[0])
        return True

    def _answer(self, entry: str, progress: Progress) -> bool:
        word, *topics = words_of(entry) or [""]
        if stands_alone(entry) or (word in PROMPT_WORDS and not is_formula(entry, self.session.namespace.macros)):
            if word == "help":
                from fibprover.frontends.cli.help import help_text  # needed only for help

                progress.say(help_text(topics, self.session))
                return True
            if word in ("cls", "clear"):
                progress.say(_CLEAR)
                return True
            if word == "save":
                file = file_of(entry)
                if not file:
                    raise FibproverError("save takes the name of one file", hint="such as: save session.txt")
                progress.say(self.log.save(file))
                return True
        return answer(entry, self.session, self.arguments, progress, self.log.add)


def _readline() -> ModuleType | None:
    """Return the module `readline` if it is installed and there is a terminal, else None."""
    if not all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout)):
        return None
    try:
        import readline
    except ImportError:
        return None
    return readline


def _is_complete(text: str) -> bool:
    """Return whether a text is commands, as far as one can see before they are carried out."""
    try:
        return bool(list(iterate_script(text)))
    except SyntaxProblem:
        return False


def _say(text: str) -> None:
    """Print a message on standard error, after the output so far."""
    sys.stdout.flush()
    print(text, file=sys.stderr, flush=True)


class Listener(Protocol):
    """Receives the progress, the answers and the warnings of entries."""

    title: str

    def say(self, text: str, /) -> None:
        """Receive an answer."""

    def warn(self, text: str, /) -> None:
        """Receive a warning."""


def answer(
    entry: str, session: Session, arguments: argparse.Namespace, listener: Listener,
    executed: Callable[[str], None] = lambda command: None,
) -> bool:
    """Answer an entry; return False if it ends the session.

    executed: receives each command that was carried out, and a formula as an `eval`.

    A formula is evaluated; commands are executed up to the first error, which is raised.  The terminator `:` adds
    the number of steps and the time, `::` all steps.
    """
    macros = session.namespace.macros
    if _is_command(entry, session) and (words := words_of(entry))[0] in ("list", "show"):
        listener.say(_about_names(words, session))
        return True
    if is_formula(entry, macros):
        _check_word(only_word(entry), session)
        formula, terminator = formula_of(entry, macros)
        if closed_term(formula) is not None:
            listener.say(decimal(session.value(formula)))
            return True
        with session.with_all_steps(terminator):
            verdict = session.eval(parsed_with_warnings(formula, session, listener.warn) or formula)
        executed(f'eval "{formula}"{terminator or ";"}')
        _say_in_pieces(listener, parts(verdict, _with_steps(arguments, terminator)), verdict, terminator)
        return True
    script = commands_of(entry)
    for command in iterate_script(script):
        if ends_session(command):
            return False
        _execute(command, script, session, arguments, listener, executed)
    return True


def _execute(
    command: Command, script: str, session: Session, arguments: argparse.Namespace, listener: Listener,
    executed: Callable[[str], None],
) -> None:
    """Execute a command and print its answer; `load` has the answers of its commands, each as soon as it is known.

    executed: receives the command, or those of a `load` that were executed before its error.
    """
    if loads(command):
        done: list[str] = []
        try:
            with session.loaded(command, script) as (_, text):
                for each in iterate_script(text):
                    if ends_session(each):
                        break
                    _execute(each, text, session, arguments, listener, done.append)
        except BaseException:
            for before in done:
                executed(before)
            raise
        executed(_text_of(command, script))
        return
    listener.title = title(command)
    source = None
    if isinstance(command, DefCommand | EvalCommand):
        source = parsed_with_warnings(command.text, session, listener.warn)
    outcome = session.execute(command, script, source)
    executed(_text_of(command, script))
    how = _with_steps(arguments, command.terminator)
    _say_in_pieces(listener, lines(command, outcome, how), outcome, command.terminator)


def _text_of(command: Command, script: str) -> str:
    return script[command.span.start : command.span.end]


def _is_command(entry: str, session: Session) -> bool:
    """Return whether an entry is a command that ends with its line, or one that only the prompt has."""
    if stands_alone(entry):
        return True
    return words_of(entry)[:1] in [[word] for word in PROMPT_WORDS] and not is_formula(entry, session.namespace.macros)


def _about_names(words: Sequence[str], session: Session) -> str:
    """Return what `list` or `show NAME` says."""
    from fibprover.frontends.conversation.session_names import names_text, show_text  # needed only here

    if words[0] == "list":
        return names_text(session)
    if len(words) != 2:
        raise FibproverError("show takes one name", hint="list lists them")
    return show_text(session, words[1])


def _check_word(word: str, session: Session) -> None:
    """Raise UnknownName if an entry that is only a word is a misspelled command, or a name that needs an argument."""
    if not word:
        return
    if word in session.namespace.predicates:
        hint = f"call it: ${word}(...), or type: describe {word}"
        raise UnknownName(f"{word} is a predicate; its name alone is not a formula", word, 0, len(word), hint=hint)
    near = get_close_matches(word, [*WORDS, *PROMPT_WORDS], n=1, cutoff=0.7)
    if near:
        raise UnknownName(f"unknown command `{word}`", word, 0, len(word), hint=f"did you mean {near[0]}?")


def _say_in_pieces(listener: Listener, pieces: Iterable[str], outcome: Result, terminator: str) -> None:
    """Print an answer piece by piece, as each is known, and the effort below it."""
    for piece in pieces:
        listener.say(piece)
    if effort := _effort(outcome, terminator):
        listener.say(effort)


def _with_steps(arguments: argparse.Namespace, terminator: str) -> argparse.Namespace:
    if terminator != "::":
        return arguments
    return argparse.Namespace(**{**vars(arguments), "trace": True})


def _effort(outcome: Result, terminator: str) -> str:
    """Return a line with the number of steps, the largest automaton and the time, for the terminator `:`."""
    if terminator != ":" or not isinstance(outcome, Verdict | Relation):
        return ""
    trace = outcome.trace
    if trace is None or not trace.records:
        return ""
    count = len(trace.records)
    return f"  {plural(count, 'step')}, at most {plural(trace.largest, 'state')}, {trace.seconds:.3f} s"


def history_file() -> Path | None:
    """Return the file of the history, below XDG_STATE_HOME or ~/.local/state; None for a user without a home."""
    state = os.environ.get("XDG_STATE_HOME", "")
    with contextlib.suppress(RuntimeError):
        base = Path(state) if os.path.isabs(state) else Path.home() / ".local" / "state"
        return base / "fibprover" / "history"
    return None


class History:
    """The entries of this and earlier sessions, for the arrow keys, in a file that is written entry by entry.

    If the file cannot be read or written, the history lasts as long as the prompt.
    """

    def __init__(self, readline: ModuleType | None, file: Path | None) -> None:
        self.readline = readline
        self.file = file
        if readline is None:
            return
        readline.set_auto_history(False)
        readline.set_history_length(MOST_ENTRIES)
        if file is None:
            return
        with contextlib.suppress(OSError, ValueError):
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            file.touch(mode=0o600)
            readline.read_history_file(file)

    def add(self, entry: str) -> None:
        """Add an entry, unless it repeats the last one."""
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
