"""From rules to theorems: what is found, what is refused, and what is never claimed."""

from __future__ import annotations

from time import sleep
from typing import Any

import numpy as np
import pytest

from fibprover.base.errors import BudgetSpent, FibproverError
from fibprover.base.limits import Limits
from fibprover.games import search
from fibprover.games.catalogue import blocking, game_named, nim, terminal, wythoff
from fibprover.games.positions import positions
from fibprover.games.proof import prove_positions
from fibprover.games.rules import Game
from fibprover.games.search import Discovery, find_automaton
from fibprover.games.theorem import Theorem, discover
from fibprover.games.theorem_text import theorem_text
from fibprover.infer.state_growth import GROWING, SLOWING
from fibprover.numeration.registry import system_named
from fibprover.prover.verdict.relation import Relation
from tests.oracle import games as reference

#: Games, and the states of P in a system.
KNOWN = [
    ("terminal(0)", "msd_fib", 7), ("terminal(1)", "msd_fib", 5), ("terminal(2)", "msd_fib", 28),
    ("terminal(3)", "msd_fib", 33), ("terminal(4)", "msd_fib", 55), ("terminal(10)", "msd_fib", 201),
    ("blocking(2)", "msd_fib", 73), ("blocking(3)", "msd_fib", 28), ("blocking(4)", "msd_wythoff_2", 40),
    ("blocking(8)", "msd_2", 187), ("blocking(14)", "msd_3", 229),
    *((f"wythoff({m})", f"msd_wythoff_{m}", 2 * m + 5) for m in range(2, 9)),
]


def members(found: Discovery, bound: int) -> set[tuple[int, int]]:
    """The P-positions below a bound by the automaton."""
    assert found.candidate is not None
    automaton = found.candidate.automaton
    relation = Relation(automaton, system_named)
    first = relation.first(4 * relation.count(bound) + 100)
    return {(a, b) for a, b in first if max(a, b) < bound}


def recursion(game: Game, bound: int) -> set[tuple[int, int]]:
    """The P-positions of a game of vectors below a bound, straight from the definition, on a board."""
    session_free = {"terminal": game.name.startswith("terminal"), "blocked": game.blocked}
    last = int(game.name[len("terminal("):-1]) if session_free["terminal"] else -1
    width = int(game.name[len("wythoff("):-1] or 1) if game.name.startswith("wythoff") else 1
    options = np.zeros((2 * bound, 2 * bound), dtype=np.int64)
    found = set()
    vectors = np.fromiter(
        ((i == 0) != (j == 0) or (i > 0 and j > 0 and abs(i - j) < width) for i in range(bound) for j in range(bound)),
        np.int64, bound * bound,
    ).reshape(bound, bound)
    for total in range(2 * bound - 1):
        for a in range(max(0, total - bound + 1), min(total, bound - 1) + 1):
            b = total - a
            if total <= last or options[a, b] <= game.blocked:
                found.add((a, b))
                options[a : a + bound, b : b + bound] += vectors
    return found


@pytest.mark.parametrize(("name", "system", "states"), KNOWN, ids=[name for name, _, _ in KNOWN])
def test_what_is_known_is_found_and_proved(name: str, system: str, states: int) -> None:
    game = game_named(name)
    found = find_automaton(game, system)
    assert found.status == "proved" and found.proof
    assert found.candidate is not None and found.candidate.states == states
    assert members(found, 90) == recursion(game, 90)


@pytest.mark.parametrize("name", ["terminal(2)", "blocking(2)", "wythoff(2)", "blocking(8)", "nim()", "nim(1,2,3)"])
def test_the_system_is_found_too(name: str) -> None:
    found = find_automaton(game_named(name))
    assert found and found.system is not None
    again = prove_positions(game_named(name), found.candidate.automaton, found.system)  # type: ignore[union-attr]
    assert again and again.failure is None


@pytest.mark.parametrize(
    ("name", "other"),
    [("blocking(3)", blocking(4)), ("blocking(3)", blocking(2)),
     ("terminal(2)", terminal(3)), ("terminal(2)", terminal(1)),
     ("wythoff(2)", wythoff(3)), ("wythoff(2)", wythoff()), ("nim(1,2,3)", nim(1, 2))],
)
def test_the_positions_of_one_game_are_refuted_for_another(name: str, other: Game) -> None:
    found = find_automaton(game_named(name))
    assert found.candidate is not None and found.system is not None
    proof = prove_positions(other, found.candidate.automaton, found.system)
    assert not proof
    assert proof.failure is not None
    # Some position of no greater sum is wrong.
    bound = sum(proof.failure) + 1
    if not other.name.startswith("nim"):
        assert members(found, bound) != recursion(other, bound)


def test_a_game_that_no_system_fits_is_reported_as_such() -> None:
    found = find_automaton(blocking(5), ["msd_fib", "msd_2"], largest=1 << 14)
    assert found.status == "no automaton" and found.proof is None
    assert {attempt.outcome for attempt in found.attempts} == {"too few data", "grows"}
    assert [attempt.bound for attempt in found.attempts] == [3000, 3000, 1 << 14, 1 << 14]


