"""Measures how many tuples of a relation are listed in a second: `python -m benchmarks.tuples [COUNT]`.

Processor seconds of `Relation.first`, for one, two and three variables over several systems; the least of three runs.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

from benchmarks.table import table
from fibprover.workspace.session import Session

SYSTEMS = ("msd_2", "msd_10", "msd_fib", "lsd_fib", "msd_trib", "msd_neg_2", "msd_ost_0_3_per_1_2")

FORMULAS = ("x>=0", "x<y", "x+y=z")


def rate(system: str, formula: str, count: int) -> float:
    """Return the tuples of a relation that are listed in a second."""
    relation = Session(system).relation(formula)
    least = float("inf")
    for _ in range(3):
        begun = time.process_time()
        listed = len(relation.first(count))
        least = min(least, (time.process_time() - begun) / max(listed, 1))
    return 1 / least


def main(arguments: Sequence[str]) -> int:
    """Print a table."""
    count = int(arguments[0]) if arguments else 1_000_000
    rows = [[system, *(f"{rate(system, formula, count):,.0f}" for formula in FORMULAS)] for system in SYSTEMS]
    print(table(["tuples a second", *(f"`{formula}`" for formula in FORMULAS)], rows))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
