"""What only real processes show: Ctrl-C, the terminal, and that nobody is left behind."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.cli.command import HEAVY, finished, started
from tests.theorems.scripts import HEAD, Write

pytestmark = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="the end of a process is waited for by pidfd")

#: Two theorems are proved at once, two never.
SCRIPT = HEAD + (
    "c.theorem('one', 'Ax x=x', statement='s')\n"
    f"c.theorem('never', '{HEAVY}', statement='s')\n"
    "c.theorem('two', 'Ax x=x', statement='s')\n"
    f"c.theorem('nor', '{HEAVY}+1', statement='s')\n"
)

#: Ends a test in which nobody hears: then the status is 3.
SAFE = ("--max-memory", "2G")


@contextmanager
def at_work(file: Path, *arguments: str, until: bytes) -> Iterator[tuple[subprocess.Popen[str], bytearray]]:
    """`fibprover prove` once its progress line has shown something; the terminal's text is added to the array."""
    ours, theirs = pty.openpty()
    seen = bytearray()
    process = started("prove", str(file), *SAFE, *arguments, stderr=theirs, start_new_session=True)
    os.close(theirs)
    try:
        while until not in seen:
            seen += os.read(ours, 4096)
        yield process, seen
        with suppress(OSError):  # how a closed terminal ends on Linux
            while more := os.read(ours, 4096):
                seen += more
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        with process:
            process.wait()
        os.close(ours)


def children(process: subprocess.Popen[str]) -> list[int]:
    return [int(child) for child in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]


def ended(process: int) -> bool:
    """Return whether a process ends; waits for that, but not forever."""
    try:
        watched = os.pidfd_open(process)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([watched], [], [], 60)[0])
    finally:
        os.close(watched)


@pytest.mark.parametrize(
    ("jobs", "rows"),
    [("1", ["one"]), ("2", ["one", "two"]), pytest.param("3", ["one", "two"], marks=pytest.mark.long)],
)
@pytest.mark.parametrize("everybody", [False, True])
def test_ctrl_c_shows_the_finished_rows_and_leaves_no_process(
    write: Write, jobs: str, rows: list[str], everybody: bool
) -> None:
    """everybody: as from a terminal, where all processes of the group get the signal."""
    with at_work(write(SCRIPT), "-j", jobs, until=f"{len(rows)} of 4".encode()) as (process, seen):
        workers = children(process)
        assert len(workers) == (0 if jobs == "1" else int(jobs))
        if everybody:
            os.killpg(process.pid, signal.SIGINT)
        else:
            process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=100)
        assert [worker for worker in workers if Path(f"/proc/{worker}").exists()] == []
    assert process.returncode == 130
    assert [line.split()[0] for line in out.splitlines()[2:] if line] == rows
    said = bytes(seen).rpartition(b"\x1b[K")[2].decode()
    assert said.startswith(f"interrupted: {len(rows)} of 4 theorems finished, {len(rows)} as expected (")
    assert said.count("\n") == 1


def computing(process: subprocess.Popen[str], others: list[int]) -> int:
    """Waits for a child other than these that has been computing for a while; returns it."""
    deadline = time.monotonic() + 100
    while time.monotonic() < deadline:
        for child in set(children(process)) - set(others):
            with suppress(OSError):  # it has just ended
                fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
                if int(fields[11]) >= os.sysconf("SC_CLK_TCK") // 2:
                    return child
        time.sleep(0.05)
    raise AssertionError("no child is computing")


@pytest.mark.long
def test_the_progress_line_names_what_is_at_work_and_goes(write: Write) -> None:
    with at_work(write(SCRIPT), "-j", "2", until=b"2 of 4") as (process, seen):
        known: list[int] = []
        for _ in range(2):
            child = computing(process, known)
            known += children(process)  # the others end with it, and new ones take their place
            os.kill(child, signal.SIGKILL)
            assert ended(child)
        out, _ = process.communicate(timeout=100)
    assert process.returncode == 2
    shown = bytes(seen).decode()
    assert re.search(r"2 of 4 \(50%[^)]*\)  (never \| nor|nor \| never)  \d", shown)
    after = shown.rpartition("\x1b[K")[2]
    assert re.findall(r"(\w+): the process that tried it was killed by SIGKILL", after) == ["never", "nor"]
    assert out.count("ERROR") == 2 and "2 of 4 theorems as expected" in after


def test_workers_end_with_the_process_that_gives_the_jobs(write: Write) -> None:
    with at_work(write(SCRIPT), "-j", "2", until=b"2 of 4") as (process, _):
        workers = children(process)
        assert len(workers) == 2
        process.kill()
        assert [ended(worker) for worker in workers] == [True, True]


def test_nothing_is_said_in_a_pipe(write: Write) -> None:
    light = HEAD + "".join(f"c.theorem('t{i}', 'Ax x=x', statement='s')\n" for i in range(9))
    said = finished(started("prove", str(write(light)), "-j", "2"))
    assert (said.status, said.err) == (0, "") and "all 9 theorems as expected" in said.out
