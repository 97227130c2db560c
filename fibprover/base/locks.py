"""Locks of files, for programs that read a file and write it again.  Python in a browser has no locks."""

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
    """Let one thread of one program at a time run the block.

    path: the file that is locked; it is made if need be, is empty, and stays there.  The system releases the lock when
    the program ends.  On a disk that has no locks the block runs without one.  Raises FileProblem if another program
    holds the lock for so many seconds, or if the file cannot be made.
    """
    number = _opened(path)
    try:
        end = time.monotonic() + seconds
        while not _is_locked(number):
            if time.monotonic() > end:
                raise FileProblem(f"another program holds the lock {path}", hint="end it, or try again")
            time.sleep(0.01)
        yield
    finally:
        os.close(number)  # which releases it


def _opened(path: str | Path) -> int:
    """Open the file of a lock; one that another user has made can be locked as soon as it can be read."""
    no_link = getattr(os, "O_NOFOLLOW", 0)
    try:
        try:
            return os.open(path, os.O_RDWR | os.O_CREAT | no_link, 0o666)
        except PermissionError:
            return os.open(path, os.O_RDONLY | no_link)
    except OSError as error:
        if os.path.islink(path):
            raise FileProblem(f"{path} is a link, so it is not used as a lock", hint="remove it") from error
        raise FileProblem(f"the lock {path} cannot be made: {error.strerror}") from error


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
