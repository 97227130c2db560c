"""Sets of number tuples for tests of inference: of automata, and random ones."""

from __future__ import annotations

from collections import deque
from itertools import product
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from fibprover.automata import operations
from fibprover.automata.dfa import Dfa
from fibprover.numeration import NumerationSystem, system_named
from tests.automata.strategies import automata

SYSTEMS = (
    "msd_fib", "msd_2", "msd_3", "msd_pell", "msd_trib", "msd_narayana", "msd_lucas", "msd_wythoff_3",
    "msd_fraenkel_2_1", "msd_ost_per_1_2", "msd_ost_0_3_per_1_2", "msd_ost_0_1_2_per_3",
)

NAMES = ("a", "b", "c")

Numbers = tuple[int, ...]


def members(a: Dfa, system: NumerationSystem, bound: int) -> NDArray[Any]:
    """Return all tuples below a bound that an automaton accepts, one a row, in order, by reading every tuple."""
    words = [system.represent(number) for number in range(bound)]
    length = max(map(len, words), default=0)
    digits = np.array([(0,) * (length - len(word)) + word for word in words], np.int64).reshape(bound, length)
    table = np.full((a.states + 1, a.letters), a.states)
    for state in range(a.states):
        for code, target in a.row(state):
            table[state, code] = target
    width = len(a.tracks)
    states = np.zeros((bound,) * width, np.int64)
    for place in range(length):
        codes = np.zeros((1,) * width, np.int64)
        for k in range(width):
            column = digits[:, place].reshape([bound if axis == k else 1 for axis in range(width)])
            codes = codes * len(system.digits) + column
        states = table[states, codes]
    return np.argwhere(np.array([*map(bool, a.outputs), False])[states])


def eccentricity(a: Dfa) -> int:
    """Return the largest distance of a state from the initial state."""
    lengths = {0: 0}
    queue = deque([0])
    while queue:
        state = queue.popleft()
        for _, target in a.row(state):
            if target not in lengths:
                lengths[target] = lengths[state] + 1
                queue.append(target)
    return max(lengths.values())


def weight(system: NumerationSystem, place: int) -> int:
    """Return the weight of a position."""
    return system.value((1, *(0,) * place))


def all_words(system: NumerationSystem, width: int) -> Dfa:
    """Return the automaton of all tuples."""
    return operations.cartesian_product([system.valid.renamed([name]) for name in NAMES[:width]])


@st.composite
def relations(draw: st.DrawFn) -> tuple[Dfa, NumerationSystem]:
    """Return a random automaton of a set of tuples."""
    system = system_named(draw(st.sampled_from(SYSTEMS)))
    width = draw(st.sampled_from((1, 1, 2, 2, 3)))
    raw = draw(automata(tuple(system.track(name) for name in NAMES[:width]), states=5))
    return operations.as_relation(raw, [all_words(system, width)]), system


@st.composite
def small_sets(draw: st.DrawFn) -> tuple[list[Numbers], int, int, NumerationSystem]:
    """Members, their number of components, the bound below which they are complete, the system."""
    width = draw(st.sampled_from((1, 2, 2, 3)))
    bound = draw(st.integers(0, (40, 12, 5)[width - 1]))
    system = system_named(draw(st.sampled_from(SYSTEMS)))
    every = list(product(range(bound), repeat=width))
    if draw(st.booleans()):
        chosen = [row for row in every if draw(st.integers(0, 3)) == 0] if len(every) < 60 else draw(
            st.lists(st.sampled_from(every), unique=True, max_size=30)
        )
    else:
        modulus = draw(st.integers(1, 4))
        factors = draw(st.tuples(*[st.integers(0, 3)] * width))
        rest = draw(st.integers(0, modulus - 1))
        chosen = [row for row in every if sum(f * n for f, n in zip(factors, row, strict=True)) % modulus == rest]
    return chosen, width, bound, system


def table(rows: list[Numbers], width: int) -> NDArray[np.int64]:
    """Return the rows as an array."""
    return np.array(rows, np.int64).reshape(len(rows), width)
