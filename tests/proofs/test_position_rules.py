"""The P-positions of proofs/position_rules.py against boards from the rules of the games, in plain Python."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import fibprover as fp
from fibprover.numeration.registry import system_named
from fibprover.prover.verdict.relation import Relation
from fibprover.workspace.walnut import read_automaton
from tests.games.rules_in_python import Position
from tests.proofs.chapters import PROOFS

SIZE = 60

#: By file: the system, and whether i and j counters may be taken from (p,q).
RULES: dict[str, tuple[str, Callable[[int, int, int, int], bool]]] = {
    "near": ("msd_fib", lambda i, j, p, q: i * j == 0 or (i == j and max(p, q) <= 2 * min(p, q))),
    "keep": ("msd_fib", lambda i, j, p, q: i * j == 0 or (i == j and i < min(p, q))),
    "other": ("msd_4", lambda i, j, p, q: (i == 0 and j <= p + 1) or (j == 0 and i <= q + 1)),
    "twice": ("msd_2", lambda i, j, p, q: (i == 0 and j <= 2 * p + 1) or (j == 0 and i <= 2 * q + 1)),
    "as_many": ("msd_2", lambda i, j, p, q: (i == 0 and j <= p) or (j == 0 and i <= q) or i == j),
    "even": ("msd_2", lambda i, j, p, q: i * j == 0 or (i == j and p % 2 == 0)),
}


@pytest.mark.parametrize("name", RULES)
def test_p_positions(name: str) -> None:
    named, rule = RULES[name]
    lost: set[Position] = set()
    for p in range(SIZE):
        for q in range(SIZE):
            if not any(rule(p - r, q - s, p, q) for r, s in lost if r <= p and s <= q):
                lost.add((p, q))
    file = PROOFS / "automata" / "position_rules" / f"{name}.txt"
    found = read_automaton(file, lambda system: system_named(system).track("x"), ("a", "b"))
    session = fp.Session(named)
    session.define("P", Relation(found, session.namespace.system))
    assert set(session.relation(f"$P(a,b) & a<{SIZE} & b<{SIZE}")) == lost
