"""Positions of a Sprague-Grundy value: as data, as theorems against boards, and from the command line."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import numpy as np
import pytest

import fibprover as fp
from fibprover.base.errors import FibproverError, LimitError
from fibprover.base.limits import Limits
from fibprover.frontends.cli.main import main
from fibprover.games.catalogue import as_game
from fibprover.games.positions import grundy, positions
from fibprover.games.proof import prove_positions
from fibprover.games.rules import Game
from fibprover.games.theorem import Theorem
from fibprover.infer.residuals import infer_set
from tests.oracle import games as reference

#: Full lines, lines with terminal positions, tables, and steps.
GAMES = ("wythoff", "wythoff(2)", "terminal(3)", "nim", "wythoff(2,1)", "nim(1,2)", "splithoff")


@pytest.mark.parametrize("name", GAMES)
def test_positions_of_a_value(name: str) -> None:
    game = as_game(name)
    board = reference.grundy(game, 30)
    for value in range(6):
        found = positions(game, 30, value=value)
        assert np.array_equal(np.argwhere(board == value), np.transpose([found.a, found.b]))
        assert (found.value, found.terminal) == (value, positions(game, 30).terminal if value == 0 else 0)
        again = pickle.loads(pickle.dumps(found))
        assert (again.value, list(again)) == (value, list(found))


def test_large_boards_of_lines() -> None:
    game = as_game("wythoff")
    values = grundy(game, 300)
    for value in (1, 2, 7):
        found = positions(game, 300, value=value)
        assert np.array_equal(np.argwhere(values == value), np.transpose([found.a, found.b]))


@pytest.fixture(scope="module")
def wythoff() -> Theorem:
    """The positions of value 1 of Wythoff's game."""
    return fp.discover("wythoff", value=1, limits=Limits(seconds=120))


def agrees(theorem: Theorem, size: int) -> bool:
    """Return whether a theorem agrees with a board."""
    known = set(theorem.session().relation(f"$P(a,b) & a<{size} & b<{size}"))
    return known == {(int(a), int(b)) for a, b in np.argwhere(grundy(theorem.game, size) == theorem.value)}


@pytest.mark.long
def test_value_1_of_wythoffs_game(wythoff: Theorem) -> None:
    assert wythoff and wythoff.value == 1
    assert (wythoff.system.name, wythoff.automaton.states) == ("msd_fib", 825)
    assert agrees(wythoff, 300)
    assert wythoff.symmetric
    session = wythoff.session()
    # As in any row of full lines: exactly one in each.
    assert session.prove("Aa Eb $P(a,b) & Ac $P(a,c) => c=b")
    said = " ".join(str(wythoff).split())
    assert "positions of value 1" in said and "P-positions" not in said
    assert wythoff.as_json()["value"] == 1


@pytest.mark.parametrize(("name", "value"), [("terminal(1)", 1), ("wythoff(2)", 2), ("wythoff(3)", 1), ("nim", 3)])
def test_theorems_agree_with_boards(name: str, value: int) -> None:
    theorem = fp.discover(name, value=value, limits=Limits(seconds=120))
    assert theorem and theorem.value == value and len(theorem.discovery.smaller) == value
    assert agrees(theorem, 150)
    assert theorem.findings == ()


@pytest.mark.long
def test_wrong_sets_are_refuted(wythoff: Theorem) -> None:
    game, system, smaller = wythoff.game, wythoff.system, wythoff.discovery.smaller
    assert prove_positions(game, wythoff.automaton, system, smaller=smaller)
    session = wythoff.session()
    few = positions(game, 300, value=1)
    wrong = [
        smaller[0],
        session.relation("$P(a,b) & a+b>1").automaton,
        session.relation("$P(a,b) | (a=1 & b=1)").automaton,  # it has value 2
        infer_set(np.stack([few.a, few.b], axis=1), 300, system, ("a", "b")).automaton,
    ]
    for each in wrong:
        proof = prove_positions(game, each, system, smaller=smaller)
        assert not proof and proof.failure is not None
        size = sum(proof.failure) + 1
        session.define("wrong", fp.Relation(each.with_tracks(wythoff.automaton.tracks), session.namespace.system))
        known = set(session.relation(f"$wrong(a,b) & a+b<{size}"))
        values = grundy(game, size)
        true = {(int(a), int(b)) for a, b in np.argwhere(values == 1) if a + b < size}
        assert known != true