def test_states_that_grow_ever_more_slowly_are_not_called_hopeless() -> None:
    """Those of Maharaja Nim in Fibonacci representation; those in base 2 follow a power of the bound."""
    found = find_automaton(game_named("queen(1,2)"), ["msd_fib", "msd_2"], largest=1 << 14)
    verdicts = {each.system: each.growth.verdict for each in found.attempts if each.growth is not None}
    assert verdicts == {"msd_fib": SLOWING, "msd_2": GROWING}
    assert found.status != "no automaton" and found.following is not None
    assert found.following.bound > 1 << 14 and found.following.seconds > 0
    (last,) = (each for each in found.attempts if each.system == "msd_fib" and each.growth is not None)
    assert last.growth is not None
    assert (last.growth.bounds[-1], last.growth.states[-1]) == (last.bound, last.states)


def test_too_few_data_are_no_theorem() -> None:
    found = find_automaton(terminal(20), "msd_fib", largest=200)
    assert not found and found.status in ("undecided", "refuted")


def test_what_the_process_holds_already_is_not_charged_to_a_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "PROOF_BYTES", 64 << 20)
    held = np.ones(96 << 20, dtype=np.uint8)
    assert discover(wythoff()).status == "proved"
    assert held.all()


def test_a_spent_budget_is_no_verdict() -> None:
    found = find_automaton(blocking(10), "msd_fib", limits=Limits(seconds=0.4))
    assert found.status == "undecided"
    with pytest.raises(BudgetSpent):
        find_automaton(blocking(10), "msd_fib", limits=Limits(seconds=1e-6))


EVEN = "i=0 | j=0 | (i=j & (Ek i=2*k))"


@pytest.mark.parametrize(
    ("game", "function", "step", "remark"),
    [
        (EVEN, "positions", "positions below 16384", True),
        ("blocking(5)", "positions", "positions below 16384", False),
        (EVEN, "infer_set", "msd_2: inference from", False),
    ],
)
def test_a_spent_budget_says_in_which_step(
    monkeypatch: pytest.MonkeyPatch, game: str, function: str, step: str, remark: bool
) -> None:
    """And what makes that step slow: the table of moves that are no polyhedra."""
    real = getattr(search, function)

    def spent(*arguments: Any, **named: Any) -> Any:
        if function == "positions" and arguments[1] <= 3000:
            return real(*arguments, **named)
        sleep(0.01)
        raise BudgetSpent("seconds", 20, during="this")

    monkeypatch.setattr(search, function, spent)
    theorem = discover(game, "msd_2", limits=Limits(seconds=1e6))
    stopped = theorem.discovery.stopped
    assert theorem.status == "undecided" and stopped is not None
    assert stopped.step.startswith(step) and 0.01 <= stopped.seconds <= theorem.discovery.seconds
    said = " ".join(str(theorem).split())
    assert f"{stopped.step}; the budget of 20 s is spent while building this." in said
    assert ("table of 16384 x 16384 moves" in said) is remark
    assert theorem.as_json()["stopped"]["step"] == stopped.step


def test_a_search_that_ends_was_not_stopped() -> None:
    found = find_automaton(wythoff(), "msd_3", largest=1000)
    assert not found and found.stopped is None
    assert "Stopped." not in theorem_text(Theorem(found, ()))


def test_what_no_system_is_called_is_an_error() -> None:
    with pytest.raises(FibproverError, match="msd_nothing"):
        find_automaton(terminal(1), "msd_nothing")


def test_signed_and_lsd_systems_are_refused() -> None:
    found = find_automaton(terminal(1), ["lsd_fib", "msd_neg_fib"])
    assert not found
    assert {attempt.outcome for attempt in found.attempts} == {"refused"}
    assert all(attempt.reason for attempt in found.attempts)


def test_progress_is_told() -> None:
    lines: list[str] = []
    find_automaton(terminal(1), "msd_fib", notify=lines.append)
    assert lines == [
        "positions below 160", "positions below 3000",
        "msd_fib: inference from 2293 positions", "msd_fib: proof with 5 states",
    ]


@pytest.mark.parametrize(("moves", "ends", "states"), [
    ("i=0 | j=0", "a=2*b | b=2*a", 7), ("i=0 | j=0 | i=j", "b=2*a | a=2*b", 5), ("i=0 | j=0 | i=j", "Ek a=3*k", 2),
])
def test_a_third_or_more_of_the_positions_may_be_terminal(moves: str, ends: str, states: int) -> None:
    game = Game.by_vectors(moves, ends)
    found = discover(game, with_findings=False)
    assert (found.status, found.automaton.states) == ("proved", states)
    data = positions(game, 60)
    assert 3 * data.terminal >= len(data)
    assert {(int(a), int(b)) for a, b in np.argwhere(reference.p_positions(game, 60))} == {
        (a, b) for a in range(60) for b in range(60) if (a, b) in found
    }
