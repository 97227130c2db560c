"""Budgets inside the kernels: the meter that they poll, and the exceptions that they raise."""

from __future__ import annotations

import time
from collections.abc import Callable
from time import monotonic

#: Transitions, or steps that take about as long, between two looks at the clock.
FUEL = 1 << 12

#: State numbers are written to arrays of int32, and some kernels of the other backend store number + 1.
CEILING = (1 << 31) - 2

UNBOUNDED = 1 << 62

#: The CPU time of the thread; that of the process where threads have no clock of their own.
CPU_CLOCK: Callable[[], float] = getattr(time, "thread_time", time.process_time)

#: What a state and a transition under construction take: a numbered key, and entries of arrays.
BYTES_OF_STATE = 240
BYTES_OF_TRANSITION = 16


class KernelError(Exception):
    """Base of the exceptions that kernels raise on purpose."""


class TooLargeError(KernelError):
    """A size or a number beyond what the contract of the kernels allows; no budget permits it."""


class InvalidArrayError(KernelError):
    """Arrays handed to a kernel do not fit together, or hold numbers out of range."""


class BudgetExhausted(KernelError):
    """A kernel met a bound: `resource` is "states", "transitions", "bytes" or "seconds"."""

    def __init__(self, resource: str, limit: float, states: int, transitions: int) -> None:
        super().__init__(f"{resource} exhausted: limit {limit}, {states} states, {transitions} transitions")
        self.resource = resource
        self.limit = limit
        self.states = states
        self.transitions = transitions


class Meter:
    """The bounds of one kernel call, and how much of them is used.

    states, transitions: of the automaton under construction; bytes: what is held by constructions that can be
    interrupted, between their turns (what a kernel holds while it runs is estimated from sizes, and not counted here);
    deadline: a value of time.monotonic(); ceiling: most states; polls: how often the clock was looked at;
    cpu_deadline: a value of the CPU time of the thread.
    """

    __slots__ = (
        "bytes", "ceiling", "cpu_deadline", "cpu_due", "deadline", "fuel", "max_bytes", "max_states",
        "max_transitions", "polls", "seconds", "states", "threads", "transitions",
    )

    def __init__(
        self,
        states: int = UNBOUNDED,
        transitions: int = UNBOUNDED,
        bytes: int = UNBOUNDED,  # noqa: A002
        deadline: float = float("inf"),
        ceiling: int = CEILING,
        cpu_deadline: float = float("inf"),
        threads: int = 1,
    ) -> None:
        self.max_states = states
        self.max_transitions = transitions
        self.max_bytes = bytes
        self.ceiling = min(ceiling, CEILING)
        self.deadline, self.cpu_deadline = deadline, cpu_deadline
        self.cpu_due = float("inf") if cpu_deadline == float("inf") else 0.0
        self.seconds = deadline - monotonic()
        self.threads = 1  # Python works with one thread at a time
        self.states = self.transitions = self.bytes = 0
        self.fuel = self.polls = 0

    def of_a_part(self) -> Meter:
        """Return a meter of the same time and memory, for what is not the result and may have any size."""
        return Meter(
            bytes=self.max_bytes, deadline=self.deadline, ceiling=self.ceiling, cpu_deadline=self.cpu_deadline
        )

    def poll(self) -> None:
        """Look at the clock."""
        self.fuel = FUEL
        self.polls += 1
        now = monotonic()
        if now > self.deadline:
            raise self.spent("seconds", self.seconds)
        if now >= self.cpu_due:
            left = self.cpu_deadline - CPU_CLOCK()
            self.cpu_due = now + left  # a thread cannot use more CPU time than time passes
            if left < 0:
                raise self.spent("seconds", self.seconds)

    def work(self, steps: int) -> None:
        """Count `steps` elementary steps; every few thousand of them look at the clock."""
        self.fuel -= steps
        if self.fuel < 0:
            self.poll()

    def progress(self, states: int, transitions: int, held: int = 0) -> int:
        """Report the size of the automaton under construction, and other bytes held; check the clock.

        Returns the number of transitions at which to report again.
        """
        self.states, self.transitions = states, transitions
        if states > self.max_states:
            raise self.spent("states", self.max_states)
        if transitions > self.max_transitions:
            raise self.spent("transitions", self.max_transitions)
        self.hold(held + BYTES_OF_STATE * states + BYTES_OF_TRANSITION * transitions)
        self.poll()
        return min(self.max_transitions, transitions + FUEL)

    def hold(self, size: int) -> None:
        """Raise BudgetExhausted if so many bytes, beside those of constructions, are more than may be held."""
        if size + self.bytes > self.max_bytes:
            raise self.spent("bytes", self.max_bytes)

    def spent(self, resource: str, limit: float) -> BudgetExhausted:
        """Return the error that this bound is met."""
        return BudgetExhausted(resource, limit, self.states, self.transitions)

    def too_many(self) -> TooLargeError:
        """Return the error that there are more states than can be numbered."""
        return TooLargeError(f"more than {self.ceiling} states")


def give_back() -> None:
    """Do nothing: Python manages its memory itself."""
