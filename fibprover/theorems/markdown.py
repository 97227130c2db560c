"""The report as a page: the table, what does not matter in the theorems, and how states were counted."""

from __future__ import annotations

import platform
from pathlib import Path

from fibprover.formats.atomic import write_text
from fibprover.theorems.report import Report, cell
from fibprover.theorems.row import Row
from fibprover.verdict.vacuity import UNDECIDED, UNUSED, VACUOUS

_TITLES = {"largest": "largest built", "paper": "paper's states", "textbook": "textbook plan", "MB": "peak MB"}
_RIGHT = {"paper", "textbook", "largest", "seconds", "MB"}

_GRADES = {
    VACUOUS: "may be false, so the formula says nothing of it",
    UNUSED: "does not matter",
    UNDECIDED: "was not decided within the limits",
}


def write_markdown(report: Report, file: str | Path) -> None:
    """Writes the page; the file is either replaced as a whole or left as it was."""
    write_text(file, page(report))


def page(report: Report) -> str:
    """The page."""
    lines = ["# Theorems", "", *_table(report), ""]
    lines += [f"- {_escaped(line)}" for line in report.remarks().splitlines()]
    lines += ["", f"Python {platform.python_version()}, {platform.system()} {platform.machine()}.", ""]
    lines += _legend(report)
    findings = [row for row in report.rows if row.vacuity is not None and row.vacuity.findings]
    if findings:
        lines += ["## What does not matter", ""]
        for row in findings:
            lines += _findings(row)
    published = [row for row in report.rows if row.claim.states_paper is not None]
    if published:
        lines += ["## Published numbers of states", ""]
        lines += [_published(row) for row in published]
        lines.append("")
    return "\n".join(lines)


def _table(report: Report) -> list[str]:
    heads = report.heads()
    lines = ["| " + " | ".join(_TITLES.get(head, head) for head in heads) + " |"]
    lines.append("|" + "|".join("---:" if head in _RIGHT else "---" for head in heads) + "|")
    for row in report.rows:
        lines.append("| " + " | ".join(_escaped(cell(row, head)) for head in heads) + " |")
    return lines


def _legend(report: Report) -> list[str]:
    said = ["Largest built: states of the largest automaton that the plan in use built."]
    if "textbook" in report.heads():
        said.append(
            "Textbook plan: the largest minimal automaton when every part of the formula, as it is written, is "
            "evaluated by itself; >= where a budget was spent first."
        )
    if "vacuous" in report.heads():
        said.append("Vacuous: whether the right side of some => may be false (docs/vacuity.md).")
    return [" ".join(said), ""]


def _findings(row: Row) -> list[str]:
    assert row.vacuity is not None
    lines = [f"**{_escaped(row.claim.id)}** ({row.form}): {_escaped(row.claim.statement)}", ""]
    for finding in row.vacuity.findings:
        lines.append(f"- {finding.grade}: `{finding.text}` {_GRADES[finding.grade]}")
        if finding.grade == VACUOUS:
            lines.append(f"  (still TRUE: `{finding.sentence}`)")
    return [*lines, ""]


def _published(row: Row) -> str:
    """One published number beside what the textbook plan builds."""
    paper, count = row.claim.states_paper, row.count
    head = f"- {_escaped(row.claim.id)}: {paper} published"
    if count is None:
        return f"{head}; not measured" if row.states_textbook is None else f"{head}, {row.states_textbook} the largest"
    which = f", {count.states} the largest" + (" before the budget was spent" if count.spent else "")
    which += f", in {count.seconds:.1f} s"
    which += "" if count.peak_bytes is None else f" and {count.peak_bytes / 1e6:.0f} MB"
    if count.paper is None:
        return f"{head}{which}; no part has {paper}"
    if count.paper == count.label:
        return f"{head}{which}: of `{count.label}`"
    return f"{head}{which}: {paper} of `{count.paper}`, {count.states} of `{count.label}`"


def _escaped(text: str) -> str:
    """Text that is no Markdown, in a table or elsewhere."""
    return "".join(f"\\{letter}" if letter in "\\`*_|<>[]" else letter for letter in text)
