"""Terms of integer sequences: b-files of the On-Line Encyclopedia of Integer Sequences, and lists.

A line of a b-file is `n a(n)`.  A list has commas or blanks between its terms, or one term on each line, and begins at
index 0.  Lines that begin with # are comments.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from fibprover.base.errors import FibproverError, SyntaxProblem
from fibprover.base.limits import polled
from fibprover.base.values import value

#: The most digits of an index, and of a term: longer ones would take too much time.
_MOST_INDEX, _MOST_TERM = 12, 4000

_PART = re.compile(r"\S+")
_INTEGER = re.compile(r"[-+]?[0-9]+", re.ASCII)
_BETWEEN_COMMAS = re.compile(r"[^,]+")
_WHOLE_LIST = re.compile(r"\s*[-+]?[0-9]+\s*(?:,\s*[-+]?[0-9]+\s*)+,?\s*", re.ASCII)


@value
class Terms:
    """Terms a(n) of a sequence, at rising indices n.

    indices, values: of each term; some indices may be missing.
    """

    indices: tuple[int, ...]
    values: tuple[int, ...]

    @property
    def first(self) -> int:
        """The least index."""
        return self.indices[0]

    @property
    def run(self) -> tuple[int, ...]:
        """The terms from the first one to the one before the first gap."""
        following = zip(range(self.first, self.first + len(self.indices)), self.indices, strict=True)
        return self.values[: sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], following))]

    @property
    def beyond(self) -> tuple[tuple[int, int], ...]:
        """The terms after the first gap, as pairs (n, a(n))."""
        start = len(self.run)
        return tuple(zip(self.indices[start:], self.values[start:], strict=True))

    def __len__(self) -> int:
        return len(self.indices)


def terms_from(values: Sequence[int], first: int = 0) -> Terms:
    """Return terms without a gap, the first one at an index.

    Raises FibproverError unless they are integers, and some.
    """
    listed = list(values)
    for place, each in enumerate(listed):
        # numpy's integers have __index__; a truth value is not meant as a number.
        if isinstance(each, bool) or not hasattr(each, "__index__"):
            raise FibproverError(f"the term at place {place} is not an integer: {each!r}")
    if not listed:
        raise FibproverError("no terms are given", hint="give the first values of a sequence")
    return Terms(tuple(range(first, first + len(listed))), tuple(each.__index__() for each in listed))


def read_terms(text: str) -> Terms:
    """Return the terms of the text of a b-file or of a list; SyntaxProblem with the place of what is not a term.

    Lines of two numbers are those of a b-file; a text with commas, or without a line of two numbers, is a list.
    """
    lines: list[list[tuple[int, int]]] = []
    start = 0
    for line in polled(text.splitlines(keepends=True), "the terms of a sequence"):
        parts = [(start + part.start(), start + part.end()) for part in _PART.finditer(line)]
        start += len(line)
        comment = next((place for place, (at, _) in enumerate(parts) if text[at] == "#"), len(parts))
        if comment:
            lines.append(parts[:comment])
    if not lines:
        raise SyntaxProblem("the file has no terms", text, 0, hint=_FORM)
    commas = any("," in text[slice(*part)] for line in lines for part in line)
    if commas or all(len(line) != 2 for line in lines):
        return _listed(text, [part for line in lines for part in line])
    return _numbered(text, lines)


def _listed(text: str, parts: Sequence[tuple[int, int]]) -> Terms:
    """Return the terms of a list, whose parts may have commas."""
    values: list[int] = []
    for start, end in polled(parts, "the terms of a sequence"):
        for found in _BETWEEN_COMMAS.finditer(text, start, end):
            values.append(_integer(text, found.span(), _MOST_TERM, _LIST))
    if not values:
        raise SyntaxProblem("the list has no terms", text, 0, hint=_LIST)
    return terms_from(values)


def _numbered(text: str, lines: Sequence[Sequence[tuple[int, int]]]) -> Terms:
    """Return the terms of a b-file."""
    indices: list[int] = []
    values: list[int] = []
    for parts in polled(lines, "the terms of a sequence"):
        index = _integer(text, parts[0], _MOST_INDEX, _FORM)
        if len(parts) == 1:
            raise SyntaxProblem("the term is missing after its index", text, *parts[0], hint=_FORM)
        number = _integer(text, parts[1], _MOST_TERM, _FORM)
        if len(parts) > 2:
            raise SyntaxProblem("a line has one index and one term", text, parts[2][0], parts[-1][1], hint=_FORM)
        if indices and index <= indices[-1]:
            said = f"the index {index} follows {indices[-1]}"
            raise SyntaxProblem(said, text, *parts[0], hint="indices rise from line to line")
        indices.append(index)
        values.append(number)
    return Terms(tuple(indices), tuple(values))


_FORM = "a line is an index and a term, such as `3 0`, or each has one term; a line that begins with # is a comment"
_LIST = "a list is integers with commas or blanks between them, such as `0, 1, 1, 0`"


def is_list(text: str) -> bool:
    """Return whether a text is a list of terms and not the name of a file: two integers or more, and a comma."""
    return _WHOLE_LIST.fullmatch(text) is not None


def _integer(text: str, span: tuple[int, int], most: int, hint: str) -> int:
    """Return the integer at a place of the text."""
    part = text[slice(*span)]
    if not _INTEGER.fullmatch(part):
        raise SyntaxProblem("this is not an integer", text, *span, hint=hint)
    if len(part) > most:
        raise SyntaxProblem(f"this number has more than {most} digits", text, *span)
    return int(part)
