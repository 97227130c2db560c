"""`fibprover.watched`: progress of evaluations that Python code requests."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from fibprover.base.errors import FibproverError
from fibprover.frontends.display.progress import MODES, Display, Painter, Watch
from fibprover.frontends.display.terminal import PlainLines, Terminal
from fibprover.workspace.session import Session


@contextmanager
def watched(session: Session | None = None, mode: str = "auto") -> Iterator[Watch]:
    """Show the progress of the evaluations of a session within the `with` block.

    The watch also serves computations without a session: `notify(title)` names them, and `over(limits)` notes their
    limits.

    Parameters:

    - session: whose evaluations are watched, or None
    - mode: "auto", in the output of a notebook's cell or on a terminal, else nowhere, "plain", as lines on standard
      error, or "none"

    >>> s = fp.Session("msd_fib")
    >>> with fp.watched(s, "none"):
    ...     print(s.prove("Ax Ey y>x"))
    TRUE
    """
    watch = Watch()
    with watch.observing(), Painter(watch, display_for(watch, mode)):
        if session is None:
            yield watch
            return
        before = session.options
        watch.over(before.limits)
        session.options = replace(before, watch=watch.step)
        try:
            yield watch
        finally:
            session.options = replace(session.options, watch=before.watch)


def display_for(watch: Watch, mode: str = "auto") -> Display | None:
    """Return the display for a watch in this environment, None without one."""
    if mode not in MODES:
        raise FibproverError(f"progress is shown as {', '.join(MODES)}, not as {mode!r}")
    if mode == "none" or sys.stderr is None:
        return None
    if mode == "plain":
        return PlainLines(sys.stderr)
    if in_notebook():
        from fibprover.frontends.display.notebook_output import NotebookOutput  # needs IPython, which runs

        return NotebookOutput(watch)
    return Terminal(sys.stderr) if sys.stderr.isatty() else None


def in_notebook() -> bool:
    """Return whether outputs go to a front end that displays HTML."""
    shells = sys.modules.get("IPython")
    shell = None if shells is None else shells.get_ipython()
    return getattr(shell, "kernel", None) is not None
