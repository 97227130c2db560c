"""The peak memory of one piece of work within a process.

Linux keeps the high-water mark of a process's resident memory and lets the process reset it, so a
peak belongs to the work since the reset (it includes what the process holds anyway, some 20 MB of
interpreter and libraries).  Elsewhere the peak is that of the whole process so far, or unknown.  Of
several processes each has a mark of its own; what they share after a fork counts for all of them.
"""

from __future__ import annotations

import sys
from pathlib import Path

_CLEAR, _STATUS = Path("/proc/self/clear_refs"), Path("/proc/self/status")


def reset_peak() -> None:
    """Starts the high-water mark anew, where the platform can."""
    try:
        _CLEAR.write_text("5")
    except OSError:
        return


def peak_bytes() -> int | None:
    """The high-water mark of resident memory, in bytes; None where it cannot be known."""
    try:
        for line in _STATUS.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    return _peak_of_process()


def _peak_of_process() -> int | None:
    if sys.platform == "win32":
        return None
    from resource import RUSAGE_SELF, getrusage  # not on every platform

    peak = getrusage(RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
