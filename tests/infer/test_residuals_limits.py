"""Inference: budgets, refused input, and the largest numbers."""

from __future__ import annotations

import subprocess
import sys
import time
from array import array
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fibprover.automata import kernel_calls, operations
from fibprover.automata.dfa import Dfa, build
from fibprover.automata.kernels import automata as backend
from fibprover.automata.kernels import inference as kernel
from fibprover.base.errors import AutomatonError, BudgetSpent, FibproverError, LimitError
from fibprover.base.limits import UNBOUNDED, Budget
from fibprover.infer.residuals import (
    MOST_BOUND,
    digit_weights,
    greatest_suffixes,
    greedy,
    infer_set,
    members_below,
    merge,
    separating_depth,
)
from fibprover.numeration import NumerationSystem, system_named
from fibprover.workspace.session import Session
from tests.numeration.test_composed import composed

from .sets import SYSTEMS, members, relations, weight

FIB = system_named("msd_fib")

#: Pairs that no automaton describes: every prefix is a state of its own.
CHANCE = np.random.default_rng(3).integers(0, 50_000, (50_000, 2))


# -- budgets ----------------------------------------------------------------------------------


def test_states() -> None:
    with pytest.raises(BudgetSpent, match="an automaton from data") as caught:
        infer_set(CHANCE, 50_000, FIB, ["a", "b"], Budget(states=1000))
    assert (caught.value.resource, caught.value.limit, caught.value.states) == ("states", 1000, 1001)
    with pytest.raises(BudgetSpent, match="transitions"):
        infer_set(CHANCE, 50_000, FIB, ["a", "b"], Budget(transitions=1000))


def test_budgets_that_suffice() -> None:
    rows = [(n, n) for n in range(1000)]
    free = infer_set(rows, 1000, FIB, ["a", "b"])
    assert infer_set(rows, 1000, FIB, ["a", "b"], Budget(states=10, transitions=20)) == free


def test_seconds() -> None:
    guess = merge(CHANCE[:100], 50_000, FIB, ["a", "b"])
    late = Budget(deadline=time.monotonic() - 1)
    for ask in (
        lambda: merge(CHANCE, 50_000, FIB, ["a", "b"], late),
        lambda: members_below(guess.automaton, 50_000, FIB, late),
        lambda: separating_depth(guess.automaton, late),
    ):
        with pytest.raises(BudgetSpent) as caught:
            ask()
        assert caught.value.resource == "seconds"


def test_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_calls, "resident_bytes", lambda: 0)
    for room in (0, 100_000, 1_000_000, 5_000_000):
        with pytest.raises(BudgetSpent) as caught:
            merge(CHANCE, 50_000, FIB, ["a", "b"], Budget(bytes=room))
        assert (caught.value.resource, caught.value.limit) == ("bytes", room)
    assert merge(CHANCE, 50_000, FIB, ["a", "b"], Budget(bytes=100_000_000)).known <= 50_000


@pytest.mark.parametrize("room", [UNBOUNDED, 1_000_000])
def test_all_memory_is_given_back(room: int) -> None:
    meter = backend.Meter(UNBOUNDED, UNBOUNDED, room, float("inf"))
    table = np.ascontiguousarray(CHANCE).reshape(-1)
    worth = digit_weights(FIB, 50_000)
    arguments = (
        table, 2, 50_000, array("q", worth), array("q", greatest_suffixes(FIB.valid, worth, 50_000)),
        kernel_calls.csr(FIB.valid), 2, meter,
    )
    try:
        result: Any = kernel.infer(*arguments)
    except backend.BudgetExhausted:
        assert room == 1_000_000
    else:
        assert room == UNBOUNDED and result is not None
    assert meter.bytes == 0


