"""Counting quantifiers: the compiled kernel, the reference implementation, and direct counts of accepting paths."""

from __future__ import annotations

from itertools import product
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fibprover.automata import kernel_calls as compiled
from fibprover.automata import operations
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.base.errors import AutomatonError, BudgetSpent, LimitError
from fibprover.base.limits import Budget
from fibprover.numeration.registry import system_named
from tests.oracle import kernels as reference

from .strategies import automata

TRACKS = (Track("a", (0, 1), "msd_x"), Track("b", (-1, 0, 1), "msd_x"), Track("c", (0, 1), "msd_x"))


@st.composite
def relations(draw: st.DrawFn) -> tuple[Dfa, list[str]]:
    """A closed relation over two or three tracks, and some of them, not all, to count."""
    tracks = TRACKS[: draw(st.integers(2, 3))]
    relation = reference.minimize(reference.close_zeros(draw(automata(tracks, states=5))))
    names = [track.name for track in tracks]
    counted = draw(st.lists(st.sampled_from(names), min_size=1, max_size=len(names) - 1, unique=True))
    return relation, counted


def paths(a: Dfa, counted: list[str], value: tuple[tuple[int, ...], ...], padding: int) -> int:
    """How many accepted words have this projection, after `padding` zeros: exact, by adding up paths."""
    kept = [place for place, track in enumerate(a.tracks) if track.name not in counted]
    runs = {0: 1}
    for wanted in ((0,) * len(kept),) * padding + value:
        after: dict[int, int] = {}
        for state, number in runs.items():
            for code, target in a.row(state):
                letter = a.letter(code)
                if tuple(letter[place] for place in kept) == wanted:
                    after[target] = after.get(target, 0) + number
        runs = after
    return sum(number for state, number in runs.items() if a.outputs[state])


@settings(max_examples=50)
@given(relations(), st.integers(1, 5))
def test_kernel_and_reference_agree_with_the_number_of_paths(case: tuple[Dfa, list[str]], count: int) -> None:
    relation, counted = case
    found = compiled.minimize(compiled.at_least(relation, counted, count))
    assert found == reference.minimize(reference.at_least(relation, counted, count))
    if count == 1:
        assert found == compiled.minimize(compiled.project(relation, counted))
    alphabet = list(product(*(track.digits for track in found.tracks)))
    for length in range(3):
        for value in product(alphabet, repeat=length):
            accepted = bool(found.output(found.code(letter) for letter in value))
            # Capped counts grow at every step until they are stable: states * count zeros are enough.
            assert accepted == (paths(relation, counted, value, relation.states * count) >= count)


def test_nothing_is_counted_in_an_empty_relation(kernels: ModuleType) -> None:
    empty = operations.empty(TRACKS)
    assert kernels.is_empty(kernels.at_least(empty, ["a"], 2))
    assert kernels.at_least(empty, ["a"], 2).names == ("b", "c")


def test_counting_needs_a_closed_relation_and_a_remaining_track(kernels: ModuleType) -> None:
    word = build(TRACKS[:2], [{4: 1}, {}], [0, 1])
    with pytest.raises(AutomatonError, match="closed under leading zeros"):
        kernels.at_least(word, ["a"], 2)
    with pytest.raises(AutomatonError, match="a track has to remain"):
        kernels.at_least(word, ["a", "b"], 2)
    with pytest.raises(AutomatonError):
        kernels.at_least(word, ["z"], 2)


def test_counts_without_other_tracks() -> None:
    three = build((TRACKS[0],), [{0: 0, 1: 1}, {0: 2, 1: 2}, {}], [1, 0, 1])  # 0, 10, 11
    assert [operations.at_least(three, ["a"], count).outputs[0] for count in (1, 2, 3, 4)] == [1, 1, 1, 0]


def test_counting_without_other_tracks_lists_no_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "words", None)  # a list of so many words would not fit into memory
    fib = system_named("msd_fib")
    assert operations.at_least(fib.valid, ["x"], 2**31).outputs[0] == 1
    below = fib.linear((1,), "<", 10**9)
    assert [operations.at_least(below, ["0"], count).outputs[0] for count in (10**9, 10**9 + 1)] == [1, 0]


def test_sizes_and_budgets() -> None:
    everything = build(TRACKS[:2], [dict.fromkeys(range(6), 0)], [1])
    with pytest.raises(LimitError):
        compiled.at_least(everything, ["a"], 2**31)
    below = system_named("msd_2").linear((1, -1), "<=", 0)  # x <= y: 50 values of x from y = 49 on
    with pytest.raises(BudgetSpent, match="states"):
        compiled.at_least(below, ["0"], 50, Budget(states=3))
    enough = compiled.minimize(compiled.at_least(below, ["0"], 50))
    assert [bool(enough.output(map(int, f"{y:b}"))) for y in (0, 48, 49, 50, 1000)] == [False, False, True, True, True]
    with pytest.raises(BudgetSpent, match="transitions"):
        compiled.at_least(below, ["0"], 50, Budget(transitions=3))


@settings(max_examples=30)
@given(relations(), st.integers(1, 4))
def test_counts_of_one_track_after_another_equal_counts_at_once(case: tuple[Dfa, list[str]], most: int) -> None:
    relation, counted = case
    found = compiled.counts(relation, counted[:1], most)
    assert compiled.minimize_outputs(compiled.trim(found)) == reference.minimize_outputs(
        reference.trim(reference.counts(relation, counted[:1], most))
    )
    # Counting one track after the other gives the same as counting all at once.
    at_once = compiled.minimize(compiled.at_least(relation, counted, most))
    assert operations.at_least(relation, counted, most) == at_once
