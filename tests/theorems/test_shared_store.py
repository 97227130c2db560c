"""Two runs of `prove` on one store: each theorem is proved by one of them, and both report all."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import fibprover as fp
from fibprover.campaigns.sweeps import store as store_module
from fibprover.campaigns.sweeps.store import Store
from fibprover.campaigns.theorems.proof_report import Row
from fibprover.campaigns.theorems.schedule import Schedule
from fibprover.campaigns.theorems.scripts import collect, scripts
from fibprover.campaigns.theorems.stored import StoredRows
from fibprover.campaigns.theorems.task import ProofSettings, Task, carry_out
from tests.sweeps.test_sweep import ROOT
from tests.theorems.scripts import HEAD, Write

SCRIPT = HEAD + "c.define('even', 'Ey x=2*y')\n" + "".join(
    f"c.theorem('t{n}', 'Ax $even(x+{n}) => Ey x+{n}=2*y', statement='s')\n" for n in range(12)
)

#: A program that proves and notes each theorem that it carries out: the file of notes, and the arguments of prove.
PROGRAM = """
import sys, time
from fibprover.frontends.cli.main import main
from fibprover.campaigns.theorems import runner
from fibprover.campaigns.theorems.chapter import DeclaredTheorem
real = runner.carry_out
def noted(task, watch=None):
    if isinstance(task.declaration, DeclaredTheorem):
        with open(sys.argv[1], "a") as notes:
            notes.write(task.declaration.id + chr(10))
        time.sleep(0.05)
    return real(task, watch)
runner.carry_out = noted
if __name__ == "__main__":
    sys.exit(main(["prove", *sys.argv[2:]]))
"""


def schedule(file: Path, store: Store) -> Schedule:
    settings = ProofSettings()
    return Schedule(collect(scripts([str(file)])).chapters, settings, StoredRows(store, settings))


def begun(file: Path, store: Store) -> Schedule:
    """A run that has made the definition."""
    found = schedule(file, store)
    definition = found.next()
    assert definition is not None
    found.finish(definition, carry_out(definition))
    return found


def names(tasks: list[Task]) -> list[int]:
    return [task.key[1] for task in tasks]


def waits(of: Schedule) -> bool:
    """Return whether another program has claimed a theorem that is left."""
    return of.waits


def taken(of: Schedule) -> list[Task]:
    """All tasks that can be begun now."""
    found = []
    while (task := of.next()) is not None:
        found.append(task)
    return found


def test_a_theorem_that_another_run_proves_is_left_to_it(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fibprover.campaigns.theorems.schedule.LOOK_PERIOD", 0.0)
    file = write(SCRIPT)
    with Store(tmp_path / "s") as first, Store(tmp_path / "s") as second:
        one, other = (begun(file, store) for store in (first, second))
        under_way = [task for task in (one.next(), one.next()) if task is not None]
        rest = taken(other)
        assert sorted(names(under_way) + names(rest)) == list(range(1, 13)) and waits(other)
        one.finish(under_way[0], carry_out(under_way[0]))
        assert taken(other) == [] and waits(other), "one is still being proved"
        one.finish(under_way[1], carry_out(under_way[1]))
        assert taken(other) == [] and not waits(other)
        for task in rest:
            other.finish(task, carry_out(task))
        assert taken(one) == [] and not waits(one) and not one.size
        verdicts = [[row.verdict for row in each.outcomes() if isinstance(row, Row)] for each in (one, other)]
        assert verdicts == [[True] * 12] * 2


def test_what_a_run_leaves_is_proved_by_another_one(write: Write, tmp_path: Path) -> None:
    file = write(SCRIPT)
    with Store(tmp_path / "s") as first, Store(tmp_path / "s") as second:
        one, other = (begun(file, store) for store in (first, second))
        assert len(taken(one)) == 12 and taken(other) == []
        first.release()
        assert len(list(other.remaining())) == 12


def test_claims_hold_while_a_program_is_busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "LEASE", 0.6)
    monkeypatch.setattr(store_module, "RENEWAL", 0.1)
    with Store(tmp_path / "s") as first, Store(tmp_path / "s") as second:
        assert first.claim("key", "what") is None
        with first.renewing():
            subprocess.run([sys.executable, "-c", "import time; time.sleep(0.9)"], check=True)
            assert second.claim("key", "what") is not None
        subprocess.run([sys.executable, "-c", "import time; time.sleep(0.8)"], check=True)
        assert second.claim("key", "what") is None, "and no longer"


@pytest.mark.long
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_two_programs_prove_each_theorem_once(write: Write, tmp_path: Path, jobs: str) -> None:
    file, notes = write(SCRIPT), tmp_path / "notes"
    runs = []
    for number in range(2):
        arguments = [str(file), "-j", jobs, "--store", str(tmp_path / "s"), "--json", str(tmp_path / f"{number}")]
        command = [sys.executable, "-c", PROGRAM, str(notes), *arguments]
        runs.append(subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
    for run in runs:
        with run:
            _, err = run.communicate(timeout=120)
        assert run.returncode == 0, err
    assert Counter(notes.read_text().split()) == {f"t{n}": 1 for n in range(12)}
    one, other = (json.loads((tmp_path / f"{number}").read_text()) for number in range(2))
    assert one == other and len(one) == 12


@pytest.mark.parametrize("call", ["$even_of(x)", "#of(even,x)"])
def test_a_theorem_is_new_if_a_definition_that_it_calls_has_changed(tmp_path: Path, call: str) -> None:
    """Also if a macro makes the name of the definition of pieces."""
    keys = set()
    with Store(tmp_path / "rows.sqlite") as store:
        for meaning in ("Ey x=2*y", "Ey x=4*y", "Ey x=4*y"):
            chapter = fp.Chapter("c")
            chapter.script('macro of "$%1_of(%0)"; macro of "$%0_of(%1)";')
            chapter.define("even_of", meaning)
            chapter.theorem("t", f"Ax {call} => Ey x=2*y", statement="s")
            keys.add(StoredRows(store, ProofSettings()).key(chapter, 2, None))
    assert len(keys) == 2 and None not in keys
