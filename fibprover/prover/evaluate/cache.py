"""What a session remembers: minimal automata of steps and of formulas, up to the names of variables.

Steps are looked up by `plan.steps.key_of`, so `x<=p` and `y<=q`, and every call of one predicate, are one entry: the
rule `cache` (docs/planning.md).  Formulas, which are looked up before they are planned, have keys of their own
(`fibprover.prover.known`).  What took the most seconds for its bytes stays the longest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush

from fibprover.automata.dfa import Dfa
from fibprover.automata.kernel_calls import Digits

#: What an entry takes beside the arrays of its automaton: objects of Python, most of them parts of its key.
OVERHEAD = 3 << 10


@dataclass(slots=True)
class Entry:
    """An automaton, its tracks named by the numbers that its key gives to variables.

    met: the digits that were met in the searches of a closed step; numbers: of a formula, those of its free variables,
    in the order of the tracks; since: what has computed it, for messages; shape: see `Cache.shapes`; seconds: what it
    took; worth: it is dropped after those that have less.
    """

    automaton: Dfa
    seconds: float
    met: Digits
    numbers: tuple[int, ...] = ()
    since: str = ""
    shape: Hashable = None
    worth: float = 0.0

    @property
    def size(self) -> int:
        """Bytes."""
        return self.automaton.nbytes + OVERHEAD


@dataclass
class Cache:
    """Entries by key, of at most `most_bytes` together.

    An entry is worth its seconds per byte, and as much more as was worth what was dropped last when it was last used
    (GreedyDual-Size, Cao and Irani 1997): what is not used any more is dropped in the end.

    shapes: how many formulas there are of each shape, that is, which may be equal to one but for names; hits, misses:
    how often something was looked up and found, or not; learned: how many relations of bounded quantifiers, which may
    have been dropped since, were learned.
    """

    most_bytes: int = 64 << 20
    entries: dict[Hashable, Entry] = field(default_factory=dict)
    shapes: Counter[Hashable] = field(default_factory=Counter)
    held: int = 0
    hits: int = 0
    misses: int = 0
    learned: int = 0
    _level: float = 0.0
    _order: list[tuple[float, int, Hashable]] = field(default_factory=list)
    _number: int = 0

    def find(self, key: Hashable) -> Entry | None:
        """Return the entry of a key."""
        found = self.entries.get(key)
        if found is None:
            self.misses += 1
            return None
        self.hits += 1
        self._use(key, found)
        return found

    def put(self, key: Hashable, entry: Entry) -> None:
        """Store an entry; one that would take a quarter of the cache alone is not kept."""
        if entry.size > self.most_bytes // 4 or key in self.entries:
            return
        self.entries[key] = entry
        self.held += entry.size
        if entry.shape is not None:
            self.shapes[entry.shape] += 1
        self._use(key, entry)
        while self.held > self.most_bytes:
            self._drop()

    def clear(self) -> None:
        """Forget everything."""
        self.entries.clear()
        self.shapes.clear()
        self._order.clear()
        self.held, self._level = 0, 0.0

    def _use(self, key: Hashable, entry: Entry) -> None:
        worth = self._level + entry.seconds / entry.size
        if worth <= entry.worth:
            return
        entry.worth = worth
        self._number += 1
        heappush(self._order, (worth, self._number, key))
        if len(self._order) > 64 + 4 * len(self.entries):
            # Most are of earlier uses.
            self._order = [each for each in self._order if self._is_last(each)]
            heapify(self._order)

    def _is_last(self, use: tuple[float, int, Hashable]) -> bool:
        """Return whether this is the last use of an entry."""
        entry = self.entries.get(use[2])
        return entry is not None and entry.worth == use[0]

    def _drop(self) -> None:
        """Drop the entry that is worth the least."""
        if not self._order:
            self.clear()  # an interruption has come between the steps of `put`
            return
        use = heappop(self._order)
        if not self._is_last(use):
            return
        self._level = use[0]
        entry = self.entries.pop(use[2])
        self.held -= entry.size
        if entry.shape is not None:
            self.shapes[entry.shape] -= 1
            if not self.shapes[entry.shape]:
                del self.shapes[entry.shape]
