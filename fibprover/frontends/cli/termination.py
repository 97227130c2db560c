"""Signals that end the program as Ctrl-C does: SIGTERM of other programs, and SIGHUP of a terminal that is closed.

What is finished by then is printed, claims are released and stores are closed; the exit status is 128 and the number
of the signal, as shells have it.
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from fibprover.base.imports import Imports

#: The names of these signals; SIGHUP is unknown on Windows.
_SIGNALS = ("SIGTERM", "SIGHUP")

#: An interruption that got lost comes again after so many seconds.
AGAIN = 0.05


class Terminated(KeyboardInterrupt):
    """A signal that ends the program; number: of the signal."""

    def __init__(self, number: int) -> None:
        super().__init__(f"ended by {signal.Signals(number).name}")
        self.number = number


class Again:
    """A signal that comes again in a little while, once if it comes several times until then."""

    def __init__(self) -> None:
        self._timer: threading.Timer | None = None

    def send(self, number: int) -> None:
        """Send it to the main thread in a little while."""
        self.cancel()
        self._timer = threading.Timer(AGAIN, _send, (number,))
        self._timer.daemon = True
        self._timer.start()

    def cancel(self) -> None:
        """Let it not come any more."""
        if self._timer is not None:
            self._timer.cancel()

    def end(self) -> None:
        """Cancel it, and wait until it is not being sent."""
        self.cancel()
        if self._timer is not None:
            self._timer.join()


class Ending:
    """The signal that has ended the program; status: the exit status, None without a signal."""

    def __init__(self) -> None:
        self.status: int | None = None
        self._imports = Imports()
        self._again = Again()

    @contextmanager
    def by_signals(self) -> Iterator[None]:
        """Raise Terminated where one of the signals arrives in the block, once: what ends then takes its time.

        Signals that are ignored, as after nohup, or handled by other code, are left alone.  An interruption, also by
        Ctrl-C, that meets a finalizer or a callback, where Python drops it, comes again.
        """
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        hook, interrupt = sys.unraisablehook, signal.getsignal(signal.SIGINT)
        known = (getattr(signal, name) for name in _SIGNALS if hasattr(signal, name))
        taken = [each for each in known if signal.getsignal(each) is signal.SIG_DFL]

        def lost(what: sys.UnraisableHookArgs) -> None:
            if not isinstance(what.exc_value, KeyboardInterrupt):
                hook(what)
                return
            number = signal.SIGINT
            if isinstance(what.exc_value, Terminated):
                number, self.status = signal.Signals(what.exc_value.number), None
            self._again.send(number)

        if interrupt is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._interrupted)
        for each in taken:
            signal.signal(each, self._arrived)
        sys.unraisablehook = lost
        try:
            yield
        finally:
            sys.unraisablehook = hook
            self._again.cancel()
            for each in taken:
                signal.signal(each, signal.SIG_DFL)
            if signal.getsignal(signal.SIGINT) == self._interrupted:
                signal.signal(signal.SIGINT, interrupt)

    def _interrupted(self, number: int, frame: FrameType | None) -> None:
        """Raise KeyboardInterrupt, but not within an import."""
        if self._imports.shield(frame):
            self._again.send(number)
        else:
            signal.default_int_handler(number, frame)

    def _arrived(self, number: int, frame: FrameType | None) -> None:
        if self.status is None and self._imports.shield(frame):
            self._again.send(number)
        elif self.status is None:
            ended = Terminated(number)
            self.status = status_after(ended)
            raise ended


def _send(number: int) -> None:
    """Send a signal to the main thread, which it also wakes where the system can do that."""
    main = threading.main_thread().ident
    if hasattr(signal, "pthread_kill") and main is not None:
        signal.pthread_kill(main, number)
    else:
        _thread.interrupt_main(signal.Signals(number))


def status_after(interruption: KeyboardInterrupt) -> int:
    """Return the exit status after an interruption: that of its signal, SIGINT for Ctrl-C."""
    return 128 + (interruption.number if isinstance(interruption, Terminated) else signal.SIGINT)
