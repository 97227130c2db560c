"""Reports of a run: its rows, the table, the JSON list, the Markdown page, the exit status."""

from __future__ import annotations

import json
import platform
import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fibprover.base.files import write_bytes
from fibprover.base.markdown import code, escaped, row_of
from fibprover.base.wording import plural
from fibprover.campaigns.theorems.chapter import Claim, DeclaredTheorem
from fibprover.campaigns.theorems.counts import TextbookCount
from fibprover.campaigns.theorems.scripts import Problem, shown
from fibprover.prover.certificate.checking import CertificateCheck
from fibprover.prover.verdict.evidence import Evidence
from fibprover.prover.verdict.vacuity import UNDECIDED, UNUSED, VACUOUS, VacuousPart

#: The parts in which reasons of one kind differ: the place in a file, and what was being built.
_DETAILS = re.compile(r" line \d+: Malformed| while building .*")

#: Exit statuses: all as expected, an unexpected verdict, an error, a spent budget, Ctrl-C.
EXPECTED, UNEXPECTED, ERROR, SPENT, INTERRUPTED = 0, 1, 2, 3, 130

_HEADS = (
    "id", "statement", "source", "form", "verdict", "expected", "vacuous", "paper", "textbook", "largest", "seconds",
    "MB",
)
_RIGHT = {"paper", "textbook", "largest", "seconds", "MB"}
_TEXTS = ("statement", "source")
_LEAST_STATEMENT, _LEAST_SOURCE = 30, 20


@dataclass(frozen=True, slots=True)
class VacuityCheck:
    """The parts of a true theorem that do not matter, with the time and memory of the search for them."""

    findings: tuple[VacuousPart, ...]
    seconds: float
    peak_bytes: int | None


@dataclass(frozen=True, slots=True)
class Row:
    """The result of one claim.

    verdict: None if there is none; states_textbook: the largest minimal automaton of the textbook
    plan's steps, None unless measured; states_built: the largest automaton of the plan in use, None
    without a verdict; seconds: of the plan in use; peak_bytes: see `fibprover.base.limits.peak_bytes`;
    problem: an error, with its place; spent: whether that is a spent budget; detail: the reason of an
    unexpected verdict, where it is known; vacuity: the parts that do not matter, None unless requested;
    count: an earlier count of the textbook plan that is still valid; skipped: a long theorem that was not
    requested, so that it was not tried; evidence: None unless requested and found; certificate: None unless requested.
    """

    claim: Claim
    verdict: bool | None
    states_textbook: int | None
    states_built: int | None
    seconds: float
    peak_bytes: int | None
    problem: str = ""
    spent: bool = False
    detail: str = ""
    vacuity: VacuityCheck | None = None
    count: TextbookCount | None = None
    skipped: bool = False
    evidence: Evidence | None = None
    certificate: CertificateCheck | None = None

    @property
    def vacuous(self) -> tuple[str, ...] | None:
        """The vacuous parts; None if they were not requested, or if the limits left them undecided."""
        if self.vacuity is None:
            return None
        found = tuple(finding.text for finding in self.vacuity.findings if finding.grade == VACUOUS)
        return found if found or not any(item.grade == UNDECIDED for item in self.vacuity.findings) else None

    @property
    def expected(self) -> bool:
        """The expected verdict of the claim."""
        return self.claim.expected if isinstance(self.claim, DeclaredTheorem) else True

    @property
    def form(self) -> str:
        """The form of the formula: printed, strong or control; a published number of states is printed."""
        return self.claim.form if isinstance(self.claim, DeclaredTheorem) else "printed"

    @property
    def as_expected(self) -> bool:
        """Whether the verdict is the expected one and there was no error."""
        return self.verdict == self.expected and not self.problem


