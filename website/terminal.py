"""Writes docs/terminal.md: the games K^1 to K^50, with the values of lambda.

`python website/terminal.py search` proves what proofs/terminal.json lacks; the page is written from that file.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

import fibprover as fp
from fibprover.games.findings import line_distance, sequences
from fibprover.games.findings.context import GameContext

ROOT = Path(__file__).resolve().parent.parent
RESULTS, PAGE = ROOT / "proofs" / "terminal.json", ROOT / "docs" / "terminal.md"

#: CPU seconds for the positions of a game, and for each part of what follows.
SECONDS = 120.0

MOST = 50


def proved(most: int) -> dict[str, Any]:
    """Return what is proved of K^l: positions, recurrence, and the values of lambda for c = l."""
    begun = perf_counter()
    limits = fp.Limits(cpu_seconds=SECONDS)
    theorem = fp.discover(f"terminal({most})", with_findings=False, limits=limits)
    found = theorem.discovery
    assert found.proof is not None
    context = GameContext(found.game, theorem.automaton, theorem.system, found.data, limits)
    known = sequences.find_sequences(context)
    row: dict[str, Any] = {
        "l": most, "states": theorem.automaton.states, "proof_states": found.proof.states, "a": None, "b": None,
        "recurrence": None, "lambda": None, "word": None,
    }
    if known is not None:
        row |= {"a": known.a.states, "b": known.b.states}
        for each in (*sequences.recurrence(context, known), *line_distance.growth_findings(context, known)):
            if each.name == "recurrence":
                row["recurrence"] = each.statement
            elif each.name == "growth" and each.data["c"] == most:
                row["lambda"] = [each.data["lambda"][0], each.data["lambda"][-1]]
            elif each.name == "word":
                row["word"] = [len(each.data["morphism"]), each.data["minimal"]]
    return row | {"seconds": round(perf_counter() - begun, 1)}


def search() -> None:
    """Prove what has no result, and keep the results."""
    rows = results()
    for most in range(1, MOST + 1):
        if all(row["l"] != most for row in rows):
            rows.append(proved(most))
            print(rows[-1], flush=True)
            RESULTS.write_text(json.dumps(rows, indent=1) + "\n")


def results() -> list[dict[str, Any]]:
    """Return the results."""
    return json.loads(RESULTS.read_text()) if RESULTS.exists() else []


_HEAD = """\
# The games K^1 to K^{most}

In K^l the moves are those of Wythoff's game, and the positions (a,b) with a+b <= l are terminal (Renard & Rigo). For
each l the P-positions were found and proved ([discovery.md](discovery.md)), and of the pairs (a_n,b_n), a_n < b_n, that
are not terminal:

- a_n is the least number from l+1 on that is no a_i or b_i with i < n, and b_n = a_n + n + l + 1 (column *rec*);
- a_n = floor((n+l) phi) + lambda(n): the column *lambda* has the least and the greatest value that lambda takes,
  both proved. Renard and Rigo prove that lambda is bounded (Theorem 17);
- the word of lambda is a coded fixed point, with so many letters, and so many that are needed, where it was found
  (column *word*).

`python website/terminal.py search` writes proofs/terminal.json, from which this page is made; it took {minutes:.0f}
minutes of wall time on a busy machine.
That the least value is at least -phi l for all these l: {bound}. {more}

| l | states | largest in the proof | (n,a_n) | (n,b_n) | rec | lambda | least + phi l | word | s |
| ---: | ---: | ---: | ---: | ---: | --- | --- | ---: | --- | ---: |
"""


def page() -> str:
    """Return the page."""
    rows = results()
    phi = (1 + 5**0.5) / 2
    decided = [row for row in rows if row["lambda"] is not None]
    below = all(row["lambda"][0] >= -phi * row["l"] for row in decided)
    widths = [row["lambda"][1] - row["lambda"][0] + 1 for row in decided]
    more = f"The number of values is at most {max(widths)}."
    lines = [_HEAD.format(
        most=max(row["l"] for row in rows), minutes=sum(row["seconds"] for row in rows) / 60,
        bound="true" if below else "false", more=more,
    ).rstrip("\n")]
    for row in rows:
        values, word = row["lambda"], row["word"]
        lines.append(
            f"| {row['l']} | {row['states']} | {row['proof_states']} | {row['a'] or ''} | {row['b'] or ''} | "
            f"{'yes' if row['recurrence'] else ''} | {f'{values[0]} .. {values[1]}' if values else ''} | "
            f"{format(values[0] + phi * row['l'], '.2f') if values else ''} | "
            f"{f'{word[0]}, {word[1]}' if word else ''} | {row['seconds']:.1f} |"
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if sys.argv[1:] == ["search"]:
        search()
    PAGE.write_text(page())
