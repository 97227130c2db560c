"""`test` and `describe`: what an automaton accepts first, and what it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fibprover.automata import kernels
from fibprover.automata.dfa import Dfa, Track
from fibprover.automata.reading import last_first
from fibprover.commands.infinite import Letters, letters_text
from fibprover.errors import AutomatonError, LimitError
from fibprover.limits import UNLIMITED, Budget

#: A longer list is nothing to read, and takes gigabytes.
MOST_WORDS = 1_000_000


@dataclass(frozen=True, slots=True)
class Listing:
    """The first words of a language, in the order of reading; complete: whether there are no others."""

    tracks: tuple[Track, ...]
    words: tuple[Letters, ...]
    complete: bool

    def __iter__(self) -> Iterator[Letters]:
        return iter(self.words)

    def __len__(self) -> int:
        return len(self.words)

    def __str__(self) -> str:
        """One word a line."""
        lines = [letters_text(word) for word in self.words]
        if self.complete:
            lines.append("(no others)" if lines else "(none)")
        return "\n".join(lines)


def first_words(a: Dfa, count: int, budget: Budget = UNLIMITED) -> Listing:
    """The first words of a that are not empty and do not begin with the zero letter (plain alphabets: any words).

    a: as kept inside.  In shortlex order, the most significant letter first where it is read last.
    """
    if count < 0:
        raise AutomatonError(f"a number of words cannot be negative: {count}")
    if count > MOST_WORDS:
        raise LimitError(f"{count} words are too many to list", hint=f"at most {MOST_WORDS} are listed")
    found = [codes for codes in kernels.words(a, count + 2, budget) if codes]
    words = []
    for codes in found[:count]:
        digits = zip(*map(a.letter, codes), strict=True)
        read = [word[::-1] if last_first(track) else word for track, word in zip(a.tracks, digits, strict=True)]
        words.append(tuple(zip(*read, strict=True)))
    return Listing(a.tracks, tuple(words), len(found) <= count)


@dataclass(frozen=True, slots=True)
class Description:
    """Size and alphabets of what has a name; kind: "predicate" or "word"; source: what it was made from."""

    kind: str
    name: str
    source: str
    states: int
    transitions: int
    letters: int
    alphabets: tuple[str, ...]
    outputs: tuple[int, ...]

    def __str__(self) -> str:
        sizes = ((self.states, "state"), (self.transitions, "transition"), (self.letters, "letter"))
        lines = [
            f"{self.kind} {self.name}" + (f": {self.source}" if self.source else ""),
            "  " + ", ".join(f"{size} {what}{'' if size == 1 else 's'}" for size, what in sizes),
            f"  tracks: {' '.join(self.alphabets) or '(none)'}",
        ]
        if self.kind == "word":
            lines.append(f"  outputs: {', '.join(map(str, self.outputs))}")
        return "\n".join(lines)


def description(kind: str, name: str, source: str, a: Dfa) -> Description:
    """What there is to say of an automaton, given as users see it."""
    alphabets = tuple(track.system or "{" + ",".join(map(str, track.digits)) + "}" for track in a.tracks)
    outputs = tuple(sorted(set(a.outputs)))
    return Description(kind, name, source, a.states, a.transitions, a.letters, alphabets, outputs)
