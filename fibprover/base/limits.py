"""Limits of a computation, which stops with BudgetSpent when it exceeds one.

`Limits` is what a user allows one evaluation, `SharedLimits` what several may spend together; `start()` turns
them into a `Budget`, in which the seconds become deadlines: those of wall time on the monotonic clock, those of CPU
time on `cpu_clock`.  What a computation tries for a while, and what it does then, is bounded by CPU time, so that the
result does not depend on what else the machine does.  All are immutable; a budget is passed from the session to every
kernel, which polls it.  A budget also names the `Gauge` of the display that
observes the computation (`observed_by`), if there is one.

A budget also holds for the context in which it is spent (`spending`): whatever starts there ends by its deadline and
stays within its bytes, whether or not it was handed a budget (`effective`).  `check_budget` is for constructions
written in Python that have a budget, `poll` for the others, such as parsers; both look at the clock and, now and
then, at the memory of the process.  `reset_peak` and `peak_bytes` measure the peak memory of the process.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

from fibprover.base.errors import BudgetSpent, LimitError
from fibprover.base.meanwhile import on_top

if sys.platform == "win32":
    from fibprover.base import windows

Item = TypeVar("Item")

#: Stands for "no bound" where a kernel needs a number.
UNBOUNDED = (1 << 62) - 1

#: The CPU time of this thread, in seconds; that of the process where threads have no clock of their own, as in a
#: browser.
cpu_clock: Callable[[], float] = getattr(time, "thread_time", time.process_time)

#: The wall time of a part, as a multiple of its CPU seconds (`limits_of_part`).
PATIENCE = 4.0

#: Seconds between two looks at the memory of the process while there is plenty of room.  A look takes some 40
#: microseconds, as long as a small kernel call.
MEMORY_INTERVAL = 0.02

#: More bytes than a process can take within MEMORY_INTERVAL.
PLENTY = 256 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits that a user sets for one evaluation; `None` means no bound.

    Parameters:

    - states: of any one automaton while it is built
    - transitions: likewise
    - bytes: of resident memory of the whole process
    - seconds: of wall time from `start()`
    - memory_hint: what to do when the memory is spent, for the message
    - cpu_seconds: of CPU time of the thread from `start()`, in the thread that spends them

    Errors: LimitError for a limit that is no positive number.

    >>> s = fp.Session(limits=fp.Limits(seconds=60, states=10**6))
    >>> bool(s.prove("Ax Ey y>x", limits=fp.Limits(seconds=5)))
    True
    """

    states: int | None = None
    transitions: int | None = None
    bytes: int | None = None
    seconds: float | None = None
    memory_hint: str = field(default="", compare=False, repr=False)
    cpu_seconds: float | None = None

    def __post_init__(self) -> None:
        for name in ("states", "transitions", "bytes", "seconds", "cpu_seconds"):
            value = getattr(self, name)
            if value is not None and not _is_positive(value, name):
                raise LimitError(f"the limit on {name} must be positive, not {value}")

    def start(self) -> Budget:
        """Return the budget of an evaluation that begins now, observed by the current gauge.

        It ends no later than the budget that is being spent in this context, and may use no more bytes.
        """
        own = Budget(
            states=UNBOUNDED if self.states is None else min(self.states, UNBOUNDED),
            transitions=UNBOUNDED if self.transitions is None else min(self.transitions, UNBOUNDED),
            bytes=UNBOUNDED if self.bytes is None else min(self.bytes, UNBOUNDED),
            deadline=self.deadline_from(time.monotonic()),
            seconds=self.seconds or 0.0,
            memory_hint=self.memory_hint,
            gauge=_GAUGES.get()[-1],
            cpu_deadline=float("inf") if self.cpu_seconds is None else self.cpu_deadline_from(cpu_clock()),
            cpu_seconds=self.cpu_seconds or 0.0,
        )
        return effective(own)

    def within(self, cpu_seconds: float | None) -> Limits:
        """Return the limits of a part of the evaluation, which may take so many CPU seconds from its own start."""
        return Limits(self.states, self.transitions, self.bytes, None, self.memory_hint, cpu_seconds)

    def part(self, seconds: float) -> Limits:
        """Return the limits of a part of the evaluation, with so many of the seconds that the whole is limited in: CPU
        seconds, as `limits_of_part` has them, if it is limited in these, else those of wall time.
        """
        if self.cpu_seconds is None:
            return replace(self.within(None), seconds=seconds)
        return limits_of_part(seconds, self.within(None))

    def share(self, part: float) -> Limits:
        """Return the limits of a part of the evaluation, with this part of its seconds."""
        whole = self.cpu_seconds or self.seconds
        return self.within(None) if whole is None else self.part(part * whole)

    def deadline_from(self, now: float) -> float:
        """Return the end of an evaluation that begins at this moment of the monotonic clock."""
        return float("inf") if self.seconds is None else now + self.seconds

    def cpu_deadline_from(self, now: float) -> float:
        """Return the end of an evaluation that begins at this moment of `cpu_clock`."""
        return float("inf") if self.cpu_seconds is None else now + self.cpu_seconds


