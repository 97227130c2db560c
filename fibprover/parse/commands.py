"""Scripts: sequences of commands such as `def even "Ey x=2*y":`.

A command is a word, what it needs, and a terminator: `;`, `:` or `::` (they ask for more or less
output).  Commands may share a line or take several; text in double quotes may hold anything but a
double quote.  A comment runs from `#` or `//` to the end of its line; it may begin a line, or follow
a terminator.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from fibprover.errors import SyntaxProblem, TextError
from fibprover.parse.names import NAME, SYSTEM, system_name
from fibprover.parse.syntax import Span

#: Digits of a set alphabet lie between -MAX_DIGIT and MAX_DIGIT.
MAX_DIGIT = 10**9

_BLANKS = re.compile(r"\s*")
_CHUNK = re.compile(r'[^\s";:{}]+')
_DIGIT = re.compile(r"([+-]?)\s*([0-9]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What all commands have: their place in the script, the line they begin on, the terminator."""

    span: Span
    line: int
    terminator: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DefCommand(Command):
    """`def NAME "formula":`; variables: the names listed between name and formula."""

    name: str
    name_span: Span
    text: str
    text_offset: int
    variables: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalCommand(Command):
    """`eval NAME "formula":`; variables: the names listed between name and formula."""

    name: str
    name_span: Span
    text: str
    text_offset: int
    variables: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DigitSet:
    """The alphabet `{0, 1, -1}`, in the order written."""

    digits: tuple[int, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class SystemAlphabet:
    """The digits of a numeration system, by its full name."""

    system: str
    span: Span


Alphabet = DigitSet | SystemAlphabet


@dataclass(frozen=True, slots=True, kw_only=True)
class RegCommand(Command):
    """`reg NAME ALPHABET... "regex":`, one alphabet a track."""

    name: str
    name_span: Span
    alphabets: tuple[Alphabet, ...]
    text: str
    text_offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MacroCommand(Command):
    """`macro NAME "text":`."""

    name: str
    name_span: Span
    text: str
    text_offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherCommand(Command):
    """Any other word, with the rest of the command as it was written (blanks around it dropped).

    A command that begins with a bracket, `[...]eval ...`, has the bracket as its word.
    """

    word: str
    word_span: Span
    rest: str
    rest_offset: int


def parse_script(text: str) -> tuple[Command, ...]:
    """All commands of a script.  SyntaxProblem, with the place in the script, for the first that is none."""
    return tuple(iterate_script(text))


def iterate_script(text: str) -> Iterator[Command]:
    """The commands of a script one by one; raises SyntaxProblem only when the faulty one is reached."""
    reader = _Reader(text)
    while (command := reader.command()) is not None:
        yield command


def line_number(text: str, offset: int) -> int:
    """The number, from 1, of the line an offset is on."""
    return text.count("\n", 0, offset) + 1


def in_script(problem: TextError, script: str, text: str, text_offset: int) -> TextError:
    """The same problem, shown in the script.

    text, text_offset: the quoted part of the command that `problem` is about.  A problem about any
    other text (as after macro expansion) is returned as it is.
    """
    if problem.text != text:
        return problem
    return type(problem)(
        problem.message, script, text_offset + problem.start, text_offset + problem.end, hint=problem.hint
    )


class _Reader:
    """A place in a script, moving on as commands are read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.line = 1
        self.counted = 0

    def fail(self, message: str, start: int, end: int, hint: str = "") -> NoReturn:
        raise SyntaxProblem(message, self.text, start, end, hint=hint)

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

    def command(self) -> Command | None:
        """The next command, or None at the end."""
        self.blanks(comment_here=True)
        if self.at == len(self.text):
            return None
        start = self.at
        self.line += self.text.count("\n", self.counted, start)
        self.counted = start
        word = NAME.match(self.text, start)
        if word is None:
            return self.bracketed(start)
        self.at = word.end()
        match word[0]:
            case "def" | "eval":
                return self.formula_command(start, word[0])
            case "reg":
                return self.reg(start)
            case "macro":
                name, name_span = self.name("macro", "text")
                text, offset = self.quoted("macro", "text", name)
                return MacroCommand(
                    name=name, name_span=name_span, text=text, text_offset=offset, terminator=self.terminator("text"),
                    span=Span(start, self.at), line=self.line,
                )
        return self.other(start, Span(start, self.at))

    def formula_command(self, start: int, word: str) -> DefCommand | EvalCommand:
        name, name_span = self.name(word, "formula")
        variables: list[str] = []
        self.blanks()
        while (chunk := _CHUNK.match(self.text, self.at)) is not None:
            if not NAME.fullmatch(chunk[0]):
                self.fail(
                    f"`{chunk[0]}` is not a name of a variable", *chunk.span(),
                    f'the formula stands in quotes: {word} {name} "..."',
                )
            variables.append(chunk[0])
            self.at = chunk.end()
            self.blanks()
        text, offset = self.quoted(word, "formula", name)
        kind = DefCommand if word == "def" else EvalCommand
        return kind(
            name=name, name_span=name_span, text=text, text_offset=offset, variables=tuple(variables),
            terminator=self.terminator("formula"), span=Span(start, self.at), line=self.line,
        )

    def reg(self, start: int) -> RegCommand:
        name, name_span = self.name("reg", "regular expression")
        alphabets: list[Alphabet] = []
        self.blanks()
        while self.at < len(self.text) and self.text[self.at] not in '";:':
            alphabets.append(self.alphabet())
            self.blanks()
        text, offset = self.quoted("reg", "regular expression", name)
        if not alphabets:
            self.fail(
                "`reg` needs the alphabet of every track before the regular expression", offset - 1, offset,
                f'for example reg {name} {{0,1}} msd_fib "..."',
            )
        return RegCommand(
            name=name, name_span=name_span, alphabets=tuple(alphabets), text=text, text_offset=offset,
            terminator=self.terminator("regular expression"), span=Span(start, self.at), line=self.line,
        )

    def alphabet(self) -> Alphabet:
        if self.text[self.at] == "{":
            return self.digit_set()
        chunk = _CHUNK.match(self.text, self.at)
        if chunk is None:
            self.fail("`}` without `{`", self.at, self.at + 1)
        if not SYSTEM.fullmatch(chunk[0]):
            self.fail(
                f"`{chunk[0]}` is not an alphabet", *chunk.span(),
                "an alphabet is a set such as {0,1} or a numeration system such as msd_fib",
            )
        self.at = chunk.end()
        return SystemAlphabet(system_name(chunk[0]), Span(*chunk.span()))

    def digit_set(self) -> DigitSet:
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
            digit = self.digit(part.strip(), place)
            if digit in digits:
                self.fail(f"the digit {digit} is in the alphabet already", *place)
            digits.append(digit)
            start += len(part) + 1
        self.at = closing + 1
        return DigitSet(tuple(digits), Span(opening, self.at))

    def digit(self, written: str, place: tuple[int, int]) -> int:
        match = _DIGIT.fullmatch(written)
        if match is None:
            self.fail(f"`{written}` is not a digit" if written else "expected a digit", *place)
        value = int(match[2]) if len(match[2]) <= len(str(MAX_DIGIT)) else MAX_DIGIT + 1
        if value > MAX_DIGIT:
            self.fail(f"a digit may be at most {MAX_DIGIT}", *place)
        return -value if match[1] == "-" else value

    def name(self, word: str, what: str) -> tuple[str, Span]:
        """The name that must follow the word of a command."""
        self.blanks()
        chunk = _CHUNK.match(self.text, self.at)
        if chunk is None:
            self.fail(f"expected a name after `{word}`", *self.here(), f'write {word} NAME "{what}";')
        if not NAME.fullmatch(chunk[0]):
            self.fail(f"`{chunk[0]}` is not a name", *chunk.span(), "a name is a letter, then letters, digits or _")
        self.at = chunk.end()
        return chunk[0], Span(*chunk.span())

    def quoted(self, word: str, what: str, name: str) -> tuple[str, int]:
        """The quoted text that must stand here, and the offset of its first character."""
        self.blanks()
        if not self.text.startswith('"', self.at):
            self.fail(f"expected a {what} in quotes after `{word} {name}`", *self.here())
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

    def here(self) -> tuple[int, int]:
        """This place, or behind the last character that is not blank if nothing follows."""
        if self.at < len(self.text):
            return self.at, self.at + 1
        end = len(self.text.rstrip())
        return end, end + 1

    def bracketed(self, start: int) -> OtherCommand:
        """`[...]` before a command, or nothing that could begin one."""
        character = self.text[start]
        closing = self.text.find("]", start)
        if character != "[" or closing < 0:
            self.fail(f"a command must begin here, not `{character}`", start, start + 1)
        self.at = closing + 1
        return self.other(start, Span(start, self.at))

    def other(self, start: int, word: Span) -> OtherCommand:
        """Everything up to the first terminator that is in no quotes."""
        begin = self.at
        while True:
            self.blanks()
            if self.at == len(self.text) or self.text[self.at] in ";:":
                break
            if self.text[self.at] == '"':
                closing = self.text.find('"', self.at + 1)
                if closing < 0:
                    self.fail("this quote is never closed", self.at, self.at + 1)
                self.at = closing
            self.at += 1
        end = self.at
        rest = self.text[begin:end]
        written = self.text[word.start : word.end]
        return OtherCommand(
            word=written, word_span=word, rest=rest.strip(), rest_offset=begin + len(rest) - len(rest.lstrip()),
            terminator=self.terminator(f"command `{written}`"), span=Span(start, self.at), line=self.line,
        )
