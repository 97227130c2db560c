"""How many threads a kernel may use: as many as this process has cores, unless a block says otherwise.

What they compute does not depend on their number.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from operator import index

from fibprover.base.errors import LimitError
from fibprover.base.meanwhile import on_top

#: The number of threads is at most this unless a block asks for more: only two cores have been measured, and each
#: thread has memory of its own.
MOST = 4

#: No block may ask for more: kernels have no more.
_LARGEST = 64

#: The numbers of threads that the blocks of this context ask for, the innermost last; 0 for one a core.
_THREADS: ContextVar[tuple[int, ...]] = ContextVar("threads", default=(0,))


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def threads(count: int) -> Iterator[None]:
    """Let kernels use so many threads within a block.

    Large determinizations and minimizations are done by several threads: by one for each core, and by 4 at most, unless
    a block says otherwise.  The results are the same.  Where CPU time is limited, there is one thread, since CPU
    seconds are those of a thread.

    Parameters:

    - count: of threads, from 1 to 64

    Errors: LimitError for a number that is none of these, TypeError for what is no whole number.

    >>> with fp.threads(1):
    ...     bool(fp.Session("msd_fib").prove("Ax Ey y>x"))
    True
    """
    if not 1 <= index(count) <= _LARGEST:
        raise LimitError(f"the number of threads is from 1 to {_LARGEST}, not {count}")
    with on_top(_THREADS, count):
        yield


def allowed_threads() -> int:
    """Return how many threads a kernel may use here."""
    return _THREADS.get()[-1] or min(cores(), MOST)
