"""Progress on a terminal, as a few lines that are repainted, or as plain lines for a log."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from collections.abc import Callable, Sequence
from typing import TextIO

from fibprover.base.screen import Verbatim
from fibprover.frontends.display.progress import View, line

#: Seconds before the first view, and between two views: quick commands show none.
PERIOD = 0.25

_ERASE = "\r\x1b[K"
_ERASE_ABOVE = "\x1b[1A\x1b[K"

#: A function that returns the lines of a view for a number of columns; their only control sequences are colours.
Look = Callable[[View, int], Sequence[str]]


class Terminal:
    """A display on a terminal, with the look of rich if it is installed.

    stream: the terminal; look: another look.
    """

    def __init__(self, stream: TextIO, look: Look | None = None) -> None:
        self.stream = stream
        self.look = look
        self.lines = 0

    def pause(self, seconds: float) -> float:
        """Return the period."""
        return PERIOD

    def paint(self, view: View) -> None:
        """Paint a view over the last one."""
        if self.look is None:
            self.look = best_look()
        self.show(self.look(view, self.width()))

    def width(self) -> int:
        """Return the number of columns of a line."""
        try:
            columns = os.get_terminal_size(self.stream.fileno()).columns
        except (OSError, ValueError):
            columns = 0
        return (columns or shutil.get_terminal_size().columns) - 1

    def show(self, lines: Sequence[str]) -> None:
        """Paint lines over the last ones."""
        before, self.lines = self._erasing(), len(lines)  # set first, since Ctrl-C may come right after the writing
        self._write(before + "\n".join(lines))

    def hide(self) -> None:
        """Erase the lines."""
        if self.lines:
            self._write(self._erasing())
            self.lines = 0

    def _erasing(self) -> str:
        return _ERASE + _ERASE_ABOVE * (self.lines - 1)

    def _write(self, text: str) -> None:
        # The work continues without the terminal.
        with contextlib.suppress(OSError, ValueError):
            self.stream.write(Verbatim(text))
            self.stream.flush()


def one_line(view: View, width: int) -> Sequence[str]:
    """Return a view on one line: the look without rich."""
    return [printable(line(view))[:width]]


def printable(text: str) -> str:
    """Return a text without characters that move the cursor."""
    return "".join(c if c.isprintable() else " " for c in text)


def best_look() -> Look:
    """Return the look of rich, or one line if it is not installed."""
    try:
        from fibprover.frontends.display.terminal_rich import coloured
    except ImportError:
        return one_line
    return coloured


#: The longest line: formulas can have any length.
LONGEST = 240


class PlainLines:
    """A display that writes lines: the first after a second, then less and less often, at least one each minute."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def pause(self, seconds: float) -> float:
        """Return a quarter of the time so far, between 1 and 60 s, so that long computations do not fill a log."""
        return min(60.0, max(1.0, seconds / 4))

    def paint(self, view: View) -> None:
        """Write a line."""
        text = line(view)
        self.show(text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}...")

    def show(self, text: str) -> None:
        """Write a text."""
        with contextlib.suppress(OSError, ValueError):
            self.stream.write(f"{printable(text)}\n")
            self.stream.flush()

    def hide(self) -> None:
        """Leave the lines unchanged."""


class FileLines(PlainLines):
    """A display that writes a line every ten seconds: for a file, which somebody may look at while the work goes on."""

    def pause(self, seconds: float) -> float:
        """Return the ten seconds."""
        return 10.0


def is_file(stream: TextIO) -> bool:
    """Return whether a stream is a file on a disk, and no pipe, device or object of Python."""
    try:
        return stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except (OSError, ValueError, AttributeError):
        return False
