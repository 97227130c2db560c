"""Imports of modules are not interrupted: half of a library might be left to a session that goes on."""

from __future__ import annotations

import sys
import time
from types import FrameType

#: An import is left alone for so many seconds: no library takes longer, but a module of a user may never end.
LONGEST = 3.0


class Imports:
    """The imports that interruptions have met, within the code that makes this object."""

    def __init__(self) -> None:
        self._outside = _imports(sys._getframe())
        self._since: float | None = None

    def shield(self, frame: FrameType | None) -> bool:
        """Return whether the code of a frame is not to be interrupted now, as it imports a module."""
        if _imports(frame) <= self._outside:
            self._since = None
            return False
        now = time.monotonic()
        self._since = now if self._since is None else self._since
        return now < self._since + LONGEST


def _imports(frame: FrameType | None) -> int:
    """Return how many modules are being imported, one within the other."""
    count = 0
    while frame is not None:
        code = frame.f_code
        count += code.co_name == "_find_and_load" and code.co_filename == "<frozen importlib._bootstrap>"
        frame = frame.f_back
    return count
