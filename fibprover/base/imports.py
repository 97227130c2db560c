"""Imports of modules are not interrupted: half of a library might be left to a session that goes on."""

from __future__ import annotations

import time
from types import FrameType

#: An import is left alone for so many seconds: longer ones are not those of a library, and may never end.
LONGEST = 3.0


class Imports:
    """The imports that interruptions have met."""

    def __init__(self) -> None:
        self._since: float | None = None

    def shield(self, frame: FrameType | None) -> bool:
        """Return whether the code of a frame is not to be interrupted now, as a module is being imported."""
        if not _is_importing(frame):
            self._since = None
            return False
        now = time.monotonic()
        self._since = now if self._since is None else self._since
        return now < self._since + LONGEST


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_name == "_find_and_load" and frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            return True
        frame = frame.f_back
    return False
