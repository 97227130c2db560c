"""Limits that hold during every command.

Kernels and most constructions poll the budget that is being spent.  `enforced` holds for the rest as well: a timer
interrupts the main thread several times a second, as Ctrl-C does, and raises BudgetSpent there once the time is up or
the process holds too much memory.  Kernels check for signals too, so that the timer also ends them.  Where there
is no such timer, on Windows, a thread looks, and interrupts the main thread as Ctrl-C does when a limit is exceeded.
In a process that another one watches, the system holds what cannot be interrupted (`fibprover.workspace.supervision`).
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType
from typing import NoReturn

from fibprover.automata.kernel_calls import give_back
from fibprover.base.errors import BudgetSpent, size_text
from fibprover.base.imports import Imports
from fibprover.base.limits import UNBOUNDED, Budget, Limits, cpu_clock, free_memory, resident_bytes, spending
from fibprover.workspace.supervision import by_system

#: Seconds between two checks of the clock and of the memory.
PERIOD = 0.025

#: The timer interrupts this many seconds after the deadline, plus this part of the whole limit, but no more than so
#: many seconds of it.  What polls the budget itself ends first, and can say what it was building.
GRACE, GRACE_PART, MOST_GRACE = 0.15, 0.1, 1.0

#: Seconds after an interruption before the next one, so that errors can be reported and files be closed.
RESPITE = 0.2

#: The timer interrupts when the process holds this many bytes more than the limit.  Kernels and constructions, which
#: poll the budget themselves, end first and can say what they were building.
MARGIN = 8 << 20

#: The default limit on memory, as a part of the free memory.
PART_OF_FREE = 0.75


@contextmanager
def enforced(limits: Limits) -> Iterator[Budget]:
    """Raise BudgetSpent in the main thread when the block exceeds these limits.

    In other threads, and when other code uses the timer, the budget is only polled.
    """
    with spending(limits.start()) as budget:
        check_memory(budget)
        kind = _kind_of_timer()
        if kind is None or (budget.seconds_left() == float("inf") and budget.bytes >= UNBOUNDED):
            yield budget
            return
        timer = kind(budget)
        try:
            timer.start()
            with by_system(budget):
                yield budget
        except BudgetSpent:
            raise
        except Exception as error:
            # A library may have made another error of what the timer raised in the middle of it, as lark does.
            spent = timer.raised
            if spent is None or spent not in _causes(error):
                raise
            raise spent from None
        finally:
            try:
                timer.stop()
            finally:
                timer.stop()  # the timer itself may have interrupted the first call


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an error, and those that were raised before it and led to it: each once, since a program can tie them to a
    ring.
    """
    seen = set[int]()
    waiting: list[BaseException | None] = [error]
    while waiting:
        found = waiting.pop()
        if found is not None and id(found) not in seen:
            seen.add(id(found))
            yield found
            waiting += [found.__context__, found.__cause__]


def check_memory(budget: Budget) -> None:
    """Raise BudgetSpent if the process holds more than is allowed before it has begun."""
    held = resident_bytes()
    if held > budget.bytes:
        spent = budget.spent("bytes")
        spent.hint = f"the process holds {size_text(held)} already"
        raise spent


def limits_with_memory(limits: Limits) -> Limits:
    """Return limits with a default limit on memory, if they have none: a part of the memory that is free now.

    Commands use it, since a command should not bring a machine to a stop.  Python code has no default limits.
    """
    free = free_memory()
    if limits.bytes is not None or free is None:
        return limits
    hint = "this is three quarters of the memory that was free; --max-memory SIZE sets the limit, and none lifts it"
    return replace(limits, bytes=max(1, resident_bytes() + int(PART_OF_FREE * free)), memory_hint=hint)


def _kind_of_timer() -> Callable[[Budget], _Timer] | None:
    """Return the kind of timer that can interrupt this thread, None without one."""
    if threading.current_thread() is not threading.main_thread():
        return None
    if not hasattr(signal, "setitimer"):
        return _ThreadTimer if callable(signal.getsignal(signal.SIGINT)) else None
    free = signal.getsignal(signal.SIGALRM) is signal.SIG_DFL and signal.getitimer(signal.ITIMER_REAL)[0] == 0
    return _Timer if free else None


