"""Every strategy makes the same language deterministic, alone and in turns, and ends at the bounds of a budget."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from typing import Any

import pytest

from fibprover.automata import determinization, kernel_calls
from fibprover.automata.determinization import STRATEGIES
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.automata.kernels import automata as backend
from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import Budget
from tests.oracle import kernels as reference
from tests.seeds import chosen_seed, is_fixed

from .test_kernels import P, from_the_end
from .test_kernels_limits import SYMBOL, worst

CHOICE = "z"

#: The tracks that are kept: with zero closure and without, and one whose letters need 40 bits.
KEPT = (
    (Track("p", (0, 1), "msd_x"),),
    (Track("p", (0, 1)), Track("q", (0, 1, 2))),
    (Track("p", (-1, 0, 1), "msd_x"), Track("q", (0, 1), "msd_y")),
    tuple(Track(name, tuple(range(10)), "msd_10") for name in "abcdefghijkl"),
)


def random_parts(rng: random.Random, most: int = 6) -> list[Dfa]:
    """Return automata with a track `z`, over the same tracks beside it; without it they are not deterministic."""
    kept = rng.choice(KEPT)
    choices = rng.randint(1, 3)
    tracks = (*kept, Track(CHOICE, tuple(range(choices))))
    letters = 1
    for track in kept:
        letters *= len(track.digits)
    used = list(range(min(letters, 9)))
    if letters > 9:
        used = [0, letters - 1, rng.randrange(letters), rng.randrange(1 << 32), letters - 1 - rng.randrange(1 << 32)]
    parts = []
    for _ in range(1 if most > 9 else rng.choice((1, 1, 2, 3))):
        states, density = rng.randint(1, most), rng.uniform(0.1, 0.8)
        rows = [
            {
                code * choices + choice: rng.randrange(states)
                for code in used
                for choice in range(choices)
                if rng.random() < density
            }
            for _ in range(states)
        ]
        ends = rng.choice((0.0, 0.2, 0.2, 0.5))
        parts.append(build(tracks, rows, [int(rng.random() < ends) for _ in range(states)]))
    return parts


@contextmanager
def short_turns() -> Iterator[None]:
    """Let all strategies take part, from the first step on, in short turns."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"ALONE": 1, "ALONE_FOR_EACH": 0, "LATE": 200, "TURN": 60}.items():
            patch.setattr(determinization, name, value)
        yield


def results(parts: list[Dfa]) -> list[Dfa]:
    """Return the automata that determinize these, projected and reversed, not minimal."""
    return [kernel_calls.project_union(parts, CHOICE), kernel_calls.reverse(parts[0])]


def check_strategies(parts: list[Dfa]) -> set[str]:
    """Compare the results of all strategies and of turns; return which ended first in the turns."""
    with determinization.forced("subsets"):
        wanted = [kernel_calls.minimize(a) for a in results(parts)]
    for strategy in STRATEGIES[1:]:
        if strategy == "reverse-first" and parts[0].states > 8:
            continue  # the reversal has up to 2^13 states, and the subsets of these may not end
        with determinization.forced(strategy):
            assert [kernel_calls.minimize(a) for a in results(parts)] == wanted, strategy
    with short_turns(), determinization.observed() as outcomes:
        assert [kernel_calls.minimize(a) for a in results(parts)] == wanted
    return {outcome.strategy for outcome in outcomes}


@pytest.mark.random
@pytest.mark.parametrize("count", [
    300, pytest.param(4000, marks=pytest.mark.long), pytest.param(20_000, marks=pytest.mark.very_long),
])
def test_strategies_agree(count: int) -> None:
    rng = random.Random(f"{chosen_seed()} {count}")
    ended = set()
    for case in range(count):
        # Most are small; sets of large ones pass the size from which on they are gathered as bits.
        ended |= check_strategies(random_parts(rng, 13 if case % 10 == 0 else 6))
    if is_fixed() or count > 1000:
        assert ended >= {"subsets", "reverse"}  # few cases drawn anew may be won by one strategy alone


@pytest.mark.random
def test_subsets_agree_with_the_reference() -> None:
    rng = random.Random(chosen_seed())
    for _ in range(100):
        parts = random_parts(rng)
        with determinization.forced(rng.choice(STRATEGIES)):
            found = kernel_calls.project_union(parts, CHOICE), kernel_calls.reverse(parts[0])
        assert kernel_calls.minimize(found[0]) == reference.minimize(reference.project_union(parts, CHOICE))
        assert kernel_calls.minimize(found[1]) == reference.minimize(reference.reverse(parts[0]))


