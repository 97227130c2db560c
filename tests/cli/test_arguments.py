"""Command lines that cannot be read: one line on standard error, status 2, and the nearest name."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import answer


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["evla", "x=1"], "there is no command evla; did you mean eval?"),
        (["load", "f.txt"], "there is no command load; a script is executed by fibprover run FILE"),
        (["describe", "T"], "there is no command describe; describe is a command of scripts (fibprover run FILE)"),
        (["help", "eval"], "there is no command help; fibprover --help lists the commands"),
        (["nothing"], "there is no command nothing; there is prompt, eval, "),
        (["x=1"], "there is no command x=1; a formula is decided by fibprover eval FORMULA"),
        (["--system", "msd_fib", "eval", "x=1"], "the command comes first, then its options: "),
        (["eval", "--sytem", "msd_fib", "x=1"], "there is no option --sytem; did you mean --system?"),
        (["eval", "--sytem=msd_fib"], "there is no option --sytem; did you mean --system?"),
        (["run", "--keep-goin", "f"], "there is no option --keep-goin; did you mean --keep-going?"),
        (["eval", "-q", "x=1"], "there is no option -q; "),
        (["eval", "x=1", "y=2"], "nothing more is expected, but there is y=2"),
        (["eval"], "FORMULA is missing; fibprover eval --help"),
        (["system"], "ACTION"),
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
    assert f"a script is executed by fibprover run {script}" in answer(capsys, str(script)).err


def test_what_looks_like_an_option(capsys: pytest.CaptureFixture[str]) -> None:
    """After `--`, or with blanks in it, a formula is no option."""
    assert answer(capsys, "eval", "--", "Ax x>=0").out == "TRUE\n"
    assert "expected a formula" in answer(capsys, "eval", "--", "--x").err
    assert "expected a formula" in answer(capsys, "eval", "--x = 1").err


def test_a_command_in_place_of_a_formula(capsys: pytest.CaptureFixture[str]) -> None:
    for text in ('def foo "x=1"', '  def foo "x=1";', "help", "load defs.txt;", "describe $even"):
        said = answer(capsys, "eval", text)
        assert said.status == 2
        assert said.err.startswith(f"error: `{text.split()[0].rstrip(';')}` is a command, and this must be a formula")
        assert "hint: commands are executed by run: fibprover run FILE" in said.err
    assert "is never closed" in answer(capsys, "eval", "first[n").err
    assert answer(capsys, "eval", "test=3 & count=1").status == 0
