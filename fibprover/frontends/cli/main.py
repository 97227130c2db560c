"""The command line: `fibprover COMMAND ...`.

Each command is a module of this package with `add_arguments(parser)` and `run(arguments) -> int`; only the module of
the requested command is imported.  Errors become a line on standard error and an exit status in `main`.  `prove_script`
is the same for a script of theorems that is run by itself.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import time
from collections.abc import Iterator, Sequence
from importlib import import_module

from fibprover import __version__
from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import cpu_clock
from fibprover.base.screen import escaping
from fibprover.frontends.cli.arguments import CommandParser, Parser, check_command
from fibprover.frontends.cli.status import NO_READER, describe_error
from fibprover.frontends.cli.termination import Ending, status_after

#: The commands with their summaries; the module fibprover.frontends.cli.NAME executes each.
COMMANDS = {
    "prompt": "evaluate and define at a prompt; the default on a terminal",
    "eval": "decide one formula",
    "check": "check a certificate, a proof of a verdict",
    "explain": "show how a formula is decided, with the sizes of all automata",
    "run": "run a script of commands",
    "prove": "prove the theorems declared in scripts",
    "paper": "write a LaTeX article of theorems, with their definitions, formulas and figures",
    "store": "list and compare the results that long work has kept in a file",
    "words": "list and describe the words of the library",
    "draw": "draw the automaton of a predicate, a word or a formula",
    "system": "describe, verify and list numeration systems",
    "infer": "guess a word or numbers from the first values of a sequence",
    "board": "draw a set of pairs of numbers, such as the P-positions of a game",
    "game": "find the P-positions of a take-away game from its rules, and prove them",
    "invent": "find a game with given P-positions, or prove that there is none",
    "study": "find theorems about a word, and prove them",
    "atlas": "find and prove the P-positions of a list of games with their sources",
    "web": "open a page of cells in the browser, answered by this machine",
    "serve": "offer decide, define, solve, study and others as tools to other programs",
    "lsp": "be the language server of an editor: problems, meanings, completion, verdicts",
    "kernel": "install the Jupyter kernel, or remove it",
}

#: Commands whose limits are for each theorem, each entry, each game, each cell or each call.
LIMITED_BY_PARTS = ("prove", "prompt", "kernel", "serve", "lsp", "web", "atlas", "study", "paper")

_EXAMPLES = """\
examples:
  fibprover eval 'Ax,y x+y=y+x'
  fibprover eval --system msd_fib 'a+b=c & c<6'
  fibprover run definitions.txt --trace
  fibprover prove
  fibprover draw --words words.json G -o g.svg

exit status:
  0 true or done, 1 false, 2 error, 3 budget spent, 130 interrupted, 143 ended by SIGTERM, 129 by SIGHUP

fibprover COMMAND --help describes a command.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line (without the name of the program) and return the exit status."""
    _hold_closed_streams()
    with escaping():
        return _main(argv)


def _main(argv: Sequence[str] | None) -> int:
    for stream in (sys.stdout, sys.stderr):
        # Characters that a terminal cannot show are escaped, and do not raise an error.
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    debug, begun, cpu_begun, ending = False, time.monotonic(), cpu_clock(), Ending()
    words = _asking_for_help(list(sys.argv[1:] if argv is None else argv)) or default_words()
    try:
        with ending.by_signals():
            top = parser(words)
            check_command(top, words, COMMANDS)
            arguments = top.parse_args(words)
            debug, arguments.begun, arguments.cpu_begun = arguments.debug, begun, cpu_begun
            _warn_of_fallback(arguments)
            if getattr(arguments, "hard", False):
                ended = _supervised(arguments)
                if ended is not None:
                    return ended
            with limited(arguments), _threaded(arguments):
                status = import_module(f"fibprover.frontends.cli.{arguments.command}").run(arguments)
            if sys.stdout is not None:
                sys.stdout.flush()
            return int(status)
    except KeyboardInterrupt as interruption:
        return _failed(str(interruption) or "interrupted", ending.status or status_after(interruption))
    except BrokenPipeError:
        return _failed("", ending.status or NO_READER)
    except Exception as problem:
        if ending.status is not None:  # the terminal has gone, too
            return _failed("", ending.status)
        return _failed(*describe_error(problem, debug=debug))


def _supervised(arguments: argparse.Namespace) -> int | None:
    """Go on in a process of its own, and return its exit status; None in that process."""
    from fibprover.base.limits import Limits
    from fibprover.frontends.cli.supervisor import supervised
    from fibprover.frontends.conversation.options import limits, memory_of

    whole = Limits(**memory_of(arguments)) if is_limited_by_parts(arguments) else limits(arguments)
    used = cpu_clock() - arguments.cpu_begun
    status = supervised(whole)
    if status is None:
        # The clock begins anew in a new process; what this one has used counts all the same.
        arguments.cpu_begun, arguments.limits = cpu_clock() - used, None
    return status


def _hold_closed_streams() -> None:
    """Let no file that is opened later have the number of a standard stream that the caller has closed."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def is_limited_by_parts(arguments: argparse.Namespace) -> bool:
    """Return whether the limits are for each theorem, each entry, each game, each cell or each call."""
    return arguments.command in LIMITED_BY_PARTS or getattr(arguments, "sweep", None) is not None


