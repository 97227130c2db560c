"""Stores that somebody else has made: what is no table of fibprover's is refused, at once, and left as it was."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from fibprover.base.errors import FileProblem, FormatError
from fibprover.base.limits import Limits, spending
from fibprover.campaigns.sweeps import store as stores
from fibprover.campaigns.sweeps.store import Store, TaskRecord
from tests.cli.command import answer

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT i FROM n"
COLUMNS = "key, what, state, result, evidence, certificate, seconds, peak_bytes, host, error, attempts, owner, lease"
HEADER = f"PRAGMA application_id = {stores.APPLICATION}; PRAGMA user_version = {stores.SCHEMA};"
OF_A_VIEW = ", ".join(f"i AS {column}" for column in COLUMNS.split(", "))

#: What is made beside the table of a store, or in its place.
WAYS = {
    "a view in its place": f"CREATE VIEW tasks AS {ENDLESS.replace('SELECT i FROM', f'SELECT {OF_A_VIEW} FROM')};",
    "a view beside it": f"{stores._TABLE}; CREATE VIEW other AS {ENDLESS};",
    "a trigger": f"{stores._TABLE}; CREATE TRIGGER t AFTER INSERT ON tasks BEGIN DELETE FROM tasks; END;",
    "an index": f"{stores._TABLE}; CREATE INDEX by_length ON tasks (length(what));",
    "another table": f"{stores._TABLE}; CREATE TABLE other (x);",
    "a default that is computed": stores._TABLE.replace("DEFAULT ''", "DEFAULT (hex(randomblob(100000000)))", 1) + ";",
    "a column that is computed": stores._TABLE.replace(
        "what TEXT NOT NULL", "what TEXT AS (printf('%.*c', 900000000, 'x'))"
    ) + ";",
    "a check": stores._TABLE.replace("result TEXT", "result TEXT CHECK (length(result) < 5)") + ";",
    "another table of this name": "CREATE TABLE tasks (key, what);",
    "a virtual table": f"{stores._TABLE}; CREATE VIRTUAL TABLE search USING fts5(x);",
    "many columns": f"{stores._TABLE}; CREATE TABLE other ({', '.join(f'c{n}' for n in range(500))});",
    "a deep expression": f"{stores._TABLE}; CREATE VIEW deep AS SELECT {'(' * 40}1{'+1)' * 40};",
    "a long definition": f"{stores._TABLE}; CREATE VIEW long AS SELECT '{'x' * 100_000}';",
}


def content(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("journal", ["DELETE", "WAL"])
def test_a_store_with_anything_else_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], way: str, journal: str
) -> None:
    file = tmp_path / "s.sqlite"
    connection = sqlite3.connect(file)
    connection.executescript(f"PRAGMA journal_mode = {journal}; {HEADER} {WAYS[way]}")
    connection.close()
    before, begun = content(tmp_path), time.monotonic()
    for create in (True, False):
        with pytest.raises(FormatError) as caught:
            Store(file, create=create)
        assert str(file) in str(caught.value) and caught.value.hint
    assert answer(capsys, "store", str(file)).status == 2
    assert content(tmp_path) == before
    assert time.monotonic() - begun < 10


def test_a_schema_that_was_written_by_hand(tmp_path: Path) -> None:
    """SQLite parses what the file says, not what it allows to be made."""
    file = tmp_path / "s.sqlite"
    connection = sqlite3.connect(file)
    connection.executescript(
        f"{HEADER} {stores._TABLE}; PRAGMA writable_schema = ON; "
        "INSERT INTO sqlite_master VALUES ('view', 'v', 'v', 0, 'CREATE VIEW v AS SELECT load_extension(''x'')'), "
        "('trigger', 't', 'tasks', 0, 'nonsense');"
    )
    connection.close()
    before = content(tmp_path)
    with pytest.raises((FormatError, FileProblem)):
        Store(file)
    assert content(tmp_path) == before


def test_a_store_of_this_program_passes(tmp_path: Path) -> None:
    file = tmp_path / "s.sqlite"
    for _ in range(2):
        with Store(file) as made:
            made.finish(TaskRecord("k", "w", "done", list(range(1000))))
            (record,) = made.records()
            assert record.result == list(range(1000))


def test_definitions_of_a_file_call_no_functions(tmp_path: Path) -> None:
    """Nor does a store attach another file, or take a definition of any length."""
    with Store(tmp_path / "s.sqlite") as made:
        assert made._connection.execute("PRAGMA trusted_schema").fetchone() == (0,)
        for command in (
            f"ATTACH '{tmp_path / 'other'}' AS other", f"SELECT '{'x' * 20_000}'", f"SELECT {'(' * 60}1{'+1)' * 60}",
        ):
            with pytest.raises(sqlite3.Error):
                made._connection.execute(command)
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("column", COLUMNS.split(", ")[1:11])
@pytest.mark.parametrize("value", [b"\xff", "[" * 100_000, 5, 0.5, "x"])
def test_a_value_of_any_type_is_one_of_the_column_or_an_error(tmp_path: Path, column: str, value: object) -> None:
    file = tmp_path / "s.sqlite"
    with Store(file) as made:
        made.finish(TaskRecord("k", "w", "done"))
        made._connection.execute(f"UPDATE tasks SET {column} = ?", (value,))
        try:
            (record,) = made.records()
        except FormatError as problem:
            assert "damaged" in problem.message
            return
    found = getattr(record, column)
    assert isinstance(found, stores._TYPES[column]) or column in ("result", "evidence")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
@pytest.mark.parametrize("make", [os.mkfifo if hasattr(os, "mkfifo") else os.mkdir, os.mkdir])
def test_what_is_no_file_is_not_opened(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "s.sqlite")
    with spending(Limits(seconds=20).start()):
        for create in (True, False):
            with pytest.raises(FileProblem):
                Store(tmp_path / "s.sqlite", create=create)
