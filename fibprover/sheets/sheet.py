"""A sheet: what it is about, and its lines; it writes itself as text, JSON, Markdown, LaTeX and a script."""

from __future__ import annotations

from itertools import product
from typing import Any

from fibprover.base.errors import FibproverError, did_you_mean
from fibprover.base.values import PlainlyDisplayed, value
from fibprover.prover.environment import Definition
from fibprover.sequences.series import Series
from fibprover.sheets import sheet_text
from fibprover.sheets.common_factors import common_lines
from fibprover.sheets.comparison import Comparison
from fibprover.sheets.line import Line, Status
from fibprover.sheets.script import script_of
from fibprover.sheets.sheet_latex import latex_of
from fibprover.sheets.subject import About, Numbers, WithoutAddition
from fibprover.words.automatic import AutomaticWord


@value
class Sheet(About, PlainlyDisplayed):
    """The lines about a word or a sequence of numbers, in order; it prints itself, and is a table in notebooks.

    Fields:

    - topic: the word, or the sequence; `word`, `numbers` and `sequence` are these
    - given: what it was made from; system: that of its index; seconds: wall time
    - words: the word, or those that the definition of a sequence mentions
    - predicates: those of these words that the formulas call, as far as they were made
    - skipped: the ids of lines that were asked for, and that only other words have

    >>> sheet = fp.study("F", only=["uniformly-recurrent"])
    >>> [(line.id, line.status) for line in sheet.lines]
    [('uniformly-recurrent', 'proved')]
    """

    topic: AutomaticWord | WithoutAddition | Numbers
    given: str
    system: str
    lines: tuple[Line, ...]
    seconds: float
    words: tuple[AutomaticWord, ...] = ()
    predicates: tuple[Definition, ...] = ()
    skipped: tuple[str, ...] = ()

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
    def sequence(self) -> Series:
        """The sequence of numbers, to calculate with.  Raises FibproverError if the sheet is about a word."""
        return self.numbers.sequence

    @property
    def title(self) -> str:
        """The title of the sheet."""
        return f"The word {self.name}" if self.is_word else f"The sequence {self.numbers.term}"

    @property
    def prefix(self) -> tuple[int, ...]:
        """The first letters, of a word with two indices those of the first rows and columns; or the first numbers.

        A word over a family has none: they depend on the slope.
        """
        if isinstance(self.topic, Numbers):
            return self.topic.first
        if self.is_family:
            return ()
        if self.is_table:
            return tuple(self.word[place] for place in product(range(sheet_text.ROWS), repeat=2))
        return tuple(self.topic.prefix(sheet_text.LETTERS))

    @property
    def beginning(self) -> str:
        """The first values as text, of a word with two indices the first rows."""
        size = sheet_text.ROWS if self.is_table else len(self.prefix)
        rows = (self.prefix[start : start + size] for start in range(0, len(self.prefix), size))
        return " / ".join(map(sheet_text.letters_text, rows))

    def count(self, status: Status) -> int:
        """Return how many lines have a status."""
        return sum(line.status == status for line in self.lines)

    def beside(self, other: Sheet, *, common: bool = True) -> Comparison:
        """Return this sheet and another one side by side; common: with the factors that both words have."""
        return Comparison(self, other, common_lines(self, other) if common else None)

    def as_json(self) -> list[dict[str, Any]]:
        """Return the lines as values of JSON."""
        return [sheet_text.line_json(line) for line in self.lines]

    def to_markdown(self) -> str:
        """Return the sheet as a page."""
        return sheet_text.markdown_of(self)

    def to_latex(self) -> str:
        """Return the sheet as LaTeX, a part of a document that uses amsmath."""
        return latex_of(self)

    def to_script(self, line: str | None = None) -> str:
        """Return the sheet, or the line with this id, as a script for Walnut and for `fibprover run`."""
        return script_of(self, None if line is None else self[line])

    _repr_latex_, _repr_markdown_ = to_latex, to_markdown
