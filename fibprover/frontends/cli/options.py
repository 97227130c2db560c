"""What several commands share: their options, and the session that these describe."""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, TextIO

from fibprover.display.progress import MODES, Painter, Watch
from fibprover.display.terminal import PERIOD, PlainLines, Terminal, printable
from fibprover.evaluate.trace import Record
from fibprover.io.folders import naming as naming
from fibprover.io.folders import read_script as read_script
from fibprover.limits import Budget, Limits
from fibprover.plan.optimize import PLANS
from fibprover.plan.rules import RULES
from fibprover.session import Session

if TYPE_CHECKING:
    from fibprover.io.folders import Folders


_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}

#: How the header of an automaton in Walnut's format begins.
_HEADER = re.compile(r"(msd|lsd)_\w+|\{[^{}\"]*\}|(true|false)\s*$", re.ASCII)


@dataclass(frozen=True, slots=True)
class Together(Limits):
    """Limits whose seconds are for everything the command does: they count from one moment."""

    deadline: float = float("inf")

    def start(self) -> Budget:
        """The budget that is left."""
        return replace(Limits.start(self), deadline=self.deadline)


def add_session_arguments(parser: argparse.ArgumentParser) -> None:
    """Options that say what names mean: system, words, files."""
    group = parser.add_argument_group("names")
    group.add_argument(
        "--system", metavar="NAME", help="numeration system where a formula names none (default msd_2)"
    )
    group.add_argument(
        "--shared-digits", action="store_true",
        help="read indices and arguments that are in another system than their word or predicate by their digits",
    )
    group.add_argument(
        "--base", action="append", default=[], metavar="msd_NAME.txt",
        help="add a numeration system from base files, verified (repeatable)",
    )
    group.add_argument(
        "--words", action="append", default=[], metavar="WORDS.json", help="add the words of a JSON file (repeatable)"
    )
    group.add_argument(
        "--load", action="append", default=[], metavar="FILE",
        help="add what a script defines, or an automaton in Walnut's text format, called as its file (repeatable)",
    )


def add_folder_arguments(parser: argparse.ArgumentParser) -> None:
    """Options that say where names are looked for and kept as files, as Walnut's command line has them."""
    group = parser.add_argument_group("Walnut's folders")
    group.add_argument(
        "--home-dir", metavar="DIR", help="read Automata Library/, Custom Bases/, Command Files/, ... of this folder"
    )
    group.add_argument(
        "--session-dir", metavar="DIR",
        help="write what is made to Automata Library/, Result/, ... of this folder, and read these first "
        "(with --home-dir: a new folder in its Session/)",
    )
    group.add_argument("--global-session", action="store_true", help="write what is made to the home folder itself")


def add_reading_arguments(parser: argparse.ArgumentParser) -> None:
    """Options that say where names are looked for; nothing is written there."""
    group = parser.add_argument_group("Walnut's folders")
    group.add_argument(
        "--home-dir", metavar="DIR", help="find names in Automata Library/, Custom Bases/, ... of this folder, too"
    )
    group.add_argument("--session-dir", metavar="DIR", help="and before in those of this one")


def folders(arguments: argparse.Namespace) -> Folders | None:
    """The folders that these options ask for; None if they ask for none."""
    home, session, one = (getattr(arguments, name, None) for name in ("home_dir", "session_dir", "global_session"))
    if home is None and session is None and not one:
        return None
    from fibprover.io.folders import Folders, folders_for

    if not hasattr(arguments, "global_session"):
        main = Path(home or session or ".")
        return Folders(main, Path(session or main), written=False)
    return folders_for(home, session, one=bool(one))


def command_file(arguments: argparse.Namespace, file: str) -> str:
    """The script that a command line means: one of the home folder's Command Files/, if it is there, or else a path."""
    asked = arguments.home_dir, arguments.session_dir, arguments.global_session or None
    if asked == (None, None, None) or file == "-":
        return file
    found = os.path.join(arguments.home_dir or ".", "Command Files", file)
    # Where there is neither, the error names the place that was meant.
    return file if os.path.exists(file) and not os.path.isfile(found) else found


def add_plan_argument(parser: argparse.ArgumentParser) -> None:
    """The option --plan."""
    parser.add_argument(
        "--plan", choices=sorted(PLANS), default="optimized",
        help="optimized (default), or textbook: the formula step by step as it is written",
    )
    parser.add_argument(
        "--without", action="append", default=[], choices=RULES, metavar="RULE",
        help=f"switch off a rule of the optimized plan (repeatable): {', '.join(RULES)}",
    )


def add_limit_arguments(parser: argparse.ArgumentParser) -> None:
    """Options that bound what the command may spend, where a spent budget is exit status 3, and --progress."""
    group = parser.add_argument_group("limits")
    group.add_argument("--timeout", type=seconds, metavar="SECONDS", help="wall time of the whole command")
    group.add_argument(
        "--max-memory", type=size, metavar="SIZE", help="memory of the process, such as 200M or 2G (powers of 1024)"
    )
    group.add_argument(
        "--max-states", type=positive, metavar="N", help="states of any one automaton while it is built"
    )
    add_progress_argument(parser)


def limits(arguments: argparse.Namespace) -> Limits:
    """The limits a command line sets; its seconds begin to count now."""
    deadline = float("inf") if arguments.timeout is None else time.monotonic() + arguments.timeout
    return Together(
        states=arguments.max_states, bytes=arguments.max_memory, seconds=arguments.timeout, deadline=deadline
    )


