"""Writes docs/blocking.md from the results of a sweep: `python website/blocking.py FILE`.

FILE is what `fibprover game --sweep 'blocking(k)' k=2..100 --no-findings --timeout 60 -j 1 --json FILE` writes.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

PAGE = Path(__file__).resolve().parent.parent / "docs" / "blocking.md"

_HEAD = """\
# Blocking Wythoff Nim, W^2 to W^100

In W^k, before each move of Wythoff's game, the other player may forbid k-1 options. For each k from 2 to 100 we
searched for an automaton of the P-positions, in some forty numeration systems and for at most a minute:

    fibprover game --sweep 'blocking(k)' k=2..100 --no-findings --timeout 60 -j 1 --store wk.sqlite --json wk.json

It took {minutes:.0f} minutes on a busy machine, and `python website/blocking.py wk.json` wrote this table: {proved}
games are proved, {none} have no automaton in the systems tried, and {undecided} are undecided.

- *Proved*: the automaton is proved correct, as [From the rules of a game to a theorem](discovery.md) describes.
- *No automaton*: in every system that was tried, the states inferred from the positions below larger and larger bounds
  grow like a power of the bound. That is an observation, not a theorem: there may be automata with more states, or in
  other systems.
- *Undecided*: the minute ended before either result.

Where nothing is proved, the table has the system in which the states grow like the smallest power of the bound, N^e,
and the states for five bounds, each half of the next one. The last bound is in the column *below*.

| k | outcome | system | states | below | e | s |
| ---: | --- | --- | --- | ---: | ---: | ---: |
"""


def row(record: dict[str, Any]) -> str:
    """Return the line of one game."""
    found = record["result"]
    k = record["what"].removeprefix("blocking(").removesuffix(")")
    seconds = f"{record['seconds']:.1f}"
    if found["status"] == "proved":
        return f"| {k} | **proved** | {found['system']} | {found['states']} | | | {seconds} |"
    grown = [each for each in found["attempts"] if each["growth"] is not None]
    farthest = max(each["bound"] for each in grown)
    least = min((each for each in grown if each["bound"] == farthest), key=lambda each: each["growth"]["exponent"])
    growth = least["growth"]
    states = ", ".join(map(str, growth["states"]))
    return (
        f"| {k} | {found['status']} | {least['system']} | {states} | {growth['bounds'][-1]} | "
        f"{growth['exponent']:.2f} | {seconds} |"
    )


def page(records: list[dict[str, Any]]) -> str:
    """Return the text of the page."""
    outcomes = Counter(record["result"]["status"] for record in records)
    head = _HEAD.format(
        minutes=sum(record["seconds"] for record in records) / 60, proved=outcomes["proved"],
        none=outcomes["no automaton"], undecided=outcomes["undecided"],
    )
    return head + "\n".join(map(row, records)) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))), encoding="utf-8")
