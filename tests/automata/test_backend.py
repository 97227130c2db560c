"""The kernels in Python against the compiled ones, on the same input."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fibprover.automata import determinization, kernel_calls
from fibprover.automata.dfa import Dfa, build
from fibprover.automata.kernels.python import automata as python
from fibprover.base.errors import AutomatonError, BudgetSpent, LimitError
from fibprover.base.limits import Budget
from fibprover.numeration import system_named
from tests.few import few
from tests.numeration.systems import SMALL, system
from tests.numeration.test_join_linear import constraint, some_relation
from tests.test_budgets import long_row

from .strategies import cases
from .test_kernels import P, from_the_end
from .test_kernels_limits import CALLS, counter, worst
from .test_minimize import copies, fan

# -- the same results -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def compiled() -> ModuleType:
    module: ModuleType = pytest.importorskip("fibprover_ext.automata")
    return module


def on(module: ModuleType, function: Callable[..., Any], *arguments: Any) -> Any:
    """Return what a function returns where the kernels are those of a module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel_calls, "backend", module)
        patch.setattr(determinization, "backend", module)
        return function(*arguments)


def same(compiled: ModuleType, function: Callable[..., Any], *arguments: Any) -> None:
    """Assert that both backends give the same result."""
    left, right = on(compiled, function, *arguments), on(python, function, *arguments)
    assert left == right
    if isinstance(left, Dfa):
        for a, b in zip(left.arrays().values(), right.arrays().values(), strict=True):
            assert a.dtype == b.dtype and not b.flags.writeable


def alike(compiled: ModuleType, function: Callable[..., Dfa], *arguments: Any) -> None:
    """Assert that both backends give automata of the same states, in any order, and languages."""
    left, right = on(compiled, function, *arguments), on(python, function, *arguments)
    assert (left.tracks, left.states, left.transitions) == (right.tracks, right.states, right.transitions)
    assert kernel_calls.minimize(left) == kernel_calls.minimize(right)


Case = tuple[Dfa, Dfa, Dfa, tuple[str, ...]]


@pytest.mark.long
@settings(max_examples=50)
@given(cases())
def test_automata(case: Case) -> None:
    compiled: ModuleType = pytest.importorskip("fibprover_ext.automata")
    a, b, c, quantified = case
    for d in (a, b):
        same(compiled, kernel_calls.minimize, d)
        same(compiled, kernel_calls.minimize_outputs, d)
        same(compiled, kernel_calls.trim, d)
        same(compiled, kernel_calls.reverse, d)
        same(compiled, kernel_calls.reorder, d, d.names[::-1])
        same(compiled, kernel_calls.renumber, kernel_calls.reorder(kernel_calls.minimize(d), d.names[::-1]))
    same(compiled, kernel_calls.union, a, c)
    same(compiled, kernel_calls.sums, a, c, 3)
    same(compiled, kernel_calls.project, b, quantified)
    same(compiled, kernel_calls.project_union, (a, c), a.names[:1])
    if a.zero_code is not None:
        same(compiled, kernel_calls.close_zeros, a)
    alike(compiled, kernel_calls.join, a, b)
    alike(compiled, kernel_calls.join, c, a)
    alike(compiled, kernel_calls.difference, a, c)
    alike(compiled, kernel_calls.guarded_difference, a, b, quantified)
    alike(compiled, kernel_calls.guarded_difference, c, a, a.names[:1])


def first_numbers(a: Dfa) -> list[int]:
    """Return the components of the first tuples of an automaton, as if all its numbers were written in base 3."""
    return kernel_calls.WordStream(a, weights=[[3**place for place in range(4)]] * len(a.tracks)).numbers(20)


@settings(max_examples=50)
@given(cases())
def test_questions(case: Case) -> None:
    compiled: ModuleType = pytest.importorskip("fibprover_ext.automata")
    a, b, c, quantified = case
    for d in (a, b):
        same(compiled, kernel_calls.is_empty, d)
        same(compiled, kernel_calls.is_finite, d)
        same(compiled, kernel_calls.shortest, d)
        same(compiled, kernel_calls.words, d, 9)
        same(compiled, kernel_calls.count_words, d, 5)
        for name in d.names:
            same(compiled, kernel_calls.collisions, d, name)
        if d.tracks:
            same(compiled, first_numbers, d)
    for d, e in ((a, b), (a, c), (c, a), (b, b)):
        same(compiled, kernel_calls.join_word, d, e)
    for d, e in ((a, c), (c, a), (a, a)):
        same(compiled, kernel_calls.difference_word, d, e)
    same(compiled, kernel_calls.guarded_difference_word, a, b, quantified)
    same(compiled, kernel_calls.guarded_difference_word, c, a, a.names[:1])


