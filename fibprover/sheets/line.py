"""A line of a sheet, and what all sheets have in common."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from fibprover.automata.dfa import Dfa
from fibprover.base.errors import FibproverError, did_you_mean
from fibprover.base.values import PlainlyDisplayed
from fibprover.sheets import sheet_text
from fibprover.sheets.answer import Status
from fibprover.sheets.latex import latex_of
from fibprover.sheets.question import Kind

#: A value that is the evidence for a claim.
_EVIDENCE = re.compile(r"(least |a )?(witness|counterexample)")

#: The first word of a sentence, if it is not a name.
_ARTICLE = re.compile(r"(The|A|Each|All|Consecutive|Factor) ")


@dataclass(frozen=True, slots=True)
class Line:
    """What is known about one question.

    status: "proved" (also of a set, a sequence, or a number that was found), "refuted", or "open"; value: what was
    found, or the evidence, as text; formula: the one that was decided or whose relation was described; states: of its
    automaton, None without one; seconds: wall time; kind: how the question was answered; automaton: of the relation of
    the formula, where there is one; terms: what a plot shows, the first values of a sequence, the members of a set
    below PLOTTED, or for p = 0, 1, ... the greatest n, None where there is none; sentence: the statement with the value
    in it, "" if the value follows the statement.
    """

    id: str
    section: str
    statement: str
    status: Status
    value: str
    formula: str
    states: int | None
    seconds: float
    kind: Kind = "claim"
    automaton: Dfa | None = None
    terms: tuple[int | None, ...] = ()
    sentence: str = ""

    @property
    def text(self) -> str:
        """The statement with what was found."""
        if self.sentence or not self.value:
            return self.sentence or self.statement
        phrase = self.statement.removesuffix(".")
        if _EVIDENCE.match(self.value):
            return f"{phrase} ({self.value})."
        if self.status == "proved" and ". " not in self.statement and not self.value[0].isupper():
            return f"{phrase}: {self.value}"
        return f"{self.statement} {self.value}"


def under_conjecture(line: Line) -> Line:
    """Return a line about a conjectured word or sequence, whose sentences say so."""
    return replace(line, statement=_supposed(line.statement), sentence=_supposed(line.sentence))


def _supposed(text: str) -> str:
    begun = _ARTICLE.sub(lambda found: found[0].lower(), text)
    return f"Under the conjecture, {begun}" if text else ""


class Lines(PlainlyDisplayed):
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
        return sheet_text.text_of(self)

    def __repr__(self) -> str:
        counts = ", ".join(f"{self.count(status)} {status}" for status in ("proved", "refuted", "open"))
        return f"<Sheet of {self.name}: {counts}>"

    def __getitem__(self, name: str) -> Line:
        """Return the line with this id; raises FibproverError for another one."""
        for line in self.lines:
            if line.id == name:
                return line
        raise FibproverError(
            f"the sheet has no line {name!r}", hint=did_you_mean(name, [line.id for line in self.lines], kind="lines")
        )

    @property
    def title(self) -> str:
        """The title of the sheet."""
        return f"The word {self.name}"

    @property
    def beginning(self) -> str:
        """The first values as text."""
        return sheet_text.letters_text(self.prefix)

    def count(self, status: Status) -> int:
        """Return how many lines have a status."""
        return sum(line.status == status for line in self.lines)

    def as_json(self) -> list[dict[str, Any]]:
        """Return the lines as values of JSON."""
        return sheet_text.json_of(self)

    def to_markdown(self) -> str:
        """Return the sheet as a page."""
        return sheet_text.markdown_of(self)

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
