"""Measures what a session remembers: `python -m benchmarks.cache [-o FILE]`.

The rule `cache`: processor seconds of several questions in one session, with the rule and without, medians of five; the
questions have atoms or a raw predicate in common.  Look-ups: how many of those of whole commands found something.
Memory: what a process holds while one session evaluates ever other formulas.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import statistics
import sys
import tempfile
import time
from collections.abc import Hashable, Iterator, Sequence
from pathlib import Path
from unittest import mock

from benchmarks.groups import WORDS, paper_groups
from benchmarks.table import Section, megabytes, page, table
from fibprover.base.limits import resident_bytes
from fibprover.frontends.cli.main import main as fibprover
from fibprover.prover.evaluate.cache import Cache, Entry
from fibprover.workspace.session import Session

PAIRS = "([0,0]|[0,1][1,0]|[1,1][0,0])*"

QUESTIONS = {
    "8 questions about `13*x+21*y<34*z`": [
        f"Ax,y,z (13*x+21*y=34*z+{k} => x+y>=z) | 13*x+21*y<34*z" for k in range(8)
    ],
    "30 questions about a regular expression": [f"Ex,y,z $r(x,y) & $r(y,z) & z>{k}" for k in range(30)],
}

#: How many formulas one session evaluates, and after how many its memory is noted.
EVALUATIONS, EACH = 13_000, 1_000


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


@contextlib.contextmanager
def counted() -> Iterator[list[bool]]:
    """Yield a list to which each look-up in a cache appends whether it has found something."""
    looked: list[bool] = []
    find = Cache.find

    def noted(self: Cache, key: Hashable) -> Entry | None:
        found = find(self, key)
        looked.append(found is not None)
        return found

    with mock.patch.object(Cache, "find", noted):
        yield looked


def look_ups(*command: str) -> list[str]:
    """Return the cells of a command: how many look-ups there were, and how many have found something."""
    with counted() as looked, contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        fibprover(command)
    return [f"{len(looked):,}", f"{sum(looked):,}", f"{100 * sum(looked) / len(looked):.0f} %"]


def commands() -> Iterator[list[str]]:
    """Yield the rows of whole commands."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "paper.txt"
        script.write_text(next(group.script for group in paper_groups() if group.name == "all"))
        yield ["`run`, all of the paper", *look_ups("run", str(script), "--words", str(WORDS))]
    yield ["`study F`", *look_ups("study", "F")]
    yield ["`prove --no-vacuity`, all of proofs/", *look_ups("prove", "--no-vacuity", "-j", "1")]


def memory() -> Iterator[list[str]]:
    """Yield the megabytes that the process holds after so many evaluations of one session."""
    session = Session("msd_fib")
    for number in range(1, EVALUATIONS + 1):
        session.eval(f"Ey F[x+{number}]=F[y] & x<{number % 5 + 1}*y")
        if not number % EACH:
            yield [f"{number:,}", megabytes(resident_bytes()), megabytes(session.cache.held), f"{session.cache.hits:,}"]


def main(arguments: Sequence[str]) -> int:
    """Print the tables, or write them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cache", description=__doc__)
    parser.add_argument("-o", dest="output", type=Path)
    output = parser.parse_args(arguments).output
    held = list(memory())
    gains = [
        [name, *(f"{seconds(formulas, without):.3f}" for without in ((), ("cache",)))]
        for name, formulas in QUESTIONS.items()
    ]
    text = page([
        Section("The rule `cache`, processor seconds", (table(["questions", "with it", "without"], gains),)),
        Section("Look-ups", (table(["command", "look-ups", "found", "part"], list(commands())),)),
        Section("Memory of one session", (table(["evaluations", "MB of the process", "of the cache", "found"], held),)),
    ], 5)
    if output is None:
        print(text)
    else:
        output.write_text(text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
