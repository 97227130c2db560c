"""The syntax tree of a regular expression over letters that are tuples of digits, one a track.

Names are gone: every node speaks of letters of the alphabet it was parsed for, and repetitions
are kept as bounds, not unfolded.  The tree is at most `regex.MAX_DEPTH` nodes deep.
"""

from __future__ import annotations

from dataclasses import dataclass

#: One letter: a digit for each track, in track order.
RegexLetter = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Empty:
    """No word at all."""


@dataclass(frozen=True, slots=True)
class Epsilon:
    """The empty word only."""


@dataclass(frozen=True, slots=True)
class Letters:
    """The words of one letter out of a set; an empty set means no word."""

    letters: frozenset[RegexLetter]


@dataclass(frozen=True, slots=True)
class Concat:
    """The parts one after another; at least two."""

    parts: tuple[Regex, ...]


@dataclass(frozen=True, slots=True)
class Union:
    """The words of any part; at least two parts."""

    parts: tuple[Regex, ...]


@dataclass(frozen=True, slots=True)
class Intersection:
    """The words that all parts have; at least two parts."""

    parts: tuple[Regex, ...]


@dataclass(frozen=True, slots=True)
class Complement:
    """All words over the alphabet (every combination of digits) that the body does not have."""

    body: Regex


@dataclass(frozen=True, slots=True)
class Repeat:
    """The body `least` to `most` times, without an upper bound if `most` is None."""

    body: Regex
    least: int
    most: int | None


Regex = Empty | Epsilon | Letters | Concat | Union | Intersection | Complement | Repeat
