"""Macros: named pieces of text with places for arguments, put into a formula before it is parsed.

`#name(a,b)` stands for the text of the macro with `a` for `%0` and `b` for `%1`; arguments are
text too, separated by the commas outside of all brackets, and the blanks around them are dropped.  Macros may
call other macros, in their text and in arguments, but not themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import NamedTuple, NoReturn

from fibprover.base.errors import ArityMismatch, SyntaxProblem, TextError, UnknownName, did_you_mean
from fibprover.base.limits import poll
from fibprover.language.tokens import DEPTHS, Token, tokens

#: Bounds of an expansion: the nesting of calls, the number of calls, and the number of characters of the result.
MAX_NESTING = 50
MAX_CALLS = 10_000
MAX_LENGTH = 1_000_000

#: A function that is called for every call of a macro, with the text of the macro, arguments put in, and the offset of
#: the call in the user's text (for a call in the text of a macro: that of the outermost call).
Note = Callable[[int, str], None]


def expand_macros(text: str, macros: Mapping[str, str], note: Note | None = None) -> str:
    """Return the text with every macro call replaced; the same object if there is no call.

    Raise UnknownName, ArityMismatch, or SyntaxProblem (malformed or recursive calls, a result
    beyond MAX_LENGTH).  The place is that of the call in `text`, even if the error is in the
    text of a macro that it calls.
    """
    if "#" not in text:
        return text
    return _Expansion(text, macros, note).expand(text, 0, len(text), (), None)


def expanded(text: str, macros: Mapping[str, str]) -> str:
    """Return the text with macros replaced, or unchanged if they cannot be replaced."""
    try:
        return expand_macros(text, macros)
    except TextError:
        return text


def macro_arity(body: str) -> int:
    """Return the number of arguments of a macro: one more than the greatest number after `%` in its text."""
    return _arity(tokens(body))


def _arity(parts: Iterable[Token]) -> int:
    return max((int(part[1:]) + 1 for part in parts if part.type == "PARAMETER"), default=0)


class _Place(NamedTuple):
    """The place in the user's text where errors inside a macro are reported, and the macro."""

    start: int
    end: int
    macro: str


class _Expansion:
    """One expansion: the user's text, the macros, the number of calls so far, and the tokens of the macros called."""

    def __init__(self, source: str, macros: Mapping[str, str], note: Note | None) -> None:
        self.source = source
        self.macros = macros
        self.note = note
        self.calls = 0
        self.parts: dict[str, tuple[Token, ...]] = {}

    def fail(
        self, kind: type[TextError], message: str, start: int, end: int, place: _Place | None, hint: str = ""
    ) -> NoReturn:
        if place is not None:
            message, start, end = f"in the macro `{place.macro}`: {message}", place.start, place.end
        raise kind(message, self.source, start, end, hint=hint)

    def expand(self, text: str, start: int, end: int, active: tuple[str, ...], place: _Place | None) -> str:
        """Return `text[start:end]` expanded.

        active: the macros whose text this is part of; place: None in the user's text.
        """
        pieces: list[str] = []
        length = 0
        while (call := text.find("#", start, end)) >= 0:
            poll("a text with macros")
            name, opening = self.name(text, call, place)
            cuts = self.cuts(text, opening, end, place)
            closing = cuts[-1]
            self.calls += 1
            if name in active:
                self.fail(SyntaxProblem, f"the macro `{name}` calls itself", call, closing + 1, place)
            if len(active) >= MAX_NESTING or self.calls > MAX_CALLS:
                much = f"called more than {MAX_CALLS} times" if self.calls > MAX_CALLS else f"nested {MAX_NESTING} deep"
                self.fail(SyntaxProblem, f"macros are {much}", call, closing + 1, place)
            arguments = tuple(
                # The empty name counts as a level; no macro has this name.
                self.expand(text, before + 1, after, (*active, ""), place).strip()
                for before, after in pairwise(cuts if text[opening + 1 : closing].strip() else ())
            )
            body = self.substituted(name, arguments, call, closing + 1, place)
            where = place or _Place(call, closing + 1, name)
            if self.note is not None:
                self.note(where.start, body)
            expanded = self.expand(body, 0, len(body), (*active, name), where._replace(macro=name))
            pieces += text[start:call], expanded
            length += call - start + len(expanded)
            if length > MAX_LENGTH:
                self.fail(
                    SyntaxProblem, f"macros expand to more than {MAX_LENGTH} characters", call, closing + 1, place
                )
            start = closing + 1
        return "".join(pieces) + text[start:end]

    def name(self, text: str, start: int, place: _Place | None) -> tuple[str, int]:
        """Return the name of the macro called at `start`, and the offset of its opening parenthesis."""
        token = next(tokens(text, start))
        if token.type != "MACRO":
            self.fail(SyntaxProblem, "`#` begins a macro call: `#name(...)`", start, start + 1, place)
        name, opening = token[1:], token.end
        if not text.startswith("(", opening):
            self.fail(SyntaxProblem, f"expected `(` after `#{name}`", opening, opening + 1, place)
        if name not in self.macros:
            hint = did_you_mean(name, list(self.macros))
            self.fail(UnknownName, f"unknown macro `{name}`", start, opening, place, hint)
        return name, opening

    def cuts(self, text: str, opening: int, end: int, place: _Place | None) -> list[int]:
        """Return the places, before `end`, of the parentheses of a call and of the commas between its arguments."""
        depth, cuts = 0, [opening]
        for token in tokens(text, opening, end):
            depth += DEPTHS.get(token.type, 0)
            if depth == 0 or (depth == 1 and token.type == "COMMA"):
                cuts.append(token.start)
            if depth == 0:
                return cuts
        self.fail(SyntaxProblem, "this `(` is never closed", opening, opening + 1, place)

    def substituted(self, name: str, arguments: tuple[str, ...], start: int, end: int, place: _Place | None) -> str:
        """Return the text of a macro with its arguments put in."""
        if name not in self.parts:
            self.parts[name] = tuple(tokens(self.macros[name]))
        parts = self.parts[name]
        arity = _arity(parts)
        if arity != len(arguments):
            takes = f"{arity} argument" + ("" if arity == 1 else "s")
            self.fail(ArityMismatch, f"the macro `{name}` takes {takes}, not {len(arguments)}", start, end, place)
        longest = max(map(len, arguments), default=0)
        if len(self.macros[name]) + sum(part.type == "PARAMETER" for part in parts) * longest > MAX_LENGTH:
            self.fail(SyntaxProblem, f"macros expand to more than {MAX_LENGTH} characters", start, end, place)
        return "".join([arguments[int(part[1:])] if part.type == "PARAMETER" else part for part in parts])
