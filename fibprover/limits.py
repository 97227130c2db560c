"""Budgets of a computation: what it may spend before it stops with a clean error.

`Limits` is what a user asks for; `Limits.start()` turns it into a `Budget`, in which the
seconds have become a point on the monotonic clock.  Both are immutable; a budget is handed
down from the session to every kernel, which polls it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from fibprover.errors import LimitError

#: Stands for "no bound" where a kernel wants a number.
UNBOUNDED = (1 << 62) - 1


@dataclass(frozen=True, slots=True)
class Budget:
    """Bounds in force: automaton sizes, resident bytes of the process, a monotonic deadline."""

    states: int = UNBOUNDED
    transitions: int = UNBOUNDED
    bytes: int = UNBOUNDED
    deadline: float = float("inf")

    def seconds_left(self) -> float:
        """Seconds until the deadline; negative once it has passed, infinite without one."""
        return self.deadline - time.monotonic()


@dataclass(frozen=True, slots=True)
class Limits:
    """What one evaluation may spend; `None` means no bound.

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
        """The budget of an evaluation that begins now."""
        return Budget(
            states=UNBOUNDED if self.states is None else min(self.states, UNBOUNDED),
            transitions=UNBOUNDED if self.transitions is None else min(self.transitions, UNBOUNDED),
            bytes=UNBOUNDED if self.bytes is None else min(self.bytes, UNBOUNDED),
            deadline=float("inf") if self.seconds is None else time.monotonic() + self.seconds,
        )


#: A budget without bounds, for small work such as setting up a numeration system.
UNLIMITED = Budget()
