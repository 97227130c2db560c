"""`%load_ext fibprover`: cells of commands in a notebook or terminal of IPython.

`%%fibprover` executes a cell in a session that is kept between cells; `%fibprover` sets options and returns that
session; `%showme NAME` draws an automaton.
"""

from __future__ import annotations

import argparse
import shlex
import time
from dataclasses import replace
from typing import NoReturn

from IPython.core.completer import CompletionContext, SimpleCompletion, SimpleMatcherResult, context_matcher
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, line_cell_magic, line_magic, magics_class
from IPython.display import display

from fibprover.base.limits import UNBOUNDED, SharedLimits
from fibprover.base.screen import escaped
from fibprover.frontends.conversation.options import (
    NO_LIMIT,
    add_evidence_argument,
    add_folder_arguments,
    add_limit_arguments,
    add_plan_argument,
    folders,
)
from fibprover.frontends.display.progress import Painter, Watch
from fibprover.frontends.display.watching import display_for, in_notebook
from fibprover.frontends.notebook.completion import completion
from fibprover.frontends.notebook.conversation import Answer, Conversation
from fibprover.prover.decide import Options
from fibprover.workspace.guard import enforced, limits_with_memory
from fibprover.workspace.session import Session

_HEAD = "%%fibprover"

#: How argparse says that there is more than options.
_UNEXPECTED = "unrecognized arguments: "

