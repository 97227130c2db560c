"""No call of C escapes a budget in a process that another one watches: it is killed, or gets no memory."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import fibprover as fp
from fibprover.base.errors import FileProblem
from fibprover.base.limits import Limits, resident_bytes
from fibprover.frontends.cli import main as program
from fibprover.frontends.cli import supervisor
from fibprover.frontends.cli.main import complete_parser, is_limited_by_parts
from fibprover.frontends.cli.tool_process import Cancellation, ToolProcess
from fibprover.frontends.conversation import options
from fibprover.workspace.supervision import seconds_to_kill
from tests.cli.command import HEAVY, finished, started
from tests.sweeps import deeds
from tests.test_interrupts import SLOW

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the system's limits are those of POSIX")

#: As Python that replaces what a command does: calls of C that poll nothing, and cannot be interrupted.
STUCK, LARGE = "sum(__import__('itertools').repeat(0))", "bytearray(8 << 30)"

_START = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from fibprover.frontends.cli import eval as command
from fibprover.frontends.cli.main import main
command.run = lambda arguments: len(str({work})) and 0
sys.exit(main())
"""


def replaced(work: str, *arguments: str) -> subprocess.Popen[str]:
    """Start `fibprover eval --hard` with other work to do."""
    command = [sys.executable, "-c", _START.replace("{work}", work), "eval", "x=1", "--hard", *arguments]
    return subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


@pytest.mark.parametrize("option", ["--timeout", "--cpu-timeout"])
def test_a_call_that_does_not_end_is_killed(option: str) -> None:
    said = finished(replaced(STUCK, option, "0.2"))
    assert (said.status, said.out) == (3, "")
    assert said.err.startswith("budget spent: the budget of 0.2 s is spent") and "killed" in said.err


def test_a_call_that_takes_too_much_memory_gets_none() -> None:
    said = finished(replaced(LARGE, "--max-memory", "150M"))
    assert (said.status, said.out) == (3, "")
    assert said.err.startswith("budget spent: the budget of 150 MiB of memory is spent")


@pytest.mark.long
def test_other_commands_do_what_they_do_without_it(tmp_path: Path) -> None:
    assert finished(started("eval", "Ax Ey y>x", "--hard")).out == "TRUE\n"
    said = finished(started("run", str(tmp_path / "none.txt"), "--hard"))
    assert said.status == 2 and said.err.count("error: ") == 1
    assert finished(started("eval", HEAVY, "--hard", "--max-states", "1000")).status == 3


