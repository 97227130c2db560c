"""A line on the terminal that says how far a computation is; nothing where there is no terminal."""

from __future__ import annotations

import contextlib
import shutil
import sys
import threading
import time
from collections.abc import Sequence
from types import TracebackType
from typing import TextIO

from fibprover.evaluate.trace import Record

#: Seconds before the line appears and between two paintings: quick commands never show it.
_PERIOD = 0.25

_ERASE = "\r\x1b[K"


class Progress:
    """Steps done, states of the last automaton, seconds; repainted by a thread of its own, since a
    single step can take long.  Use as a context manager: the line is erased at the end.

    stream: where to paint; by default standard error, if it is a terminal.  started: whether to have
    that thread from the beginning; without it, `show` paints what others do, and `start` begins it.
    """

    def __init__(self, stream: TextIO | None = None, *, started: bool = True) -> None:
        stream = sys.stderr if stream is None else stream
        self.stream = stream if stream is not None and stream.isatty() else None
        self.begun = time.monotonic()
        self.started = started
        self.shown = self.begun
        self.steps = 0
        self.last: Record | None = None
        self.done = threading.Event()
        self.painter: threading.Thread | None = None
        self.lock = threading.Lock()
        self.painted = False
        self.title = ""

    def step(self, record: Record) -> None:
        """Takes note of a finished step (Options.watch)."""
        self.steps += 1
        self.last = record

    def line(self) -> str:
        """What the line says now."""
        last = self.last
        parts = [self.title] if self.title else []
        if self.steps or not self.title:
            parts.append(f"step {self.steps}")
        if last is not None:
            parts.append(f"{last.states} states")
        parts.append(f"{time.monotonic() - self.begun:.1f} s")
        if last is not None:
            parts.append(last.label)
        return "  ".join(parts)

    def show(self, parts: Sequence[str]) -> None:
        """Paints a line of these parts, unless one has been painted just now."""
        now = time.monotonic()
        if now - self.shown >= _PERIOD:
            self.shown = now
            self._repaint("  ".join([*parts, f"{now - self.begun:.1f} s"]))

    def say(self, text: str) -> None:
        """Prints lines of output, with the progress line out of their way."""
        with self.lock:
            self._erase()
            print(text, flush=True)

    def warn(self, text: str) -> None:
        """Prints a remark on standard error, likewise; what has been said comes before it."""
        with self.lock:
            self._erase()
            if sys.stderr is not None:
                sys.stdout.flush()
                print(text, file=sys.stderr, flush=True)

    def start(self) -> None:
        """Begins the thread that repaints the line, if there is none."""
        if self.stream is not None and self.painter is None:
            self.done.clear()
            self.painter = threading.Thread(target=self._paint, daemon=True)
            self.painter.start()

    def stop(self) -> None:
        """Ends that thread."""
        if self.painter is not None:
            self.done.set()
            self.painter.join()
            self.painter = None

    def __enter__(self) -> Progress:
        if self.started:
            self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        with self.lock:
            self._erase()

    def _paint(self) -> None:
        while not self.done.wait(_PERIOD):
            self._repaint(self.line())

    def _repaint(self, line: str) -> None:
        width = shutil.get_terminal_size().columns - 1
        shown = "".join(c if c.isprintable() else " " for c in line)[:width]
        with self.lock:
            self.painted = True  # first: Ctrl-C may come right after the writing
            self._write(_ERASE + shown)

    def _erase(self) -> None:
        if self.painted:
            self._write(_ERASE)
            self.painted = False

    def _write(self, text: str) -> None:
        if self.stream is not None:
            # A terminal that has gone is no reason to stop the work.
            with contextlib.suppress(OSError, ValueError):
                self.stream.write(text)
                self.stream.flush()
