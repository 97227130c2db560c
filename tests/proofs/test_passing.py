"""The P-positions of proofs/passing.py against boards from the rules of the games, in plain Python."""

from __future__ import annotations

import pytest

import fibprover as fp
from fibprover.numeration.registry import system_named
from fibprover.prover.verdict.relation import Relation
from fibprover.workspace.walnut import read_automaton
from tests.games.rules_in_python import Position
from tests.proofs.chapters import PROOFS

SIZE = 500


class Reached:
    """The positions from which a move leads to one of some positions, as these are added in the order of rows."""

    def __init__(self, band: int) -> None:
        self.band = band
        self.rows: set[int] = set()
        self.columns: set[int] = set()
        self.diagonals: dict[int, list[Position]] = {}
        self.all: set[Position] = set()

    def add(self, p: int, q: int) -> None:
        """Add a position."""
        self.rows.add(p)
        self.columns.add(q)
        self.diagonals.setdefault(p - q, []).append((p, q))
        self.all.add((p, q))

    def __contains__(self, position: Position) -> bool:
        p, q = position
        if p in self.rows or q in self.columns:
            return True
        near = range(p - q - self.band + 1, p - q + self.band)
        return any(r < p and s < q for each in near for r, s in self.diagonals.get(each, ()))


@pytest.mark.parametrize(
    ("name", "system", "band"),
    [
        ("nim", "msd_2", 0), ("wythoff", "msd_fib", 1), ("wythoff_2", "msd_wythoff_2", 2),
        ("wythoff_3", "msd_wythoff_3", 3),
    ],
)
def test_p_positions_with_a_pass(name: str, system: str, band: int) -> None:
    used, left = Reached(band), Reached(band)
    for p in range(SIZE):
        for q in range(SIZE):
            lost = (p, q) not in used
            if (p, q) == (0, 0) or (not lost and (p, q) not in left):
                left.add(p, q)
            if lost:
                used.add(p, q)
    file = PROOFS / "automata" / "passing" / f"{name}.txt"
    found = read_automaton(file, lambda named: system_named(named).track("x"), ("a", "b"))
    session = fp.Session(system)
    session.define("P", Relation(found, session.namespace.system))
    assert set(session.relation(f"$P(a,b) & a<{SIZE} & b<{SIZE}")) == left.all
