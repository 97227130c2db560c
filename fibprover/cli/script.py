"""A script of theorems run by itself: `python proofs/k2.py`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from fibprover.cli.main import main


def prove_script(file: str, argv: Sequence[str] | None = None, *, jobs: int | None = None) -> int:
    """Proves the theorems of one script as `fibprover prove FILE ...` does; returns the exit status.

    argv: further options, by default those the script was called with; jobs: how many theorems at
    once, 0 for one on each core, unless these options say so.
    """
    wanted = [] if jobs is None else ["--jobs", str(jobs)]
    return main(["prove", file, *wanted, *(sys.argv[1:] if argv is None else argv)])
