"""Progress on a terminal: a few lines that are painted over."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Sequence
from typing import TextIO

from fibprover.display.progress import View, line

#: Seconds before anything is shown, and between two paintings: quick commands never show it.
PERIOD = 0.25

_ERASE = "\r\x1b[K"
_ERASE_ABOVE = "\x1b[1A\x1b[K"

#: What a view looks like in a terminal of so many columns: lines, with control sequences for colours at most.
Look = Callable[[View, int], Sequence[str]]


class Terminal:
    """A display on a terminal, in the look of rich where that is installed.

    stream: the terminal; look: another look.
    """

    def __init__(self, stream: TextIO, look: Look | None = None) -> None:
        self.stream = stream
        self.look = look
        self.lines = 0

    def pause(self, seconds: float) -> float:
        """Always the same."""
        return PERIOD

    def paint(self, view: View) -> None:
        """Paints a view over the last one."""
        if self.look is None:
            self.look = best_look()
        self.show(self.look(view, self.width()))

    def width(self) -> int:
        """Columns that a line may have."""
        try:
            columns = os.get_terminal_size(self.stream.fileno()).columns
        except (OSError, ValueError):
            columns = 0
        return (columns or shutil.get_terminal_size().columns) - 1

    def show(self, lines: Sequence[str]) -> None:
        """Paints lines over what is there."""
        before, self.lines = self._erasing(), len(lines)  # first: Ctrl-C may come right after the writing
        self._write(before + "\n".join(lines))

    def hide(self) -> None:
        """Erases the lines."""
        if self.lines:
            self._write(self._erasing())
            self.lines = 0

    def _erasing(self) -> str:
        return _ERASE + _ERASE_ABOVE * (self.lines - 1)

    def _write(self, text: str) -> None:
        # A terminal that has gone is no reason to stop the work.
        with contextlib.suppress(OSError, ValueError):
            self.stream.write(text)
            self.stream.flush()


def one_line(view: View, width: int) -> Sequence[str]:
    """The look without rich."""
    return [printable(line(view))[:width]]


def printable(text: str) -> str:
    """A text without characters that would move the cursor."""
    return "".join(c if c.isprintable() else " " for c in text)


def best_look() -> Look:
    """The look of rich, or one line where it is not installed."""
    try:
        from fibprover.display.terminal_rich import coloured
    except ImportError:
        return one_line
    return coloured


#: Formulas can be of any length; a line ends here.
LONGEST = 240


class PlainLines:
    """A display that writes a line below the other: after one second, then ever more rarely, at least once a minute."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def pause(self, seconds: float) -> float:
        """A quarter of the time so far: what takes an hour does not fill a log."""
        return min(60.0, max(1.0, seconds / 4))

    def paint(self, view: View) -> None:
        """Writes a line."""
        text = line(view)
        self.show(text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}...")

    def show(self, text: str) -> None:
        """Writes this text."""
        with contextlib.suppress(OSError, ValueError):
            self.stream.write(f"{printable(text)}\n")
            self.stream.flush()

    def hide(self) -> None:
        """What has been written stays."""
