"""What a spent budget of time reports: the limit that the user gave, not what was left of it for a part."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

import fibprover as fp
from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Track
from fibprover.base.errors import BudgetSpent, LimitError
from fibprover.base.limits import Budget, Limits, SharedLimits, check_budget, cpu_clock, effective
from fibprover.games.catalogue import game_named
from fibprover.games.positions import positions
from fibprover.infer.words import infer_word
from fibprover.language.regular_expression import Letters, Repeat
from fibprover.numeration.registry import system_named
from fibprover.prover.evaluate.regular_language import compile_regex
from fibprover.prover.verdict.relation import pairs_in_square
from fibprover.sequences import series
from fibprover.sequences.counting import count_representation
from fibprover.sequences.rational import Representation
from tests.cli.command import HEAVY

BIT = [Track("x", (0, 1))]


def late() -> Budget:
    """The budget of a user who allowed two seconds, more than which are over."""
    return Budget(deadline=time.monotonic() - 0.5, seconds=2.0)


def even() -> fp.Relation:
    return fp.Session().relation("Ey x=2*y")


PARTS: dict[str, Callable[[Budget], object]] = {
    "a kernel": lambda budget: kernel_calls.minimize(even().automaton, budget),
    "a construction in Python": lambda budget: check_budget(budget, 1, "something"),
    "an expression": lambda budget: compile_regex(Repeat(Letters(frozenset([(0,)])), 9000, 9000), BIT, budget),
    "a game": lambda budget: positions(game_named("wythoff"), 2000, budget),
    "types": lambda budget: infer_word([0, 1] * 500, system_named("msd_fib"), budget=budget),
    "what is left for further evaluations": lambda budget: fp.Session().eval("Ax x>=0", limits=budget.remaining()),
}


@pytest.mark.parametrize("name", PARTS)
def test_a_part_names_the_whole_limit(name: str) -> None:
    with pytest.raises(BudgetSpent) as caught:
        PARTS[name](late())
    assert (caught.value.resource, caught.value.limit) == ("seconds", 2.0)
    assert "budget of 2 s" in caught.value.message


def test_a_session_names_its_limit() -> None:
    session = fp.Session(limits=Limits(seconds=0.25))
    with pytest.raises(BudgetSpent, match=r"budget of 0\.25 s") as caught:
        session.eval(f"a<3 & {HEAVY}")
    assert caught.value.limit == 0.25


def test_counts_of_scripts_end_by_the_limits_of_the_session(monkeypatch: pytest.MonkeyPatch) -> None:
    """As those of `Session.counts`: minimizing a representation can take longer than the formula."""
    left = list[float]()

    def counted(*arguments: Any) -> Representation:
        left.append(effective(Budget()).seconds_left())
        return count_representation(*arguments)

    monkeypatch.setattr(series, "count_representation", counted)
    session = fp.Session(limits=Limits(seconds=60))
    session.counts("n", "i<n")
    session.run('eval c n "i<n":')
    assert len(left) == 2 and all(each <= 60 for each in left)


def test_a_list_of_pairs_names_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    relation = fp.Session().relation("x<=y")
    monkeypatch.setattr(Limits, "start", lambda self: late())
    with pytest.raises(BudgetSpent) as caught:
        pairs_in_square(relation, 1000)
    assert caught.value.limit == 2.0


def test_remaining_limits() -> None:
    assert Budget().remaining() == Limits()
    limits = Limits(states=5, transitions=6, bytes=7)
    assert limits.start().remaining() == limits
    budget = Limits(seconds=1000).start()
    rest = budget.remaining()
    assert rest == SharedLimits(seconds=1000, deadline=budget.deadline)
    assert rest.start() == budget
    assert rest.start().remaining() == rest


def test_invalid_limits() -> None:
    with pytest.raises(LimitError):
        Limits(seconds=0)


def test_cpu_seconds_of_shared_limits_without_a_deadline_are_those_of_each_evaluation() -> None:
    shared = SharedLimits(seconds=1000, cpu_seconds=5, deadline=time.monotonic() + 1000)
    for _ in range(2):
        left = shared.start().seconds_left()
        assert 4 < left <= 5
    assert SharedLimits(cpu_seconds=5, cpu_deadline=cpu_clock() - 1).start().seconds_left() < 0


def test_parts_of_shared_limits_have_seconds_of_their_own() -> None:
    """What is tried for a second ends after it, also where the whole has a deadline, as with `--timeout`."""
    shared = SharedLimits(states=7, bytes=1 << 40, seconds=1000, deadline=time.monotonic() + 1000)
    part = shared.within(2)
    assert (part.states, part.bytes) == (7, 1 << 40)
    assert part.start().seconds_left() <= 2 < shared.start().seconds_left()
    assert Limits(seconds=5).within(None).start().seconds_left() == float("inf")
