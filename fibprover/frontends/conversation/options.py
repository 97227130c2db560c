"""Options that several commands share, and the session that they describe."""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from fibprover.base.errors import SyntaxProblem
from fibprover.base.folders import naming as naming
from fibprover.base.folders import read_script as read_script
from fibprover.base.folders import walnut_home
from fibprover.base.limits import UNBOUNDED, Limits, SharedLimits, cpu_clock
from fibprover.frontends.conversation.progress import Progress, add_progress_argument
from fibprover.language.tokens import END, Token, formula_tokens
from fibprover.prover.plan.optimize import PLANS
from fibprover.prover.plan.rules import RULES
from fibprover.workspace.guard import limits_with_memory
from fibprover.workspace.session import Session

if TYPE_CHECKING:
    from fibprover.base.folders import Folders


_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}

#: The value of `--max-memory none`.
NO_LIMIT = 0

#: The value of `--home-dir none`.
NO_HOME = "none"

#: The beginning of the header of an automaton in Walnut's format.
_HEADER = re.compile(r"(msd|lsd)_\w+|\{[^{}\"]*\}|(true|false)\s*$", re.ASCII)

#: The tokens beside brackets around a term, and those of terms without brackets.
_BESIDE_TERMS = ("RELATION", "SIGN", "TIMES", "MINUS")
_IN_TERMS = ("NAME", "NUMBER", "LETTER", "SIGN", "TIMES", "MINUS", "COMMA")


def add_session_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that define names: system, words, files."""
    group = parser.add_argument_group("names")
    group.add_argument(
        "--system", metavar="NAME", help="numeration system of formulas that name none (default msd_2)"
    )
    group.add_argument(
        "--shared-digits", action="store_true",
        help="if an index or argument is in another system than its word or predicate, read its digits",
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
        help="add the definitions of a script, or an automaton in Walnut's text format, named as its file (repeatable)",
    )


def add_folder_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options for folders of names that are read and written, as those of Walnut."""
    group = parser.add_argument_group("Walnut's folders")
    group.add_argument(
        "--home-dir", metavar="DIR", help="read Automata Library/, Custom Bases/, Command Files/, ... of this folder "
        "(default: the folder at or above the current one that has them; none: no folder)"
    )
    group.add_argument(
        "--session-dir", metavar="DIR",
        help="write results to Automata Library/, Result/, ... of this folder, and read these first "
        "(with --home-dir: a new folder in its Session/)",
    )
    group.add_argument("--global-session", action="store_true", help="write results to the home folder itself")


def add_reading_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options for folders of names that are only read."""
    group = parser.add_argument_group("Walnut's folders")
    group.add_argument(
        "--home-dir", metavar="DIR", help="find names in Automata Library/, Custom Bases/, ... of this folder too "
        "(default: the folder at or above the current one that has them; none: no folder)"
    )
    group.add_argument("--session-dir", metavar="DIR", help="and in those of this folder first")


def recognize_home(arguments: argparse.Namespace, file: str = "") -> None:
    """Set the home folder, unless options set it, to one of Walnut's at or above the script or the current folder.

    So `arguments.home_dir` is a folder or None afterwards, and `arguments.home_recognized` says where it comes from.
    """
    if hasattr(arguments, "home_recognized"):
        return
    arguments.home_recognized = False
    if arguments.home_dir == NO_HOME:
        arguments.home_dir = None
        return
    one = getattr(arguments, "global_session", False)
    if arguments.home_dir is None and arguments.session_dir is None and not one:
        starts = [Path(os.path.abspath(file)).parent] if file and os.path.isfile(file) else []
        try:
            found = walnut_home(*starts, Path(os.path.abspath(".")))
        except OSError:  # the current folder is gone
            return
        if found is not None:
            arguments.home_dir, arguments.home_recognized = str(found), True


def folders(arguments: argparse.Namespace) -> Folders | None:
    """Return the folders of these options, None without them."""
    home, session, one = (getattr(arguments, name, None) for name in ("home_dir", "session_dir", "global_session"))
    if home is None and session is None and not one:
        return None
    from fibprover.base.folders import Folders, folders_for

    if not hasattr(arguments, "global_session"):
        main = Path(home or session or ".")
        return Folders(main, Path(session or main), written=False)
    return folders_for(home, session, one=bool(one))


def command_file(arguments: argparse.Namespace, file: str) -> str:
    """Return the path of a script: a file of the home folder's Command Files/ if it exists, else the path as given."""
    recognize_home(arguments, "" if file == "-" else file)
    asked = arguments.home_dir, arguments.session_dir, arguments.global_session or None
    if asked == (None, None, None) or file == "-":
        return file
    if arguments.home_recognized and os.path.isfile(file):
        return file
    found = os.path.join(arguments.home_dir or ".", "Command Files", file)
    # If neither exists, the error names the one in the folder.
    return file if os.path.exists(file) and not os.path.isfile(found) else found