def _grace(seconds: float) -> float:
    """Return the seconds after a deadline at which the timer interrupts; seconds: the limit, 0 if it is not known."""
    return GRACE + min(MOST_GRACE, GRACE_PART * seconds)


class _Timer:
    """The timer of one block."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.end = budget.deadline + _grace(budget.seconds)
        self.cpu_end = budget.cpu_deadline + _grace(budget.cpu_seconds)
        self.quiet_until = 0.0
        self.imports = Imports()
        self.running = False
        #: What was raised last.
        self.raised: BudgetSpent | None = None
        self.hook = sys.unraisablehook

    def start(self) -> None:
        """Start to check the limits, several times a second."""
        self.running = True
        self.hook, sys.unraisablehook = sys.unraisablehook, self.lost
        signal.signal(signal.SIGALRM, self.look)
        signal.setitimer(signal.ITIMER_REAL, PERIOD, PERIOD)

    def stop(self) -> None:
        """Stop checking."""
        self.running = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        sys.unraisablehook = self.hook

    def lost(self, what: sys.UnraisableHookArgs) -> None:
        """Say nothing of BudgetSpent in a finalizer or a callback, where Python drops it: it is raised again soon."""
        if what.exc_value is None or what.exc_value is not self.raised:
            self.hook(what)

    def look(self, number: int, frame: FrameType | None) -> None:
        """Raise BudgetSpent if a limit is exceeded."""
        now = time.monotonic()
        if not self.running or now < self.quiet_until:
            return
        resource = self.exceeded(now)
        if not resource:
            return
        if not self.imports.shield(frame):
            self.end_of(resource)

    def exceeded(self, now: float) -> str:
        """Return the resource whose limit is exceeded, "" if none is."""
        if now > self.end or cpu_clock() > self.cpu_end:
            return "seconds"
        most = self.budget.bytes
        if most < UNBOUNDED and resident_bytes() > most + MARGIN:
            give_back()
            if resident_bytes() > most + MARGIN:
                return "bytes"
        return ""

    def end_of(self, resource: str) -> NoReturn:
        """Raise BudgetSpent, and not again for a while."""
        self.quiet_until = time.monotonic() + RESPITE
        self.raised = self.budget.spent(resource)
        raise self.raised


class _ThreadTimer(_Timer):
    """The same timer as a thread, for systems where Ctrl-C is the only signal that can be sent to this process."""

    def __init__(self, budget: Budget) -> None:
        super().__init__(budget)
        self.handler = signal.getsignal(signal.SIGINT)
        self.stopped = threading.Event()
        self.sending = threading.Lock()
        self.due = False
        # The thread has a CPU time of its own: it looks at that of the process.
        self.process_end = self.cpu_end - cpu_clock() + time.process_time()

    def start(self) -> None:
        """Start to check the limits, several times a second."""
        self.running = True
        signal.signal(signal.SIGINT, self.interrupted)
        threading.Thread(target=self._watch, daemon=True).start()

    def stop(self) -> None:
        """Stop checking."""
        self.running = False
        with self.sending:
            self.stopped.set()
        signal.signal(signal.SIGINT, self.handler)  # after it has called the present one for a signal that was sent

    def interrupted(self, number: int, frame: FrameType | None) -> None:
        """Raise BudgetSpent if the thread has sent the signal, else do what Ctrl-C does."""
        if self.due:
            self.due = False
            self.look(number, frame)
        elif callable(self.handler):
            self.handler(number, frame)

    def _watch(self) -> None:
        """Interrupt the main thread when a limit is exceeded."""
        while not self.stopped.wait(PERIOD):
            now, most = time.monotonic(), self.budget.bytes
            late = now > self.quiet_until and (now > self.end or time.process_time() > self.process_end)
            if late or (most < UNBOUNDED and resident_bytes() > most + MARGIN):
                with self.sending:
                    if not self.stopped.is_set():
                        self.due = True
                        _thread.interrupt_main()
