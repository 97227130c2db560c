"""Measures what the rule `cache` gains for several questions in one session: `python -m benchmarks.cache`.

The questions have atoms or a raw predicate in common. Processor seconds with the rule and without, medians of five.
"""

from __future__ import annotations

import statistics
import time

from benchmarks.table import table
from fibprover.workspace.session import Session

PAIRS = "([0,0]|[0,1][1,0]|[1,1][0,0])*"

QUESTIONS = {
    "8 questions about `13*x+21*y<34*z`": [
        f"Ax,y,z (13*x+21*y=34*z+{k} => x+y>=z) | 13*x+21*y<34*z" for k in range(8)
    ],
    "30 questions about a regular expression": [f"Ex,y,z $r(x,y) & $r(y,z) & z>{k}" for k in range(30)],
}


def seconds(formulas: list[str], without: tuple[str, ...]) -> float:
    """Return the median time of these questions in a new session."""
    found = []
    for _ in range(5):
        session = Session("msd_fib", without=without)
        session.reg("r", ["msd_fib", "msd_fib"], PAIRS)
        begun = time.process_time()
        for formula in formulas:
            session.eval(formula)
        found.append(time.process_time() - begun)
    return statistics.median(found)


def main() -> int:
    """Print a table."""
    rows = [
        [name, *(f"{seconds(formulas, without):.3f}" for without in ((), ("cache",)))]
        for name, formulas in QUESTIONS.items()
    ]
    print(table(["processor seconds", "with `cache`", "without"], rows))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
