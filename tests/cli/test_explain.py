"""`fibprover explain`, and the option --without."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fibprover.prover.plan.rules import RULES
from tests.cli.command import HEAVY, answer

TEXT = "Ex,y x+y=7 & x<y & ~(Ez z+z=x)"


def test_the_tree_the_largest_and_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "explain", TEXT)
    lines = said.out.splitlines()
    assert said.status == 0 and said.err == ""
    assert lines[0].split() == ["states", "transitions", "expected", "ms", "step"]
    assert lines[1].endswith(f"block  {TEXT}")
    assert lines[-3].startswith("largest automaton: 4 states, ")
    assert lines[-2:] == ["TRUE", "  least witness: x = 1, y = 6"]


@pytest.mark.parametrize(
    ("text", "status"), [("0=0", 0), ("0=1", 1), ("x<3", 0), ("Ax x<3", 1), ("$f(x)", 2), ("x<", 2)]
)
def test_status_and_relations(capsys: pytest.CaptureFixture[str], text: str, status: int) -> None:
    said = answer(capsys, "explain", text)
    assert said.status == status and (said.out == "") is (status == 2)


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "explain", "--json", TEXT)
    result: dict[str, Any] = json.loads(said.out)
    assert said.status == 0 and said.out.count("\n") == 1
    assert result["verdict"] is True and result["plan"] == "optimized" and "trace" not in result
    (root,) = result["steps"]
    assert root["operation"] == "block" and root["label"] == TEXT and root["source"] is True
    assert {"join", "difference", "atom"} <= {part["operation"] for part in root["parts"]}
    assert all(set(part) == set(root) for part in root["parts"])


def test_the_textbook_plan(capsys: pytest.CaptureFixture[str]) -> None:
    out = answer(capsys, "explain", "--plan", "textbook", "Ex x=1 & x<2").out.splitlines()
    assert [line.split("  ")[-1] for line in out[1:5]] == ["Ex x=1 & x<2", "x=1 & x<2", "x=1", "x<2"]
    assert "└ &" in out[2] and "  ├ atom" in out[3]


@pytest.mark.parametrize("command", ["eval", "explain"])
@pytest.mark.parametrize("rule", RULES)
def test_without_a_rule(capsys: pytest.CaptureFixture[str], command: str, rule: str) -> None:
    said = answer(capsys, command, "--without", rule, TEXT)
    assert (said.status, said.out.splitlines()[-2:]) == (0, ["TRUE", "  least witness: x = 1, y = 6"])


def test_without_is_repeatable_and_has_an_effect(capsys: pytest.CaptureFixture[str]) -> None:
    text = "x<9 & ~(Ey 2*y=x)"
    assert "complement" not in answer(capsys, "explain", text).out
    assert "complement" in answer(capsys, "explain", "--without", "guarded-difference", text).out
    every = [part for rule in RULES for part in ("--without", rule)]
    found = [answer(capsys, "explain", *off, text).out.splitlines()[-1] for off in ([], every)]
    assert found == ["{x:msd_2}: finite, 5 states"] * 2


@pytest.mark.parametrize("arguments", [["--without", "cash", "x=1"], ["--without", "x=1"], []])
def test_usage(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    said = answer(capsys, "explain", *arguments)
    assert (said.status, said.out) == (2, "") and said.err.count("\n") == 1


def test_a_spent_budget(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "explain", "--max-states", "1000", f"a<3 & {HEAVY}")
    assert said.status == 3 and said.err.startswith("budget spent: the budget of 1000 states is spent")
    assert "a<3" in said.out


def test_names(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_text('def even "Ey x=2*y";\n')
    said = answer(capsys, "explain", "--load", str(script), "--system", "msd_fib", "$even(n-1) & n<6")
    assert said.status == 0 and "$even(" in said.out


def test_deep_formulas(capsys: pytest.CaptureFixture[str]) -> None:
    """As deep as formulas may be: no traceback."""
    text = "x=1"
    for k in range(60):
        text = f"~(Ey{k} y{k}<x & {text})"
    for arguments in ([], ["--json"], ["--plan", "textbook"]):
        said = answer(capsys, "explain", *arguments, text)
        assert said.status == 0, said.err


def test_why_and_at(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "explain", "--why", "Ax Ey x=2*y")
    assert said.status == 1 and [line.split("  ")[0] for line in said.out.splitlines()] == [
        "Ax Ey x=2*y", "\u2514 Ey x=2*y", "",
    ]
    said = answer(capsys, "explain", "--json", "--at", "x=6", "--at", "y=3", "x=2*y | x<y")
    tree: dict[str, Any] = json.loads(said.out)
    assert said.status == 0 and tree["truth"] is True and tree["at"] == {"x": 6, "y": 3}
    assert [part["truth"] for part in tree["parts"]] == [True, False]
    assert answer(capsys, "explain", "--why", "x<3").status == 0


@pytest.mark.parametrize("at", ["x", "x=", "x=a", "x=3,x=4", "y=3", "x=-1", "", "x=1,,"])
def test_values_that_are_none(capsys: pytest.CaptureFixture[str], at: str) -> None:
    said = answer(capsys, "explain", "--at", at, "x<3")
    assert said.status == 2 and said.out == "" and said.err.startswith("error: ")