@pytest.mark.parametrize("strategy", ["", *STRATEGIES])
def test_languages_of_few_states(strategy: str) -> None:
    nothing = build((P, SYMBOL), [{0: 0, 1: 0}], [0])
    everything = build((P, SYMBOL), [dict.fromkeys(range(4), 0)], [1])
    epsilon = build((P, SYMBOL), [{}], [1])
    with determinization.forced(strategy):
        assert kernel_calls.minimize(kernel_calls.project(nothing, [CHOICE])) == build((P,), [{}], [0])
        assert kernel_calls.minimize(kernel_calls.reverse(nothing)) == build((P, SYMBOL), [{}], [0])
        assert kernel_calls.minimize(kernel_calls.project(everything, [CHOICE])) == build((P,), [{0: 0, 1: 0}], [1])
        assert kernel_calls.minimize(kernel_calls.project(epsilon, [CHOICE])) == build((P,), [{}], [1])
        both = kernel_calls.project_union([nothing, epsilon, everything], [CHOICE])
        assert kernel_calls.minimize(both) == build((P,), [{0: 0, 1: 0}], [1])


def test_the_steps_that_are_left() -> None:
    """A search that ends: so many of its sets lead to no other ones that fewer and fewer are open."""
    progress = determinization._Progress
    assert progress(1000, 150, 100).steps_left(0.5, 0.0) == 1000  # 50 open sets, each of which stands for two
    assert progress(1000, 200, 100).steps_left(0.5, 0.0) == 1000 + 1000
    assert progress(1000, 200, 100).steps_left(1.5, 0.0) == inf
    assert 2000 < progress(1000, 200, 100).steps_left(1.5, 0.3) < 20_000
    assert progress(1000, 200, 100).growth_since(progress(500, 140, 60)) == 1.5
    assert progress(1000, 200, 100).growth_since(progress(900, 200, 100)) is None


def test_no_simulation_of_a_reversal_with_many_states(monkeypatch: pytest.MonkeyPatch) -> None:
    """The ninth letter from the start: 11 states, and 512 or more for the reversed words."""
    rows = [*(dict.fromkeys(range(4), state + 1) for state in range(8)), {2: 9, 3: 9}, dict.fromkeys(range(4), 9)]
    ninth = build((P, SYMBOL), rows, [0] * 9 + [1])
    for most, strategy in ((5000, "reverse-first"), (500, "subsets")):
        monkeypatch.setattr(determinization, "MOST_SIMULATED", most)
        with determinization.forced("reverse-first"), determinization.observed() as outcomes:
            kernel_calls.project(ninth, [CHOICE])
        assert outcomes[0].strategy == strategy


# -- budgets ----------------------------------------------------------------------------------

