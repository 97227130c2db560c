"""A store keeps what is finished, says what it is, and lets nobody do a task twice."""

from __future__ import annotations

import multiprocessing
import signal
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from fibprover.base.errors import BudgetSpent, FibproverError, FileProblem, FormatError
from fibprover.base.limits import Limits, spending
from fibprover.campaigns.sweeps import store as stores
from fibprover.campaigns.sweeps.store import Store, TaskRecord

DONE = TaskRecord("k", "w(1)", "done", {"n": 10**5000, "list": [1, None]}, {"x": 2}, "c.gz", 0.5, 7, "here", "", 2)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "work.sqlite"


def test_what_is_finished_is_there_when_it_is_opened_again(file: Path) -> None:
    with Store(file) as store:
        assert store.claim("k", "w(1)") is None
        store.finish(DONE)
    with Store(file) as store:
        assert store.get("k") == DONE and store.get("other") is None
        assert store.claim("k", "w(1)", retry=True) == DONE
        assert list(store.records()) == list(store.records("done", "w(")) == [DONE]
        assert list(store.records("failed")) == list(store.records("", "v")) == []


def test_a_claim_is_of_one_program(file: Path) -> None:
    with Store(file) as one, Store(file) as other:
        assert one.claim("k", "w(1)") is None
        held = other.claim("k", "w(1)")
        assert held is not None and held.state == "claimed"
        other.release()
        assert other.get("k") is not None
        one.release()
        assert other.claim("k", "w(1)") is None


def test_a_claim_ends_with_its_lease_which_is_renewed(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr(time, "time", lambda: now[0])
    with Store(file) as one, Store(file) as other:
        assert one.claim("k", "w(1)") is None
        now[0] += stores.LEASE - 1
        one.renew()
        now[0] += stores.LEASE - 1
        assert other.claim("k", "w(1)") is not None
        now[0] += 2
        assert other.claim("k", "w(1)") is None
        one.finish(DONE)
        other.finish(replace(DONE, result=0))
        assert one.get("k") == DONE, "the first to finish counts"


def claim_and_end(file: Path) -> None:
    Store(file).claim("k", "w(1)")


def test_a_claim_ends_with_its_program(file: Path) -> None:
    process = multiprocessing.get_context("spawn").Process(target=claim_and_end, args=(file,))
    process.start()
    process.join()
    with Store(file) as store:
        held = store.get("k")
        assert held is not None and held.state == "claimed"
        assert store.claim("k", "w(1)") is None


def test_a_failed_task_is_tried_again_on_request(file: Path) -> None:
    failed = replace(DONE, state="failed", result=None, error="why\udc80")
    with Store(file) as store:
        store.finish(failed)
        found = store.claim("k", "w(1)")
        assert found is not None and found.state == "failed" and found.error == "why\\udc80"
        assert store.claim("k", "w(1)", retry=True) is None


def test_a_record_is_replaced_on_request(file: Path) -> None:
    with Store(file) as store:
        store.finish(DONE)
        store.replace(replace(DONE, result=5))
        found = store.get("k")
    assert found is not None and found.result == 5


@pytest.mark.parametrize(("version", "said"), [(0, "an older version"), (stores.SCHEMA + 1, "a newer version")])
def test_a_store_of_another_version(file: Path, version: int, said: str) -> None:
    Store(file).close()
    with sqlite3.connect(file) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    connection.close()
    with pytest.raises(FormatError) as caught:
        Store(file)
    assert said in str(caught.value) and str(file) in str(caught.value) and caught.value.hint


def test_a_file_of_something_else(file: Path, tmp_path: Path) -> None:
    file.write_text("no database, but a text that is longer than the header of one" * 20)
    before = file.read_bytes()
    with pytest.raises(FormatError, match="not a store"):
        Store(file)
    assert file.read_bytes() == before
    foreign = tmp_path / "foreign.sqlite"
    connection = sqlite3.connect(foreign)
    connection.execute("CREATE TABLE mine (x)")
    connection.close()
    before = foreign.read_bytes()
    with pytest.raises(FormatError, match="not a store"):
        Store(foreign)
    assert foreign.read_bytes() == before


def test_a_file_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(FileProblem):
        Store(tmp_path)
    with pytest.raises(FileProblem):
        Store(tmp_path / "none" / "work.sqlite")
    with pytest.raises(FileProblem, match="no such file"):
        Store(tmp_path / "work.sqlite", create=False)
    assert not (tmp_path / "work.sqlite").exists()


def test_a_full_disk_loses_nothing_that_is_finished(file: Path) -> None:
    with Store(file) as store:
        store.finish(DONE)
        store._connection.execute("PRAGMA max_page_count = 1")  # no further page: what SQLite says on a full disk
        with pytest.raises(FileProblem, match="full") as caught:
            store.finish(replace(DONE, key="large", result="x" * 100_000))
        assert caught.value.hint
        assert store.get("k") == DONE and store.get("large") is None
    with Store(file) as store:
        assert list(store.records()) == [DONE]


@pytest.mark.parametrize(("free", "full"), [(10_000, True), (1 << 40, False)])
def test_an_error_of_a_disk_without_room_is_that_it_is_full(
    free: int, full: bool, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stores, "_free_bytes", lambda path: free)
    with Store(file) as store:
        problem = store._problem("opened", sqlite3.OperationalError("disk I/O error"))
    assert ("the disk is full" in problem.message, bool(problem.hint)) == (full, full)


def test_a_damaged_row_is_said(file: Path) -> None:
    with Store(file) as store:
        store.finish(DONE)
        store._connection.execute("UPDATE tasks SET result = '{'")
        with pytest.raises(FormatError, match="damaged"):
            store.get("k")


@pytest.mark.parametrize("value", [{1, 2}, float("nan"), b"x", object()])
def test_results_are_json(file: Path, value: object) -> None:
    with Store(file) as store, pytest.raises(FibproverError, match="JSON"):
        store.finish(replace(DONE, result=value))


def open_and_finish(file: Path, number: int) -> None:
    with Store(file) as store:
        store.finish(replace(DONE, key=str(number)))


@pytest.mark.long
def test_several_programs_make_one_store(file: Path) -> None:
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=open_and_finish, args=(file, number)) for number in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * 4
    with Store(file) as store:
        assert len(list(store.records())) == 4


