"""Games: the compiled solvers against their twins in Python, on the same input."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fibprover.automata.kernels.python import automata as python_automata
from fibprover.games.shapes import pack_rows
from tests.oracle.twins import games as twin


def modules() -> list[tuple[ModuleType, ModuleType]]:
    """Return the compiled modules and the twins: for games, and for automata."""
    return [
        (import_module("fibprover_ext.games"), import_module("fibprover_ext.automata")),
        (twin, python_automata),
    ]


def intervals(data: st.DataObject, rows: int, bound: int) -> list[Any]:
    """Return random intervals of columns, few of them, as arrays."""
    offsets, starts, ends = [0], [], []
    for _ in range(rows):
        if data.draw(st.integers(0, 5)) == 0:
            start = data.draw(st.integers(0, bound - 1))
            starts.append(start)
            ends.append(data.draw(st.integers(start, bound - 1)))
        offsets.append(len(starts))
    return [np.array(items, np.int64) for items in (offsets, starts, ends)]


def same(found: Sequence[Any]) -> None:
    """Assert that the kernels and the twins have found the same positions, or the same values."""
    left, right = found
    if isinstance(left, tuple):
        assert [list(left[0]), list(left[1]), left[2]] == [list(right[0]), list(right[1]), right[2]]
        assert [view.format for view in left[:2]] == [view.format for view in right[:2]] == ["q", "q"]
    else:
        assert list(left) == list(right) and left.format == right.format == "i"


@settings(max_examples=20)
@given(st.data())
def test_lines(data: st.DataObject) -> None:
    bound, blocked = data.draw(st.integers(1, 60)), data.draw(st.integers(0, 4))
    directions = data.draw(st.lists(st.tuples(st.integers(1, 3), st.integers(0, 3)), max_size=3))
    vector = st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(any)
    rays = [(k, *least) for k in range(len(directions)) for least in data.draw(st.lists(vector, max_size=3))]
    terminal = intervals(data, bound, bound)
    steps = data.draw(st.lists(vector, max_size=3))
    row, left_out = data.draw(st.booleans()), data.draw(st.booleans())
    same([
        games.line_positions(
            bound, blocked, row, np.array(directions, np.int64).reshape(-1, 2).T.copy(),
            np.array(rays, np.int64).reshape(-1, 3).T.copy(), np.array(steps, np.int64).reshape(-1, 2).T.copy(),
            games.Intervals(bound, *terminal), left_out, automata.Meter(),
        )
        for games, automata in modules()
    ])


@pytest.mark.long
def test_lines_of_several_stretches() -> None:
    """Wythoff's game, with a knight and with blocking, on boards wider than the cells that are looked at together."""
    directions = np.array([[1, 1], [0, 1]], np.int64)
    rays = np.array([[0, 1], [1, 1], [0, 1]], np.int64)
    empty = np.zeros(0, np.int64)
    knight, none = np.array([[1, 2], [2, 1]], np.int64), np.zeros((2, 0), np.int64)
    for blocked, steps in ((0, none), (2, knight)):
        same([
            games.line_positions(
                2500, blocked, True, directions, rays, steps,
                games.Intervals(2500, np.zeros(2501, np.int64), empty, empty), False, automata.Meter(),
            )
            for games, automata in modules()
        ])


#: Conjunctions of bounds on s, p, q, r, or on p, t, r, s: coefficients and a constant.
REGION = st.lists(st.tuples(*[st.integers(-3, 3)] * 4, st.integers(-4, 4)), max_size=3)

#: What follows for r, p, q, or for t, r, s.
RANGES = st.lists(st.tuples(*[st.integers(-3, 3)] * 3, st.integers(-4, 9)), max_size=2)


@settings(max_examples=20)
@given(st.data())
def test_regions(data: st.DataObject) -> None:
    bound, box, blocked = data.draw(st.integers(1, 14)), data.draw(st.booleans()), data.draw(st.integers(0, 2))
    moves = data.draw(st.lists(REGION, max_size=3))
    less = data.draw(st.lists(RANGES, min_size=len(moves), max_size=len(moves)))
    terminal = intervals(data, 2 * bound - 1 if box else bound, bound)
    left_out = data.draw(st.booleans())
    for solve in ("region_positions", "region_grundy"):
        found: list[Any] = []
        for games, automata in modules():
            arguments = [
                games.Regions(*pack_rows(moves, 5), 5), games.Regions(*pack_rows(less, 4), 4),
                games.Intervals(bound, *terminal),
            ]
            if solve == "region_positions":
                found.append(games.region_positions(bound, blocked, box, *arguments, left_out, automata.Meter()))
            else:
                found.append(games.region_grundy(bound, box, *arguments, automata.Meter()))
        same(found)


@settings(max_examples=20)
@given(st.data())
def test_tables(data: st.DataObject) -> None:
    bound, blocked = data.draw(st.integers(1, 20)), data.draw(st.integers(0, 3))
    chance = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    marked = (chance.random((bound, bound)) < data.draw(st.sampled_from([0.02, 0.2, 0.7]))).astype(np.uint8)
    marked[0, 0] = 0
    terminal = intervals(data, bound, bound)
    left_out = data.draw(st.booleans())
    same([
        games.table_positions(marked, blocked, games.Intervals(bound, *terminal), left_out, automata.Meter())
        for games, automata in modules()
    ])
    offsets = np.concatenate(([0], np.cumsum(marked.sum(axis=1)))).astype(np.int64)
    columns = np.nonzero(marked)[1].astype(np.int64)
    same([
        games.table_grundy(
            bound, games.Intervals(bound, offsets, columns, columns), games.Intervals(bound, *terminal),
            automata.Meter(),
        )
        for games, automata in modules()
    ])


@pytest.mark.long
@settings(max_examples=8)
@given(st.data())
def test_wide_tables_with_few_vectors_in_a_row(data: st.DataObject) -> None:
    """One, two or three vectors, also far apart, and none."""
    bound = data.draw(st.integers(60, 200))
    chance = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    marked = np.zeros((bound, bound), np.uint8)
    for row in marked:
        row[chance.integers(0, bound, chance.integers(0, 4))] = 1
    marked[0] = data.draw(st.booleans())
    marked[0, 0] = 0
    terminal = intervals(data, bound, bound)
    for blocked in (0, 1):
        same([
            games.table_positions(marked, blocked, games.Intervals(bound, *terminal), False, automata.Meter())
            for games, automata in modules()
        ])


@settings(max_examples=40)
@given(st.data())
def test_residuals_of_queens(data: st.DataObject) -> None:
    bound, value = data.draw(st.integers(1, 200)), data.draw(st.integers(0, 3))
    half = data.draw(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), max_size=3))
    steps = np.array(sorted({*half, *((j, i) for i, j in half)}), np.int64).reshape(-1, 2).T.copy()
    tables = [
        [0, *np.cumsum(data.draw(st.lists(st.integers(1, 9), min_size=1, max_size=30)))]
        for _ in range(data.draw(st.integers(1, 4)))
    ]
    starts = np.array([start for table in tables for start in table], np.int64)
    begins = np.array([0, *np.cumsum([len(table) for table in tables])], np.int64)
    found = []
    for games, automata in modules():
        *columns, count = games.queen_residuals(bound, value, steps, starts, begins, automata.Meter())
        assert [view.format for view in columns] == ["i", "i", "i", "q"]
        sums: dict[tuple[int, ...], int] = {}
        for *key, item in zip(*columns, strict=True):
            sums[tuple(key)] = (sums.get(tuple(key), 0) + item) % (1 << 64)
        found.append((count, sums))
    assert found[0] == found[1]
