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


def proved(most: int, row: dict[str, Any]) -> dict[str, Any]:
    """Return what is proved of K^l: positions, recurrences, the values of lambda for c = l, and what `row` has."""
    begun = perf_counter()
    limits = fp.Limits(cpu_seconds=SECONDS)
    theorem = fp.discover(f"terminal({most})", "msd_fib", with_findings=False, limits=limits)
    found = theorem.discovery
    assert found.proof is not None
    context = GameContext(found.game, theorem.automaton, theorem.system, found.data, limits)
    known = sequences.find_sequences(context)
    new: dict[str, Any] = {"l": most, "states": theorem.automaton.states, "proof_states": found.proof.states}
    if known is not None:
        new |= {"a": known.a.states, "b": known.b.states} | hofstadter(context.session, most)
        if "lambda" not in row:
            new |= values_of_lambda(context, known, most)
    seconds = round(perf_counter() - begun, 1)
    return row | new | ({} if "seconds" in row else {"seconds": seconds})


def values_of_lambda(context: GameContext, known: sequences.Sequences, most: int) -> dict[str, Any]:
    """Return the recurrence of a_n and b_n, and the least and the greatest value of lambda with its word."""
    found: dict[str, Any] = {"recurrence": None, "lambda": None, "word": None}
    for each in (*sequences.recurrence(context, known), *line_distance.growth_findings(context, known)):
        if each.name == "recurrence":
            found["recurrence"] = each.statement
        elif each.name == "growth" and each.data["c"] == most:
            found["lambda"] = [each.data["lambda"][0], each.data["lambda"][-1]]
        elif each.name == "word":
            found["word"] = [len(each.data["morphism"]), each.data["minimal"]]
    return found


def hofstadter(s: fp.Session, most: int) -> dict[str, Any]:
    """Return whether Hofstadter's recurrence holds, where that of g_l begins, and how many sequences K^l has.

    The session has A(a,n), that a is a_n.
    """
    s.reg("shift", [[0, 1], [0, 1]], "([0,0]|[0,1][1,1]*[1,0])*")
    s.define("follows", "(m=0 & n=1) | (Ex $shift(m-1,x) & n=x+2)")  # n = floor(m phi) + 1
    s.define("many", f"(x<={most} & y=0) | (y>0 & Eu,v $A(u,y-1) & $A(v,y) & u<=x & x<v)")
    s.define("G", f"(x<{2 * most} & y={most}) | (x>={2 * most} & y>={most} & $many(x-{most},y-{most}))")
    holds = s.prove(f"(Ax E=1 y $G(x,y)) & Ax,y,u,v (x>={2 * most} & $G(x,y) & $G(x-1,u) & $G(u,v)) => x=y+v")
    s.define("g", f"n>={most} & (Em,x $follows(n,m) & $A(x,n-{most}) & x+{most}=m+y)")
    s.define("wild", f"n>={most} & ~($g(n,0) | $g(n,1))")
    s.define("flips", "($g(m,0) & $g(n,1)) | ($g(m,1) & $g(n,0))")
    s.define("wrong", f"n>={most} & ((Em m>={most} & $follows(m,n) & ~$flips(m,n)) | (~(Em $follows(m,n)) & ~$g(n,1)))")
    s.define("other", f"n>={most} & ~(Ex $A(x,n-{most}) & $shift(n,x+{most - 1}))")
    starts = s.relation("$other(n) & ~(Em $other(m) & $follows(m,n))").values()
    ends = s.relation("$other(m) & (En $follows(m,n) & ~$other(n))").values()
    return {
        "hofstadter": bool(holds),
        "binary": max(s.relation("$wild(n)").values(), default=most - 1) + 1,
        "recurrent": max(s.relation("$wrong(n)").values(), default=most) + 1,
        "sequences": len(starts) - len(ends),
    }


def search() -> None:
    """Prove what has no result, and keep the results."""
    rows = {row["l"]: row for row in results()}
    for most in range(1, MOST + 1):
        if "hofstadter" not in rows.get(most, {}):
            rows[most] = proved(most, rows.get(most, {}))
            print(rows[most], flush=True)
            RESULTS.write_text(json.dumps([rows[each] for each in sorted(rows)], indent=1) + "\n")


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
  (column *word*);
- a_n is Hofstadter's recurrence with other first values, and K^l is K^1 moved but for some sequences
  ([hofstadter.md](hofstadter.md)): column *G*, that his recurrence was proved of the automata, *from*, the n from which
  g_l satisfies that of g, and *own*, how many sequences these are.

`python website/terminal.py search` writes proofs/terminal.json, from which this page is made; it took {minutes:.0f}
minutes of wall time on a busy machine.
The number of values of lambda is at most {widths}.

| l | states | largest in the proof | (n,a_n) | (n,b_n) | rec | lambda | word | G | from | own | s |
| ---: | ---: | ---: | ---: | ---: | --- | --- | ---: | --- | ---: | ---: | ---: |
"""


def page() -> str:
    """Return the page."""
    rows = results()
    widths = [row["lambda"][1] - row["lambda"][0] + 1 for row in rows if row["lambda"] is not None]
    lines = [_HEAD.format(
        most=max(row["l"] for row in rows), minutes=sum(row["seconds"] for row in rows) / 60, widths=max(widths),
    ).rstrip("\n")]
    for row in rows:
        values, word = row["lambda"], row["word"]
        lines.append(
            f"| {row['l']} | {row['states']} | {row['proof_states']} | {row['a'] or ''} | {row['b'] or ''} | "
            f"{'yes' if row['recurrence'] else ''} | {f'{values[0]} .. {values[1]}' if values else ''} | "
            f"{f'{word[0]}, {word[1]}' if word else ''} | {'yes' if row['hofstadter'] else ''} | {row['recurrent']} | "
            f"{row['sequences']} | {row['seconds']:.1f} |"
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if sys.argv[1:] == ["search"]:
        search()
    PAGE.write_text(page())
