"""Limits of a computation, which stops with BudgetSpent when it exceeds one.

`Limits` is what a user allows one evaluation, `SharedLimits` what several may spend together; `start()` turns
them into a `Budget`, in which the seconds become a deadline on the monotonic clock.  All are immutable; a budget is
passed from the session to every kernel, which polls it.  A budget also names the `Gauge` of the display that
observes the computation (`observed_by`), if there is one.  `check_budget` is for constructions written in
Python; `reset_peak` and `peak_bytes` measure the peak memory of the process.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from fibprover.errors import BudgetSpent, LimitError

#: Stands for "no bound" where a kernel needs a number.
UNBOUNDED = (1 << 62) - 1


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits that a user sets for one evaluation; `None` means no bound.

    states, transitions: of any one automaton while it is built.
    bytes: resident memory of the whole process.
    seconds: wall time from `start()`.
    """

    states: int | None = None
    transitions: int | None = None
    bytes: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name in ("states", "transitions", "bytes", "seconds"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise LimitError(f"the limit on {name} must be positive, not {value}")

    def start(self) -> Budget:
        """Return the budget of an evaluation that begins now, observed by the current gauge."""
        return Budget(
            states=UNBOUNDED if self.states is None else min(self.states, UNBOUNDED),
            transitions=UNBOUNDED if self.transitions is None else min(self.transitions, UNBOUNDED),
            bytes=UNBOUNDED if self.bytes is None else min(self.bytes, UNBOUNDED),
            deadline=float("inf") if self.seconds is None else time.monotonic() + self.seconds,
            seconds=self.seconds or 0.0,
            gauge=_CURRENT_GAUGE.get(),
        )


@dataclass(frozen=True, slots=True)
class SharedLimits(Limits):
    """Limits of several evaluations together: their seconds end at one moment, a value of time.monotonic()."""

    deadline: float = float("inf")

    def start(self) -> Budget:
        """Return a budget that ends at the deadline."""
        return replace(Limits.start(self), deadline=self.deadline)


@dataclass(frozen=True, slots=True)
class Budget:
    """The bounds of a running evaluation: automaton sizes, resident bytes of the process, a monotonic deadline.

    seconds: the limit that the deadline comes from, which messages name; 0 if only the deadline is known.
    gauge: records what is being built, for a display; None if no display observes the computation.
    """

    states: int = UNBOUNDED
    transitions: int = UNBOUNDED
    bytes: int = UNBOUNDED
    deadline: float = float("inf")
    seconds: float = 0.0
    gauge: Gauge | None = field(default=None, compare=False, repr=False)

    def seconds_left(self) -> float:
        """Return the seconds until the deadline: negative after it, infinite without one."""
        return self.deadline - time.monotonic()

    def time_spent(self, during: str = "", *, states: int = 0, transitions: int = 0) -> BudgetSpent:
        """Return the error for a deadline that has passed: users know their limit, not what was left of it."""
        return BudgetSpent("seconds", self.seconds, states=states, transitions=transitions, during=during)

    def remaining(self) -> Limits:
        """Return the limits of further evaluations within this budget; their seconds end with its own."""
        states, transitions, room = (
            None if bound >= UNBOUNDED else bound for bound in (self.states, self.transitions, self.bytes)
        )
        if self.deadline == float("inf"):
            return Limits(states, transitions, room)
        return SharedLimits(states, transitions, room, max(self.seconds, 0.001), deadline=self.deadline)


#: A budget without bounds, for small work such as setting up a numeration system.
UNLIMITED = Budget()


def check_budget(budget: Budget, states: int, during: str) -> None:
    """Raise BudgetSpent if a construction has more states than allowed, or the deadline has passed."""
    if states > budget.states:
        raise BudgetSpent("states", budget.states, states=states, during=during)
    if budget.seconds_left() < 0:
        raise budget.time_spent(during, states=states)


class MeteredSize(Protocol):
    """A construction whose size can be read while it runs."""

    @property
    def states(self) -> int:
        """The number of states so far."""


class Gauge:
    """The state of a running computation: written by the computation, read by a display in another thread.

    texts: the subformulas under evaluation, outermost first; building: what is being built, "" if
    nothing is; meter: its size, which kernels keep up to date without the interpreter.
    """

    __slots__ = ("building", "meter", "texts")

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.building = ""
        self.meter: MeteredSize | None = None

    def enter(self, building: str, meter: MeteredSize) -> None:
        """Record that a construction begins."""
        self.building, self.meter = building, meter

    def leave(self) -> None:
        """Record that the construction has ended."""
        self.building, self.meter = "", None


#: The gauge of the display that observes what is computed in this context.
_CURRENT_GAUGE: ContextVar[Gauge | None] = ContextVar("gauge", default=None)


@contextmanager
def observed_by(gauge: Gauge) -> Iterator[None]:
    """Let budgets that start within the block record on this gauge what is built."""
    before = _CURRENT_GAUGE.get()
    _CURRENT_GAUGE.set(gauge)
    try:
        yield
    finally:
        _CURRENT_GAUGE.set(before)


# Linux keeps the high-water mark of a process's resident memory and lets the process reset it, so a
# peak belongs to the work since the reset (it includes about 20 MB of interpreter and libraries).  On other
# platforms the peak is that of the whole process so far, or unknown.  Each process has its own mark; memory
# that processes share after a fork counts for all of them.

_CLEAR, _STATUS = Path("/proc/self/clear_refs"), Path("/proc/self/status")


def reset_peak() -> None:
    """Reset the high-water mark, if the platform supports it."""
    try:
        _CLEAR.write_text("5")
    except OSError:
        return


def peak_bytes() -> int | None:
    """Return the high-water mark of resident memory in bytes, None if it is unknown."""
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
    from resource import RUSAGE_SELF, getrusage  # missing on some platforms

    peak = getrusage(RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
