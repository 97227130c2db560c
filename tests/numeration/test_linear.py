"""Linear atoms against integer arithmetic, the reference implementation, and known sizes."""

from __future__ import annotations

import random
import signal
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa
from fibprover.base.errors import BudgetSpent, LimitError, NumerationError
from fibprover.base.limits import Limits
from fibprover.numeration import RELATIONS, linear, recurrence_system, system_named
from tests.numeration.systems import HOLDS, SMALL, accepts, letters, system
from tests.oracle.linear import linear_raw

SYSTEMS = {name: system(name) for name in (*SMALL, "narayana", "slow", "fourbonacci")}


def small_coefficients(name: str, rng: random.Random, count: int) -> tuple[int, ...]:
    """Return non-zero coefficients up to 5, smaller ones where three of them make large automata."""
    bound = 2 if count > 2 and SYSTEMS[name].recurrence.order > 2 else 5
    return tuple(rng.choice([-1, 1]) * rng.randint(1, bound) for _ in range(count))


# -- integers ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("seed", [0, 1, 2, *(pytest.param(seed, marks=pytest.mark.long) for seed in (3, 4, 5))])
def test_all_small_numbers(name: str, seed: int) -> None:
    numeration = SYSTEMS[name]
    rng = random.Random(f"{name} {seed}")
    count = 1 + seed % 3
    coefficients = small_coefficients(name, rng, count)
    constant = rng.choice([0, 1, -1, rng.randint(-40, 40)])
    automata = {relation: numeration.linear(coefficients, relation, constant) for relation in RELATIONS}
    for numbers in product(range({1: 200, 2: 22, 3: 8}[count]), repeat=count):
        total = sum(c * x for c, x in zip(coefficients, numbers, strict=True))
        for relation, automaton in automata.items():
            expected = HOLDS[relation](total, constant)
            assert accepts(automaton, numeration, numbers) == expected, (coefficients, relation, constant, numbers)


@pytest.mark.parametrize("name", ["square", "fraenkel"])
def test_pruning_loses_no_solutions(name: str) -> None:
    # 288 = 96 + 96 + 96: a few values that agree say nothing while a coefficient is negative.
    numeration = SYSTEMS[name]
    assert numeration.recurrence.terms(3) == [1, 3, 8]
    assert accepts(numeration.linear((1, 1, 1, -1), "=", 0), numeration, (96, 96, 96, 288))
    triple, other = numeration.linear((3, -1), "=", 0), numeration.linear((3, -1), "!=", 0)
    for number in range(1000):
        assert accepts(triple, numeration, (number, 3 * number)), number
        assert not accepts(other, numeration, (number, 3 * number)), number
        assert not accepts(triple, numeration, (number, 3 * number + 1)), number
    third = numeration.linear((1, -3), "=", 0)
    assert accepts(third, numeration, (288, 96))


@st.composite
def constraints(draw: st.DrawFn) -> tuple[str, tuple[int, ...], tuple[int, ...], int]:
    """Return a system, coefficients, numbers up to 10^30, and the difference of sum and constant."""
    name = draw(st.sampled_from([*SMALL, "narayana"]))
    order = SYSTEMS[name].recurrence.order
    bound = 5 if order < 3 else 2
    coefficient = st.integers(-bound, bound).filter(bool)
    coefficients = tuple(draw(st.lists(coefficient, min_size=1, max_size=3)))
    numbers = draw(st.lists(st.integers(0, 10**30), min_size=len(coefficients), max_size=len(coefficients)))
    # One more variable brings the sum near 0, where relations are decided.
    total = sum(c * x for c, x in zip(coefficients, numbers, strict=True))
    last = draw(st.sampled_from([-1, -2])) * (1 if total >= 0 else -1)
    near = abs(total) // abs(last)
    nudge = draw(st.integers(-3, 3))
    return name, (*coefficients, last), (*numbers, max(0, near + nudge)), draw(st.integers(-6, 6))


@given(constraints(), st.sampled_from(RELATIONS), st.integers(0, 3))
@settings(max_examples=50)
def test_huge_numbers_near_the_boundary(
    constraint: tuple[str, tuple[int, ...], tuple[int, ...], int], relation: str, zeros: int
) -> None:
    name, coefficients, numbers, constant = constraint
    numeration = SYSTEMS[name]
    total = sum(c * x for c, x in zip(coefficients, numbers, strict=True))
    automaton = numeration.linear(coefficients, relation, constant)
    assert accepts(automaton, numeration, numbers, zeros=zeros) == HOLDS[relation](total, constant)


@given(
    st.sampled_from(["fib", "two", "ten", "pell", "tribonacci", "square"]),
    st.lists(st.integers(-3, 3).filter(bool), min_size=1, max_size=2),
    st.lists(st.integers(0, 10**30), min_size=2, max_size=2),
    st.integers(-2, 2),
    st.sampled_from(RELATIONS),
)
@settings(max_examples=60)
def test_huge_constants(name: str, coefficients: list[int], numbers: list[int], off: int, relation: str) -> None:
    numeration = SYSTEMS[name]
    numbers = numbers[: len(coefficients)]
    total = sum(c * x for c, x in zip(coefficients, numbers, strict=True))
    automaton = numeration.linear(tuple(coefficients), relation, total + off)
    assert accepts(automaton, numeration, numbers) == HOLDS[relation](total, total + off)


