"""The process in which `fibprover web` computes: it is killed where a cell does not end by its limits or by Stop.

One call is carried out at a time.  The session is in that process; after it was killed, or has died, there is a new
one, without the names that cells have defined.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from types import FrameType
from typing import TYPE_CHECKING, Any

from fibprover.base.errors import BudgetSpent, FibproverError
from fibprover.base.limits import Limits
from fibprover.campaigns.sweeps.processes import ending, is_spent
from fibprover.frontends.cli.tool_process import Interruptions, end_with_parent, lost_interruption
from fibprover.workspace.supervision import KILLED, seconds_to_kill, supervise_this_process

if TYPE_CHECKING:
    from fibprover.frontends.web.cells import Cells, Show

#: Seconds between two looks at a call that is carried out.
_PERIOD = 0.02

#: Seconds after which the process is killed that Stop should have interrupted.
_PATIENCE = 2.0

#: What is said where Stop has ended a cell, and where it had to kill the process.
STOPPED = "stopped; names that were defined before are kept"
LOST = "names that cells have defined are gone: run these cells again"


class CellProcess:
    """A process with `Cells`, which `make` returns there.  limits: of each call.

    Raises the error of `make`, such as that a file cannot be read, when the first call is made or `wait` is called.
    """

    def __init__(self, make: Callable[[], Cells], limits: Limits) -> None:
        self.make, self.limits = make, limits
        self._lock = threading.Lock()
        #: Set it to end the call that is carried out, and to refuse others.
        self.closing = threading.Event()
        self._calls = 0
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(self.make, theirs), daemon=True)
        self._process.start()
        theirs.close()
        self._ready = False

    def wait(self) -> None:
        """Wait until the process is ready; raise the error of `make`."""
        with self._lock:
            self._wait()

    def _wait(self) -> None:
        if self._ready:
            return
        try:
            problem = self._connection.recv()
        except (EOFError, OSError):
            raise FibproverError("the process that computes could not be started") from None
        if problem is not None:
            raise problem
        self._ready = True

    @property
    def is_busy(self) -> bool:
        """Whether a call is carried out."""
        return self._lock.locked()

    def close(self) -> None:
        """End the process, and the call that it carries out."""
        self.closing.set()
        self._end()

    def _end(self) -> None:
        self._process.kill()
        self._process.join()

    def run(self, kind: str, cell: str, show: Show, stop: threading.Event) -> dict[str, Any]:
        """Run a cell as `Cells.run` does; return {"good": whether it ended without an error}, or {"error": why not}.

        stop: ends the cell when it is set.  "lost" is true in the result if the process is a new one.
        """
        return self._called("run", (kind, cell), show, stop)

    def ask(self, question: str, arguments: str) -> dict[str, Any]:
        """Return {"answer": what `Cells.ask` returns}, or {"error": ...}."""
        return self._called("ask", (question, arguments), None, threading.Event())

    def _called(
        self, method: str, given: tuple[str, str], show: Show | None, stop: threading.Event
    ) -> dict[str, Any]:
        with self._lock:
            if self.closing.is_set():
                return {"error": "the server is ending"}
            try:
                self._wait()
            except (FibproverError, OSError, RuntimeError) as problem:  # that of `make`, in a process begun anew
                return {"error": str(problem)}
            try:
                self._calls += 1
                self._connection.send((self._calls, method, given))
                answer = self._awaited(show, stop)
            except (EOFError, OSError):
                answer = None
            if answer is not None:
                return answer
            return {"error": self._begun_anew(stop), "lost": True}

    def _awaited(self, show: Show | None, stop: threading.Event) -> dict[str, Any] | None:
        """Return the answer to the last call; None if the process has died of it, or has to be killed."""
        limit = self.limits.seconds
        end = float("inf") if limit is None else time.monotonic() + seconds_to_kill(limit, limit)
        begun = stopping = interrupted = False
        while not self.closing.is_set():
            if stop.is_set() and not stopping:
                stopping, end = True, min(end, time.monotonic() + _PATIENCE)
            if stopping and begun and not interrupted:  # before, the process ignores the signal
                interrupted = True
                self._interrupt()
            if time.monotonic() > end:
                return None
            if not self._connection.poll(_PERIOD):
                continue
            number, kind, content = self._connection.recv()
            if number != self._calls:
                continue
            if kind == "done":
                return dict(content)
            if kind == "begun":
                begun = True
            elif show is not None:
                show(content)
        return {"error": "the server is ending"}

    def _begun_anew(self, stop: threading.Event) -> str:
        """Start another process in place of the one that is lost; return why it is."""
        self._process.join(_PERIOD)
        how = ending(self._process.exitcode)
        alive = self._process.exitcode is None
        self._end()
        self._connection.close()
        if not self.closing.is_set():
            self._start()
        if alive and stop.is_set():
            return f"stopped: the process was killed; {LOST}"
        if alive or is_spent(how):
            if self.limits.seconds is None:
                return f"the process was killed by the system; {LOST}"
            spent = BudgetSpent("seconds", self.limits.seconds)
            return f"{spent.message}: {KILLED}; {LOST}"
        return f"the process that computes {how}; it may have had too little memory; {LOST}"

    def _interrupt(self) -> None:
        if self._process.pid is not None and sys.platform != "win32":
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._process.pid, signal.SIGINT)


# The functions below run in the process.


def _serve(make: Callable[[], Cells], connection: Connection) -> None:
    """Carry out calls until the connection ends."""
    # A terminal sends Ctrl-C to this process, too; only `CellProcess._interrupt` may interrupt, and only a call.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.unraisablehook = lost_interruption
    threading.Thread(target=end_with_parent, daemon=True).start()
    supervise_this_process()
    try:
        cells = make()
    except Exception as problem:
        connection.send(problem if isinstance(problem, FibproverError | OSError) else RuntimeError(repr(problem)))
        return
    connection.send(None)
    interruptions = _Interruptions()
    while True:
        try:
            number, method, given = connection.recv()
        except EOFError:
            return
        sending = _Sending(connection, number, interruptions)
        try:
            signal.signal(signal.SIGINT, interruptions.arrived)
            sending.send("begun", None)
            answer = _answer(cells, method, given, sending.show)
            interruptions.end()
        except KeyboardInterrupt:
            interruptions.end()
            answer = {"error": STOPPED}
        sending.send("done", answer)


def _answer(cells: Cells, method: str, given: tuple[str, str], show: Show) -> dict[str, Any]:
    """Return the answer to a call."""
    if method == "run":
        return {"good": cells.run(*given, show)}
    return {"answer": cells.ask(*given)}


class _Interruptions(Interruptions):
    """Those of a call, but not within a message: half of one would spoil the connection."""

    def __init__(self) -> None:
        super().__init__()
        self.sends = False

    def arrived(self, number: int, frame: FrameType | None) -> None:
        """Raise KeyboardInterrupt; within a message let the signal come again in a little while."""
        if self.sends:
            self.again.send(number)
        else:
            super().arrived(number, frame)


class _Sending:
    """The messages of one call, which its thread of progress sends as well."""

    def __init__(self, connection: Connection, number: int, interruptions: _Interruptions) -> None:
        self._connection, self._number, self._interruptions = connection, number, interruptions
        self._lock = threading.Lock()

    def show(self, event: str) -> None:
        """Send an event."""
        self.send("event", event)

    def send(self, kind: str, content: object) -> None:
        """Send a message as a whole."""
        main = threading.current_thread() is threading.main_thread()
        if main:
            self._interruptions.sends = True
        try:
            with self._lock:
                self._connection.send((self._number, kind, content))
        finally:
            if main:
                self._interruptions.sends = False
