"""`fibprover system`, and base files on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fibprover.frontends.cli.system import LISTED
from fibprover.numeration import system_named
from tests.cli.command import answer
from tests.numeration.test_composed import adder_of, mixed_radix, moved, write_base


def test_describe(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "system", "describe", "pell", "lsd_neg_2", "sqrt(3)")
    assert (said.status, said.err) == (0, "")
    assert "msd_pell: greedy" in said.out
    assert "lsd_neg_2: msd_neg_2 read least significant digit first" in said.out
    assert "continued fraction [0; 3, (1, 2)]" in said.out


@pytest.mark.parametrize("name", ["Fibonacci", "zeckendorf", "golden"])
def test_systems_have_human_names(capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert answer(capsys, "system", name).out == answer(capsys, "system", "msd_fib").out


def test_a_formula_is_told_the_name_of_a_system(capsys: pytest.CaptureFixture[str]) -> None:
    for name, meant in (("zeckendorf", "msd_fib"), ("lsd_binary", "lsd_2")):
        said = answer(capsys, "eval", f"?{name} x=x")
        assert said.status == 2 and f"did you mean {meant}?" in said.err


def test_verify(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "system", "verify", "fib", "neg_2")
    assert (said.status, said.err) == (0, "")
    assert len(said.out.splitlines()) == 2
    listed = answer(capsys, "system", "verify", "fib", "--checks").out
    assert "ok   x + 0 = x" in listed
    found = json.loads(answer(capsys, "system", "--json", "verify", "trib").out)
    assert (found["system"], found["verified"], found["failed"]) == ("msd_trib", True, [])


def test_a_system_that_does_not_verify(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    system = system_named("fib")
    right = type(system).linear
    monkeypatch.setattr(type(system), "linear", lambda self, c, r, k, b: right(self, c, r, k + (len(c) == 3), b))
    said = answer(capsys, "system", "verify", "fib")
    assert said.status == 1
    assert "FAIL x + 0 = x" in said.out
    assert "NOT VERIFIED" in said.out


def test_write(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "system", "write", "msd_fib", "lsd_fib", "100", "0", "wythoff_10", "10")
    assert said.status == 0
    assert said.out.splitlines()[:3] == ["msd_fib 100: 1000010100", "msd_fib 0: (empty)", "msd_fib 10: 10010"]
    assert "lsd_fib 100: 0010100001" in said.out
    assert "msd_wythoff_10 10: [10]" in said.out
    assert answer(capsys, "system", "write", "neg_2", "--", "-5").out == "msd_neg_2 -5: 1111\n"


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "system", "list", "fib", "lsd_fib")
    assert [line.split()[:4] for line in said.out.splitlines()[1:]] == [
        ["msd_fib", "2", "2", "16"], ["lsd_fib", "2", "2", "21"],
    ]
    assert all(system_named(name).name == name for name in LISTED)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["describe"], "describe needs a system"),
        (["write", "fib"], "write needs a system and a number"),
        (["write", "fib", "--", "-1"], "-1 is negative"),
        (["describe", "nosuch"], "there is no numeration system"),
        (["describe", "sqrt(4)"], "rational"),
        (["describe", "sqrt(4"], "is expected here"),
        (["verify", "absent.txt"], "is in a file called"),
    ],
)
def test_errors(capsys: pytest.CaptureFixture[str], arguments: list[str], why: str) -> None:
    said = answer(capsys, "system", *arguments)
    assert said.status == 2
    assert why in said.err


@pytest.mark.long
def test_bases(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = write_base(tmp_path, "msd_mixed", *mixed_radix())
    said = answer(capsys, "eval", "--base", str(path), "--system", "mixed", "An Em,r n=6*m+r & r<6")
    assert (said.status, said.out.strip()) == (0, "TRUE")
    said = answer(capsys, "system", "verify", str(path))
    assert "msd_mixed: verified" in said.out
    fib = system_named("fib")
    wrong = write_base(tmp_path, "msd_wrong", fib.valid, moved(adder_of(fib), 3))
    said = answer(capsys, "eval", "--base", str(wrong), "x=1")
    assert said.status == 2
    assert "does not verify" in said.err


def test_the_command_ost(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_text('ost root3 [0 3] [1 2];\neval t "?root3 Ax,y x+y=y+x";\neval u "?lsd_root3 Ex x=7";')
    said = answer(capsys, "run", str(script))
    assert said.status == 0
    assert said.out.splitlines()[:2] == ["ost root3: msd_root3", "eval t: TRUE"]
    for text, why in (
        ("ost root3 [0 3];", "expected numbers in brackets"),
        ("ost root3 [0 3] [];", "needs a period"),
        ("ost root3 [0 0] [1];", "at least 1"),
        ("ost fib [0 3] [1 2];", "another numeration system is already called msd_fib"),
    ):
        script.write_text(text)
        said = answer(capsys, "run", str(script))
        assert said.status == 2
        assert why in said.err
    script.write_text("ost fib [0 2] [1];")
    assert answer(capsys, "run", str(script)).status == 0


def test_a_system_without_an_action_is_described(capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(capsys, "system", "fib", "neg_2").out == answer(capsys, "system", "describe", "fib", "neg_2").out
    assert answer(capsys, "system", "verfy", "fib").status == 2
