"""Small pieces of English for messages."""

from __future__ import annotations


def plural(count: int, noun: str, several: str = "") -> str:
    """Return a number with its noun: "1 state", "5 states"; several: the plural, if it does not just add an s."""
    return f"{count} {noun if count == 1 else several or f'{noun}s'}"
