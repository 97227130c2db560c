"""`fibprover game --sweep`: many games, in order, kept in a store."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import fibprover as fp
from fibprover.base.errors import BudgetSpent, FibproverError
from fibprover.campaigns import game_families as sweeping
from fibprover.campaigns.game_families import games, read_ranges
from fibprover.campaigns.sweeps.store import Store
from tests.cli.command import answer


def test_ranges() -> None:
    assert read_ranges(["k=2..4,7", "m=1"]) == {"k": [2, 3, 4, 7], "m": [1]}


@pytest.mark.parametrize(
    "texts", [[], ["k"], ["k=4..2"], ["k=1", "k=2"], ["2=3"], ["k=1.5"], ["k=-1"], ["k=1..10", "m=1..99999"]]
)
def test_what_is_no_range(texts: list[str]) -> None:
    with pytest.raises(FibproverError) as caught:
        read_ranges(texts)
    assert caught.value.hint


def test_variables_are_whole_names() -> None:
    assert games("blocking(k)", "", {"k": [2, 3]}) == [("blocking(2)", ""), ("blocking(3)", "")]
    assert games("kk+i<=k", "a<=m", {"k": [1], "m": [5, 6]}) == [("kk+i<=1", "a<=5"), ("kk+i<=1", "a<=6")]
    with pytest.raises(FibproverError, match="variable m"):
        games("blocking(k)", "", {"k": [1], "m": [1]})


@pytest.mark.long
def test_each_game_has_the_theorem_that_it_has_alone(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = str(tmp_path / "work.sqlite")
    options = ["--no-findings", "--store", file, "-j", "2"]
    said = answer(capsys, "game", "--sweep", "terminal(k)", "k=2..4", *options, "--json", str(tmp_path / "out.json"))
    lines = said.out.splitlines()
    assert (said.status, said.err) == (0, "")
    assert [line.split(":")[0] for line in lines] == ["terminal(2)", "terminal(3)", "terminal(4)", "3 games"]
    for record in json.loads((tmp_path / "out.json").read_text()):
        alone = fp.discover(record["what"], with_findings=False).as_json()
        found = record["result"]
        names = ("game", "rules", "status", "system", "states", "automaton", "proof_states")
        assert [found[name] for name in names] == [alone[name] for name in names] and found["status"] == "proved"
    again = answer(capsys, "game", "terminal(k)", "--sweep", "k=2..4", *options)
    assert again.out == said.out, "seconds included: nothing was searched for"
    with Store(file) as store:
        assert [record.what for record in store.records("done")] == ["terminal(2)", "terminal(3)", "terminal(4)"]


def test_terminal_positions_are_swept_too(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(
        capsys, "game", "--sweep", "i=0 | j=0 | i=j", "m=0..1", "--terminal", "a+b<=m", "--no-findings", "--json", "-"
    )
    records: list[dict[str, Any]] = json.loads(said.out)
    assert said.status == 0
    assert [record["result"]["rules"]["terminal"] for record in records] == ["a+b<=0", "a+b<=1"]
    assert len({record["result"]["states"] for record in records}) == 2


@pytest.mark.long
def test_exit_statuses(capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(capsys, "game", "--sweep", "blocking(k)", "k=2,0").status == 2
    said = answer(capsys, "game", "--sweep", "nosuch(k)", "k=1..2")
    assert said.status == 2 and said.out.count("nosuch") >= 2
    said = answer(capsys, "game", "--sweep", "i=0 & j=2*m+1", "m=1", "--system", "msd_2", "--timeout", "0.000001")
    assert said.status == 3 and "undecided" in said.out


def test_data_that_do_not_fit_are_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    def spend(*_: object, **__: object) -> None:
        raise BudgetSpent("seconds", 1.0)

    monkeypatch.setattr(sweeping, "discover", spend)
    case = {
        "game": "nim()", "terminal": "", "blocked": 0, "steps": False, "misere": False, "passes": False, "by": "",
        "systems": "auto", "largest": 100, "findings": False, "value": 0, "states": None,
        "seconds": 1.0,
    }
    result = sweeping.theorem_of(case).result
    assert result["status"] == "undecided" and "budget" in result["remark"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--sweep", "blocking(k)", "m=2..6"], "variable m"),
        (["--sweep", "blocking(2)"], "variable"),
        (["--sweep", "blocking(k)", "k=2", "--script", "x.txt"], "--script"),
        (["--sweep", "blocking(k)", "k=2", "--table"], "--table"),
        (["--sweep", "blocking(k)", "k=2", "--format", "latex"], "latex"),
        (["nim()", "--store", "work.sqlite"], "--store"),
        (["nim()", "-j", "2"], "--jobs"),
        ([], "no game"),
    ],
)
def test_options_that_do_not_fit(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    found = answer(capsys, "game", *arguments)
    assert found.status == 2 and said in found.err and "hint" in found.err
    assert list(tmp_path.iterdir()) == []
