"""Places in a document: offsets of characters, and the lines and columns of the Language Server Protocol."""

from __future__ import annotations

from bisect import bisect_right

from fibprover.base.values import value
from fibprover.language.source import Span


class Places:
    """The lines of a text, to find the line and column of an offset and the other way round.

    Lines and columns begin at 0; a column counts units of UTF-16, as the protocol does unless it is told otherwise.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0, *(at + 1 for at, sign in enumerate(text) if sign == "\n")]

    def position(self, offset: int) -> tuple[int, int]:
        """Return the line and the column of an offset."""
        line = bisect_right(self.starts, offset) - 1
        return line, _units(self.text[self.starts[line] : offset])

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a line and a column, or the nearest one that the text has."""
        if line >= len(self.starts):
            return len(self.text)
        at, units = self.starts[line], 0
        end = self.starts[line + 1] - 1 if line + 1 < len(self.starts) else len(self.text)
        while at < end and units < column:
            units += _units(self.text[at])
            at += 1
        return at


def _units(text: str) -> int:
    return len(text) + sum(sign > "\uffff" for sign in text)


@value
class Passage:
    """A script, a formula or a term in a document.

    kind: "script", "formula" or "term"; offsets: the place in the document of each character of the text and of its
    end, in increasing order; ends: where each character ends there.
    """

    text: str
    kind: str
    offsets: tuple[int, ...]
    ends: tuple[int, ...]

    def placed(self, start: int, end: int) -> Span:
        """Return the place in the document of a part of the text."""
        return Span(self.offsets[start], self.ends[end - 1] if end > start else self.offsets[start])

    def within(self, offset: int) -> int | None:
        """Return the place in the text of an offset of the document; None if it is outside."""
        if not self.offsets[0] <= offset <= self.offsets[-1]:
            return None
        return max(bisect_right(self.offsets, offset) - 1, 0)


def whole(text: str) -> Passage:
    """Return a document that is a script."""
    return Passage(text, "script", tuple(range(len(text) + 1)), tuple(range(1, len(text) + 1)))
