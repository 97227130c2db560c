"""SIGTERM and SIGHUP end every command as Ctrl-C does: rows are printed, claims released, and the status says which."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from fibprover.campaigns.sweeps.store import Store, TaskRecord
from fibprover.frontends.cli.game_sweep import _Printer
from fibprover.frontends.cli.termination import Ending, Terminated
from fibprover.frontends.conversation.progress import Progress
from fibprover.sheets import study as study_module
from fibprover.sheets.line import Line
from fibprover.sheets.question import Question
from fibprover.sheets.subject import Subject
from tests.cli.command import HEAVY, answer, finished, started

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")

STATUS = {"SIGINT": 130, "SIGTERM": 143, "SIGHUP": 129}

#: Ends a test whose signal is not heard: then the status is 3.
SAFE = ("--max-memory", "1G")

CHAPTER = f"""
import fibprover as fp
c = fp.Chapter("Two theorems")
c.theorem("quick", "Ax Ey y>x", statement="None.")
c.theorem("slow", "E a,b,c,d {HEAVY}", statement="None.")
"""


def when(process: subprocess.Popen[str], holds: object) -> None:
    """Wait until a condition, a function, holds; the process must not end before."""
    assert callable(holds)
    until = time.monotonic() + 60
    while not holds():
        assert process.poll() is None and time.monotonic() < until
        time.sleep(0.02)


class Last:
    """Its finalizer is interrupted: there Python drops exceptions."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __del__(self) -> None:
        signal.raise_signal(signal.Signals[self.name])


def interrupted(ending: Ending, name: str) -> None:
    with ending.by_signals():
        Last(name)
        time.sleep(20)
        raise AssertionError("the interruption is lost")


@pytest.mark.parametrize("name", STATUS)
def test_an_interruption_that_meets_a_finalizer_comes_again(name: str) -> None:
    ending, hook = Ending(), sys.unraisablehook
    with pytest.raises(KeyboardInterrupt) as raised:
        interrupted(ending, name)
    assert isinstance(raised.value, Terminated) == (name != "SIGINT")
    assert ending.status == (None if name == "SIGINT" else STATUS[name])
    assert sys.unraisablehook is hook


