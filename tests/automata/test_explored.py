"""The search that numbers the states of an automaton."""

from __future__ import annotations

import pytest

from fibprover.automata.dfa import Track, build_from, explored
from fibprover.base.errors import AutomatonError, BudgetSpent, LimitError
from fibprover.base.limits import Budget

TRACKS = (Track("x", (0, 1)),)


def test_states_are_numbered_as_they_are_found() -> None:
    """The states are remainders modulo 3 of numbers in base 2."""
    found = build_from(TRACKS, explored(0, lambda r: ((d, (2 * r + d) % 3) for d in (0, 1))), lambda r: r == 0)
    for number in range(40):
        state = 0
        for digit in map(int, f"{number:b}"):
            state = found.successor(state, digit)  # type: ignore[assignment]
        assert found.outputs[state] == (number % 3 == 0)


def test_the_error_of_an_output_ends_a_search_that_would_not_end() -> None:
    def output(state: int) -> int:
        if state > 3:
            raise AutomatonError("there is no output")
        return 0

    with pytest.raises(AutomatonError, match="no output"):
        build_from(TRACKS, explored(0, lambda state: [(0, state + 1)]), output)


def test_a_budget_comes_before_the_bound_of_the_construction() -> None:
    with pytest.raises(BudgetSpent):
        list(explored(0, lambda n: [(0, n + 1)], Budget(states=5), most=5, refused=LimitError("too many")))
    with pytest.raises(LimitError, match="too many"):
        list(explored(0, lambda n: [(0, n + 1)], Budget(states=6), most=5, refused=LimitError("too many")))
