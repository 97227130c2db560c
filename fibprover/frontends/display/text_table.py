"""Tables as text, CSV, JSON and LaTeX."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from fibprover.base.csv_text import csv_text
from fibprover.base.values import value

FORMS = ("text", "csv", "json", "latex")

Cell = int | str


@value
class Table:
    """A table: the heads of the columns, and rows.

    tex: the heads as LaTeX; sideways: whether text and LaTeX show columns as rows; rules: the columns after a line.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    tex: tuple[str, ...]
    sideways: bool = False
    rules: frozenset[int] = frozenset({1})


def written(table: Table, form: str, about: Mapping[str, Any]) -> str:
    """Return a table in one of the forms, without a final newline; about: further fields of JSON."""
    match form:
        case "csv":
            return csv_text([table.head, *table.rows]).removesuffix("\n")
        case "json":
            return json.dumps({**about, "columns": table.head, "rows": table.rows})
        case "latex":
            return _latex(table)
    return _text(table)


def _lines(table: Table, head: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the lines of cells, including the heads."""
    lines = [tuple(head), *(tuple(map(str, row)) for row in table.rows)]
    return list(zip(*lines, strict=True)) if table.sideways else lines


def _text(table: Table) -> str:
    lines = _lines(table, table.head)
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    shown = []
    for line in lines:
        cells = [f"{cell:>{width}}" for cell, width in zip(line, widths, strict=True)]
        if table.sideways:
            cells[0] = f"{line[0]:<{widths[0]}}"
        ruled = [f"| {cell}" if number in table.rules else cell for number, cell in enumerate(cells)]
        shown.append(" ".join(ruled).rstrip())
    if not table.sideways:
        edges = ["+-" if number in table.rules else "" for number in range(len(widths))]
        shown.insert(1, "-".join(f"{edge}{'-' * width}" for edge, width in zip(edges, widths, strict=True)))
    return "\n".join(shown)


def _latex(table: Table) -> str:
    lines = _lines(table, table.tex)
    columns = "".join(f"|{'r'}" if number in table.rules else "r" for number in range(len(lines[0])))
    body = [" & ".join(cell.replace("\u03b5", r"\varepsilon") for cell in line) + r" \\" for line in lines]
    # After \\ a bracket, as in the digits [12]3, would be a length.
    body = [f"{{}}{line}" if line.startswith("[") else line for line in body]
    body.insert(1, r"\hline")
    return "\n".join([rf"\begin{{array}}{{{columns}}}", *body, r"\end{array}"])
