"""`fibprover check FILE`: check a certificate, by the checker that knows nothing of fibprover."""

from __future__ import annotations

import argparse

from fibprover.checker import fibcheck
from fibprover.frontends.conversation import options

_EXAMPLES = """\
examples:
  fibprover eval --certificate sum.jsonl.gz 'Ax,y x+y=y+x'
  fibprover check sum.jsonl.gz

It prints the meaning of the names in the statement, the proved statement, and VALID; or INVALID and the step that
does not follow. The checker is one file, fibprover/checker/fibcheck.py; a copy of it runs without fibprover:
python fibcheck.py FILE.

exit status:
  0 valid, 1 invalid, 2 not a certificate, 3 a budget was spent
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = _EXAMPLES
    parser.add_argument("file", metavar="FILE", help="a certificate")
    group = parser.add_argument_group("limits")
    options.add_resource_arguments(group, "wall time of the whole command")
    parser.set_defaults(max_states=None)


def run(arguments: argparse.Namespace) -> int:
    """Check the file and return the exit status."""
    budget = options.limits(arguments).start()
    room = budget.room() if arguments.max_memory is not None else min(budget.room(), fibcheck.MOST_MEMORY)
    try:
        return fibcheck.report(arguments.file, room)
    except fibcheck.TooLarge as problem:
        raise budget.spent("bytes", during=f"{arguments.file}, {problem}") from None
