"""A line of a sheet, and what all sheets have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fibprover.automata.dfa import Dfa
from fibprover.base.errors import FibproverError, did_you_mean
from fibprover.base.values import Printed
from fibprover.language.tree import Formula
from fibprover.sheets import report
from fibprover.sheets.answer import Status
from fibprover.sheets.latex import latex_of


@dataclass(frozen=True, slots=True)
class Line:
    """What is known of one question.

    status: "proved" (also of a set, a sequence, or a number that was found), "refuted", or "open"; value: what was
    found, or the evidence, as text; tree: the formula that was decided or whose relation was described, None without
    one; states: of its automaton, None without one; seconds: wall time; kind: of the question (`kinds.py`); automaton:
    of the relation of the formula, where there is one; terms: what a plot shows, the first values of a sequence, the
    members of a set below PLOTTED, or for p = 0, 1, ... the greatest n, None where there is none.
    """

    id: str
    section: str
    statement: str
    status: Status
    value: str
    tree: Formula | None
    states: int | None
    seconds: float
    kind: str = "claim"
    automaton: Dfa | None = None
    terms: tuple[int | None, ...] = ()

    @property
    def formula(self) -> str:
        """The formula as text, "" without one."""
        return "" if self.tree is None else str(self.tree)


class Lines(Printed):
    """A sheet: lines in order; prints itself as text, and shows itself in notebooks as a table.

    name: of the word or the sequence; system: of its index; prefix: its first values; seconds: wall time.
    """

    __slots__ = ()

    name: str
    system: str
    prefix: tuple[int, ...]
    lines: tuple[Line, ...]
    seconds: float

    def __str__(self) -> str:
        """Return the sheet as text."""
        return report.text_of(self)

    def __repr__(self) -> str:
        counts = ", ".join(f"{self.count(status)} {status}" for status in ("proved", "refuted", "open"))
        return f"<Sheet of {self.name}: {counts}>"

    def __getitem__(self, name: str) -> Line:
        """Return the line with this id; FibproverError for another one."""
        for line in self.lines:
            if line.id == name:
                return line
        raise FibproverError(
            f"the sheet has no line {name!r}", hint=did_you_mean(name, [line.id for line in self.lines]) or ""
        )

    @property
    def title(self) -> str:
        """What the sheet is about."""
        return f"The word {self.name}"

    @property
    def beginning(self) -> str:
        """The first values as text."""
        return report.letters_text(self.prefix)

    def count(self, status: Status) -> int:
        """Return how many lines have a status."""
        return sum(line.status == status for line in self.lines)

    def as_json(self) -> list[dict[str, Any]]:
        """Return the lines as values of JSON."""
        return report.json_of(self)

    def to_markdown(self) -> str:
        """Return the sheet as a page."""
        return report.markdown_of(self)

    def to_latex(self) -> str:
        """Return the sheet as LaTeX, a part of a document that uses amsmath."""
        return latex_of(self)

    def to_script(self, line: str | None = None) -> str:
        """Return the sheet, or the line with this id, as a script for Walnut and for `fibprover run`."""
        raise NotImplementedError

    def _repr_latex_(self) -> str:
        return self.to_latex()

    def _repr_markdown_(self) -> str:
        return self.to_markdown()
