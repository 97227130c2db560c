"""What Windows tells about memory: that of this process and that of the machine.

Elsewhere nothing imports this module; `limits.py` reads the files of Linux, and asks `resource` on other systems.
"""

from __future__ import annotations

import ctypes
from typing import Any


class _Counters(ctypes.Structure):
    """PROCESS_MEMORY_COUNTERS."""

    _fields_ = [
        ("size", ctypes.c_uint32),
        ("page_faults", ctypes.c_uint32),
        ("peak", ctypes.c_size_t),
        ("held", ctypes.c_size_t),
        ("quotas", ctypes.c_size_t * 4),
        ("page_file", ctypes.c_size_t),
        ("peak_page_file", ctypes.c_size_t),
    ]


class _Status(ctypes.Structure):
    """MEMORYSTATUSEX."""

    _fields_ = [
        ("size", ctypes.c_uint32),
        ("load", ctypes.c_uint32),
        ("physical", ctypes.c_uint64),
        ("free", ctypes.c_uint64),
        ("others", ctypes.c_uint64 * 5),
    ]


def resident_bytes() -> int:
    """Return the resident memory of this process in bytes, 0 if Windows does not tell."""
    return int(_counters().held)


def peak_bytes() -> int | None:
    """Return the peak of the resident memory of this process in bytes, None if Windows does not tell."""
    return int(_counters().peak) or None


def free_memory() -> int | None:
    """Return the physical memory of the machine that is free, in bytes, None if Windows does not tell."""
    status = _Status(size=ctypes.sizeof(_Status))
    told = _library().GlobalMemoryStatusEx(ctypes.byref(status))
    return int(status.free) if told else None


def _counters() -> _Counters:
    """Return the counters of this process; zeros if Windows does not tell."""
    library = _library()
    counters = _Counters(size=ctypes.sizeof(_Counters))
    # The handle of the process is -1, which must not be cut to 32 bits.
    library.GetCurrentProcess.restype = ctypes.c_void_p
    library.K32GetProcessMemoryInfo.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint32]
    told = library.K32GetProcessMemoryInfo(library.GetCurrentProcess(), ctypes.byref(counters), counters.size)
    return counters if told else _Counters()


def _library() -> Any:
    """Return kernel32.dll."""
    return getattr(ctypes, "WinDLL")("kernel32")  # noqa: B009  # the types of other platforms do not have it
