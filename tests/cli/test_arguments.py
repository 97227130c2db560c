"""Command lines that cannot be read: one line on standard error, status 2, and the nearest name."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import answer


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["evla", "x=1"], "unknown command `evla`; did you mean eval?"),
        (["load", "f.txt"], "unknown command `load`; to run a script: fibprover run FILE"),
        (["describe", "T"], "unknown command `describe`; describe is a command for scripts (fibprover run FILE)"),
        (["help", "nothing"], "unknown command `help`; fibprover --help lists the commands"),
        (["nothing"], "unknown command `nothing`. Commands: prompt, eval, "),
        (["x=1"], "unknown command `x=1`; to decide a formula: fibprover eval FORMULA"),
        (["--system", "msd_fib", "eval", "x=1"], "the command comes first, then its options: "),
        (["eval", "--sytem", "msd_fib", "x=1"], "unknown option --sytem; did you mean --system?"),
        (["eval", "--sytem=msd_fib"], "unknown option --sytem; did you mean --system?"),
        (["run", "--keep-goin", "f"], "unknown option --keep-goin; did you mean --keep-going?"),
        (["eval", "--bogus", "x=1"], "unknown option --bogus; fibprover eval --help lists the options"),
        (["eval", "-q", "x=1"], "unknown option -q; "),
        (["eval", "x=1", "y=2"], "unexpected argument y=2"),
        (["eval"], "missing: FORMULA; fibprover eval --help"),
        (["system"], "missing: ACTION"),
        (["eval", "--plan", "texbook", "x=1"], "--plan cannot be texbook; did you mean textbook?"),
        (["kernel", "instal"], "ACTION cannot be instal; did you mean install?"),
        (["eval", "--timeout", "soon", "x=1"], "--timeout: 'soon' is not a positive number of seconds"),
    ],
)
def test_one_line(capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    given = answer(capsys, *words)
    assert (given.status, given.out) == (2, "")
    assert given.err.startswith(f"error: {said}") and given.err.count("\n") == 1


def test_a_file_in_place_of_a_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_text("")
    assert f"to run a script: fibprover run {script}" in answer(capsys, str(script)).err


def test_what_looks_like_an_option(capsys: pytest.CaptureFixture[str]) -> None:
    """After `--`, or with blanks in it, a formula is no option."""
    assert answer(capsys, "eval", "--", "Ax x>=0").out == "TRUE\n"
    assert "expected a formula" in answer(capsys, "eval", "--", "--x").err
    assert "expected a formula" in answer(capsys, "eval", "--x = 1").err


def test_a_command_in_place_of_a_formula(capsys: pytest.CaptureFixture[str]) -> None:
    for text in ('def foo "x=1"', '  def foo "x=1";', "help", "load defs.txt;", "describe $even"):
        said = answer(capsys, "eval", text)
        assert said.status == 2
        assert said.err.startswith(f"error: `{text.split()[0].rstrip(';')}` is a command, but a formula is expected")
        assert "hint: to run commands: fibprover run FILE" in said.err
    assert "is never closed" in answer(capsys, "eval", "first[n").err
    assert answer(capsys, "eval", "test=3 & count=1").status == 0


def test_help_of_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    for words, same in ((["help", "eval"], ["eval", "--help"]), (["help"], ["--help"])):
        asked = answer(capsys, *words)
        assert asked == answer(capsys, *same) and asked.out.startswith("usage: fibprover")