def add_plan_argument(parser: argparse.ArgumentParser) -> None:
    """Add the options --plan and --without."""
    parser.add_argument(
        "--plan", choices=sorted(PLANS), default="optimized",
        help="optimized (default), or textbook: the formula step by step as it is written",
    )
    parser.add_argument(
        "--without", action="append", default=[], choices=RULES, metavar="RULE",
        help=f"switch off a rule of the optimized plan (repeatable): {', '.join(RULES)}",
    )


def add_evidence_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option --no-evidence."""
    parser.add_argument(
        "--no-evidence", action="store_true", help="look for no witness or counterexample of a verdict",
    )


def add_limit_arguments(
    parser: argparse.ArgumentParser, wall: str = "wall time of the whole command", *, cpu: bool = True,
    hard: bool = True,
) -> None:
    """Add the options for limits, which end a command with exit status 3, and --progress.

    wall: what --timeout is; cpu: whether there is --cpu-timeout, too; hard: whether there is --hard.
    """
    group = parser.add_argument_group("limits")
    add_resource_arguments(group, wall, cpu=cpu, hard=hard)
    group.add_argument(
        "--max-states", type=bound, metavar="N", help="states of any one automaton while it is built"
    )
    if hard:
        group.add_argument(
            "--threads", type=bound, metavar="N",
            help="threads of large determinizations (default: one for each core, 4 at most)",
        )
    add_progress_argument(parser)


def add_resource_arguments(
    group: argparse._ArgumentGroup, wall: str, *, cpu: bool = True, hard: bool = True
) -> None:
    """Add the options for limits on time and memory."""
    group.add_argument("--timeout", type=seconds, metavar="SECONDS", help=wall)
    if cpu:
        group.add_argument(
            "--cpu-timeout", type=seconds, metavar="SECONDS",
            help="the same of CPU time, which does not depend on what else the machine does",
        )
    add_memory_argument(group, "memory of the process")
    if hard:
        add_hard_argument(group)


def add_hard_argument(group: argparse._ArgumentGroup) -> None:
    """Add the option --hard."""
    group.add_argument(
        "--hard", action="store_true",
        help="work in a process of its own, which is killed if it does not end by its limits",
    )


def add_memory_argument(group: argparse._ArgumentGroup, what: str) -> None:
    """Add the option --max-memory; what: whose memory it limits."""
    group.add_argument(
        "--max-memory", type=memory, metavar="SIZE",
        help=f"{what}, such as 200M or 2G (powers of 1024), or none (default: three quarters of the free memory)",
    )


def limits(arguments: argparse.Namespace) -> Limits:
    """Return the limits of a command line; its seconds count from the moment when the program began."""
    known: Limits | None = getattr(arguments, "limits", None)
    if known is None:
        begun = getattr(arguments, "begun", time.monotonic())
        deadline = float("inf") if arguments.timeout is None else begun + arguments.timeout
        cpu, cpu_begun = getattr(arguments, "cpu_timeout", None), getattr(arguments, "cpu_begun", cpu_clock())
        known = arguments.limits = SharedLimits(
            states=arguments.max_states, seconds=arguments.timeout, deadline=deadline,
            cpu_seconds=cpu, cpu_deadline=float("inf") if cpu is None else cpu_begun + cpu, **memory_of(arguments),
        )
    return known


class MemoryLimit(TypedDict):
    """The part of `Limits` that is about memory."""

    bytes: int | None
    memory_hint: str


def memory_of(arguments: argparse.Namespace) -> MemoryLimit:
    """Return the limit on memory of a command line."""
    if arguments.max_memory == NO_LIMIT:
        return {"bytes": None, "memory_hint": ""}
    with_default = limits_with_memory(Limits(bytes=arguments.max_memory))
    return {"bytes": with_default.bytes, "memory_hint": with_default.memory_hint}


def session(arguments: argparse.Namespace, progress: Progress | None = None) -> Session:
    """Return the session of a command line, with its words and files."""
    plan = getattr(arguments, "plan", "optimized")
    allowed = limits(arguments) if progress is None else progress.over(limits(arguments))
    without, certify = getattr(arguments, "without", ()), getattr(arguments, "certify", None)
    evidence = not getattr(arguments, "no_evidence", False)
    made = Session(plan=plan, limits=allowed, without=without, certify=certify, evidence=evidence)
    made.namespace.shared_digits = arguments.shared_digits
    warn = _note if progress is None else progress.warn
    made.namespace.warn = lambda text: warn(f"warning: {text}")
    watch = None if progress is None else progress.step
    made.options = replace(made.options, watch=watch, overridable=True)
    for file in arguments.base:
        made.namespace.load_system(file)
    for file in arguments.words:
        made.load_words(file)
    if hasattr(arguments, "home_dir"):
        recognize_home(arguments)
    places = folders(arguments)
    if places is not None:
        if arguments.home_recognized:
            results = f", results are written to {places.session}" if places.written else ""
            warn(f"names of Walnut's folder {places.home} are known{results}")
        made.use_folders(places.home, places.session, written=places.written)
    if arguments.system is not None:
        names = made.namespace
        names.default_system, names.system_chosen = names.system(arguments.system).name, True
    for file in arguments.load:
        load(made, file)
    return made


def _note(text: str) -> None:
    """Print a warning on standard error."""
    if sys.stderr is not None:
        print(text, file=sys.stderr, flush=True)


def load(into: Session, file: str) -> None:
    """Add a script or an automaton to a session.

    A file whose first line (after blank lines and comments) is the header of an automaton, such as `msd_fib {0,1}`, is
    an automaton: it becomes a word, and a predicate if its outputs are 0 and 1; it is no word, but a predicate, if it
    is not deterministic.  Any other file is a script, of which
    all commands except `eval` are executed.
    """
    text = read_script(file)
    if is_automaton(text):
        load_automaton(into, file)
    else:
        run_definitions(into, text, file)


def is_automaton(text: str) -> bool:
    """Return whether the text of a file is an automaton in Walnut's format, by its first line."""
    lines = (line.strip() for line in text.splitlines())
    return _HEADER.match(next((line for line in lines if line and not line.startswith("#")), "")) is not None


