"""Budgets of a computation: what it may spend before it stops with a clean error.

`Limits` is what a user asks for; `Limits.start()` turns it into a `Budget`, in which the
seconds have become a point on the monotonic clock.  Both are immutable; a budget is handed
down from the session to every kernel, which polls it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Protocol

from fibprover.errors import LimitError

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
