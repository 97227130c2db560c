"""Exit statuses, the same for every command, and the messages of errors that go with them."""

from __future__ import annotations

import traceback

from fibprover.base.errors import BudgetSpent, FibproverError, Unsolved
from fibprover.base.files import room_hint

#: True, or done.
TRUE = 0
#: False.
FALSE = 1
#: A mistake in a formula, a file or the command line; or a defect of fibprover.
ERROR = 2
#: A budget was spent before there was an answer, or a recursion has none.
SPENT = 3
#: The reader of the output has closed it.
NO_READER = 141


def describe_error(problem: Exception, *, debug: bool = False) -> tuple[str, int]:
    """Return the message for an error and the exit status; debug: print the traceback of a defect of fibprover."""
    match problem:
        case BudgetSpent():
            return f"budget spent: {problem}", SPENT
        case Unsolved():
            return f"not solved: {problem}", SPENT
        case OSError() if hint := room_hint(problem):
            return f"error: {problem.strerror}\n  hint: {hint}", ERROR
        case FibproverError() | OSError():
            return f"error: {problem}", ERROR
        case MemoryError():
            return "budget spent: no memory is left\n  hint: set --max-memory", SPENT
        case ModuleNotFoundError(name="numpy"):
            # Installed with fibprover, but not in a browser, where not all need it.
            return "error: this needs numpy, which is not installed\n  hint: pip install numpy", ERROR
    if debug:
        traceback.print_exception(problem)
    what = " ".join(f"{type(problem).__name__}: {problem}".split())[:300]
    return f"internal error: {what}; please report it (--debug shows where it happened)", ERROR
