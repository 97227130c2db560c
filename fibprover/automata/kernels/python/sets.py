"""Sets of states: as the bits of an integer where there are few states, else as frozensets.

Both are hashable and joined by `|`.  An integer takes a bit for every state there is, a frozenset some 30 bytes for
every state that it has.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from itertools import starmap
from operator import or_
from typing import Any, Generic, TypeVar

#: The greatest number of states whose sets are stored as integers.
MOST_BITS = 1 << 12

S = TypeVar("S", int, frozenset[int])

_union = frozenset[int]().union


class Sets(ABC, Generic[S]):
    """How sets are represented."""

    @abstractmethod
    def of(self, states: Iterable[int]) -> S:
        """Return a set."""

    @abstractmethod
    def members(self, states: S) -> Sequence[int]:
        """Return the states of a set, of which there is at least one."""

    @abstractmethod
    def count(self, states: S) -> int:
        """Return the number of states of a set."""

    @abstractmethod
    def mask(self, states: S) -> int:
        """Return a set as the bits of an integer."""

    @abstractmethod
    def meet(self, states: S, others: S) -> bool:
        """Return whether two sets have a common state."""

    @abstractmethod
    def unions(self, rows: Sequence[Sequence[S]]) -> Sequence[S]:
        """Return the unions of the sets that have the same place in several rows."""

    @abstractmethod
    def size(self, states: S) -> int:
        """Return an estimate of the bytes that a set takes."""


def sets_of(states: int) -> Sets[Any]:
    """Return the representation for sets of so many states."""
    return Masks() if states <= MOST_BITS else Frozensets()


def mask_of(states: Iterable[int]) -> int:
    """Return a set as the bits of an integer."""
    mask = 0
    for state in states:
        mask |= 1 << state
    return mask


def bits_of(mask: int) -> list[int]:
    """Return the states of a set of bits, increasing."""
    if 8 * mask.bit_count() > mask.bit_length():
        return [place for place, bit in enumerate(bin(mask)[:1:-1]) if bit == "1"]
    found = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return found


class Masks(Sets[int]):
    """Sets as the bits of integers."""

    def of(self, states: Iterable[int]) -> int:
        """Return a set."""
        return mask_of(states)

    def members(self, states: int) -> Sequence[int]:
        """Return the states of a set, increasing."""
        return bits_of(states)

    def count(self, states: int) -> int:
        """Return the number of states of a set."""
        return states.bit_count()

    def mask(self, states: int) -> int:
        """Return a set as the bits of an integer."""
        return states

    def meet(self, states: int, others: int) -> bool:
        """Return whether two sets have a common state."""
        return states & others != 0

    def unions(self, rows: Sequence[Sequence[int]]) -> Sequence[int]:
        """Return the unions of the sets that have the same place in several rows."""
        found = rows[0]
        for row in rows[1:]:
            found = list(map(or_, found, row))
        return found

    def size(self, states: int) -> int:
        """Return an estimate of the bytes that a set takes."""
        return 32 + states.bit_length() // 7


class Frozensets(Sets[frozenset[int]]):
    """Sets as frozensets."""

    def of(self, states: Iterable[int]) -> frozenset[int]:
        """Return a set."""
        return frozenset(states)

    def members(self, states: frozenset[int]) -> Sequence[int]:
        """Return the states of a set."""
        return tuple(states)

    def count(self, states: frozenset[int]) -> int:
        """Return the number of states of a set."""
        return len(states)

    def mask(self, states: frozenset[int]) -> int:
        """Return a set as the bits of an integer."""
        return mask_of(states)

    def meet(self, states: frozenset[int], others: frozenset[int]) -> bool:
        """Return whether two sets have a common state."""
        return not states.isdisjoint(others)

    def unions(self, rows: Sequence[Sequence[frozenset[int]]]) -> Sequence[frozenset[int]]:
        """Return the unions of the sets that have the same place in several rows."""
        return rows[0] if len(rows) == 1 else list(starmap(_union, zip(*rows, strict=True)))

    def size(self, states: frozenset[int]) -> int:
        """Return an estimate of the bytes that a set takes."""
        return 216 + 32 * len(states)