INTERRUPTED = """
import signal, time
import numpy as np
from fibprover.infer.residuals import infer_set
from fibprover.base.limits import Budget
from fibprover.numeration import system_named
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGALRM, lambda number, frame: signal.raise_signal(signal.SIGINT))
system = system_named("msd_fib")
rows = np.random.default_rng(3).integers(0, 10**6, (10**6, 2))
budget = Budget(deadline=time.monotonic() + 300)
signal.setitimer(signal.ITIMER_REAL, 0.4)
try:
    infer_set(rows, 10**6, system, ["a", "b"], budget)
except KeyboardInterrupt:
    # The alarm came long before the deadline, and so did the answer.
    print("interrupted", budget.seconds_left() > 250)
"""


def test_interrupt() -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.stdout == "interrupted True\n", done.stderr


def test_numpy_is_imported_late() -> None:
    code = "import sys, fibprover.infer.residuals; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=300)
    assert done.stdout == "False\n", done.stderr


# -- large numbers ----------------------------------------------------------------------------


@pytest.mark.parametrize("places", [59, 61, 62])
def test_powers_of_two_to_the_largest_bound(places: int) -> None:
    guess = infer_set([[2**k] for k in range(places)], 2**places, system_named("msd_2"), ["a"])
    assert [guess.automaton.row(state) for state in (0, 1)] == [[(0, 0), (1, 1)], [(0, 1)]]
    assert guess.errors == guess.unknown == 0 and guess.margin >= places - 5


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("exponent", [20, 33, 40])
def test_weights_are_the_numbers_of_one_digit(name: str, exponent: int) -> None:
    """The set of all weights below a bound that is not a weight: the last ones cause no errors."""
    system = system_named(name)
    bound = 2**exponent - 12345
    rows = [[worth] for worth in digit_weights(system, bound) if worth < bound]
    guess = infer_set(rows, bound, system, ["a"])
    assert guess.states == 2
    assert guess.errors == guess.unknown == 0 and guess.margin > 7


def test_large_digits_at_large_places() -> None:
    """Products of digits and weights are far beyond 64 bits."""
    system = system_named("msd_60000")
    assert digit_weights(system, MOST_BOUND) == [60000**place for place in range(5)]
    rows = [[digit * 60000**place] for digit in (7, 59999) for place in range(4) if digit * 60000**place < MOST_BOUND]
    guess = infer_set(rows, MOST_BOUND, system, ["a"])
    assert guess.automaton == build((system.track("a"),), [{0: 0, 7: 1, 59999: 1}, {0: 1}], [0, 1])
    assert guess.errors == 0


def test_wide_alphabets() -> None:
    system = system_named("msd_100")
    guess = infer_set([(n, n) for n in range(10_000)], 10_000, system, ["a", "b"])
    assert guess.states == 1 and guess.automaton.transitions == 100
    with pytest.raises(LimitError, match=r"alphabet of more than 2\^22 letters"):
        infer_set([(n, n) for n in range(100)], 10_000, system_named("msd_2100"), ["a", "b"])
    with pytest.raises(LimitError, match=r"alphabet of more than 2\^22 letters"):
        infer_set([[0] * 60], 4, system_named("msd_2"), [f"x{n}" for n in range(60)])
    with pytest.raises(AutomatonError, match="letters"):
        infer_set([[0] * 80], 4, system_named("msd_2"), [f"x{n}" for n in range(80)])


def test_long_words() -> None:
    system = system_named("msd_2")
    diagonal = infer_set([(2**k, 2**k) for k in range(60)], 2**60, system, ["a", "b"])
    assert diagonal.states == 2 and diagonal.errors == 0
    with pytest.raises(LimitError, match="words of 61 letters over an alphabet of 4"):
        infer_set([(2**k, 2**k) for k in range(60)], 2**61, system, ["a", "b"])
    with pytest.raises(LimitError, match="words of 133 letters"):
        infer_set([[0]], 2**62, system_named("msd_rec_1_0_0_1"), ["a"])


