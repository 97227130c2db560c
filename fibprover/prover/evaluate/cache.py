"""A cache of minimal automata, shared by steps that differ only in variable names.

Steps are looked up by `plan.steps.key_of`, so `x<=p` and `y<=q`, and every call of one predicate, are
one entry: the rule `cache` (docs/planning.md).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass, field

from fibprover.automata.dfa import Dfa
from fibprover.automata.kernel_calls import Digits


@dataclass
class Cache:
    """Automata by key; beyond `most_bytes`, the least recently used automata are removed."""

    most_bytes: int = 64 << 20
    entries: OrderedDict[Hashable, Dfa] = field(default_factory=OrderedDict)
    words: dict[Hashable, Digits] = field(default_factory=dict)
    held: int = 0

    def get(self, key: Hashable) -> Dfa | None:
        """Return the automaton under a key, its tracks named "0", "1", ... by the key's numbering."""
        found = self.entries.get(key)
        if found is not None:
            self.entries.move_to_end(key)
        return found

    def met(self, key: Hashable) -> Digits:
        """Return the digits that were met in the searches of a closed step, its variables named as for `get`."""
        return self.words.get(key, {})

    def put(self, key: Hashable, automaton: Dfa, met: Digits | None = None) -> None:
        """Store an automaton; one that would fill the cache alone is not kept."""
        if automaton.nbytes > self.most_bytes // 4 or key in self.entries:
            return
        self.entries[key] = automaton
        self.held += automaton.nbytes
        if met:
            self.words[key] = met
        while self.held > self.most_bytes:
            oldest, dropped = self.entries.popitem(last=False)
            self.words.pop(oldest, None)
            self.held -= dropped.nbytes
