"""Which names are undefined because the commands that should have defined them failed.

Such a name can have an older meaning, in a library or earlier in the script. A formula that mentions it would then
have another meaning than in the script, so it fails too, until a command defines the name again.
`run --keep-going` and the theorems of a chapter keep to this.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from fibprover.errors import UnknownName
from fibprover.names import system_name
from fibprover.syntax.commands import WORDS, Command, OperationCommand, line_number

#: Commands that do not define their first name.
_QUESTIONS = frozenset({"inf", "test", "first", "first_rej", "count", "regex", "describe", "export", "load", "help"})

_NAME = re.compile(r"[A-Za-z]\w*", re.ASCII)

#: The beginning of a command that defines a name.
_BEGUN = re.compile(r"\b([a-z_]+)[^\S\n]+([A-Za-z]\w*)", re.ASCII)

_LOADS = re.compile(r"\bload\b")

#: The names in a formula that are not variables: $predicate, #macro, .Word, Word[...], ?system.
_NAMED = re.compile(r"[$#.?]\s*([A-Za-z]\w*)|([A-Za-z]\w*)\s*\[", re.ASCII)


class UndefinedNames:
    """The names that failed commands should have defined, each with what failed, such as "line 3".

    all_since: what failed if it could have defined any name; "" otherwise.
    """

    def __init__(self, failed: Mapping[str, str] | None = None, all_since: str = "") -> None:
        self.failed = dict(failed or {})
        self.all_since = all_since

    def add(self, command: Command, place: str = "") -> None:
        """Add the name that a failed command should have defined; place: by default the line of the command."""
        name = defined_name(command)
        if name:
            self.failed[name] = place or f"line {command.line}"

    def add_unreadable(self, script: str, start: int, end: int, place: str = "") -> bool:
        """Add the names that the commands between two offsets may define, which were not carried out.

        Return False if they may load a script, so that the names are unknown.
        """
        for found in _BEGUN.finditer(script, start, end):
            if found[1] in WORDS and found[1] not in _QUESTIONS:
                self.failed[found[2]] = place or f"line {line_number(script, found.start())}"
        return _LOADS.search(script, start, end) is None

    def remove(self, command: Command) -> None:
        """Remove the name that a command has defined."""
        self.failed.pop(defined_name(command), None)

    def check(self, command: Command, script: str, macros: Mapping[str, str]) -> None:
        """Raise UnknownName if a command mentions one of the names."""
        start, end = command.span.start, command.span.end
        self._check(mentioned(script[start:end], defined_name(command), macros), script, start)

    def check_formula(self, formula: str, macros: Mapping[str, str]) -> None:
        """Raise UnknownName if a formula mentions one of the names."""
        self._check(_named(formula, 0, macros), formula, 0)

    def _check(self, names: Iterator[tuple[str, int]], text: str, start: int) -> None:
        if not self.failed and not self.all_since:
            return
        for written, at in names:
            # A numeration system is mentioned with its direction, or without.
            name = next((each for each in (written, system_name(written).base) if each in self.failed), written)
            since = self.failed.get(name)
            if since is None and not written.startswith(("msd_", "lsd_")):
                since = self.all_since
            if since:
                place = start + at
                raise UnknownName(f"{name} is not defined, since {since} failed", text, place, place + len(written))


def defined_name(command: Command) -> str:
    """Return the name that a command defines, or ""."""
    if isinstance(command, OperationCommand):
        return "" if command.word in _QUESTIONS or not command.places else command.places[0][0]
    return str(getattr(command, "name", ""))


def mentioned(source: str, new: str, macros: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """Yield the names in the text of a command with their offsets, without the first occurrence of the name it defines.

    The names in a macro have the offset of its call.
    """
    skipped = not new
    for number, part in _quoted_parts(source):
        if number % 2:
            yield from _named(part[1], part[0], macros)
            continue
        for found in _NAME.finditer(part[1]):
            if found[0] == new and not skipped:
                skipped = True
                continue
            yield found[0], part[0] + found.start()


def _named(formula: str, start: int, macros: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """Yield the names in a formula that begins at the offset `start`, with their offsets."""
    for found in _NAMED.finditer(formula):
        name = found[1] or found[2]
        at = start + found.start(found.lastindex or 0)
        yield name, at
        yield from ((inner, at) for inner in _names_in_macro(name, macros, set()))


def _quoted_parts(source: str) -> Iterator[tuple[int, tuple[int, str]]]:
    """Yield the parts outside and inside of quotes in turn, each with its offset."""
    at = 0
    for number, part in enumerate(source.split('"')):
        yield number, (at, part)
        at += len(part) + 1


def _names_in_macro(name: str, macros: Mapping[str, str], seen: set[str]) -> Iterator[str]:
    """Yield the names in the text of a macro, and in the macros that it calls."""
    if name in seen or name not in macros:
        return
    seen.add(name)
    for found in _NAMED.finditer(macros[name]):
        inner = found[1] or found[2]
        yield inner
        yield from _names_in_macro(inner, macros, seen)