def session(arguments: argparse.Namespace, progress: Progress | None = None) -> Session:
    """The session a command line describes, with its words and files loaded."""
    plan = getattr(arguments, "plan", "optimized")
    allowed = limits(arguments) if progress is None else progress.over(limits(arguments))
    made = Session(plan=plan, limits=allowed, without=getattr(arguments, "without", ()))
    made.namespace.shared_digits = arguments.shared_digits
    if progress is not None:
        made.options = replace(made.options, watch=progress.step)
    for file in arguments.base:
        made.namespace.load_system(file)
    for file in arguments.words:
        made.load_words(file)
    places = folders(arguments)
    if places is not None:
        made.use_folders(places.home, places.session, written=places.written)
    if arguments.system is not None:
        names = made.namespace
        names.default_system, names.system_chosen = names.system(arguments.system).name, True
    for file in arguments.load:
        load(made, file)
    return made


def load(into: Session, file: str) -> None:
    """Adds a file to a session; what it is, its content says.

    A file whose first line (blank ones and remarks aside) is the header of an automaton, such as
    `msd_fib {0,1}`, is an automaton: it can be read as a word, and called as a predicate if its
    outputs are 0 and 1.  Any other file is a script: its definitions are carried out, its `eval`
    commands are not.
    """
    text = read_script(file)
    lines = (line.strip() for line in text.splitlines())
    first = next((line for line in lines if line and not line.startswith("#")), "")
    if not _HEADER.match(first):
        run_definitions(into, text, file)
        return
    name = Path(file).stem
    word = into.namespace.load_word(file, name)
    if set(word.outputs) <= {0, 1}:
        into.namespace.load_predicate(file, name)


def run_definitions(into: Session, text: str, file: str) -> None:
    """Carries out the commands of a script that define something."""
    from fibprover.syntax.commands import EvalCommand, ends_session, iterate_script

    with naming(file, text):
        for command in iterate_script(text):
            if ends_session(command):
                return
            if not isinstance(command, EvalCommand):
                into.execute(command, text)


def seconds(text: str) -> float:
    """A positive number of seconds."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive number of seconds")
    return value


def size(text: str) -> int:
    """A number of bytes: 1000000, 200M, 1.5G; units are powers of 1024."""
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE | re.ASCII)
    value = int(float(match[1]) * _UNITS[match[2].upper()]) if match and len(match[1]) <= 20 else 0
    if value <= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 200M or 2G")
    return value


def positive(text: str) -> int:
    """A positive whole number."""
    return _whole(text, 1)


def count(text: str) -> int:
    """A whole number, 0 or more."""
    return _whole(text, 0)


def _whole(text: str, least: int) -> int:
    if not re.fullmatch(r"[0-9]{1,18}", text, re.ASCII) or int(text) < least:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least {least}")
    return int(text)



# ---- progress
# How far a command is, on standard error: painted on a terminal, as plain lines where asked for, else not at all.

def add_progress_argument(parser: ArgumentParser) -> None:
    """The option --progress."""
    parser.add_argument(
        "--progress", choices=MODES, default="auto",
        help="how far it is, on standard error: painted on a terminal only (auto, the default), as plain lines "
        "wherever it goes, or none",
    )


class Progress:
    """Progress of a command and what it prints meanwhile.  Use as a context manager: nothing is left at the end.

    mode: one of MODES; stream: where to show it, by default standard error; started: whether to paint from the
    beginning; without it, `show` paints what others do, and `start` begins.
    """

    def __init__(self, mode: str = "auto", stream: TextIO | None = None, *, started: bool = True) -> None:
        stream = sys.stderr if stream is None else stream
        display: Terminal | PlainLines | None = None
        if stream is not None and mode == "plain":
            display = PlainLines(stream)
        elif stream is not None and mode == "auto" and stream.isatty():
            display = Terminal(stream)
        self.display = display
        self.watch = Watch()
        self.painter = Painter(self.watch, display)
        self.started = started
        self.due = self.watch.begun + PERIOD
        self._observing = ExitStack()

    @property
    def stream(self) -> TextIO | None:
        """Where progress is shown, None where it is not."""
        return None if self.display is None else self.display.stream

    @property
    def title(self) -> str:
        """What is done."""
        return self.watch.title

    @title.setter
    def title(self, title: str) -> None:
        self.watch.title = title

    def step(self, record: Record) -> None:
        """Takes note of a finished step (Options.watch)."""
        self.watch.step(record)

    def over(self, limits: Limits) -> Limits:
        """Note the limits of the computation that is shown; return them."""
        return self.watch.over(limits)

    def show(self, parts: Sequence[str]) -> None:
        """Paints a line of these parts, unless one has been painted just now."""
        now = time.monotonic()
        if self.display is None or now < self.due:
            return
        seconds = self.watch.seconds()
        self.due = now + self.display.pause(seconds)
        line = printable("  ".join([*parts, f"{seconds:.1f} s"]))
        with self.painter.lock:
            if isinstance(self.display, PlainLines):
                self.display.show(line)
            else:
                self.display.show([line[: self.display.width()]])

    def say(self, text: str) -> None:
        """Prints lines of output, with the progress out of their way."""
        with self.painter.lock:
            self.painter.hide()
            print(text, flush=True)

    def warn(self, text: str) -> None:
        """Prints a remark on standard error, likewise; what has been said comes before it."""
        with self.painter.lock:
            self.painter.hide()
            if sys.stderr is not None:
                sys.stdout.flush()
                print(text, file=sys.stderr, flush=True)

    def start(self) -> None:
        """Begins to repaint."""
        self.painter.start()

    def stop(self) -> None:
        """Ends that; what is shown stays."""
        self.painter.stop()

    def __enter__(self) -> Progress:
        self._observing.enter_context(self.watch.observing())
        if self.started:
            self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._observing.close()
        self.painter.__exit__(kind, error, trace)
