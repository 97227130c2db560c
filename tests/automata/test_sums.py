"""Sums of outputs: the compiled kernel, the reference implementation, and outputs of both operands; sums of counts."""

from __future__ import annotations

from itertools import product
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fibprover.automata import kernel_calls as compiled
from fibprover.automata import operations
from fibprover.automata.dfa import LARGEST_OUTPUT, Dfa, Track, build
from fibprover.base.errors import AutomatonError, BudgetSpent
from fibprover.base.limits import Budget
from fibprover.numeration.registry import system_named
from tests.oracle import kernels as reference

from .strategies import automata
from .test_counting import TRACKS, relations


@st.composite
def summands(draw: st.DrawFn) -> tuple[Dfa, Dfa]:
    """Two automata over the same tracks, in any order."""
    tracks = TRACKS[: draw(st.integers(1, 3))]
    return draw(automata(tracks)), draw(automata(tuple(draw(st.permutations(tracks)))))


def output(a: Dfa, letters: tuple[dict[str, int], ...]) -> int:
    """The output after a word of letters given by track name; 0 for rejection."""
    return a.output(a.code([letter[name] for name in a.names]) for letter in letters) or 0


@pytest.mark.long
@settings(max_examples=60)
@given(summands(), st.integers(1, 4))
def test_kernel_and_reference_add_outputs(pair: tuple[Dfa, Dfa], most: int) -> None:
    a, b = pair
    found = compiled.sums(a, b, most)
    assert compiled.minimize_outputs(compiled.trim(found)) == reference.minimize_outputs(
        reference.trim(reference.sums(a, b, most))
    )
    assert found.names == tuple(sorted(a.names))
    digits = [track.digits for track in sorted(a.tracks)]
    alphabet = [dict(zip(found.names, letter, strict=True)) for letter in product(*digits)]
    for length in range(3):
        for word in product(alphabet, repeat=length):
            assert output(found, word) == min(most, output(a, word) + output(b, word))


@settings(max_examples=30)
@given(summands())
def test_capped_at_one_it_is_the_union(pair: tuple[Dfa, Dfa]) -> None:
    assert compiled.minimize(compiled.sums(*pair, 1)) == compiled.minimize(compiled.union(*pair))
    assert set(compiled.sums(*pair, 1).outputs) <= {0, 1}


def test_sums_do_not_overflow(kernels: ModuleType) -> None:
    large = build(TRACKS[:1], [{0: 0}], [LARGEST_OUTPUT])
    assert list(kernels.sums(large, large, LARGEST_OUTPUT).outputs) == [LARGEST_OUTPUT]
    assert list(kernels.sums(large, large, 7).outputs) == [7]


def test_a_union_takes_negative_outputs(kernels: ModuleType) -> None:
    a, b = (build(TRACKS[:1], [{0: 0}], [number]) for number in (-2, 2))
    assert list(kernels.union(a, b).outputs) == [1]


def test_tracks_have_to_be_the_same(kernels: ModuleType) -> None:
    for tracks in (TRACKS[:2], (TRACKS[1],), (Track("a", (0, 1, 2), "msd_x"),)):
        with pytest.raises(AutomatonError):
            kernels.sums(build(TRACKS[:1], [{}], [1]), build(tracks, [{}], [1]), 2)


@settings(max_examples=30)
@given(relations(), relations(), st.integers(1, 4))
def test_counts_of_disjoint_parts_add_up(
    first: tuple[Dfa, list[str]], second: tuple[Dfa, list[str]], most: int
) -> None:
    a, counted = first
    b = second[0]
    if a.tracks != b.tracks:
        return
    rest = operations.difference(b, a)
    total = operations.sums(operations.counts(a, counted, most), operations.counts(rest, counted, most), most)
    assert total == operations.counts(operations.disjunction(a, b), counted, most)
    for enough in range(1, most + 1):
        reached = build(
            total.tracks, [dict(total.row(state)) for state in range(total.states)],
            [int(number >= enough) for number in total.outputs],
        )
        assert compiled.minimize(reached) == operations.at_least(operations.disjunction(a, b), counted, enough)


def test_counts_of_numbers() -> None:
    fib = system_named("msd_fib")
    below = fib.linear((1, -1), "<", 0)  # x < y: y values of x
    counted = operations.counts(below, ["0"], 5)
    assert [counted.output(fib.represent(y)) or 0 for y in range(8)] == [0, 1, 2, 3, 4, 5, 5, 5]
    twice = operations.sums(counted, counted, 9)
    assert [twice.output(fib.represent(y)) or 0 for y in range(8)] == [0, 2, 4, 6, 8, 9, 9, 9]
    nothing = operations.empty(counted.tracks)
    assert operations.sums(nothing, nothing, 3) == nothing
    assert operations.sums(counted, nothing, 5) == counted


def test_budgets() -> None:
    fib = system_named("msd_fib")
    ten = operations.counts(fib.linear((1, -1), "<", 0), ["0"], 10)
    more = operations.counts(fib.linear((1, -2), "<", 0), ["0"], 10)
    with pytest.raises(BudgetSpent, match="a sum of counts") as caught:
        operations.sums(ten, more, 20, Budget(states=5))
    assert caught.value.resource == "states"
    with pytest.raises(BudgetSpent, match="transitions"):
        operations.sums(ten, more, 20, Budget(transitions=5))
