"""Measures another program that reads the same scripts, in turn with fibprover.

The other program gets the commands on standard input, or in a file if its command line says {file}.
Words are given to it the way Walnut keeps them: as text files "Word Automata Library/NAME.txt" in a
temporary folder, which is {home} in its command line.  That it did all the work is seen by the words
TRUE and FALSE in what it prints: one for each `eval`, in order.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.groups import ROOT, WORDS, Group
from benchmarks.measure import Ended, Measured, Run, ended, failed, last_words
from benchmarks.table import Section, megabytes, seconds, table

LIBRARY = "Word Automata Library"

_VERDICT = re.compile(r"\b(TRUE|FALSE)\b")


def command_line(peer: str, file: Path, home: Path) -> tuple[list[str], bool]:
    """Return the peer's command line with its placeholders filled in, and whether it reads standard input."""
    parts = shlex.split(peer)
    filled = [part.replace("{file}", str(file)).replace("{home}", str(home)) for part in parts]
    return filled, not any("{file}" in part for part in parts)


def write_words(home: Path, names: Sequence[str]) -> None:
    """Write words as text files where Walnut looks for them."""
    from fibprover import Session
    from fibprover.workspace.walnut import write_automaton

    library = home / LIBRARY
    library.mkdir(parents=True, exist_ok=True)
    session = Session()
    session.load_words(WORDS)
    for name in names:
        write_automaton(session.namespace.words[name].machine, library / f"{name}.txt")


def outcome(done: Ended, expected: Sequence[bool], limit: float) -> Run | str:
    """One run of either program, or its failure."""
    if done.status is None:
        return f"> {limit:g} s"
    if done.status:
        return failed(done)
    verdicts = [found[1] == "TRUE" for found in _VERDICT.finditer(done.out)]
    if len(verdicts) != len(expected):
        return f"failed: {len(verdicts)} verdicts instead of {len(expected)}{last_words(done)}"
    if verdicts != list(expected):
        return "failed: wrong verdicts"
    return Run(done.seconds, done.processor, done.peak, {})


def compared(group: Group, peer: str, runs: int, limit: float) -> tuple[Measured, Measured]:
    """Run fibprover and the peer in turn on one group; a program that fails is not run again."""
    with tempfile.TemporaryDirectory(prefix="peer-") as folder:
        home = Path(folder)
        file = home / "script.txt"
        file.write_text(group.script, encoding="utf-8")
        # In another process: the memory of this one would show as the peak of those it starts.
        writer = (sys.executable, "-m", "benchmarks.peer", str(home), *group.words)
        subprocess.run(writer, cwd=ROOT, check=True)
        own = [sys.executable, "-m", "fibprover", "run", str(file), *(["--words", str(WORDS)] if group.words else [])]
        other, to_input = command_line(peer, file, home)
        mine, theirs = Measured(()), Measured(())
        for _ in range(runs):
            mine = once_more(mine, own, "", group.expected, limit)
            theirs = once_more(theirs, other, group.script if to_input else "", group.expected, limit)
        return mine, theirs


def once_more(sofar: Measured, command: Sequence[str], given: str, expected: Sequence[bool], limit: float) -> Measured:
    """Return the runs so far with another one, unless one has failed."""
    if sofar.failure:
        return sofar
    found = tried(command, given, expected, limit)
    return Measured(sofar.runs, found) if isinstance(found, str) else Measured((*sofar.runs, found))


def tried(command: Sequence[str], given: str, expected: Sequence[bool], limit: float) -> Run | str:
    """Run a command line once."""
    try:
        return outcome(ended(command, given, limit, ROOT), expected, limit)
    except OSError as error:
        return f"failed: {command[0]} cannot be run: {error.strerror}"


def peers(groups: Sequence[Group], peer: str, runs: int, limit: float, note: Callable[[str], None]) -> Section:
    """Return a row for each group: the seconds and memory of both programs, and the ratio."""
    rows = []
    for group in groups:
        note(group.title)
        mine, theirs = compared(group, peer, runs, limit)
        both = not mine.failure and not theirs.failure
        rows.append([
            group.title, shown(mine), shown(theirs),
            f"{theirs.seconds / mine.seconds:.1f}" if both else "-",
            "-" if mine.failure else megabytes(mine.peak), "-" if theirs.failure else megabytes(theirs.peak),
            str(min(len(mine.runs), len(theirs.runs))),
        ])
    return Section("Against another program", (
        f"`fibprover run` and `{peer}`, run in turn; wall seconds of whole processes, medians.",
        table(["what", "fibprover s", "other s", "other / fibprover", "fibprover MB", "other MB", "runs"], rows),
    ))


def shown(measured: Measured) -> str:
    """Return the median seconds, or the failure."""
    return measured.failure or seconds(measured.seconds)


if __name__ == "__main__":
    write_words(Path(sys.argv[1]), sys.argv[2:])
