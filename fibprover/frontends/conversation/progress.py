"""Progress of a command on standard error: painted on a terminal, as lines in a file or on request, else not at all."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import TextIO

from fibprover.base.limits import Limits
from fibprover.frontends.display.progress import MODES, Painter, Watch
from fibprover.frontends.display.terminal import PERIOD, FileLines, PlainLines, Terminal, is_file, printable
from fibprover.prover.evaluate.trace import Record


def add_progress_argument(parser: ArgumentParser) -> None:
    """Add the option --progress."""
    parser.add_argument(
        "--progress", choices=MODES, default="auto",
        help="progress on standard error: auto (default: painted on a terminal, a line every ten seconds in a file), "
        "plain lines, or none",
    )


class Progress:
    """Progress of a command and its output; a context manager that removes the progress at the end.

    mode: one of MODES; stream: by default standard error; started: whether to paint from the beginning; otherwise
    `start` begins to, and `show` paints the lines that it is given.
    """

    def __init__(self, mode: str = "auto", stream: TextIO | None = None, *, started: bool = True) -> None:
        stream = sys.stderr if stream is None else stream
        display: Terminal | PlainLines | None = None
        if stream is not None and mode == "plain":
            display = PlainLines(stream)
        elif stream is not None and mode == "auto" and stream.isatty():
            display = Terminal(stream)
        elif stream is not None and mode == "auto" and is_file(stream):
            display = FileLines(stream)
        self.display = display
        self.watch = Watch()
        self.painter = Painter(self.watch, display)
        self.started = started
        #: How much of the whole is done, which stands before every title.
        self.counted = ""
        first = display.pause(0.0) if isinstance(display, FileLines) else PERIOD
        self.due = self.watch.begun + first
        self._observing = ExitStack()

    @property
    def stream(self) -> TextIO | None:
        """The stream of the progress, None if it is not shown."""
        return None if self.display is None else self.display.stream

    @property
    def title(self) -> str:
        """The title of the current work."""
        return self.watch.title

    @title.setter
    def title(self, title: str) -> None:
        self.watch.title = f"{self.counted}  {title}" if self.counted else title

    def step(self, record: Record) -> None:
        """Record a finished step (Options.watch)."""
        self.watch.step(record)

    def over(self, limits: Limits) -> Limits:
        """Note the limits of the computation that is shown; return them."""
        return self.watch.over(limits)

    def show(self, parts: Sequence[str]) -> None:
        """Paint a line of these parts, unless the previous line is too recent."""
        now = time.monotonic()
        if self.display is None or now < self.due:
            return
        seconds = self.watch.seconds()
        self.due = now + self.display.pause(seconds)
        line = printable("  ".join([*parts, f"{seconds:.1f} s"]))
        with self.painter.lock:
            if isinstance(self.display, PlainLines):
                self.display.show(line)
            else:
                self.display.show([line[: self.display.width()]])

    def say(self, text: str) -> None:
        """Print lines of output, after hiding the progress."""
        with self.painter.lock:
            self.painter.hide()
            print(text, flush=True)

    def warn(self, text: str) -> None:
        """Print a warning on standard error, after the output so far."""
        with self.painter.lock:
            self.painter.hide()
            if sys.stderr is not None:
                sys.stdout.flush()
                print(text, file=sys.stderr, flush=True)

    def start(self) -> None:
        """Start repainting."""
        self.painter.start()

    def stop(self) -> None:
        """Stop repainting; the last line stays."""
        self.painter.stop()

    def __enter__(self) -> Progress:
        self._observing.enter_context(self.watch.observing())
        if self.started:
            self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._observing.close()
        self.painter.__exit__(kind, error, trace)