def load_automaton(into: Session, file: str) -> None:
    """Add the automaton of a file to a session, as `load` does."""
    name = Path(file).stem
    from fibprover.workspace.walnut import SeveralLetters

    try:
        word = into.namespace.load_word(file, name)
    except SeveralLetters:
        word = None
    if word is None or set(word.outputs) <= {0, 1}:
        into.namespace.load_predicate(file, name)


def run_definitions(into: Session, text: str, file: str) -> None:
    """Execute the commands of a script, except `eval`."""
    from fibprover.language.commands import EvalCommand, ends_session, iterate_script

    with naming(file, text):
        for command in iterate_script(text):
            if ends_session(command):
                return
            if not isinstance(command, EvalCommand):
                into.execute(command, text)


@contextmanager
def from_shell(formula: str) -> Iterator[None]:
    """Add a hint to an error about `(x,y)` in a formula of the command line: in double quotes a shell drops `$name`."""
    try:
        yield
    except SyntaxProblem as problem:
        lost = problem.text == formula and "$" not in formula and _has_lost_name(formula, problem.start)
        if lost:
            problem.hint = "if $name stood before the bracket, the shell has expanded it: write '...', not \"...\""
        raise


def _has_lost_name(formula: str, at: int) -> bool:
    """Return whether a place is at brackets around terms that no term can be, as those of a call without `$name`."""
    every = [Token(END, ""), *formula_tokens(formula), Token(END, "")]
    for place in range(1, len(every)):
        before, opening = every[place - 1 : place + 1]
        glued = before.type == "NAME" and before.end == opening.start
        if opening.type != "LPAR" or before.type in _BESIDE_TERMS or glued:
            continue
        closing = next(other for other in range(place + 1, len(every)) if every[other].type not in _IN_TERMS)
        here = before.end - 1 <= at < every[closing].end
        if here and every[closing].type == "RPAR" and every[closing + 1].type not in _BESIDE_TERMS:
            return True
    return False


def seconds(text: str) -> float:
    """Return a positive number of seconds."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive number of seconds")
    return value


def size(text: str) -> int:
    """Return a number of bytes: 1000000, 200M, 1.5G; units are powers of 1024."""
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE | re.ASCII)
    value = int(min(float(match[1]) * _UNITS[match[2].upper()], UNBOUNDED)) if match else 0
    if value <= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 200M or 2G")
    return value


def memory(text: str) -> int:
    """Return a number of bytes as `size` does, NO_LIMIT for "none"."""
    return NO_LIMIT if text.strip().lower() == "none" else size(text)


def positive(text: str) -> int:
    """Return a positive whole number."""
    return _whole(text, 1)


def count(text: str) -> int:
    """Return a whole number, 0 or more."""
    return _whole(text, 0)


def bound(text: str) -> int:
    """Return a positive whole number, which may have any number of digits: no bound is as large as that."""
    try:
        return _whole(text, 1)
    except _TooLarge:
        return UNBOUNDED


class _TooLarge(argparse.ArgumentTypeError):
    """A whole number with more digits than any count here can have."""


#: The most digits of a number of things.
_MOST_DIGITS = 18


def _whole(text: str, least: int) -> int:
    digits = text.lstrip("0")
    if not re.fullmatch(r"[0-9]+", text, re.ASCII) or (least and not digits):
        raise argparse.ArgumentTypeError(f"{_shortened(text)} is not a whole number of at least {least}")
    if len(digits) > _MOST_DIGITS:
        raise _TooLarge(f"{_shortened(text)} is too large: give a number of at most {_MOST_DIGITS} digits")
    return int(digits or "0")


def _shortened(text: str) -> str:
    """Return a text in quotes for a message, without the middle of a long one."""
    return repr(text if len(text) <= 60 else f"{text[:40]}...{text[-10:]}")
