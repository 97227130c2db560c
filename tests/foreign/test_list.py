"""docs/formats.md lists every format, and the files of tests that it names are there."""

from __future__ import annotations

import re
from pathlib import Path

from fibprover.automata.formats.exports import DIALECTS
from fibprover.frontends.display import drawing, text_table
from fibprover.language.commands import FORMATS, MATRIX_FORMATS

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "formats.md").read_text()
ROWS = [line.split(" | ") for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith("| format")]

#: What the page calls the formats whose names are short.
CALLED = {"GV": "DOT", "TXT": "Walnut's text", "M": "MATLAB", "WL": "Mathematica", "MPL": "Maple"}


def test_every_format_is_listed() -> None:
    heads = " ".join(row[0] for row in ROWS).lower()
    forms = {*FORMATS, *MATRIX_FORMATS, *DIALECTS, *drawing.FORMS, *text_table.FORMS} - {"text"}
    assert len(ROWS) >= 25
    for form in forms:
        assert re.search(rf"\b{re.escape(CALLED.get(form.upper(), form).lower())}\b", heads), form


def test_every_format_has_a_test() -> None:
    for row in ROWS:
        files = re.findall(r"`(tests/[\w/.]+)`", row[-1])
        assert files, row
        assert all((ROOT / file).exists() for file in files), row


def test_every_test_of_a_format_is_listed() -> None:
    for file in Path(__file__).parent.glob("test_*.py"):
        assert file == Path(__file__) or f"`tests/foreign/{file.name}`" in PAGE
