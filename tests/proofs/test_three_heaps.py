"""The pairs of proofs/three_heaps.py against a board of Wythoff's game on three heaps, in plain Python."""

from __future__ import annotations

from itertools import product

import fibprover as fp
from fibprover.numeration.registry import system_named
from fibprover.prover.verdict.relation import Relation
from fibprover.workspace.walnut import read_automaton
from tests.proofs.chapters import PROOFS

FILES = PROOFS / "automata" / "three_heaps"
SIZE = 60
FIRST = 31


def p_positions() -> list[set[tuple[int, int]]]:
    """Return, for each first heap, the pairs of other heaps below SIZE, with all amounts tried one by one."""
    found: list[set[tuple[int, int]]] = []
    for m in range(FIRST):
        # The pairs from which a move that takes i from the first heap leads to a P-position.
        forbidden = {
            (p + j, q + (i ^ j))
            for i in range(1, m + 1)
            for p, q in found[m - i]
            for j in range(SIZE - p)
        }
        for earlier in found:
            forbidden |= earlier
        here: set[tuple[int, int]] = set()
        rows, columns, diagonals = set[int](), set[int](), set[int]()
        for a, b in sorted(product(range(SIZE), repeat=2), key=sum):
            if a not in rows and b not in columns and a - b not in diagonals and (a, b) not in forbidden:
                here.add((a, b))
                rows.add(a)
                columns.add(b)
                diagonals.add(a - b)
        found.append(here)
    return found


def test_p_positions() -> None:
    session = fp.Session("msd_fib")
    for m, pairs in enumerate(p_positions()):
        found = read_automaton(FILES / f"{m}.txt", lambda named: system_named(named).track("x"), ("a", "b"))
        session.define("P", Relation(found, session.namespace.system))
        assert set(session.relation(f"$P(a,b) & a<{SIZE} & b<{SIZE}")) == pairs


def test_every_file_is_used() -> None:
    assert {file.name for file in FILES.iterdir()} == {f"{m}.txt" for m in range(FIRST)}