@pytest.mark.parametrize("constant", [2**30 - 1, 2**30, 2**30 + 1, -(2**30), -(2**30) - 1, 2**40, 2**63, 10**30])
@pytest.mark.parametrize("name", ["fib", "ten", "tribonacci"])
def test_constants_on_both_sides_of_the_kernels_range(name: str, constant: int) -> None:
    numeration = SYSTEMS[name]
    for relation in RELATIONS:
        one = numeration.linear((2,), relation, constant)
        two = numeration.linear((1, -1), relation, constant)
        for off in range(-2, 3):
            number = max(constant // 2 + off, 0)
            assert accepts(one, numeration, (number,)) == HOLDS[relation](2 * number, constant)
            pair = (max(constant, 0) + off + 5, max(-constant, 0) + 5)
            assert accepts(two, numeration, pair) == HOLDS[relation](pair[0] - pair[1], constant)


@pytest.mark.parametrize("name", ["fib", "ten", "narayana", "skewed", pytest.param("slow", marks=pytest.mark.long)])
def test_constant_tracks_and_kernel_agree(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    numeration = SYSTEMS[name]
    atoms = [
        (coefficients, relation, sign * constant)
        for coefficients in ((1,), (-1,), (1, -1))
        for relation in ("=", "<", "!=")
        for sign in (1, -1)
        for constant in (1, 77, 2**30, 2**42 + 1)
    ]
    monkeypatch.setattr(linear, "MOST_CONSTANT", 2**45)
    direct = [numeration.linear(*atom) for atom in atoms]
    monkeypatch.setattr(linear, "MOST_CONSTANT", 0)
    for atom, automaton in zip(atoms, direct, strict=True):
        assert numeration.linear(*atom) == automaton, atom


# -- the twin ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*SMALL, "narayana"])
def test_the_reference_gives_the_same_canonical_automaton(name: str) -> None:
    numeration = SYSTEMS[name]
    rng = random.Random(name)
    for _ in range(12):
        coefficients = small_coefficients(name, rng, rng.choice([1, 2, 2, 3] if len(numeration.digits) < 5 else [1, 2]))
        constant = rng.choice([0, 0, 1, -1, rng.randint(-100, 100)])
        relation = rng.choice(RELATIONS)
        raw = linear_raw(numeration, numeration.recurrence, coefficients, relation, constant)
        direct = numeration.linear(coefficients, relation, constant)
        assert direct == kernel_calls.minimize(raw), (coefficients, relation, constant)
        assert direct == kernel_calls.minimize(direct)
        assert direct == kernel_calls.minimize(kernel_calls.close_zeros(direct))


# -- sizes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "adder", "four"),
    [
        ("fib", 16, 66),
        ("pell", 16, 70),
        ("tribonacci", 149, 1087),
        ("narayana", 250, 1665),
        ("fourbonacci", 970, 11394),
    ],
)
def test_known_sizes(name: str, adder: int, four: int) -> None:
    numeration = SYSTEMS[name]
    assert numeration.linear((1, 1, -1), "=", 0).states == adder
    assert numeration.linear((1, -1, -1, 1), "=", 0).states == four


def test_base_two_adder() -> None:
    assert system_named("2").linear((1, 1, -1), "=", 0).states == 2


# -- edges ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("constant", [-(10**50), -1, 0, 1, 10**50])
def test_no_coefficients(relation: str, constant: int) -> None:
    automaton = SYSTEMS["fib"].linear((), relation, constant)
    assert automaton.tracks == ()
    assert automaton.states == 1
    assert bool(automaton.outputs[0]) == HOLDS[relation](0, constant)
    assert automaton.row(0) == ([(0, 0)] if automaton.outputs[0] else [])


def test_tracks_are_in_the_given_order() -> None:
    numeration = SYSTEMS["two"]
    automaton = numeration.linear((1,) * 11, "=", 10**12)
    assert automaton.names == tuple(map(str, range(11)))
    minuend = numeration.linear((*[1] * 10, -11), ">", 10**12)
    numbers = (*[0] * 9, 10**13, 2)
    assert accepts(minuend, numeration, numbers)
    assert not accepts(minuend, numeration, (*[0] * 10, 10**13))


def test_common_divisors() -> None:
    numeration = SYSTEMS["fib"]
    assert numeration.linear((4, -6), "=", 8) == numeration.linear((2, -3), "=", 4)
    assert numeration.linear((4, -6), "=", 7).transitions == 0
    everything = numeration.linear((1, 1), ">=", 0)
    assert numeration.linear((4, -6), "!=", 7) == everything
    for constant in range(-9, 10):
        automaton = numeration.linear((4, -6), "<", constant)
        for numbers in product(range(8), repeat=2):
            assert accepts(automaton, numeration, numbers) == (4 * numbers[0] - 6 * numbers[1] < constant)


def test_nothing_and_everything_are_canonical() -> None:
    numeration = SYSTEMS["pell"]
    for empty in (
        numeration.linear((1, 2), "<", 0),
        numeration.linear((1,), "=", -1),
        numeration.linear((-1,), ">", 5),
    ):
        assert (empty.states, empty.transitions, list(empty.outputs)) == (1, 0, [0])
    assert numeration.linear((1,), ">=", 0).same_arrays(numeration.valid)


def test_invalid_arguments() -> None:
    numeration = SYSTEMS["fib"]
    with pytest.raises(NumerationError, match="is 0; leave that variable out"):
        numeration.linear((1, 0), "=", 0)
    with pytest.raises(NumerationError, match="'==' is not a relation"):
        numeration.linear((1,), "==", 0)


def test_coefficients_and_alphabets_that_are_too_large() -> None:
    numeration = SYSTEMS["fib"]
    for coefficient in (1 << 31, -(10**40)):
        with pytest.raises(LimitError, match="too large for a linear atom"):
            numeration.linear((1, coefficient), "=", 0)
    with pytest.raises(LimitError, match="more than 2\\^62 letters"):
        SYSTEMS["ten"].linear((1,) * 19, "=", 0)
    wide = recurrence_system("wide", (5000, 1), (1, 5001))
    with pytest.raises(LimitError, match="too many weights"):
        wide.linear(((1 << 31) - 1, -1), "=", 0)
    with pytest.raises(LimitError, match="too many combinations"):
        SYSTEMS["tribonacci"].linear((1,) * 25, "=", 0)


@pytest.mark.parametrize("factor", [3, 1000, 5_000_000])
@pytest.mark.parametrize("name", ["three", "fib", "tribonacci"])
def test_letters_whose_weights_leave_gaps(name: str, factor: int) -> None:
    # Past `linear`, which divides by common factors; the largest factor's weights are too far apart for a table.
    numeration = SYSTEMS[name]
    constants = numeration.recurrence.constants
    for coefficients in ((1,), (-2,), (1, -2), (1, 1, -1)):
        for relation, constant in (("=", 3), ("!=", -2), ("<", 1)):
            scaled = tuple(factor * c for c in coefficients)
            raw = kernel_calls.linear_atom(numeration.valid, scaled, relation, factor * constant, constants)
            assert kernel_calls.minimize(raw) == numeration.linear(coefficients, relation, constant)


def test_a_large_base() -> None:
    numeration = system_named("5000")
    equal = numeration.linear((2, -1), "=", 1)
    assert equal.transitions == 15_000
    assert accepts(equal, numeration, (10**40, 2 * 10**40 - 1))
    assert not accepts(equal, numeration, (10**40, 2 * 10**40))


# -- budgets -------------------------------------------------------------------------------------

#: Coefficients whose automaton over four-bonacci would have many millions of states.
ENDLESS = (97, -89, 83, -79)


def test_spent_budgets() -> None:
    numeration = SYSTEMS["fourbonacci"]
    with pytest.raises(BudgetSpent) as states:
        numeration.linear(ENDLESS, "=", 0, Limits(states=5000).start())
    assert states.value.resource == "states"
    assert 5000 < states.value.states < 100_000
    assert "a linear atom" in str(states.value)
    with pytest.raises(BudgetSpent) as transitions:
        numeration.linear(ENDLESS, "!=", 0, Limits(transitions=5000).start())
    assert transitions.value.resource == "transitions"
    with pytest.raises(BudgetSpent) as seconds:
        numeration.linear(ENDLESS, "<", 0, Limits(seconds=0.05).start())
    assert seconds.value.resource == "seconds"
    with pytest.raises(BudgetSpent) as memory:
        numeration.linear(ENDLESS, "<", 0, Limits(bytes=kernel_calls.resident_bytes() + 20_000_000).start())
    assert memory.value.resource == "bytes"


def test_budgets_hold_for_one_state_with_very_many_letters() -> None:
    with pytest.raises(BudgetSpent) as spent:
        system_named("1000").linear((1, 1, 1), "!=", 0, Limits(transitions=10_000).start())
    assert spent.value.transitions < 30_000


def test_signals_are_answered() -> None:
    class Interrupted(Exception):
        pass

    def interrupt(_number: int, _frame: object) -> None:
        raise Interrupted

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(Interrupted):
            SYSTEMS["fourbonacci"].linear(ENDLESS, "=", 0, Limits(seconds=60).start())
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# -- the order -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*SMALL, "narayana"])
def test_order(name: str) -> None:
    numeration = SYSTEMS[name]
    less: Dfa = numeration.less()
    assert less.names == ("0", "1")
    assert less == numeration.linear((1, -1), "<", 0)
    assert letters(numeration, (0, 0)) == []
    for pair in product(range(25), repeat=2):
        assert accepts(less, numeration, pair) == (pair[0] < pair[1])
