"""Automata for a page: each once however often it is named, and the numbers they are about.

The page draws automata and boards itself, when they are looked at, from the arrays and from the representations
of the first numbers; so a page with some hundreds of automata takes a few megabytes, and no time to lay out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from fibprover.automata.dfa import Dfa
from fibprover.errors import FibproverError
from fibprover.numeration.system import NumerationSystem

#: How many numbers, from 0 on, a board has in each direction.
SIDE = 1000

#: The largest automaton that a page holds, and how much it holds of all together: some 7 bytes a transition.
MOST_TRANSITIONS = 60_000
MOST_TOGETHER = 700_000


class Figures:
    """The automata of a page; system: looks numeration systems up by name."""

    def __init__(self, system: Callable[[str], NumerationSystem]) -> None:
        self._system = system
        self._numbers: dict[Any, int] = {}
        self._automata: list[Dfa] = []

    def add(self, automaton: Dfa) -> int:
        """The number of an automaton on the page; what its tracks are called does not matter."""
        tracks = tuple(track[1:] for track in automaton.tracks)
        arrays = (automaton.offsets, automaton.codes, automaton.targets, automaton.outputs)
        key = (tracks, *(array.tobytes() for array in arrays))
        if key not in self._numbers:
            self._numbers[key] = len(self._automata)
            self._automata.append(automaton)
        return self._numbers[key]

    def objects(self) -> dict[str, Any]:
        """The automata in the order of their numbers, null for those too large, and the systems of their numbers."""
        kept: set[int] = set()
        together = 0
        for number in sorted(range(len(self._automata)), key=lambda number: self._automata[number].transitions):
            transitions = self._automata[number].transitions
            together += transitions
            if transitions > MOST_TRANSITIONS or together > MOST_TOGETHER:
                break
            kept.add(number)
        systems = sorted({track.system for number in kept for track in self._automata[number].tracks if track.system})
        return {
            "side": SIDE,
            "automata": [
                _arrays(automaton) if number in kept else None for number, automaton in enumerate(self._automata)
            ],
            "systems": {name: found for name in systems if (found := self._words(name)) is not None},
        }

    def _words(self, name: str) -> dict[str, Any] | None:
        """How the first numbers are written in a system; None for a system that is not known any more."""
        try:
            system = self._system(name)
        except FibproverError:
            return None
        first = -SIDE // 2 if system.signed else 0
        words = [system.represent(number) for number in range(first, first + SIDE)]
        length = max(map(len, words))
        return {"first": first, "length": length, "words": packed_words([pad(word, length) for word in words])}


def pad(word: Sequence[int], length: int) -> tuple[int, ...]:
    """A word with leading zeros, so that it has this length."""
    return (*(0 for _ in range(length - len(word))), *word)


def packed_words(words: Sequence[tuple[int, ...]]) -> str:
    """Words of one length as a text: of each what differs from the word before it, a character a digit."""
    before: tuple[int, ...] = ()
    parts = []
    for word in words:
        shared = next((i for i, pair in enumerate(zip(before, word, strict=False)) if pair[0] != pair[1]), len(before))
        parts.append("".join(chr(48 + digit) for digit in word[shared:]))
        before = word
    return " ".join(parts)


def packed_pairs(pairs: Sequence[tuple[int, int]]) -> list[int]:
    """Pairs of naturals below SIDE in increasing order as the gaps between their places, row by row."""
    places = sorted(x * SIDE + y for x, y in pairs if 0 <= x < SIDE and 0 <= y < SIDE)
    return [place - before for before, place in pairwise([0, *places])]


def _arrays(automaton: Dfa) -> dict[str, Any]:
    """An automaton as lists: systems and digits of its tracks, length of each row, codes, targets, outputs."""
    return {
        "systems": [track.system for track in automaton.tracks],
        "digits": [list(track.digits) for track in automaton.tracks],
        "rows": [end - begin for begin, end in pairwise(automaton.offsets.tolist())],
        "codes": automaton.codes.tolist(),
        "targets": automaton.targets.tolist(),
        "outputs": automaton.outputs.tolist(),
    }
