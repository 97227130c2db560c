"""Games on three piles: their rules, positions by the solver of cubes, theorems, and what they do not have."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from math import isqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fibprover as fp
from fibprover.automata.kernels.python import automata as python_automata
from fibprover.base.errors import FibproverError
from fibprover.base.limits import UNLIMITED
from fibprover.games import boards, kernel_calls
from fibprover.games.catalogue import game_of
from fibprover.games.positions import grundy, numbered_positions, positions
from fibprover.games.proof import prove_positions
from fibprover.games.rules import Game
from fibprover.games.shapes import cube_rows
from fibprover.numeration.registry import system_named
from tests.cli.command import answer
from tests.few import few
from tests.games.rules_at_random import formulas
from tests.oracle.games import p_positions_of_three_piles
from tests.oracle.twins import games as twin

NIM = "(j=0 & k=0) | (i=0 & k=0) | (i=0 & j=0)"

#: Of each sort of rules one or two.
GAMES = (
    Game(NIM),
    Game(NIM, terminal="a+b+c<=2"),
    Game(f"{NIM} | (i=j & j=k)").in_misere_play(),
    Game("i=0 | j=0 | k=0"),
    Game("i=j | j=k & i<=2*k"),
    Game("i+j+k<=3", terminal="a=b & b=c"),
    Game("s<=p & t<=q & u<=r & s+t+u<p+q+r & (p=s | u<q)"),
    fp.games.tribonacci(),
    fp.games.raleigh(),
)


def cube(game: Game, bound: int) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    found = np.zeros((bound, bound, bound), bool)
    found[positions(game, bound).columns] = True
    return found


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_positions(game: Game) -> None:
    assert game.piles == 3
    assert (cube(game, 9) == p_positions_of_three_piles(game, 9)).all()


@settings(max_examples=40)
@given(formulas(("i", "j", "k")), st.sampled_from(["", "a+b<=c", "a=2*c", "a+b+c<=3"]), st.booleans())
def test_random_rules(moves: str, terminal: str, misere: bool) -> None:
    game = Game(f"{moves} & i+j+k>=0", terminal=terminal, misere=misere, piles=3)
    try:
        found = cube(game, 6)
    except FibproverError:
        # Rules with division, for example.
        assert game.step_regions is None or boards.given_regions(game) is None
        return
    assert (found == p_positions_of_three_piles(game, 6)).all()


@pytest.mark.parametrize("game", few(GAMES, 3), ids=str)
@pytest.mark.parametrize("left_out", [False, pytest.param(True, marks=pytest.mark.long)])
def test_twin(game: Game, left_out: bool) -> None:
    """The solver in Python finds what the compiled one does, in the same order."""
    assert game.step_regions is not None
    compiled = pytest.importorskip("fibprover_ext.games")
    automata = pytest.importorskip("fibprover_ext.automata")
    bound = 70 if game.name == "tribonacci()" else 12
    rows = cube_rows(game.step_regions)
    given = boards.terminal_rows(game, bound, UNLIMITED)
    answers = []
    for module, meters in ((compiled, automata), (twin, python_automata)):
        regions = [module.Regions(*each, width) for each, width in zip(rows, (7, 6, 5), strict=True)]
        ends = module.Intervals(bound, *given)
        found = module.cube_positions(bound, *regions, ends, left_out, meters.Meter())
        answers.append([*map(list, found[:3]), found[3]])
    assert answers[0] == answers[1]
    assert answers[0][0]


def test_values() -> None:
    """The value of a position of Nim is the sum of its piles without carries."""
    for value in (1, 2, 5):
        found = set(positions("nim3()", 20, value=value))
        assert found == {p for p in itertools.product(range(20), repeat=3) if p[0] ^ p[1] ^ p[2] == value}


def test_lookup() -> None:
    found = positions("nim3()", 8)
    assert (3, 5, 6) in found and (3, 5, 7) not in found and (3, 5) not in found
    assert len(positions("nim3()", 0)) == 0
    with pytest.raises(FibproverError, match="below 8"):
        assert (1, 2, 8) in found


def test_theorem_about_nim() -> None:
    theorem = fp.discover("nim3()")
    assert theorem and theorem.symmetric and theorem.system.name == "msd_2"
    assert set(positions("nim3()", 120)) == {(a, b, a ^ b) for a, b in itertools.product(range(120), repeat=2)
                                             if a ^ b < 120}
    for position in itertools.product(range(12), repeat=3):
        assert (position in theorem.relation) == (position[0] ^ position[1] ^ position[2] == 0)


def test_one_move_more_changes_nothing() -> None:
    """Taking the same number from all three piles of Nim does not change the P-positions, as an odd sum is left."""
    nim, more = fp.discover("nim3()"), fp.discover(f"{NIM} | (i=j & j=k)")
    assert nim.automaton == more.automaton


@pytest.mark.long
def test_a_wrong_candidate_is_refuted() -> None:
    nim = fp.discover("nim3()").automaton
    for game in (Game(f"{NIM} | (i=j & k=0)"), Game(NIM, misere=True), Game(NIM, terminal="a+b+c=1")):
        proof = prove_positions(game, nim, system_named("msd_2"))
        assert not proof and proof.failure is not None and len(proof.failure) == 3
    assert fp.discover(Game(NIM, misere=True)).automaton.states == 4


def test_tribonacci_game() -> None:
    """Duchene and Rigo: the P-positions are the places of the letters of the Tribonacci word, in any order."""
    word = "a"
    while len(word) < 200:
        word = "".join({"a": "ab", "b": "ac", "c": "a"}[letter] for letter in word)
    places = [[place for place, each in enumerate(word, start=1) if each == letter] for letter in "abc"]
    triples = [(0, 0, 0), *zip(*places, strict=False)]
    bound = 100
    expected = {order for each in triples for order in itertools.permutations(each) if max(each) < bound}
    assert set(positions("tribonacci()", bound)) == expected


@pytest.mark.long
def test_raleigh_game() -> None:
    """Fraenkel (2007): the P-positions are given by the golden section, and one exception in the rules matters."""
    theorem = fp.discover("raleigh()")
    assert theorem and theorem.symmetric and theorem.system.name == "msd_fib"

    def times_phi(n: int) -> int:
        return (n + isqrt(5 * n * n)) // 2

    triples = [(times_phi(times_phi(n)), n + times_phi(n), times_phi(n + times_phi(n))) for n in range(80)]
    bound = 60
    expected = {order for each in triples for order in itertools.permutations(each) if max(each) < bound}
    assert set(positions("raleigh()", bound)) == expected
    assert all((order in theorem.relation) for each in triples for order in itertools.permutations(each))
    moves = fp.games.raleigh().moves
    assert isinstance(moves, str)
    everywhere = moves.replace("p<s+3 | p>s+3 | ", "p>=0 | ").replace("q<t+3 | q>t+3 | ", "q>=0 | ").replace(
        "r<u+3 | r>u+3 | ", "r>=0 | "
    )
    different = set(positions(Game.by_steps(everywhere), 30)) ^ {each for each in expected if max(each) < 30}
    assert min((max(each), each) for each in different) == (11, (6, 7, 11))


@pytest.mark.long
def test_a_large_cube() -> None:
    """10^8 positions."""
    found = positions("nim3()", 464)
    assert found.c is not None and ((found.a ^ found.b) == found.c).all() and len(found) == 195328


@pytest.mark.parametrize(("more", "said"), [
    ({"blocked": 1}, "blocked"), ({"passes": True}, "pass"), ({"moves": "i=0 & d=0"}, "d is not among"),
    ({"terminal": "d=0"}, "d is not among"), ({"piles": 4}, "two or three"),
    ({"form": "steps", "moves": "s+t+u<p+q+r"}, "larger"),
    ({"form": "steps", "moves": "s<=p & t<=q & u<=r"}, "need not end"),
    ({"form": "vector function", "moves": max}, "functions"),
])
def test_rules_that_are_refused(more: dict[str, object], said: str) -> None:
    with pytest.raises(FibproverError, match=said):
        replace(Game(NIM), **more)  # type: ignore[arg-type]


def test_lists_for_two_piles() -> None:
    for refused in (lambda: grundy("nim3()", 5), lambda: numbered_positions(game_of("nim3()"), 5)):
        with pytest.raises(FibproverError, match="two piles"):
            refused()
    with pytest.raises(FibproverError, match="linear"):
        positions(Game("i=0 & j=0 & Ex k=2*x"), 5)
    with pytest.raises(FibproverError, match="too large"):
        positions("nim3()", kernel_calls.MOST_BOUND_OF_CUBES + 1)


def test_number_of_piles() -> None:
    assert Game("i=0 | j=0").piles == Game("(p=r & s<q) | (q=s & r<p)").piles == 2
    assert Game("i=0 | j=0", piles=3).piles == Game("i=0 | j=0", terminal="c=0").piles == 3
    assert Game("i=0 | (j=0 & Ek i=2*k)").piles == 2


@pytest.mark.long
def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = answer(capsys, "game", "nim3()", "--json", "-", "--script", "n.txt", "--certify", "proofs")
    found = json.loads(said.out)
    assert (said.status, found["status"], found["rules"]["piles"], found["states"]) == (0, "proved", 3, 1)
    assert answer(capsys, "check", "proofs/P.jsonl.gz").out.splitlines()[-1] == "VALID"
    said = answer(capsys, "run", "--load", "n_P.txt", "n.txt")
    assert said.status == 0 and "FALSE" not in said.out
    said = answer(capsys, "game", NIM, "--positions", "3", "--format", "csv")
    assert said.out.splitlines()[0] == "a,b,c" and "1,2,3" not in said.out and "2,1,1" not in said.out
    assert len(said.out.splitlines()) == 1 + sum(a ^ b < 3 for a in range(3) for b in range(3))


@pytest.mark.parametrize("option", [("--table",), ("--grundy", "5"), ("--board", "b.svg"), ("--html", "page")])
def test_options_for_two_piles(
    option: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = answer(capsys, "game", "nim3()", *option)
    assert said.status == 2 and "two piles" in said.err and not list(tmp_path.iterdir())