def test_a_spent_budget_ends_what_sqlite_does_and_is_no_interruption(tmp_path: Path) -> None:
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT count(*) FROM n"
    for limits in (Limits(bytes=1), Limits(seconds=0.05)):
        with (
            Store(tmp_path / "s.sqlite") as store, spending(limits.start()), pytest.raises(BudgetSpent),
            store._reported(),
        ):
            store._connection.execute(endless).fetchone()


@pytest.mark.parametrize("operation", [
    lambda store: store.claim("k", "w(1)"), lambda store: store.finish(DONE), lambda store: store.replace(DONE),
])
def test_a_wait_for_another_program_ends_by_a_signal_and_by_a_budget(
    file: Path, operation: Callable[[Store], object]
) -> None:
    """A wait within SQLite would see neither for a minute."""
    with Store(file) as store, closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
        begun = time.monotonic()
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            operation(store)
        with pytest.raises(BudgetSpent), spending(Limits(seconds=0.1).start()):
            operation(store)
        assert time.monotonic() - begun < 5
        other.execute("ROLLBACK")
        operation(store)


def test_claims_are_left_where_another_program_writes(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores, "_LITTLE_PATIENCE", 0.1)
    with Store(file) as store, closing(sqlite3.connect(file, isolation_level=None)) as other:
        assert store.claim("k", "w(1)") is None
        other.execute("BEGIN IMMEDIATE")
        store.release()
        other.execute("ROLLBACK")
        assert store.get("k") is not None
        store.release()
        assert store.get("k") is None
