"""Proofs of P-positions: right sets are proved, and what refutes a wrong one is looked at on a board."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fibprover.automata import operations
from fibprover.automata.dfa import Dfa, build
from fibprover.base.errors import BudgetSpent, FibproverError, Unsolved
from fibprover.base.limits import Budget, Limits
from fibprover.games import proof as proofs
from fibprover.games.catalogue import blocking, nim, splithoff, terminal, wythoff
from fibprover.games.positions import positions
from fibprover.games.proof import Proof, option_counts, prove_positions, session_for
from fibprover.games.rules import Game
from fibprover.games.theorem import discover
from fibprover.infer.residuals import infer_set
from fibprover.language.tree import with_names
from fibprover.numeration import system_named
from fibprover.numeration.composed import ComposedSystem
from fibprover.prover.verdict.verdict import Verdict
from fibprover.workspace.session import Session
from tests.automata.strategies import automata
from tests.few import few
from tests.numeration.test_composed import composed

from .rules_in_python import Position, Rules, queen, queen_of, rows_and_columns
from .rules_in_python import splithoff as split


def sum_up_to(last: int) -> Callable[[int, int], bool]:
    return lambda a, b: a + b <= last


#: A game, its rules in Python, the system of its P-positions, how many states they have, the data they need.
CASES: dict[str, tuple[Game, Rules, str, int, int]] = {
    **{
        f"K^{last}": (terminal(last), Rules(queen, sum_up_to(last)), "msd_fib", states, 4181)
        for last, states in enumerate((7, 5, 28, 33, 55))
    },
    "W^2": (blocking(2), Rules(queen, blocked=1), "msd_fib", 73, 4181),
    "W^3": (blocking(3), Rules(queen, blocked=2), "msd_fib", 28, 4181),
    "W^4": (blocking(4), Rules(queen, blocked=3), "msd_wythoff_2", 40, 8119),
    "W^8": (blocking(8), Rules(queen, blocked=7), "msd_2", 187, 1 << 14),
    "3-Wythoff": (wythoff(3), Rules(queen_of(3)), "msd_wythoff_3", 11, 4181),
    "Nim": (nim(), Rules(rows_and_columns), "msd_2", 1, 1024),
    "misere Wythoff": (wythoff().in_misere_play(), Rules(queen, misere=True), "msd_fib", 13, 4181),
    "misere Nim": (nim().in_misere_play(), Rules(rows_and_columns, misere=True), "msd_2", 4, 1024),
    "misere K^2": (
        terminal(2).in_misere_play(), Rules(queen, sum_up_to(2), misere=True), "msd_fib", 21, 4181
    ),
}

BOARD = 60


@cache
def inferred(name: str) -> Dfa:
    """The automaton of the P-positions of a game of CASES."""
    game, _, system, _, bound = CASES[name]
    found = positions(game, bound)
    return infer_set(np.stack([found.a, found.b], axis=1), bound, system_named(system), ("a", "b")).automaton


def holds(candidate: Dfa, system: str) -> Callable[[Position], bool]:
    """Membership by reading representations."""
    represented = cache(system_named(system).represent)

    def inside(position: Position) -> bool:
        words = [represented(number) for number in position]
        length = max(map(len, words))
        padded = [(0,) * (length - len(word)) + word for word in words]
        return bool(candidate.output(map(candidate.code, zip(*padded, strict=True))))

    return inside


@cache
def p_positions(rules: Rules) -> set[Position]:
    """The P-positions whose sum is at most BOARD; what they are depends on smaller sums alone."""
    return rules.recursion(BOARD)


def check_refuted(proof: Proof, rules: Rules, candidate: Dfa, system: str) -> None:
    """Every part that fails does so at a position which violates what the part says."""
    inside = holds(candidate, system)
    assert not proof
    failed = [part for part in proof.parts if not part.holds]
    assert failed
    for part in proof.parts:
        assert part.holds == (part.failure is None)
        if part.failure is None:
            continue
        a, b = part.failure
        options = sum(map(inside, rules.options(a, b)))
        if part.name == "terminal":
            assert rules.is_terminal(a, b) and not inside((a, b))
        elif part.name == "disjoint":
            assert rules.misere and rules.has_ended((a, b)) and inside((a, b))
        elif part.name.startswith("stable"):
            assert inside((a, b)) and not rules.is_terminal(a, b) and options > rules.blocked
        else:
            assert part.name == "absorbing"
            assert not inside((a, b)) and options <= rules.blocked
            assert not rules.misere or not rules.has_ended((a, b))
    assert proof.failure in [part.failure for part in failed]
    # The set is wrong at some position of no greater sum.
    assert proof.failure is not None
    total = min(sum(proof.failure), BOARD)
    if sum(proof.failure) <= BOARD:
        assert {position for position in p_positions(rules) if sum(position) <= total} != {
            (a, now - a) for now in range(total + 1) for a in range(now + 1) if inside((a, now - a))
        }


def changed(name: str, formula: str) -> Dfa:
    """A set made of P, the P-positions of a game of CASES."""
    session = session_for(inferred(name), system_named(CASES[name][2]))
    return session.relation(formula).automaton


def some_position(name: str) -> Position:
    """A P-position with both coordinates above 9, the first one in order."""
    rules = CASES[name][1]
    return min((a, b) for a, b in p_positions(rules) if a > 9 and b >= a)


# -- right and wrong sets of known games --------------------------------------------------------


@pytest.mark.parametrize("name", CASES)
def test_right_sets_are_proved(name: str) -> None:
    game, rules, system, states, _ = CASES[name]
    candidate = inferred(name)
    assert candidate.states == states
    proof = prove_positions(game, candidate, system_named(system))
    assert proof and proof.failure is None
    assert all(part.holds and part.failure is None for part in proof.parts)
    assert proof.states > 0 and proof.seconds >= 0
    names = [part.name for part in proof.parts]
    assert names[0] == ("disjoint" if game.misere else "terminal") and names[-1] == "absorbing"
    inside = holds(candidate, system)
    assert p_positions(rules) == {
        (a, total - a) for total in range(BOARD + 1) for a in range(total + 1) if inside((a, total - a))
    }


@pytest.mark.parametrize("change", ["moved", "removed", "added", "mirror lost", "origin lost", "all far ones lost"])
@pytest.mark.parametrize("name", few(CASES, 2))
def test_wrong_sets_are_refuted(name: str, change: str) -> None:
    game, rules, system, _, _ = CASES[name]
    x, y = some_position(name)
    beside = next((x, z) for z in range(y + 1, 1000) if not holds(inferred(name), system)((x, z)))[1]
    formula = {
        "moved": f"($P(a,b) & ~(a={x} & b={y})) | (a={x} & b={beside})",
        "removed": f"$P(a,b) & ~(a={x} & b={y})",
        "added": f"$P(a,b) | (a={x} & b={beside})",
        "mirror lost": "$P(a,b) & a<=b" if name[-3:] != "Nim" else "$P(a,b) & a<100",
        "origin lost": "$P(a,b) & a+b>0" if not game.misere else "$P(a,b) | a+b=0",
        "all far ones lost": "$P(a,b) & a<1000",
    }[change]
    candidate = changed(name, formula)
    check_refuted(prove_positions(game, candidate, system_named(system)), rules, candidate, system)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("wrong", [False, True])
def test_a_part_holds_where_the_prover_says_true(name: str, wrong: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    game, _, system, _, _ = CASES[name]
    x, y = some_position(name)
    candidate = changed(name, f"$P(a,b) & ~(a={x} & b={y})") if wrong else inferred(name)
    said: list[Verdict] = []
    prove = Session.prove

    def recorded(self: Session, formula: Any, **options: Any) -> Verdict:
        said.append(prove(self, formula, **options))
        return said[-1]

    monkeypatch.setattr(Session, "prove", recorded)
    parts = [part for part in prove_positions(game, candidate, system_named(system)).parts if part.name != "counts"]
    assert [part.holds for part in parts] == [verdict.truth for verdict in said]
    assert all(verdict.truth for verdict in said) is not wrong


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("more", [-1, 1])
def test_other_numbers_of_blocked_options_are_refuted(name: str, more: int) -> None:
    game, rules, system, _, _ = CASES[name]
    if game.blocked + more < 0 or game.misere:
        return
    other = replace(game, name="other", blocked=game.blocked + more)
    proof = prove_positions(other, inferred(name), system_named(system))
    check_refuted(proof, replace(rules, blocked=other.blocked), inferred(name), system)


@pytest.mark.parametrize(
    ("name", "formula", "is_terminal"),
    [
        ("K^0", "a+b<=1", lambda a, b: a + b <= 1),
        ("K^1", "", lambda a, b: False),
        ("K^1", "a+b<=2", lambda a, b: a + b <= 2),
        ("K^3", "a+b<=2", lambda a, b: a + b <= 2),
        ("K^4", "a+b<=4 & a!=2", lambda a, b: a + b <= 4 and a != 2),
        ("W^2", "a=7 & b=9", lambda a, b: (a, b) == (7, 9)),
        ("W^8", "a=b", lambda a, b: a == b),
        ("Nim", "a=0 & b=1", lambda a, b: (a, b) == (0, 1)),
    ],
)
def test_other_terminal_sets_are_refuted(name: str, formula: str, is_terminal: Callable[[int, int], bool]) -> None:
    game, rules, system, _, _ = CASES[name]
    other = replace(game, name="other", terminal=formula)
    proof = prove_positions(other, inferred(name), system_named(system))
    check_refuted(proof, replace(rules, is_terminal=is_terminal), inferred(name), system)


def test_terminal_positions_that_change_nothing() -> None:
    """Terminal positions that were P-positions anyway, from which no move leads to a P-position."""
    for formula in ("a=0 & b=0", "a=1 & b=2"):
        assert prove_positions(replace(terminal(0), terminal=formula), inferred("K^0"), system_named("msd_fib"))
    # In W^2 a P-position may have one option in P: if it is terminal, it is one still.
    assert prove_positions(replace(blocking(2), terminal="a+b<=1"), inferred("W^2"), system_named("msd_fib"))


# -- rules of every shape -------------------------------------------------------------------------


def nothing(a: int, b: int) -> Any:
    """No options."""
    return iter(())


def to_the_origin(a: int, b: int) -> Any:
    """One option, if there are counters at all."""
    return iter([(0, 0)] if a + b else [])


@pytest.mark.parametrize(
    ("game", "rules", "right", "wrong"),
    [
        (Game.by_steps("0=1"), Rules(nothing), "a>=0 & b>=0", "a>=0 & b>=0 & ~(a=5 & b=0)"),
        (Game.by_steps("0=1", blocked=2), Rules(nothing, blocked=2), "a>=0 & b>=0", "a>0 & b>=0"),
        (Game.by_steps("r=0 & s=0 & p+q>0"), Rules(to_the_origin), "a=0 & b=0", "a=0 & b<2"),
        (
            Game.by_steps("r=0 & s=0 & p+q>0", blocked=1), Rules(to_the_origin, blocked=1), "a>=0 & b>=0",
            "a+b!=3 & a>=0 & b>=0",
        ),
        (
            Game.by_vectors("i=0 | j=0", terminal="a>=0 & b>=0"), Rules(rows_and_columns, lambda a, b: True),
            "a>=0 & b>=0", "a=b",
        ),
        (
            Game.by_vectors("i=0 | j=0", terminal="a>b+3"), Rules(rows_and_columns, lambda a, b: a > b + 3),
            "", "a>b+3",
        ),
        (Game.by_vectors("i=1 & j=0"), Rules(lambda a, b: iter([(a - 1, b)] if a else [])), "Ek a=2*k & b>=0", "a=b"),
        (
            Game.by_vectors("i>=0 & j>=0", blocked=3),
            Rules(lambda a, b: ((x, y) for x in range(a + 1) for y in range(b + 1) if (x, y) != (a, b)), blocked=3),
            "(a=0 & b<=3) | (b=0 & a<=3) | (a=1 & b=1)", "(a=0 & b<=3) | (b=0 & a<=3)",
        ),
        (splithoff(), Rules(split), "", "a=b"),
    ],
    ids=lambda item: str(item) if isinstance(item, Game) else None,
)
def test_rules_of_every_shape(game: Game, rules: Rules, right: str, wrong: str) -> None:
    system = system_named("msd_fib")
    session = session_for(operations.empty((system.track("a"), system.track("b"))), system)
    if right:
        candidate = session.relation(right).automaton
        inside = holds(candidate, system.name)
        assert rules.recursion(12) == {(a, n - a) for n in range(13) for a in range(n + 1) if inside((a, n - a))}
        assert prove_positions(game, candidate, system)
    other = session.relation(wrong).automaton
    check_refuted(prove_positions(game, other, system), rules, other, system.name)


@st.composite
def candidates(draw: st.DrawFn) -> Dfa:
    """A random set of positions in msd_fib."""
    system = system_named("msd_fib")
    raw = draw(automata((system.track("a"), system.track("b")), states=5))
    return operations.as_relation(raw, [system.valid.renamed(["a"]), system.valid.renamed(["b"])])


GAMES: list[tuple[Game, Rules]] = [
    (terminal(2), Rules(queen, lambda a, b: a + b <= 2)),
    (blocking(2), Rules(queen, blocked=1)),
    (nim(), Rules(rows_and_columns)),
    (replace(nim(), blocked=2, terminal="a=b+1", name="n"), Rules(rows_and_columns, lambda a, b: a == b + 1, 2)),
    (wythoff(2), Rules(queen_of(2))),
    (splithoff(), Rules(split)),
]


@pytest.mark.long
@settings(max_examples=25)
@given(candidates(), st.sampled_from(GAMES))
def test_random_sets_are_refuted_where_they_fail(candidate: Dfa, chosen: tuple[Game, Rules]) -> None:
    game, rules = chosen
    proof = prove_positions(game, candidate, system_named("msd_fib"))
    if proof:
        # A random set may be the right one, as that of all (a,a) is for Nim.
        inside = holds(candidate, "msd_fib")
        small = {(a, total - a) for total in range(21) for a in range(total + 1)}
        assert {position for position in small if inside(position)} == rules.recursion(20)
        return
    check_refuted(proof, rules, candidate, "msd_fib")


def test_a_failure_far_out_is_found() -> None:
    """One position of many millions."""
    fib = system_named("msd_fib")
    session = session_for(inferred("K^0"), fib)
    far = session.relation("$P(a,b) & a<b & a>10000000").first(1)[0]
    candidate = session.relation(f"$P(a,b) & ~(a={far[0]} & b={far[1]})").automaton
    proof = prove_positions(terminal(0), candidate, fib)
    assert proof.failure is not None and sum(proof.failure) >= sum(map(int, far))
    assert [part.name for part in proof.parts if not part.holds] == ["absorbing"]


# -- counts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["K^2", "W^2", "W^4", "Nim"])
def test_options_are_counted(name: str) -> None:
    game, rules, system, _, _ = CASES[name]
    candidate = inferred(name)
    session = session_for(candidate, system_named(system))
    counted = option_counts(game, session, 6, Budget())
    numeration = system_named(system)
    inside = holds(candidate, system)
    for a in range(25):
        for b in range(25):
            words = [numeration.represent(a), numeration.represent(b)]
            length = max(map(len, words))
            letters = zip(*((0,) * (length - len(word)) + word for word in words), strict=True)
            said = counted.output(map(counted.code, letters)) or 0
            assert said == min(6, sum(map(inside, rules.options(a, b))))
    three = operations.where(counted, lambda count: count == 3)
    everything = session.relation("p>=0 & q>=0").automaton
    assert operations.difference(three, everything).outputs[0] == 0
    assert operations.disjunction(operations.where(counted, lambda count: count > 0), everything) == everything


# -- what is refused, and limits --------------------------------------------------------------------


def test_what_is_no_candidate() -> None:
    fib = system_named("msd_fib")
    one, two, three = (
        operations.cartesian_product([fib.valid.renamed([name]) for name in "abc"[:count]]) for count in (1, 2, 3)
    )
    binary = operations.cartesian_product([system_named("msd_2").valid.renamed([name]) for name in "ab"])
    for candidate in (one, three, binary, operations.true()):
        with pytest.raises(FibproverError, match="pairs of numbers of msd_fib"):
            prove_positions(nim(), candidate, fib)
    tracks = two.tracks
    not_valid = build(tracks, [dict.fromkeys(range(4), 0)], [1])
    not_closed = build(tracks, [{3: 1}, {}], [0, 1])
    not_minimal = build(tracks, [{0: 1}, {0: 1}], [1, 1])
    for candidate in (not_valid, not_closed, not_minimal):
        with pytest.raises(FibproverError, match="canonical automaton of tuples"):
            prove_positions(nim(), candidate, fib)


def test_names_of_the_tracks_do_not_matter() -> None:
    fib = system_named("msd_fib")
    for names in (("p", "q"), ("r", "s"), ("q", "p"), ("x", "aa")):
        # The first track is the first pile, whatever it is called.
        assert prove_positions(terminal(1), inferred("K^1").renamed(names), fib)
    below = session_for(inferred("K^1"), fib).relation("$P(a,b) & a<=b").automaton
    first = prove_positions(terminal(1), below, fib).failure
    assert first == prove_positions(terminal(1), below.renamed(("q", "p")), fib).failure


@pytest.mark.long
def test_a_system_of_ones_own() -> None:
    """A system that no registry knows, and one that only has the name of another."""
    fib = composed("msd_fib")
    valid, adder = (
        a.with_tracks(tuple(track._replace(system="msd_mine") for track in a.tracks)) for a in (fib.valid, fib.adder)
    )
    own = ComposedSystem("msd_mine", fib.digits, valid, adder)
    candidate = inferred("W^3").with_tracks((own.track("a"), own.track("b")))
    assert prove_positions(blocking(3), candidate, own)
    assert not prove_positions(blocking(2), candidate, own)
    assert prove_positions(blocking(3), inferred("W^3"), fib)


@pytest.mark.parametrize("name", ["K^2", "W^2"])
def test_limits_are_those_of_the_whole_proof(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game, _, system, _, _ = CASES[name]
    with pytest.raises(BudgetSpent, match="states"):
        prove_positions(game, inferred(name), system_named(system), Limits(states=20))
    with pytest.raises(BudgetSpent, match="transitions"):
        prove_positions(game, inferred(name), system_named(system), Limits(transitions=20))
    # The clock stands still until the proof has begun, and then the seconds are spent.
    limits = Limits(seconds=100)
    monkeypatch.setattr(Limits, "start", lambda self: Budget(deadline=0.0))
    with pytest.raises(BudgetSpent) as caught:
        prove_positions(game, inferred(name), system_named(system), limits)
    assert caught.value.resource == "seconds"


def test_every_move_is_in_one_piece() -> None:
    for game in (wythoff(2), wythoff(2, 2)):
        session = session_for(inferred("K^0"), system_named("msd_fib"))
        parts = [session.relation(piece.formula) for piece in proofs.move_pieces(game)]
        assert len(parts) >= len(game.kinds)
        whole = session.relation(game.step)
        assert sum(part.count(12) for part in parts) == whole.count(12)
        union = parts[0]
        for part in parts[1:]:
            union = union | part
        assert union.automaton == whole.automaton


@pytest.mark.parametrize(
    "game",
    [wythoff(), terminal(2), blocking(2), wythoff().in_misere_play(), Game("i=0 | j=0", terminal="a=1", misere=True)],
    ids=str,
)
def test_the_recursion_has_the_p_positions_as_its_only_solution(game: Game) -> None:
    """Whatever is said of them before: data are hints."""
    found = discover(game, with_findings=False)
    session = found.session()
    recursion = with_names(game.recursion, {}, {"P": "Q"})
    session.solve("Q", recursion, by="p+q", data=positions(game, 500), limits=Limits(seconds=60))
    assert session.prove("Ap,q $Q(p,q) <=> $P(p,q)")
    for data in (lambda p, q: True, lambda p, q: p == q):
        with pytest.raises(Unsolved):
            session.solve("Q", recursion, by="p+q", data=data, limits=Limits(seconds=5))
