"""--vacuity, and the warning about implications under E."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from tests.cli.command import answer

FORMULA = "An Em (m=n+1 => m>n)"
WARNING = "warning: an implication directly under E"


def marked(text: str) -> list[str]:
    """The parts of formulas that have carets below them."""
    lines = text.splitlines()
    return [
        above[below.index("^") : below.rindex("^") + 1] for above, below in pairwise(lines) if set(below) == {" ", "^"}
    ]


def test_eval(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "eval", "--vacuity", FORMULA)
    assert said.status == 0 and said.out.startswith("TRUE\n")
    assert said.out.index("unused: ") < said.out.index("vacuous: ")
    assert marked(said.out) == ["m=n+1", "m>n"]
    assert said.err.startswith(WARNING) and marked(said.err) == ["Em (m=n+1 => m>n)"]
    said = answer(capsys, "eval", "--vacuity", "An n<5 => n<9")
    assert said.out.startswith("TRUE\nevery part matters") and said.err == ""


def test_nothing_is_said_of_vacuity_unless_asked(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "eval", FORMULA)
    assert said.out == "TRUE\n" and said.err.startswith(WARNING)
    assert "vacuity" not in json.loads(answer(capsys, "eval", "--json", FORMULA).out)


@pytest.mark.parametrize(
    ("formula", "why", "status"), [("An n<5", "this one is FALSE", 1), ("n<5", "this one has free variables", 0)]
)
def test_other_formulas(capsys: pytest.CaptureFixture[str], formula: str, why: str, status: int) -> None:
    said = answer(capsys, "eval", "--vacuity", formula)
    assert (said.status, said.err) == (status, "")
    assert said.out.endswith(f"\n(vacuity is about true closed formulas, and {why})\n")
    said = answer(capsys, "eval", "--vacuity", "--json", formula)
    assert json.loads(said.out)["vacuity"] is None


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "eval", "--vacuity", "--json", FORMULA)
    result = json.loads(said.out)
    assert result["vacuity"] == [
        {"grade": "unused", "text": "m=n+1", "start": 7, "end": 12, "replaced_by": True,
         "sentence": "An Em (true => m>n)", "within": []},
        {"grade": "vacuous", "text": "m>n", "start": 16, "end": 19, "replaced_by": False,
         "sentence": "An Em (m=n+1 => false)", "within": []},
    ]
    (warning,) = result["warnings"]
    assert (warning["text"], warning["start"], warning["end"]) == (FORMULA, 3, 20)
    assert WARNING.endswith(warning["message"].partition(":")[0]) and "for values with both" in warning["hint"]


def test_definitions_are_entered_if_asked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_text('def small "x<5 | x=2"; eval s "En $small(n) & n<2";')
    assert "every part matters" in answer(capsys, "run", str(script), "--vacuity").out
    said = answer(capsys, "run", str(script), "--vacuity-deep", "-n", "0")
    assert "eval s: TRUE" in said.out
    finding = said.out[said.out.index("unused: ") :]
    assert "in the definition of small" in finding and marked(finding) == ["x=2"]
    said = answer(capsys, "run", str(script), "--vacuity-deep", "--json")
    lines = [json.loads(line) for line in said.out.splitlines()]
    assert "vacuity" not in lines[0]
    assert [(item["text"], item["within"]) for item in lines[1]["vacuity"]] == [("x=2", ["small"])]


def test_run_warns_with_the_line_and_before_the_outcome(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_text('eval one "Ax x=x";\n\ndef two\n "n=n & Em (m=n+1 => m>n)";\n')
    said = answer(capsys, "run", str(script), "-n", "0")
    assert said.status == 0
    assert said.err.startswith(f"warning: {script}, line 4: an implication directly under E: ")
    assert '\n   "n=n & Em (m=n+1 => m>n)";\n          ^^^^^^^^^^^^^^^^^\n' in said.err
    lines = [json.loads(line) for line in answer(capsys, "run", str(script), "--json").out.splitlines()]
    assert "warnings" not in lines[0]
    (warning,) = lines[1]["warnings"]
    assert warning["text"][warning["start"] : warning["end"]] == "Em (m=n+1 => m>n)"


def test_a_warning_about_a_macro_shows_the_expanded_formula(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    script = tmp_path / "script.txt"
    script.write_text('macro next "E%0 (%0=n+1 => %0>n)";\neval one "An #next(m)";\n')
    said = answer(capsys, "run", str(script))
    assert f"warning: {script}, line 2: an implication directly under E" in said.err
    assert "\n  An Em (m=n+1 => m>n)\n" in said.err


def test_a_formula_that_is_none_is_an_error_and_no_more(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "eval", "Em (m=1 => m=2")
    assert said.status == 2 and "warning" not in said.err and "error: " in said.err
