"""What a person is told of an error, and the exit status that goes with it."""

from __future__ import annotations

import traceback

from fibprover.cli.status import ERROR, SPENT
from fibprover.errors import BudgetSpent, FibproverError


def told(problem: Exception, *, debug: bool = False) -> tuple[str, int]:
    """The message and the status; debug: whether a defect of fibprover is to show its traceback."""
    match problem:
        case BudgetSpent():
            return f"budget spent: {problem}", SPENT
        case FibproverError() | OSError():
            return f"error: {problem}", ERROR
        case MemoryError():
            return "budget spent: no memory is left\n  hint: set --max-memory", SPENT
    if debug:
        traceback.print_exception(problem)
    what = " ".join(f"{type(problem).__name__}: {problem}".split())[:300]
    return f"internal error: {what}; please report it (--debug shows where it happened)", ERROR