def test_longer_words_have_no_numbers(compiled: ModuleType) -> None:
    """Beyond the places that have weights, words are found as codes alone."""
    every = build((P._replace(system="msd_2"),), [{0: 0, 1: 0}], [1])
    for module in (compiled, python):
        stream = on(module, kernel_calls.WordStream, every, Budget(), [[1, 2]])
        assert on(module, stream.numbers, 100) == [0, 1, 2, 3]
        assert on(module, stream.words, 2) == [(1, 0, 0), (1, 0, 1)]
        assert on(module, stream.numbers, 5) == []
        assert on(module, stream.words, 2) == [(1, 1, 0), (1, 1, 1)]


@settings(max_examples=30)
@given(cases(), st.integers(1, 4))
def test_counts(case: Case, count: int) -> None:
    compiled: ModuleType = pytest.importorskip("fibprover_ext.automata")
    b, quantified = case[1], case[3]
    b = b.with_tracks(tuple(track._replace(system="") for track in b.tracks))
    if len(quantified) < len(b.tracks):
        same(compiled, kernel_calls.at_least, b, quantified, count)
        same(compiled, kernel_calls.counts, b, quantified, count)


@pytest.mark.parametrize("seed", range(4))
def test_larger_automata(compiled: ModuleType, seed: int) -> None:
    """Some hundred states: sets of states in both representations, classes that are divided often, wide rows."""
    rng = random.Random(seed)
    a = copies(rng.randint(50, 300), 3, rng.randint(1, 5), rng)
    same(compiled, kernel_calls.minimize, a)
    same(compiled, kernel_calls.minimize, fan(10, 40))
    b = copies(60, 1, 4, rng)
    wide = replace(b, tracks=(P, P._replace(name="q")))
    alike(compiled, kernel_calls.join, wide, counter(13, P))
    alike(compiled, kernel_calls.difference, wide, counter(13, P))
    same(compiled, kernel_calls.project, worst(9), ["z"])
    same(compiled, kernel_calls.reverse, from_the_end(8))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fibprover.automata.kernels.python.sets.MOST_BITS", 0)
        same(compiled, kernel_calls.project, worst(9), ["z"])
        alike(compiled, kernel_calls.guarded_difference, counter(6, P), worst(7), ["z"])


def test_no_automaton_at_all(compiled: ModuleType) -> None:
    for module in (compiled, python):
        with pytest.raises(module.InvalidArrayError):
            module.Nfa((), (), -1, module.Meter())


# -- linear atoms -----------------------------------------------------------------------------


def of(module: ModuleType, recurrence: kernel_calls.Recurrence) -> Any:
    """Return the recurrence as an object of a backend."""
    reduced: Any = recurrence.__reduce__()
    return module.Recurrence(*reduced[1])


def same_linear(compiled: ModuleType, name: str, arguments: Sequence[Any]) -> None:
    """Assert that both backends give the same result for the arguments of a function on linear atoms."""
    found = []
    for module in (compiled, python):
        own = [of(module, each) if hasattr(each, "terms") else each for each in arguments]
        found.append(on(module, getattr(kernel_calls, name), *own))
    assert found[0] == found[1], (name, arguments)


@pytest.mark.parametrize("name", SMALL)
def test_linear_atoms(compiled: ModuleType, name: str) -> None:
    numeration = system(name)
    rng = random.Random(name)
    for _ in range(8):
        a = some_relation(numeration, "xy", rng)
        coefficients, chosen, relation, constant = constraint(name, "xy", rng)
        relation = rng.choice(["=", "!=", "<"])
        call = (coefficients, relation, constant, numeration.recurrence.constants)
        same_linear(compiled, "linear_atom", (numeration.valid, *call))
        if relation != "<":
            own = partial(kernel_calls.linear_atom, extent=rng.randrange(20))
            arguments = (numeration.valid, *call[:-1])
            found = [on(each, own, *arguments, of(each, call[-1])) for each in (compiled, python)]
            assert found[0] == found[1], arguments
        same_linear(compiled, "join_linear", (a, numeration.valid, *call, chosen))
        same_linear(compiled, "join_linear_is_empty", (a, numeration.valid, *call, chosen))


