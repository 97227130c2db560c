"""Writes docs/inventions.md: whether sets of positions have an invariant game, and which.

`python website/inventions.py search [-j N]` decides the sets that have no result in proofs/inventions.json, half a
minute of
CPU time for each; without `search` the page is written from these results.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from multiprocessing import get_context
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import fibprover as fp
from fibprover.base.errors import BudgetSpent
from fibprover.campaigns.atlas.entries import read_atlas
from fibprover.campaigns.atlas.results import positions_of_result, read_result

ROOT = Path(__file__).resolve().parent.parent
ATLAS, RESULTS, PAGE = ROOT / "proofs" / "atlas", ROOT / "proofs" / "inventions.json", ROOT / "docs" / "inventions.md"

#: CPU seconds for a set.
SECONDS = 30.0

#: Slopes of Beatty sequences: 30 quadratic irrationals above 1.
SLOPES = (
    "(1+sqrt(5))/2", "sqrt(2)", "sqrt(3)", "(3+sqrt(5))/4", "(1+sqrt(3))/2", "(1+sqrt(2))/2", "(5+sqrt(13))/6",
    "(5+sqrt(17))/6", "(1+sqrt(13))/4", "(sqrt(13)-1)/2", "(sqrt(17)-1)/2", "sqrt(5)-1", "(sqrt(29)-3)/2",
    "(sqrt(5)+5)/5", "(4+sqrt(2))/4", "(3+sqrt(3))/4", "(3+sqrt(3))/3", "(sqrt(2)+2)/3", "(sqrt(6)+1)/3", "sqrt(6)/2",
    "(2+sqrt(7))/3", "sqrt(7)/2", "(sqrt(10)-1)/2", "(3+sqrt(13))/4", "(sqrt(21)-1)/3", "(1+sqrt(21))/4", "sqrt(5)/2",
    "(sqrt(8)+1)/3", "(sqrt(40)-4)/2", "(sqrt(13)+1)/3",
)

#: Words with two letters, whose places are complementary sequences.
WORDS = ("T", "TTM", "FTM", "RS", "P", "ZP", "PD", "F", "RF", "pell", "KP", "CA", "BS", "SB", "TH")

#: How many morphisms of two letters are drawn.
MORPHISMS = 12

#: The k-bonacci words of the library.
BONACCI = {3: "TR", 4: "bonacci4", 5: "bonacci5"}


def sets() -> Iterator[tuple[str, str, str]]:
    """Yield the sets: a title, a kind, and what it is made of."""
    for chapter in read_atlas([ATLAS]):
        for entry in chapter.entries:
            result = read_result(ATLAS / "results", entry.id)
            if result is not None and result.automaton is not None:
                yield "The atlas", "atlas", entry.id
    for most in range(13):
        yield "K^0 to K^12", "game", f"terminal({most})"
    for most in range(1, 11):
        yield "m-Wythoff", "game", f"wythoff({most})"
    for slope in SLOPES:
        yield "Beatty sequences", "beatty", slope
    for word in WORDS:
        yield "Places of two letters", "letters", word
    for morphism in drawn(MORPHISMS):
        yield "Places of two letters in fixed points of morphisms drawn at random", "morphism", morphism
    for k, word in BONACCI.items():
        for size in (2, 3) if k < 5 else (2,):
            for letters in combinations(range(k), size):
                yield "Letters of k-bonacci words", "letters", f"{word} {' '.join(map(str, letters))}"
    for k, word in BONACCI.items():
        for size in range(2, min(k, 4)):
            for rows in combinations(range(k - 1), size):
                yield "Differences of places in k-bonacci words", "differences", f"{word} {' '.join(map(str, rows))}"


def drawn(count: int) -> list[str]:
    """Return morphisms of a and b, always the same ones, with images of up to 4 letters.

    That of a begins with a and has a b, and that of b has an a, so that all are primitive.
    """
    source, found = Random(36), list[str]()
    while len(found) < count:
        of_a = "a" + "".join(source.choices("ab", k=source.randint(1, 3)))
        of_b = "".join(source.choices("ab", k=source.randint(1, 4)))
        morphism = f"a->{of_a}, b->{of_b}"
        if "b" in of_a and "a" in of_b and morphism not in found:
            found.append(morphism)
    return found


def positions_of(kind: str, made_of: str, limits: fp.Limits) -> fp.Relation:
    """Return the positions of a set."""
    name, *numbers = made_of.split() if kind in ("letters", "differences") else [made_of]
    if kind == "atlas":
        return positions_of_result(ATLAS / "results", made_of)
    if kind == "game":
        return fp.discover(made_of, with_findings=False, limits=limits).relation
    if kind == "beatty":
        return fp.positions_of_beatty(made_of, limits=limits)
    session = fp.Session(limits=limits)
    if kind == "morphism":
        session.dumont_thomas("fixed", made_of)
        return fp.positions_of_letters(session, "Fixed", None, limits)
    chosen = tuple(map(int, numbers)) or None
    if kind == "letters":
        return fp.positions_of_letters(session, name, chosen, limits)
    # Row i has the place of the n-th letter i+1 less that of the n-th letter i (Fokkink and Rust, section 4).
    assert chosen is not None
    letters = sorted({*chosen, *(row + 1 for row in chosen)})
    for each in letters:
        fp.positions_of_letters(session, name, (each, (each + 1) % 2), limits)
        session.define(f"x{each}", session.relation("$places0(n,x)"))
    n, x, y, z = fp.variables("n x y z")
    rows = [
        fp.exists(y, z, fp.call(f"x{row}", n, y) & fp.call(f"x{row + 1}", n, z) & (y + x).eq(z)) & (n > 0)
        for row in chosen
    ]
    return fp.positions_of_sequences(session, *rows)


def decided(case: tuple[str, str, str]) -> dict[str, Any]:
    """Return the outcome for a set, without automata."""
    title, kind, made_of = case
    begun = perf_counter()
    found: dict[str, Any] = {"title": title, "kind": kind, "of": made_of}
    limits = fp.Limits(cpu_seconds=SECONDS, bytes=6 << 30)
    try:
        invention = fp.invent(positions_of(kind, made_of, limits), limits=limits)
    except (BudgetSpent, fp.FibproverError) as problem:
        return found | {"status": "no set", "why": str(problem).splitlines()[0], "seconds": perf_counter() - begun}
    plain = invention.as_json()
    for name in ("moves", "vectors"):
        if plain[name] is not None:
            plain[name] = plain[name]["states"]
    nearest = plain.pop("nearest")
    return found | plain | {
        "nearest": None if nearest is None else nearest["terminal"], "seconds": round(perf_counter() - begun, 1),
    }


def search(jobs: int) -> None:
    """Decide the sets without a result, and keep the results."""
    known = results()
    left = [case for case in sets() if case[1:] not in known]
    with get_context("fork").Pool(jobs, maxtasksperchild=4) as pool:
        for found in pool.imap(decided, left):
            known[found["kind"], found["of"]] = found
            print(found["kind"], found["of"], found["status"], f"{found['seconds']:.1f}", flush=True)
            RESULTS.write_text(json.dumps(list(known.values()), indent=1) + "\n")


def results() -> dict[tuple[str, str], dict[str, Any]]:
    """Return the results by kind and set."""
    if not RESULTS.exists():
        return {}
    return {(each["kind"], each["of"]): each for each in json.loads(RESULTS.read_text())}


_HEAD = """\
# Which sets of positions have an invariant game

