"""Games with a pass: positions against brute force, theorems, and what is refused."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import fibprover as fp
from fibprover.base.errors import FibproverError
from fibprover.games.catalogue import game_of
from fibprover.games.passing import without_pass
from fibprover.games.positions import positions
from fibprover.games.proof import prove_positions
from fibprover.games.rules import Game
from tests.cli.command import answer
from tests.few import few
from tests.oracle import games as reference

#: Full lines with and without terminal positions, tables, steps, steps to larger piles, formulas that are not linear.
GAMES = (
    ("wythoff", ""), ("nim", ""), ("wythoff(2)", ""), ("terminal(3)", ""), ("nim(1,2)", ""), ("wythoff(2,1)", ""),
    ("splithoff", ""), ("mark(2)", ""), ("i=0 | j=0", "Ek a+b=3*k & a<4"), ("Ek i=2*k & j<=i", ""), ("queen(2,3)", ""),
    ("r+s<p+q & r<=p & s<=q & (Ek r+s=2*k) & p<=r+3", ""), ("i=0 | j=0 | i=j", "a=b"), ("i=j | i=0", "a>b+2"),
)


def board_of(game: Game, size: int) -> np.ndarray:
    """The positions of a game as a board."""
    found = np.zeros((size, size), bool)
    for a, b in positions(game, size):
        assert not found[a, b]
        found[a, b] = True
    return found


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize(("moves", "terminal"), few(GAMES, 3))
def test_positions_with_a_pass(moves: str, terminal: str, misere: bool) -> None:
    game = game_of(moves, terminal, misere=misere, passes=True)
    wide = moves == "splithoff"
    size = 14 if wide else 20
    assert np.array_equal(board_of(game, size), reference.p_positions_with_pass(game, size, wide=wide))


def knights(p: int, q: int) -> Iterator[tuple[int, int]]:
    """Moves that can make a pile larger."""
    yield from ((r, s) for r, s in ((p - 2, q + 1), (p + 1, q - 2), (p - 1, q - 1)) if r >= 0 and s >= 0)


@pytest.mark.parametrize("misere", [False, True])
def test_functions(misere: bool) -> None:
    def vectors(i: int, j: int) -> bool:
        return i * j == 0 or i == 2 * j

    for game in (Game.by_function(vectors), Game.by_function(knights, options=True)):
        game = replace(game, misere=misere).with_pass()
        wide = game.form == "options function"
        assert np.array_equal(board_of(game, 14), reference.p_positions_with_pass(game, 14, wide=wide))


@pytest.mark.parametrize(
    ("moves", "misere", "system", "states"),
    [("nim", False, "msd_2", 6), ("wythoff(2)", False, "msd_wythoff_2", 15),
     pytest.param("mark(2)", False, "msd_4", 25, marks=pytest.mark.long),
     ("nim", True, "msd_2", 10), ("wythoff(2)", True, "msd_wythoff_2", 16)],
)
def test_theorems(moves: str, misere: bool, system: str, states: int) -> None:
    theorem = fp.discover(moves, passes=True, misere=misere)
    assert theorem and (theorem.system.name, theorem.automaton.states) == (system, states)
    assert len(theorem.discovery.smaller) == 1 and theorem.findings == ()
    game = theorem.game
    assert (game.passes, game.misere) == (True, misere)
    known = set(theorem.session().relation("$P(a,b) & a<30 & b<30"))
    board = reference.p_positions_with_pass(game, 30, wide=False)
    assert known == {tuple(cell) for cell in np.argwhere(board).tolist()}


@pytest.mark.long
def test_wrong_sets_are_refuted() -> None:
    """The P-positions with a pass of one game, changed in one place, and those without it."""
    for misere in (False, True):
        theorem = fp.discover("wythoff(2)", passes=True, misere=misere)
        smaller = theorem.discovery.smaller
        assert prove_positions(theorem.game, theorem.automaton, theorem.system, smaller=smaller)
        session = theorem.session()
        wrong = [smaller[0]]
        inside = set(session.relation("$P(a,b) & a+b<9"))
        for a, b in ((0, 0), (1, 1), (0, 1), (0, 2), (1, 4), (2, 5)):
            change = f"$P(a,b) & ~(a={a} & b={b})" if (a, b) in inside else f"$P(a,b) | (a={a} & b={b})"
            wrong.append(session.relation(change).automaton)
        for each in wrong:
            proof = prove_positions(theorem.game, each, theorem.system, smaller=smaller)
            assert not proof and proof.failure is not None
        # Whether the pass can be used is what makes the difference.
        plain = replace(theorem.game, passes=False)
        assert not prove_positions(plain, theorem.automaton, theorem.system)


@pytest.mark.parametrize("more", [(), ("--misere",)])
def test_command_line(more: tuple[str, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The script and the certificate, and that the script is FALSE with another set in it."""
    script, certificate, page = tmp_path / "n.txt", tmp_path / "P.jsonl.gz", tmp_path / "page"
    asked = ("game", "nim()", "--pass", *more, "--script", str(script), "--html", str(page))
    said = answer(capsys, *asked, "--certify", str(tmp_path), "--json", "-")
    found = json.loads(said.out)
    assert (said.status, found["status"], found["rules"]["passes"]) == (0, "proved", True)
    loads = [word for name in ("V0", "P") for word in ("--load", str(tmp_path / f"n_{name}.txt"))]
    done = answer(capsys, "run", *loads, str(script))
    assert (done.status, done.out.count(": TRUE")) == (0, script.read_text().count("\neval "))
    assert answer(capsys, "check", str(certificate)).out.splitlines()[-1] == "VALID"
    assert "one pass" in (page / "index.html").read_text()
    texts = {name: (tmp_path / f"n_{name}.txt").read_text() for name in ("V0", "P")}
    for name, other in (("V0", "P"), ("P", "V0")):
        (tmp_path / f"n_{name}.txt").write_text(texts[other])
        tampered = answer(capsys, "run", *loads, str(script))
        assert tampered.status == 1 and ": FALSE" in tampered.out
        (tmp_path / f"n_{name}.txt").write_text(texts[name])


@pytest.mark.long
def test_what_is_refused() -> None:
    with pytest.raises(FibproverError, match="blocked"):
        fp.games.blocking(2).with_pass()
    for value in (1, 2):
        with pytest.raises(FibproverError, match="pass"):
            positions(fp.games.nim().with_pass(), 5, value=value)
    game = fp.games.wythoff()
    with pytest.raises(FibproverError, match="without"):
        prove_positions(game.with_pass(), fp.discover(game).automaton, fp.discover(game).system)
    assert game.with_pass().with_pass() == game.with_pass() != game
    assert without_pass(game.with_pass()) == game
    assert pickle.loads(pickle.dumps(game.with_pass())) == game.with_pass()
