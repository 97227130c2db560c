"""Split a cell into parts: commands as in scripts, lines that begin with %, and formulas."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from fibprover.base.values import value
from fibprover.frontends.conversation import entry
from fibprover.language.commands import WORDS, Command, blanked, iterate_script, skip_comment
from fibprover.language.source import Span

_MAGIC = re.compile(r"(?:%(\w*)|(!))[^\S\n]*([^\n]*)")

_COMMAND = rf"(?:{'|'.join(filter(str.isidentifier, WORDS))})\b[^\S\n]*[\w$\"{{\[;:]"

#: The end of a formula: a terminator, an empty line, or a line that cannot belong to it.
_END = re.compile(rf"::?|;|\n(?=[^\S\n]*(?:\n|%|//|\#\s|{_COMMAND}))|\Z")


@value
class Magic:
    """A line `%name rest`; a line `!rest`, for the shell of the system, has the name "!"."""

    name: str
    rest: str
    span: Span


@value
class Formula:
    """A formula outside of commands, which is evaluated."""

    text: str
    span: Span
    terminator: str


@value
class Part:
    """A part of a cell; script: the text that its spans refer to, with the length and the lines of the cell."""

    what: Command | Magic | Formula
    script: str


def parts(cell: str, macros: Collection[str] = ()) -> Iterator[Part]:
    """Yield the parts of a cell; raises SyntaxProblem, with its place in the cell, when a faulty part is reached.

    macros: the names of defined macros, with whose calls a formula may begin.
    """
    script, at = cell, 0
    commands = iterate_script(script)
    while rest := entry.significant(cell[at:], macros):
        at = len(cell) - len(rest)
        other = _magic(cell, at) or (_formula(cell, at) if entry.is_formula(rest, macros) else None)
        if other is not None:
            yield Part(other, script)
            at = other.span.end
            script = blanked(cell, at)
            commands = iterate_script(script)
            continue
        if (after_comment := skip_comment(cell, at)) is not None:
            at = after_comment
            script = blanked(cell, at)
            commands = iterate_script(script)
            continue
        if entry.stands_alone(rest) and not rest.rstrip().endswith((";", ":")):
            script = f"{blanked(cell, at).rstrip()};"
            commands = iterate_script(script)
        command = next(commands)
        yield Part(command, script)
        at = command.span.end


def _magic(cell: str, at: int) -> Magic | None:
    found = _MAGIC.match(cell, at)
    return None if found is None else Magic(found[1] or found[2] or "", found[3].strip(), Span(at, found.end()))


def _formula(cell: str, at: int) -> Formula:
    """Return the formula at this offset."""
    end = _END.search(cell, at)
    assert end is not None
    return Formula(cell[at : end.start()], Span(at, end.end()), end[0].strip())
