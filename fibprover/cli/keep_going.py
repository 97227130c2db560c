"""`run --keep-going`: a script goes on behind what fails, and nothing relies on what was not made.

A name whose command failed may have an older meaning, in a library or above in the script.  A formula that mentions
it would be about something else than the script says, so that it fails, too, until the name is made anew.  What a
script that is loaded would have made is not known: the run ends there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from fibprover.errors import UnknownName
from fibprover.parse.commands import WORDS, Command, OperationCommand, line_number
from fibprover.system_names import full_name

#: Commands whose first name is asked about, and not made.
_QUESTIONS = frozenset({"inf", "test", "first", "first_rej", "count", "regex", "describe", "export", "load", "help"})

_NAME = re.compile(r"[A-Za-z]\w*", re.ASCII)
#: How a command begins that makes something.
_BEGUN = re.compile(r"\b([a-z_]+)[^\S\n]+([A-Za-z]\w*)", re.ASCII)
_LOADS = re.compile(r"\bload\b")
#: In a formula, what is no variable: $predicate, #macro, .Word, Word[...], ?system.
_NAMED = re.compile(r"[$#.?]\s*([A-Za-z]\w*)|([A-Za-z]\w*)\s*\[", re.ASCII)


class Missing:
    """The names that commands of a script were to make and did not, with the lines of these."""

    def __init__(self) -> None:
        self.lines: dict[str, int] = {}

    def failed(self, command: Command) -> None:
        """Notes what a command that failed did not make."""
        name = made(command)
        if name:
            self.lines[name] = command.line

    def unread(self, script: str, start: int, end: int) -> bool:
        """Notes what commands between two offsets may have been to make, of which one cannot be read.

        False if that cannot be told, since a script may have been to be loaded.
        """
        for found in _BEGUN.finditer(script, start, end):
            if found[1] in WORDS and found[1] not in _QUESTIONS:
                self.lines[found[2]] = line_number(script, found.start())
        return _LOADS.search(script, start, end) is None

    def done(self, command: Command) -> None:
        """Forgets what a command has made by now."""
        self.lines.pop(made(command), None)

    def check(self, command: Command, script: str, macros: Mapping[str, str]) -> None:
        """UnknownName where a command mentions a name that was not made."""
        if not self.lines:
            return
        start, end = command.span.start, command.span.end
        for written, at in mentioned(script[start:end], made(command), macros):
            # A numeration system is mentioned with its direction, or without.
            for name in (written, full_name(written)[len("msd_") :]):
                if name in self.lines:
                    raise UnknownName(
                        f"{name} is what line {self.lines[name]} was to make, and did not",
                        script, start + at, start + at + len(written),
                    )


def made(command: Command) -> str:
    """The name that a command makes; nothing if it makes none."""
    if isinstance(command, OperationCommand):
        return "" if command.word in _QUESTIONS or not command.places else command.places[0][0]
    return str(getattr(command, "name", ""))


def mentioned(source: str, new: str, macros: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """The names in the text of a command, but for the one it makes where that stands first, with their offsets.

    What a macro mentions stands where the macro is called.
    """
    skipped = not new
    for number, part in _parts(source):
        if number % 2:
            for found in _NAMED.finditer(part[1]):
                name = found[1] or found[2]
                at = part[0] + found.start(found.lastindex or 0)
                yield name, at
                yield from ((inner, at) for inner in _behind(name, macros, set()))
            continue
        for found in _NAME.finditer(part[1]):
            if found[0] == new and not skipped:
                skipped = True
                continue
            yield found[0], part[0] + found.start()


def _parts(source: str) -> Iterator[tuple[int, tuple[int, str]]]:
    """The parts outside and inside of quotes in turn, each with its offset."""
    at = 0
    for number, part in enumerate(source.split('"')):
        yield number, (at, part)
        at += len(part) + 1


def _behind(name: str, macros: Mapping[str, str], seen: set[str]) -> Iterator[str]:
    """What the text of a macro mentions, and the macros in it."""
    if name in seen or name not in macros:
        return
    seen.add(name)
    for found in _NAMED.finditer(macros[name]):
        inner = found[1] or found[2]
        yield inner
        yield from _behind(inner, macros, seen)