def limits_of_part(seconds: float | None, limits: Limits = Limits()) -> Limits:
    """Return limits with so many CPU seconds, and PATIENCE times as many seconds of wall time.

    They are for one of the parts of long work whose result is kept or compared: a theorem, a game, a line of a sheet.
    Whether a part is decided should not depend on what else the machine does, but no part may wait for ever.
    """
    return replace(limits, seconds=None if seconds is None else PATIENCE * seconds, cpu_seconds=seconds)


def _is_positive(value: Any, name: str) -> bool:
    """Return whether a limit is positive; raises LimitError for what is no number."""
    try:
        return bool(value > 0)
    except TypeError:
        raise LimitError(f"the limit on {name} is a number, not {value!r}") from None


def check_limits(given: object) -> None:
    """Raise LimitError unless `given` is a Limits; a number of seconds alone is not one."""
    if not isinstance(given, Limits):
        raise LimitError(f"limits are a fibprover.Limits, not {given!r}", hint="such as Limits(seconds=5)")


@dataclass(frozen=True, slots=True)
class SharedLimits(Limits):
    """Limits of several evaluations together: the seconds count from one moment, and end at the deadlines.

    Where there is no deadline of CPU time, the CPU seconds are those of each evaluation.
    """

    deadline: float = float("inf")
    cpu_deadline: float = float("inf")

    def deadline_from(self, now: float) -> float:
        """Return the deadline; `now` does not change it."""
        return self.deadline

    def cpu_deadline_from(self, now: float) -> float:
        """Return the deadline of CPU time; `now` does not change it if there is one."""
        if self.cpu_deadline == float("inf"):
            return Limits.cpu_deadline_from(self, now)
        return self.cpu_deadline


class Pulse:
    """The resident memory of the process when it was looked at last, and the moments when the next looks are due.

    due: at the memory; cpu_due: at the CPU time.
    """

    __slots__ = ("cpu_due", "due", "held")

    def __init__(self) -> None:
        self.due = self.cpu_due = 0.0
        self.held = 0


