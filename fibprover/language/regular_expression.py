"""Regular expressions over digits, as in the command `reg`: from the text to the syntax tree.

The operators from the loosest to the tightest: `|` union, `&` intersection, concatenation, the repetitions `*`, `+`,
`?`, `{n}`, `{n,}`, `{n,m}` after an expression, `~` complement before one (so `~a*` is `(~a)*`).  `()` is the empty
word, `.` any letter, a digit stands for itself.  In brackets:

    [0,1]  [3,-1,2]   with several tracks, the letter with these digits, one for each track
    [-1]  [10]        with one track, the letter that is this number, if it has a sign or is a
                      digit of the alphabet with two or more figures, the first not 0
    [5-6]  [^01]      with one track, any of the single-figure digits listed (after `^`: any letter
                      not listed)

Blanks are ignored.  A digit outside the alphabet is an error, except at the ends of a range.  A
range is read as Walnut reads it: it runs through the alphabet in order; if its first end is not
in the alphabet, it begins at the least digit, and if its last end is not in the alphabet, it is empty.
So `[5-6]` over {0,4,6,7} is 0, 4, 6, and `[4-9]` over {0,1,2,3,4} matches nothing.

In the tree every letter is a tuple of digits, one for each track, and a repetition has its bounds. The tree is at most
MAX_DEPTH nodes deep.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product
from math import prod
from typing import NoReturn

from fibprover.base.errors import LimitError, SyntaxProblem, TextError, TypeMismatch
from fibprover.base.limits import poll
from fibprover.base.values import value

#: One letter: a digit for each track, in track order.
RegexLetter = tuple[int, ...]


@value
class Empty:
    """The empty language: no word."""


@value
class Epsilon:
    """The empty word only."""


@value
class Letters:
    """The words that consist of one letter of a set; an empty set means no word."""

    letters: frozenset[RegexLetter]


@value
class Concat:
    """The concatenation of the parts, of which there are at least two."""

    parts: tuple[Regex, ...]


@value
class Union:
    """The words that at least one part has; there are at least two parts."""

    parts: tuple[Regex, ...]


@value
class Intersection:
    """The words that all parts have; there are at least two parts."""

    parts: tuple[Regex, ...]


@value
class Complement:
    """All words over the alphabet (every combination of digits) that the body does not have."""

    body: Regex


@value
class Repeat:
    """`least` to `most` repetitions of the body; there is no upper bound if `most` is None."""

    body: Regex
    least: int
    most: int | None


Regex = Empty | Epsilon | Letters | Concat | Union | Intersection | Complement | Repeat


# -- parsing ---------------------------------------------------------------------------------

#: The greatest depth of a tree (compilation recurses), and the most letters that `.` may stand for.
MAX_DEPTH = 100
MAX_LETTERS = 1_000_000

#: The greatest bound of a repetition.
MAX_REPEAT = 1_000_000

_BLANKS = re.compile(r"\s*")
_NUMBER = re.compile(r"([+-]?)\s*([0-9]+)")
_BOUNDS = re.compile(r"\{\s*([0-9]+)\s*(?:(,)\s*([0-9]+)?\s*)?\}")


def parse_regex(text: str, alphabets: Sequence[Sequence[int]]) -> Regex:
    """Return the tree of a regular expression over tuples of one digit of each alphabet.

    An empty text is the empty word.  Raise SyntaxProblem, TypeMismatch for a digit outside its
    alphabet or a letter of the wrong length (both with the place), LimitError for a `.` that
    stands for more than MAX_LETTERS letters.  Time linear in the length of the text and the number of letters made.
    """
    return _Reader(text, tuple(tuple(alphabet) for alphabet in alphabets)).read()


class _Level:
    """The part read since a parenthesis opened: a union of intersections of sequences."""

    def __init__(self, opening: int, complements: list[int]) -> None:
        self.opening = opening
        self.complements = complements  # the `~` before this parenthesis
        self.unions: list[tuple[Regex, int]] = []
        self.intersections: list[tuple[Regex, int]] = []
        self.sequence: list[tuple[Regex, int]] = []


class _Reader:
    """A reader of an expression from left to right, with a stack of levels instead of recursion.

    Each tree is stored with its depth; `pending` holds the places of the `~` directly before this place.
    """

    def __init__(self, text: str, alphabets: tuple[tuple[int, ...], ...]) -> None:
        self.text = text
        self.alphabets = alphabets
        self.at = 0
        self.levels = [_Level(-1, [])]
        self.pending: list[int] = []
        self.last = ""  # the character before this place, blanks left out
        self.any: Letters | None = None

    def read(self) -> Regex:
        if not self.text.strip():
            return Epsilon()
        while True:
            self.blanks()
            if self.at == len(self.text):
                break
            start = self.at
            self.step(self.text[start])
            self.last = self.text[self.at - 1]
        if len(self.levels) > 1:
            opening = self.levels[-1].opening
            self.fail("this `(` is never closed", opening)
        return self.close(self.levels[0], len(self.text.rstrip()))[0]

    def fail(
        self, message: str, start: int, end: int | None = None, *, hint: str = "", kind: type[TextError] = SyntaxProblem
    ) -> NoReturn:
        raise kind(message, self.text, start, end, hint=hint)

    def blanks(self) -> None:
        match = _BLANKS.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def step(self, character: str) -> None:
        """Read the part that begins here, and move `at` to its end."""
        start = self.at
        poll("a regular expression")
        level = self.levels[-1]
        self.at += 1
        match character:
            case "(":
                self.levels.append(_Level(start, self.pending))
                self.pending = []
            case ")":
                self.close_parenthesis(level, start)
            case "|" | "&":
                self.close_sequence(level, start)
                if character == "|":
                    self.close_intersection(level, start)
            case "~":
                self.pending.append(start)
            case "*" | "+" | "?" | "{":
                self.repeat(level, start)
            case ".":
                self.operand(self.any_letter(), 1)
            case "[":
                self.operand(Letters(self.brackets(start)), 1)
            case _ if character in "0123456789":
                self.operand(Letters(self.bare_digit(character, start)), 1)
            case "]" | "}":
                self.fail(f"`{character}` closes nothing", start)
            case _:
                shown = character if character.isprintable() else f"U+{ord(character):04X}"
                hint = "letters are digits; a negative one is written [-1]"
                self.fail(f"unknown character `{shown}` in a regular expression", start, hint=hint)

    def operand(self, regex: Regex, depth: int) -> None:
        """Add an expression to the sequence, as the body of the complements that `~` before it denote."""
        for start in reversed(self.pending):
            regex, depth = Complement(regex), self.deeper(depth, start)
        self.pending = []
        self.levels[-1].sequence.append((regex, depth))

    def deeper(self, depth: int, start: int) -> int:
        if depth >= MAX_DEPTH:
            self.fail(f"this is nested more than {MAX_DEPTH} levels deep", start)
        return depth + 1

    def close_parenthesis(self, level: _Level, start: int) -> None:
        if len(self.levels) == 1:
            self.fail("a regular expression ends here, but `)` follows", start, hint="no `(` is open")
        regex, depth = (Epsilon(), 1) if self.last == "(" else self.close(level, start)
        self.levels.pop()
        self.pending = level.complements
        self.operand(regex, depth)

    def close(self, level: _Level, start: int) -> tuple[Regex, int]:
        """Return the tree and the depth of a level that ends at `start`."""
        self.close_sequence(level, start)
        self.close_intersection(level, start)
        return self.joined(Union, level.unions, start)

    def close_sequence(self, level: _Level, start: int) -> None:
        if self.pending:
            self.fail("expected an expression after `~`", self.pending[-1])
        if not level.sequence:
            before = f" after `{self.last}`" if self.last else ""
            self.fail(f"expected an expression{before}", start, hint="the empty word is written ()")
        level.intersections.append(self.joined(Concat, level.sequence, start))
        level.sequence = []

    def close_intersection(self, level: _Level, start: int) -> None:
        level.unions.append(self.joined(Intersection, level.intersections, start))
        level.intersections = []

    def joined(
        self, kind: type[Concat | Union | Intersection], parts: list[tuple[Regex, int]], start: int
    ) -> tuple[Regex, int]:
        if len(parts) == 1:
            return parts[0]
        return kind(tuple(regex for regex, _ in parts)), self.deeper(max(depth for _, depth in parts), start)

    def repeat(self, level: _Level, start: int) -> None:
        """Read `*`, `+`, `?` or bounds in braces after an expression."""
        if self.pending or not level.sequence:
            self.fail(f"`{self.text[start]}` has nothing to repeat", start)
        least, most = {"*": (0, None), "+": (1, None), "?": (0, 1), "{": (0, 0)}[self.text[start]]
        if self.text[start] == "{":
            least, most = self.bounds(start)
        body, depth = level.sequence.pop()
        level.sequence.append((Repeat(body, least, most), self.deeper(depth, start)))

    def bounds(self, start: int) -> tuple[int, int | None]:
        match = _BOUNDS.match(self.text, start)
        if match is None:
            self.fail("a repetition is written {n}, {n,} or {n,m}", start)
        self.at = match.end()
        for number in (match[1], match[3] or "0"):
            if len(number) > 9 or int(number) > MAX_REPEAT:
                self.fail(f"a repetition may be at most {MAX_REPEAT}", start, self.at)
        least = int(match[1])
        most = least if match[2] is None else None if match[3] is None else int(match[3])
        if most is not None and most < least:
            self.fail(f"{least} is more than {most}", start, self.at)
        return least, most

    def any_letter(self) -> Letters:
        if self.any is None:
            if prod(map(len, self.alphabets)) > MAX_LETTERS:
                raise LimitError(f"`.` would stand for more than {MAX_LETTERS} letters")
            self.any = Letters(frozenset(product(*self.alphabets)))
        return self.any

    def bare_digit(self, character: str, start: int) -> frozenset[RegexLetter]:
        if len(self.alphabets) != 1:
            example = ",".join([character] * len(self.alphabets))
            self.fail(
                f"a letter has {len(self.alphabets)} digits here, one a track", start, kind=TypeMismatch,
                hint=f"write it in brackets: [{example}]",
            )
        return frozenset({(self.checked(int(character), 0, start, start + 1),)})

    def checked(self, digit: int, track: int, start: int, end: int) -> int:
        """Return the digit if the alphabet of its track has it; else raise TypeMismatch."""
        alphabet = self.alphabets[track]
        if digit not in alphabet:
            shown = "{" + ",".join(map(str, alphabet[:12])) + (",..." if len(alphabet) > 12 else "") + "}"
            where = f"the alphabet {shown}" + (f" of track {track + 1}" if len(self.alphabets) > 1 else "")
            self.fail(f"the digit {digit} is not in {where}", start, end, kind=TypeMismatch)
        return digit

    def number(self, match: re.Match[str]) -> int:
        if len(match[2]) > 10:
            self.fail("no alphabet has a digit this long", *match.span(), kind=TypeMismatch)
        return -int(match[2]) if match[1] == "-" else int(match[2])

    def brackets(self, start: int) -> frozenset[RegexLetter]:
        """Read a letter or a class of letters in brackets."""
        closing = self.text.find("]", start)
        if closing < 0:
            self.fail("this `[` is never closed", start)
        self.at = closing + 1
        inside = self.text[start + 1 : closing]
        if len(self.alphabets) == 1 and "," not in inside:
            return self.class_of_letters(start + 1, closing)
        return self.tuple_letter(start, closing)

    def tuple_letter(self, start: int, closing: int) -> frozenset[RegexLetter]:
        parts = self.text[start + 1 : closing].split(",")
        digits: list[int] = []
        at = start + 1
        for part in parts:
            begin = at + len(part) - len(part.lstrip())
            end = max(begin + 1, at + len(part.rstrip()))
            match = _NUMBER.fullmatch(self.text, begin, at + len(part.rstrip()))
            if match is None:
                self.fail(f"`{part.strip()}` is not a digit" if part.strip() else "expected a digit", begin, end)
            value = self.number(match)
            digits.append(self.checked(value, len(digits), begin, end) if len(digits) < len(self.alphabets) else value)
            at += len(part) + 1
        if len(digits) != len(self.alphabets):
            count = f"{len(self.alphabets)} digit" + ("" if len(self.alphabets) == 1 else "s")
            self.fail(
                f"a letter has {count} here, one a track, not {len(digits)}", start, closing + 1, kind=TypeMismatch
            )
        return frozenset({tuple(digits)})

    def class_of_letters(self, start: int, end: int) -> frozenset[RegexLetter]:
        """Read one letter by its number, or a class of single figures, possibly negated."""
        alphabet = self.alphabets[0]
        self.at, whole = start, (start - 1, end + 1)
        self.blanks()
        negated = self.text.startswith("^", self.at)
        self.at += negated
        self.blanks()
        match = _NUMBER.fullmatch(self.text, self.at, start + len(self.text[start:end].rstrip()))
        if match is not None and (match[1] or self.long_digit(match)):
            value = self.checked(self.number(match), 0, *match.span())
            if negated and not match[1]:
                self.fail(
                    f"this could mean the letter {value} or its figures", *whole,
                    hint="list single figures in another order, or write a union of letters",
                )
            listed = {value}
        else:
            listed = self.figures(end, whole)
        self.at = end + 1
        return frozenset((digit,) for digit in alphabet if (digit in listed) != negated)

    def long_digit(self, match: re.Match[str]) -> bool:
        """Return whether the figures are one digit of the alphabet, and not several: `[10]`, but not `[01]`."""
        return len(match[2]) > 1 and match[2][0] != "0" and self.number(match) in self.alphabets[0]

    def figures(self, end: int, whole: tuple[int, int]) -> set[int]:
        """Read the figures and ranges from here to `end`."""
        listed: set[int] = set()
        figures = [(position, c) for position, c in enumerate(self.text[self.at : end], self.at) if not c.isspace()]
        if not figures:
            self.fail("expected digits between `[` and `]`", *whole)
        place = 0
        while place < len(figures):
            position, low = figures[place]
            high, is_range = low, False
            if place + 1 < len(figures) and figures[place + 1][1] == "-":
                if place + 2 == len(figures):
                    self.fail("this range has no end", position, end)
                high, is_range = figures[place + 2][1], True
                place += 2
            elif low in "0123456789":
                self.checked(int(low), 0, position, position + 1)
            for at, figure in ((position, low), (figures[place][0], high)):
                if figure not in "0123456789":
                    self.fail(f"`{figure}` is not a digit", at)
            if high < low:
                self.fail(f"the range {low}-{high} is empty", position, figures[place][0] + 1)
            listed.update(self.between(int(low), int(high)) if is_range else {int(low)})
            place += 1
        return listed

    def between(self, low: int, high: int) -> set[int]:
        """Return the digits of a range, whose ends may be outside of the alphabet, as Walnut does."""
        alphabet = self.alphabets[0]
        if high not in alphabet:
            return set()
        return {digit for digit in alphabet if digit <= high and (low not in alphabet or digit >= low)}