For each set P of the table [`fibprover invent`](invent.md) looked for an invariant game whose P-positions are P, with
30 to 60 s of CPU time for each step. `python website/inventions.py search` makes the results, proofs/inventions.json,
from which this page is written. The tests compare the rows of the atlas with boards.

{counts}.

- *Rules* are such that none can be left out if a number of *proof* states is given; they were proved as those of a
  game. *V(n)* stands for further vectors, an automaton of n states.
- *All moves* is the number of states of the largest set of moves, where its automaton was found.
- Where there is no game, the table gives the least position from which no vector that could be a move leads into P.
  If there is a game with terminal positions of at most 24 counters, these stand after *ends where*.
"""


def page() -> str:
    """Return the page."""
    known = results()
    counts = Counter(each["status"] for each in known.values())
    said = {"invariant": "have an invariant game", "none": "have none", "undecided": "are undecided",
            "no set": "were not recognized"}
    lines = [_HEAD.format(counts=f"Of {len(known)} sets " + ", ".join(f"{counts[each]} {said[each]}" for each in said))]
    title = ""
    for case in sets():
        found = known.get(case[1:])
        if found is None:
            continue
        if case[0] != title:
            title = case[0]
            lines += [f"\n## {title}\n", "| set | game | rules or position | proof | all moves | s |",
                      "| --- | --- | --- | ---: | ---: | ---: |"]
        lines.append(row(found))
    return "\n".join(lines) + "\n"


def row(found: dict[str, Any]) -> str:
    """Return the line of a set."""
    name = found["of"]
    if found["status"] == "no set":
        return f"| `{name}` | not recognized | {found['why']} | | | {found['seconds']:.1f} |"
    if found["status"] == "none":
        nearest = f"; ends where {found['nearest']}" if found["nearest"] else ""
        said = f"({','.join(map(str, found['unreached']['position']))}){nearest}"
    else:
        rules = [part["words"].split(":")[0] for part in found["rules"]]
        rules += [f"V({found['vectors']})"] if found["vectors"] else []
        said = "; ".join(rules) or ("all moves" if found["status"] == "invariant" else "")
    verdict = {"none": "no", "invariant": "**yes**"}.get(found["status"], found["status"])
    return (
        f"| `{name}` | {verdict} | {said.replace('|', '&#124;')} | {found['proof_states'] or ''} | "
        f"{found['moves'] or ''} | {found['seconds']:.1f} |"
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["search"]:
        search(int(sys.argv[3]) if sys.argv[2:3] == ["-j"] else 2)
    PAGE.write_text(page())
