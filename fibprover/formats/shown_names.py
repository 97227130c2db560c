"""Names as drawings can hold them."""

from __future__ import annotations


def printable(name: str) -> str:
    """A name with a mark for each control character or half of a character, which no XML and no font has."""
    return "".join(each if each.isprintable() or each in "\n\t" else "\N{REPLACEMENT CHARACTER}" for each in name)
