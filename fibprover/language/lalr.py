"""Read tokens by LALR tables: a stack of states.

The tables are data (`fibprover.language.tables`), so that starting needs neither a parser generator nor its grammar.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import Any, NamedTuple

from fibprover.language.tokens import END, Token


class NoToken(Exception):
    """A token cannot follow those that were read before it."""

    def __init__(self, token: Token, before: list[Token]) -> None:
        super().__init__(token)
        self.token = token
        self.before = before


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
            if place in self.spliced and not found:
                found = parts[place]  # no other value has this list: a copy for each part of a long one would be slow
            elif place in self.spliced:
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
        self.end: int = tables["end"]
        self.start: int = tables["start"]
        self.rules = [
            _Rule(
                origin, length, None if origin.startswith("_") else getattr(builder, name, None), single, tuple(kept),
                frozenset(spliced),
            )
            for origin, length, name, single, kept, spliced in tables["rules"]
        ]

    def read(self, tokens: Iterable[Token]) -> Any:
        """Return the value of the text that has these tokens; raise NoToken for the first one that cannot follow."""
        stack, values, before = [self.start], list[Any](), list[Token]()
        for token in chain(tokens, [Token(END, "")]):
            while (action := self.states[stack[-1]].get(token.type, 0)) < 0:
                rule = self.rules[-1 - action]
                parts = values[len(values) - rule.length :]
                if rule.length:
                    del values[-rule.length :], stack[-rule.length :]
                values.append(rule.value(parts))
                stack.append(self.states[stack[-1]][rule.origin])
                if token.type == END and stack[-1] == self.end:
                    return values[0]
            if token.type not in self.states[stack[-1]]:
                raise NoToken(token, before)
            stack.append(action)
            values.append(token)
            before.append(token)
        raise AssertionError("the end of a text ends it, or cannot follow")
