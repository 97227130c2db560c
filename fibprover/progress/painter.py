"""Shows a computation again and again while it runs."""

from __future__ import annotations

import threading
from contextvars import copy_context
from types import TracebackType
from typing import Protocol

from fibprover.progress.watch import View, Watch


class Display(Protocol):
    """A place where views are shown, one in place of the other or one after the other."""

    def pause(self, seconds: float) -> float:
        """How long to wait for the next view of a computation that has run for so many seconds."""

    def paint(self, view: View) -> None:
        """Shows a view."""

    def hide(self) -> None:
        """Takes away what is shown, to make room for output or for good."""


class Painter:
    """A thread that shows a watch on a display, since a single step can take long; a context manager.

    Without a display it does nothing.  What the display shows is taken away at the end; `lock` is to be held
    while something else is written to the same place.
    """

    def __init__(self, watch: Watch, display: Display | None) -> None:
        self.watch = watch
        self.display = display
        self.lock = threading.Lock()
        self._done = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begins the thread, if there is none."""
        if self.display is not None and self._thread is None:
            self._done.clear()
            # In the context of whoever starts it: a kernel of Jupyter knows by that which cell an output belongs to.
            self._thread = threading.Thread(target=copy_context().run, args=(self._paint, self.display), daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Ends the thread; what is shown stays."""
        if self._thread is not None:
            self._done.set()
            self._thread.join()
            self._thread = None

    def hide(self) -> None:
        """Takes away what is shown; the lock has to be held."""
        if self.display is not None:
            self.display.hide()

    def __enter__(self) -> Painter:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        with self.lock:
            self.hide()

    def _paint(self, display: Display) -> None:
        while not self._done.wait(display.pause(self.watch.seconds())):
            view = self.watch.view()
            with self.lock:
                display.paint(view)