@pytest.mark.parametrize("width", [1, 2, 3])
def test_words_that_fill_their_key(width: int) -> None:
    """Words of the greatest length with the greatest letters are read back as they were written."""
    system = system_named("msd_2")
    places = {1: 62, 2: 60, 3: 39}[width]
    bound = 2**places
    chance = np.random.default_rng(width)
    rows = [[int(number) for number in chance.integers(bound // 2, bound, width)] for _ in range(40)]
    found = merge(rows, bound, system, [f"x{n}" for n in range(width)])
    assert found.known == 40 and found.lost == 0
    for row in rows:
        letters = zip(*map(system.represent, row), strict=True)
        assert found.automaton.output(map(found.automaton.code, letters)) == 1


# -- what is refused --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "bound", "message"),
    [
        ([[-1]], 10, "members lie from -1 to -1, and not from 0 to 9"),
        ([[0], [10]], 10, "members lie from 0 to 10"),
        ([[0]], 0, "not from 0 to -1"),
        ([[2**63]], 10, "members lie"),
        ([[2**70]], 10, "members lie"),
        ([[-(2**70)]], 10, "members lie"),
        (np.array([[2**64 - 1]], np.uint64), 10, "members lie"),
        ([[1.5]], 10, "integers, and not of type float64"),
        ([[1.0]], 10, "integers"),
        ([["1"]], 10, "integers"),
        ([[None]], 10, "integers"),
        ([[True]], 10, "integers"),
        ([[float("nan")]], 10, "integers"),
        ([1, 2, 3], 10, r"a column for each name, here 1, and not the shape \(3,\)"),
        ([], 10, "shape"),
        ([[1, 2]], 10, "shape"),
        ([[1], [2, 3]], 10, "table of integers"),
        ("a text", 10, "shape"),
        ([[1]], -1, "not negative"),
        ([[1]], 2.5, "natural number"),
        ([[1]], "10", "natural number"),
        ([[1]], None, "natural number"),
        ([[1]], MOST_BOUND + 1, "too large"),
        ([[1]], 10**30, "too large"),
    ],
)
def test_members_and_bounds(rows: Any, bound: Any, message: str) -> None:
    with pytest.raises(FibproverError, match=message):
        infer_set(rows, bound, FIB, ["a"])


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.uint64, object])
def test_integers_of_any_type(kind: Any) -> None:
    rows = np.arange(100).reshape(100, 1)
    assert infer_set(rows.astype(kind), 100, FIB, ["a"]) == infer_set(rows, 100, FIB, ["a"])
    bound: Any = np.int64(100)
    assert infer_set(rows[::-1], bound, FIB, ["a"]) == infer_set(rows, 100, FIB, ["a"])
    columns = np.asfortranarray(np.stack([np.arange(100), np.arange(100)], axis=1))
    assert infer_set(columns, 100, FIB, ["a", "b"]).states == 2


@pytest.mark.parametrize("names", [[], ["a", "a"]])
def test_names(names: list[str]) -> None:
    with pytest.raises(FibproverError):
        infer_set(np.zeros((1, len(names)), np.int64), 10, FIB, names)


@pytest.mark.parametrize("name", ["lsd_fib", "lsd_2", "msd_neg_2", "msd_neg_fib", "lsd_neg_2"])
def test_refused_systems(name: str) -> None:
    with pytest.raises(FibproverError, match=f"not in {name}"):
        infer_set([[0]], 10, system_named(name), ["a"])


def test_a_name_instead_of_a_system() -> None:
    with pytest.raises(FibproverError, match="a numeration system is needed, not 'msd_fib'"):
        infer_set([[0]], 10, "msd_fib", ["a"])  # type: ignore[arg-type]


class ExchangedNumbers(NumerationSystem):
    """Base 2 with 1 and 2 exchanged: positions have no weights."""

    def __init__(self) -> None:
        self.base = system_named("msd_2")
        self.name, self.digits, self.valid = "msd_exchanged", self.base.digits, self.base.valid

    def represent(self, number: int) -> tuple[int, ...]:
        return self.base.represent({1: 2, 2: 1}.get(number, number))

    def value(self, digits: Any) -> int:
        number = self.base.value(digits)
        return {1: 2, 2: 1}.get(number, number)

    def reduced_atom(self, coefficients: Any, relation: str, constant: int, budget: Budget) -> Dfa:
        raise NotImplementedError

    def word_counts(self, lengths: int) -> list[int]:
        raise NotImplementedError

    def describe(self) -> str:
        return "no weights"

    def with_identity(self, identity: str) -> ExchangedNumbers:
        raise NotImplementedError


