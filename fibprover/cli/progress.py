"""How far a command is, on standard error: painted on a terminal, as plain lines where asked for, else not at all."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from types import TracebackType
from typing import TextIO

from fibprover.evaluate.trace import Record
from fibprover.limits import Limits
from fibprover.progress.painter import Painter
from fibprover.progress.plain import PlainLines
from fibprover.progress.terminal import PERIOD, Terminal, printable
from fibprover.progress.watch import MODES, Watch


def add_progress_argument(parser: ArgumentParser) -> None:
    """The option --progress."""
    parser.add_argument(
        "--progress", choices=MODES, default="auto",
        help="how far it is, on standard error: painted on a terminal only (auto, the default), as plain lines "
        "wherever it goes, or none",
    )


class Progress:
    """Progress of a command and what it prints meanwhile.  Use as a context manager: nothing is left at the end.

    mode: one of MODES; stream: where to show it, by default standard error; started: whether to paint from the
    beginning; without it, `show` paints what others do, and `start` begins.
    """

    def __init__(self, mode: str = "auto", stream: TextIO | None = None, *, started: bool = True) -> None:
        stream = sys.stderr if stream is None else stream
        display: Terminal | PlainLines | None = None
        if stream is not None and mode == "plain":
            display = PlainLines(stream)
        elif stream is not None and mode == "auto" and stream.isatty():
            display = Terminal(stream)
        self.display = display
        self.watch = Watch()
        self.painter = Painter(self.watch, display)
        self.started = started
        self.due = self.watch.begun + PERIOD

    @property
    def stream(self) -> TextIO | None:
        """Where progress is shown, None where it is not."""
        return None if self.display is None else self.display.stream

    @property
    def title(self) -> str:
        """What is done."""
        return self.watch.title

    @title.setter
    def title(self, title: str) -> None:
        self.watch.title = title

    def step(self, record: Record) -> None:
        """Takes note of a finished step (Options.watch)."""
        self.watch.step(record)

    def over(self, limits: Limits) -> Limits:
        """The same limits for a computation that is shown here."""
        return self.watch.over(limits)

    def show(self, parts: Sequence[str]) -> None:
        """Paints a line of these parts, unless one has been painted just now."""
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
        """Prints lines of output, with the progress out of their way."""
        with self.painter.lock:
            self.painter.hide()
            print(text, flush=True)

    def warn(self, text: str) -> None:
        """Prints a remark on standard error, likewise; what has been said comes before it."""
        with self.painter.lock:
            self.painter.hide()
            if sys.stderr is not None:
                sys.stdout.flush()
                print(text, file=sys.stderr, flush=True)

    def start(self) -> None:
        """Begins to repaint."""
        self.painter.start()

    def stop(self) -> None:
        """Ends that; what is shown stays."""
        self.painter.stop()

    def __enter__(self) -> Progress:
        if self.started:
            self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.painter.__exit__(kind, error, trace)
