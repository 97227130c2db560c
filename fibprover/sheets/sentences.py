"""What a line says, as a sentence: a statement with the value that was found in it, as it could stand in a paper."""

from __future__ import annotations

import re

#: The subjects of sentences whose verb is "are".
_PLURAL = re.compile(r"[Tt]he (lengths|numbers|distances|positions|multiplicities|differences|n for which)\b")

#: A subject that ends in a clause of its own, after which a comma stands.
_CLAUSE = re.compile(r", (the|where|such that|some) ")

#: The first values of a sequence, and what is said of all.
_VALUES = re.compile(r"((?:-?[0-9]+, )+\.\.\.)(.*)", re.DOTALL)

_UNDER = "Under the conjecture, "


def with_value(statement: str, value: str) -> str:
    """Return a statement such as "The lengths of palindromes." with what was found.

    What stands after a colon in the statement explains it, and goes into brackets.
    """
    under = _UNDER if statement.startswith(_UNDER) else ""
    subject, _, explained = statement.removeprefix(under).removesuffix(".").partition(": ")
    if not subject.lower().startswith("the ") or value.startswith("none up to"):
        return f"{statement.removesuffix('.')}: {value}"
    plural = _PLURAL.match(subject) is not None
    if plural and (value == "none" or value.isdecimal()):
        subject = f"{'the' if under else 'The'} set of {subject[:1].lower()}{subject[1:]}"
        plural, value = False, "empty" if value == "none" else f"{{{value}}}"
    if explained:
        subject += f" ({explained})"
    elif _CLAUSE.search(subject) and value != "empty":
        subject += ","
    verb, found = ("are", _members(value)) if plural else ("is", _terms(subject, value))
    return f"{under}{subject} {verb} {found}{'' if found.endswith('.') else '.'}"


def _members(value: str) -> str:
    """Return the members of a set after "are"."""
    if value == "all" or value.startswith("all but "):
        return f"all natural numbers{value.removeprefix('all')}"
    return value if "..." in value else f"exactly {value}"


def _terms(subject: str, value: str) -> str:
    """Return a number, or the terms of a sequence, after "is"."""
    found = _VALUES.fullmatch(value)
    if found is None or not re.search(r"\blength n\b|\([nA-Z]\)", subject):
        return value
    return f"{found[1]} for n = 0, 1, 2, ...{found[2]}"
