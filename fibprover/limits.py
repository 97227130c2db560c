"""Budgets of a computation: what it may spend before it stops with a clean error.

`Limits` is what a user asks for; `Limits.start()` turns it into a `Budget`, in which the
seconds have become a point on the monotonic clock.  Both are immutable; a budget is handed
down from the session to every kernel, which polls it.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from fibprover.errors import BudgetSpent, LimitError

#: Stands for "no bound" where a kernel wants a number.
UNBOUNDED = (1 << 62) - 1


class Growing(Protocol):
    """Something under construction that knows its size."""

    @property
    def states(self) -> int:
        """States so far."""


class Gauge:
    """What is being computed at this moment: written by the computation, read by a display in another thread.

    texts: the subformulas under evaluation, outermost first; building: what is under construction, "" if
    nothing is; meter: its size, which kernels keep up to date without the interpreter.
    """

    __slots__ = ("building", "meter", "texts")

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.building = ""
        self.meter: Growing | None = None

    def enter(self, building: str, meter: Growing) -> None:
        """Notes what is under construction from now on."""
        self.building, self.meter = building, meter

    def leave(self) -> None:
        """Notes that it is finished."""
        self.building, self.meter = "", None

    def __reduce__(self) -> tuple[type[Gauge], tuple[()]]:
        """A gauge of another process has nothing to show yet."""
        return Gauge, ()


@dataclass(frozen=True, slots=True)
class Budget:
    """Bounds in force: automaton sizes, resident bytes of the process, a monotonic deadline.

    gauge: where to show what is being built, for a display of progress.
    """

    states: int = UNBOUNDED
    transitions: int = UNBOUNDED
    bytes: int = UNBOUNDED
    deadline: float = float("inf")
    gauge: Gauge | None = field(default=None, compare=False, repr=False)

    def seconds_left(self) -> float:
        """Seconds until the deadline; negative once it has passed, infinite without one."""
        return self.deadline - time.monotonic()


@dataclass(frozen=True, slots=True)
class Limits:
    """What one evaluation may spend; `None` means no bound.

    states, transitions: of any one automaton while it is built.
    bytes: resident memory of the whole process.
    seconds: wall time from `start()`.
    gauge: no limit, but where the computation shows what it builds.
    """

    states: int | None = None
    transitions: int | None = None
    bytes: int | None = None
    seconds: float | None = None
    gauge: Gauge | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        for name in ("states", "transitions", "bytes", "seconds"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise LimitError(f"the limit on {name} must be positive, not {value}")

    def start(self) -> Budget:
        """The budget of an evaluation that begins now."""
        return Budget(
            states=UNBOUNDED if self.states is None else min(self.states, UNBOUNDED),
            transitions=UNBOUNDED if self.transitions is None else min(self.transitions, UNBOUNDED),
            bytes=UNBOUNDED if self.bytes is None else min(self.bytes, UNBOUNDED),
            deadline=float("inf") if self.seconds is None else time.monotonic() + self.seconds,
            gauge=self.gauge,
        )


#: A budget without bounds, for small work such as setting up a numeration system.
UNLIMITED = Budget()



# ---- memory
# The peak memory of one piece of work within a process.
#
# Linux keeps the high-water mark of a process's resident memory and lets the process reset it, so a
# peak belongs to the work since the reset (it includes what the process holds anyway, some 20 MB of
# interpreter and libraries).  Elsewhere the peak is that of the whole process so far, or unknown.  Of
# several processes each has a mark of its own; what they share after a fork counts for all of them.

_CLEAR, _STATUS = Path("/proc/self/clear_refs"), Path("/proc/self/status")


def reset_peak() -> None:
    """Starts the high-water mark anew, where the platform can."""
    try:
        _CLEAR.write_text("5")
    except OSError:
        return


def peak_bytes() -> int | None:
    """The high-water mark of resident memory, in bytes; None where it cannot be known."""
    try:
        for line in _STATUS.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    return _peak_of_process()


def _peak_of_process() -> int | None:
    if sys.platform == "win32":
        return None
    from resource import RUSAGE_SELF, getrusage  # not on every platform

    peak = getrusage(RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024



# ---- spending
# Budgets of the constructions written in Python: polled once a state.

def spend(budget: Budget, states: int, during: str) -> None:
    """BudgetSpent if there are more states than allowed, or no time is left."""
    if states > budget.states:
        raise BudgetSpent("states", budget.states, states=states, during=during)
    if budget.seconds_left() < 0:
        raise BudgetSpent("seconds", 0, states=states, during=during)
