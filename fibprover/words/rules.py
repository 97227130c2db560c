"""The rules of a morphism as people write them: `0->01, 1->10`, `a->ab b->a`, `12->0[-1]`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fibprover.base.errors import SyntaxProblem

#: A letter, or an integer in brackets.
_LETTER = re.compile(r"\s*(?:([^\W_])|\[\s*([+-]?\s*[0-9]{1,9})\s*\])")

#: The letter on the left side of a rule, where several digits without brackets are one number.
_LEFT = re.compile(r"\s*(?:([0-9]{1,9}|[^\W_])|\[\s*([+-]?\s*[0-9]{1,9})\s*\])(?=\s*(?:->|→))")
_ARROW = re.compile(r"\s*(?:->|→)")

#: How rules are written.
_HINT = 'write "a->ab, b->a"; numbers beyond 9 and below 0 in brackets, as in [12]->0[-1]'

#: The image of each letter, in the order of the rules.
Rules = Mapping[str, tuple[str, ...]]


def parse_rules(text: str, hint: str = _HINT) -> Rules:
    """Return the rules written as `a->ab, b->a`: a letter is a letter, a digit, or an integer in brackets.

    Commas or blanks separate the rules.  Raises SyntaxProblem, with the place, for anything else, and for a letter with
    two images or an empty one.  hint: of its errors, how rules are written.
    """
    rules: dict[str, tuple[str, ...]] = {}
    at = 0
    while text[at:].strip(" \t\r\n,"):
        at += len(text[at:]) - len(text[at:].lstrip(" \t\r\n,"))
        left = _LEFT.match(text, at)
        arrow = _ARROW.match(text, left.end()) if left else None
        if left is None or arrow is None:
            there = _LETTER.match(text, at)
            place = there.end() if there else at
            raise SyntaxProblem(
                f"expected {'`->`' if there else 'a letter'} of the morphism", text, place, place + 1,
                hint=hint,
            )
        letter, at = _name(left), arrow.end()
        image: list[str] = []
        while (found := _LETTER.match(text, at)) is not None and not _LEFT.match(text, at):
            image.append(_name(found))
            at = found.end()
        if not image:
            raise SyntaxProblem(
                f"the image of {letter} is empty", text, left.start(), arrow.end(),
                hint="give it a letter; rules are separated by blanks or commas",
            )
        if letter in rules:
            raise SyntaxProblem(f"{letter} has an image already", text, left.start(), left.end())
        rules[letter] = tuple(image)
    if not rules:
        raise SyntaxProblem("a morphism needs a rule", text, 0, len(text), hint='such as "a->ab, b->a"')
    return rules


def _name(found: re.Match[str]) -> str:
    """Return the name of a letter, which is the same for 7, [7] and [+7]."""
    letter = found[1] or "".join(found[2].split())
    return str(int(letter)) if is_number(letter) else letter


def is_number(letter: str) -> bool:
    return re.fullmatch(r"[+-]?\d+", letter, re.ASCII) is not None
