"""Tables as CSV: texts that spreadsheets take for texts."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

#: What a cell begins with that a spreadsheet evaluates.
_EVALUATED = ("=", "+", "-", "@", "\t", "\r")

#: A number as JSON writes it.
_NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?", re.ASCII)


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Return rows of cells as CSV, one a line; a text that a spreadsheet would evaluate gets a `'` in front.

    Numbers stay numbers, also negative ones and those that are texts.  Cells with line breaks are in quotes.
    """
    lines = []
    for row in rows:
        stream = io.StringIO()
        # Python quotes a cell with a carriage return only where that ends lines.
        csv.writer(stream, lineterminator="\r\n").writerow(map(_cell, row))
        lines.append(stream.getvalue().removesuffix("\r\n") + "\n")
    return "".join(lines)


def _cell(cell: object) -> object:
    if isinstance(cell, str) and cell.startswith(_EVALUATED) and not _NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell
