"""Runs all commands of files such as state_counts.json in one session, for the clock.

    python -m benchmarks.commands PLAN WORDS.json EXPECTED.json [EXPECTED.json ...]
"""

from __future__ import annotations

import sys

import fibprover as fp
from benchmarks.state_counts import entries


def main(plan: str, words: str, *files: str) -> int:
    """Runs the commands; exit status 1 if a verdict is not the logged one."""
    session = fp.Session(plan=plan)
    session.load_words(words)
    for entry in (entry for file in files for entry in entries(file)):
        *_, (_, outcome) = session.run(entry.command)
        if entry.verdict is not None and not (isinstance(outcome, fp.Verdict) and outcome.truth == entry.verdict):
            print(f"{entry.name}: expected {entry.verdict}, found {outcome}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
