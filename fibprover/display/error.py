"""Errors in notebooks: the line of one's own code that is concerned and the message, not the way through ours."""

from __future__ import annotations

import linecache
import traceback

from fibprover.errors import FibproverError

#: What lies between a notebook and the code of its cell.
_SHELLS = ("IPython", "ipykernel")


def lines(error: FibproverError) -> list[str]:
    """What IPython prints in place of a traceback."""
    place = None
    for frame, line in traceback.walk_tb(error.__traceback__):
        package, _, module = str(frame.f_globals.get("__name__", "")).partition(".")
        if package == "fibprover":
            if module == "frontends.notebook.magic":  # the cell is no code: the message has its own place
                place = None
            break
        if package not in _SHELLS:
            place = frame.f_code.co_filename, line
    head = type(error).__name__
    if place is None:
        return [f"{head}: {error}"]
    return [f"{head} in line {place[1]}:\n    {linecache.getline(*place).strip()}", str(error)]
