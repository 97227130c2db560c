"""Redundant moves of the (s,m)-games: what proofs/redundant.json says, against boards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.oracle.invention import positions_by_moves

RESULTS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "proofs" / "redundant.json").read_text(encoding="utf-8")
)

SIZE = 300


def needed_on_board(s: int, m: int) -> set[tuple[int, int]]:
    """The moves on both piles that are, from some position of a board, the only one into the P-positions."""
    i, j = np.indices((SIZE, SIZE))
    both = (i > 0) & (j > 0) & (i < s * j + m) & (j < s * i + m)
    moves = (i == 0) | (j == 0) | both
    inside = positions_by_moves(moves)
    counts = np.zeros((SIZE, SIZE), int)
    for a, b in np.argwhere(inside):
        counts[a:, b:] += moves[: SIZE - a, : SIZE - b]
    found: set[tuple[int, int]] = set()
    for a, b in np.argwhere(inside):
        alone = (counts[a:, b:] == 1) & both[: SIZE - a, : SIZE - b] & ~inside[a:, b:]
        found |= {(int(x), int(y)) for x, y in np.argwhere(alone) if x <= y}
    return found


@pytest.mark.parametrize("row", RESULTS, ids=lambda row: f"{row['s']},{row['m']}")
def test_needed_moves(row: dict[str, Any]) -> None:
    s, m = row["s"], row["m"]
    found = needed_on_board(s, m)
    assert row["single_needed"]
    if row["needed"] is not None:
        assert found == {tuple(pair) for pair in row["needed"]}
        return
    # In m-Wythoff (i,i+k), 0 < k < m, is redundant if and only if i >= m+2-k.
    assert s == 1
    small = {(i, j) for i in range(1, 40) for j in range(i, i + m) if i == j or i < m + 2 - (j - i)}
    assert {(i, j) for i, j in found if i < 40} == small


def conjectured(s: int, m: int) -> set[tuple[int, int]]:
    """The needed moves (i,j) on both piles, i <= j, for s > 1, as docs/games.md conjectures."""
    most = 2 * s + m
    found = {(i, j) for i in range(1, s + m) for j in range(i, s + m)}
    found |= {(i, j) for i in range(2, most) for j in range(max(i, s * i), most)}
    return found | {(s + m + 1, s + m + 1)}


@pytest.mark.parametrize(("s", "m"), [
    pytest.param(s, m, marks=[] if (s, m) in ((2, 4), (4, 1), (6, 6)) else [pytest.mark.long])
    for s in range(2, 7) for m in range(1, 7)
])
def test_the_pattern_of_needed_moves(s: int, m: int) -> None:
    assert needed_on_board(s, m) == conjectured(s, m)


def test_what_is_proved_has_the_pattern() -> None:
    rows = [row for row in RESULTS if row["s"] > 1]
    assert len(rows) >= 5
    for row in rows:
        assert {tuple(pair) for pair in row["needed"]} == conjectured(row["s"], row["m"])
