"""The process in which `fibprover serve` computes: it is killed if a call does not end by its limits, and begun anew.

Calls are carried out one after the other. The session is in that process; the definitions that succeeded are kept
here, and made again after it was killed.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from types import FrameType
from typing import Any, cast

from fibprover.base.errors import BudgetSpent, FibproverError
from fibprover.base.imports import Imports
from fibprover.base.limits import Limits
from fibprover.campaigns.sweeps.processes import ending, is_spent
from fibprover.frontends.cli.termination import Again
from fibprover.frontends.conversation.output import Json, json_of_error
from fibprover.workspace.supervision import KILLED, seconds_to_kill, supervise_this_process

#: Seconds between two looks at a call that is carried out.
_PERIOD = 0.05

#: Seconds after which the process is killed that should have ended a call that was cancelled.
_CANCELLATION = 2.0

#: The tools whose calls change the session.
_DEFINING = ("define", "solve")


class ToolProcess:
    """A process with tools, the methods of an object that `make` returns there.

    limits: of each call.  Raises the error of `make`, such as that a file cannot be read.
    """

    def __init__(self, make: Callable[[], object], limits: Limits) -> None:
        self.make, self.limits = make, limits
        #: The calls that have defined names: the tool and its arguments.
        self.definitions: list[tuple[str, Mapping[str, Any]]] = []
        self.lock = threading.Lock()
        self.closed = threading.Event()
        #: The number of the last request: an answer that comes too late is that of another one.
        self.requests = 0
        self._start()

    def _start(self) -> None:
        """Begin a process."""
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(self.make, theirs), daemon=True)
        self.process.start()
        theirs.close()
        problem = self.connection.recv()
        if problem is not None:
            raise problem

    def _start_again(self) -> int:
        """Begin another process, and make the definitions there; return how many could not be made."""
        before = len(self.definitions)
        self._start()
        if self.closed.is_set():
            self._end()
            return 0
        for each in tuple(self.definitions):
            found = self._asked(*each, Cancellation())
            if found is None or not _defines(found):
                self.definitions.remove(each)
            if found is None:  # the process is dead, or still makes this definition
                self._end()
                return before - len(self.definitions) + self._start_again()
        return before - len(self.definitions)

    def close(self) -> None:
        """End the process, and carry out no further call."""
        self.closed.set()
        self._end()

    def _end(self) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()

    def answer(self, tool: str, arguments: Mapping[str, Any], cancellation: Cancellation) -> Json:
        """Return the answer of a tool; that the budget is spent if the process had to be killed."""
        with self.lock:
            if cancellation.asked.is_set() or self.closed.is_set():
                return {}
            found = self._asked(tool, arguments, cancellation)
            if self.closed.is_set():
                return {}
            if found is None:
                problem = self._problem(arguments)
                self._end()
                lost = self._start_again()
                problem.hint += f"; definitions of earlier calls are there again{f', but for {lost}' if lost else ''}"
                return json_of_error(problem)
            if tool in _DEFINING and _defines(found):
                self.definitions.append((tool, arguments))
            return found

    def _problem(self, arguments: Mapping[str, Any]) -> FibproverError:
        """Return the error about a call that has no answer: its time is up, or its process has died."""
        self.process.join(_PERIOD)
        how = ending(self.process.exitcode)
        if self.process.exitcode is None or is_spent(how):
            spent = BudgetSpent("seconds", self._seconds(arguments))
            spent.hint = KILLED
            return spent
        return FibproverError(f"the process that computes {how}", hint="it may have had too little memory")

    def _seconds(self, arguments: Mapping[str, Any]) -> float:
        """Return the seconds that a call may take."""
        most = self.limits.seconds or float("inf")
        asked = arguments.get("seconds") or 0.0
        return float(min(asked, most) if asked > 0 else most)

    def _asked(self, tool: str, arguments: Mapping[str, Any], cancellation: Cancellation) -> Json | None:
        """Return the answer of a tool, None if the process has died of it, or was killed."""
        seconds = self._seconds(arguments)
        end = time.monotonic() + seconds_to_kill(seconds, seconds) if seconds < float("inf") else seconds
        cancelled = False
        try:
            self.requests += 1
            self.connection.send((self.requests, tool, dict(arguments)))
            while True:
                while not self.connection.poll(_PERIOD):
                    if time.monotonic() > end:
                        return None
                    if cancellation.asked.is_set() and not cancelled:
                        cancelled, end = True, min(end, time.monotonic() + _CANCELLATION)
                        self._interrupt()
                number, found = self.connection.recv()
                if number == self.requests:
                    return cast("Json", found)
        except (EOFError, OSError):
            return None

    def _interrupt(self) -> None:
        """Let the process interrupt the call that it carries out."""
        if self.process.pid is not None and sys.platform != "win32":
            os.kill(self.process.pid, signal.SIGINT)


def _defines(found: Json) -> bool:
    """Return whether a call has defined names: one of several commands may have failed after others."""
    return bool(found.get("results")) if "results" in found else found.get("kind") != "error"


class Cancellation:
    """Whether a call was cancelled; for one call."""

    def __init__(self) -> None:
        self.asked = threading.Event()


# The functions below run in the process.


def _serve(make: Callable[[], object], connection: Connection) -> None:
    """Carry out calls until the connection ends."""
    # A terminal sends Ctrl-C to this process, too; only `ToolProcess._interrupt` may interrupt, and only a call.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.unraisablehook = lost_interruption
    threading.Thread(target=end_with_parent, daemon=True).start()
    supervise_this_process()
    try:
        tools = make()
    except Exception as problem:
        connection.send(problem if isinstance(problem, FibproverError | OSError) else RuntimeError(repr(problem)))
        return
    connection.send(None)
    interruptions = Interruptions()
    while True:
        try:
            number, tool, given = connection.recv()
        except EOFError:
            return
        try:
            signal.signal(signal.SIGINT, interruptions.arrived)
            found = getattr(tools, tool)(**given)
            interruptions.end()
        except KeyboardInterrupt:
            interruptions.end()
            found = {"kind": "error", "error": "Cancelled", "message": "the call was cancelled", "hint": ""}
        connection.send((number, found))


class Interruptions:
    """What ends a call that is cancelled, but not within an import: half of a library might be left to later calls."""

    def __init__(self) -> None:
        self._imports = Imports()
        self.again = Again()

    def arrived(self, number: int, frame: FrameType | None) -> None:
        """Raise KeyboardInterrupt; within an import let the signal come again in a little while."""
        if self._imports.shield(frame):
            self.again.send(number)
        else:
            signal.default_int_handler(number, frame)

    def end(self) -> None:
        """Ignore the signal, so that none of this call meets the next one."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        self.again.end()


def lost_interruption(what: sys.UnraisableHookArgs) -> None:
    """Say nothing of a cancellation that met a finalizer or callback, in which it gets lost: this process is killed."""
    if not isinstance(what.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(what)


def end_with_parent() -> None:
    """End this process after its parent process has ended, even in the middle of a call."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)
