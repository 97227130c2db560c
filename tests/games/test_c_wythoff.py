"""c-Wythoff for c up to 30: the set of Fraenkel's theorem is that of the P-positions, and agrees with boards of 500."""

from __future__ import annotations

import pytest

from fibprover.games.catalogue import wythoff
from fibprover.games.findings.zeros import appended, even_zeros
from fibprover.games.proof import prove_positions
from fibprover.prover.verdict.relation import Relation
from fibprover.workspace.session import Session


def described(c: int) -> Relation:
    """The pairs one of which ends in an even number of zeros, and is the other without its last zero."""
    session = Session(f"msd_wythoff_{c}" if c > 1 else "msd_fib")
    system = session.namespace.system(session.namespace.default_system)
    session.define("even", Relation(even_zeros(system), session.namespace.system, "even"))
    session.define("shift", Relation(appended(system), session.namespace.system, "shift"))
    return session.relation("($even(p) & $shift(p,q)) | ($even(q) & $shift(q,p))").renamed(p="a", q="b")


def pairs_below(c: int, bound: int) -> set[tuple[int, int]]:
    """The P-positions by Fraenkel's recursion: a is the least number not used yet, b = a + c n."""
    used: set[int] = set()
    found: set[tuple[int, int]] = set()
    n = a = 0
    while a < bound:
        b = a + c * n
        used |= {a, b}
        found |= {(x, y) for x, y in ((a, b), (b, a)) if max(x, y) < bound}
        n += 1
        while a in used:
            a += 1
    return found


@pytest.mark.parametrize("c", [*range(1, 13), *(pytest.param(c, marks=pytest.mark.long) for c in range(13, 31))])
def test_fraenkels_theorem(c: int) -> None:
    candidate = described(c)
    assert set(candidate.where(a=0).values(5)) == {0}
    system = Session(candidate.automaton.tracks[0].system or "").namespace
    proof = prove_positions(wythoff(c), candidate.automaton, system.system(system.default_system))
    assert proof
    assert candidate.states == 2 * c + 5
    assert c < 4 or proof.states == 13 * c + 7
    wanted = pairs_below(c, 500)
    assert {(a, b) for a, b in candidate.first(4000) if max(a, b) < 500} == wanted
