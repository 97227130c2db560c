"""Joins with linear atoms that are not built, against those with built atoms and the reference implementation."""

from __future__ import annotations

import pickle
import random
import time
from collections.abc import Callable
from typing import Any

import pytest

from fibprover.automata import kernel_calls, operations
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.automata.kernels import automata as backend
from fibprover.base.errors import AutomatonError, BudgetSpent, LimitError, NumerationError
from fibprover.base.limits import Budget
from fibprover.numeration import RELATIONS, NumerationSystem, RecurrenceSystem, system_named
from fibprover.numeration.ostrowski import ostrowski_system
from fibprover.numeration.periodic import PeriodicSystem
from tests.numeration.systems import SMALL, accepts, system
from tests.oracle import kernels as plain
from tests.oracle.linear import join_linear_raw

SYSTEMS = {name: system(name) for name in (*SMALL, "narayana")}
FIB = SYSTEMS["fib"]


def some_relation(numeration: RecurrenceSystem, names: str, rng: random.Random) -> Dfa:
    """Return a relation over these tracks, in random order: a random language restricted to valid words."""
    tracks = [numeration.track(name) for name in names]
    rng.shuffle(tracks)
    letters = len(numeration.digits) ** len(tracks)
    states = rng.randint(1, 6)
    rows = [
        {rng.randrange(letters): rng.randrange(states) for _ in range(rng.randint(0, min(3 * letters, 60)))}
        for _ in range(states)
    ]
    rows[0][0] = 0
    raw = build(tracks, rows, [int(rng.random() < 0.6) for _ in range(states)])
    valid = [numeration.valid.renamed([name]) for name in names]
    relation = operations.as_relation(raw, valid)
    return kernel_calls.reorder(relation, [track.name for track in tracks])


def constraint(
    name: str, names: str, rng: random.Random
) -> tuple[tuple[int, ...], tuple[str, ...], str, int]:
    """Return coefficients for some of the tracks, a relation, and a constant that is often attained."""
    chosen = rng.sample(names, rng.randint(1, len(names)))
    bound = 2 if len(chosen) > 2 and SYSTEMS[name].recurrence.order > 2 else 4
    coefficients = tuple(rng.choice([-1, 1]) * rng.randint(1, bound) for _ in chosen)
    return coefficients, tuple(chosen), rng.choice(RELATIONS), rng.choice([0, 0, 1, -1, rng.randint(-30, 30)])


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("seed", range(8))
def test_join_linear_equals_join_with_the_atom(name: str, seed: int) -> None:
    numeration = SYSTEMS[name]
    rng = random.Random(f"{name} {seed}")
    names = "xyz"[: 2 if name == "ten" or numeration.recurrence.order > 2 else rng.randint(1, 3)]
    a = some_relation(numeration, names, rng)
    for _ in range(5):
        coefficients, chosen, relation, constant = constraint(name, names, rng)
        found = numeration.join_linear(a, coefficients, chosen, relation, constant)
        wanted = NumerationSystem.join_linear(numeration, a, coefficients, chosen, relation, constant)
        assert found == wanted, (coefficients, chosen, relation, constant)


@pytest.mark.parametrize("name", ["fib", "two", "pell", "square", "transient", "tribonacci"])
def test_against_the_reference(name: str) -> None:
    numeration = SYSTEMS[name]
    rng = random.Random(name)
    for _ in range(6):
        a = some_relation(numeration, "xy", rng)
        coefficients, chosen, relation, constant = constraint(name, "xy", rng)
        raw = join_linear_raw(numeration, numeration.recurrence, a, coefficients, chosen, relation, constant)
        assert numeration.join_linear(a, coefficients, chosen, relation, constant) == plain.minimize(raw)


@pytest.mark.parametrize("name", ["fib", "three", "wythoff4", "narayana"])
def test_emptiness_on_the_fly(name: str) -> None:
    numeration = SYSTEMS[name]
    rng = random.Random(name)
    answers = set()
    for _ in range(40):
        a = some_relation(numeration, "xy", rng)
        coefficients, chosen, relation, constant = constraint(name, "xy", rng)
        if relation not in ("=", "!=", "<"):
            continue
        call = (numeration.valid, coefficients, relation, constant, numeration.recurrence.constants, chosen)
        empty = kernel_calls.join_linear_is_empty(a, *call)
        assert empty == kernel_calls.is_empty(kernel_calls.join_linear(a, *call))
        answers.add(empty)
    assert answers == {True, False}


