"""A place in a script that moves on as parts of commands are read: blanks, names, alphabets, quoted texts.

Every method reads what must stand at this place, or raises SyntaxProblem with that place.
"""

from __future__ import annotations

import re
from typing import NoReturn

from fibprover.errors import SyntaxProblem
from fibprover.parse.command_syntax import Alphabet, DigitSet, SystemAlphabet
from fibprover.parse.names import NAME, SYSTEM
from fibprover.parse.syntax import Span
from fibprover.system_names import full_name

#: Digits of a set alphabet, and other numbers in commands, lie between -MAX_DIGIT and MAX_DIGIT.
MAX_DIGIT = 10**9

_BLANKS = re.compile(r"\s*")
_CHUNK = re.compile(r'[^\s";:{}]+')
_INTEGER = re.compile(r"([+-]?)\s*([0-9]+)")


class Scanner:
    """A script, and how far it has been read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def fail(self, message: str, start: int, end: int, hint: str = "") -> NoReturn:
        raise SyntaxProblem(message, self.text, start, end, hint=hint)

    # -- between the parts -------------------------------------------------------------------

    def blanks(self, *, comment_here: bool = False) -> None:
        """Moves past blanks and comments; comment_here: a comment need not begin its line."""
        while True:
            match = _BLANKS.match(self.text, self.at)
            self.at = match.end() if match else self.at
            if not (self.text.startswith(("#", "//"), self.at) and (comment_here or self.starts_line())):
                return
            end = self.text.find("\n", self.at)
            self.at = len(self.text) if end < 0 else end

    def starts_line(self) -> bool:
        """Whether only blanks stand before this place on its line."""
        line_start = self.text.rfind("\n", 0, self.at) + 1
        return not self.text[line_start : self.at].strip()

    def next_is(self, characters: str) -> bool:
        """Whether the next character after blanks is one of these; False at the end of the script."""
        self.blanks()
        return self.at < len(self.text) and self.text[self.at] in characters

    def here(self) -> tuple[int, int]:
        """This place, or behind the last character that is not blank if nothing follows."""
        if self.at < len(self.text):
            return self.at, self.at + 1
        end = len(self.text.rstrip())
        return end, end + 1

    def matched(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The pattern at this place after blanks, if it is there, and moves past it."""
        self.blanks()
        found = pattern.match(self.text, self.at)
        if found is not None:
            self.at = found.end()
        return found

    def chunk(self) -> re.Match[str] | None:
        """What stands here up to a blank, a quote, a brace or a terminator; not moved past."""
        self.blanks()
        return _CHUNK.match(self.text, self.at)

    # -- the parts ---------------------------------------------------------------------------

    def name(self, word: str, usage: str) -> tuple[str, Span]:
        """The name that must follow the word of a command."""
        chunk = self.chunk()
        if chunk is None:
            self.fail(f"expected a name after `{word}`", *self.here(), f"write {usage}")
        if not NAME.fullmatch(chunk[0]):
            self.fail(f"`{chunk[0]}` is not a name", *chunk.span(), "a name is a letter, then letters, digits or _")
        self.at = chunk.end()
        return chunk[0], Span(*chunk.span())

    def quoted(self, word: str, what: str) -> tuple[str, int]:
        """The quoted text that must stand here, and the offset of its first character."""
        if not self.next_is('"'):
            self.fail(f"expected a {what} in quotes after `{word}`", *self.here())
        start = self.at + 1
        end = self.text.find('"', start)
        if end < 0:
            self.fail("this quote is never closed", self.at, start)
        self.at = end + 1
        return self.text[start:end], start

    def terminator(self, what: str) -> str:
        """The terminator that must stand here."""
        self.blanks()
        for terminator in ("::", ":", ";"):
            if self.text.startswith(terminator, self.at):
                self.at += len(terminator)
                return terminator
        self.fail(f"expected `;`, `:` or `::` after the {what}", *self.here())

    def alphabet(self) -> Alphabet:
        """A set of digits or the name of a numeration system."""
        if self.next_is("{"):
            return self.digit_set()
        chunk = self.chunk()
        if chunk is None:
            start, end = self.here()
            self.fail("`}` without `{`" if self.next_is("}") else "expected an alphabet", start, end)
        if not SYSTEM.fullmatch(chunk[0]):
            self.fail(
                f"`{chunk[0]}` is not an alphabet", *chunk.span(),
                "an alphabet is a set such as {0,1} or a numeration system such as msd_fib",
            )
        self.at = chunk.end()
        return SystemAlphabet(full_name(chunk[0]), Span(*chunk.span()))

    def digit_set(self) -> DigitSet:
        """`{0, 1, -1}`, where each digit occurs once."""
        opening = self.at
        closing = self.text.find("}", opening)
        quote = self.text.find('"', opening)
        if closing < 0 or 0 <= quote < closing:
            self.fail("this `{` is never closed", opening, opening + 1)
        digits: list[int] = []
        start = opening + 1
        for part in self.text[start:closing].split(","):
            blank = len(part) - len(part.lstrip())
            place = (start + blank, max(start + len(part.rstrip()), start + blank + 1))
            digit = self.integer_of(part.strip(), place)
            if digit in digits:
                self.fail(f"the digit {digit} is in the alphabet already", *place)
            digits.append(digit)
            start += len(part) + 1
        self.at = closing + 1
        return DigitSet(tuple(digits), Span(opening, self.at))

    def integer_of(self, written: str, place: tuple[int, int], what: str = "digit") -> int:
        """The number that was written at a place."""
        match = _INTEGER.fullmatch(written)
        if match is None:
            self.fail(f"`{written}` is not a {what}" if written else f"expected a {what}", *place)
        value = int(match[2]) if len(match[2]) <= len(str(MAX_DIGIT)) else MAX_DIGIT + 1
        if value > MAX_DIGIT:
            self.fail(f"a {what} may be at most {MAX_DIGIT}", *place)
        return -value if match[1] == "-" else value