@contextlib.contextmanager
def limited(arguments: argparse.Namespace) -> Iterator[None]:
    """Let the command end by its limits, except where they are for each theorem or each entry."""
    if not hasattr(arguments, "max_memory") or is_limited_by_parts(arguments):
        yield
        return
    from fibprover.frontends.conversation.options import limits
    from fibprover.workspace.guard import enforced

    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(enforced(limits(arguments)))
        except BudgetSpent as spent:  # the program itself needs more than it may take
            if getattr(arguments, "json", False) is True:
                from fibprover.frontends.conversation.output import dumped, json_of_error

                print(dumped(json_of_error(spent)))
            raise
        yield


@contextlib.contextmanager
def _threaded(arguments: argparse.Namespace) -> Iterator[None]:
    """Let kernels use as many threads as the command line says, if it says so."""
    count: int | None = getattr(arguments, "threads", None)
    if count is None:
        yield
        return
    from fibprover.base.threads import threads

    with threads(count):
        yield


def _asking_for_help(words: list[str]) -> list[str]:
    """Return the command line that `fibprover help` and `fibprover help COMMAND` stand for; others as they are."""
    if words[:1] != ["help"] or (words[1:2] and words[1] not in COMMANDS):
        return words
    return [*words[1:2], "--help"]


def default_words() -> list[str]:
    """Return the arguments for an empty command line: a prompt on a terminal, else a script on standard input."""
    streams = (sys.stdin, sys.stdout)
    return ["prompt"] if all(stream is not None and stream.isatty() for stream in streams) else ["run", "-"]


def parser(argv: Sequence[str]) -> Parser:
    """Return the parser of command lines; commands that `argv` does not mention are listed, not imported."""
    top = Parser(
        prog="fibprover",
        description="Decides first-order statements about numbers in numeration systems and about automatic words.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"fibprover {__version__}")
    top.add_argument(
        "--print-completion", action=_PrintCompletion, metavar="SHELL", choices=("bash", "zsh", "fish"),
        help="print the script by which a shell completes command lines, for bash, zsh or fish",
    )
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=CommandParser)
    for name, summary in COMMANDS.items():
        command = commands.add_parser(
            name,
            help=summary,
            description=f"{summary[0].upper()}{summary[1:]}.",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        if name in argv:
            command.add_argument("--debug", action="store_true", help="show where an internal error happened")
            import_module(f"fibprover.frontends.cli.{name}").add_arguments(command)
    return top


class _PrintCompletion(argparse.Action):
    """The option that prints a completion script."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: object, values: object, option: object = None
    ) -> None:
        """Print the script and end the program."""
        from fibprover.frontends.cli.shells import completion_script

        print(completion_script(complete_parser(), str(values)))
        parser.exit()


def complete_parser() -> Parser:
    """Return the parser with the arguments of all commands."""
    return parser(list(COMMANDS))


def _warn_of_fallback(arguments: argparse.Namespace) -> None:
    """Say on standard error that Python stands in for the compiled kernels, unless a program reads the answer."""
    from fibprover.automata.kernels import FALLBACK, VARIABLE

    if FALLBACK and getattr(arguments, "json", None) not in (True, "-"):
        remedy = f"{VARIABLE}=python hides this line"
        _say(f"warning: the compiled kernels are missing, and those in Python are slower ({remedy})")


def _failed(message: str, status: int) -> int:
    """Print a message on standard error, after the output so far, and return the status."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except (OSError, ValueError):
        # The reader has closed the output, or the disk is full: Python must not try to write again when it exits.
        with contextlib.suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)
    if message:
        _say(message)
    return status


def _say(message: str) -> None:
    """Print a line on standard error."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):
            print(message, file=sys.stderr)


def prove_script(file: str | os.PathLike[str], argv: Sequence[str] | None = None, *, jobs: int | None = None) -> int:
    """Prove the theorems of one script as `fibprover prove FILE ...` does.

    Parameters:

    - file: the script
    - argv: further options, by default those of the command line if it is the script's own, else none (a notebook has
      a command line, too)
    - jobs: the number of theorems at once, 0 for one on each core, unless these options set it

    Returns: the exit status, 0 if all is proved.

    >>> from pathlib import Path
    >>> text = 'import fibprover as fp\\nc = fp.Chapter("Order")\\nc.theorem("last", "Ax Ey y>x", statement="None.")\\n'
    >>> written = Path("order.py").write_text(text)
    >>> from contextlib import redirect_stdout
    >>> with redirect_stdout(None):
    ...     status = fp.prove_script("order.py", [], jobs=1)
    >>> status
    0
    """
    wanted = [] if jobs is None else ["--jobs", str(jobs)]
    return main(["prove", os.fspath(file), *wanted, *(_options_of(file) if argv is None else argv)])


def _options_of(script: str | os.PathLike[str]) -> Sequence[str]:
    """Return the arguments of the command line that runs a script; none where it runs something else."""
    running = getattr(sys, "argv", None) or [""]
    return running[1:] if running[0] and os.path.realpath(running[0]) == os.path.realpath(script) else ()
