"""The pairs from which the automata of proofs/three_heaps.py are inferred, against a board in plain Python."""

from __future__ import annotations

from benchmarks.three_heaps import continued, slices
from tests.proofs.test_three_heaps import FIRST, SIZE, p_positions


def test_pairs() -> None:
    boards = p_positions()
    for board, pairs in zip(boards, slices(FIRST - 1, SIZE), strict=True):
        assert {(a, b) for a, b in board if a <= b} == {(a, b) for a, b in pairs if b < SIZE}


def test_pairs_are_continued() -> None:
    """For a first heap of 3 the differences grow by one from a=78 on."""
    (*_, pairs) = slices(3, 1000)
    known = [pair for pair in pairs if pair[0] < 100]
    assert continued(known, 1000).tolist() == [[a, b] for a, b in pairs if b < 1000]
