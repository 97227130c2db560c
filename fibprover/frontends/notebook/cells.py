"""Split a cell into parts: commands as in scripts, lines that begin with %, and formulas."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from fibprover.base.values import value
from fibprover.frontends.conversation import entry
from fibprover.language.commands import Command, command_at, iterate_script, skip_comment
from fibprover.language.source import Span
from fibprover.language.tokens import Token, begins_remark, tokens

_MAGIC = re.compile(r"(?:%(\w*)|(!))[^\S\n]*([^\n]*)")

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
            commands = iterate_script(script, at)
            continue
        if (after_comment := skip_comment(cell, at)) is not None:
            at = after_comment
            commands = iterate_script(script, at)
            continue
        if entry.stands_alone(rest) and not rest.rstrip().endswith((";", ":")):
            script = f"{cell.rstrip()};"
            commands = iterate_script(script, at)
        command = next(commands)
        yield Part(command, script)
        at = command.span.end


def _magic(cell: str, at: int) -> Magic | None:
    found = _MAGIC.match(cell, at)
    return None if found is None else Magic(found[1] or found[2] or "", found[3].strip(), Span(at, found.end()))


def _formula(cell: str, at: int) -> Formula:
    """Return the formula at this offset."""
    for token in tokens(cell, at):
        if token.type == "TERMINATOR":
            return Formula(cell[at : token.start], Span(at, token.end), str(token))
        if "\n" in token and _ends_formula(cell, token):
            end = token.start + token.index("\n")
            return Formula(cell[at:end], Span(at, end + 1), "")
    return Formula(cell[at:], Span(at, len(cell)), "")


def _ends_formula(cell: str, blank: Token) -> bool:
    """Return whether a formula ends before a line break: at an empty line, or a line that cannot belong to it."""
    at = blank.end
    word = command_at(cell, at)
    named = word != "" and cell[at + len(word) :].strip() != ""
    return blank.count("\n") > 1 or cell.startswith("%", at) or begins_remark(cell, at) or named