@pytest.mark.parametrize("name", ["msd_ost_0_3_per_1_2", "msd_ost_0_1_2_per_3", "msd_neg_fib", "msd_neg_2"])
def test_linear_atoms_with_phases(compiled: ModuleType, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []
    genuine = kernel_calls.linear_atom

    def noting(*arguments: Any) -> Dfa:
        calls.append(arguments)
        return genuine(*arguments)

    monkeypatch.setattr(kernel_calls, "linear_atom", noting)
    numeration = system_named(name)
    for coefficients, relation, constant in (((1, -1), "=", 0), ((2, -3), "<", 1), ((1, 1, -1), "=", 0)):
        numeration.linear(coefficients, relation, constant)
    monkeypatch.setattr(kernel_calls, "linear_atom", genuine)
    assert len(calls) >= 3
    for arguments in calls:
        same_linear(compiled, "linear_atom", arguments)


@pytest.mark.parametrize(
    "call", [((1 << 49, 1), "=", 0), ((1,), "=", 1 << 60), ((1,) * 63, "=", 0), ((1,) * 40, "<", 5)], ids=str
)
def test_refused_linear_atoms(compiled: ModuleType, call: tuple[Any, ...]) -> None:
    numeration = system("fib" if len(call[0]) != 40 else "three")
    for module in (compiled, python):
        with pytest.raises(LimitError):
            on(module, kernel_calls.linear_atom, numeration.valid, *call, of(module, numeration.recurrence.constants))


def test_a_coefficient_is_not_0(compiled: ModuleType) -> None:
    """The search for letters would go on for ever."""
    numeration, soon = system("fib"), Budget(deadline=time.monotonic() + 5)
    for module in (compiled, python):
        constants, valid = of(module, numeration.recurrence.constants), numeration.valid
        with pytest.raises(AutomatonError):
            on(module, kernel_calls.linear_atom, valid, (0, 1, -1), "=", 40, constants, soon)
        with pytest.raises(AutomatonError):
            on(module, kernel_calls.join_linear, valid, valid, (0,), "=", 40, constants, "x", soon)


# -- budgets ----------------------------------------------------------------------------------


def spent(module: ModuleType, call: Callable[[Budget], Any], budget: Budget) -> tuple[str, float] | None:
    """Return the resource that is spent and its limit, None if the budget suffices."""
    try:
        on(module, call, budget)
    except BudgetSpent as problem:
        return problem.resource, problem.limit
    return None


@pytest.mark.parametrize("name", few(CALLS, 3))
def test_budgets_end_where_they_end_in_the_other_backend(compiled: ModuleType, name: str) -> None:
    """By subsets alone: where these meet a bound, other strategies may end within it, or may not."""

    def call(budget: Budget) -> Any:
        with determinization.forced("subsets"):
            return CALLS[name](budget)

    if name == "close zeros":
        pytest.skip("its sets hold millions of states")
    whole: Dfa = on(compiled, call, Budget())
    for states in (1, whole.states // 2, whole.states - 1, whole.states):
        found = [spent(module, call, Budget(states=states)) for module in (compiled, python)]
        assert found[0] == found[1] == (("states", states) if states < whole.states else None)
    for transitions in (1, whole.transitions - 1, whole.transitions):
        found = [spent(module, call, Budget(transitions=transitions)) for module in (compiled, python)]
        assert found[0] == found[1] == (("transitions", transitions) if transitions < whole.transitions else None)
    late = Budget(deadline=time.monotonic() - 1)
    for module in (compiled, python):
        outcome = spent(module, call, late)
        assert outcome is not None and outcome[0] == "seconds"


@pytest.mark.long
@settings(max_examples=60)
@given(cases(), st.integers(1, 12), st.integers(1, 20))
def test_small_budgets(case: Case, states: int, transitions: int) -> None:
    compiled: ModuleType = pytest.importorskip("fibprover_ext.automata")
    a, b, c, quantified = case
    calls: list[Callable[[Budget], Any]] = [
        lambda budget: kernel_calls.join(a, b, budget),
        lambda budget: kernel_calls.union(a, c, budget),
        lambda budget: kernel_calls.difference(a, c, budget),
        lambda budget: kernel_calls.guarded_difference(a, b, quantified, budget),
        lambda budget: kernel_calls.project(b, quantified, budget),
        lambda budget: kernel_calls.reverse(a, budget),
        lambda budget: kernel_calls.minimize(a, budget),
        lambda budget: kernel_calls.trim(a, budget),
        lambda budget: kernel_calls.reorder(a, a.names[::-1], budget),
    ]
    for number, call in enumerate(calls):
        for budget in (Budget(states=states), Budget(transitions=transitions)):
            found = [spent(module, call, budget) for module in (compiled, python)]
            assert found[0] == found[1], number


@pytest.mark.parametrize("minimize", [kernel_calls.minimize, kernel_calls.minimize_outputs])
def test_a_budget_is_about_the_minimal_automaton(compiled: ModuleType, minimize: Callable[..., Dfa]) -> None:
    """Not about what is left when the states that no word reaches have been removed."""
    row = {0: 1, 1: 1}
    a = build((P,), [row, *({0: state, 1: state} for state in (2, 3, 3)), row], [1] * 5)
    swap = [{0: 1, 1: 1}, *({0: 0, 1: 0} for _ in range(5))]  # states 2 to 5 are reached by no word
    for each in (a, build((P,), swap, [1] * 6)):
        for budget in (Budget(states=1), Budget(transitions=2)):
            for module in (compiled, python):
                assert on(module, minimize, each, budget).states == 1


def test_a_search_ends_within_a_long_row() -> None:
    """A million letters of one state, twice."""
    a = long_row(20)
    assert a.transitions == 1 << 20
    b = a.renamed([f"y{place:02d}" if place else a.names[0] for place in range(20)])
    begun = time.process_time()
    with pytest.raises(BudgetSpent) as caught:
        on(python, kernel_calls.join, a, b, Budget(deadline=time.monotonic() + 0.3))
    assert caught.value.resource == "seconds" and time.process_time() - begun < 3

