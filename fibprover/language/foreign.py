"""Notations of other languages, and what to write in formulas instead: `and`, `forall x:`, `->`, `x%2`."""

from __future__ import annotations

import re
from collections.abc import Mapping

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

_WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_VARIABLE = re.compile(r"\s+(?:all\s+|exists?\s+|an?\s+)?([a-zB-DF-HJ-Z]\w*)", re.ASCII)
#: A quantifier with its variables at the end of a text.
_QUANTIFIED = re.compile(r"[AEI]\s*[a-zB-DF-HJ-Z]\w*(?:\s*,\s*[a-zB-DF-HJ-Z]\w*)*\s*\Z", re.ASCII)
#: A remainder: what is divided, the modulus, and the remainder that is compared with.
_REMAINDER = re.compile(r"(\w+)\s*(?:%|\bmod\b)\s*([0-9]+)(?:\s*=\s*([0-9]+)(?!\s*[-+*/%\w]))?", re.ASCII)
#: The end of a text after which a word is not a whole term.
_IN_TERM = re.compile(r"[-+*/)\]]\s*\Z")


def word_at(text: str, at: int) -> str:
    """Return the whole word that begins at an offset, "" if none does."""
    found = _WORD.match(text, at)
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
    variable = _VARIABLE.match(text, at + len(word))
    return f"write {letter}{variable[1] if variable else 'x'}"


def ends_with_quantifier(text: str) -> bool:
    """Return whether a text ends with a quantifier and its variables, such as `Ax,y`."""
    return _QUANTIFIED.search(text) is not None


def remainder_hint(text: str, at: int) -> str:
    """Return how to say what the remainder at an offset, written with `%` or `mod`, is compared with."""
    name = next((each for each in "kjmqtu" if not re.search(rf"\b{each}\b", text)), "k1")
    for found in _REMAINDER.finditer(text):
        if not found.start() <= at < found.end() or found[3] is None:
            continue
        alone = _WORD.fullmatch(found[1]) and not _IN_TERM.search(text[: found.start()])
        if alone and int(found[3]) < int(found[2]):
            rest = "" if int(found[3]) == 0 else f"+{found[3]}"
            return f"write (E{name} {found[1]}={found[2]}*{name}{rest})"
    return f"write (E{name} x=3*{name}+1) for x%3=1"
