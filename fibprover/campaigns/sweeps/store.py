"""The store of a sweep: one SQLite file with a row for each task, which several programs may use at once.

A row is claimed for a while before its task is carried out, so that two programs do not do it twice, and finished
afterwards.  A claim holds until its lease is over, or its program has ended.  Every change is a transaction: a
program that is killed at any moment loses the tasks under way only.  Results are JSON; nothing in a file is executed.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from fibprover.base.errors import FibproverError, FileProblem, FormatError
from fibprover.base.limits import poll
from fibprover.base.values import numbers_of_any_length

#: The two numbers in the header of a store's SQLite file: whose file it is, and the version of its table.
APPLICATION, SCHEMA = 0x66627374, 1

#: Seconds for which a claim holds, and after which a program renews the claims that it has.
LEASE, RENEWAL = 60.0, 15.0

#: Seconds to wait for another program that writes; and those of one wait within SQLite, which sees no signal.
_PATIENCE, _SLICE = 60.0, 0.1

#: Seconds to wait where claims are given up: they end with this program in any case.
_LITTLE_PATIENCE = 1.0

#: Instructions of SQLite between two looks at the budget, a millisecond or so.
_STEPS = 100_000

#: A disk with fewer free bytes than this has no room for the auxiliary files of SQLite.
_LITTLE = 1 << 20

#: The state of a task: under way, finished with a result, or given up with a reason.
State = Literal["claimed", "done", "failed"]
STATES: tuple[State, ...] = ("claimed", "done", "failed")

_TABLE = """
CREATE TABLE tasks (
    key TEXT PRIMARY KEY, what TEXT NOT NULL, state TEXT NOT NULL, result TEXT, evidence TEXT,
    certificate TEXT NOT NULL DEFAULT '', seconds REAL, peak_bytes INTEGER, host TEXT NOT NULL DEFAULT '',
    error TEXT NOT NULL DEFAULT '', attempts INTEGER NOT NULL DEFAULT 0,
    owner TEXT NOT NULL DEFAULT '', lease REAL NOT NULL DEFAULT 0
) WITHOUT ROWID
"""

#: The most that SQLite may do for a store, by the names of its limits: a file could ask for more.
_LIMITS: Mapping[str, int] = MappingProxyType({
    "SQLITE_LIMIT_LENGTH": 512 << 20, "SQLITE_LIMIT_SQL_LENGTH": 10_000, "SQLITE_LIMIT_COLUMN": 30,
    "SQLITE_LIMIT_EXPR_DEPTH": 30, "SQLITE_LIMIT_COMPOUND_SELECT": 2, "SQLITE_LIMIT_VARIABLE_NUMBER": 20,
    "SQLITE_LIMIT_ATTACHED": 0, "SQLITE_LIMIT_TRIGGER_DEPTH": 1, "SQLITE_LIMIT_WORKER_THREADS": 0,
})

#: Switches of SQLite, as Python 3.12 has them: a file calls no functions, and has no triggers and no views.
_SWITCHES: Mapping[str, bool] = MappingProxyType({
    "SQLITE_DBCONFIG_DEFENSIVE": True, "SQLITE_DBCONFIG_TRUSTED_SCHEMA": False, "SQLITE_DBCONFIG_ENABLE_TRIGGER": False,
    "SQLITE_DBCONFIG_ENABLE_VIEW": False,
})

_COLUMNS = "key, what, state, result, evidence, certificate, seconds, peak_bytes, host, error, attempts"


#: The types of the columns: SQLite keeps a value of any type in each.
_TYPES: Mapping[str, Any] = MappingProxyType({
    "key": str, "what": str, "state": str, "result": str | None, "evidence": str | None, "certificate": str,
    "seconds": float | int | None, "peak_bytes": int | None, "host": str, "error": str, "attempts": int,
})


@dataclass(frozen=True, slots=True)
class TaskRecord:
    """The record of a task.

    key: a hash of all that determines the result; what: the task in words; state: "claimed", "done" or "failed";
    result, evidence: values of JSON; certificate: the place of a proof, "" without one; seconds and peak_bytes: what
    the task took; host: the machine that carried it out; error: why it failed; attempts: how often it was begun.
    """

    key: str
    what: str
    state: State
    result: Any = field(default=None, hash=False)
    evidence: Any = field(default=None, hash=False)
    certificate: str = ""
    seconds: float | None = None
    peak_bytes: int | None = None
    host: str = ""
    error: str = ""
    attempts: int = 1


class Store(AbstractContextManager["Store"]):
    """A file with the results of a sweep; a context manager that closes it.

    An operation raises FileProblem if the file cannot be read or written, as on a full disk; what was finished before
    stays in it.

    Parameters:

    - path: the file
    - create: whether it is made if it is missing

    Errors: FormatError if it is no store of this version; FileProblem if it cannot be opened.

    >>> records = fp.sweep(fp.system_named, [], store="results.db")
    >>> with fp.Store("results.db") as store:
    ...     list(store.records())
    []
    """

    def __init__(self, path: str | Path, *, create: bool = True) -> None:
        self.path = str(path)
        #: The name of this program in claims.
        self.owner = f"{socket.gethostname()} {os.getpid()} {secrets.token_hex(8)}"
        self._renewed = time.time()
        #: What has ended the last operation of SQLite that was no error of it.
        self._ended: BaseException | None = None
        if not os.path.isfile(self.path):
            if not create:
                raise FileProblem(f"cannot read {self.path}: no such file")
            if os.path.exists(self.path):  # a pipe or a device, for which SQLite would wait
                raise FileProblem(f"{self.path} cannot be opened: it is not a regular file")
        try:
            self._connection = sqlite3.connect(self.path, timeout=_SLICE, isolation_level=None)
        except sqlite3.Error as error:
            raise FileProblem(f"{self.path} cannot be opened: {error}") from error
        self._connection.set_progress_handler(self._is_to_end, _STEPS)
        try:
            self._restrict()
            self._prepare()
        except BaseException:
            self._connection.close()
            raise

    def __exit__(self, *ending: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _restrict(self) -> None:
        """Let SQLite do for the file what a store needs, and no more."""
        for name, most in _LIMITS.items():
            self._connection.setlimit(getattr(sqlite3, name), most)
        switch: Callable[[int, bool], None] | None = getattr(self._connection, "setconfig", None)
        if switch is not None:
            for name, on in _SWITCHES.items():
                switch(getattr(sqlite3, name), on)
        for command in ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0"):
            self._connection.execute(f"PRAGMA {command}")

    def _check_schema(self) -> None:
        """Raise FormatError unless the file has the table of a store, as this program makes it, and nothing else."""
        found = self._execute("SELECT type, name, sql FROM sqlite_master LIMIT 2").fetchall()
        if [(kind, name, str(sql).split()) for kind, name, sql in found] != [("table", "tasks", _TABLE.split())]:
            raise FormatError(
                "it holds something else than the table of a store, such as a view or a trigger", self.path,
                hint="do not use it: fibprover has not made it so",
            )

    def _prepare(self) -> None:
        """Check the header and the table of the file; make the table in a new one."""
        try:
            if self._header() == (0, 0, 0):
                with self._changing():
                    if self._header() == (0, 0, 0):  # no other program has made the table meanwhile
                        self._execute(_TABLE)
                        self._execute(f"PRAGMA application_id = {APPLICATION}")
                        self._execute(f"PRAGMA user_version = {SCHEMA}")
            application, version, _ = self._header()
            if (application, version) == (APPLICATION, SCHEMA):
                self._check_schema()
        except sqlite3.OperationalError as error:
            raise self._problem("opened", error) from error
        except sqlite3.Error as error:
            raise FormatError("it is not a store of fibprover", self.path, hint="give another file") from error
        if application != APPLICATION:
            raise FormatError("it is a database, but not a store of fibprover", self.path, hint="give another file")
        if version != SCHEMA:
            age = "an older" if version < SCHEMA else "a newer"
            raise FormatError(
                f"{age} version of fibprover made this store (format {version}; this version has format {SCHEMA})",
                self.path, hint="use that version, or begin another store",
            )
        with self._reported():
            self._write_ahead()
            self._execute("PRAGMA synchronous = NORMAL")

    def _write_ahead(self) -> None:
        """Switch on the write-ahead log: readers and a writer do not wait for each other, and a finished task survives
        the end of any program.
        """
        self._execute("PRAGMA journal_mode = WAL")

    def _execute(self, command: str, values: Sequence[Any] = (), patience: float = _PATIENCE) -> sqlite3.Cursor:
        """Execute a command of SQLite; wait for another program that writes, and end where a signal or budget does."""
        until = time.monotonic() + patience
        while True:
            try:
                return self._connection.execute(command, values)
            except sqlite3.OperationalError as error:
                if not _is_locked(error) or time.monotonic() >= until:
                    raise
            poll(f"a wait for {self.path}")
            time.sleep(0.02)  # SQLite does not always wait itself, such as for programs that open a new file

    def _header(self) -> tuple[int, int, int]:
        """Return whose file it is, the version of its format, and the number of its tables."""
        def number(command: str) -> int:
            return int(self._execute(command).fetchone()[0])

        tables = number("SELECT count(*) FROM sqlite_master")
        return number("PRAGMA application_id"), number("PRAGMA user_version"), tables

    @contextmanager
    def _reported(self) -> Iterator[None]:
        """Raise FileProblem for errors of SQLite."""
        try:
            yield
        except sqlite3.Error as error:
            raise self._problem("read or written", error) from error

    def _problem(self, action: str, error: sqlite3.Error) -> FileProblem:
        """Return the error that this file cannot be opened, read or written; a full disk is named.

        SQLite calls it an error of input and output where the disk is too full for its auxiliary files.  Raises
        BudgetSpent where that, and no error, has ended the operation.
        """
        if error.args[:1] == ("interrupted",):
            raise self._ended or KeyboardInterrupt from error
        reason, hint = str(error), ""
        if "full" in reason or ("disk I/O" in reason and _free_bytes(self.path) < _LITTLE):
            reason, hint = "the disk is full", "the store keeps its rows; run the command again once there is room"
        return FileProblem(f"{self.path} cannot be {action}: {reason}", hint=hint)

    def _is_to_end(self) -> bool:
        """Return whether SQLite, which polls nothing, is to end what it does: a budget is spent, or a signal came."""
        try:
            poll()
        except BaseException as ended:
            self._ended = ended
            return True
        return False

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Make all changes within the block at once, or none of them; no other program writes meanwhile."""
        self._execute("BEGIN IMMEDIATE")
        try:
            yield
            self._execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._execute("ROLLBACK")
            raise

    # Tasks

    def get(self, key: str) -> TaskRecord | None:
        """Return the record of a task, None if there is none."""
        with self._reported():
            row = self._execute(f"SELECT {_COLUMNS} FROM tasks WHERE key = ?", (key,)).fetchone()
        return None if row is None else self._record(row)

    def claim(self, key: str, what: str, *, retry: bool = False) -> TaskRecord | None:
        """Claim a task for this program; return None if it is claimed now, else its record.

        The record is a finished one, a failed one unless `retry`, or the claim of another program.
        """
        now = time.time()
        with self._reported(), self._changing():
            found = self._execute(
                f"SELECT owner, lease, {_COLUMNS} FROM tasks WHERE key = ?", (key,)
            ).fetchone()
            if found is not None:
                owner, lease, record = found[0], found[1], self._record(found[2:])
                ours = owner == self.owner or lease < now or _has_ended(owner)
                if record.state == "done" or (record.state == "failed" and not retry):
                    return record
                if record.state == "claimed" and not ours:
                    return record
            self._execute(
                "INSERT OR REPLACE INTO tasks (key, what, state, owner, lease) VALUES (?, ?, 'claimed', ?, ?)",
                (key, _storable(what), self.owner, now + LEASE),
            )
        return None

    def renew(self) -> None:
        """Renew the claims of this program; this may be called often, since it usually does nothing."""
        now = time.time()
        if now < self._renewed + RENEWAL:
            return
        self._renewed = now
        with self._reported():
            self._execute(
                "UPDATE tasks SET lease = ? WHERE owner = ? AND state = 'claimed'", (now + LEASE, self.owner)
            )

    @contextmanager
    def renewing(self) -> Iterator[None]:
        """Renew the claims of this program from a thread while the block runs."""
        over = threading.Event()

        def renew() -> None:
            while not over.wait(RENEWAL):
                # A claim that cannot be renewed is lost in the end, and the task is carried out twice.
                with suppress(FibproverError), Store(self.path, create=False) as other:
                    other.owner, other._renewed = self.owner, 0.0
                    other.renew()

        thread = threading.Thread(target=renew, daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    def finish(self, record: TaskRecord) -> None:
        """Store the record of a task, unless another program has finished the task in the meantime."""
        with self._reported():
            self._execute(
                f"INSERT INTO tasks ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE "
                "SET what = excluded.what, state = excluded.state, result = excluded.result, "
                "evidence = excluded.evidence, certificate = excluded.certificate, seconds = excluded.seconds, "
                "peak_bytes = excluded.peak_bytes, host = excluded.host, error = excluded.error, "
                "attempts = excluded.attempts, owner = '', lease = 0 WHERE tasks.state != 'done'",
                (
                    record.key, _storable(record.what), record.state, json_text(record.result),
                    json_text(record.evidence), _storable(record.certificate), record.seconds, record.peak_bytes,
                    record.host, _storable(record.error), record.attempts,
                ),
            )

    def replace(self, record: TaskRecord) -> None:
        """Store a record, replacing any other one, even a finished one."""
        with self._reported(), self._changing():
            self._execute("DELETE FROM tasks WHERE key = ?", (record.key,))
            self.finish(record)

    def release(self) -> None:
        """Give up the claims of this program, whose tasks were not finished.

        Where another program writes all the time they are left: they end with this program.
        """
        with self._reported():
            try:
                self._execute(
                    "DELETE FROM tasks WHERE owner = ? AND state = 'claimed'", (self.owner,), _LITTLE_PATIENCE
                )
            except sqlite3.OperationalError as error:
                if not _is_locked(error):
                    raise

    def records(self, state: str = "", what: str = "") -> Iterator[TaskRecord]:
        """Yield the records, ordered by what they are about; state: only records in this state; what: only records
        whose description contains this text.
        """
        with self._reported():
            found = self._execute(
                f"SELECT {_COLUMNS} FROM tasks WHERE (? = '' OR state = ?) AND instr(what, ?) ORDER BY what, key",
                (state, state, what or ""),
            )
            for row in found:
                yield self._record(row)

    def _record(self, row: tuple[Any, ...]) -> TaskRecord:
        try:
            key, what, state, result, evidence, certificate, seconds, peak, host, error, attempts = row
            if state not in STATES:
                raise ValueError(f"a task has the unknown state {state!r}")
            for column, value in zip(_COLUMNS.split(", "), row, strict=True):
                if not isinstance(value, _TYPES[column]):
                    raise ValueError(f"the value of {column} is of another type")
            return TaskRecord(
                key, what, state, json_value(result), json_value(evidence), certificate, seconds, peak, host, error,
                attempts,
            )
        except (TypeError, ValueError, RecursionError) as error:
            raise FormatError(f"it is damaged: {error}", self.path, hint="remove the row, or the file") from error


def _is_locked(error: sqlite3.Error) -> bool:
    """Return whether another program was writing."""
    return "locked" in str(error)


def _free_bytes(file: str) -> float:
    """Return the bytes that are free on the disk of a file; infinite if they are unknown."""
    try:
        return shutil.disk_usage(os.path.dirname(os.path.abspath(file))).free
    except OSError:
        return float("inf")


def _storable(text: str) -> str:
    """Return a text that can be stored: half of a pair of surrogates becomes a backslash sequence."""
    return text.encode(errors="backslashreplace").decode()


def json_text(value: Any) -> str:
    """Return a value as JSON; raises FibproverError for a value that JSON cannot hold."""
    try:
        with numbers_of_any_length():
            return json.dumps(value, ensure_ascii=True, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise FibproverError(
            f"the result of a task is not a value of JSON: {error}",
            hint="return numbers, texts, None, and lists and dictionaries of these",
        ) from error


def json_value(text: str | None) -> Any:
    """Return the value of a JSON text, None without a text; raises ValueError if it is not JSON."""
    if text is None:
        return None
    with numbers_of_any_length():
        return json.loads(text)


def _has_ended(owner: str) -> bool:
    """Return whether the program that an owner names ran on this machine, and has ended."""
    host, _, rest = owner.rpartition(" ")[0].rpartition(" ")
    if host != socket.gethostname() or not rest.isdigit() or sys.platform == "win32":
        return False
    try:
        os.kill(int(rest), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
