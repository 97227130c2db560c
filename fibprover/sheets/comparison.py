"""Two sheets side by side: their lines matched by id, and which of them differ."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

from fibprover.base.markdown import code, escaped, row_of
from fibprover.base.values import PlainlyDisplayed, value
from fibprover.base.wording import plural
from fibprover.sheets import sheet_text
from fibprover.sheets.question import SECTIONS

if TYPE_CHECKING:
    from fibprover.sheets.line import Line
    from fibprover.sheets.sheet import Sheet


@value
class Pair:
    """The lines of two sheets with one id, None in a sheet that has no such line.

    differs: whether the lines say different things; False if no difference was seen, None if one of them is open or
    missing.  The evidence of claims is no difference.
    """

    id: str
    section: str
    statement: str
    lines: tuple[Line | None, Line | None]

    @property
    def differs(self) -> bool | None:
        """Whether the lines say different things."""
        left, right = self.lines
        if left is None or right is None or "open" in (left.status, right.status):
            return None
        if left.status != right.status:
            return True
        if left.kind == "claim":
            return _slopes(left) != _slopes(right)
        return _said(left) != _said(right)


def _slopes(line: Line) -> str:
    """Return for which slopes a claim holds where these are some, "" otherwise."""
    return line.value if line.slopes is not None and line.slopes.answer == "some" else ""


def _said(line: Line) -> tuple[object, ...]:
    """Return what a line says, without the place where a supremum is attained."""
    if line.kind == "supremum":
        return (line.value.partition(" (n = ")[0],)
    return line.value, line.terms


@value
class Comparison(PlainlyDisplayed):
    """Two sheets side by side; prints itself as text, and shows itself in notebooks as a table.

    common: what is known of the factors that both words have, as a line for each (`common_factors.py`), None without.
    """

    left: Sheet
    right: Sheet
    common: tuple[Line, Line] | None = None

    @property
    def sheets(self) -> tuple[Sheet, Sheet]:
        """The two sheets."""
        return self.left, self.right

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """The lines by id: in each section the lines of the left sheet, then the further lines of the right one."""
        lines = [{line.id: line for line in sheet.lines} for sheet in self.sheets]
        every = list((lines[0] | lines[1]).values())
        sections = list(dict.fromkeys([*SECTIONS, *(line.section for line in every)]))
        pairs = [
            Pair(line.id, line.section, self._statement(line.id), (lines[0].get(line.id), lines[1].get(line.id)))
            for line in sorted(every, key=lambda line: sections.index(line.section))
        ]
        if self.common is not None:
            shared = self.common[0]
            pairs.append(Pair(shared.id, shared.section, shared.statement, self.common))
        return tuple(pairs)

    def _statement(self, name: str) -> str:
        """Return the statement of a line with X for the word, if both have the same."""
        said = [
            (line.statement, re.sub(rf"\b{sheet.name}\b", "X", line.statement))
            for sheet in self.sheets for line in sheet.lines if line.id == name
        ]
        return said[0][1] if len({general for _, general in said}) == 1 else said[0][0]

    def __str__(self) -> str:
        """Return both sheets as text, with `*` at the lines that differ."""
        return "\n".join([*map(sheet_text.head_of, self.sheets), *self._text(), "", self.summary])

    def _text(self) -> Iterator[str]:
        for section, pairs in groupby(self.pairs, key=lambda pair: pair.section):
            yield f"\n{section.capitalize()}"
            for pair in pairs:
                yield from self.text_of_pair(pair)

    def text_of_pair(self, pair: Pair) -> Iterator[str]:
        """Yield the lines of text about a pair."""
        width = max(len(sheet.name) for sheet in self.sheets)
        yield from sheet_text.wrapped(f"{'*' if pair.differs else ' '} {pair.statement}", "  ")
        for sheet, line in zip(self.sheets, pair.lines, strict=True):
            said = "-" if line is None else f"{line.status:8} {line.value}".rstrip()
            yield from sheet_text.wrapped(f"{sheet.name:{width}}  {said}", "      ")

    @property
    def summary(self) -> str:
        """The number of lines that differ."""
        pairs = self.pairs
        marked = sum(pair.differs is True for pair in pairs)
        unknown = sum(pair.differs is None for pair in pairs)
        lines = plural(len(pairs), "line")
        return f"{lines} of {self.left.name} and {self.right.name}: {marked} differ (*), {unknown} unknown"

    def __repr__(self) -> str:
        return f"<Comparison of {self.left.name} and {self.right.name}>"

    def as_json(self) -> list[dict[str, Any]]:
        """Return a list of objects with id, section, statement, differs (null: not known) and the two lines."""
        return [
            {
                "id": pair.id, "section": pair.section, "statement": pair.statement, "differs": pair.differs,
                "lines": [None if line is None else sheet_text.line_json(line) for line in pair.lines],
            }
            for pair in self.pairs
        ]

    def to_markdown(self) -> str:
        """Return both sheets as a page, with a table for each section; the lines that differ are bold."""
        names = [sheet.name for sheet in self.sheets]
        said = [f"# {escaped(' and '.join(names))}", ""]
        said += [f"{code(sheet_text.beginning_of(sheet))}\n" for sheet in self.sheets]
        for section, pairs in groupby(self.pairs, key=lambda pair: pair.section):
            said += [f"## {section.capitalize()}", "", row_of(["", *map(escaped, names)]), "|---|---|---|"]
            for pair in pairs:
                mark = "**" if pair.differs else ""
                cells = ["-" if line is None else f"{line.status}. {line.value}" for line in pair.lines]
                statement = sheet_text.text_in_markdown(pair.statement)
                said.append(row_of([f"{mark}{statement}{mark}", *map(sheet_text.text_in_markdown, cells)]))
            said.append("")
        return "\n".join([*said, f"{self.summary.replace('(*)', '(bold)')}.", ""])

    _repr_markdown_ = to_markdown
