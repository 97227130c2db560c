"""Writes what the replay of the corpus gives, for programs: `python -m tests.corpus.report`.

One object a case: its id and command, and a status; "passed", or "different" with the reason and the
commands that give the peer's automaton.
"""

from __future__ import annotations

import json
from pathlib import Path

from tests.corpus.replay import CORPUS, Corpus
from tests.corpus.session_runner import SessionRunner

REPORT = Path(__file__).with_name("report.json")


def main() -> None:
    """Replays the corpus and writes the report."""
    corpus = Corpus(CORPUS, SessionRunner)
    lines = ",\n".join(json.dumps(entry) for entry in corpus.statuses())
    REPORT.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    print(corpus.report())


if __name__ == "__main__":
    main()
