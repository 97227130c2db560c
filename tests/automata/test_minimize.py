"""Minimization of automata that are deep, wide, mostly dead, or canonical already, and its use of memory."""

from __future__ import annotations

import random
import time
from array import array
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from fibprover.automata import kernel_calls
from fibprover.automata import kernels as backend
from fibprover.automata.dfa import Dfa, Track, build, frozen
from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import Budget
from tests.oracle import kernels as reference

from .test_kernels import P


def table(letters: int, targets: Sequence[int], outputs: Sequence[int]) -> Dfa:
    """A complete automaton over one track, targets row by row."""
    states = len(outputs)
    return Dfa(
        (Track("p", tuple(range(letters))),),
        frozen(array("q", range(0, states * letters + 1, letters))),
        frozen(array("q", list(range(letters)) * states)),
        frozen(array("i", targets)),
        frozen(array("i", outputs)),
    )


def chain(length: int) -> Dfa:
    """The one word of `length` zeros."""
    return Dfa(
        (P,),
        frozen(array("q", [*range(length + 1), length])),
        frozen(array("q", [0] * length)),
        frozen(array("i", range(1, length + 1))),
        frozen(array("i", [0] * length + [1])),
    )


def doubled_chain(length: int) -> Dfa:
    """One state followed by two chains that accept at their ends: every state but the first occurs twice."""
    rows = range(2, 2 * length + 1)
    return Dfa(
        (P,),
        frozen(array("q", [0, *rows, 2 * length, 2 * length])),
        frozen(array("q", [0, 1] + [0] * (2 * length - 2))),
        frozen(array("i", [1, 2, *range(3, 2 * length + 1)])),
        frozen(array("i", [0] * (2 * length - 1) + [1, 1])),
    )


def fan(depth: int, fans: int) -> Dfa:
    """A root that leads to `fans` equal states, each of which leads to all states of a chain.

    Refinement separates the states of the chain one by one, from its end; each step concerns every state of the fan.
    """
    rows: list[dict[int, int]] = [{f: 1 + f for f in range(fans)}]
    rows += [{d: 1 + fans + d for d in range(depth)} for _ in range(fans)]
    rows += [{0: 2 + fans + d} for d in range(depth - 1)]
    return build((Track("p", tuple(range(max(depth, fans)))),), [*rows, {}], [0] * (fans + depth) + [1])


def copies(states: int, times: int, letters: int, rng: random.Random) -> Dfa:
    """A random automaton several times, its transitions going to any copy of their targets."""
    base = [rng.randrange(states) for _ in range(states * letters)]
    accepting = [int(rng.randrange(40) == 0) for _ in range(states)]
    accepting[0] = 1
    targets = [target + states * rng.randrange(times) for _ in range(times) for target in base]
    return table(letters, targets, accepting * times)


def with_dead_ends(a: Dfa, letters: int) -> Dfa:
    """The same language over `letters` more letters, which all lead to a dead state."""
    dead = a.states
    track = a.tracks[0]._replace(digits=tuple(range(a.letters + letters)))
    rows = [
        {**dict(a.row(state)), **dict.fromkeys(range(a.letters, a.letters + letters), dead)}
        for state in range(a.states)
    ]
    return build((track,), [*rows, {0: dead}], [*a.outputs, 0])


@pytest.mark.long
def test_a_million_states_in_a_row() -> None:
    """An algorithm that is quadratic in the depth would not finish."""
    a = chain(1_000_000)
    assert kernel_calls.minimize(a).same_arrays(a)
    b = doubled_chain(500_000)
    assert kernel_calls.minimize(b).states == 500_001
    n = 300_000
    counter = table(2, [t for s in range(n) for t in (s, (s + 1) % n)], [1] + [0] * (n - 1))
    assert kernel_calls.minimize(counter).same_arrays(counter)


@pytest.mark.long
def test_states_separated_one_by_one_in_wide_rows() -> None:
    small = fan(6, 5)
    assert kernel_calls.minimize(small) == reference.minimize(small)
    found = kernel_calls.minimize(fan(1500, 1500))
    assert (found.states, found.transitions) == (1502, 1500 + 1500 + 1499)


def test_equal_hashes_are_not_equal_states() -> None:
    """Some of 2^18 outputs agree in 32 bits of any hash; their states must still be distinguished."""
    depth = 18
    inner = (1 << depth) - 1
    leaves = 1 << depth
    tree = Dfa(
        (P,),
        frozen(array("q", [*range(0, 2 * inner, 2), *([2 * inner] * (leaves + 1))])),
        frozen(array("q", [0, 1] * inner)),
        frozen(array("i", range(1, 2 * inner + 1))),
        frozen(array("i", [0] * inner + list(range(1, leaves + 1)))),
    )
    assert kernel_calls.minimize_outputs(tree).states == inner + leaves
    assert kernel_calls.minimize(tree).states == depth + 1


@pytest.mark.parametrize("seed", range(12))
def test_against_the_reference(seed: int) -> None:
    rng = random.Random(seed)
    a = copies(rng.randint(5, 40), rng.randint(1, 12), rng.randint(1, 6), rng)
    for b in (a, with_dead_ends(a, 1), with_dead_ends(a, 9)):
        assert kernel_calls.minimize(b) == reference.minimize(b)
        assert kernel_calls.minimize_outputs(b) == reference.minimize_outputs(b)


