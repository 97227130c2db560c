"""Inference by merging residuals: the compiled kernel against the reference, and properties of every guess."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fibprover.automata import operations
from fibprover.automata.dfa import Dfa, build
from fibprover.infer.residuals import digit_weights, infer_set, merge, separating_depth
from fibprover.numeration import NumerationSystem, system_named
from fibprover.workspace.session import Session
from tests.oracle import inference as reference

from .sets import (
    NAMES,
    SYSTEMS,
    Numbers,
    all_words,
    eccentricity,
    members,
    relations,
    small_sets,
    table,
    weight,
)

#: Tuples that a test may look at.
MOST_TUPLES = 1 << 20


@settings(max_examples=130)
@given(small_sets())
def test_kernel_against_the_reference(case: tuple[list[Numbers], int, int, NumerationSystem]) -> None:
    rows, width, bound, system = case
    assert merge(table(rows, width), bound, system, NAMES[:width]) == reference.merge(
        rows, bound, system, NAMES[:width]
    )


@settings(max_examples=60)
@given(relations())
def test_separating_depth_against_the_reference(case: tuple[Dfa, NumerationSystem]) -> None:
    assert separating_depth(case[0]) == reference.separating_depth(case[0])


def test_separating_depth_of_a_chain() -> None:
    """Words of length 0 to n - 1: the last two states differ on words of one letter, the first on n - 1."""
    track = system_named("msd_2").track("a")
    for n in (1, 2, 3, 10):
        chain = build((track,), [{0: state + 1, 1: state + 1} for state in range(n - 1)] + [{}], [1] * n)
        assert separating_depth(chain) == n - 1
    assert separating_depth(operations.empty((track,))) == 0


@pytest.mark.long
@settings(max_examples=50)
@given(relations(), st.data())
def test_properties_of_every_guess(case: tuple[Dfa, NumerationSystem], data: st.DataObject) -> None:
    right, system = case
    width = len(right.tracks)
    bound = data.draw(st.integers(0, (3000, 120, 20)[width - 1]))
    known = members(right, system, bound)
    raw = merge(known, bound, system, right.names)
    guess = infer_set(known, bound, system, right.names)
    # Prefixes are kept apart only where their residuals differ.
    assert raw.automaton.states <= right.states
    assert all(earlier >= later for earlier, later in zip(raw.trusts, raw.trusts[1:], strict=False))
    # The errors are those that there are, and nothing is accepted but representations.
    said = members(guess.automaton, system, bound)
    assert guess.errors == len({*map(tuple, known.tolist())} ^ {*map(tuple, said.tolist())})
    assert guess.positions == len(known)
    assert operations.conjunction(guess.automaton, all_words(system, width)) == guess.automaton
    if bound in digit_weights(system, bound):
        assert guess.errors == 0
    if guess.automaton != right and not guess.errors:
        # It can only be found out further up.
        assert bound < weight(system, separating_depth(right) + eccentricity(right) + 1)
    # Rows in another order, and twice, say nothing else.
    shuffled = np.random.default_rng(len(known)).permutation(np.concatenate([known, known[::2]]))
    assert infer_set(shuffled, bound, system, right.names) == guess


@settings(max_examples=50)
@given(relations())
def test_enough_data_give_the_automaton(case: tuple[Dfa, NumerationSystem]) -> None:
    """Return the bound from which on the guess is certainly correct.

    A prefix one letter longer than another one is known at most one letter less deep.  So each state is found with a
    trust not less than that of the root less its distance from there, and if what remains of that after one more
    letter tells all states apart, no merge is wrong.
    """
    right, system = case
    place = separating_depth(right) + eccentricity(right) + 1
    bound = weight(system, place)
    assume(bound ** len(right.tracks) <= MOST_TUPLES)
    guess = infer_set(members(right, system, bound), bound, system, right.names)
    assert guess.automaton == right
    assert guess.unknown == 0 and guess.errors == 0
    assert guess.apart == separating_depth(right)
    assert guess.margin >= 0


FORMULAS: list[tuple[str, str, int]] = [
    ("msd_fib", "a<b & Ec b=2*c", 400),
    ("msd_fib", "b=2*a+1 | a=b", 1000),
    ("msd_2", "a+b>=7", 100),
    ("msd_2", "c=a+b", 64),
    ("msd_3", "Ek a=5*k+2", 20000),
    ("msd_pell", "a=b+3 | b=a+3", 1000),
    ("msd_trib", "a=b+1", 2000),
    ("msd_narayana", "a>=b", 300),
    ("msd_lucas", "a=3*b", 1000),
    ("msd_fraenkel_2_1", "a<3 & b>5", 500),
    ("msd_ost_0_3_per_1_2", "b=a+2", 2000),
    ("msd_ost_0_1_2_per_3", "a<=b", 300),
    ("msd_wythoff_3", "a+1=b", 2000),
    ("msd_10", "Ek a=7*k", 10000),
]


@pytest.mark.parametrize(("name", "formula", "bound"), FORMULAS, ids=lambda item: str(item))
def test_formulas(name: str, formula: str, bound: int) -> None:
    session = Session()
    session.namespace.default_system = name
    relation = session.relation(formula)
    system = system_named(name)
    known = members(relation.automaton, system, bound)
    guess = infer_set(known, bound, system, relation.names)
    assert guess.automaton == relation.automaton
    assert guess.errors == 0 and guess.margin >= 0
    assert guess.positions == relation.count(bound)


def rewritten(number: int) -> bool:
    """In base 3: no digit 1 is followed by 0."""
    return "10" not in np.base_repr(number, 3)


def after_one(number: int) -> bool:
    """In base 2: digits 1 only at the last two positions and at every second one before."""
    return "11" not in np.base_repr(number, 2)[:-2]


@pytest.mark.parametrize(("name", "belongs"), [("msd_3", rewritten), ("msd_2", after_one)])
def test_only_the_root_loops_on_zero(name: str, belongs: Callable[[int], bool]) -> None:
    """The residual of 1 is that of the empty word except for leading zeros: the states differ."""
    system = system_named(name)
    known = [[number] for number in range(3**8) if belongs(number)]
    guess = infer_set(known, 3**8, system, ["a"])
    assert guess.errors == 0 and guess.margin >= 2
    assert all(bool(guess.automaton.output(system.represent(n))) == belongs(n) for n in range(3**9))


def test_a_prefix_can_be_the_root() -> None:
    """All numbers in base 3: one state, although no known word begins with 0."""
    guess = infer_set([[number] for number in range(100)], 100, system_named("msd_3"), ["a"])
    assert guess.states == 1 and guess.automaton.row(0) == [(0, 0), (1, 0), (2, 0)]


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_empty_set_and_zero(name: str) -> None:
    system = system_named(name)
    tracks = (system.track("a"), system.track("b"))
    nothing = infer_set(np.zeros((0, 2), np.int64), 100, system, ["a", "b"])
    assert nothing.automaton == operations.empty(tracks)
    assert (nothing.positions, nothing.errors, nothing.unknown, nothing.nodes) == (0, 0, 0, 1)
    zero = infer_set([[0, 0]], 100, system, ["a", "b"])
    assert zero.automaton == build(tracks, [{0: 0}], [1])
    assert (zero.positions, zero.errors, zero.unknown) == (1, 0, 0)


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("bound", [0, 1, 2])
def test_bounds_without_data(name: str, bound: int) -> None:
    """Without data something is unknown, or the margin is negative."""
    system = system_named(name)
    rows = table([(a, b) for a in range(bound) for b in range(bound)], 2)
    guess = infer_set(rows, bound, system, ["a", "b"])
    assert guess.errors == 0
    assert guess.margin <= 0
    if bound == 0:
        assert guess.unknown and guess.margin == -1


def test_tracks_in_any_order() -> None:
    system = system_named("msd_fib")
    rows = [(n, 2 * n) for n in range(500)]
    there = infer_set(rows, 1000, system, ["x", "y"])
    back = infer_set(rows, 1000, system, ["y", "x"])
    assert there.automaton.names == back.automaton.names == ("x", "y")
    assert back.automaton == infer_set([(y, x) for x, y in rows], 1000, system, ["x", "y"]).automaton
    assert there.automaton != back.automaton


def test_a_digit_that_occurs_only_at_the_end() -> None:
    """In msd_lucas, whose terms are 1, 3, 4, 7, ..., nothing follows a 2."""
    system = system_named("msd_lucas")
    guess = infer_set([[n] for n in range(200)], 200, system, ["a"])
    assert guess.automaton == system.valid.renamed(["a"])
    assert guess.margin >= 2


def test_wide_margins_are_right() -> None:
    """In a fixed series of guesses none with a margin of 2 is wrong; with smaller margins, a few are."""
    chance = random.Random(5)
    wide = wrong = close = 0
    for _ in range(16):
        system = system_named(chance.choice(SYSTEMS))
        width = chance.choice((1, 1, 2))
        letters = len(system.digits) ** width
        count = chance.randint(1, 6)
        rows = [{c: chance.randrange(count) for c in range(letters) if chance.random() < 0.8} for _ in range(count)]
        rows[0][0] = 0
        tracks = tuple(system.track(name) for name in NAMES[:width])
        raw = build(tracks, rows, [int(chance.random() < 0.4) for _ in range(count)])
        right = operations.conjunction(raw, all_words(system, width))
        for bound in ((10, 50, 233, 1024, 5000), (8, 30, 89, 256))[width - 1]:
            guess = infer_set(members(right, system, bound), bound, system, right.names)
            if guess.margin >= 2:
                wide += 1
                wrong += guess.automaton != right
            elif guess.automaton != right:
                close += 1
    assert wide > 40 and close > 8
    assert wrong == 0
