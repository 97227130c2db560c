"""`fibprover eval`: answers, exit statuses, JSON, errors."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from fibprover.language import parser
from fibprover.language.parser import parse_formula
from fibprover.language.source import Source
from fibprover.prover.verdict.evidence import EvidenceSearch
from tests.cli.command import HEAVY, answer

ANSWERS = [
    (["Ax,y x+y=y+x"], 0, ["TRUE"]),
    (["Ax x<5"], 1, ["FALSE", "x = 5"]),
    (["?msd_fib Ex,y x<y & x+y=8"], 0, ["TRUE", "x = 0, y = 8"]),
    (["--system", "msd_fib", "Ex,y x>2 & x<y & x+y=8"], 0, ["TRUE", "x = 3, y = 5"]),
    (["x<0"], 0, ["{x:msd_2}: empty, 1 state"]),
    (["x<3"], 0, ["{x:msd_2}: finite, 3 states", "0, 1, 2"]),
    (["Ey x=7*y", "-n", "4"], 0, ["{x:msd_2}: infinite, 7 states", "0, 7, 14, 21, ..."]),
    (["Ey x=7*y", "-n", "0"], 0, ["{x:msd_2}: infinite, 7 states"]),
    (["a+b=c & c<2", "--system", "msd_fib"], 0,
     ["{a:msd_fib, b:msd_fib, c:msd_fib}: finite, 2 states", "(0, 0, 0), (0, 1, 1), (1, 0, 1)"]),
    (["--plan", "textbook", "An Em m>n"], 0, ["TRUE"]),
    (["--", "Ax x>=0"], 0, ["TRUE"]),
    (["--no-evidence", "Ax x<5"], 1, ["FALSE"]),
]


@pytest.mark.parametrize(("arguments", "status", "ends"), ANSWERS, ids=[" ".join(case[0]) for case in ANSWERS])
def test_answer(capsys: pytest.CaptureFixture[str], arguments: list[str], status: int, ends: list[str]) -> None:
    """The verdict or the relation, then evidence or members on a line of their own."""
    said = answer(capsys, "eval", *arguments)
    assert (said.status, said.err) == (status, "")
    for line, end in zip(said.out.splitlines(), ends, strict=True):
        assert line.endswith(end)


ERRORS = [
    (["Ex x*x=2"], ["a product needs a constant factor", "  Ex x*x=2\n", "\n     ^^^\n"]),
    (["$nothing(x)"], ["no predicate is called nothing", "\n  ^^^^^^^^\n"]),
    (["x=1 )"], ["\n      ^\n"]),
    (["--system", "msd_0", "x=1"], ["msd_0", "a base lies between"]),
    (["--system", "nowhere", "x=1"], ["there is no numeration system nowhere", "hint: known systems: msd_k"]),
    (["--words", "no/such.json", "x=1"], ["no/such.json", "cannot be read"]),
    (["--load", "no/such.txt", "x=1"], ["no/such.txt", "cannot be read"]),
    (["\udcff=1"], []),
    ([""], []),
]


@pytest.mark.parametrize(("arguments", "parts"), ERRORS, ids=range(len(ERRORS)))
def test_error(capsys: pytest.CaptureFixture[str], arguments: list[str], parts: list[str]) -> None:
    """A mistake is one error on standard error, with the place; no traceback, nothing on standard output."""
    said = answer(capsys, "eval", *arguments)
    assert (said.status, said.out) == (2, "")
    assert said.err.startswith("error: ")
    assert "Traceback" not in said.err
    for part in parts:
        assert part in said.err


USAGE = [
    ["eval"], ["nonsense"], ["eval", "x=1", "--plan", "clever"], ["eval", "x=1", "--nonsense"],
    ["eval", "x=1", "y=2"],
    *(["eval", "x=1", "--timeout", text] for text in ("0", "-1", "nan", "inf", "soon", "")),
    *(["eval", "x=1", "--max-memory", text] for text in ("0", "-5M", "5X", "M", "1e9", "٣M", "")),
    *(["eval", "x=1", "--max-states", text] for text in ("0", "-3", "1.5", "00")),
    *(["eval", "x=1", "-n", text] for text in ("-1", "x", "9" * 30)),
    ["run"], ["draw"], ["draw", "x=1", "--limit", "0"], ["ev", "x=1"], ["eval", "x=1", "--tim", "5"],
]


@pytest.mark.parametrize("arguments", USAGE, ids=" ".join)
def test_usage(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    said = answer(capsys, *arguments)
    assert (said.status, said.out) == (2, "")
    assert said.err.startswith("error: ") and said.err.count("\n") == 1


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(capsys, "--version").out.split() == ["fibprover", version("fibprover")]


@pytest.mark.parametrize("arguments", [["--help"], ["eval", "--help"], ["run", "--help"], ["draw", "-h"]], ids=" ".join)
def test_help_has_examples(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    said = answer(capsys, *arguments)
    assert said.status == 0
    assert "examples:\n  " in said.out


def json_answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    said = answer(capsys, "eval", "--json", *arguments)
    assert said.out.count("\n") == 1
    result = json.loads(said.out)
    assert isinstance(result, dict)
    return said.status, result


RECORD = {"label": str, "operation": str, "states": int, "transitions": int, "seconds": float, "source": bool}


def test_the_verdict_is_printed_before_the_evidence_is_known(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(EvidenceSearch, "evidence", lambda search: print("(searching)"))
    assert answer(capsys, "eval", "Ex x>3").out == "TRUE\n(searching)\n"


def test_json_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    status, result = json_answer(capsys, "Ax x<5")
    assert status == 1
    seconds, largest = result.pop("seconds"), result.pop("largest")
    assert isinstance(seconds, float)
    assert largest >= 1
    assert result == {
        "kind": "verdict", "formula": "Ax x<5", "plan": "optimized", "verdict": False,
        "evidence": {"kind": "counterexample", "values": {"x": 5}, "least": True},
    }


def test_json_verdict_without_evidence(capsys: pytest.CaptureFixture[str]) -> None:
    status, result = json_answer(capsys, "Ax,y x+y=y+x", "--plan", "textbook")
    assert (status, result["verdict"], result["evidence"], result["plan"]) == (0, True, None, "textbook")


def test_json_relation(capsys: pytest.CaptureFixture[str]) -> None:
    status, result = json_answer(capsys, "--system", "msd_fib", "a+b=c & c<6", "-n", "3")
    assert status == 0
    for name in ("seconds", "largest", "transitions"):
        assert result.pop(name) >= 0
    assert result == {
        "kind": "relation", "formula": "a+b=c & c<6", "plan": "optimized", "names": ["a", "b", "c"],
        "systems": ["msd_fib"] * 3, "states": 10, "empty": False, "finite": True,
        "first": [[0, 0, 0], [0, 1, 1], [1, 0, 1]],
    }


def test_json_numbers_are_exact(capsys: pytest.CaptureFixture[str]) -> None:
    status, result = json_answer(capsys, f"x={10**30}", "-n", "2")
    assert (status, result["first"], result["finite"]) == (0, [[10**30]], True)


def test_json_trace(capsys: pytest.CaptureFixture[str]) -> None:
    _, result = json_answer(capsys, "--trace", "--plan", "textbook", "Ex x=1 & x<2")
    assert [step["label"] for step in result["trace"]] == ["x=1", "x<2", "x=1 & x<2", "Ex x=1 & x<2"]
    for step in result["trace"]:
        assert {name: type(value) for name, value in step.items()} == RECORD


def test_json_error(capsys: pytest.CaptureFixture[str]) -> None:
    status, result = json_answer(capsys, "x=1 & $foo(x)")
    assert status == 2
    assert "def foo" in result.pop("hint")
    assert result == {
        "kind": "error", "error": "UnknownName", "message": "no predicate is called foo",
        "text": "x=1 & $foo(x)", "start": 6, "end": 10,
    }


def test_trace(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "eval", "--trace", "--plan", "textbook", "Ex x=1 & x<2")
    lines = said.out.splitlines()
    assert [line.rsplit("  ", 1)[-1].strip() for line in lines[:4]] == ["x=1", "x<2", "x=1 & x<2", "Ex x=1 & x<2"]
    assert lines[4].endswith("largest automaton: 2 states")
    assert lines[5:] == ["TRUE", "  least witness: x = 1"]


def test_budget_of_states(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "eval", "--max-states", "1000", HEAVY)
    assert (said.status, said.out) == (3, "")
    assert said.err.startswith("budget spent: the budget of 1000 states is spent while building a linear atom (1001 ")


def test_budget_of_seconds_names_the_users_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "eval", "--timeout", "0.5", "--json", "--trace", f"Ex x=1 & {HEAVY}")
    result = json.loads(said.out)
    assert said.status == 3
    assert (result["kind"], result["error"]) == ("error", "BudgetSpent")
    assert (result["resource"], result["limit"]) == ("seconds", 0.5)
    assert "the budget of 0.5 s is spent" in said.err


def test_a_spent_budget_shows_the_steps_before_it(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "eval", "--max-states", "1000", "--plan", "textbook", "--trace", f"a<3 & {HEAVY}")
    assert said.status == 3
    assert "a<3" in said.out
    assert "largest automaton: 3 states" in said.out


def test_words_and_files(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words, script, automaton = tmp_path / "words.json", tmp_path / "script.txt", tmp_path / "TM.txt"
    words.write_text('{"Z": {"morphism": [[0, 1], [0]], "coding": [0, 1], "system": "msd_fib"}}')
    script.write_text('# definitions\ndef even "Ey x=2*y";\neval skipped "Ax x=1";\n')
    automaton.write_text("msd_2\n0 0\n0 -> 0\n1 -> 1\n1 1\n0 -> 1\n1 -> 0\n")
    given = ["--words", str(words), "--load", str(script), "--load", str(automaton)]
    assert answer(capsys, "eval", *given, "An $even(n) | $even(n+1)").out == "TRUE\n"
    assert answer(capsys, "eval", *given, "TM[n]=1", "-n", "4").out.endswith("  1, 2, 4, 7, ...\n")
    assert answer(capsys, "eval", *given, "$TM(n)", "-n", "4").out.endswith("  1, 2, 4, 7, ...\n")
    assert answer(capsys, "eval", *given, "?msd_fib Z[n]=1", "-n", "3").out.endswith("  1, 4, 6, ...\n")


FILES = [
    ("--load", b"def even \"Ey x=2*z\";", "line 1: "),
    ("--load", b"def even \"Ey x=2*y\"", "line 1: "),
    ("--load", b"\x00\x01", "zero byte"),
    ("--load", b"\xff\xfe", "not UTF-8"),
    ("--load", b"msd_2\n0 1\n0 -> 7\n", "line 3"),
    ("--load", b"msd_2\n", "no state"),
    ("--words", b"[1, 2]", "one object"),
    ("--words", b"{\"W\": {}}", "morphism"),
    ("--words", b"{", "not JSON"),
    ("--words", b"\xff", "not UTF-8"),
]


@pytest.mark.parametrize(("option", "content", "part"), FILES, ids=range(len(FILES)))
def test_malformed_files(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, option: str, content: bytes, part: str
) -> None:
    file = tmp_path / "given"
    file.write_bytes(content)
    said = answer(capsys, "eval", option, str(file), "x=1")
    assert (said.status, said.out) == (2, "")
    assert part in said.err
    assert str(file) in said.err


def test_folders_and_odd_names(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for option in ("--words", "--load"):
        for name in (str(tmp_path), str(tmp_path / "a\0b"), ""):
            said = answer(capsys, "eval", option, name, "x=1")
            assert (said.status, said.out) == (2, "")
            assert "Traceback" not in said.err
            assert "internal" not in said.err


def test_a_defect_is_one_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ValueError("something\nunexpected")

    monkeypatch.setattr("fibprover.workspace.session.Session.eval", broken)
    said = answer(capsys, "eval", "x=1")
    assert said.status == 2
    assert said.err.startswith("internal error: ValueError: something unexpected")
    assert "--debug" in said.err and said.err.count("\n") == 1
    said = answer(capsys, "eval", "x=1", "--debug")
    assert said.status == 2
    assert said.err.startswith("Traceback")


@pytest.mark.parametrize("options", [(), ("--json",), ("--vacuity",), ("--trace",)])
def test_a_formula_is_parsed_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], options: tuple[str, ...]
) -> None:
    parsed: list[str] = []

    def counted(text: str) -> Source:
        parsed.append(text)
        return parse_formula(text)

    monkeypatch.setattr(parser, "parse_formula", counted)
    assert answer(capsys, "eval", "Ex,y x>2 & x<y & x+y=8", *options).status == 0
    assert parsed == ["Ex,y x>2 & x<y & x+y=8"]


@pytest.mark.parametrize(
    "formula", ["Ex $p(x)", "Ax,y $p(x,y) => y<=x", "$p(n,s)", "x>0 & $p(n-1,x)", "$p() & x>1", "~$p(x)"]
)
def test_a_name_that_the_shell_has_dropped(capsys: pytest.CaptureFixture[str], formula: str) -> None:
    """In double quotes, in which formulas stand in scripts, a shell replaces $p by nothing."""
    for command in ("eval", "explain", "draw"):
        said = answer(capsys, command, formula.replace("$p", ""))
        assert said.status == 2
        assert "the shell has expanded it: write '...'" in said.err


@pytest.mark.parametrize("formula", ["T(n)=1", "(x+1) & $p(x)", "x=(2+", "2*(x+1)", "(x=1) & (y"])
def test_other_brackets_are_not_the_shell_s(capsys: pytest.CaptureFixture[str], formula: str) -> None:
    said = answer(capsys, "eval", formula)
    assert said.status == 2
    assert "shell" not in said.err


def test_an_automaton_that_is_not_deterministic_is_loaded_as_a_predicate(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "two.txt").write_text("msd_2\n0 0\n0 -> 0\n1 -> 0 1\n1 1\n0 -> 1\n1 -> 1\n")
    given = ["eval", "--load", str(tmp_path / "two.txt")]
    assert answer(capsys, *given, "Ax $two(x) <=> x>0").out == "TRUE\n"
    said = answer(capsys, *given, "two[x]=1")
    assert (said.status, "no word is called two" in said.err, "write $two" in said.err) == (2, True, True)


def test_counts(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    said = answer(capsys, "eval", "--counts", "n", "--matrices", str(tmp_path / "f.json"), "i<n & j<n")
    assert (said.status, said.err) == (0, "")
    assert said.out.endswith("dimension 3: " + ", ".join(str(n * n) for n in range(16)) + ", ...\n")
    assert json.loads((tmp_path / "f.json").read_text())["variables"] == ["n"]
    status, found = json_answer(capsys, "--counts", "n, m", "i<n & j<m")
    assert status == 0 and found["kind"] == "answer" and found["text"].startswith("sequence of n, m over msd_2")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--matrices", "f.mpl", "i<n"], "--counts"), (["--counts", "n", "An n>=0"], "no free variable"),
        (["--counts", "k", "i<n"], "k is not a free variable"), (["--counts", "n", "--matrices", "f.x", "i<n"], "f.x"),
    ],
)
def test_what_cannot_be_counted(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    said = answer(capsys, "eval", *arguments)
    assert said.status == 2 and message in said.err


def test_nondeterministic(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "sums.txt"
    said = answer(capsys, "eval", "--nfa-file", str(file), "-n", "3", "Ei,j n=i+j & i>3 & T[j]=@1")
    assert said.status == 0 and "nondeterministic" in said.out and said.out.endswith("  5, 6, 7, ...\n")
    assert " -> " in file.read_text()
    status, result = json_answer(capsys, "--nfa", "Ey x=3*y")
    assert status == 0 and result["nondeterministic"] is True and result["first"][:3] == [[0], [3], [6]]
    assert (result["states"], result["transitions"], result["finite"], result["empty"]) == (3, 6, False, False)


@pytest.mark.parametrize("arguments", [
    ("--nfa", "Ax x=y"), ("--nfa", "Ex x=3"), ("--nfa", "--trace", "Ex y=2*x"), ("--nfa", "--counts", "y", "Ex y=2*x"),
    ("--nfa-file", "a.png", "Ex y=2*x"), ("--nfa", "--vacuity", "Ex y=2*x"),
    ("--nfa-file", "nowhere/a.txt", "Ex y=2*x"),
])
def test_what_does_not_go_with_a_nondeterministic_automaton(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    said = answer(capsys, "eval", *arguments)
    assert said.status == 2 and said.err.startswith("error: ") and not said.out
