"""Sweeps and theorems on Dask: the same records, whatever ends its workers and its scheduler."""

from __future__ import annotations

import json
import os
import pickle
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import fibprover as fp
from fibprover.base.errors import FibproverError, NotInstalled
from fibprover.campaigns.sweeps import cluster
from fibprover.campaigns.sweeps.store import Store
from fibprover.campaigns.sweeps.sweep import sweep
from fibprover.campaigns.theorems import runner
from fibprover.campaigns.theorems.proof_report import Row
from fibprover.campaigns.theorems.schedule import Schedule
from fibprover.campaigns.theorems.scripts import collect, scripts
from fibprover.campaigns.theorems.task import ProofSettings
from tests.sweeps import deeds
from tests.sweeps.test_sweep import ROOT, ended, results

#: A program that sweeps on a scheduler: its address, the store, the file of notes, the number of cases, seconds.
CLIENT = """
import sys
from fibprover.campaigns.sweeps.sweep import sweep
from tests.sweeps.deeds import noted_square
if __name__ == "__main__":
    address, store, notes, number, seconds = sys.argv[1:]
    cases = [[notes, i, float(seconds)] for i in range(int(number))]
    records = sweep(noted_square, cases, store=store, dask=address)
    assert [record.result for record in records] == [i * i for i in range(int(number))]
"""


def test_without_dask_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(NotInstalled) as caught:
        sweep(deeds.inverse, [1], dask="local")
    assert "fibprover[cluster]" in caught.value.hint


@pytest.fixture
def dask() -> None:
    """Skips a test without Dask."""
    pytest.importorskip("distributed")


@pytest.mark.usefixtures("dask")
@pytest.mark.filterwarnings("ignore")
def test_processes_of_dask_on_this_machine(tmp_path: Path) -> None:
    records = sweep(deeds.inverse, [4, 0, 2], store=tmp_path / "s", dask="local", jobs=2)
    assert [(record.state, record.result) for record in records] == [("done", 0.25), ("failed", None), ("done", 0.5)]
    assert sweep(deeds.inverse, [4, 0, 2], store=tmp_path / "s", jobs=2) == records, "keys are the same everywhere"


@pytest.mark.usefixtures("dask")
@pytest.mark.filterwarnings("ignore")
def test_a_task_that_kills_its_workers_has_failed() -> None:
    records = sweep(deeds.deadly, [1, 3, 2], dask="local", jobs=2)
    assert results(records) == [-1, None, -2]
    assert records[1].state == "failed" and "died" in records[1].error


@pytest.mark.usefixtures("dask")
@pytest.mark.filterwarnings("ignore")
def test_a_large_automaton_is_sent_once_and_a_worker_that_has_lost_it_gets_it_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    large = fp.Session("msd_fib").relation("7*x=11*y+z").automaton
    small = fp.Session("msd_fib").relation("x=y").automaton
    assert large.nbytes > 100 * small.nbytes
    sent = list[bytes]()
    pickled = cluster.Cluster._pickled

    def noted(self: Any, value: object) -> tuple[bytes, dict[str, Any]]:
        found = pickled(self, value)
        sent.append(found[0])
        return found

    monkeypatch.setattr(cluster.Cluster, "_pickled", noted)
    found = dict[int, Any]()
    with cluster.Cluster[int]("local", 2) as there:
        for number in range(8):
            there.submit(number, deeds.sizes, number, pickle.loads(pickle.dumps(large)), small)
            while number == 3 and len(found) < 4:
                found.update(there.results())
                if len(found) == 4:
                    there.client.restart_workers(list(there.client.scheduler_info()["workers"]))
        while len(found) < 8:
            found.update(there.results())
        assert list(there.automata.futures) == [large]
    assert found == {number: [number, large.states, small.states] for number in range(8)}
    assert max(map(len, sent)) < large.nbytes / 4


@pytest.mark.usefixtures("dask")
@pytest.mark.filterwarnings("ignore")
def test_workers_have_the_same_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "program", lambda: "another one")
    with pytest.raises(FibproverError, match="another version of fibprover"):
        sweep(deeds.inverse, [1], dask="local", jobs=1)


