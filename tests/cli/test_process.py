"""What only a process of its own shows: signals, pipes, terminals, memory, imports."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import HEAVY, finished, started

#: Ends a test whose Ctrl-C is not heard: then the status is 3.
SAFE = ("--max-memory", "1G")

#: Two commands: the first answers at once, the second never.
SCRIPT = f'eval quick "Ax x>=0"; eval slow "{HEAVY}";'


@pytest.fixture
def script(tmp_path: Path) -> str:
    file = tmp_path / "script.txt"
    file.write_text(SCRIPT)
    return str(file)


def test_interrupt(script: str) -> None:
    process = started("run", script, *SAFE)
    assert process.stdout is not None
    assert process.stdout.readline() == "eval quick: TRUE\n"
    process.send_signal(signal.SIGINT)
    said = finished(process)
    assert (said.status, said.out) == (130, "")
    assert "interrupted" in said.err and said.err.count("\n") == 1


@pytest.mark.long
def test_memory_ends_near_the_limit() -> None:
    """The peak is read from the process itself: that of a child is mixed with its parent's."""
    if not Path("/proc/self/status").is_file():
        pytest.skip("the peak memory of a process is read from /proc")
    peak = "print(next(line for line in open('/proc/self/status') if line.startswith('VmHWM')))\n"
    said = finished(started("eval", HEAVY, "--max-memory", "200M", afterwards=peak))
    assert said.status == 3
    assert said.err.startswith("budget spent: the budget of 200 MiB of memory is spent while building a linear atom")
    kilobytes = int(said.out.split()[1])
    assert 100_000 < kilobytes < 300_000


def test_imports_of_an_evaluation() -> None:
    """The cold start has no time for these."""
    ours = {"fibprover.frontends.display.svg", "fibprover.campaigns.theorems", "fibprover.frontends.display.html"}
    check = f"print(sorted({ours | {'numpy', 'pyeda', 'rich', 'IPython'}} & set(sys.modules)))\n"
    said = finished(started("eval", "Ax,y x+y=y+x", afterwards=check))
    assert (said.status, said.out, said.err) == (0, "TRUE\n[]\n", "")


def test_no_progress_in_a_pipe() -> None:
    said = finished(started("eval", "--timeout", "1", HEAVY))
    assert said.status == 3
    assert said.out == ""
    assert said.err.startswith("budget spent: the budget of 1 s is spent")


def interrupted(process: subprocess.Popen[str], begins: str) -> tuple[int, list[str]]:
    """Interrupt a command after the first line of progress that begins like this.

    Return its status, and on standard error that line and those after it.
    """
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith(begins):
            process.send_signal(signal.SIGINT)
            said = finished(process)
            return said.status, [line, *said.err.splitlines()]
    raise AssertionError(f"no line begins with {begins}")


def test_plain_progress_in_a_pipe() -> None:
    asked = ("--timeout", "60", "--max-memory", "2G", "--progress", "plain")
    status, (first, *_, last) = interrupted(
        started("eval", *asked, f"a<3 & {HEAVY}"), "step 1  a linear atom: "
    )
    assert status == 130
    assert "states so far  " in first
    assert " of 2.0 GiB  " in first
    assert "interrupted" in last
    assert "\x1b" not in first + last


@pytest.mark.long
def test_the_progress_of_a_script_counts_its_commands(tmp_path: Path) -> None:
    file = tmp_path / "script.txt"
    before = 'def p "x=1";\ndef q "x=2";\ndef r "x=3";\n'
    for text, begins in (
        (f'{before}eval heavy "{HEAVY}";\nquit;\neval never "Ax x=x";\n', "3 of 4 (75%)  eval heavy  "),
        (f'eval heavy "{HEAVY}";', "eval heavy  "),
    ):
        file.write_text(text)
        status, _ = interrupted(started("run", *SAFE, "--progress", "plain", str(file)), begins)
        assert status == 130


def test_no_progress_on_a_terminal_that_wants_none() -> None:
    ours, theirs = pty.openpty()
    try:
        process = started("eval", "--timeout", "0.7", "--progress", "none", HEAVY, stderr=theirs)
        os.close(theirs)
        process.communicate(timeout=300)
        seen = _rest(ours)
    finally:
        os.close(ours)
    assert seen.startswith(b"budget spent: ")


def test_progress_on_a_terminal() -> None:
    """It appears, names what is done and how large it is so far, and is erased at the end."""
    ours, theirs = pty.openpty()
    try:
        process = started("eval", "--plan", "textbook", *SAFE, f"a<3 & {HEAVY}", stderr=theirs)
        os.close(theirs)
        seen = b""
        while b"states so far" not in seen:
            seen += os.read(ours, 4096)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=300)
        seen += _rest(ours)
    finally:
        os.close(ours)
    assert (process.returncode, out) == (130, "")
    assert b"step 1" in seen
    assert b"30000001*a" in seen
    assert seen.endswith(b"\x1b[Kinterrupted\r\n")


def _rest(terminal: int) -> bytes:
    seen = b""
    while True:
        try:
            more = os.read(terminal, 4096)
        except OSError:  # how a closed terminal ends on Linux
            return seen
        if not more:
            return seen
        seen += more


@pytest.mark.parametrize("arguments", [("eval", "Ax x>=0"), ("eval", "x>=0", "-n", "20000"), ("draw", "x<50")], ids=str)
def test_a_reader_that_goes_away(arguments: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    process = started(*arguments, stdout=writing)
    os.close(writing)
    said = finished(process)
    assert (said.status, said.err) == (141, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk_is_an_error() -> None:
    with Path("/dev/full").open("w") as full:
        said = finished(started("eval", "Ax x>=0", stdout=full))
    assert said.status == 2
    assert said.err.startswith("error: ")
    assert said.err.count("\n") == 2 and "hint: make room" in said.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("words", [("--help",), ("--version",), ("eval", "--help")])
def test_help_that_cannot_be_written_is_an_error(words: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        said = finished(started(*words, stdout=full))
    assert said.status == 2
    assert said.err.startswith("error: ") and "hint: make room" in said.err


def test_a_module_runs_as_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "fibprover", "eval", "Ax x<5"], capture_output=True, text=True, check=False, timeout=300
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("FALSE") and "x = 5" in done.stdout


def test_a_limit_ends_what_waits_for_input() -> None:
    with started("run", "-", "--timeout", "0.5", stdin=subprocess.PIPE) as process:
        assert process.wait(timeout=100) == 3  # standard input is open all the while
        assert process.stderr is not None and "0.5 s" in process.stderr.read()


def test_a_limit_ends_what_waits_for_a_reader(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.dot"
    os.mkfifo(pipe)
    said = finished(started("draw", "x<3", "-o", str(pipe), "--timeout", "0.5"))
    assert said.status == 3 and "0.5 s" in said.err


def test_standard_output_as_a_file_is_not_replaced(tmp_path: Path) -> None:
    file = tmp_path / "kept.txt"
    file.write_text("precious\n")
    with file.open("a") as stream:
        said = finished(started("draw", "x<3", "--format", "dot", "-o", "/dev/stdout", stdout=stream))
        assert said.status == 0
    assert file.read_text().startswith("precious\ndigraph")


def test_limits_that_are_spent_at_once_are_an_object_too() -> None:
    said = finished(started("eval", "--json", "Ax x>=0", "--max-memory", "1M"))
    assert said.status == 3 and json.loads(said.out)["resource"] == "bytes"
