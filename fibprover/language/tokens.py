"""The tokens of formulas and scripts: the one place where a text is taken apart.

The terminals of grammar.lark say what the tokens are; a build makes one regular expression of them
(`fibprover.language.tables`).  Every text has tokens, whose concatenation is the text: what a formula cannot have is a
token, too, such as a quote, a terminator or an unknown character.  The parser, the reader of scripts, macros, messages,
completion and highlighting read these tokens.

`tokens` and `formula_tokens` take a formula apart, `script_tokens` a script with its comments and what is in quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from typing import NoReturn

from fibprover.base.errors import SyntaxProblem
from fibprover.base.names import NAME
from fibprover.language.source import Span
from fibprover.language.tables import tables

#: The token at the end of a text.
END = "$END"

#: The type of a comment, which depends on the text before it and thus is no terminal of the grammar.
COMMENT = "COMMENT"

#: The type of a name outside of quotes in a script, where names may begin with any letter: `Evil` is `E` and `vil` in a
#: formula.
WORD = "WORD"

#: The types that no formula has.
FOREIGN = frozenset({"MACRO", "PARAMETER", "QUOTE", "TERMINATOR", "LBRACE", "RBRACE", "OTHER"})

#: The types of the names that are no variables wherever they stand.
_NAMES = frozenset({"CALL", "MACRO", "DOTTED", "SYSTEM"})

#: How mathematical characters are read in formulas.
SPELLINGS: Mapping[str, str] = {
    "≤": "<=", "≥": ">=", "≠": "!=", "∧": "&", "∨": "|", "⊕": "^", "¬": "~", "→": "=>", "⇒": "=>", "↔": "<=>",
    "⇔": "<=>", "≡": "<=>", "∀": "A", "∃": "E", "×": "*", "·": "*", "÷": "/", "−": "-",  # noqa: RUF001
    # What is copied from a paper.
    "∼": "~", "˜": "~", "∗": "*", "ˆ": "^", "–": "-", "⩽": "<=", "⩾": ">=", "⟹": "=>", "⟺": "<=>", "⊻": "^",  # noqa: RUF001
    "‘": "`", "∣": "|",  # noqa: RUF001
    "⋀": "&", "⋁": "|", "⩓": "&", "⩔": "|", "⟶": "=>", "⟷": "<=>", "⊃": "=>", "∄": "~E", "≦": "<=", "≧": ">=",  # noqa: RUF001
    "⊤": "0=0", "⊥": "0=1", "⋅": "*", "•": "*", "∙": "*", "≢": "!=", "∕": "/",  # noqa: RUF001
}

#: How much deeper a token leads into brackets.
DEPTHS: Mapping[str, int] = {"LPAR": 1, "LBRACKET": 1, "RPAR": -1, "RBRACKET": -1}


class Token(str):
    """A part of a text, with the name of its terminal and its place."""

    __slots__ = ("end", "start", "type")

    type: str
    start: int
    end: int

    def __new__(cls, kind: str, text: str, start: int = 0, end: int = 0) -> Token:
        """Return a token: kind is the name of its terminal."""
        token = super().__new__(cls, text)
        token.type, token.start, token.end = kind, start, end
        return token

    @property
    def span(self) -> tuple[int, int]:
        """The offsets of its place."""
        return self.start, self.end


class TokenReader:
    """The tokens of a text without blanks, and the place up to which they are read: the base of readers by descent."""

    def __init__(self, text: str, hint: str) -> None:
        """Begin to read a text; hint: of problems that have no other one."""
        self.text = text
        self.hint = hint
        self.tokens = [*(token for token in words(text) if token.type != "WS"), Token(END, "", len(text), len(text))]
        self.place = 0
        self.depth = 0

    @property
    def token(self) -> Token:
        """The token that is read next."""
        return self.tokens[self.place]

    def fail(self, message: str, place: Token | Span | None = None, hint: str = "") -> NoReturn:
        """Raise SyntaxProblem at a place, that of the next token where none is given."""
        at = place or self.token
        raise SyntaxProblem(message, self.text, at.start, at.end, hint=hint or self.hint)

    def take(self, *texts: str) -> Token | None:
        """Read the next token if it is one of these texts."""
        found = self.token
        if found.type == END or found not in texts:
            return None
        self.place += 1
        return found

    def expect(self, *texts: str) -> Token:
        """Read these tokens, one after another, and return the last one; SyntaxProblem for others."""
        for text in texts:
            found = self.take(text)
            if found is None:
                shown = f"not `{self.token}`" if self.token.type != END else "and the text ends"
                self.fail(f"expected `{text}` here, {shown}")
        return self.tokens[self.place - 1]


@cache
def _lexer() -> re.Pattern[str]:
    """Return the regular expression of all terminals; a group says which one it is."""
    return re.compile(tables()["lexer"])


def tokens(text: str, start: int = 0, end: int | None = None) -> Iterator[Token]:
    """Yield the tokens of a formula, or of a part of a text that is read as one: no comments, and blanks are tokens."""
    for found in _lexer().finditer(text, start, len(text) if end is None else end):
        yield Token(found.lastgroup or "", found[0], *found.span())


def formula_tokens(text: str, start: int = 0, end: int | None = None) -> Iterator[Token]:
    """Yield the tokens of a formula without blanks; those of its spelling in place of a mathematical character."""
    for token in tokens(text, start, end):
        if token.type == "OTHER" and token in SPELLINGS:
            for each in tokens(SPELLINGS[token]):
                yield Token(each.type, str(each), token.start, token.end)
        elif token.type != "WS":
            yield token


def words(text: str, start: int = 0, end: int | None = None) -> Iterator[Token]:
    """Yield the tokens of a script as if nothing were in quotes or a comment: names are words."""
    at, end = start, len(text) if end is None else end
    while at < end:
        token = _token(text, at, end, word=True)
        yield token
        at = token.end


def _token(text: str, at: int, end: int, *, word: bool) -> Token:
    """Return the token at an offset; word: a name is a word."""
    name = NAME.match(text, at, end) if word else None
    found = name or _lexer().match(text, at, end)
    assert found is not None  # OTHER is any character
    return Token(WORD if name else found.lastgroup or "", found[0], *found.span())


def script_tokens(text: str, start: int = 0) -> Iterator[Token]:
    """Yield the tokens of a script from an offset outside of quotes, with those of the formulas in quotes.

    A comment runs from `#` or `//` to the end of its line.  It begins a line or follows a terminator; in quotes it
    begins a line, ends at the quote if that comes first, and `#name(` is no comment but calls a macro.
    """
    quoted, fresh, at = False, True, start
    while at < len(text):
        if fresh and (begins_remark(text, at) if quoted else text.startswith(("#", "//"), at)):
            ends = [place for sign in ("\n", '"' if quoted else "\n") if (place := text.find(sign, at)) >= 0]
            end = min(ends, default=len(text))
            token = Token(COMMENT, text[at:end], at, end)
        else:
            token = _token(text, at, len(text), word=not quoted)
        yield token
        at = token.end
        if token.isspace():
            fresh = fresh or "\n" in token
        else:
            quoted ^= token.type == "QUOTE"
            fresh = token.type == "TERMINATOR" and not quoted


def begins_remark(text: str, at: int) -> bool:
    """Return whether a line of a formula is a remark from an offset on: `#` or `//`, but no call of a macro."""
    return text.startswith(("#", "//"), at) and not macro_called(text, at)


def macro_called(text: str, at: int) -> str:
    """Return the name of the macro whose call, such as `#name(`, begins at an offset; "" if none does."""
    name, bracket, *_ = *islice(formula_tokens(text, at), 2), Token(END, ""), Token(END, "")
    return name[1:] if name.type == "MACRO" and bracket.type == "LPAR" else ""


def names_used(formula: str) -> Iterator[Token]:
    """Yield the names in a formula that are not variables: $predicate, #macro, .Word, Word in Word[...], ?system."""
    name: re.Match[str] | None = None  # a variable, unless a bracket follows
    for found in _lexer().finditer(formula):  # a formula may have a million tokens, which are not all made
        kind = found.lastgroup or ""
        if kind == "WS":
            continue
        if name is not None and kind == "LBRACKET":
            yield Token("NAME", name[0], *name.span())
        name = found if kind == "NAME" else None
        if kind in _NAMES:
            yield Token(kind, found[0], *found.span())
