"""Certifies what `solve` proves: the recursions of benchmarks.recursions, each with its certificate or the reason.

    python -m benchmarks.certified [--timeout 20] [--max-memory 2] [--random 10] [NAME ...]

NAME is a group (see GROUPS of benchmarks.recursions); without, all are tried.  The table has a row for each group; what
has no certificate is listed before it.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.recursions import GROUPS, Case
from benchmarks.table import table
from fibprover.base.errors import BudgetSpent, Unsolved
from fibprover.base.limits import Limits
from fibprover.learn.theorem import Solution
from fibprover.prover.certificate.checking import CertificateCheck
from fibprover.workspace.session import Session

HEADER = ("group", "recursions", "solved", "certified", "by both checkers", "KB", "written, s", "checked, s")


def certificate(case: Case, limits: Limits, folder: Path) -> CertificateCheck | str:
    """Return the certificate of what a case solves, or why nothing is solved."""
    session = Session(limits=limits, certify=folder)
    if case.words is not None:
        file = folder / "words.json"
        file.write_text(json.dumps(case.words))
        session.load_words(file)
    try:
        session.run(case.before)
        (_, found), = session.run(case.solve)
    except (Unsolved, BudgetSpent) as problem:
        return f"not solved: {problem.message}"
    assert isinstance(found, Solution) and found.theorem.certificate is not None
    return found.theorem.certificate


def row(group: str, found: Sequence[CertificateCheck | str]) -> list[str]:
    """Return the cells of a group."""
    solved = [each for each in found if isinstance(each, CertificateCheck)]
    checked = [each for each in solved if each.checked]
    return [
        group, str(len(found)), str(len(solved)), str(len(checked)), str(sum(each.verified for each in checked)),
        f"{sum(each.size for each in checked) / 1000:.0f}", f"{sum(each.written_seconds for each in checked):.1f}",
        f"{sum(each.checked_seconds for each in checked):.1f}",
    ]


def main(arguments: list[str] | None = None) -> int:
    """Certify the cases that are asked for, and print a table."""
    parser = argparse.ArgumentParser(description="certify recursions that are solved")
    parser.add_argument("--timeout", type=float, default=20.0, metavar="SECONDS")
    parser.add_argument("--max-memory", type=float, default=2.0, metavar="GB")
    parser.add_argument("--random", type=int, default=10, metavar="COUNT")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args(arguments)
    limits = Limits(seconds=options.timeout, bytes=int(options.max_memory * (1 << 30)))
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for group, cases in GROUPS.items():
            if options.names and group not in options.names:
                continue
            found = []
            for case in cases(options.random):
                found.append(certificate(case, limits, Path(folder)))
                if isinstance(found[-1], str) or not found[-1].checked:
                    print(f"{case.title}: {found[-1]}", flush=True)
            rows.append(row(group, found))
    print(table(HEADER, rows))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
