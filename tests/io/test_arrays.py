"""Automata to NumPy arrays and back, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
from hypothesis import given

from fibprover.automata.dfa import Dfa, Track, build
from fibprover.automata.formats.arrays import from_arrays, from_table, to_table
from fibprover.base.errors import AutomatonError, LimitError
from tests.automata.strategies import automata, worlds

TRACKS = (Track("x", (0, 1), "msd_2"), Track("y", (-1, 0, 1), ""))


@given(worlds().flatmap(automata))
def test_round_trips(a: Dfa) -> None:
    assert from_arrays(a.tracks, a.arrays()) == a
    assert from_arrays(a.tracks, {name: values.tolist() for name, values in a.arrays().items()}) == a
    table = to_table(a)
    assert table.shape == (a.states, a.letters)
    for state in range(a.states):
        assert {code: target for code, target in enumerate(table[state]) if target >= 0} == dict(a.row(state))
    assert from_table(a.tracks, table, a.arrays()["outputs"]) == a
    assert from_table(a.tracks, table.tolist(), list(a.outputs)) == a


def given_arrays(**changes: Any) -> dict[str, Any]:
    """Two states over TRACKS, with something else."""
    return {"offsets": [0, 2, 3], "codes": [0, 5, 3], "targets": [0, 1, 1], "outputs": [0, 7], **changes}


def test_what_is_wrong_below_is_right_without_the_change() -> None:
    assert from_arrays(TRACKS, given_arrays()) == build(TRACKS, [{0: 0, 5: 1}, {3: 1}], [0, 7])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"codes": [0, 6, 3]}, "state 0 has a letter code outside 0..5"),
        ({"codes": [0, 5, -1]}, "state 1 has a letter code outside"),
        ({"codes": [5, 0, 3]}, "state 0 has codes that do not increase"),
        ({"codes": [0, 0, 3]}, "state 0 has codes that do not increase"),
        ({"targets": [0, 1, 2]}, "state 1 has a target that is not a state"),
        ({"targets": [0, -1, 1]}, "state 0 has a target that is not a state"),
        ({"targets": [0, 1]}, "3 codes but 2 targets"),
        ({"offsets": [0, 2]}, "offsets must be 3 numbers that rise"),
        ({"offsets": [0, 4, 3]}, "offsets must be 3 numbers that rise"),
        ({"offsets": [1, 2, 3]}, "offsets must be 3 numbers that rise"),
        ({"offsets": [0, 2, 4]}, "offsets must be 3 numbers that rise"),
        ({"outputs": []}, "1 to .* states"),
        ({"outputs": [0, 0.5]}, "outputs has to be one row of integers, not float64"),
        ({"codes": [[0, 5], [3]]}, "codes is not an array of integers"),
        ({"codes": ["a", "b", "c"]}, "codes has to be one row of integers"),
        ({"codes": [0, 5, 2**63]}, "codes has to be one row of integers"),
        ({"codes": [0, 5, 2**64]}, "codes has to be one row of integers"),
    ],
)
def test_arrays_that_are_no_automaton(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(AutomatonError, match=message):
        from_arrays(TRACKS, given_arrays(**changes))


def test_sizes() -> None:
    with pytest.raises(LimitError, match="too large"):
        from_arrays(TRACKS, given_arrays(outputs=[0, 2**40]))
    wide = tuple(Track(f"x{number}", tuple(range(1000)), "") for number in range(4))
    with pytest.raises(LimitError, match="a table of 1 state"):
        to_table(build(wide, [{}], [0]))
    missing = given_arrays()
    del missing["targets"]
    with pytest.raises(AutomatonError, match="the array targets is missing"):
        from_arrays(TRACKS, missing)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([[0, 1]], r"with 6 columns, one a letter, is needed, not int64 \(1, 2\)"),
        ([[0] * 6, [0] * 5], "rows of several lengths"),
        ([0] * 6, "with 6 columns"),
        ([[0, 0, 0, 0, 0, 0.5]], "table of integers"),
        ([[-1] * 6, [0, 0, -2, 0, 0, 0]], "state 1 has a target that is not a state"),
        ([[0, 0, 0, 2, 0, 0], [-1] * 6], "state 0 has a target that is not a state"),
    ],
)
def test_tables_that_are_no_automaton(table: Any, message: str) -> None:
    with pytest.raises(AutomatonError, match=message):
        from_table(TRACKS, table, [0, 1])


def test_tables_of_any_integers() -> None:
    small = numpy.array([[0, -1, 1, -1, -1, -1], [-1] * 6], dtype=numpy.int8)
    outputs = numpy.array([1, 0], dtype=numpy.uint16)
    assert from_table(TRACKS, small, outputs) == build(TRACKS, [{0: 0, 2: 1}, {}], [1, 0])
