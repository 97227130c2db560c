"""Processes whose limits no call of C escapes: the operating system itself ends them, or refuses them memory.

A timer of this process can interrupt Python and the kernels, which poll; it cannot interrupt a long call of another
library in C.  In a process that another one watches (`supervise_this_process`: workers, the process of `serve`, that of
`--hard`), every block of `fibprover.workspace.guard.enforced` therefore has a limit on its address space, and a timer
of CPU time whose signal, SIGPROF, kills the process.  The other process says then that the budget is spent.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from fibprover.base.limits import UNBOUNDED, Budget

#: The process is killed after this multiple of its CPU seconds, and so many seconds: what can be interrupted has ended
#: by then.
KILL_MULTIPLE, KILL_SECONDS = 1.1, 0.5

#: The most seconds of a timer of the system, which takes no number of any size: three years.
_LONGEST = 1e8

#: Bytes of address space above the limit on resident memory; and those that numpy takes when it is imported, of which
#: few are ever resident.
SLACK, LIBRARIES = 96 << 20, 128 << 20

#: The words of the message about a process that had to be killed.
KILLED = "its process was killed, since the computation could not be interrupted"

_SUPERVISED: ContextVar[bool] = ContextVar("supervised", default=False)


def supervise_this_process() -> None:
    """Let the system enforce the limits of all that this process computes from now on; another process watches it."""
    _SUPERVISED.set(True)


@contextmanager
def by_system(budget: Budget) -> Iterator[None]:
    """Let the system enforce a budget within the block, if this process is supervised.

    Raises BudgetSpent where the system refuses memory because of it.
    """
    if not _SUPERVISED.get() or sys.platform == "win32":
        yield
        return
    kill = _arm(budget)
    before = _limit_address_space(budget)
    try:
        yield
    except MemoryError:
        if before is None:
            raise  # the machine has no more, whatever the budget is
        raise budget.spent("bytes") from None
    finally:
        if kill:
            signal.setitimer(signal.ITIMER_PROF, 0)
        if before is not None:
            _set_address_space(before)


def seconds_to_kill(limit: float, left: float) -> float:
    """Return the seconds after which a process is killed that may take so many more of a limit."""
    return max(left, 0.0) + (KILL_MULTIPLE - 1) * limit + KILL_SECONDS


def _arm(budget: Budget) -> bool:
    """Start the timer that kills this process; return whether it was started, as it is by the outermost block only."""
    left = budget.seconds_left()
    if left == float("inf") or signal.getitimer(signal.ITIMER_PROF)[0] > 0:
        return False
    until = min(seconds_to_kill(budget.cpu_seconds or budget.seconds, left), _LONGEST)
    signal.setitimer(signal.ITIMER_PROF, until)
    return True


def _limit_address_space(budget: Budget) -> tuple[int, int] | None:
    """Limit the address space; return the limits before, None if there is nothing to limit or the system cannot."""
    if budget.bytes >= UNBOUNDED:
        return None
    try:
        from resource import RLIM_INFINITY, RLIMIT_AS, getrlimit

        with open("/proc/self/statm", "rb") as file:
            mapped, resident = (int(pages) * os.sysconf("SC_PAGE_SIZE") for pages in file.read().split()[:2])
    except (ImportError, OSError):
        return None
    before = getrlimit(RLIMIT_AS)
    slack = SLACK + (0 if "numpy" in sys.modules else LIBRARIES)
    most = mapped + max(0, budget.bytes - resident) + slack
    if before[0] != RLIM_INFINITY and before[0] <= most:
        return None
    _set_address_space((most, before[1]))
    return before


def _set_address_space(limits: tuple[int, int]) -> None:
    from resource import RLIMIT_AS, setrlimit

    setrlimit(RLIMIT_AS, limits)