def test_positions_need_weights() -> None:
    with pytest.raises(FibproverError, match="not worth the same in all numbers"):
        infer_set([[0]], 10, ExchangedNumbers(), ["a"])
    # A system that is given by an adder has weights all the same if its words are those of a recurrence.
    rows = [(n, 2 * n) for n in range(200)]
    assert infer_set(rows, 400, composed("msd_fib"), ["a", "b"]) == infer_set(rows, 400, FIB, ["a", "b"])


def test_greedy_words() -> None:
    for name in SYSTEMS:
        system = system_named(name)
        worth = digit_weights(system, 500)
        assert all(greedy(number, worth) == system.represent(number) for number in range(500))


@pytest.mark.parametrize(
    "changed",
    [
        {"values": [-1, 0]},
        {"values": [5, 100]},
        {"values": [1, 2, 3]},
        {"width": 0},
        {"width": 65},
        {"bound": -1},
        {"weights": [1, 2, 0, 200]},
        {"weights": [1, 3, 2, 200]},
        {"weights": [1, 2, 3]},
        {"weights": [1, 2, 3, 2**62 + 1]},
        {"weights": []},
        {"slack": [0] * 7},
        {"slack": [101] * 8},
        {"slack": [-2] * 8},
        {"digits": 1},
        {"weights": [1, 9, 100, 100], "values": [8, 8]},
    ],
    ids=str,
)
def test_the_kernel_checks_what_it_relies_on(changed: dict[str, Any]) -> None:
    """Arguments that no caller passes raise an error and do not crash."""
    arguments: dict[str, Any] = {
        "values": [1, 2], "width": 2, "bound": 100, "weights": [1, 2, 3, 100], "slack": [0] * 8, "digits": 2,
    } | changed
    with pytest.raises(backend.InvalidArrayError):
        kernel.infer(
            array("q", arguments["values"]), arguments["width"], arguments["bound"], array("q", arguments["weights"]),
            array("q", arguments["slack"]), kernel_calls.csr(FIB.valid), arguments["digits"], backend.Meter(),
        )


# -- counts -----------------------------------------------------------------------------------


@settings(max_examples=30)
@given(relations(), st.integers(0, 20))
def test_members_are_counted(case: tuple[Dfa, NumerationSystem], bound: int) -> None:
    right, system = case
    assert members_below(right, bound, system) == len(members(right, system, bound))


def test_large_counts() -> None:
    session = Session()
    session.namespace.default_system = "msd_fib"
    for formula in ("a<=b", "Ek a=b+3*k", "a+b=c"):
        relation = session.relation(formula)
        for bound in (10**6, 10**6 + 1, weight(FIB, 60), weight(FIB, 60) + 1):
            assert members_below(relation.automaton, bound, FIB) == relation.count(bound) % 2**64
    everything = operations.cartesian_product([FIB.valid.renamed([f"x{n:02}"]) for n in range(12)])
    assert members_below(everything, 3, FIB) == 3**12


def test_errors_are_of_both_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Missing and surplus tuples of a wrong automaton are both counted as errors."""
    rows = [[n] for n in range(0, 89, 2)]
    even = infer_set(rows, 89, FIB, ["a"])
    assert even.errors == 0
    session = Session()
    session.namespace.default_system = "msd_fib"
    odd = session.relation("Ek a=2*k+1").automaton
    monkeypatch.setattr(operations, "conjunction", lambda *_: odd)
    found = infer_set(rows, 89, FIB, ["a"])
    assert found.margin == -1 and found.errors > 0
