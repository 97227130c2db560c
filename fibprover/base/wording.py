"""Small pieces of English for messages."""

from __future__ import annotations

from collections.abc import Sequence


def plural(count: int, noun: str, several: str = "") -> str:
    """Return a number with its noun: "1 state", "5 states"; several: the plural, if it does not just add an s."""
    return f"{count} {noun if count == 1 else several or f'{noun}s'}"


def exactly(noun: str, members: Sequence[object]) -> str:
    """Return what the members of a set are: "the values are exactly 0, 1", or "all values are 3" for a single one."""
    listed = ", ".join(map(str, members))
    return f"all {noun} are {listed}" if len(members) == 1 else f"the {noun} are exactly {listed}"


def sentence(phrase: str) -> str:
    """Return a phrase as a sentence, with a capital letter and a full stop."""
    return f"{phrase[:1].upper()}{phrase[1:]}."