@dataclass(frozen=True, slots=True)
class Budget:
    """The bounds of a running evaluation: automaton sizes, resident bytes of the process, deadlines.

    deadline: a moment of the monotonic clock; cpu_deadline: a moment of `cpu_clock`.
    seconds, cpu_seconds: the limits that the deadlines come from, which messages name; 0 if only those are known.
    memory_hint: as in Limits.
    gauge: records what is being built, for a display; None if no display observes the computation.
    """

    states: int = UNBOUNDED
    transitions: int = UNBOUNDED
    bytes: int = UNBOUNDED
    deadline: float = float("inf")
    seconds: float = 0.0
    memory_hint: str = field(default="", compare=False, repr=False)
    gauge: Gauge | None = field(default=None, compare=False, repr=False)
    pulse: Pulse = field(default_factory=Pulse, compare=False, repr=False)
    cpu_deadline: float = float("inf")
    cpu_seconds: float = 0.0

    def seconds_left(self) -> float:
        """Return the seconds until a deadline, that of CPU time or of wall time: negative after it, infinite without
        one.
        """
        left = self.deadline - time.monotonic()
        return left if self.cpu_deadline == float("inf") else min(left, self.cpu_deadline - cpu_clock())

    def is_late(self, now: float) -> bool:
        """Return whether a deadline has passed; now: the moment of the monotonic clock."""
        if now > self.deadline:
            return True
        if self.cpu_deadline == float("inf") or now < self.pulse.cpu_due:
            return False
        left = self.cpu_deadline - cpu_clock()
        self.pulse.cpu_due = now + left  # a thread cannot use more CPU time than time passes
        return left < 0

    def room(self) -> int:
        """Return the bytes that the process may still take, 0 if it holds too much; UNBOUNDED without a limit.

        The memory of the process is looked at now, or was within MEMORY_INTERVAL if there was plenty of room then.
        """
        if self.bytes >= UNBOUNDED:
            return UNBOUNDED
        now = time.monotonic()
        if now > self.pulse.due or self.bytes - self.pulse.held < PLENTY:
            self.pulse.held = resident_bytes()
            self.pulse.due = now + MEMORY_INTERVAL
        return max(0, self.bytes - self.pulse.held)

    def within(self, cpu_seconds: float) -> Budget:
        """Return the budget of a part that begins now, and may take so many CPU seconds of this one."""
        end = cpu_clock() + cpu_seconds
        if self.cpu_deadline <= end:
            return self
        return replace(self, cpu_deadline=end, cpu_seconds=cpu_seconds, pulse=Pulse())

    def remaining(self) -> Limits:
        """Return the limits of further evaluations within this budget; their seconds end with its own."""
        states, transitions, room = (
            None if bound >= UNBOUNDED else bound for bound in (self.states, self.transitions, self.bytes)
        )
        if self.deadline == self.cpu_deadline == float("inf"):
            return Limits(states, transitions, room, None, self.memory_hint)
        return SharedLimits(
            states, transitions, room, _least(self.seconds, self.deadline), self.memory_hint,
            _least(self.cpu_seconds, self.cpu_deadline), self.deadline, self.cpu_deadline,
        )

    def share(self, part: float) -> Limits:
        """Return the limits of an evaluation that begins now, with this part of the seconds that are left."""
        left = self.seconds_left()
        return self.remaining() if left == float("inf") else self.remaining().part(max(part * left, 0.001))

    def spent(self, resource: str, *, states: int = 0, transitions: int = 0, during: str = "") -> BudgetSpent:
        """Return the error that a bound is reached; it names the limit as the user gave it."""
        seconds = self.seconds if time.monotonic() > self.deadline else self.cpu_seconds or self.seconds
        limit = {"states": self.states, "transitions": self.transitions, "bytes": self.bytes}.get(resource, seconds)
        error = BudgetSpent(resource, limit, states=states, transitions=transitions, during=during)
        if resource == "bytes" and self.memory_hint:
            error.hint = self.memory_hint
        return error


def _least(seconds: float, deadline: float) -> float | None:
    """Return seconds as a limit, which are positive; None without a deadline."""
    return None if deadline == float("inf") else max(seconds, 0.001)


#: A budget without bounds, for small work such as setting up a numeration system.
UNLIMITED = Budget()

#: The budgets that are being spent in this context, the innermost last.
_BUDGETS: ContextVar[tuple[Budget, ...]] = ContextVar("budgets", default=(UNLIMITED,))


def spending(budget: Budget) -> AbstractContextManager[Budget]:
    """Let all that is computed within the block end by the deadline of this budget, and within its bytes."""
    return on_top(_BUDGETS, effective(budget))


def effective(budget: Budget) -> Budget:
    """Return the budget with the deadlines and the bytes of the one that is being spent, where these are less."""
    current = _BUDGETS.get()[-1]
    sooner, less = current.deadline < budget.deadline, current.bytes < budget.bytes
    quicker = current.cpu_deadline < budget.cpu_deadline
    if not sooner and not less and not quicker:
        return budget
    # This is `dataclasses.replace`, written out: there are thousands of calls a second.
    return Budget(
        budget.states,
        budget.transitions,
        current.bytes if less else budget.bytes,
        current.deadline if sooner else budget.deadline,
        current.seconds if sooner else budget.seconds,
        current.memory_hint if less else budget.memory_hint,
        budget.gauge,
        current.pulse if quicker else budget.pulse,
        current.cpu_deadline if quicker else budget.cpu_deadline,
        current.cpu_seconds if quicker else budget.cpu_seconds,
    )


def check_budget(budget: Budget, states: int, during: str) -> None:
    """Raise BudgetSpent if a construction has more states than allowed, the deadline has passed, or memory is spent."""
    if states > budget.states:
        raise budget.spent("states", states=states, during=during)
    _check_clock(budget, states, during)
    poll(during, states)


def check_room(budget: Budget, size: int, during: str) -> None:
    """Raise BudgetSpent if the process may not take so many further bytes, which are about to be taken at once."""
    budget = effective(budget)
    if size > budget.room():
        raise budget.spent("bytes", during=during)


def poll(during: str = "", states: int = 0) -> None:
    """Raise BudgetSpent if the budget that is being spent in this context has run out of time or memory."""
    current = _BUDGETS.get()[-1]
    if current is not UNLIMITED:
        _check_clock(current, states, during)


