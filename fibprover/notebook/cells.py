"""The text of a cell, in parts: commands as in scripts, lines that begin with %, and formulas by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fibprover.parse.commands import WORDS, Command, iterate_script
from fibprover.parse.names import NAME
from fibprover.parse.syntax import Span
from fibprover.values import value

_BLANKS = re.compile(r"(?:\s+|(?:#|//)[^\n]*)*")
_MAGIC = re.compile(r"(?:%(\w*)|(!))[^\S\n]*([^\n]*)")

#: Where a formula ends: a terminator, an empty line, or a line that cannot belong to it.
_END = re.compile(
    rf"""::?|;|"|\n(?=[^\S\n]*(?:\n|%|//|\#\s|(?:{"|".join(filter(str.isidentifier, WORDS))})\b[^\S\n]*[\w$"{{\[;:]))|\Z"""
)


@value
class Magic:
    """A line `%name rest`; a line `!rest`, for the system's shell, has the name "!"."""

    name: str
    rest: str
    span: Span


@value
class Formula:
    """A formula that stands for itself: what it says is asked for, without a name."""

    text: str
    span: Span
    terminator: str


@value
class Part:
    """One thing to do; script: the text that its places are in, which has the length and the lines of the cell."""

    what: Command | Magic | Formula
    script: str


def parts(cell: str) -> Iterator[Part]:
    """What a cell asks for, one by one; SyntaxProblem, with its place in the cell, when the faulty part is reached."""
    script, at = cell, 0
    commands = iterate_script(script)
    while True:
        at = _after_blanks(cell, at)
        if at == len(cell):
            return
        other = _magic(cell, at) or _formula(cell, at)
        if other is None:
            command = next(commands)
            yield Part(command, script)
            at = command.span.end
        else:
            yield Part(other, script)
            at = other.span.end
            # What has been read would be no command: it becomes blanks, so that all places stay what they are.
            script = re.sub(r"[^\n]", " ", cell[:at]) + cell[at:]
            commands = iterate_script(script)


def _after_blanks(cell: str, at: int) -> int:
    """The place behind blanks and comments."""
    found = _BLANKS.match(cell, at)
    return found.end() if found else at


def _magic(cell: str, at: int) -> Magic | None:
    found = _MAGIC.match(cell, at)
    return None if found is None else Magic(found[1] or found[2] or "", found[3].strip(), Span(at, found.end()))


def _formula(cell: str, at: int) -> Formula | None:
    """A formula, unless a command begins here: one has a word of its own, or something in quotes."""
    word = NAME.match(cell, at)
    if cell[at] == "[" or (word is not None and word[0] in WORDS):
        return None
    end = _END.search(cell, at)
    assert end is not None
    text = cell[at : end.start()]
    if end[0] == '"' or not text.strip():
        return None
    return Formula(text, Span(at, end.end()), end[0].strip())
