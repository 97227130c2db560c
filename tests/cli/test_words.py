"""`fibprover words`."""

from __future__ import annotations

import json

import pytest

from fibprover.words.catalogue import ENTRIES
from tests.cli.command import answer


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "words")
    assert said.status == 0
    lines = said.out.splitlines()
    assert [line.split()[0] for line in lines] == list(ENTRIES)
    assert lines[0].split() == ["T", "msd_2", "A010060", "Thue-Morse", "word"]
    assert any("{-1,1} lsd_2 - paperfolding" in " ".join(line.split()) for line in lines)


def test_one(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "words", "PR", "--prefix", "12")
    title, *_, prefix = said.out.splitlines()
    assert title.startswith("PR: ") and prefix.strip() == "001001100011"
    for part in ("lsd_2", "letters 0, 1", "4 states", "A014707"):
        assert part in said.out


@pytest.mark.parametrize(
    ("count", "square"), [(0, []), (1, ["1"]), (5, ["10000", "11000", "10100", "11110", "10001"])]
)
def test_arrays_are_squares(capsys: pytest.CaptureFixture[str], count: int, square: list[str]) -> None:
    said = answer(capsys, "words", "pascal", "--prefix", str(count))
    assert said.out.splitlines()[4:] == [f"  {row}" for row in square]


def test_no_prefix_of_an_index_that_is_no_number(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "words", "PF")
    assert said.out.splitlines()[-1] == "  over {-1,1} lsd_2; letters -1, 0, 1; 5 states"


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [json.loads(line) for line in answer(capsys, "words", "--json", "--prefix", "3").out.splitlines()]
    assert [line["name"] for line in lines] == list(ENTRIES)
    by_name = {line["name"]: line for line in lines}
    word = by_name["VTM"]
    assert (word["prefix"], word["letters"]) == ([2, 1, 0], [0, 1, 2])
    assert (word["oeis"], word["indices"]) == ("A036577", ["msd_2"])
    assert by_name["pascal"]["prefix"] == [[1, 0, 0], [1, 1, 0], [1, 0, 1]]
    folds = by_name["PF"]
    assert (folds["prefix"], folds["oeis"], folds["indices"]) == (None, None, [[-1, 1], "lsd_2"])


def test_unknown(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "words", "PDD")
    assert said.status == 2
    assert "the library has no word PDD" in said.err
    assert "did you mean PD," in said.err


def test_draw_and_formulas_know_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(capsys, "draw", "T").out.startswith('digraph "T"')
    assert answer(capsys, "eval", "Ei T[i]!=T[i+1]").out.startswith("TRUE")