_OPTIONS = """\
  --system NAME      numeration system where a formula names none, from now on
  --shared-digits    read indices and arguments of another system by their digits, from now on
  --session NAME     the session in this variable, new if there is none; by default one of the cells
  --reset            a new session
  --home-dir DIR, --session-dir DIR, --global-session
                     Walnut's folders, from now on
  --plan NAME, --without RULE, --no-evidence, --timeout SECONDS, --max-memory SIZE, --max-states N, --progress MODE
                     as on the command line; in a cell for this cell, in a line from now on
"""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C in a cell, displayed without a traceback."""

    def _render_traceback_(self) -> list[str]:
        return ["interrupted; earlier results are kept"]


class _Arguments(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        rest = message.removeprefix(_UNEXPECTED)
        if rest != message and not rest.startswith("-"):
            raise UsageError(
                f"{self.prog}: formulas and commands stand in the lines below {_HEAD}, not next to it like {rest}:\n\n"
                f"{_HEAD}\n{rest}"
            )
        raise UsageError(f"{self.prog}: {message}\n{_OPTIONS}")


def _parser() -> argparse.ArgumentParser:
    parser = _Arguments(prog="fibprover", add_help=False, allow_abbrev=False)
    parser.add_argument("--system")
    parser.add_argument("--shared-digits", action="store_true")
    parser.add_argument("--session")
    parser.add_argument("--reset", action="store_true")
    add_plan_argument(parser)
    add_evidence_argument(parser)
    add_limit_arguments(parser, cpu=False, hard=False)
    add_folder_arguments(parser)
    parser.set_defaults(plan=None)
    return parser


@magics_class
class FibproverMagics(Magics):
    """The magics of one shell, `running`; `conversation` is that of the last cell.

    home: Walnut's folder, for the sessions that the magics create.
    """

    def __init__(self, shell: InteractiveShell, home: str = "") -> None:
        super().__init__(shell)
        self.running = shell
        self.home = home
        self.own = self._new()
        self.named: dict[str, Conversation] = {}
        self.conversation = self.own
        self.progress = "auto"

    @line_cell_magic
    def fibprover(self, line: str, cell: str | None = None) -> Session | None:
        """Execute a cell of commands; for a line, set options and return the session.

        For example, in a cell:

            %%fibprover --system msd_fib
            def even "Ey x=2*y";
            Ax $even(x+x)

        and, in Python, s = %fibprover; s.relation("$even(x)").  A wrong option lists all options.
        """
        arguments = self._parsed(line)
        conversation = self.conversation = self._conversation(arguments)
        session = conversation.session
        if arguments.system is not None:
            names = session.namespace
            names.default_system, names.system_chosen = names.system(arguments.system).name, True
        session.namespace.shared_digits |= arguments.shared_digits
        places = folders(arguments)
        if places is not None:
            session.use_folders(places.home, places.session)
        before = session.options
        session.options = _changed(before, arguments, for_cell=cell is not None)
        if cell is None:
            self.progress = arguments.progress
            return session
        try:
            self._execute(conversation, cell, arguments.progress)
        finally:
            session.options = before
        return None

    @line_magic
    def showme(self, line: str) -> None:
        """Draw the automaton of a name: `%showme NAME`, `%showme NAME limit=300`."""
        show(self.conversation.shown(line))

    def _execute(self, conversation: Conversation, cell: str, mode: str) -> None:
        watch = Watch()
        limits = replace(conversation.session.options.limits, cpu_seconds=None)  # those are for each evaluation
        if not isinstance(limits, SharedLimits):
            limits = replace(limits, seconds=None)  # and those
        mode = self.progress if mode == "auto" else mode
        try:
            with enforced(limits), Painter(watch, display_for(watch, mode)) as painter:
                for answer in conversation.answers(cell, watch):
                    with painter.lock:
                        if not in_notebook():
                            painter.hide()
                        show(answer)
        except KeyboardInterrupt:
            raise Interrupted from None

    def _parsed(self, line: str) -> argparse.Namespace:
        try:
            return _parser().parse_args(shlex.split(line))
        except ValueError as error:
            raise UsageError(f"{error} in the options of {_HEAD}") from None

    def _conversation(self, arguments: argparse.Namespace) -> Conversation:
        """Return the conversation that the options select: with a session in a variable, or the default one."""
        if arguments.session is None:
            if arguments.reset:
                self.own = self._new()
            return self.own
        name = arguments.session
        if not name.isidentifier():
            raise UsageError(f"{name!r} is not a name of a variable")
        there = self.running.user_ns.get(name)
        if there is None or arguments.reset:
            there = self.running.user_ns[name] = Session()
        if not isinstance(there, Session):
            raise UsageError(f"{name} is not a fibprover.Session")
        known = self.named.get(name)
        if known is None or known.session is not there:
            known = self.named[name] = Conversation(there, self._other_magics)
        return known

    def _new(self) -> Conversation:
        """Return a conversation with a new session."""
        session = Session()
        if self.home:
            session.use_folders(self.home)
        return Conversation(session, self._other_magics)

    def _other_magics(self, name: str, rest: str) -> bool:
        """Execute a magic of IPython or a command of the system; return False for an unknown magic."""
        if name == "!":
            self.running.system(rest)
            return True
        if name in ("fibprover", "") or self.running.find_line_magic(name) is None:
            return False
        value = self.running.run_line_magic(name, rest)
        if value is not None:
            display(value)
        return True

    def complete(self, context: CompletionContext) -> SimpleMatcherResult:
        """Return the completions at the cursor in a cell of commands."""
        head, *lines = context.full_text.split("\n")
        if head.split()[:1] != [_HEAD] or not context.cursor_line:
            return {"completions": [], "suppress": False}
        cell = "\n".join(lines)
        cursor = sum(len(line) + 1 for line in lines[: context.cursor_line - 1]) + context.cursor_position
        found = completion(cell, cursor, self.conversation.session)
        return {
            "completions": [SimpleCompletion(text) for text in found.texts],
            "matched_fragment": cell[found.start : cursor],
            "suppress": True,
        }


def _changed(options: Options, arguments: argparse.Namespace, *, for_cell: bool) -> Options:
    """Return options with the changes of the arguments; the seconds of a cell are for all its commands together."""
    limits = replace(
        options.limits, states=arguments.max_states or options.limits.states,
        bytes=UNBOUNDED if arguments.max_memory == NO_LIMIT else arguments.max_memory or options.limits.bytes,
    )
    if arguments.timeout is not None and for_cell:
        end = time.monotonic() + arguments.timeout
        limits = SharedLimits(
            limits.states, limits.transitions, limits.bytes, arguments.timeout, limits.memory_hint, limits.cpu_seconds,
            deadline=end,
        )
    elif arguments.timeout is not None:
        limits = replace(limits, seconds=arguments.timeout)
    if for_cell:
        limits = limits_with_memory(limits)
    return replace(
        options, plan=arguments.plan or options.plan, limits=limits,
        without=frozenset(arguments.without) or options.without,
        evidence=options.evidence and not arguments.no_evidence,
    )


def show(answer: Answer) -> None:
    """Display an answer in the output of the cell."""
    display({"text/plain": escaped(answer.text), "text/html": answer.html}, raw=True)


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Install the magics, for `%load_ext fibprover`."""
    installed(shell)


def installed(shell: InteractiveShell, home: str = "") -> FibproverMagics:
    """Register the magics and the completion in a shell, once, so that a session survives %reload_ext; return them.

    home: Walnut's folder, where names are read and written, or "".
    """
    there = shell.magics_manager.registry.get(FibproverMagics.__name__)
    if isinstance(there, FibproverMagics):
        return there
    magics = FibproverMagics(shell, home)
    shell.register_magics(magics)

    def matcher(context: CompletionContext) -> SimpleMatcherResult:
        return magics.complete(context)

    if shell.Completer is not None:
        shell.Completer.custom_matchers.append(context_matcher(identifier="fibprover")(matcher))
    return magics
