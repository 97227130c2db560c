"""A sweep carries out every task once, whatever ends its processes, and answers in the order of the cases."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import fibprover as fp
from fibprover.base.errors import FibproverError
from fibprover.campaigns.sweeps import sweep as sweeps
from fibprover.campaigns.sweeps.store import Store, TaskRecord
from fibprover.campaigns.sweeps.sweep import sweep
from tests.sweeps import deeds

ROOT = Path(__file__).resolve().parents[2]

#: A program of its own that sweeps: the store, the file of notes, the number of cases, seconds of each.
CLIENT = """
import sys
from fibprover.campaigns.sweeps.sweep import sweep
from tests.sweeps.deeds import noted_square
if __name__ == "__main__":
    store, notes, number, seconds = sys.argv[1:]
    records = sweep(noted_square, [[notes, i, float(seconds)] for i in range(int(number))], store=store, jobs=2)
    assert [record.result for record in records] == [i * i for i in range(int(number))]
"""

killing = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are killed by a signal")


def client(*arguments: str | Path) -> subprocess.Popen[str]:
    """Starts a program that sweeps."""
    program = [sys.executable, "-c", CLIENT, *map(str, arguments)]
    return subprocess.Popen(program, cwd=ROOT, stderr=subprocess.PIPE, text=True)


def ended(process: subprocess.Popen[str]) -> None:
    """Waits until a program has ended, with success."""
    with process:
        _, err = process.communicate(timeout=300)
    assert (process.returncode, err) == (0, "")


def times(notes: Path) -> Counter[int]:
    """How often each number was squared."""
    return Counter(map(int, notes.read_text().split())) if notes.exists() else Counter()


def results(records: list[TaskRecord]) -> list[Any]:
    return [record.result for record in records]


def test_results_are_in_the_order_of_the_cases(tmp_path: Path) -> None:
    cases = [[str(tmp_path / "notes"), n, 0.05 if n == 0 else 0.0] for n in (0, 7, 3, 7)]
    seen: list[TaskRecord] = []
    records = fp.sweep(deeds.noted_square, cases, jobs=2, watch=seen.append)
    assert results(records) == [0, 49, 9, 49]
    assert times(tmp_path / "notes") == {0: 1, 7: 1, 3: 1}, "equal cases are one task"
    assert {record.state for record in records} == {"done"} and len(seen) == 3
    assert all(record.seconds is not None and record.host and record.attempts == 1 for record in records)
    assert fp.sweep(deeds.noted_square, []) == []


def test_what_the_store_has_is_not_done_again(tmp_path: Path) -> None:
    notes, file = tmp_path / "notes", tmp_path / "work.sqlite"
    first = sweep(deeds.noted_square, [[str(notes), n, 0.0] for n in range(4)], store=file, jobs=1)
    again = sweep(deeds.noted_square, [[str(notes), n, 0.0] for n in range(6)], store=file, jobs=2)
    assert results(again) == [0, 1, 4, 9, 16, 25] and again[:4] == first
    assert set(times(notes).values()) == {1}


def test_a_key_depends_on_what_determines_the_result(tmp_path: Path) -> None:
    file = tmp_path / "work.sqlite"
    keys = [
        sweep(function, [case], store=file, jobs=1, limits=limits)[0].key
        for function, case, limits in [
            (deeds.inverse, 2, None), (deeds.inverse, 4, None), (deeds.deadly, 2, None),
            (deeds.inverse, 2, fp.Limits(seconds=5)), (deeds.inverse, 2, None),
        ]
    ]
    assert len(set(keys)) == 4 and keys[0] == keys[-1]


def test_an_error_is_a_failed_record_which_is_tried_again_on_request(tmp_path: Path) -> None:
    file, calls = tmp_path / "work.sqlite", tmp_path / "calls"
    cases = [[str(calls), 0], [str(calls), 2]]
    failed, fine = sweep(deeds.noted_inverse, cases, store=file, jobs=1)
    assert (failed.state, failed.result, fine.result) == ("failed", None, 0.5)
    assert "ZeroDivisionError" in failed.error
    assert sweep(deeds.noted_inverse, cases, store=file, jobs=1) == [failed, fine]
    assert sorted(calls.read_text().split()) == ["0", "2"]
    again = sweep(deeds.noted_inverse, cases, store=file, jobs=1, retry=True)
    assert again[1] == fine and again[0].state == "failed" and calls.read_text().split()[2:] == ["0"]


def test_a_result_that_is_no_json_is_an_error() -> None:
    (record,) = sweep(deeds.a_set, [1], jobs=1)
    assert record.state == "failed" and "JSON" in record.error


def test_evidence_and_certificates_are_kept(tmp_path: Path) -> None:
    with_evidence, closed = sweep(deeds.formula, ["Ax Ey x=2*y", "Ax x=x"], store=tmp_path / "s", jobs=1)
    assert (with_evidence.result, with_evidence.evidence, with_evidence.certificate) == (False, {"x": 1}, "nowhere")
    assert (closed.result, closed.evidence) == (True, None)


def test_limits_are_of_each_task() -> None:
    spent, fine = sweep(deeds.endless, [1, 0], jobs=2, limits=fp.Limits(seconds=0.2))
    assert spent.state == "failed" and "budget" in spent.error
    assert fine.state == "done"


def test_memory_is_shared_and_not_part_of_keys() -> None:
    (fine,) = sweep(deeds.inverse, [2], memory=8 << 30)
    (spent,) = sweep(deeds.inverse, [2], memory=1)
    assert fine.key == spent.key and fine.result == 0.5
    assert spent.state == "failed" and "memory" in spent.error


def test_records_call_a_case_as_they_are_told() -> None:
    (record,) = sweep(deeds.inverse, [2], name=lambda case: f"one over {case}")
    assert record.what == "one over 2"


@killing
def test_a_task_that_kills_its_process_is_tried_three_times() -> None:
    records = sweep(deeds.deadly, range(6), jobs=2)
    assert results(records) == [0, -1, -2, None, -4, -5]
    assert (records[3].state, records[3].attempts) == ("failed", sweeps.MOST_ATTEMPTS)
    assert "SIGKILL" in records[3].error
    assert all(record.attempts == 1 for record in records if record.state == "done"), "the others were not to blame"


@killing
def test_a_task_whose_process_died_once_is_done_after_all(tmp_path: Path) -> None:
    records = sweep(deeds.deadly_once, [[str(tmp_path / "died"), n] for n in range(3)], jobs=2)
    assert results(records) == [0, 1, 2] and records[1].attempts == 2


@killing
def test_a_program_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    file, notes = tmp_path / "work.sqlite", tmp_path / "notes"
    killed = client(file, notes, "12", "0.05")
    until = time.monotonic() + 60
    while len(times(notes)) < 5 and time.monotonic() < until:
        time.sleep(0.01)
    killed.kill()
    killed.communicate()
    with Store(file) as store:
        done = len(list(store.records("done")))
    assert 3 <= done < 12
    ended(client(file, notes, "12", "0.05"))
    again = {number for number, count in times(notes).items() if count > 1}
    assert set(times(notes)) == set(range(12)) and len(again) <= 4, "at most the tasks under way were lost"


def test_two_programs_do_no_task_twice(tmp_path: Path) -> None:
    file, notes = tmp_path / "work.sqlite", tmp_path / "notes"
    both = [client(file, notes, "40", "0.02") for _ in range(2)]
    for each in both:
        ended(each)
    assert times(notes) == dict.fromkeys(range(40), 1)


@pytest.mark.parametrize(
    ("function", "case", "said"),
    [(lambda n: n, 1, "sent"), (deeds.inverse, {1, 2}, "JSON"), (deeds.inverse, float("inf"), "JSON")],
)
def test_what_does_not_fit_is_said_before_anything_begins(function: Callable[..., Any], case: Any, said: str) -> None:
    with pytest.raises(FibproverError, match=said):
        sweep(function, [case])


def test_any_executor_will_do(tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as executor:
        records = sweep(deeds.inverse, [1, 0, 4], executor=executor, store=tmp_path / "s")
    assert [(record.state, record.result) for record in records] == [("done", 1.0), ("failed", None), ("done", 0.25)]
    with pytest.raises(FibproverError, match="executor"):
        sweep(deeds.inverse, [5], executor=executor, store=tmp_path / "s")
    with pytest.raises(FibproverError, match="Dask"):
        sweep(deeds.inverse, [5], executor=executor, dask="local")
    assert results(sweep(deeds.inverse, [5], store=tmp_path / "s")) == [0.2]


def children(parent: int) -> list[int]:
    """The processes that a process has started."""
    listed = Path(f"/proc/{parent}/task/{parent}/children")
    try:
        return [int(each) for each in listed.read_text().split()]
    except OSError:
        return []


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are found by Linux")
def test_200_tasks_survive_what_is_killed(tmp_path: Path) -> None:
    """Workers are killed at 20 random moments, and the program twice; two programs are at work at the end."""
    chance = random.Random(21)
    file, notes = tmp_path / "work.sqlite", tmp_path / "notes"
    kills = 0
    for part in range(3):
        program = client(file, notes, "200", "0.1")
        while program.poll() is None and kills < (8, 16, 20)[part]:
            time.sleep(chance.uniform(0.1, 0.4))
            workers = children(program.pid)
            if workers:
                os.kill(chance.choice(workers), signal.SIGKILL)
                kills += 1
        if part < 2:
            program.kill()
            program.communicate()
        else:
            other = client(file, notes, "200", "0.1")
            ended(program)
            ended(other)
    assert kills == 20
    with Store(file) as store:
        records = list(store.records())
    assert sorted(record.result for record in records) == [n * n for n in range(200)]
    assert {record.state for record in records} == {"done"}


def test_a_task_that_needs_more_than_a_share_is_done_by_itself(tmp_path: Path) -> None:
    sizes = [5 << 30, 1 << 20, 9 << 30, 2 << 20]
    records = fp.sweep(deeds.needing, sizes, jobs=2, memory=8 << 30, store=tmp_path / "s")
    assert results(records) == [sizes[0], sizes[1], None, sizes[3]]
    assert [record.attempts for record in records] == [2, 1, 2, 1]
    assert "bytes" in records[2].error or "memory" in records[2].error
    limited = fp.sweep(deeds.needing, sizes, jobs=2, memory=8 << 30, limits=fp.Limits(bytes=1 << 30))
    assert [record.attempts for record in limited] == [1, 1, 1, 1], "a limit of its own is final"
