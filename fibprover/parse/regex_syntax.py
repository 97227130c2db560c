"""The syntax tree of a regular expression over letters that are tuples of digits, one a track.

Names are gone: every node speaks of letters of the alphabet it was parsed for, and repetitions
are kept as bounds, not unfolded.  The tree is at most `regex.MAX_DEPTH` nodes deep.
"""

from __future__ import annotations

from fibprover.values import value

#: One letter: a digit for each track, in track order.
RegexLetter = tuple[int, ...]


@value
class Empty:
    """No word at all."""


@value
class Epsilon:
    """The empty word only."""


@value
class Letters:
    """The words of one letter out of a set; an empty set means no word."""

    letters: frozenset[RegexLetter]


@value
class Concat:
    """The parts one after another; at least two."""

    parts: tuple[Regex, ...]


@value
class Union:
    """The words of any part; at least two parts."""

    parts: tuple[Regex, ...]


@value
class Intersection:
    """The words that all parts have; at least two parts."""

    parts: tuple[Regex, ...]


@value
class Complement:
    """All words over the alphabet (every combination of digits) that the body does not have."""

    body: Regex


@value
class Repeat:
    """The body `least` to `most` times, without an upper bound if `most` is None."""

    body: Regex
    least: int
    most: int | None


Regex = Empty | Epsilon | Letters | Concat | Union | Intersection | Complement | Repeat
