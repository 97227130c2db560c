"""Times the prover: every measurement is a process of its own, as a user would start it.

    python -m benchmarks [--runs N] [--state-counts EXPECTED.json --words WORDS.json] [-o TABLE.md]

Wall seconds (median, least, most), processor seconds (median; they tell more on a busy machine) and
peak resident memory (the largest of the runs) as a Markdown table.  Kernels, interpreter and
libraries have to be loaded by every process, so the seconds include the start of Python.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from fibprover import __version__

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Task:
    """A command line and what it is; its exit status is 0."""

    title: str
    command: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Measurement:
    """Wall and processor seconds of every run, and the peak memory in bytes over all of them (0: not known)."""

    task: Task
    seconds: tuple[float, ...]
    processor: tuple[float, ...]
    peak: int


def tasks(state_counts: Sequence[str], words: str | None) -> list[Task]:
    """What is measured."""
    script = Path(sys.executable).with_name("fibprover")
    prover = (str(script),) if script.exists() else (sys.executable, "-m", "fibprover")
    wanted = [
        Task("`python -c pass` (for comparison)", (sys.executable, "-c", "pass")),
        Task("`fibprover --version`", (*prover, "--version")),
        Task("`fibprover eval 'Ax,y x+y=y+x'`", (*prover, "eval", "Ax,y x+y=y+x")),
        Task("`fibprover prove` (all of proofs/)", (*prover, "prove", "proofs")),
        Task("`fibprover prove --no-vacuity` (the verdicts alone)", (*prover, "prove", "proofs", "--no-vacuity")),
        Task("`fibprover prove proofs/k2.py`", (*prover, "prove", "proofs/k2.py")),
        Task("`fibprover prove --textbook --no-vacuity`", (*prover, "prove", "proofs", "--textbook", "--no-vacuity")),
    ]
    for plan in ("optimized", "textbook") if state_counts else ():
        command = (sys.executable, "-m", "benchmarks.commands", plan, words or "", *state_counts)
        wanted.append(Task(f"all commands of {', '.join(Path(f).name for f in state_counts)}, {plan} plan", command))
    return wanted


def measured(task: Task, runs: int) -> Measurement:
    """A task run several times, one after the other.  CalledProcessError if one of them fails."""
    seconds, processor, peak = [], [], 0
    for _ in range(runs):
        begun = time.perf_counter()
        process = subprocess.Popen(task.command, cwd=ROOT, stdout=subprocess.DEVNULL)
        status, busy, used = _waited(process)
        seconds.append(time.perf_counter() - begun)
        processor.append(busy)
        peak = max(peak, used)
        if status != 0:
            raise subprocess.CalledProcessError(status, task.command)
    return Measurement(task, tuple(seconds), tuple(processor), peak)


def _waited(process: subprocess.Popen[bytes]) -> tuple[int, float, int]:
    """Exit status, processor seconds and peak memory of one child; 0 where the platform does not tell."""
    if not hasattr(os, "wait4"):
        return process.wait(), 0.0, 0
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    peak = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return process.returncode, usage.ru_utime + usage.ru_stime, peak


def table(measurements: Sequence[Measurement]) -> str:
    """The measurements as Markdown, below a line that says where they were made."""
    runs = len(measurements[0].seconds) if measurements else 0
    lines = [
        f"fibprover {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}, "
        f"{os.cpu_count()} cores, {runs} runs each.",
        "",
        "| what | median s | least s | most s | processor s | peak MB |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for item in measurements:
        peak = f"{item.peak / 1e6:.1f}" if item.peak else "-"
        lines.append(
            f"| {item.task.title} | {median(item.seconds):.3f} | {min(item.seconds):.3f} "
            f"| {max(item.seconds):.3f} | {median(item.processor):.3f} | {peak} |"
        )
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Measures and prints; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Times the prover.")
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="runs of each measurement (default 5)")
    parser.add_argument(
        "--state-counts", action="append", default=[], metavar="EXPECTED.json",
        help="also time all commands of this file under both plans (repeatable)",
    )
    parser.add_argument("--words", metavar="WORDS.json", help="the words those commands use")
    parser.add_argument("-o", "--output", metavar="TABLE.md", help="write the table to a file as well")
    arguments = parser.parse_args(argv)
    if arguments.runs < 1:
        parser.error("--runs has to be at least 1")
    if bool(arguments.state_counts) != bool(arguments.words):
        parser.error("--state-counts and --words go together")
    files = [str(Path(file).resolve()) for file in arguments.state_counts]
    words = str(Path(arguments.words).resolve()) if arguments.words else None
    measurements = []
    for task in tasks(files, words):
        print(task.title, file=sys.stderr)
        try:
            measurements.append(measured(task, arguments.runs))
        except subprocess.CalledProcessError as error:
            print(f"  failed with exit status {error.returncode}", file=sys.stderr)
            return 1
    text = table(measurements)
    print(text)
    if arguments.output:
        Path(arguments.output).write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
