"""Runs processes several times and measures them: seconds, peak memory, their answers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.groups import ROOT, WORDS, Group
from benchmarks.job import Job

#: Something is run again as long as its runs have taken less than this together, so that long ones are run once.
PATIENCE = 20.0

#: Seconds that a job may overrun its budget before it is stopped, since not all work polls the clock.
GRACE = 15.0


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of one process: wall seconds and resident bytes."""

    seconds: float
    bytes: int

    def spent(self, resource: str) -> str:
        """Return the cell of a table for a budget that has been spent."""
        return f"> {self.seconds:g} s" if resource == "seconds" else f"> {self.bytes / (1 << 30):g} GB"


@dataclass(frozen=True, slots=True)
class Ended:
    """A process that has ended; status None: it was stopped because its time was up."""

    status: int | None
    seconds: float
    processor: float
    peak: int
    out: str
    err: str


@dataclass(frozen=True, slots=True)
class Run:
    """One successful run: wall and processor seconds, peak bytes (0: not known), and the job's answer."""

    seconds: float
    processor: float
    peak: int
    answer: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Measured:
    """The runs of one row; failure: the cell of the table if a run failed, else empty."""

    runs: tuple[Run, ...]
    failure: str = ""

    @property
    def seconds(self) -> float:
        """Median wall seconds."""
        return median(run.seconds for run in self.runs)

    @property
    def processor(self) -> float:
        """Median processor seconds; they tell more on a busy machine."""
        return median(run.processor for run in self.runs)

    @property
    def peak(self) -> int:
        """The largest peak memory of the runs in bytes; 0 if it is not known."""
        return max(run.peak for run in self.runs)

    @property
    def inside(self) -> float:
        """Median of the seconds that all commands of the job took together."""
        return float(median(sum(command["seconds"] for command in run.answer["commands"]) for run in self.runs))

    @property
    def largest(self) -> int:
        """States of the largest automaton that the job built."""
        return max((command["largest"] for command in self.runs[0].answer["commands"]), default=0)

    def of(self, name: str, what: str) -> float:
        """Return the median over the runs of a number in the answer, for the last command of this name."""
        return float(median(
            [command[what] for command in run.answer["commands"] if command["name"] == name][-1] for run in self.runs
        ))


def ended(
    command: Sequence[str], given: str = "", seconds: float | None = None, folder: Path = ROOT
) -> Ended:
    """Run one process to its end, or until its time is up; then stop it, with all that it has started."""
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        source.write(given.encode())
        source.seek(0)
        begun = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, stdin=source, stdout=out, stderr=err, start_new_session=True)
        stopped = _awaited(process, seconds)
        status, busy, peak = _reaped(process)
        taken = time.perf_counter() - begun
        said = []
        for stream in (out, err):
            stream.seek(0)
            said.append(stream.read().decode(errors="replace"))
        return Ended(None if stopped else status, taken, busy, peak, *said)


def _awaited(process: subprocess.Popen[bytes], seconds: float | None) -> bool:
    """Wait until a process ends or its time is up; return whether it had to be stopped.

    Its status is left for _reaped, so that its number is not another one's while the timer may use it.
    """
    stopped = threading.Event()

    def stop() -> None:
        stopped.set()
        os.killpg(process.pid, signal.SIGKILL)

    timer = threading.Timer(threading.TIMEOUT_MAX if seconds is None else seconds, stop)
    timer.daemon = True
    timer.start()
    try:
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise
    finally:
        timer.cancel()
        timer.join()
    return stopped.is_set()


def _reaped(process: subprocess.Popen[bytes]) -> tuple[int, float, int]:
    """Return the exit status, processor seconds and peak memory of a process that has ended."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    peak = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return process.returncode, usage.ru_utime + usage.ru_stime, peak


def repeated(once: Callable[[], Run | str], runs: int, patience: float = PATIENCE) -> Measured:
    """Run something so many times, fewer if it takes long; a failure, which is a text, ends it."""
    done: list[Run] = []
    while len(done) < runs and (not done or sum(run.seconds for run in done) < patience):
        run = once()
        if isinstance(run, str):
            return Measured(tuple(done), run)
        done.append(run)
    return Measured(tuple(done))


def plain(command: Sequence[str], runs: int) -> Measured:
    """Measure a command line that has to succeed."""

    def once() -> Run | str:
        done = ended(command)
        if done.status != 0:
            return failed(done)
        return Run(done.seconds, done.processor, done.peak, {})

    return repeated(once, runs)


def failed(done: Ended) -> str:
    """Return the cell of a table for a process that failed."""
    return f"failed: exit status {done.status}{last_words(done)}"


def last_words(done: Ended) -> str:
    """Return the last line that a process wrote to standard error, after a comma; empty if it wrote none."""
    last = next((line.strip() for line in reversed(done.err.splitlines()) if line.strip()), "")
    return f", {last[:80]}" if last else ""


def job_of(group: Group, budget: Budget | None = None) -> Job:
    """Return the job that carries out a group."""
    words = str(WORDS) if group.words else None
    return within(Job(group.script, words), budget)


def within(job: Job, budget: Budget | None) -> Job:
    """Return a job with a budget."""
    return job if budget is None else replace(job, seconds=budget.seconds, bytes=budget.bytes)


def measured(job: Job, runs: int, expected: Sequence[bool] = (), patience: float = PATIENCE) -> Measured:
    """Measure a job, each run in a new process; its verdicts have to be the expected ones."""
    budget = None
    if job.seconds is not None and job.bytes is not None:
        budget = Budget(job.seconds, job.bytes)

    def once() -> Run | str:
        limit = None if budget is None else budget.seconds + GRACE
        done = ended((sys.executable, "-m", "benchmarks.job"), job.text(), limit)
        if done.status is None:
            assert budget is not None
            return budget.spent("seconds")
        try:
            answer = json.loads(done.out)
        except ValueError:
            return failed(done)
        if answer["spent"]:
            return f"{answer['spent']} spent" if budget is None else budget.spent(answer["spent"])
        if answer["error"]:
            return f"failed: {answer['error'].splitlines()[0]}"
        verdicts = [command for command in answer["commands"] if command["verdict"] is not None]
        if expected and [command["verdict"] for command in verdicts] != list(expected):
            wrong = [command["name"] for command, truth in zip(verdicts, expected, strict=False)
                     if command["verdict"] != truth]
            return f"failed: wrong verdicts ({', '.join(wrong) or f'{len(verdicts)} of {len(expected)}'})"
        return Run(done.seconds, done.processor, answer["peak"] or done.peak, answer)

    return repeated(once, runs, patience)
