"""Compares the textbook plan, step by step, with state counts that were logged elsewhere.

    python benchmarks/state_counts.py [--words WORDS.json] EXPECTED.json [EXPECTED.json ...]

An expected file is a list of objects {"name", "command", "steps": [[subformula, states], ...],
"verdict": optional}.  All commands run in order, in one session; the n-th logged step is compared with
the n-th labelled step of the trace (the spelling of subformulas is not).  A command's verdict is
compared too: a wrong one counts against its last step.  Rows that differ are printed, and as the last
line `agree N of M`, M being the number of expected steps.  Exit status 0 if everything agrees, 1 if
not, 2 for files that cannot be used.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import fibprover as fp


@dataclass(frozen=True, slots=True)
class Entry:
    """One command with its logged steps and verdict."""

    name: str
    command: str
    steps: tuple[tuple[str, int], ...]
    verdict: bool | None


@dataclass(frozen=True, slots=True)
class Difference:
    """A step or verdict that differs from the logged one."""

    name: str
    step: int
    label: str
    expected: str
    found: str
    counted: bool = True

    def __str__(self) -> str:
        place = f"{self.name}, step {self.step}" if self.step else self.name
        return f"{place}: expected {self.expected}, found {self.found}  {self.label}".rstrip()


def entries(file: str) -> list[Entry]:
    """Read the entries of a file; FibproverError if it has another form."""
    try:
        content = json.loads(Path(file).read_text(encoding="utf-8"))
        return [
            Entry(
                item["name"], item["command"],
                tuple((str(label), int(states)) for label, states in item["steps"]), item.get("verdict"),
            )
            for item in content
        ]
    except OSError as error:
        raise fp.FibproverError(f"{file} cannot be read: {error.strerror}") from error
    except (ValueError, TypeError, KeyError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise fp.FibproverError(f"{file} is no list of commands with their steps ({reason})") from error


def differences(entry: Entry, session: fp.Session) -> Iterator[Difference]:
    """Run the command of an entry and yield the differences; a command that fails differs in every step."""
    try:
        outcomes = [outcome for _, outcome in session.run(entry.command)]
    except fp.FibproverError as error:
        for number, (label, states) in enumerate(entry.steps, 1):
            yield Difference(entry.name, number, label, str(states), "an error")
        yield Difference(entry.name, 0, "", "no error", str(error), counted=False)
        return
    found: list[tuple[str, int]] = []
    truth: bool | None = None
    for outcome in outcomes:
        if isinstance(outcome, fp.Verdict | fp.Relation) and outcome.trace is not None:
            found += outcome.trace.steps()
        truth = outcome.truth if isinstance(outcome, fp.Verdict) else None
    wrong = entry.verdict is not None and truth != entry.verdict
    for number, (logged, built) in enumerate(zip_longest(entry.steps, found), 1):
        if logged is None:
            yield Difference(entry.name, number, built[0], "no such step", f"{built[1]} states", counted=False)
        elif built is None:
            yield Difference(entry.name, number, logged[0], str(logged[1]), "no such step")
        elif logged[1] != built[1]:
            yield Difference(entry.name, number, logged[0], str(logged[1]), str(built[1]))
        elif wrong and number == len(entry.steps):
            yield Difference(entry.name, number, logged[0], f"verdict {entry.verdict}", f"verdict {truth}")
    if wrong and not entry.steps:
        yield Difference(entry.name, 0, "", f"verdict {entry.verdict}", f"verdict {truth}", counted=False)


def main(argv: Sequence[str] | None = None) -> int:
    """Compare; return the exit status."""
    parser = argparse.ArgumentParser(description="Compares the textbook plan's state counts with logged ones.")
    parser.add_argument("--words", action="append", default=[], metavar="WORDS.json", help="words the commands use")
    parser.add_argument("expected", nargs="+", metavar="EXPECTED.json", help="commands with the logged steps")
    arguments = parser.parse_args(argv)
    session = fp.Session(plan="textbook")
    try:
        for words in arguments.words:
            session.load_words(words)
        rows = [entry for file in arguments.expected for entry in entries(file)]
    except fp.FibproverError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    total = differing = printed = 0
    for entry in rows:
        total += len(entry.steps)
        for difference in differences(entry, session):
            print(difference)
            printed += 1
            differing += difference.counted
    print(f"agree {total - differing} of {total}")
    return 1 if printed else 0


if __name__ == "__main__":
    raise SystemExit(main())
