"""The positions of Sprague-Grundy values of proofs/grundy.py against boards from the rules of the games."""

from __future__ import annotations

import numpy as np
import pytest

import fibprover as fp
from fibprover.numeration.registry import system_named
from fibprover.prover.verdict.relation import Relation
from fibprover.workspace.walnut import read_automaton
from tests.few import few
from tests.proofs.chapters import PROOFS

SIZE = 150

FILES = PROOFS / "automata" / "grundy"

#: By the name of the files: m of m-Wythoff, l of K^l (-1: no terminal positions), the values, the system.
GAMES = {
    "wythoff": (1, -1, 1, "msd_fib"), "k1": (1, 1, 1, "msd_fib"), "k2": (1, 2, 1, "msd_fib"),
    "k3": (1, 3, 1, "msd_fib"), "k4": (1, 4, 1, "msd_fib"), "wythoff_2": (2, -1, 2, "msd_wythoff_2"),
    "wythoff_3": (3, -1, 2, "msd_wythoff_3"),
}


def values(m: int, l: int) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:  # noqa: E741
    """Compute all Sprague-Grundy values by looking at the options one by one, along rows, columns and diagonals."""
    board = np.zeros((SIZE, SIZE), np.int64)
    for p in range(SIZE):
        for q in range(SIZE):
            if p + q <= l:
                continue
            seen = np.zeros(4 * SIZE * m, bool)
            seen[board[:p, q]] = True
            seen[board[p, :q]] = True
            for k in range(1 - m, m):
                # One counter from the second pile is k more from the first.
                length = min(p - max(k, 0), q - max(-k, 0))
                if length > 0:
                    taken = np.arange(1, length + 1)
                    seen[board[p - taken - max(k, 0), q - taken - max(-k, 0)]] = True
            board[p, q] = np.argmin(seen)
    return board


@pytest.mark.parametrize("label", few(GAMES, 2))
def test_the_sets_are_those_of_the_game(label: str) -> None:
    m, l, most, name = GAMES[label]  # noqa: E741
    board = values(m, l)
    session = fp.Session(name)
    for value in range(most + 1):
        file = FILES / f"{label}_{value}.txt"
        found = read_automaton(file, lambda system: system_named(system).track("x"), ("a", "b"))
        session.define("V", Relation(found, session.namespace.system))
        known = set(session.relation(f"$V(a,b) & a<{SIZE} & b<{SIZE}"))
        assert known == {(int(a), int(b)) for a, b in np.argwhere(board == value)}


def test_every_file_is_used() -> None:
    used = {f"{label}_{value}" for label, (_, _, most, _) in GAMES.items() for value in range(most + 1)}
    assert {file.stem for file in FILES.iterdir()} == used
