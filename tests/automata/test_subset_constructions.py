"""Nondeterministic automata, simulations and subset constructions of both backends, as objects."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from itertools import product
from types import ModuleType
from typing import Any

import pytest

from fibprover.automata.dfa import Dfa, Track, build
from fibprover.automata.kernels.python import automata as python
from tests.seeds import chosen_seed

from .test_determinization import CHOICE, chain, random_parts
from .test_kernels_limits import worst


@pytest.fixture(params=["compiled", "python"])
def module(request: pytest.FixtureRequest) -> ModuleType:
    """A backend."""
    if request.param == "python":
        return python
    found: ModuleType = pytest.importorskip("fibprover_ext.automata")
    return found


def csr(module: ModuleType, a: Dfa) -> Any:
    return module.Csr(a.offsets, a.codes, a.targets, a.outputs, a.letters)


def nfa_of(module: ModuleType, parts: list[Dfa], zero: int, meter: Any = None) -> Any:
    """Return the automaton of a backend that reads all tracks but `z`."""
    meter = meter or module.Meter()
    coded = tuple(csr(module, a) for a in parts)
    (choices,) = (len(track.digits) for track in parts[0].tracks if track.name == CHOICE)
    weights, letters = [0], 1
    for radix in reversed(parts[0].radices[:-1]):
        weights.append(letters)
        letters *= radix
    kept = tuple(
        module.Recode(a.radices, tuple(reversed(weights)), a.letters // choices, a.transitions, meter) for a in parts
    )
    return module.Nfa(coded, kept, zero, meter)


def listed(arrays: Any) -> list[list[int]]:
    return [view.tolist() for view in arrays]


def construct(module: ModuleType, nfa: Any, simulation: Any, steps: int) -> list[list[int]]:
    """Return the arrays of a construction that takes so many steps at a time."""
    construction = module.SubsetConstruction(nfa, simulation, module.Meter())
    runs = 1
    while not construction.run(steps):
        assert construction.open > 0 and construction.steps >= runs * steps
        runs += 1
    assert construction.open == 0
    arrays = listed(construction.export())
    assert construction.states == len(arrays[3])
    return arrays


def simulate(module: ModuleType, nfa: Any, steps: int) -> Any:
    """Return a complete simulation that took so many steps at a time."""
    simulation = module.Simulation(nfa, module.Meter())
    before = -1
    while not simulation.run(steps):
        assert simulation.steps > before
        before = simulation.steps
    return simulation


@pytest.mark.random
def test_backends_agree_on_all_objects() -> None:
    compiled: ModuleType = pytest.importorskip("fibprover_ext.automata")
    rng = random.Random(f"objects {chosen_seed()}")
    pruned = 0
    for case in range(200):
        parts = random_parts(rng, 13 if case % 10 == 0 else 6)
        zero = 0 if rng.random() < 0.5 else -1
        with pytest.MonkeyPatch.context() as patch:
            if case % 3 == 0:
                patch.setattr("fibprover.automata.kernels.python.sets.MOST_BITS", 0)
            found = []
            for module in (compiled, python):
                forward = nfa_of(module, parts, zero)
                one: list[Any] = []
                for nfa in (forward, forward.reversed(module.Meter())):
                    simulation = simulate(module, nfa, 1 << 40)
                    one += [nfa.states, nfa.transitions, simulation.pairs, construct(module, nfa, None, 1 << 40)]
                    one.append(construct(module, nfa, simulation, 1 << 40))
                    one.append([simulation.simulating(state) for state in range(nfa.states)])
                    pruned += simulation.pairs > 0
                one.append(forward.reversed(module.Meter()).reversed(module.Meter()).transitions)
                found.append(one)
        assert found[0] == found[1]
    assert pruned > 100


@pytest.mark.random
def test_last_letters_are_removed(module: ModuleType) -> None:
    rng = random.Random(f"removed {chosen_seed()}")
    removed = 0
    for _ in range(60):
        nfa = nfa_of(module, random_parts(rng, 4), -1)
        before = construct(module, nfa, None, 1 << 40)
        letters = sorted(set(before[1]))[:2]
        letter = rng.choice(letters or [0])
        after = construct(module, nfa.removing(letter, module.Meter()), None, 1 << 40)
        for word in words_of(letters, 3):
            longer = [[*word, *[letter] * more] for more in range(len(before[3]) + 1)]
            assert accepts(after, word) == any(accepts(before, each) for each in longer)
            removed += accepts(after, word) and not accepts(before, word)
    assert removed > 20


def words_of(letters: list[int], longest: int) -> Iterator[list[int]]:
    """Yield the words of these letters up to a length."""
    for length in range(longest + 1):
        yield from map(list, product(letters, repeat=length))


def accepts(arrays: list[list[int]], word: list[int]) -> bool:
    """Return whether the automaton of these arrays accepts a word."""
    offsets, codes, targets, outputs = arrays
    state = 0
    for letter in word:
        row = codes[offsets[state]:offsets[state + 1]]
        if letter not in row:
            return False
        state = targets[offsets[state] + row.index(letter)]
    return outputs[state] != 0


def test_step_by_step(module: ModuleType) -> None:
    rng = random.Random(1)
    for _ in range(40):
        nfa = nfa_of(module, random_parts(rng), rng.choice((0, -1)))
        whole, stepwise = simulate(module, nfa, 1 << 60), simulate(module, nfa, 1)
        assert whole.pairs == stepwise.pairs and whole.steps == stepwise.steps
        assert construct(module, nfa, None, (1 << 63) - 1) == construct(module, nfa, None, 1)
        assert construct(module, nfa, whole, (1 << 63) - 1) == construct(module, nfa, stepwise, 1)


def test_no_step(module: ModuleType) -> None:
    nfa = nfa_of(module, [worst(3)], -1)
    simulation, construction = module.Simulation(nfa, module.Meter()), module.SubsetConstruction(
        nfa, None, module.Meter()
    )
    for steps in (0, -1, -(1 << 63)):
        assert not simulation.run(steps) and not construction.run(steps)
    assert construction.states == construction.open == 1 and construction.steps == 0


def test_a_complete_construction_stays_complete(module: ModuleType) -> None:
    nfa = nfa_of(module, [worst(3)], -1)
    construction = module.SubsetConstruction(nfa, None, module.Meter())
    assert construction.run(1 << 40) and construction.run(1)
    arrays = construction.export()
    before = listed(arrays)
    with pytest.raises(module.InvalidArrayError):
        construction.export()
    assert construction.run(1) and construction.states == 8
    del construction
    assert listed(arrays) == before


def test_what_does_not_fit_is_refused(module: ModuleType) -> None:
    nfa, other = nfa_of(module, [worst(5)], -1), nfa_of(module, [worst(5)], -1)
    simulation = module.Simulation(nfa, module.Meter())
    assert not simulation.run(1)
    with pytest.raises(module.InvalidArrayError):  # it has not ended
        module.SubsetConstruction(nfa, simulation, module.Meter())
    with pytest.raises(module.InvalidArrayError):
        simulation.simulating(0)
    assert simulation.run(1 << 40)
    for state in (-1, nfa.states):
        with pytest.raises(module.InvalidArrayError):
            simulation.simulating(state)
    for wrong in (other, nfa.reversed(module.Meter())):
        with pytest.raises(module.InvalidArrayError):
            module.SubsetConstruction(wrong, simulation, module.Meter())
    construction = module.SubsetConstruction(nfa, simulation, module.Meter())
    construction.run(1)
    with pytest.raises(module.InvalidArrayError):
        construction.export()
    with pytest.raises(module.InvalidArrayError):
        nfa_of(module, [worst(5)], 2)
    with pytest.raises(ValueError):  # noqa: PT011
        module.Nfa((csr(module, chain(1)),), (), -1, module.Meter())


def spent(module: ModuleType, call: Any) -> str:
    """Return the resource that is spent."""
    with pytest.raises(module.BudgetExhausted) as caught:
        call()
    resource: str = caught.value.resource
    return resource


def test_what_met_a_bound_does_not_go_on(module: ModuleType) -> None:
    nfa = nfa_of(module, [worst(12)], -1)
    for meter, resource in (
        (module.Meter(states=100), "states"),
        (module.Meter(transitions=100), "transitions"),
        (module.Meter(bytes=4000), "bytes"),
        (module.Meter(deadline=time.monotonic() - 1), "seconds"),
    ):
        construction = None

        def run(meter: Any = meter) -> None:
            nonlocal construction
            construction = module.SubsetConstruction(nfa, None, meter)
            construction.run(1 << 40)

        assert spent(module, run) == resource
        if construction is not None:
            with pytest.raises(module.InvalidArrayError):
                construction.run(1)
            with pytest.raises(module.InvalidArrayError):
                construction.export()


def test_bounds_of_a_simulation(module: ModuleType) -> None:
    nfa = nfa_of(module, [chain(1500)], -1)
    assert spent(module, lambda: module.Simulation(nfa, module.Meter(bytes=200_000)).run(1 << 40)) == "bytes"
    late = module.Meter(deadline=time.monotonic() - 1)
    assert spent(module, lambda: module.Simulation(nfa, late).run(1 << 40)) == "seconds"
    begun = time.monotonic()
    simulation = module.Simulation(nfa, meter := module.Meter(deadline=begun + 0.3))
    assert spent(module, lambda: simulation.run(1 << 60)) == "seconds"
    assert time.monotonic() - begun < 10 and meter.polls > 3
    with pytest.raises(module.InvalidArrayError):
        simulation.run(1)
    with pytest.raises(module.InvalidArrayError):
        module.SubsetConstruction(nfa, simulation, module.Meter())


def test_bytes_are_given_back(module: ModuleType) -> None:
    meter = module.Meter()
    nfa = nfa_of(module, [worst(8)], -1)
    simulation = module.Simulation(nfa, meter)
    assert simulation.run(1 << 40)
    construction = module.SubsetConstruction(nfa, simulation, meter)
    assert construction.run(1 << 40) and construction.states == 256
    assert meter.bytes > 4 * 256
    # There is room for each of several constructions alone, but not for all of them.
    small = module.Meter(bytes=4 * meter.bytes)
    made: list[Any] = []

    def several() -> None:
        for _ in range(30):
            made.append(module.SubsetConstruction(nfa, None, small))
            made[-1].run(1 << 40)

    assert spent(module, several) == "bytes" and 1 < len(made) < 30
    del simulation, construction
    assert meter.bytes == 0


def dense(states: int, moves: int, seed: int) -> Dfa:
    """Return an automaton with so many random moves of each state by each letter; half of the states accept."""
    rng = random.Random(seed)
    rows = [
        {code: rng.randrange(states) for code in range(2 * moves)}
        for _ in range(states)
    ]
    return build((Track("x", (0, 1)), Track(CHOICE, tuple(range(moves)))), rows, [rng.randrange(2) for _ in rows])


def similar(length: int) -> Dfa:
    """Return `worst`, with a second state beside each that reads fewer words: so it is simulated by the first."""
    rows: list[dict[int, int]] = [{0: 0, 3: 0, 4: 1, 5: length + 1}]
    rows += [{0: k + 1, 3: k + 1} for k in range(1, length)] + [{}]
    rows += [{0: k + 1, **({} if k % 3 else {3: k + 1})} for k in range(length + 1, 2 * length)] + [{}]
    return build((Track("x", (0, 1)), Track(CHOICE, (0, 1, 2))), rows, [*[0] * length, 1, *[0] * (length - 1), 1])


#: Few entries a set, so that there are many sets; many, gathered as bits; some of each; sets of single states.
LARGE = {"letters from the end": worst(16), "dense": dense(3000, 2, 1), "wide": dense(60, 3, 2), "single": chain(30000)}


class TestThreads:
    """Several threads find what one does, in the same order, within the same budgets."""

    @pytest.fixture(autouse=True)
    def compiled(self) -> None:
        self.module = pytest.importorskip("fibprover_ext.automata")

    def states_by_steps(
        self, a: Dfa, threads: int, turns: int, *, pruned: bool = False
    ) -> tuple[list[tuple[int, int, int]], Any]:
        nfa = nfa_of(self.module, [a], -1)
        simulation = simulate(self.module, nfa, 1 << 60) if pruned else None
        construction = self.module.SubsetConstruction(nfa, simulation, self.module.Meter(threads=threads))
        seen = []
        while turns:
            turns -= 1
            complete = construction.run(7_000_000)
            seen.append((construction.states, construction.open, construction.steps))
            if complete:
                return seen, listed(construction.export())
        return seen, None

    @pytest.mark.parametrize("name", LARGE)
    def test_the_number_of_threads_changes_nothing(self, name: str) -> None:
        alone = self.states_by_steps(LARGE[name], 1, 8)
        for threads in (2, 3, 64):
            assert self.states_by_steps(LARGE[name], threads, 8) == alone

    def test_sets_are_pruned_alike(self) -> None:
        alone = self.states_by_steps(similar(16), 1, 8, pruned=True)
        assert alone[0][-1] != self.states_by_steps(similar(16), 1, 8)[0][-1]
        for threads in (2, 3):
            assert self.states_by_steps(similar(16), threads, 8, pruned=True) == alone

    def test_threads_are_used(self) -> None:
        # Rooms are reserved for each of the threads.
        used = []
        for threads in (1, 4):
            meter = self.module.Meter(threads=threads)
            construction = self.module.SubsetConstruction(nfa_of(self.module, [LARGE["dense"]], -1), None, meter)
            construction.run(20_000_000)
            used.append(meter.bytes)
        assert used[1] > used[0]

    @pytest.mark.parametrize(("bound", "resource"), [
        ({"states": 5000}, "states"), ({"transitions": 5000}, "transitions"), ({"bytes": 3_000_000}, "bytes"),
    ])
    def test_bounds(self, bound: dict[str, int], resource: str) -> None:
        nfa = nfa_of(self.module, [LARGE["letters from the end"]], -1)
        construction = self.module.SubsetConstruction(nfa, None, self.module.Meter(**bound, threads=2))
        assert spent(self.module, lambda: construction.run(1 << 40)) == resource
        with pytest.raises(self.module.InvalidArrayError):
            construction.run(1)

    def test_a_deadline(self) -> None:
        nfa = nfa_of(self.module, [LARGE["dense"]], -1)
        begun = time.monotonic()
        construction = self.module.SubsetConstruction(nfa, None, self.module.Meter(deadline=begun + 0.2, threads=2))
        assert spent(self.module, lambda: construction.run(1 << 60)) == "seconds"
        assert time.monotonic() - begun < 10

    def test_memory_is_given_back(self) -> None:
        meter = self.module.Meter(threads=3)
        construction = self.module.SubsetConstruction(nfa_of(self.module, [LARGE["dense"]], -1), None, meter)
        construction.run(20_000_000)
        assert construction.states > 100 and meter.bytes > 0
        del construction
        assert meter.bytes == 0