def _check_clock(budget: Budget, states: int, during: str) -> None:
    if budget is UNLIMITED:
        return
    now = time.monotonic()
    if budget.is_late(now):
        raise budget.spent("seconds", states=states, during=during)
    if now > budget.pulse.due and not budget.room():
        raise budget.spent("bytes", states=states, during=during)


def polled(items: Iterable[Item], during: str) -> Iterator[Item]:
    """Yield the items; after every few of them look at the budget that is being spent."""
    for number, item in enumerate(items):
        if not number & 63:
            poll(during)
        yield item


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


#: The gauges of the displays that observe what is computed in this context; the innermost, the last one, does.
_GAUGES: ContextVar[tuple[Gauge | None, ...]] = ContextVar("gauges", default=(None,))


def observed_by(gauge: Gauge) -> AbstractContextManager[Gauge | None]:
    """Let budgets that start within the block record on this gauge what is built."""
    return on_top(_GAUGES, gauge)


# Linux keeps the high-water mark of a process's resident memory and lets the process reset it, so a
# peak belongs to the work since the reset (it includes about 20 MB of interpreter and libraries).  On other
# platforms the peak is that of the whole process so far, or unknown.  Each process has its own mark; memory
# that processes share after a fork counts for all of them.

_CLEAR, _STATUS = Path("/proc/self/clear_refs"), Path("/proc/self/status")

#: What the machine could give without swapping is in the line MemAvailable of this file.
_MEMORY = Path("/proc/meminfo")


def reset_peak() -> None:
    """Reset the high-water mark, if the platform supports it."""
    try:
        _CLEAR.write_text("5")
    except OSError:
        return


def peak_bytes() -> int | None:
    """Return the high-water mark of resident memory in bytes, None if it is unknown."""
    peak = _size_in(_STATUS, "VmHWM:")
    return _peak_of_process() if peak is None else peak


def _size_in(file: Path, label: str) -> int | None:
    """Return the size in the line of a system file that begins with a label, from kilobytes to bytes; None without the
    line.
    """
    try:
        for line in file.read_text().splitlines():
            if line.startswith(label):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    return None


def _peak_of_process() -> int | None:
    if sys.platform == "win32":
        return windows.peak_bytes()
    try:
        from resource import RUSAGE_SELF, getrusage
    except ImportError:  # in a browser
        return None
    peak = getrusage(RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def resident_bytes() -> int:
    """Return the resident memory of this process in bytes, else its peak, else (in a browser) 0."""
    if sys.platform == "win32":
        return windows.resident_bytes()
    try:
        # Each call of a kernel asks, so that it is read without the buffers of a file object.
        file = os.open("/proc/self/statm", os.O_RDONLY)
        try:
            return int(os.read(file, 200).split()[1]) * os.sysconf("SC_PAGE_SIZE")
        finally:
            os.close(file)
    except OSError:
        return _peak_of_process() or 0


def free_memory() -> int | None:
    """Return how many more bytes this process could hold: of the machine, or of its container; None if unknown.

    Swap space does not count.
    """
    if sys.platform == "win32":
        return windows.free_memory()
    known = [room for room in (_size_in(_MEMORY, "MemAvailable:"), *_free_of_groups()) if room is not None]
    return min(known, default=None)


def _free_of_groups(own: Path = Path("/proc/self/cgroup"), root: Path = Path("/sys/fs/cgroup")) -> Iterator[int]:
    """Yield what each control group (version 1 or 2) of this process and each one around it may still use."""
    try:
        lines = own.read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers and "memory" not in controllers.split(","):
            continue
        version = _VERSION_2 if not controllers else _VERSION_1
        base = root / version.folder
        group = base / path.lstrip("/")
        for folder in (group, *group.parents):
            if folder.is_relative_to(base):
                room = _free_of_group(folder, version)
                if room is not None:
                    yield room


class _GroupFiles(NamedTuple):
    """The files of one version of control groups: the limit, the use, and what of that is a cache that may go."""

    folder: str
    limit: str
    used: str
    cache: str


_VERSION_1 = _GroupFiles("memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
_VERSION_2 = _GroupFiles("", "memory.max", "memory.current", "inactive_file")


def _free_of_group(folder: Path, version: _GroupFiles) -> int | None:
    try:
        limit = (folder / version.limit).read_text().strip()
        if limit == "max":
            return None
        used = int((folder / version.used).read_text())
        for line in (folder / "memory.stat").read_text().splitlines():
            name, _, amount = line.partition(" ")
            if name == version.cache:
                used -= int(amount)
        return max(0, int(limit) - max(used, 0))
    except (OSError, ValueError):
        return None