@dataclass(frozen=True, slots=True)
class ProofReport:
    """The rows of all selected claims, and the errors outside them.

    elapsed: wall seconds of the whole run, definitions included; None if not known; total: how many
    claims were to be tried, if Ctrl-C came before all of them had been, else None.
    """

    rows: tuple[Row, ...]
    problems: tuple[Problem, ...]
    elapsed: float | None = None
    total: int | None = None

    @property
    def tried(self) -> list[Row]:
        """The rows of claims that were not skipped."""
        return [row for row in self.rows if not row.skipped]

    @property
    def status(self) -> int:
        """The exit status: 0 if every verdict is the expected one; else 130 after Ctrl-C, 2 after an error,
        1 after an unexpected verdict, and 3 if a budget was spent but nothing worse happened."""
        if self.total is not None:
            return INTERRUPTED
        troubled = [row for row in self.rows if row.problem]
        if any(not row.spent for row in troubled) or any(not problem.spent for problem in self.problems):
            return ERROR
        if any(row.verdict not in (None, row.expected) for row in self.rows):
            return UNEXPECTED
        return SPENT if troubled or self.problems else EXPECTED

    def table(self, width: int) -> str:
        """Return the rows as a table at most `width` characters wide, unless the ids are too long for that."""
        heads = self.heads()
        cells = [[cell(row, head) for head in heads] for row in self.rows]
        return "\n".join(_folded(heads, cells, width))

    def heads(self) -> list[str]:
        """Return the heads of the columns; a column without a value in any row is left out."""
        vacuity = any(row.vacuity is not None for row in self.rows)
        paper = any(row.claim.states_paper is not None for row in self.rows)
        textbook = any(row.states_textbook is not None or row.count is not None for row in self.rows)
        memory = any(row.peak_bytes is not None for row in self.rows)
        wanted = {"vacuous": vacuity, "paper": paper, "textbook": textbook or paper, "MB": memory}
        return [head for head in _HEADS if wanted.get(head, True)]

    def notes(self) -> str:
        """Return the lines below the table: errors, unexpected verdicts, vacuous theorems, and the summary."""
        lines = [f"{problem.place}: {problem.message}" for problem in self.problems]
        for row in self.rows:
            if row.problem:
                lines.append(row.problem)
            if row.verdict not in (None, row.expected):
                found, wanted = truth(row.verdict), truth(row.expected)
                lines.append(f"{shown(row.claim.place)}: {row.claim.id} is {found}, expected {wanted}")
                lines += [f"  {row.detail}"] if row.detail else []
        return "\n".join([*lines, *self.vacuities(), *self.certificates(), self.summary()])

    def certificates(self) -> list[str]:
        """Return a line for each theorem without a certificate, the number of certificates, and those of reasons."""
        made = [(row.claim.id, row.certificate) for row in self.rows if row.certificate is not None]
        checked = [each for _, each in made if not each.reason]
        if not made:
            return []
        lines = [f"{name} has no checked certificate: {each.reason}" for name, each in made if each.reason]
        written = sum(each.written_seconds for each in checked)
        seconds = sum(each.checked_seconds for each in checked)
        size = sum(each.size for each in checked)
        counted = f"{len(checked)} of {len(made)} certificates written and checked"
        lines.append(f"{counted} ({size / 1e6:.1f} MB; written {written:.1f} s, checked {seconds:.1f} s)")
        reasons = Counter(_DETAILS.sub("", each.reason) for _, each in made if each.reason)
        return [*lines, *(f"  {number} not: {reason}" for reason, number in reasons.most_common())]

    def vacuities(self) -> list[str]:
        """Return a line for each theorem that is vacuous, and for each whose vacuity is undecided."""
        lines = [f"{row.claim.id} says nothing about {', '.join(row.vacuous)}" for row in self.rows if row.vacuous]
        lines += [
            f"{row.claim.id}: the limits do not suffice to see whether it is vacuous"
            for row in self.rows
            if row.vacuity is not None and row.vacuous is None
        ]
        return lines

    def summary(self) -> str:
        """Return a line with the numbers of claims and of expected verdicts, and the time of the run."""
        return f"{self.tally()} ({self.cost()})"

    def tally(self) -> str:
        """Return the numbers of claims, of expected verdicts and of errors."""
        rows = self.tried
        good = sum(row.as_expected for row in rows)
        failed = f", {plural(len(self.problems), 'error')} outside them" if self.problems else ""

        failed = ", 1 error outside them" if len(self.problems) == 1 else failed
        if self.total is None:
            count = f"all {len(rows)}" if good == len(rows) and rows else f"{good} of {len(rows)}"
            count += " theorem as expected" if len(rows) == 1 else " theorems as expected"
            if not rows and not self.problems:
                count = "no theorem tried"
        else:
            count = f"interrupted: {len(rows)} of {plural(self.total, 'theorem')} finished, {good} as expected"
        skipped = len(self.rows) - len(rows)
        return count + failed + (f", {skipped} skipped (--long tries them as well)" if skipped else "")

    def cost(self) -> str:
        """Return the time and memory of the run."""
        seconds = sum(row.seconds for row in self.tried)
        cost = f"verdicts {seconds:.2f} s{_peak(row.peak_bytes for row in self.rows)}{self.vacuity_cost()}"
        return cost + ("" if self.elapsed is None else f"; in all {self.elapsed:.2f} s")

    def vacuity_cost(self) -> str:
        """Return the time and memory of the search for vacuous parts."""
        checks = [row.vacuity for row in self.rows if row.vacuity is not None]
        if not checks:
            return ""
        seconds = sum(check.seconds for check in checks)
        return f"; vacuity {seconds:.2f} s{_peak(check.peak_bytes for check in checks)}"

    def objects(self) -> list[dict[str, Any]]:
        """Return the rows as objects of JSON."""
        return [
            {
                "id": row.claim.id,
                "source": row.claim.source,
                "statement": row.claim.statement,
                "form": row.form,
                "expected": row.expected,
                "verdict": row.verdict,
                "skipped": row.skipped,
                "vacuous": None if row.vacuous is None else list(row.vacuous),
                "evidence": None if row.evidence is None else {
                    "kind": row.evidence.kind, "values": dict(row.evidence.values), "least": row.evidence.least,
                },
                **_certificate_json(row),
                "states_textbook": row.states_textbook,
                "states_paper": row.claim.states_paper,
                "states_built": row.states_built,
                "seconds": round(row.seconds, 6),
                "peak_bytes": row.peak_bytes,
            }
            for row in self.rows
        ]

    def write_json(self, file: str | Path) -> None:
        """Write the rows as JSON; the file is either replaced as a whole or left as it was."""
        # Half of a pair of surrogates is not a character; JSON writes it as a backslash sequence, and so does this.
        text = json.dumps(self.objects(), indent=1, ensure_ascii=False) + "\n"
        write_bytes(file, text.encode(errors="backslashreplace"))