def test_numbers() -> None:
    below = FIB.linear((1, -1), "<", 0).renamed(["x", "y"])
    found = FIB.join_linear(below, (2, 3), ("y", "x"), "=", 100)
    pairs = {(x, y) for x in range(60) for y in range(60) if accepts(found, FIB, (x, y))}
    assert pairs == {(x, (100 - 3 * x) // 2) for x in range(0, 20, 2)}


def test_weights_far_apart() -> None:
    """Few weights in a wide range, which are not looked up in a table."""
    below = FIB.linear((1, -1), "=", -3).renamed(["x", "y"])
    found = FIB.join_linear(below, (7001, -6999), ("x", "y"), "=", 7001 * 10 - 6999 * 13)
    assert found == operations.conjunction(below, FIB.linear((1,), "=", 10).renamed(["x"]))


def test_constants_of_any_size() -> None:
    everything = operations.cartesian_product([FIB.valid.renamed([name]) for name in "xy"])
    huge = 10**30
    found = FIB.join_linear(everything, (1, 1), ("x", "y"), "=", 2 * huge)
    assert accepts(found, FIB, (huge - 7, huge + 7)) and not accepts(found, FIB, (huge, huge + 1))
    assert kernel_calls.is_empty(FIB.join_linear(everything, (2, 4), ("x", "y"), "=", 2 * huge + 1))


def test_trivial_constraints() -> None:
    below = FIB.linear((1, -1), "<", 0).renamed(["x", "y"])
    assert FIB.join_linear(below, (), (), "<", 1) == below
    assert FIB.join_linear(below, (), (), "=", 1).transitions == 0
    assert FIB.join_linear(below, (2, -4), ("x", "y"), "!=", 3) == below
    assert FIB.join_linear(below, (2, -4), ("x", "y"), "=", 3).transitions == 0
    assert FIB.join_linear(below, (1, 1), ("x", "y"), "<", 0).transitions == 0
    nothing = operations.empty(below.tracks)
    assert FIB.join_linear(nothing, (1,), ("x",), ">=", 0) == nothing


def test_a_wide_atom_is_never_built() -> None:
    """Six tracks with coefficients up to 40: the atom alone has a hundred thousand states."""
    fixed = operations.true()
    for name, number in zip("abcdef", (3, 5, 8, 13, 21, 34), strict=True):
        word = FIB.linear((1,), "=", number).renamed([name])
        fixed = operations.conjunction(fixed, word)
    total = 40 * 3 - 39 * 5 + 38 * 8 - 37 * 13 + 36 * 21 - 35 * 34
    coefficients = (40, -39, 38, -37, 36, -35)
    budget = Budget(states=2000)
    for relation, constant, holds in (("=", total, True), ("=", total + 1, False), ("!=", total, False)):
        found = FIB.join_linear(fixed, coefficients, tuple("abcdef"), relation, constant, budget)
        assert kernel_calls.is_empty(found) is not holds
    with pytest.raises(BudgetSpent):
        FIB.linear(coefficients, "=", total, budget)


@pytest.mark.parametrize(
    "attempt",
    [
        lambda a: FIB.join_linear(a, (1,), ("z",), "=", 0),
        lambda a: FIB.join_linear(a, (1, 1), ("x",), "=", 0),
        lambda a: FIB.join_linear(a, (1, 1), ("x", "x"), "=", 0),
        lambda a: FIB.join_linear(a, (), ("x",), "=", 0),
        lambda a: FIB.join_linear(a, (2,), ("z",), "=", 1),
        lambda a: system_named("msd_2").join_linear(a, (1,), ("x",), "=", 0),
        lambda a: FIB.join_linear(a.with_tracks((Track("x", (0, 1)), a.tracks[1])), (1,), ("x",), "=", 0),
    ],
)
def test_tracks_that_do_not_fit(attempt: Callable[[Dfa], Dfa]) -> None:
    with pytest.raises(AutomatonError):
        attempt(FIB.linear((1, -1), "<", 0).renamed(["x", "y"]))


def test_refused_atoms() -> None:
    a = FIB.linear((1, -1), "<", 0).renamed(["x", "y"])
    with pytest.raises(NumerationError):
        FIB.join_linear(a, (0,), ("x",), "=", 0)
    with pytest.raises(NumerationError):
        FIB.join_linear(a, (1,), ("x",), "==", 0)
    with pytest.raises(LimitError):
        FIB.join_linear(a, (1 << 40,), ("x",), "=", 0)
    constants = FIB.recurrence.constants
    with pytest.raises(LimitError):
        kernel_calls.join_linear(a, FIB.valid, (1 << 70,), "=", 0, constants, ("x",))
    with pytest.raises(LimitError):
        kernel_calls.join_linear(a, FIB.valid, (1 << 60,), "=", 0, constants, ("x",))
    with pytest.raises(LimitError):
        kernel_calls.join_linear(a, FIB.valid, (1,), "=", 1 << 60, constants, ("x",))


def test_recurrences_of_several_phases_are_refused() -> None:
    """Letters of a join have no track for the phase."""
    a = FIB.linear((1, -1), "<", 0).renamed(["x", "y"])
    periodic = ostrowski_system("ost", [0, 3], [1, 2])
    assert isinstance(periodic, PeriodicSystem)
    with pytest.raises(AutomatonError, match="phases"):
        kernel_calls.join_linear(a, FIB.valid, (1,), "=", 0, periodic.periodic.constants, ("x",))


def test_recurrences_that_do_not_fit_together_are_refused() -> None:
    one: list[Any] = [0, 1, [2], [1, 2, 4], [0, 0, 0], [0, 1, 3], [1.0], [0.0], [0.0, 1.0, 1.0]]
    assert kernel_calls.Recurrence(*one).terms == [1, 2, 4]
    for place, wrong in ((0, 1), (1, 0), (1, 2), (2, []), (3, []), (4, [0]), (6, [1.0, 1.0]), (8, [0.0])):
        changed = list(one)
        changed[place] = wrong
        with pytest.raises(backend.InvalidArrayError):
            kernel_calls.Recurrence(*changed)


def test_recurrences_can_be_pickled() -> None:
    constants = pickle.loads(pickle.dumps(FIB.recurrence.constants))
    for relation in ("=", "<"):
        again = kernel_calls.linear_atom(FIB.valid, (2, -3), relation, 1, constants)
        assert again == kernel_calls.linear_atom(FIB.valid, (2, -3), relation, 1, FIB.recurrence.constants)


def product(budget: Budget) -> Dfa:
    """Thousands of pairs."""
    wide = operations.cartesian_product([FIB.valid.renamed([name]) for name in "xyz"])
    return kernel_calls.join_linear(
        wide, FIB.valid, (97, -89, 83), "=", 0, FIB.recurrence.constants, ("x", "y", "z"), budget
    )


def test_budgets(monkeypatch: pytest.MonkeyPatch) -> None:
    free = product(Budget())
    assert free.states > 5000
    for budget, resource in (
        (Budget(states=1000), "states"),
        (Budget(transitions=1500), "transitions"),
        (Budget(deadline=time.monotonic() - 1.0), "seconds"),
    ):
        with pytest.raises(BudgetSpent) as caught:
            product(budget)
        assert caught.value.resource == resource
    assert product(Budget(states=free.states, transitions=free.transitions)) == free
    monkeypatch.setattr(kernel_calls, "resident_bytes", lambda: 1_000_000)
    with pytest.raises(BudgetSpent) as caught:
        product(Budget(bytes=1_200_000))
    assert caught.value.resource == "bytes"
    monkeypatch.setattr(kernel_calls, "meter_of", lambda budget: backend.Meter(ceiling=500))
    with pytest.raises(LimitError, match="500 states"):
        product(Budget())
