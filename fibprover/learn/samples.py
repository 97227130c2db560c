"""All members of relations below a bound, and the automata that are inferred from them.

A sample is what is known of a relation without a question: the tuples of a board, or those that were given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from fibprover.automata.dfa import Track
from fibprover.base.errors import BudgetSpent, FibproverError
from fibprover.base.limits import Budget, cpu_clock
from fibprover.infer.residuals import InferredSet, infer_set
from fibprover.numeration.system import NumerationSystem

#: The first size of boards and rows, the least bound to which given members are cut off; each further one is twice as
#: large.
FIRST_SIZE = 64

#: The most seconds that a board, or rows, may be expected to take.
MOST_SECONDS = 30.0

#: Nothing is inferred from more members than these.
MOST_MEMBERS = 1 << 22

#: An automaton with at least this margin is trusted; with less it has to be that of the sample before, too.
SURE_MARGIN = 2


class Members:
    """All members of a relation whose numbers are below a bound.

    rows: an array of one row for each; lookup: returns whether tuples below the bound are members; tuples: how many had
    to be computed to know them, or to be given.
    """

    def __init__(
        self, rows: Any, bound: int, lookup: Callable[[tuple[int, ...]], Any] | None = None, tuples: int | None = None
    ) -> None:
        self.rows = rows
        self.bound = bound
        self.tuples = len(rows) if tuples is None else tuples
        self._lookup = lookup

    def __call__(self, *numbers: int) -> bool | None:
        """Return whether the relation holds numbers, None where this is not known."""
        if max(numbers) >= self.bound:
            return None
        if self._lookup is None:
            self._lookup = frozenset(map(tuple, self.rows.tolist())).__contains__
        return bool(self._lookup(numbers))

    def below(self, bound: int) -> Members:
        """Return those below a smaller bound."""
        return Members(self.rows[(self.rows < bound).all(axis=1)], bound)


class Source(Protocol):
    """What computes all values below a size: a board, or rows.

    most: the largest size; every: whether each tuple is computed, and not only members.
    """

    most: int
    every: bool

    def fill(self, size: int) -> None:
        """Compute the values."""

    def square(self, name: str) -> int:
        """Return the bound below which all tuples of a relation are known."""

    def members(self, name: str, bound: int) -> Any:
        """Return the members of a relation whose numbers are below a bound: an array of one row for each."""


class Samples:
    """Ever larger samples of all relations of a recursion: computed ones, or members that are given."""

    def __init__(self, names: Sequence[str], given: Mapping[str, Any], source: Source | None, budget: Budget) -> None:
        self.names = names
        self.budget = budget
        self.source = source
        self._given = {name: members for name, members in given.items() if isinstance(members, Members)}
        if not self._given.keys() >= set(names):
            self._given = {}
        #: Whether all members below a bound are given.
        self.given = bool(self._given)
        #: The size of the next sample, and the seconds that it is expected to take; None before the first one, and if
        #: there is none.
        self.following: tuple[int, float] | None = None

    def __iter__(self) -> Iterator[Mapping[str, Members]]:
        if self._given:
            bound = min(members.bound for members in self._given.values())
            for halves in reversed(range(max(1, (bound // FIRST_SIZE).bit_length()))):
                yield {name: members.below(bound >> halves) for name, members in self._given.items()}
        elif self.source is not None:
            yield from self._computed(self.source)

    def _computed(self, source: Source) -> Iterator[Mapping[str, Members]]:
        seconds: list[float] = []
        size = FIRST_SIZE
        while size <= source.most:
            if _expected(seconds) > min(MOST_SECONDS, self.budget.seconds_left() / 3):
                return
            since = cpu_clock()
            source.fill(size)
            seconds.append(cpu_clock() - since)
            size *= 2
            self.following = (size, _expected(seconds)) if size <= source.most else None
            yield {name: self._below(source, name) for name in self.names}

    @staticmethod
    def _below(source: Source, name: str) -> Members:
        bound = source.square(name)
        rows = source.members(name, bound)
        return Members(rows, bound, tuples=bound ** rows.shape[1] if source.every else len(rows))


def _expected(seconds: Sequence[float]) -> float:
    """Return how long the next board may take: one of twice the size takes up to eight times as long."""
    if len(seconds) < 2:
        return 4 * seconds[-1] if seconds else 0.0
    return seconds[-1] * min(8.0, max(2.0, seconds[-1] / seconds[-2]))


def inferred(
    members: Members, tracks: Sequence[Track], systems: Sequence[NumerationSystem], budget: Budget
) -> InferredSet | None:
    """Return what is inferred from members; None where that is not possible, as for digits read from the last one."""
    if len({system.name for system in systems}) > 1 or members.bound < 2 or len(members.rows) > MOST_MEMBERS:
        return None
    try:
        found = infer_set(members.rows, members.bound, systems[0], [track.name for track in tracks], budget)
    except BudgetSpent:
        raise
    except FibproverError:
        return None
    return found if tuple(found.automaton.tracks) == tuple(tracks) else None


def is_sure(found: InferredSet, before: InferredSet | None) -> bool:
    """Return whether a sample is large enough for what is inferred from it; before: from the sample before."""
    if found.unknown or found.errors:
        return False
    return found.margin >= SURE_MARGIN or (before is not None and before.automaton == found.automaton)