def _certificate_json(row: Row) -> dict[str, Any]:
    """Return the JSON about a row's certificate, if one was requested."""
    return {} if row.certificate is None else {"certificate": row.certificate.plain()}


def truth(value: bool | None) -> str:
    """Return TRUE or FALSE, or - for None."""
    return "-" if value is None else "TRUE" if value else "FALSE"


def cell(row: Row, head: str) -> str:
    """Return the text of a row in a column."""
    claim = row.claim
    match head:
        case "id":
            return claim.id
        case "statement":
            return claim.statement
        case "source":
            return claim.source
        case "form":
            return row.form
        case "verdict":
            if row.verdict is not None:
                return truth(row.verdict)
            return "skipped" if row.skipped else "SPENT" if row.spent else "ERROR"
        case "expected":
            return "-" if row.skipped else "yes" if row.as_expected else "NO"
        case "vacuous":
            return "-" if row.vacuity is None else "?" if row.vacuous is None else "YES" if row.vacuous else "no"
        case "paper":
            return _number(claim.states_paper)
        case "textbook":
            return _textbook(row)
        case "largest":
            return _number(row.states_built)
        case "MB":
            return "-" if row.peak_bytes is None else f"{row.peak_bytes / 1e6:.0f}"
        case _:
            return "-" if row.skipped else f"{row.seconds:.3f}"


def _textbook(row: Row) -> str:
    """Return the size of the largest automaton of the textbook plan, as far as it is known."""
    if row.states_textbook is not None:
        return str(row.states_textbook)
    if row.count is not None:
        return f">={row.count.states}"
    return "-" if row.verdict is None else "not measured"


def _peak(peaks: Iterable[int | None]) -> str:
    """Return the largest of some peaks, as a part of the summary."""
    known = [peak for peak in peaks if peak is not None]
    return f", {max(known) / 1e6:.0f} MB" if known else ""


def _number(value: int | None) -> str:
    return "-" if value is None else str(value)


