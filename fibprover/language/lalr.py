"""Read a text by LALR tables: a contextual lexer and a stack.

The tables are data (`fibprover.language.tables`), so that starting needs neither a parser generator nor its grammar.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

#: The terminal at the end of a text.
END = "$END"


class Token(str):
    """A terminal of the grammar, with its text and its place."""

    __slots__ = ("end_pos", "start_pos", "type")

    type: str
    start_pos: int
    end_pos: int

    def __new__(cls, kind: str, text: str, start: int = 0, end: int = 0) -> Token:
        """Return a token: kind is the name of its terminal."""
        token = super().__new__(cls, text)
        token.type, token.start_pos, token.end_pos = kind, start, end
        return token


class NoCharacter(Exception):
    """No terminal of the grammar begins with the character at a place."""

    def __init__(self, place: int) -> None:
        super().__init__(place)
        self.place = place


class NoToken(Exception):
    """A token cannot follow what was read before it."""

    def __init__(self, token: Token) -> None:
        super().__init__(token)
        self.token = token


class _Rule(NamedTuple):
    """A rule of the grammar: what it makes of the values of its parts.

    kept: the places of the parts that have a value; spliced: those whose values are lists of parts; single: whether the
    only value of a rule stands for the rule.
    """

    origin: str
    length: int
    method: Callable[..., Any] | None
    single: bool
    kept: tuple[int, ...]
    spliced: frozenset[int]

    def value(self, parts: list[Any]) -> Any:
        """Return the value of the rule."""
        found: list[Any] = []
        for place in self.kept:
            if place in self.spliced:
                found.extend(parts[place])
            else:
                found.append(parts[place])
        if self.single and len(found) == 1:
            return found[0]
        return found if self.method is None else self.method(*found)


class Parser:
    """A parser by tables; `builder` has a method for each rule that makes something."""

    def __init__(self, tables: Mapping[str, Any], builder: object) -> None:
        self.states: list[dict[str, int]] = tables["states"]
        self.lexers: list[str] = tables["lexers"]
        self.lexer_of: list[int] = tables["lexer_of"]
        self.compiled: dict[int, re.Pattern[str]] = {}
        self.ignored = frozenset(tables["ignored"])
        self.end: int = tables["end"]
        self.start: int = tables["start"]
        self.rules = [
            _Rule(
                origin, length, None if origin.startswith("_") else getattr(builder, name, None), single, tuple(kept),
                frozenset(spliced),
            )
            for origin, length, name, single, kept, spliced in tables["rules"]
        ]

    def reading(self) -> Reading:
        """Return the beginning of a reading."""
        return Reading(self)

    def lexer(self, number: int) -> re.Pattern[str]:
        """Return a lexer by its number; that of all terminals is 0."""
        if number not in self.compiled:
            self.compiled[number] = re.compile(self.lexers[number])
        return self.compiled[number]


class Reading:
    """What was read so far of one text: the states of the parser, and the values of what they stand for."""

    def __init__(self, parser: Parser) -> None:
        self.parser = parser
        self.stack = [parser.start]
        self.values: list[Any] = []

    def tokens(self, text: str) -> Iterator[Token]:
        """Yield the tokens of a text; each has to be fed before the next one is asked for.

        Raises NoCharacter, and NoToken for a terminal that cannot follow.
        """
        place = 0
        while place < len(text):
            found = self.parser.lexer(self.parser.lexer_of[self.stack[-1]]).match(text, place)
            if found is None:
                other = self.parser.lexer(0).match(text, place)
                if other is None:
                    raise NoCharacter(place)
                raise NoToken(Token(str(other.lastgroup), other[0], place, other.end()))
            kind = str(found.lastgroup)
            if kind not in self.parser.ignored:
                yield Token(kind, found[0], place, found.end())
            place = found.end()

    def feed(self, token: Token) -> Any:
        """Take a token; return the value of the whole text if it is the end, else None.  Raises NoToken."""
        stack, values, parser = self.stack, self.values, self.parser
        while True:
            action = parser.states[stack[-1]].get(token.type)
            if action is None:
                raise NoToken(token)
            if action >= 0:
                stack.append(action)
                values.append(token)
                return None
            rule = parser.rules[-1 - action]
            parts = values[len(values) - rule.length :]
            if rule.length:
                del values[-rule.length :], stack[-rule.length :]
            values.append(rule.value(parts))
            stack.append(parser.states[stack[-1]][rule.origin])
            if token.type == END and stack[-1] == parser.end:
                return values[0]
