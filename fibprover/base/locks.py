"""Locks of files, for programs that read a file and write it again; not in a browser, whose Python has none."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fibprover.base.errors import FileProblem

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


@contextmanager
def locked(path: str | Path, seconds: float = 10.0) -> Iterator[None]:
    """Let one program at a time, and one thread of it, do what is done in this context.

    path: a file that is the lock; it is made, stays, and is empty.  The system releases it when a program ends.  Where
    the disk has no locks, there is none.  Raises FileProblem if another program holds it for so many seconds, or if it
    cannot be made.
    """
    try:
        number = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    except OSError as error:
        raise FileProblem(f"{path} cannot be made: {error.strerror}") from error
    try:
        end = time.monotonic() + seconds
        while not _is_locked(number):
            if time.monotonic() > end:
                raise FileProblem(f"another program holds the lock {path}", hint="end it, or try again")
            time.sleep(0.01)
        yield
    finally:
        os.close(number)  # which releases it


def _is_locked(number: int) -> bool:
    """Lock an open file, and return True; False if another one has it."""
    try:
        if sys.platform == "win32":
            msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in (errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK, errno.EINTR)
    return True
