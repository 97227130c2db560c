"""Sheets as text, as values of JSON, and as a page of Markdown."""

from __future__ import annotations

import textwrap
from dataclasses import asdict
from itertools import groupby
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fibprover.sheets.sheet import Line, Sheet

#: The width of the text.
WIDTH = 110


def text_of(sheet: Sheet) -> str:
    """Return a sheet as text: a heading for each section, and for each line its status, statement and value."""
    said = [_head(sheet)]
    for section, lines in groupby(sheet.lines, key=lambda line: line.section):
        said.append(f"\n{section.capitalize()}")
        for line in lines:
            said.extend(_wrapped(line))
    return "\n".join([*said, "", _summary(sheet)])


def _head(sheet: Sheet) -> str:
    digits = all(0 <= letter < 10 for letter in sheet.letters)
    prefix = ("" if digits else " ").join(map(str, sheet.prefix))
    return f"{sheet.name}, over {sheet.system}: {prefix}..."


def _summary(sheet: Sheet) -> str:
    return (
        f"{len(sheet.lines)} lines: {sheet.count('proved')} proved, {sheet.count('refuted')} refuted, "
        f"{sheet.count('open')} open ({sheet.seconds:.1f} s)"
    )


def _wrapped(line: Line) -> list[str]:
    value = f" {line.value}" if line.value else ""
    return textwrap.wrap(
        f"{line.status:8} {line.statement}{value}", WIDTH, initial_indent="  ", subsequent_indent=" " * 11,
        break_on_hyphens=False,
    )


def json_of(sheet: Sheet) -> list[dict[str, Any]]:
    """Return the lines of a sheet as values of JSON."""
    return [asdict(line) | {"seconds": round(line.seconds, 6)} for line in sheet.lines]


def markdown_of(sheet: Sheet) -> str:
    """Return a sheet as a page of Markdown, with a table for each section."""
    said = [f"# {sheet.name}", "", f"`{_head(sheet)}`", ""]
    for section, lines in groupby(sheet.lines, key=lambda line: line.section):
        said += [f"## {section.capitalize()}", "", "| | | value | formula | states | s |"]
        said.append("|---|---|---|---|---:|---:|")
        for line in lines:
            states = "" if line.states is None else str(line.states)
            cells = (line.status, line.statement, line.value, f"`{line.formula}`", states, f"{line.seconds:.2f}")
            said.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        said.append("")
    return "\n".join([*said, f"{_summary(sheet)}.", ""])
