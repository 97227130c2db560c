"""What compiled kernels trust without further checks: it is there, was checked when made, and never changes.

In Python what is missing is an AttributeError or a TypeError, and no memory can be spoilt.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

pytest.importorskip("fibprover_ext.automata")

import fibprover_ext.automata as compiled
from fibprover_ext import games, inference
from fibprover_ext.automata import (
    Csr,
    InvalidArrayError,
    Meter,
    Nfa,
    Recode,
    Recurrence,
    Simulation,
    SubsetConstruction,
    WordSearch,
)


def automaton(states: int = 1) -> tuple[Any, ...]:
    """Arguments of `Csr`: every word over one letter, counted modulo the number of states."""
    return (
        array("q", range(states + 1)),
        array("q", [0] * states),
        array("i", [(state + 1) % states for state in range(states)]),
        array("i", [1] * states),
        1,
    )


def recurrence(base: int) -> tuple[Any, ...]:
    """Arguments of `Recurrence`: numbers in a base."""
    powers = [base**n for n in range(20)]
    return 0, 1, [base], powers, [0] * 20, [power - 1 for power in powers], [1.0], [0.0], [0.0, 1.0, 1.0]


def numbers(*items: int) -> array[int]:
    return array("q", items)


def table(*rows: tuple[int, ...]) -> memoryview:
    return memoryview(array("q", sum(rows, ()))).cast("b").cast("q", (len(rows), len(rows[0])))


A = Csr(*automaton())
CODE = Recode((1,), (1,), 1, 1, Meter())
NFA = Nfa((A,), (CODE,), 0, Meter())
SIMULATION = Simulation(NFA, Meter())
SIMULATION.run(1 << 40)
BASE_2 = Recurrence(*recurrence(2))
REGIONS = games.Regions(numbers(0, 1), table((0, 0, 0, 0, -1)), 5)  # type: ignore[arg-type]
LIFE = games.Regions(numbers(0, 1), table((0, 0, 0, -1)), 4)  # type: ignore[arg-type]
NO_MOVES = games.Intervals(1, numbers(0, 0), numbers(), numbers())  # type: ignore[arg-type]
TERMINAL = games.Intervals(1, numbers(0, 1), numbers(0), numbers(0))  # type: ignore[arg-type]

#: Calls that succeed.
CALLS: dict[Callable[..., object], tuple[Any, ...]] = {
    Csr: automaton(),
    Recode: ((1,), (1,), 1, 1, Meter()),
    WordSearch: (A, 0, (1,), numbers(1), 1, Meter()),
    compiled.trim: (A, Meter()),
    compiled.minimize: (A, True, Meter()),
    compiled.is_empty: (A, Meter()),
    compiled.shortest_word: (A, Meter()),
    compiled.is_finite: (A, 0, Meter()),
    compiled.count_words: (A, 3, Meter()),
    compiled.collisions: (A, CODE, Meter()),
    compiled.reorder: (A, CODE, Meter()),
    compiled.join: (A, A, CODE, CODE, CODE, CODE, Meter()),
    compiled.join_word: (A, A, CODE, CODE, Meter()),
    compiled.union: (A, A, CODE, CODE, 1, Meter()),
    compiled.difference: (A, A, CODE, CODE, CODE, Meter()),
    compiled.difference_word: (A, A, CODE, CODE, Meter()),
    Nfa: ((A,), (CODE,), 0, Meter()),
    NFA.reversed: (Meter(),),
    Simulation: (NFA, Meter()),
    Simulation(NFA, Meter()).run: (5,),
    SIMULATION.simulating: (0,),
    SubsetConstruction(NFA, None, Meter()).run: (5,),
    compiled.guarded_difference: (A, A, CODE, CODE, CODE, 0, Meter()),
    compiled.guarded_difference_word: (A, A, CODE, CODE, 0, Meter()),
    compiled.count_runs: (A, CODE, 0, 1, True, Meter()),
    compiled.linear_atom: (A, 1, numbers(1), 0, 0, 0, BASE_2, Meter()),
    compiled.join_linear: (A, CODE, CODE, 1, numbers(1), 0, 0, 0, BASE_2, Meter()),
    compiled.join_linear_is_empty: (A, CODE, 1, numbers(1), 0, 0, 0, BASE_2, Meter()),
    WordSearch(A, -1, (1,), numbers(1), 1, Meter()).numbers: (0, Meter()),
    WordSearch(A, -1, (1,), numbers(1), 1, Meter()).codes: (0, Meter()),
    inference.infer: (numbers(0), 1, 1, numbers(1, 2), numbers(0, 0), A, 2, Meter()),
    games.Regions: (numbers(0, 1), table((0, 0, 0, 0, -1)), 5),
    games.Intervals: (1, numbers(0, 1), numbers(0), numbers(0)),
    games.line_positions: (
        1, 0, True, table((1,), (1,)), table((0,), (1,), (1,)), table((1,), (2,)), TERMINAL, False, Meter(),
    ),
    games.region_positions: (1, 0, True, REGIONS, LIFE, TERMINAL, False, Meter()),
    games.table_positions: (memoryview(b"\0").cast("B", (1, 1)), 0, TERMINAL, False, Meter()),
    games.region_grundy: (1, True, REGIONS, LIFE, TERMINAL, Meter()),
    games.table_grundy: (1, NO_MOVES, TERMINAL, Meter()),
}


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.__name__)
def test_none_is_refused(call: Callable[..., object]) -> None:
    given = CALLS[call]
    call(*given)
    for place in (place for place, argument in enumerate(given) if not isinstance(argument, bool)):
        with pytest.raises(TypeError):
            call(*given[:place], None, *given[place + 1:])


def test_none_is_refused_inside_tuples() -> None:
    for parts, kept in (((), ()), ((None,), (CODE,)), ((A,), (None,))):
        with pytest.raises(InvalidArrayError):
            Nfa(parts, kept, 0, Meter())  # type: ignore[arg-type]
    with pytest.raises(ValueError):  # noqa: PT011
        Nfa((A,), (CODE, CODE), 0, Meter())


def test_only_the_simulation_of_a_construction_may_be_missing() -> None:
    SubsetConstruction(NFA, None, Meter())
    for given in ((None, None, Meter()), (NFA, None, None)):
        with pytest.raises(TypeError):
            SubsetConstruction(*given)


@pytest.mark.parametrize(
    "kind",
    [Csr, Recode, Recurrence, WordSearch, Nfa, Simulation, SubsetConstruction, games.Regions, games.Intervals],
)
def test_nothing_is_made_without_its_arrays(kind: Any) -> None:
    with pytest.raises(TypeError):
        kind.__new__(kind)


def again(made: object, *given: object) -> None:
    """Call `__init__` once more: it may do nothing, or fail."""
    with suppress(TypeError):
        type(made).__init__(made, *given)


def test_what_was_made_does_not_change() -> None:
    terms = Recurrence(*recurrence(2))
    again(terms, *recurrence(3))
    assert terms.terms == recurrence(2)[3]
    a = Csr(*automaton(2))
    again(a, *automaton(5))
    assert a.states == 2
    code = Recode((2, 2), (2, 1), 4, 1, Meter())
    again(code, (3,), (1,), 3, 1, Meter())
    assert code.letters == 4
    nfa = Nfa((a,), (CODE,), -1, Meter())
    again(nfa, (A, A, A), (CODE, CODE, CODE), -1, Meter())
    assert nfa.states == 2
    simulation, construction = Simulation(nfa, Meter()), SubsetConstruction(nfa, None, Meter())
    again(simulation, NFA, Meter())
    again(construction, NFA, None, Meter())
    assert simulation.run(100) and construction.run(100)
    assert SubsetConstruction(nfa, simulation, Meter()).run(100) and construction.states == 2
    meter = Meter(states=5, ceiling=7)
    again(meter, 100)
    assert (meter.max_states, meter.ceiling) == (5, 7)
    regions = games.Regions(numbers(0, 1), table((0, 0, -1)), 3)  # type: ignore[arg-type]
    again(regions, numbers(0, 1), table((0, 0, 0, 0, -1)), 5)
    assert (regions.regions, regions.width) == (1, 3)
    intervals = games.Intervals(1, numbers(0, 1), numbers(0), numbers(0))  # type: ignore[arg-type]
    again(intervals, 1, numbers(0, 1, 1), numbers(0), numbers(0))
    assert intervals.rows == 1


def test_a_search_for_words_goes_on() -> None:
    search = WordSearch(a := Csr(*automaton(2)), -1, (), numbers(), 0, Meter())
    assert [search.codes(1, Meter())[0] for _ in range(3)] == [0, 1, 2]
    again(search, a, -1, (), numbers(), 0, Meter())
    assert search.codes(1, Meter())[0] == 3
