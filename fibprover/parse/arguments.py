"""What may follow the word of a command: names, signs and labels in brackets, numbers; and metacommands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NoReturn

from fibprover.parse.command_syntax import Metacommand
from fibprover.parse.names import NAME
from fibprover.parse.scanner import Scanner
from fibprover.parse.syntax import Span
from fibprover.system_names import full_name

_SOURCE = re.compile(r"\$?\s*[^\s\";:{}\[\]=$]+")
_BRACKET = re.compile(r"\[([^\[\]\";:]*)\]")

#: What metacommands there are, with what may stand in them after a number or `*`.
METACOMMANDS: Mapping[str, tuple[str, ...]] = {
    "strategy": ("SC", "BRZ", "CCL", "CCLS", "BRZ-CCL", "BRZ-CCLS"),
    "export": ("BA", "GV", "TXT"),
}

#: A metacommand without anything behind it: closed formulas are decided early, which the planner does by itself.
EARLY = "earlyExistTermination"


class Arguments:
    """What follows the word of one command; every name is noted with its place."""

    def __init__(self, scanner: Scanner, word: str, usage: str) -> None:
        self.scanner = scanner
        self.word = word
        self.usage = usage
        self.places: list[tuple[str, Span]] = []

    def fail(self, message: str, start: int | None = None, end: int | None = None) -> NoReturn:
        """SyntaxProblem at a place, or here, with the usage as hint."""
        here = self.scanner.here()
        hint = f"write {self.usage}"
        self.scanner.fail(message, here[0] if start is None else start, here[1] if end is None else end, hint)

    def ends(self) -> bool:
        """Whether the terminator stands here, or nothing at all."""
        self.scanner.blanks()
        return self.scanner.at == len(self.scanner.text) or self.scanner.next_is(";:")

    def noted(self, name: str, start: int, end: int) -> str:
        """The name, whose place is kept."""
        self.places.append((name, Span(start, end)))
        return name

    def new(self) -> str:
        """The name of what the command makes."""
        self.scanner.blanks()
        found = self.scanner.matched(_SOURCE)
        if found is None:
            self.fail(f"expected a name after `{self.word}`")
        if not NAME.fullmatch(found[0]):
            self.fail(f"`{found[0]}` is not a name", *found.span())
        return self.noted(found[0], *found.span())

    def source(self, what: str = "name") -> str:
        """A name, with `$` in front where it is that of a predicate."""
        self.scanner.blanks()
        found = self.scanner.matched(_SOURCE)
        if found is None:
            self.fail(f"expected a {what}")
        name = "".join(found[0].split())
        if not NAME.fullmatch(name.removeprefix("$")):
            self.fail(f"`{found[0]}` is not a name", *found.span())
        return self.noted(name, *found.span())

    def sources(self, at_least: int) -> tuple[str, ...]:
        """Names up to the terminator."""
        found: list[str] = []
        while not self.ends():
            found.append(self.source())
        if len(found) < at_least:
            what = "one automaton" if at_least == 1 else f"{at_least} automata"
            self.fail(f"`{self.word}` needs at least {what}")
        return tuple(found)

    def brackets(self) -> tuple[tuple[str, Span], ...]:
        """What stands in the brackets that follow, one pair after the other."""
        found = []
        while (bracket := self.scanner.matched(_BRACKET)) is not None:
            found.append((bracket[1].strip(), Span(*bracket.span())))
        return tuple(found)

    def signs(self) -> tuple[str, ...]:
        """`[+][-][]`: one sign or none a track."""
        found = self.brackets()
        for sign, span in found:
            if sign not in ("+", "-", ""):
                self.fail(f"`{sign}` is not a sign: it is +, - or nothing", span.start, span.end)
        if not found:
            self.fail("expected the signs of the tracks")
        return tuple(sign for sign, _ in found)

    def integers(self) -> tuple[int, ...]:
        """`[0 1 2]`: numbers in brackets."""
        found = self.scanner.matched(_BRACKET)
        if found is None:
            self.fail("expected numbers in brackets")
        place = found.span()
        return tuple(self.scanner.integer_of(number, place, "number") for number in found[1].split())

    def text(self) -> str:
        """A quoted text."""
        text, start = self.scanner.quoted(self.word, "text")
        return self.noted(text, start, start + len(text))

    def chunk(self, what: str) -> str:
        """Anything up to the next blank or terminator."""
        found = self.scanner.chunk()
        if found is None:
            self.fail(f"expected a {what}")
        self.scanner.at = found.end()
        return self.noted(found[0], *found.span())

    def system(self) -> str:
        """A numeration system."""
        name = self.chunk("numeration system")
        _, span = self.places.pop()
        return self.noted(full_name(name), span.start, span.end)


def metacommand(scanner: Scanner) -> Metacommand:
    """`[strategy 3 CCLS]` or `[export * BA]`, at whose bracket the scanner stands."""
    found = scanner.matched(_BRACKET)
    if found is None:
        scanner.fail("this `[` is never closed", scanner.at, scanner.at + 1)
    words = tuple(found[1].split())
    if words == (EARLY,):
        return Metacommand(words, Span(*found.span()))
    hint = "write [strategy 3 CCLS] or [export * BA], with the number of an automaton or * for all"
    if not words or words[0] not in METACOMMANDS:
        scanner.fail(f"there is no metacommand {found[0]}", *found.span(), hint)
    if len(words) != 3 or not (words[1] == "*" or words[1].isdecimal()):
        scanner.fail(f"`{words[0]}` needs a number or *, and a name", *found.span(), hint)
    known = METACOMMANDS[words[0]]
    if words[2].upper() not in known:
        scanner.fail(f"`{words[2]}` is none of {', '.join(known)}", *found.span(), hint)
    return Metacommand(words, Span(*found.span()))
