"""The games K^l, l up to 50: what docs/terminal.md says, against the recurrence and against boards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fibprover as fp
from fibprover.games.findings.context import GameContext
from fibprover.games.findings.line_distance import growth_findings
from fibprover.games.findings.sequences import find_sequences
from tests.few import few
from tests.oracle.invention import positions_by_moves

RESULTS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "proofs" / "terminal.json").read_text(encoding="utf-8")
)

#: The rows, of which a few are compared in every run of the tests.
FEW_ROWS = [
    pytest.param(row, id=f"K^{row['l']}", marks=[] if row["l"] in (1, 2, 3, 7, 20, 50) else [pytest.mark.long])
    for row in RESULTS
]


def pairs(most: int, count: int) -> list[tuple[int, int]]:
    """(a_n,b_n): a_n the least number above l that is not used, b_n = a_n + n + l + 1."""
    used: set[int] = set()
    found, least = [], most + 1
    for n in range(count):
        while least in used:
            least += 1
        a, b = least, least + n + most + 1
        used |= {a, b}
        found.append((a, b))
    return found


def floor_phi(n: int) -> int:
    return int((n + np.sqrt(5.0) * n) / 2) if n < 1 << 20 else 0


@pytest.mark.parametrize("row", few(RESULTS, 5), ids=lambda row: f"K^{row['l']}")
def test_the_values_of_lambda(row: dict[str, Any]) -> None:
    values = {a - floor_phi(n + row["l"]) for n, (a, _) in enumerate(pairs(row["l"], 30000))}
    if row["lambda"] is not None:
        assert [min(values), max(values)] == row["lambda"]
    assert min(values) >= -row["l"] * (1 + 5**0.5) / 2


@pytest.mark.parametrize("row", FEW_ROWS)
def test_hofstadters_recurrence(row: dict[str, Any]) -> None:
    """What docs/hofstadter.md proves for all l, in the first 12,000 numbers."""
    most, count = row["l"], 12000
    a = [a for a, _ in pairs(most, count)]
    members = set(a)
    assert all(a[a[n]] == a[n] + n + most + 2 for n in range(count) if a[n] < count)
    assert all(a[n] - a[n - 1] == 1 + (n in members) for n in range(1, count))
    counts, known = [most] * (2 * most), [most]
    for x in range(2 * most, count):
        counts.append(x - counts[counts[x - 1]])
        known.append(known[-1] + (x - most in members))
    assert counts[2 * most :] == known[1:] and row["hofstadter"]
    low, high = 2 * most + 1 - floor_phi(2 * most), most + 1 - floor_phi(most)
    assert row["lambda"] == [low, high]
    assert {a[n] - floor_phi(n + most) for n in range(count)} == set(range(low, high + 1))


@pytest.mark.parametrize("row", FEW_ROWS)
def test_the_recurrence_of_g_and_the_sequences_that_are_not_moved(row: dict[str, Any]) -> None:
    most, count = row["l"], 12000
    g = {n + most: a - floor_phi(n + most) + most - 1 for n, (a, _) in enumerate(pairs(most, count))}
    assert max((n for n in g if g[n] not in (0, 1)), default=most - 1) + 1 == row["binary"]
    before = {floor_phi(m) + 1: m for m in range(count)}
    wrong = [
        n for n in g if before.get(n, most) >= most and g[n] != (1 - g[before[n]] if n in before else 1)
    ]
    assert max(wrong, default=most) + 1 == row["recurrent"]
    first = {n + 1: a - floor_phi(n + 1) for n, (a, _) in enumerate(pairs(1, count + most))}
    other = [n for n in g if g[n] != first[n]]
    # Each sequence has one member between n and floor(n phi) + 1.
    middle = 6000
    assert sum(middle <= n < floor_phi(middle) + 1 for n in other) == row["sequences"]
    later = {n for n in other if n >= row["recurrent"]}
    assert all(floor_phi(n) + 1 in later for n in later if floor_phi(n) + 1 < count)
    assert all(before[n] in other for n in later)


@pytest.mark.parametrize("most", [1, 2, 5, 12, 30, 50])
def test_the_pairs_are_the_positions_of_a_board(most: int) -> None:
    size = 500
    i, j = np.indices((size, size))
    ends = i + j <= most
    inside = positions_by_moves((i == 0) | (j == 0) | (i == j), ends)
    expected = ends.copy()
    for a, b in pairs(most, size):
        if b < size:
            expected[a, b] = expected[b, a] = True
    assert (inside == expected).all()


@pytest.mark.long
def test_the_sequences_follow_from_the_gaps() -> None:
    """Of K^20, whose sequences cannot be inferred from a million numbers, they are found and proved."""
    theorem = fp.discover("terminal(20)", with_findings=False)
    found = theorem.discovery
    context = GameContext(found.game, theorem.automaton, theorem.system, found.data, fp.Limits(cpu_seconds=60))
    known = find_sequences(context)
    assert known is not None
    for n, (a, b) in enumerate(pairs(20, 300)):
        assert (a, n) in known.a
        assert (b, n) in known.b
        assert (a + 1, n) not in known.a
    values = {a - floor_phi(n + 20) for n, (a, _) in enumerate(pairs(20, 30000))}
    said = [each.data["lambda"] for each in growth_findings(context, known) if each.data.get("c") == 20]
    assert [sorted(each) for each in said if each] == [sorted(values)]
