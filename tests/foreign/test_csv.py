"""CSV as Python's reader and spreadsheets load it: the same cells, and no text that is evaluated."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fibprover.base.csv_text import csv_text
from fibprover.campaigns.sweeps.store import Store, TaskRecord
from fibprover.frontends.cli.main import main
from fibprover.frontends.display.text_table import Table, written

#: What spreadsheets evaluate: OWASP's list.
EVALUATED = ("=", "+", "-", "@", "\t", "\r")

cells = st.integers(-99, 10**30) | st.text(st.sampled_from("=+-@\t\r\n\"',;|ab1 \u03b5"), max_size=6)
tables = st.lists(st.lists(cells, min_size=2, max_size=2), max_size=4)


def loaded(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


@given(tables)
@example([["=1+1", -1], ["a\rb", "c\r\nd"], ["", ""]])
def test_cells(rows: list[list[int | str]]) -> None:
    found = loaded(csv_text(rows))
    assert len(found) == len(rows)
    for row, read in zip(rows, found, strict=True):
        for cell, text in zip(row, read, strict=True):
            if isinstance(cell, int):
                assert int(text) == cell
            else:
                assert text in (cell, f"'{cell}")
                assert not text.startswith(EVALUATED) or text.removeprefix("-").isdecimal()
                assert text == cell or cell.startswith(EVALUATED)


def test_tables_of_games(capsys: pytest.CaptureFixture[str]) -> None:
    table = Table(("n", "digits, read"), ((-1, "[12]3"), (2, "\u03b5")), ("n", "d"))
    assert loaded(written(table, "csv", {})) == [["n", "digits, read"], ["-1", "[12]3"], ["2", "\u03b5"]]
    assert main(["game", "wythoff()", "--grundy", "4", "--format", "csv"]) == 0
    head, *rows = loaded(capsys.readouterr().out)
    assert head == ["", "0", "1", "2", "3"]
    assert [[int(cell) for cell in row[1:]] for row in rows] == [[0, 1, 2, 3], [1, 2, 0, 4], [2, 0, 1, 5], [3, 4, 5, 6]]


def test_a_store(tmp_path: Path) -> None:
    records = [
        TaskRecord("a", '=HYPERLINK("x")', "done", {"x": "=1"}, seconds=0.5),
        TaskRecord("c", "c", "done", -3),
        TaskRecord("b", "-1 < x, @y", "failed", error='+one\r\n  hint: "two", three'),
    ]
    with Store(tmp_path / "work.sqlite") as store:
        for record in records:
            store.finish(record)
    assert main(["store", str(tmp_path / "work.sqlite"), "--csv", str(tmp_path / "work.csv")]) == 0
    rows = list(csv.DictReader(io.StringIO((tmp_path / "work.csv").read_bytes().decode(), newline=""), strict=True))
    assert sorted((row["what"], row["state"], row["result"], row["error"]) for row in rows) == [
        ("'-1 < x, @y", "failed", "null", "'+one\r\n  hint: \"two\", three"),
        ("'=HYPERLINK(\"x\")", "done", '{"x": "=1"}', ""), ("c", "done", "-3", ""),
    ]
