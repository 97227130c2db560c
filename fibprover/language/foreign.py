"""Notations of other languages, and what to write in formulas instead: `and`, `forall x:`, `->`, `x%2`."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice, takewhile

from fibprover.base.names import NAME
from fibprover.language.tokens import END, Token, formula_tokens

#: Words that join formulas elsewhere, and the operators for them.
JOINING_WORDS: Mapping[str, str] = {"and": "&", "or": "|", "xor": "^", "implies": "=>", "iff": "<=>"}
#: Words that stand before a formula elsewhere.
NEGATING_WORDS: Mapping[str, str] = {"not": "~"}
QUANTIFYING_WORDS: Mapping[str, str] = {
    "forall": "A", "for": "A", "all": "A", "every": "A", "exists": "E", "exist": "E", "some": "E", "there": "E",
}

#: Operators of other languages, the longer ones first, and those of formulas.
_OPERATORS: Mapping[str, str] = {
    "<->": "<=>", "-->": "=>", "==>": "=>", "=/=": "!=", "===": "=",
    "->": "=>", "==": "=", "&&": "&", "||": "|", "<>": "!=", "=<": "<=", "/=": "!=", "~=": "!=", "//": "/",
    "/\\": "&", "\\/": "|",
}

NO_POWERS = "formulas have no powers: a term is a sum of numbers and variables with constant factors"

#: Hints for names of truth values, which are variables.
TRUTH_HINTS: Mapping[str, str] = {"true": "write 0=0", "false": "write 0=1"}

#: Words between one that quantifies and its variable.
_FILLERS = ("all", "exist", "exists", "a", "an")


#: The types of tokens that end a term.
_AFTER_TERMS = (
    END, "RPAR", "RBRACKET", "COMMA", "JUNCTION", "IMPLIES", "IFF", "TERMINATOR", "QUOTE", "OTHER",
)


def word_at(text: str, at: int) -> str:
    """Return the whole word that begins at an offset, "" if none does."""
    found = NAME.match(text, at)
    return found[0] if found else ""


def operator_at(text: str, at: int) -> tuple[str, str]:
    """Return the operator of another language that begins at an offset, and what to write; "" and "" if none does."""
    for operator, spelling in _OPERATORS.items():
        if text.startswith(operator, at):
            return operator, f"write {spelling}"
    if text.startswith("**", at):
        return "**", NO_POWERS
    return "", ""


def quantifier_hint(text: str, at: int, word: str) -> str:
    """Return the hint for a word such as `forall` at an offset, with the variable that follows it."""
    letter = QUANTIFYING_WORDS[word.lower()]
    names = list(takewhile(lambda token: token.type == "NAME", formula_tokens(text, at + len(word))))
    variable = next((name for name in names if name not in _FILLERS), names[0] if names else "x")
    return f"write {letter}{variable}"


def remainder_hint(text: str, at: int) -> str:
    """Return how to say what the remainder at an offset, written with `%` or `mod`, is compared with."""
    every = list(formula_tokens(text))
    name = next((each for each in "kjmqtu" if each not in every), "k1")
    *_, before, divided = Token(END, ""), Token(END, ""), *(token for token in every if token.end <= at)
    following = formula_tokens(text, at + len(word_at(text, at) or "%"))
    modulus, equals, remainder, after = (*islice(following, 4), *[Token(END, "")] * 4)[:4]
    short = len(modulus) + len(remainder) < 100
    alone = divided.type == "NAME" and before.type not in ("SIGN", "TIMES", "RPAR", "RBRACKET")
    whole = after.type in _AFTER_TERMS
    compared = modulus.type == "NUMBER" and equals == "=" and remainder.type == "NUMBER" and whole
    if alone and compared and short and int(remainder) < int(modulus):
        rest = "" if int(remainder) == 0 else f"+{remainder}"
        return f"write (E{name} {divided}={modulus}*{name}{rest})"
    return f"write (E{name} x=3*{name}+1) for x%3=1"
