"""benchmarks/state_counts.py: what it counts, and the logged counts themselves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.state_counts import main

ROOT = Path(__file__).resolve().parents[2]
COUNTS, WORDS = ROOT / "tests" / "data" / "state_counts.json", ROOT / "proofs" / "words.json"

#: Where the counts were logged; not a part of the repository.
LOGGED = ROOT.parent / "shared" / "paper" / "state_counts.json"

EVEN: dict[str, Any] = {
    "name": "even", "command": 'def even "?msd_2 Ey x=2*y":', "steps": [["x=(2*y)", 2], ["(E y x=(2*y))", 2]],
}
TRUE: dict[str, Any] = {
    "name": "t", "command": 'eval t "Ax $even(2*x)":', "steps": [["(A x even(2*x))", 1]], "verdict": True,
}
CALL: dict[str, Any] = {"name": "c", "command": 'eval c "$even(4)":', "steps": [], "verdict": True}


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    def runner(*files: Any) -> tuple[int, list[str]]:
        names = []
        for number, content in enumerate(files):
            file = tmp_path / f"{number}.json"
            file.write_text(content if isinstance(content, str) else json.dumps(content))
            names.append(str(file))
        return main(names), capsys.readouterr().out.splitlines()

    return runner


def test_agreement_across_files_of_one_session(run: Any) -> None:
    assert run([EVEN], [TRUE, CALL]) == (0, ["agree 3 of 3"])


@pytest.mark.parametrize(
    ("entry", "rows", "last"),
    [
        (EVEN | {"steps": [["a", 2], ["b", 7]]}, ["even, step 2: expected 7, found 2  b"], "agree 4 of 5"),
        (EVEN | {"steps": [["a", 2], ["b", 2], ["c", 2]]}, ["even, step 3: expected 2, found no such"], "agree 5 of 6"),
        (EVEN | {"steps": [["a", 2]]}, ["even, step 2: expected no such step, found 2 states"], "agree 4 of 4"),
        (TRUE | {"verdict": False}, ["t, step 1: expected verdict False, found verdict True"], "agree 3 of 4"),
        (CALL | {"verdict": False}, ["c: expected verdict False, found verdict True"], "agree 3 of 3"),
        (EVEN | {"command": 'def even "x=":'}, ["even, step 1: expected 2, found an error", "even,"], "agree 3 of 5"),
        (EVEN | {"verdict": True}, ["even, step 2: expected verdict True, found verdict None"], "agree 4 of 5"),
    ],
)
def test_rows_that_differ(run: Any, entry: Any, rows: list[str], last: str) -> None:
    status, lines = run([EVEN, TRUE, CALL, entry])
    assert status == 1 and lines[-1] == last
    for line, row in zip(lines, rows, strict=False):
        assert line.startswith(row)


@pytest.mark.parametrize("content", ["no json", "{}3", '[{"name": "x"}]', "[1]", '[{"name": 1, "steps": 3}]'])
def test_files_of_another_form(run: Any, content: str) -> None:
    assert run(content) == (2, [])


def test_the_textbook_plan_reproduces_all_logged_counts(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["--words", str(WORDS), str(COUNTS)])
    assert (status, capsys.readouterr().out) == (0, "agree 246 of 246\n")


def test_a_wrong_word_is_seen_in_the_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = json.loads(WORDS.read_text())
    words["G"]["coding"][3] = 0
    changed = tmp_path / "words.json"
    changed.write_text(json.dumps(words))
    logged = json.loads(COUNTS.read_text())
    entries = [entry for entry in logged if not entry["name"].endswith(("W2", "W2_asym"))]
    file = tmp_path / "expected.json"
    file.write_text(json.dumps(entries))
    assert main(["--words", str(changed), str(file)]) == 1
    out = capsys.readouterr().out
    assert "pposK2_asym, step" in out and "testg1, step 9" in out


@pytest.mark.skipif(not LOGGED.is_file(), reason="the log (../shared/paper) is not beside this checkout")
def test_the_counts_here_are_those_of_the_log() -> None:
    assert json.loads(COUNTS.read_text()) == json.loads(LOGGED.read_text())
