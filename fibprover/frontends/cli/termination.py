"""Signals that end the program as Ctrl-C does: SIGTERM of other programs, and SIGHUP of a terminal that is closed.

What is finished by then is printed, claims are released and stores are closed; the exit status is 128 and the number
of the signal, as shells have it.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

#: The names of these signals; SIGHUP is unknown on Windows.
_SIGNALS = ("SIGTERM", "SIGHUP")


class Terminated(KeyboardInterrupt):
    """A signal that ends the program; number: of the signal."""

    def __init__(self, number: int) -> None:
        super().__init__(f"ended by {signal.Signals(number).name}")
        self.number = number


class Ending:
    """The signal that has ended the program; status: the exit status, None without a signal."""

    def __init__(self) -> None:
        self.status: int | None = None

    @contextmanager
    def by_signals(self) -> Iterator[None]:
        """Raise Terminated where one of the signals arrives in the block, once: what ends then takes its time.

        Signals that are ignored, as after nohup, or handled by other code, are left alone.
        """
        taken = []
        if threading.current_thread() is threading.main_thread():
            known = (getattr(signal, name) for name in _SIGNALS if hasattr(signal, name))
            taken = [each for each in known if signal.getsignal(each) is signal.SIG_DFL]
        for each in taken:
            signal.signal(each, self._arrived)
        try:
            yield
        finally:
            for each in taken:
                signal.signal(each, signal.SIG_DFL)

    def _arrived(self, number: int, frame: FrameType | None) -> None:
        if self.status is None:
            ended = Terminated(number)
            self.status = status_after(ended)
            raise ended


def status_after(interruption: KeyboardInterrupt) -> int:
    """Return the exit status after an interruption: that of its signal, SIGINT for Ctrl-C."""
    return 128 + (interruption.number if isinstance(interruption, Terminated) else signal.SIGINT)