@pytest.mark.usefixtures("dask")
@pytest.mark.filterwarnings("ignore")
def test_a_scheduler_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECTION", 0.3)
    with pytest.raises(FibproverError, match="no Dask scheduler answers at tcp:"):
        sweep(deeds.inverse, [1], dask="tcp://127.0.0.1:9")
    with pytest.raises(FibproverError, match="no Dask scheduler answers at nothing:"):
        sweep(deeds.inverse, [1], dask="nothing://x")


@pytest.mark.usefixtures("dask")
@pytest.mark.filterwarnings("ignore")
def test_a_task_that_needs_more_than_a_share_of_local_memory(tmp_path: Path) -> None:
    sizes = [5 << 30, 1 << 20]
    records = sweep(deeds.needing, sizes, dask="local", jobs=2, memory=8 << 30)
    assert [(record.result, record.attempts) for record in records] == [(5 << 30, 2), (1 << 20, 1)]


@pytest.mark.usefixtures("dask")
@pytest.mark.filterwarnings("ignore")
def test_a_task_that_needs_more_than_a_worker_has_is_done_where_there_is_more() -> None:
    with site("--memory-limit", "1GiB") as there:
        assert sweep(deeds.needing, [2 << 30], dask=there.address)[0].state == "failed", "no worker declares more"
        there.workers.append(there.start("worker", there.address, "--nthreads", "1", "--no-nanny", "--no-dashboard",
                                         "--memory-limit", "1GiB", "--resources", f"memory={4 << 30}"))
        until = time.monotonic() + 30
        while time.monotonic() < until and not declared(there.address):
            time.sleep(0.2)
        records = sweep(deeds.needing, [2 << 30, 1 << 20, 5 << 30], dask=there.address)
    assert [(record.result, record.attempts) for record in records] == [(2 << 30, 2), (1 << 20, 1), (None, 2)]


def declared(address: str) -> bool:
    """Return whether a worker declares memory as a resource."""
    found: cluster.Cluster[None]
    with cluster.Cluster(address) as found:
        return found.most_bytes() is not None