def test_what_has_no_values() -> None:
    with pytest.raises(FibproverError, match="blocked"):
        fp.discover("blocking(2)", value=1)
    with pytest.raises(FibproverError, match="blocked"):
        positions("blocking(2)", 10, value=1)
    for value in (-1, 101, True, "1"):
        with pytest.raises(LimitError):
            positions("wythoff", 10, value=value)  # type: ignore[arg-type]


def test_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "k1.json"
    assert main(["game", "terminal(1)", "--value", "1", "--json", str(file)]) == 0
    assert "positions of value 1" in " ".join(capsys.readouterr().out.split())
    found = json.loads(file.read_text())
    assert (found["value"], found["status"], found["states"]) == (1, "proved", 33)
    assert main(["game", "terminal(1)", "--value", "1", "--positions", "5", "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    values = reference.grundy(Game.by_vectors("i=0 | j=0 | i=j", terminal="a+b<=1"), 5)
    assert [tuple(row.values()) if isinstance(row, dict) else tuple(row) for row in rows] == [
        tuple(map(int, cell)) for cell in np.argwhere(values == 1)
    ]
    for wrong in (
        ["blocking(2)", "--value", "1"], ["wythoff", "--value", "x"], ["wythoff", "--value", "101"],
        ["wythoff", "--value", "1", "--grundy", "5"],
    ):
        try:
            status = main(["game", *wrong])
        except SystemExit as stop:
            status = int(str(stop.code))
        assert status == 2
        assert "Traceback" not in capsys.readouterr().err


@pytest.mark.long
def test_outputs_of_a_value(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Script, certificate, LaTeX and page of a theorem about value 2; the script is FALSE with any other set in it."""
    script, certificate, page = tmp_path / "n.txt", tmp_path / "P.jsonl.gz", tmp_path / "page"
    asked = ("--script", str(script), "--certify", str(tmp_path), "--html", str(page), "--compare", "wythoff()")
    assert main(["game", "nim()", "--value", "2", "--format", "latex", *asked]) == 0
    latex = capsys.readouterr().out
    assert latex.count(r"\begin{verbatim}") == 1 and "absorbing_V1" in latex and "Nim heap of $2$" in latex
    names = {name: tmp_path / f"n_{name}.txt" for name in ("V0", "V1", "P")}
    loads = [word for file in names.values() for word in ("--load", str(file))]
    assert main(["run", *loads, str(script)]) == 0
    assert capsys.readouterr().out.count(": TRUE") == script.read_text().count("\neval ") > 12
    assert main(["check", str(certificate)]) == 0
    capsys.readouterr()
    content = (page / "index.html").read_text()
    assert "positions of value 2" in content and "The P-positions" not in content and "wythoff(), value 2" in content
    texts = {name: file.read_text() for name, file in names.items()}
    for name, file in names.items():
        for other in names:
            if other != name:
                file.write_text(texts[other])
                assert main(["run", *loads, str(script)]) == 1
                assert ": FALSE" in capsys.readouterr().out
        file.write_text(texts[name])


def test_table_of_a_value(capsys: pytest.CaptureFixture[str]) -> None:
    board = reference.grundy(as_game("wythoff"), 60)
    first = [(a, b) for a, b in np.argwhere(board == 1).tolist() if a <= b][:8]
    assert main(["game", "wythoff", "--value", "1", "--table", "--count", "8", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["value"], [tuple(row[1:]) for row in found["rows"]]) == (1, first)
