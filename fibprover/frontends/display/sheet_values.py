"""Sheets of words and of sequences as HTML beside cells: sentences as a printer sets them, formulas below them."""

from __future__ import annotations

from html import escape
from itertools import groupby

from fibprover.base.wording import plural
from fibprover.frontends.display.html import GREEN, RED, bold, card, code, folded, paragraph, preformatted, quiet
from fibprover.language.sentences import prose_html
from fibprover.sheets.line import Line
from fibprover.sheets.sheet import Sheet
from fibprover.sheets.sheet_text import beginning_of, method_of, origin_of, summary_of, told_once

#: The colours of statuses; others have that of the text.
_COLOURS = {"proved": GREEN, "refuted": RED}


def html(sheet: Sheet, remark: str = "") -> str:
    """Return a sheet: its word, and a list of theorems for each section; remark: a sentence for its end."""
    head = [bold(sheet.title), preformatted(beginning_of(sheet))]
    head += [paragraph(f"{prose_html(said.rstrip('.'))}.") for said in (origin_of(sheet), method_of(sheet)) if said]
    parts = [
        f'<div style="margin:10px 0 2px;font-weight:bold">{escape(section.capitalize())}</div>{_listed(list(lines))}'
        for section, lines in groupby(told_once(sheet.lines), key=lambda line: line.section)
    ]
    skipped = f"{sheet.name} has no such lines: {', '.join(sheet.skipped)}." if sheet.skipped else ""
    ends = [quiet(each) for each in (skipped, f"{summary_of(sheet)}.", remark) if each]
    return card(*head, *parts, *ends)


def _listed(lines: list[Line]) -> str:
    items = "".join(f'<li style="margin:3px 0">{_item(line)}</li>' for line in lines)
    return f'<ul style="margin:2px 0;padding-left:1.2em;max-width:60em">{items}</ul>'


def _item(line: Line) -> str:
    """Return a theorem: its sentence and status, and its formula, folded."""
    status = bold(line.status, _COLOURS.get(line.status, "inherit"))
    said = f"{prose_html(line.text)} {status}"
    if line.by:
        said += f" {quiet(f'by {line.by}')}"
    if not line.formula:
        return said
    size = "" if line.states is None else f", {plural(line.states, 'state')}"
    return said + folded(quiet(f"formula{size}, {line.seconds:.2f} s"), code(line.formula))