class Site:
    """A scheduler and two workers as programs of their own, which are started again when they end."""

    def __init__(self, *options: str) -> None:
        self.options = options
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.scheduler = self.start("scheduler", "--port", str(self.port), "--host", "127.0.0.1", "--no-dashboard")
        self.workers = [self.worker() for _ in range(2)]

    def start(self, kind: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "distributed.cli.dask_" + kind, *arguments]
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        return subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)

    def worker(self) -> subprocess.Popen[bytes]:
        return self.start(
            "worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard", *self.options
        )

    def tend(self) -> None:
        """Starts what has ended."""
        if self.scheduler.poll() is not None:
            port = str(self.port)
            self.scheduler = self.start("scheduler", "--port", port, "--host", "127.0.0.1", "--no-dashboard")
        self.workers = [self.worker() if each.poll() is not None else each for each in self.workers]

    def end(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@contextmanager
def site(*options: str) -> Iterator[Site]:
    found = Site(*options)
    try:
        yield found
    finally:
        found.end()


@pytest.mark.long
@pytest.mark.usefixtures("dask")
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are killed by a signal")
def test_200_tasks_survive_workers_schedulers_and_the_program(tmp_path: Path) -> None:
    """20 workers are killed at random moments, the scheduler twice, and the program once, which is run again."""
    chance = random.Random(21)
    file, notes = tmp_path / "work.sqlite", tmp_path / "notes"
    events = ["worker"] * 20 + ["scheduler"] * 2 + ["program"]
    chance.shuffle(events)
    program = [sys.executable, "-c", CLIENT]
    with site() as there:
        arguments = [there.address, str(file), str(notes), "200", "0.3"]
        sweeping = subprocess.Popen([*program, *arguments], cwd=ROOT, stderr=subprocess.PIPE, text=True)
        for event in events:
            time.sleep(chance.uniform(0.5, 2.0))
            there.tend()
            assert sweeping.poll() is None, "it is still at work"
            if event == "worker":
                chance.choice(there.workers).kill()
            elif event == "scheduler":
                there.scheduler.kill()
                there.scheduler.wait()
            else:
                sweeping.kill()
                sweeping.communicate()
                sweeping = subprocess.Popen([*program, *arguments], cwd=ROOT, stderr=subprocess.PIPE, text=True)
        until = time.monotonic() + 240
        while sweeping.poll() is None and time.monotonic() < until:
            time.sleep(0.5)
            there.tend()
        ended(sweeping)
    with Store(file) as store:
        records = list(store.records())
    assert {record.state for record in records} == {"done"}
    assert sorted(record.result for record in records) == [n * n for n in range(200)]


#: Chapters of some hundred theorems that take seconds.
CHAPTERS = ("proofs/hofstadter_g.py", "proofs/k1.py", "proofs/k2.py", "proofs/wythoff.py")


def proved(folder: Path, *arguments: str) -> tuple[list[str], Path]:
    """The command of a program that proves chapters, and the file of JSON that it writes."""
    file = folder / f"{len(list(folder.iterdir()))}.json"
    command = [sys.executable, "-m", "fibprover", "prove", *CHAPTERS, "--json", str(file), *arguments]
    return command, file


def rows(file: Path) -> list[dict[str, Any]]:
    """The rows of a report, but for what they cost."""
    found = json.loads(file.read_text())
    return [{name: value for name, value in row.items() if name not in ("seconds", "peak_bytes")} for row in found]


@pytest.mark.usefixtures("dask")
def test_theorems_are_proved_on_workers(tmp_path: Path) -> None:
    (tmp_path / "c").mkdir()
    here, there = proved(tmp_path, "-j", "1", "-k", "k1."), proved(tmp_path, "--dask", "local", "-j", "2", "-k", "k1.")
    there[0].extend(["--certificates", str(tmp_path / "c")])
    for command, _ in (here, there):
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    assert [row | {"certificate": None} for row in rows(there[1])] == [
        row | {"certificate": None} for row in rows(here[1])
    ]
    files = [Path(row["certificate"]["file"]) for row in rows(there[1]) if row["certificate"]["file"]]
    assert len(files) > 5 and all(file.is_file() and file.parent == tmp_path / "c" for file in files)


@pytest.mark.usefixtures("dask")
@pytest.mark.filterwarnings("ignore")
def test_what_needs_more_memory_than_a_worker_has_is_proved_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster.Cluster, "bytes_each", lambda self, most_bytes: 1)
    found = runner.run(collect(scripts([str(ROOT / CHAPTERS[1])])).chapters, ProofSettings(), 1)
    schedule = Schedule(collect(scripts([str(ROOT / CHAPTERS[1])])).chapters, ProofSettings())
    begun: list[str] = []
    runner.run_schedule(schedule, 1, runner.RunListener(begin=begun.append), dask="local")
    assert [row.verdict for row in schedule.outcomes() if isinstance(row, Row)] == [
        row.verdict for row in found if isinstance(row, Row)
    ]
    assert len(begun) > 5


@pytest.mark.long
@pytest.mark.usefixtures("dask")
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are killed by a signal")
def test_theorems_survive_workers_schedulers_and_the_program(tmp_path: Path) -> None:
    """Workers are killed ten times, the scheduler and the program once each; the report is that of a plain run."""
    plain, file = proved(tmp_path, "-j", "1")
    subprocess.run(plain, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    chance = random.Random(22)
    events = ["worker"] * 10 + ["scheduler", "program"]
    chance.shuffle(events)
    with site() as there:
        command, last = proved(tmp_path, "--dask", there.address, "--store", str(tmp_path / "work.sqlite"))
        proving = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for event in events:
            time.sleep(chance.uniform(0.2, 0.8))
            there.tend()
            if event == "worker":
                chance.choice(there.workers).kill()
            elif event == "scheduler":
                there.scheduler.kill()
                there.scheduler.wait()
            else:
                proving.kill()
                proving.communicate()
                proving = subprocess.Popen(
                    command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
                )
        until = time.monotonic() + 240
        while proving.poll() is None and time.monotonic() < until:
            time.sleep(0.5)
            there.tend()
        with proving:
            _, err = proving.communicate(timeout=60)
        assert proving.returncode == 0, err
    assert rows(last) == rows(file)