@pytest.mark.parametrize("times", [1, 2, 9, 40])
def test_copies_become_one(times: int) -> None:
    base = kernel_calls.minimize(copies(3000, 1, 3, random.Random(5)))
    assert 1000 < base.states <= 3000
    assert kernel_calls.minimize(copies(3000, times, 3, random.Random(5))).states == base.states


def test_a_canonical_automaton_is_returned_itself() -> None:
    a = kernel_calls.minimize(copies(300, 3, 2, random.Random(1)))
    again = kernel_calls.minimize(a)
    assert again == a and again.codes.obj is a.codes.obj
    # The same states numbered otherwise, and outputs that are not 0 and 1, are not canonical.
    order = list(range(a.states))
    order[1], order[2] = 2, 1
    rows = [{code: order[target] for code, target in a.row(order[state])} for state in range(a.states)]
    swapped = build(a.tracks, rows, [a.outputs[order[state]] for state in range(a.states)])
    assert swapped != a and kernel_calls.minimize(swapped) == a
    scaled = build(a.tracks, [dict(a.row(state)) for state in range(a.states)], [5 * output for output in a.outputs])
    assert kernel_calls.minimize(scaled) == a
    with pytest.raises(BudgetSpent):
        kernel_calls.minimize(a, Budget(states=a.states - 1))


SHAPES: dict[str, Callable[[], Dfa]] = {
    "chain": lambda: chain(50_000),
    "two chains": lambda: doubled_chain(50_000),
    "fan": lambda: fan(300, 300),
    "copies": lambda: copies(2000, 20, 2, random.Random(3)),
    "nothing merges": lambda: copies(30_000, 1, 3, random.Random(4)),
    "wide": lambda: copies(60, 10, 200, random.Random(6)),
    "dead ends": lambda: with_dead_ends(copies(500, 4, 3, random.Random(7)), 30),
}


@pytest.mark.skipif(backend.NAME == "python", reason="what the compiled kernel promises")
@pytest.mark.parametrize("name", SHAPES)
def test_memory_besides_the_argument(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """24 bytes a state and 12 a transition, the result included; a fifth more for arrays that grow."""
    monkeypatch.setattr(kernel_calls, "resident_bytes", lambda: 0)
    a = SHAPES[name]()
    allowed = (24 * a.states + 12 * a.transitions) * 6 // 5 + 10_000
    found = kernel_calls.minimize(a, Budget(bytes=allowed))
    assert found == kernel_calls.minimize(a)
    # The budget is checked: a limit below the size of the result is exceeded.
    with pytest.raises(BudgetSpent):
        kernel_calls.minimize(a, Budget(bytes=found.nbytes // 2))


def shuffled(a: Dfa, rng: random.Random) -> Dfa:
    """Return the same automaton with its states numbered otherwise; the initial one stays."""
    places = [0, *rng.sample(range(1, a.states), a.states - 1)]  # of a state: the new number
    old = sorted(range(a.states), key=places.__getitem__)
    width = a.letters
    targets = [places[target] for state in old for target in a.targets[state * width : (state + 1) * width]]
    return table(width, targets, [a.outputs[state] for state in old])


#: Large enough for several threads.
LARGE: dict[str, Callable[[], Dfa]] = {
    "copies": lambda: copies(300, 150, 2, random.Random(8)),
    "wide": lambda: copies(200, 3, 250, random.Random(9)),
    "nothing merges": lambda: shuffled(copies(50_000, 1, 2, random.Random(10)), random.Random(11)),
    "dead ends": lambda: with_dead_ends(copies(400, 25, 9, random.Random(12)), 3),
}


class TestThreads:
    """Several threads group states as one does, within the same budgets."""

    @pytest.fixture(autouse=True)
    def compiled(self) -> None:
        self.module = pytest.importorskip("fibprover_ext.automata")

    def csr(self, a: Dfa) -> Any:
        return self.module.Csr(a.offsets, a.codes, a.targets, a.outputs, a.letters)

    @pytest.mark.parametrize("name", LARGE)
    def test_the_number_of_threads_changes_nothing(self, name: str) -> None:
        a = self.csr(LARGE[name]())
        for as_relation in (True, False):
            alone, *several = (
                [bytes(view) for view in self.module.minimize(a, as_relation, self.module.Meter(threads=threads))]
                for threads in (1, 2, 5)
            )
            assert several == [alone, alone]

    def test_bounds(self) -> None:
        a = self.csr(LARGE["copies"]())
        for meter, resource in (
            (self.module.Meter(threads=2, bytes=300_000), "bytes"),
            (self.module.Meter(threads=2, states=100), "states"),
            (self.module.Meter(threads=2, deadline=time.monotonic() - 1), "seconds"),
        ):
            with pytest.raises(self.module.BudgetExhausted) as caught:
                self.module.minimize(a, True, meter)
            assert caught.value.resource == resource
            assert meter.bytes == 0
