"""`--hard`: the command in a process of its own, which this one watches and kills if it does not end by its limits."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from pathlib import Path

from fibprover.base.errors import NotSupported
from fibprover.base.limits import UNBOUNDED, Budget, Limits
from fibprover.frontends.cli.status import SPENT
from fibprover.frontends.cli.termination import Terminated
from fibprover.workspace.supervision import KILLED, seconds_to_kill, supervise_this_process

#: Seconds between two looks at the process.
_PERIOD = 0.02

#: Bytes above the limit on memory at which the process is killed: it has been told to end long before.
_MARGIN = 64 << 20

#: What `prctl` is called with so that the process ends with the one that watches it, on Linux.
_PARENT_DEATH_SIGNAL = 1


def supervised(limits: Limits) -> int | None:
    """Begin a process that goes on with the command: return None there, and its exit status here once it has ended.

    limits: of the whole command; what has limits for each part is held by these alone.
    """
    if not hasattr(os, "fork"):
        raise NotSupported("--hard needs processes that fork, which this system has not", "--hard", 0)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    budget = limits.start()
    process = os.fork()
    if process == 0:
        _end_with_parent()
        supervise_this_process()
        return None
    return _status_of(process, budget)


def _end_with_parent() -> None:
    """Let the system end this process with the one that watches it, where it can."""
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGTERM)


def _status_of(process: int, budget: Budget) -> int:
    """Wait for a process, and kill it if it does not end by the budget; return the exit status of the command."""
    reason = ""
    while True:
        try:
            ended, status = os.waitpid(process, os.WNOHANG)
            if ended:
                break
            reason = reason or _excess(process, budget)
            if reason:
                os.kill(process, signal.SIGKILL)
            time.sleep(_PERIOD)
        except Terminated as ending:
            os.kill(process, ending.number)
        except KeyboardInterrupt:
            if not _has_terminal():  # a terminal sends Ctrl-C to both processes
                os.kill(process, signal.SIGINT)
    code = os.waitstatus_to_exitcode(status)
    if code == -signal.SIGPROF:
        reason = str(budget.spent("seconds").message) if budget.seconds_left() < float("inf") else "the budget is spent"
    if not reason:
        return code if code >= 0 else 128 - code
    print(f"budget spent: {reason}\n  hint: {KILLED}; raise the limit", file=sys.stderr, flush=True)
    return SPENT


def _excess(process: int, budget: Budget) -> str:
    """Return what a process has too much of, "" if nothing."""
    late = time.monotonic() - budget.deadline
    if late > 0 and late > seconds_to_kill(budget.seconds, 0.0):
        return budget.spent("seconds").message
    if budget.bytes < UNBOUNDED and _resident(process) > budget.bytes + _MARGIN:
        return budget.spent("bytes").message
    return ""


def _resident(process: int) -> int:
    """Return the resident memory of a process in bytes, 0 if it is unknown."""
    try:
        return int(Path(f"/proc/{process}/statm").read_bytes().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def _has_terminal() -> bool:
    """Return whether a terminal sends its signals to the group of this process."""
    try:
        return os.tcgetpgrp(0) == os.getpgrp()
    except OSError:
        return False
