"""The theorems that are found of games, with no hint beyond the rules, against boards of 500 x 500 positions.

The boards are those of `tests.oracle.games`, which shares nothing with the solvers, the inference or the
proofs but the parser of formulas.
"""

from __future__ import annotations

import numpy as np
import pytest

from fibprover.base.limits import Limits
from fibprover.games.catalogue import blocking, game_named
from fibprover.games.findings.context import GameContext
from fibprover.games.findings.moves import redundant_moves
from fibprover.games.proof import prove_positions
from fibprover.games.search import Discovery, find_automaton
from fibprover.numeration.registry import system_named
from tests.oracle.games import p_positions

pytestmark = pytest.mark.long

BOARD = 500

GAMES = [
    *(f"terminal({level})" for level in (*range(21), 50)),
    *(f"blocking({k})" for k in (1, 2, 3, 4, 8, 10, 14)),
    *(f"wythoff({m})" for m in range(1, 9)),
    *(f"wythoff({s},{m})" for s in range(1, 5) for m in range(1, 5)),
    "splithoff(1)", "splithoff(2)", "nim()", "nim(1,2,3)",
]

#: Further members of families, whose theorems take most of a minute together.
FURTHER = (*(f"wythoff(4,{m})" for m in range(1, 5)), "splithoff(2)")

#: States of P in the system of the theorem, where they are known.
STATES = {
    "terminal(0)": 7, "terminal(1)": 5, "terminal(2)": 28, "terminal(3)": 33, "terminal(4)": 55, "terminal(10)": 201,
    "terminal(20)": 471, "terminal(50)": 1454, "blocking(2)": 73, "splithoff(1)": 45, "splithoff(2)": 106,
    **{f"wythoff({m})": 2 * m + 5 for m in range(1, 9)},
    **{f"wythoff({s},{m})": 2 * (s + m) + 3 for s in range(2, 5) for m in range(1, 5)},
}


def board_of(found: Discovery) -> np.ndarray:
    """The positions below 500 that the automaton accepts, read digit by digit."""
    assert found.candidate is not None and found.system is not None
    automaton, size = found.candidate.automaton, BOARD
    length = len(found.system.represent(size - 1))
    digits = np.zeros((length, size), dtype=np.int64)
    for number in range(size):
        word = found.system.represent(number)
        digits[length - len(word) :, number] = word
    letters = len(found.system.digits)
    table = np.full((automaton.states + 1, letters * letters), automaton.states, dtype=np.int64)
    for state in range(automaton.states):
        for code, target in automaton.row(state):
            table[state, code] = target
    states = np.zeros((size, size), dtype=np.int64)
    for place in range(length):
        states = table[states, digits[place][:, None] * letters + digits[place][None, :]]
    return np.append(np.asarray(automaton.outputs, dtype=bool), False)[states]


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=[pytest.mark.very_long] if name in FURTHER else []) for name in GAMES
])
def test_the_theorem_and_the_board_agree(name: str) -> None:
    game = game_named(name)
    found = find_automaton(game, limits=Limits(seconds=1200))
    assert found.status == "proved"
    assert found.candidate is not None
    if name in STATES:
        assert found.candidate.states == STATES[name]
    assert np.array_equal(board_of(found), p_positions(game, BOARD, wide=False))


@pytest.mark.parametrize("level", range(11))
def test_no_move_of_k_is_redundant(level: int) -> None:
    found = find_automaton(game_named(f"terminal({level})"))
    assert found.candidate is not None and found.system is not None
    redundant = redundant_moves(GameContext(found.game, found.candidate.automaton, found.system, found.data, Limits()))
    assert redundant is not None and redundant.is_empty()


@pytest.mark.parametrize("k", [4, 8, 14])
def test_blocking_theorems_are_false_of_their_neighbours(k: int) -> None:
    found = find_automaton(blocking(k))
    assert found.candidate is not None and found.system is not None
    for other in (k - 1, k + 1):
        assert not prove_positions(blocking(other), found.candidate.automaton, found.system)


@pytest.mark.parametrize(
    ("system", "states"), [pytest.param("msd_fib", 2740, marks=pytest.mark.very_long), ("msd_lucas", 903)]
)
def test_w10(system: str, states: int) -> None:
    found = find_automaton(blocking(10), system, limits=Limits(seconds=1200))
    assert found.status == "proved"
    assert found.candidate is not None and found.candidate.states == states


@pytest.mark.very_long
def test_agreement_is_no_proof() -> None:
    """From positions below 514229 comes an automaton for W^10 with as many states as the right one, and it is wrong."""
    found = find_automaton(blocking(10), "msd_fib", largest=514229, limits=Limits(seconds=1200))
    assert found.status == "refuted"
    assert found.candidate is not None and found.candidate.states == 2740
    assert found.proof is not None and found.proof.failure is not None
    assert max(found.proof.failure) >= 514229


def test_systems_have_the_states_that_are_known() -> None:
    for name, system, states in (("blocking(3)", "msd_fib", 28), ("blocking(4)", "msd_wythoff_2", 40)):
        found = find_automaton(game_named(name), system)
        assert found and found.candidate is not None and found.candidate.states == states
        assert system_named(system).name == system


def test_what_resists_is_reported() -> None:
    found = find_automaton(game_named("splithoff(3)"), limits=Limits(seconds=120))
    assert found.status in ("no automaton", "undecided")
    assert found.attempts
