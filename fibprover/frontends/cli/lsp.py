"""`fibprover lsp`: the language server, which an editor starts to understand scripts and formulas."""

from __future__ import annotations

import argparse
import asyncio
import os
import pickle
import sys
import threading
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import partial
from importlib.util import find_spec
from typing import Any

from fibprover.base.errors import NotInstalled
from fibprover.base.limits import Limits
from fibprover.frontends.cli.status import TRUE
from fibprover.frontends.cli.tool_process import Cancellation, ToolProcess
from fibprover.frontends.conversation import options
from fibprover.frontends.editor.running import Evaluations
from fibprover.workspace.session import Session

_EXAMPLES = """\
examples:
  fibprover lsp
  fibprover lsp --system msd_fib --timeout 30

The editor starts this command and exchanges messages with it on standard input and output.  It needs
pip install 'fibprover[lsp]'; docs/editors.md says how to set up an editor.
"""

#: Seconds of what a lens evaluates, unless --timeout says otherwise.
SECONDS = 10.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = _EXAMPLES
    parser.add_argument("--stdio", action="store_true", help="standard input and output, which is the only way anyhow")
    options.add_plan_argument(parser)
    options.add_session_arguments(parser)
    options.add_limit_arguments(parser, hard=False, cpu=False, wall="seconds of an evaluation on request (default 10)")


def run(arguments: argparse.Namespace) -> int:
    """Serve until the editor ends the server or closes standard input."""
    if find_spec("pygls") is None:
        raise NotInstalled(
            "the language server needs the package pygls, which is not installed", hint="pip install 'fibprover[lsp]'"
        )
    from fibprover.frontends.editor.server import EditorServer

    seconds = arguments.timeout or SECONDS
    limits = Limits(arguments.max_states, seconds=seconds, **options.memory_of(arguments))
    arguments.timeout = None
    make = Sessions(arguments)
    make("")  # what is wrong with the options is said now
    process = _LateProcess(partial(evaluations_of, arguments, limits), limits)

    async def ask(method: str, **given: Any) -> dict[str, Any]:
        cancellation = Cancellation()
        try:
            return await asyncio.to_thread(process.answer, method, given, cancellation)
        except asyncio.CancelledError:
            cancellation.asked.set()
            raise

    try:
        # The protocol closes its streams, which are copies of those of the program; nothing else may write there.
        with os.fdopen(os.dup(0), "rb") as read, os.fdopen(os.dup(1), "wb") as written, redirect_stdout(sys.stderr):
            EditorServer(make, ask, seconds).protocol.start_io(read, written)
    finally:
        process.close()
    return TRUE


class _LateProcess:
    """The process that evaluates, which begins with the first request: an editor may only want diagnostics."""

    def __init__(self, make: Callable[[], object], limits: Limits) -> None:
        self.make, self.limits = make, limits
        self.lock = threading.Lock()
        self.process: ToolProcess | None = None
        self.closed = False

    def answer(self, method: str, given: dict[str, Any], cancellation: Cancellation) -> dict[str, Any]:
        """Answer a request; nothing once the server has ended."""
        with self.lock:
            if self.closed:
                return {}
            self.process = self.process or ToolProcess(self.make, self.limits)
        return self.process.answer(method, given, cancellation)

    def close(self) -> None:
        """End the process, if it has begun."""
        with self.lock:
            self.closed = True
            if self.process is not None:
                self.process.close()


def evaluations_of(arguments: argparse.Namespace, limits: Limits) -> Evaluations:
    """Return what evaluates, in the process that does."""
    return Evaluations(Sessions(arguments), limits)


class Sessions:
    """Makes sessions of a command line: the files that it names are read once for each numeration system."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.arguments = arguments
        self.made: dict[str, bytes] = {}

    def __call__(self, system: str) -> Session:
        """Return a new session, with a numeration system of its own if one is named."""
        if system not in self.made:
            own = {"system": system or self.arguments.system, "cpu_timeout": None}
            self.made[system] = pickle.dumps(options.session(argparse.Namespace(**{**vars(self.arguments), **own})))
        found: Session = pickle.loads(self.made[system])
        return found