CALLS: dict[str, Callable[[Budget], Dfa]] = {
    "project": lambda budget: kernel_calls.project(worst(14), [CHOICE], budget),
    "reverse": lambda budget: kernel_calls.reverse(from_the_end(14), budget),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("strategy", ["", *STRATEGIES])
def test_bounds(strategy: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_calls, "resident_bytes", lambda: 1_000_000)
    late = time.monotonic() - 1
    bounds = {
        "states": (1000, Budget(states=1000)),
        "transitions": (1500, Budget(transitions=1500)),
        "bytes": (1_020_000, Budget(bytes=1_020_000)),
    }
    with determinization.forced(strategy):
        for resource, (limit, budget) in bounds.items():
            with pytest.raises(BudgetSpent) as caught:
                CALLS[name](budget)
            assert (caught.value.resource, caught.value.limit) == (resource, limit)
        with pytest.raises(BudgetSpent) as caught:
            CALLS[name](Budget(deadline=late))
        assert caught.value.resource == "seconds"
        assert CALLS[name](Budget(states=20_000, bytes=1_000_000 + (1 << 28))).states == 1 << 14


def easy_for_others() -> list[Dfa]:
    """Sets of 2^14 kinds, all of which have a state from which every word is accepted."""
    return [worst(14), build((P, SYMBOL), [dict.fromkeys(range(4), 0)], [1])]


@pytest.mark.parametrize(
    ("bound", "budget"),
    [
        ("states", Budget(states=1000)),
        ("transitions", Budget(transitions=1000)),
        ("bytes", Budget(bytes=1_100_000)),
    ],
)
def test_others_go_on_where_subsets_meet_a_bound(bound: str, budget: Budget, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_calls, "resident_bytes", lambda: 1_000_000)
    with determinization.forced("subsets"), pytest.raises(BudgetSpent) as caught:
        kernel_calls.project_union(easy_for_others(), [CHOICE], budget)
    assert caught.value.resource == bound
    with determinization.observed() as outcomes:
        found = kernel_calls.project_union(easy_for_others(), [CHOICE], budget)
    assert kernel_calls.minimize(found) == build((P,), [{0: 0, 1: 0}], [1])
    assert outcomes[0].strategy != "subsets" and dict(outcomes[0].met)["subsets"] > 100


def test_giving_up_where_subsets_meet_a_bound() -> None:
    def project(budget: Budget) -> str:
        with determinization.giving_up(), determinization.observed() as outcomes:
            found = kernel_calls.project_union(easy_for_others(), [CHOICE], budget)
        assert kernel_calls.minimize(found) == build((P,), [{0: 0, 1: 0}], [1])
        return outcomes[0].strategy

    assert project(Budget()) != "subsets"
    with pytest.raises(BudgetSpent, match="transitions"):
        project(Budget(transitions=1000))
    with determinization.forced("subsets"):
        assert project(Budget()) == "subsets"


def test_giving_up_where_all_together_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ALONE", "ALONE_FOR_EACH", "GIVING_UP", "GIVING_UP_FACTOR"):
        monkeypatch.setattr(determinization, name, 1)
    with determinization.giving_up(), pytest.raises(BudgetSpent) as caught:
        kernel_calls.project_union(easy_for_others(), [CHOICE])
    assert caught.value.resource == "steps"
    found = kernel_calls.project_union(easy_for_others(), [CHOICE])
    assert kernel_calls.minimize(found) == build((P,), [{0: 0, 1: 0}], [1])


def test_others_go_on_where_the_system_refuses_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    genuine, made = backend.SubsetConstruction, list[Any]()

    def refusing_first(*given: Any) -> backend.SubsetConstruction:
        made.append(given)
        if len(made) == 1:
            raise MemoryError
        return genuine(*given)

    monkeypatch.setattr(backend, "SubsetConstruction", refusing_first)
    with determinization.observed() as outcomes:
        assert kernel_calls.project(worst(5), [CHOICE]).states == 32
    assert len(made) > 1 and outcomes[0].strategy == "reverse"


# -- Ctrl-C -----------------------------------------------------------------------------------


def chain(length: int) -> Dfa:
    """The words of one length.  Which state simulates which is known after as many rounds as there are states."""
    return build((P, SYMBOL), [{0: n + 1, 2: n + 1} for n in range(length)] + [{}], [0] * length + [1])


INTERRUPTED = """
import signal, time
from fibprover.automata import determinization, kernel_calls
from tests.automata.test_determinization import chain, from_the_end, worst
from fibprover.base.limits import Budget
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGALRM, lambda number, frame: signal.raise_signal(signal.SIGINT))
budget = Budget(bytes=2_000_000_000, deadline=time.monotonic() + 60.0)
signal.setitimer(signal.ITIMER_REAL, 0.2)
try:
    with determinization.forced({strategy!r}):
        {call}
except KeyboardInterrupt:
    print("interrupted", budget.seconds_left() > 50.0)
"""


@pytest.mark.parametrize(
    ("strategy", "call"),
    [
        ("simulation", "kernel_calls.project(chain(3000), ['z'], budget)"),
        ("reverse-simulation", "kernel_calls.project(worst(40), ['z'], budget)"),
        ("simulation", "kernel_calls.project(worst(40), ['z'], budget)"),
        ("reverse", "kernel_calls.project(worst(40), ['z'], budget)"),
        ("reverse", "kernel_calls.reverse(from_the_end(40), budget)"),
    ],
)
def test_interrupt(strategy: str, call: str) -> None:
    script = INTERRUPTED.format(strategy=strategy, call=call)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout == "interrupted True\n", done.stderr
