"""`fibprover invent`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import answer

RESULTS = Path(__file__).parents[2] / "proofs" / "atlas" / "results"


@pytest.mark.long
def test_a_game_a_formula_and_sequences(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "invent", "wythoff()")
    assert (said.status, said.err) == (0, "")
    assert "n from both piles; needed at (1, 1)" in said.out
    assert answer(capsys, "invent", "--system", "msd_2", "a=b").status == 0
    none = answer(capsys, "invent", "x=n", "x=2*n")
    assert none.status == 1
    assert "From (0, 3)" in none.out


@pytest.mark.long
def test_words_beatty_sequences_and_the_atlas(capsys: pytest.CaptureFixture[str]) -> None:
    by_word = answer(capsys, "invent", "--word", "F")
    by_slope = answer(capsys, "invent", "--beatty", "(1+sqrt(5))/2")
    by_atlas = answer(capsys, "invent", "--atlas", "wythoff", "--results", str(RESULTS))
    assert by_word.status == by_slope.status == by_atlas.status == 0
    assert by_word.out == by_atlas.out
    assert by_slope.out.splitlines()[1:] == by_word.out.splitlines()[1:]
    assert answer(capsys, "invent", "--atlas", "blocking-3", "--results", str(RESULTS)).status == 1


@pytest.mark.long
def test_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.json"
    said = answer(capsys, "invent", "terminal(2)", "--terminal", "a+b<=2", "--json", str(file))
    assert said.status == 0
    kept = json.loads(file.read_text())
    assert kept["terminal"] == "a+b<=2"
    assert [part["words"] for part in kept["rules"]] == ["n from one pile", "n from both piles"]
    shown = answer(capsys, "invent", "terminal(2)", "--json", "-")
    assert shown.status == 1
    assert json.loads(shown.out)["unreached"]["position"] == [1, 2]


@pytest.mark.parametrize(("arguments", "word"), [
    ((), "no set"),
    (("wythoff()", "--word", "F"), "together"),
    (("x=n", "x=n", "x=n", "x=n"), "two or three"),
    (("nothing",), "unknown predicate"),
    (("a=b &",), "a=b &"),
    (("a=b & b=c & c=d",), "pairs or triples"),
    (("Aa a=a",), "TRUE"),
    (("x=n", "x=m"), "n and x"),
    (("--letters", "0,1", "a=b"), "--word"),
    (("--results", "here", "a=b"), "--atlas"),
    (("--word", "F", "--letters", "a,b"), "integers"),
    (("--word", "F", "--letters", "0,3"), "3"),
    (("--word", "nothing"), "nothing"),
    (("--beatty", "2"), "irrational"),
    (("--beatty", "sqrt("), "sqrt("),
    (("--atlas", "nothing"), "nothing"),
    (("wythoff(", ), "wythoff("),
    (("wythoff()", "--terminal", "a+b<=1"), "terminal"),
    (("wythoff()", "--terminal", "a+c<=1"), "c"),
])
def test_errors_say_what_is_wrong(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], word: str) -> None:
    said = answer(capsys, "invent", *arguments)
    assert (said.status, said.out) == (2, "")
    assert word in said.err
    assert "Traceback" not in said.err


def test_a_budget(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "invent", "--atlas", "splithoff", "--results", str(RESULTS), "--max-states", "20000")
    assert said.status == 3
    assert "Undecided" in said.out