@pytest.mark.parametrize(("name", "status"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_signals_reach_the_process_that_works(name: str, status: int, tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_text(f'eval quick "Ax x>=0"; eval slow "{HEAVY}";')
    process = started("run", str(script), "--hard", "--max-memory", "1G")
    assert process.stdout is not None and process.stdout.readline() == "eval quick: TRUE\n"
    process.send_signal(signal.Signals[name])
    said = finished(process)
    assert (said.status, said.out, said.err.count("\n")) == (status, "", 1)


# Workers


@pytest.mark.long
def test_a_task_that_does_not_end_is_killed_and_others_are_not(tmp_path: Path) -> None:
    cases = ["quick", "stuck", "quick too"]
    records = fp.sweep(deeds.maybe_stuck, cases, jobs=2, limits=Limits(seconds=0.4))
    assert [each.state for each in records] == ["done", "failed", "done"]
    assert "the budget of time is spent" in records[1].error and records[1].attempts == 1


def test_a_task_that_takes_too_much_memory_gets_none() -> None:
    limits = Limits(bytes=resident_bytes() + (100 << 20))
    (record,) = fp.sweep(deeds.large, [8 << 30], jobs=1, limits=limits)
    assert record.state == "failed" and "of memory is spent" in record.error


# Tools


class Tools:
    """Tools of which one is stuck."""

    def __init__(self) -> None:
        self.defined: list[str] = []

    def define(self, commands: str, seconds: float = 0.0) -> dict[str, Any]:
        """Define a name; without end if it is the name of a file that exists."""
        while os.path.exists(commands):
            pass
        self.defined.append(commands)
        return {"kind": "done", "results": [commands]}

    def decide(self, formula: str, seconds: float = 0.0) -> dict[str, Any]:
        """Return what is defined; never, if asked for."""
        if formula == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if formula == "stuck":
            return {"kind": sum(itertools.repeat(0))}
        while formula == "slow":
            pass
        if formula.startswith("import "):
            folder, name = os.path.split(formula.removeprefix("import "))
            sys.path.insert(0, folder)
            import_module(name)
            while True:
                pass
        if formula.startswith("imported "):
            return {"whole": hasattr(sys.modules.get(formula.removeprefix("imported ")), "done")}
        return {"defined": self.defined}


@pytest.fixture
def process() -> Iterator[ToolProcess]:
    made = ToolProcess(Tools, Limits(seconds=20))
    yield made
    made.close()


@pytest.mark.long
def test_a_tool_that_does_not_end_is_killed_and_definitions_are_kept(process: ToolProcess) -> None:
    process.answer("define", {"commands": "one"}, Cancellation())
    begun = time.monotonic()
    found = process.answer("decide", {"formula": "stuck", "seconds": 0.2}, Cancellation())
    assert time.monotonic() - begun < 15
    assert (found["error"], found["resource"], found["limit"]) == ("BudgetSpent", "seconds", 0.2)
    assert process.answer("decide", {"formula": ""}, Cancellation()) == {"defined": ["one"]}


@pytest.mark.parametrize("formula", ["slow", pytest.param("stuck", marks=pytest.mark.long)])
def test_a_call_that_is_cancelled_ends(process: ToolProcess, formula: str) -> None:
    cancellation = Cancellation()
    threading.Timer(0.2, cancellation.asked.set).start()
    begun = time.monotonic()
    assert process.answer("decide", {"formula": formula}, cancellation)["kind"] == "error"
    assert time.monotonic() - begun < 15
    assert process.answer("decide", {"formula": ""}, Cancellation()) == {"defined": []}


@pytest.mark.long
def test_a_call_that_is_cancelled_ends_after_its_import(process: ToolProcess, tmp_path: Path) -> None:
    """Half of a library would be left to later calls."""
    (tmp_path / "slowly_imported.py").write_text(SLOW.format(seconds=0.6))
    cancellation = Cancellation()
    threading.Timer(0.2, cancellation.asked.set).start()
    found = process.answer("decide", {"formula": f"import {tmp_path / 'slowly_imported'}"}, cancellation)
    assert found["error"] == "Cancelled"
    assert process.answer("decide", {"formula": "imported slowly_imported"}, Cancellation()) == {"whole": True}


@pytest.mark.long
def test_the_answer_of_one_call_is_never_that_of_another(process: ToolProcess, tmp_path: Path) -> None:
    """A definition that does not end when it is made again is lost, and its answer comes to no other call."""
    late = tmp_path / "late"
    process.answer("define", {"commands": "one"}, Cancellation())
    process.answer("define", {"commands": str(late), "seconds": 0.2}, Cancellation())
    process.answer("define", {"commands": "two"}, Cancellation())
    late.touch()
    found = process.answer("decide", {"formula": "die"}, Cancellation())
    assert "SIGKILL" in found["message"] and "but for 1" in found["hint"]
    for _ in range(2):
        assert process.answer("decide", {"formula": ""}, Cancellation()) == {"defined": ["one", "two"]}


@pytest.mark.long
def test_a_process_that_was_closed_carries_out_no_call(process: ToolProcess) -> None:
    closing = threading.Timer(0.3, process.close)
    closing.start()
    assert process.answer("decide", {"formula": "slow"}, Cancellation()) == {}
    assert process.answer("decide", {"formula": ""}, Cancellation()) == {}
    closing.join(60)
    assert not process.process.is_alive()


@pytest.mark.parametrize("option", ["--timeout", "--cpu-timeout"])
def test_any_number_of_seconds_is_a_limit(option: str) -> None:
    command = [sys.executable, "-m", "fibprover", "eval", "--hard", option, "1e15", "Ax x>=0"]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0


def test_a_sweep_has_limits_for_each_game(tmp_path: Path) -> None:
    given = ["game", "--sweep", "blocking(k)", "k=2..3", "--timeout", "20", "--hard"]
    assert is_limited_by_parts(complete_parser().parse_args(given))


def refuse() -> Tools:
    raise FileProblem("there is no such file")


def test_an_error_of_its_arguments_is_raised_here() -> None:
    with pytest.raises(FileProblem, match="no such file"):
        ToolProcess(refuse, Limits())


def test_the_kill_comes_after_what_can_be_interrupted() -> None:
    assert seconds_to_kill(10, 10) == pytest.approx(11.5)
    assert seconds_to_kill(10, -1) == pytest.approx(1.5)


def test_the_cpu_time_of_the_start_counts_in_the_new_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whose clock begins anew."""
    clock = iter([0.4, 0.0])  # before the process is begun, and in it
    monkeypatch.setattr(program, "cpu_clock", lambda: next(clock))
    monkeypatch.setattr(supervisor, "supervised", lambda limits: None)
    given = complete_parser().parse_args(["eval", "x=1", "--hard", "--cpu-timeout", "1", "--max-memory", "none"])
    given.cpu_begun = 0.0
    assert program._supervised(given) is None
    assert options.limits(given).cpu_deadline_from(0.0) == pytest.approx(0.6)
