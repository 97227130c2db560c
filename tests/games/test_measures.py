"""Games in which each move makes a measure other than the sum smaller: memory, and piles that grow."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest

import fibprover as fp
from fibprover.base.errors import FibproverError
from fibprover.games.boards import by_measure
from fibprover.games.catalogue import game_of
from fibprover.games.certificate import certificate_of
from fibprover.games.positions import grundy, positions
from fibprover.games.rules import Game, Position
from tests.cli.command import answer

#: Fibonacci nim: q is the most that may be taken from p counters, then twice as many as were taken.
FIBONACCI = "r<p & s+2*r=2*p & p<=q+r"

#: The same where no more may be taken than before.
BINARY = "r<p & s+r=p & p<=q+r"


def options(p: int, q: int, factor: int) -> list[Position]:
    return [(p - k, factor * k) for k in range(1, min(p, q) + 1)]


@cache
def is_lost(p: int, q: int, factor: int) -> bool:
    return not any(is_lost(*option, factor) for option in options(p, q, factor))


@cache
def theorem_of(rule: str, *, misere: bool = False) -> fp.Theorem:
    return fp.discover(game_of(rule, by="p", misere=misere), with_findings=False)


@pytest.mark.parametrize(("rule", "factor", "system", "states"), [
    (FIBONACCI, 2, "msd_fib", 4), (BINARY, 1, "msd_2", 2),
])
def test_games_with_a_memory(rule: str, factor: int, system: str, states: int) -> None:
    game = game_of(rule, by="p")
    assert game.name.endswith("; by p")
    theorem = theorem_of(rule)
    assert (theorem.status, theorem.system.name, theorem.automaton.states) == ("proved", system, states)
    wanted = {(p, q) for p in range(90) for q in range(90) if is_lost(p, q, factor)}
    assert set(positions(game, 90).pairs) == wanted
    assert {(p, q) for p in range(90) for q in range(90) if (p, q) in theorem} == wanted
    assert "moves make a smaller" in str(theorem)


def test_a_pile_grows_when_the_other_shrinks() -> None:
    # From (p,q) to (p-1,q+2), or to (p,q-k).
    game = game_of("(p=r+1 & s=q+2) | (p=r & s<q)", by="3*p+q")

    @cache
    def lost(p: int, q: int) -> bool:
        moves = [(p, q - k) for k in range(1, q + 1)] + ([(p - 1, q + 2)] if p else [])
        return not any(lost(*move) for move in moves)

    with pytest.raises(FibproverError, match="8 times"):
        positions(game, 20)
    # With at most as many counters as the first pile had there is a bound.
    closed = game_of("(p=r+1 & s=q+2 & q<=r) | (p=r & s<q)", by="3*p+q")
    size, order = by_measure(closed, 20)
    assert size == 1 + max(map(max, order))
    assert {*order} >= {(p, q) for p in range(20) for q in range(20)}
    assert [3 * p + q for p, q in order] == sorted(3 * p + q for p, q in order)

    @cache
    def lost_closed(p: int, q: int) -> bool:
        moves = [(p, q - k) for k in range(1, q + 1)] + ([(p - 1, q + 2)] if p and q <= p - 1 else [])
        return not any(lost_closed(*move) for move in moves)

    assert set(positions(closed, 20).pairs) == {(p, q) for p in range(20) for q in range(20) if lost_closed(p, q)}


def test_positions_of_a_value() -> None:
    game = game_of(FIBONACCI, by="p")

    @cache
    def value(p: int, q: int) -> int:
        found = {value(*option) for option in options(p, q, 2)}
        return next(g for g in range(len(found) + 1) if g not in found)

    wanted = {(p, q) for p in range(40) for q in range(40) if value(p, q) == 1}
    assert set(positions(game, 40, value=1).pairs) == wanted
    assert grundy(game, 30).tolist() == [[value(p, q) for q in range(30)] for p in range(30)]


@pytest.mark.parametrize(("rule", "by", "message"), [
    (FIBONACCI, "", "at least as many counters"),
    (FIBONACCI, "q", "does not make q smaller"),
    (FIBONACCI, "x", "not a parameter"),
    (FIBONACCI, "p*q", "sum"),
    ("i=0 | j=0", "p", "p, q, r and s"),
])
def test_measures_that_do_not_go_down(rule: str, by: str, message: str) -> None:
    with pytest.raises(FibproverError, match=message):
        game_of(rule, by=by)


def test_the_hint_names_solve() -> None:
    with pytest.raises(FibproverError) as raised:
        Game.by_steps(FIBONACCI)
    assert raised.value.hint is not None
    assert "--by" in raised.value.hint
    assert "solve" in raised.value.hint


@pytest.mark.long
def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "game", FIBONACCI, "--by", "p", "--no-findings", "--json", "-")
    found = json.loads(said.out)
    assert (found["status"], found["states"]) == ("proved", 4)


def test_the_proof_is_certified(tmp_path: object) -> None:
    theorem = theorem_of(FIBONACCI)
    assert theorem.certified(str(tmp_path)).certificates
    # That no move leads from one P-position to another has one solution, as p goes down, though p+q may not.
    assert any("recursion" in line for line in certificate_of(theorem).lines)


@pytest.mark.parametrize(("rule", "factor"), [(FIBONACCI, 2), (BINARY, 1)])
@pytest.mark.parametrize("misere", [False, True])
def test_theorems_agree_with_boards_of_500(rule: str, factor: int, *, misere: bool) -> None:
    """Row by row: q is lost if no number up to it leaves a lost position, and can be taken."""
    size = 500
    theorem = theorem_of(rule, misere=misere)
    lost = np.zeros((size, factor * size), bool)
    for p in range(size):
        leaves = np.array([lost[p - k, factor * k] for k in range(1, p + 1)], bool)
        first = int(np.argmax(leaves)) + 1 if leaves.any() else factor * size
        lost[p, :first] = True
        if misere:
            lost[p, 0] = False
            lost[p] &= p > 0
    members = set(theorem.session().relation(f"$P(a,b) & a<{size} & b<{size}"))
    assert members == {(int(p), int(q)) for p, q in np.argwhere(lost[:, :size])}
