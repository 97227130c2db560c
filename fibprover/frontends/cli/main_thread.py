"""Calls that other threads ask for, carried out by the main thread: only there can computations be interrupted."""

from __future__ import annotations

import _thread
import signal
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from queue import SimpleQueue
from types import FrameType
from typing import Generic, TypeVar

R = TypeVar("R")


class Call(Generic[R]):
    """A function without arguments, and the future of its result."""

    def __init__(self, function: Callable[[], R]) -> None:
        self.function = function
        self.future: Future[R] = Future()
        self.cancelled = False


class Calls:
    """A queue of calls: `serve` carries them out one after the other, in the main thread.

    Limits on what does not poll hold in the main thread alone (see `fibprover.workspace.guard`), and a cancellation
    interrupts it as Ctrl-C does.  All other methods may be called by any thread.
    """

    def __init__(self) -> None:
        self._waiting: SimpleQueue[Call[object] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._running: Call[object] | None = None

    def ask(self, function: Callable[[], object]) -> Call[object]:
        """Put a call into the queue, and return it."""
        call = Call(function)
        self._waiting.put(call)
        return call

    def cancel(self, call: Call[object]) -> None:
        """Leave a call that waits out, and interrupt one that is carried out."""
        with self._lock:
            call.cancelled = True
            if self._running is call:
                _thread.interrupt_main()

    def close(self) -> None:
        """Let `serve` return, after an interruption of the call that is carried out."""
        with self._lock:
            running = self._running
        if running is not None:
            self.cancel(running)
        self._waiting.put(None)

    def serve(self) -> None:
        """Carry out calls until `close`."""
        ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        if ignored:
            # A shell lets a program that it starts in the background ignore Ctrl-C: cancellations have to come through.
            signal.signal(signal.SIGINT, self._interrupted)
        try:
            self._serve()
        finally:
            if ignored:
                signal.signal(signal.SIGINT, signal.SIG_IGN)

    def _interrupted(self, number: int, frame: FrameType | None) -> None:
        """Interrupt the call that is carried out if it is cancelled."""
        if self._running is not None and self._running.cancelled:
            raise KeyboardInterrupt

    def _serve(self) -> None:
        while (call := self._waiting.get()) is not None:
            try:
                self._carry_out(call)
            except KeyboardInterrupt:
                if not call.cancelled:
                    raise
            if not call.future.done():
                call.future.set_exception(CancelledError())

    def _carry_out(self, call: Call[object]) -> None:
        with self._lock:
            if call.cancelled or not call.future.set_running_or_notify_cancel():
                return
            self._running = call
        try:
            result = call.function()
        except Exception as problem:
            call.future.set_exception(problem)
        else:
            call.future.set_result(result)
        finally:
            # An interruption that was asked for before this has come before the lock is free.
            with self._lock:
                self._running = None
