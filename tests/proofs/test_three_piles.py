"""The P-positions of proofs/three_piles.py against a cube from the rules of Nim, in plain Python."""

from __future__ import annotations

import pytest

import fibprover as fp
from fibprover.numeration.registry import system_named
from fibprover.prover.verdict.relation import Relation
from fibprover.workspace.walnut import read_automaton
from tests.proofs.chapters import PROOFS

SIZE = 120


def p_positions(*, misere: bool) -> set[tuple[int, int, int]]:
    """The positions from which no move leads to one; in misere play not (0,0,0)."""
    found: set[tuple[int, int, int]] = set()
    taken: tuple[set[tuple[int, int]], ...] = (set(), set(), set())
    for a in range(SIZE):
        for b in range(SIZE):
            for c in range(SIZE):
                if (misere and a + b + c == 0) or (b, c) in taken[0] or (a, c) in taken[1] or (a, b) in taken[2]:
                    continue
                found.add((a, b, c))
                for others, pair in zip(taken, ((b, c), (a, c), (a, b)), strict=True):
                    others.add(pair)
    return found


@pytest.mark.parametrize(("name", "misere"), [("nim3", False), ("nim3_misere", True)])
def test_p_positions(name: str, misere: bool) -> None:
    file = PROOFS / "automata" / "three_piles" / f"{name}.txt"
    found = read_automaton(file, lambda named: system_named(named).track("x"), ("a", "b", "c"))
    session = fp.Session("msd_2")
    session.define("P", Relation(found, session.namespace.system))
    below = session.relation(f"$P(a,b,c) & a<{SIZE} & b<{SIZE} & c<{SIZE}")
    assert set(below) == p_positions(misere=misere)