@pytest.mark.parametrize("name", STATUS)
def test_an_interruption_waits_for_an_import(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    module = f"interrupted_by_{name.lower()}"
    (tmp_path / f"{module}.py").write_text(f"import signal\nsignal.raise_signal(signal.{name})\ndone = True\n")
    with pytest.raises(KeyboardInterrupt), Ending().by_signals():
        wait_after(module)
    assert import_module(module).done


def wait_after(module: str) -> None:
    import_module(module)
    time.sleep(20)
    raise AssertionError("the interruption is lost")


@pytest.mark.parametrize("name", STATUS)
def test_a_script_ends_with_the_status_of_the_signal(name: str, tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_text(f'eval quick "Ax x>=0"; eval slow "{HEAVY}";')
    process = started("run", str(script), *SAFE)
    assert process.stdout is not None and process.stdout.readline() == "eval quick: TRUE\n"
    process.send_signal(signal.Signals[name])
    said = finished(process)
    assert (said.status, said.out, said.err.count("\n")) == (STATUS[name], "", 1)


@pytest.mark.parametrize("name", STATUS)
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_proofs_that_are_finished_are_shown_and_claims_are_released(name: str, jobs: str, tmp_path: Path) -> None:
    script, file = tmp_path / "two.py", tmp_path / "work.sqlite"
    script.write_text(CHAPTER)
    process = started("prove", str(script), "--store", str(file), "--jobs", jobs, *SAFE)

    def is_busy() -> bool:
        if not file.exists():
            return False
        try:
            with Store(file, create=False) as store:
                return {(each.what, each.state) for each in store.records()} == {("quick", "done"), ("slow", "claimed")}
        except Exception:  # it is being made
            return False

    when(process, is_busy)
    process.send_signal(signal.Signals[name])
    said = finished(process)
    assert said.status == STATUS[name], said
    assert "quick" in said.out and "1 of 2 theorems" in said.err
    with Store(file, create=False) as store:
        assert [(each.what, each.state) for each in store.records()] == [("quick", "done")]


@pytest.mark.parametrize("name", STATUS)
@pytest.mark.parametrize("words", [("T",), ("F", "T")])
def test_lines_of_a_sheet_that_are_finished_are_shown(
    name: str, words: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The signal comes while the second line of the last word is answered."""
    answered = study_module._line

    def ends_at_the_second(about: Subject, question: Question, *others: Any) -> Line:
        if about.name == words[-1] and question.id == "uniformly-recurrent":
            signal.raise_signal(signal.Signals[name])
        return answered(about, question, *others)

    monkeypatch.setattr(study_module, "_line", ends_at_the_second)
    said = answer(capsys, "study", *words, "--only", "uniformly-recurrent,eventually-periodic", "--json", "-")
    lines = json.loads(said.out)
    if len(words) == 2:
        first = {line["id"]: line["lines"][0]["status"] for line in lines}
        assert first == {"eventually-periodic": "refuted", "uniformly-recurrent": "proved"}
        lines = [line["lines"][1] for line in lines if line["lines"][1] is not None]
    assert [(line["id"], line["status"]) for line in lines] == [("eventually-periodic", "refuted")]
    assert said.status == STATUS[name] and "1 of 2" in said.err


def test_games_that_are_finished_out_of_order_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress("none") as progress:
        printer = _Printer(["first", "second"], progress, quiet=False)
        printer.take(TaskRecord("key", "second", "failed", error="no data"))
        assert capsys.readouterr().out == ""
        printer.say_rest()
    assert capsys.readouterr().out == "second: no data\n"


def test_a_second_signal_does_not_disturb_the_first() -> None:
    ending = Ending()
    with ending.by_signals():
        with pytest.raises(Terminated) as caught:
            signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGHUP)
    assert (caught.value.number, ending.status) == (signal.SIGTERM, 143)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_signals_that_are_ignored_stay_ignored() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Ending().by_signals():
            signal.raise_signal(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.mark.parametrize("module", ["typing", "argparse", "fibprover.frontends.cli.main", "fibprover.prover.plan"])
@pytest.mark.parametrize("start", ["-m", "command"])
def test_an_interruption_while_modules_are_imported_ends_it_in_one_line(start: str, module: str) -> None:
    """The module raises what Ctrl-C does; nothing that Python itself imports is there before."""
    begin = {
        "-m": "import runpy; runpy.run_module('fibprover', run_name='__main__')",
        "command": "from fibprover.__main__ import main; sys.exit(main())",
    }
    code = f"""
import sys

class Interrupting:
    def find_spec(self, name, path, target=None):
        if name == {module!r}:
            raise KeyboardInterrupt

sys.path.insert(0, {str(ROOT)!r})
sys.argv = ["fibprover", "eval", "Ax x>=0"]
sys.meta_path.insert(0, Interrupting())
{begin[start]}
"""
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


@pytest.mark.parametrize("arguments", [("run", "-"), ("prompt",), ("study", "--terms", "-")])
def test_standard_input_that_is_closed_is_an_error(arguments: tuple[str, ...]) -> None:
    code = "import os, sys\nfrom fibprover.frontends.cli.main import main\nsys.exit(main())\n"
    command = 'exec "$@" <&-'
    done = subprocess.run(
        ["sh", "-c", command, "sh", sys.executable, "-c", code, *arguments], capture_output=True, text=True,
        check=False, timeout=100,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: standard input") and done.stderr.count("\n") == 1


def test_files_do_not_take_the_place_of_closed_streams(tmp_path: Path) -> None:
    script, file = tmp_path / "two.py", tmp_path / "work.sqlite"
    script.write_text(CHAPTER.replace("slow", "other").replace(HEAVY, "a+b+c=d"))
    code = "import sys\nfrom fibprover.frontends.cli.main import main\nsys.exit(main())\n"
    arguments = ["prove", str(script), "--store", str(file), "--jobs", "1"]
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", sys.executable, "-c", code, *arguments], check=False, timeout=100
    )
    assert done.returncode == 0
    with Store(file, create=False) as store:
        assert {each.state for each in store.records()} == {"done"}
