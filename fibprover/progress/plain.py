"""Progress as plain lines, for logs."""

from __future__ import annotations

import contextlib
from typing import TextIO

from fibprover.progress.terminal import printable
from fibprover.progress.watch import View
from fibprover.progress.wording import line

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
