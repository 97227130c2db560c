"""--vacuity, and the warning about implications under E."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import answer

FORMULA = "An Em (m=n+1 => m>n)"
WARNING = (
    "an implication directly under E: true as soon as its left side is false of some m\n"
    "  An Em (m=n+1 => m>n)\n"
    "     ^^^^^^^^^^^^^^^^^\n"
    "  hint: for values with both properties write &, for all values with the first write A; "
    "if it is meant, ~ and | say so\n"
)
FINDINGS = (
    "unused: this may be true\n"
    "  An Em (m=n+1 => m>n)\n"
    "         ^^^^^\n"
    "vacuous: what this => implies may be false\n"
    "  An Em (m=n+1 => m>n)\n"
    "                  ^^^\n"
)


def test_eval(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "eval", "--vacuity", FORMULA)
    assert (said.status, said.out, said.err) == (0, "TRUE\n" + FINDINGS, "warning: " + WARNING)
    said = answer(capsys, "eval", "--vacuity", "An n<5 => n<9")
    assert (said.out, said.err) == ("TRUE\nevery part matters: none is vacuous, none unused\n", "")


def test_nothing_is_said_of_vacuity_unless_asked(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "eval", FORMULA)
    assert (said.out, said.err) == ("TRUE\n", "warning: " + WARNING)
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
    assert warning["message"] in WARNING and warning["hint"] in WARNING


def test_definitions_are_entered_if_asked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_text('def small "x<5 | x=2"; eval s "En $small(n) & n<2";')
    assert "every part matters" in answer(capsys, "run", str(script), "--vacuity").out
    said = answer(capsys, "run", str(script), "--vacuity-deep", "-n", "0")
    assert said.out == (
        "def small: {x:msd_2}: finite, 4 states\n"
        "eval s: TRUE\n  witness: n = 0\n"
        "unused: this may be false (in the definition of small)\n  x<5 | x=2\n        ^^^\n"
    )
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