def _folded(heads: Sequence[str], cells: Sequence[Sequence[str]], width: int) -> list[str]:
    """Return the lines of a table; statement and source share the width that the other columns leave.

    Where that is too little, they stand below their row.
    """
    wide = [max(map(len, column)) for column in zip(heads, *cells, strict=True)]
    rest = width - sum(size for size, head in zip(wide, heads, strict=True) if head not in _TEXTS)
    rest -= 2 * (len(heads) - 1)
    below = rest < _LEAST_STATEMENT + _LEAST_SOURCE
    if below:
        short = [index for index, head in enumerate(heads) if head not in _TEXTS]
    else:
        short = list(range(len(heads)))
        source, statement = heads.index("source"), heads.index("statement")
        wide[source] = min(wide[source], max(_LEAST_SOURCE, rest // 4))
        wide[statement] = min(wide[statement], rest - wide[source])
    kept, sizes = [heads[i] for i in short], [wide[i] for i in short]
    lines = [_line(kept, kept, sizes), "  ".join("-" * size for size in sizes)]
    for row in cells:
        folded = [textwrap.wrap(row[i], wide[i]) or [""] for i in short]
        for depth in range(max(map(len, folded))):
            lines.append(_line([part[depth] if depth < len(part) else "" for part in folded], kept, sizes))
        if below:
            text = ", ".join(row[heads.index(head)] for head in _TEXTS if row[heads.index(head)])
            lines += textwrap.wrap(text, max(width, 30), initial_indent="    ", subsequent_indent="    ")
    return lines


def _line(parts: Sequence[str], heads: Sequence[str], wide: Sequence[int]) -> str:
    placed = (
        part.rjust(size) if head in _RIGHT else part.ljust(size)
        for part, head, size in zip(parts, heads, wide, strict=True)
    )
    return "  ".join(placed).rstrip()


# The Markdown page

_TITLES = {"largest": "largest built", "paper": "paper's states", "textbook": "textbook plan", "MB": "peak MB"}

_GRADES = {
    VACUOUS: "could be anything, so the formula says nothing about it",
    UNUSED: "does not matter",
    UNDECIDED: "was not decided within the limits",
}


def write_markdown(report: ProofReport, file: str | Path) -> None:
    """Write the Markdown page; the file is either replaced as a whole or left as it was."""
    # A formula may contain half of a pair of surrogates, which is not a character; the page shows its number.
    write_bytes(file, page(report).encode(errors="backslashreplace"))


def page(report: ProofReport) -> str:
    """Return the Markdown page: the table, the parts that do not matter, the published numbers of states."""
    lines = ["# Theorems", "", *_table(report), ""]
    lines += [f"- {escaped(line)}" for line in report.notes().splitlines()]
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


def _table(report: ProofReport) -> list[str]:
    heads = report.heads()
    lines = ["| " + " | ".join(_TITLES.get(head, head) for head in heads) + " |"]
    lines.append("|" + "|".join("---:" if head in _RIGHT else "---" for head in heads) + "|")
    for row in report.rows:
        lines.append(row_of([escaped(cell(row, head)) for head in heads]))
    return lines


def _legend(report: ProofReport) -> list[str]:
    said = ["Largest built: states of the largest automaton that the plan in use built."]
    if "textbook" in report.heads():
        said.append(
            "Textbook plan: the largest minimal automaton when every part of the formula, as it is written, is "
            "evaluated by itself; >= where a budget was spent first."
        )
    if "vacuous" in report.heads():
        said.append("Vacuous: whether the formula says nothing about some of its parts (docs/vacuity.md).")
    return [" ".join(said), ""]


def _findings(row: Row) -> list[str]:
    assert row.vacuity is not None
    lines = [f"**{escaped(row.claim.id)}** ({row.form}): {escaped(row.claim.statement)}", ""]
    for finding in row.vacuity.findings:
        lines.append(f"- {finding.grade}: {code(finding.text)} {_GRADES[finding.grade]}")
        if finding.grade == VACUOUS:
            lines.append(f"  (still TRUE: {code(finding.sentence)})")
    return [*lines, ""]


def _published(row: Row) -> str:
    """Return a published number of states, with the sizes that the textbook plan has."""
    paper, count = row.claim.states_paper, row.count
    head = f"- {escaped(row.claim.id)}: {paper} published"
    if count is None:
        return f"{head}; not measured" if row.states_textbook is None else f"{head}, {row.states_textbook} the largest"
    which = f", {count.states} the largest" + (" before the budget was spent" if count.spent else "")
    which += f", in {count.seconds:.1f} s"
    which += "" if count.peak_bytes is None else f" and {count.peak_bytes / 1e6:.0f} MB"
    if count.paper is None:
        return f"{head}{which}; no part has {paper}"
    if count.paper == count.label:
        return f"{head}{which}: of {code(count.label)}"
    return f"{head}{which}: {paper} of {code(count.paper)}, {count.states} of {code(count.label)}"
