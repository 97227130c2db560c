"""Emptiness on the fly: limits apply if a product is empty, and the search stops early if it is not."""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, build, frozen
from fibprover.automata.kernels import automata as backend
from fibprover.base.errors import BudgetSpent, LimitError
from fibprover.base.limits import Budget

from .test_kernels import P, Q
from .test_kernels_limits import counter, worst


def with_outputs(a: Dfa, outputs: Sequence[int]) -> Dfa:
    return replace(a, outputs=frozen(array("i", outputs)))


def total(a: Dfa) -> Dfa:
    """Every state accepts."""
    return with_outputs(a, [1] * a.states)


#: All are empty; deciding that takes thousands of pairs.
EMPTY: dict[str, Callable[[Budget], bool]] = {
    "join": lambda budget: kernel_calls.join_is_empty(with_outputs(counter(97, P), [0] * 97), counter(89, Q), budget),
    "difference": lambda budget: kernel_calls.difference_is_empty(counter(97, P), total(counter(89, P)), budget),
    "guarded difference": lambda budget: kernel_calls.guarded_difference_word(
        counter(1, P), total(worst(14)), ["z"], budget
    ) is None,
}


def short(length: int) -> Dfa:
    """Over (p, z): the words of at most this many letters."""
    some = worst(1)
    rows = [dict.fromkeys(range(4), state + 1) for state in range(length)]
    return build(some.tracks, [*rows, {}], [1] * (length + 1))


#: None is empty, as a word of at most six letters shows; the whole product has a million pairs.
NONEMPTY: dict[str, Callable[[Budget], bool]] = {
    "join": lambda budget: kernel_calls.join_is_empty(
        with_outputs(counter(997, P), [int(n == 5) for n in range(997)]), total(counter(991, Q)), budget
    ),
    "difference": lambda budget: kernel_calls.difference_is_empty(
        total(counter(997, P)), with_outputs(counter(991, P), [int(n != 5) for n in range(991)]), budget
    ),
    "difference where the word ends": lambda budget: kernel_calls.difference_is_empty(
        counter(997, P), build((P,), [{0: 1, 1: 1}, {}], [1, 1]), budget
    ),
    "guarded difference": lambda budget: kernel_calls.guarded_difference_word(
        counter(997, P), short(3), ["z"], budget
    ) is None,
}


@pytest.mark.parametrize("name", EMPTY)
def test_no_transitions_are_kept(name: str) -> None:
    assert EMPTY[name](Budget(transitions=10))


@pytest.mark.parametrize("name", EMPTY)
def test_states(name: str) -> None:
    with pytest.raises(BudgetSpent) as caught:
        EMPTY[name](Budget(states=1000))
    assert caught.value.resource == "states" and caught.value.states > 1000


@pytest.mark.parametrize("name", EMPTY)
def test_seconds(name: str) -> None:
    with pytest.raises(BudgetSpent) as caught:
        EMPTY[name](Budget(deadline=time.monotonic() - 1.0))
    assert caught.value.resource == "seconds"


@pytest.mark.parametrize("name", EMPTY)
def test_bytes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_calls, "resident_bytes", lambda: 1_000_000)
    with pytest.raises(BudgetSpent) as caught:
        EMPTY[name](Budget(bytes=1_010_000))
    assert caught.value.resource == "bytes" and caught.value.limit == 1_010_000


@pytest.mark.parametrize("name", EMPTY)
def test_more_pairs_than_can_be_numbered(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_calls, "meter_of", lambda budget: backend.Meter(ceiling=500))
    with pytest.raises(LimitError, match="500 states"):
        EMPTY[name](Budget())


@pytest.mark.parametrize("name", NONEMPTY)
def test_the_first_word_ends_the_search(name: str) -> None:
    assert not NONEMPTY[name](Budget(states=20))
