"""The reference implementation of the inference of automata: sets of words, directly from the definition.

It shares no code with the kernel: the numeration system converts numbers, and the residual of a prefix is found by
trying all its completions.  Exponential; for bounds of a few dozen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from fibprover.automata.dfa import Dfa, build
from fibprover.infer.residuals import MergeResult
from fibprover.numeration.system import NumerationSystem

#: A letter has one digit a component; a word is read from the top.
_Letter = tuple[int, ...]
_Word = tuple[_Letter, ...]


def merge(members: Iterable[Sequence[int]], bound: int, system: NumerationSystem, names: Sequence[str]) -> MergeResult:
    """Return what `fibprover.infer.residuals.merge` returns."""
    return _Merging({tuple(map(int, row)) for row in members}, bound, system, len(names)).run(names)


def separating_depth(a: Dfa) -> int:
    """Return the least length of words that distinguish all states and "no state", by trying all pairs."""
    states: list[int | None] = [*range(a.states), None]

    def accepts(state: int | None) -> bool:
        return state is not None and a.outputs[state] != 0

    def after(state: int | None, code: int) -> int | None:
        return None if state is None else a.successor(state, code)

    codes = set(a.codes)
    unequal = {(s, t) for s in states for t in states if accepts(s) != accepts(t)}
    depth = 0
    while True:
        more = unequal | {
            (s, t) for s in states for t in states if any((after(s, code), after(t, code)) in unequal for code in codes)
        }
        if more == unequal:
            return depth
        unequal, depth = more, depth + 1


class _Merging:
    """The merging of residuals of one set."""

    def __init__(self, members: set[tuple[int, ...]], bound: int, system: NumerationSystem, width: int) -> None:
        self.members = members
        self.bound = bound
        self.system = system
        self.width = width
        #: Words without leading zero letters.
        self.words = {self.word(member) for member in members}
        self.longest = max(map(len, self.words), default=0)
        self.letters: list[_Letter] = list(product(system.digits, repeat=width))
        self.zero = (0,) * width

    def word(self, member: tuple[int, ...]) -> _Word:
        """Return the word of a tuple: its representations in parallel, padded to one length."""
        digits = [self.system.represent(number) for number in member]
        length = max(map(len, digits))
        return tuple(zip(*((0,) * (length - len(one)) + one for one in digits), strict=True))

    def residual(self, prefix: _Word, depth: int) -> set[_Word]:
        """Return the words of at most `depth` letters that complete a prefix to a member, leading zeros allowed."""
        found: set[_Word] = set()
        for word in self.words:
            if prefix:
                found |= {word[len(prefix) :]} if word[: len(prefix)] == prefix else set()
            else:
                found |= {(self.zero,) * zeros + word for zeros in range(depth + 1 - len(word))}
        return {word for word in found if len(word) <= depth}

    def trust(self, prefix: _Word, most: int) -> int:
        """Return the greatest j <= most with all valid completions by at most j letters below the bound, or -1."""
        for count in range(most + 1):
            values = [self.completions(prefix, component, count) for component in range(self.width)]
            if all(values) and any(value >= self.bound for component in values for value in component):
                return count - 1
        return most

    def completions(self, prefix: _Word, component: int, count: int) -> set[int]:
        """Return the values that a component of a prefix may have after `count` more digits.

        Digits that continue no valid representation are skipped.
        """
        words = [tuple(letter[component] for letter in prefix)]
        for _ in range(count):
            words = [(*word, digit) for word in words for digit in self.system.digits if self.goes_on((*word, digit))]
        return {self.system.value(word) for word in words if self.system.is_valid(word)}

    def goes_on(self, word: Sequence[int]) -> bool:
        """Return whether this is a prefix of a valid representation."""
        return self.system.valid.output(word) is not None

    def run(self, names: Sequence[str]) -> MergeResult:
        """Merge prefixes in order of decreasing trust, and for equal trust in the order of their discovery."""
        states: list[_Word] = [()]
        trusts = [self.trust((), self.places() - 1)]
        rows: list[dict[_Letter, _Word]] = []
        of_prefix: dict[_Word, int | None] = {(): 0}
        waiting: list[tuple[int, _Word]] = []
        merged, dead = [], []
        unknown = 0
        while True:
            for state, most in list(zip(states, trusts, strict=True))[len(rows) :]:
                row: dict[_Letter, _Word] = {}
                for letter in self.letters:
                    prefix = (*state, letter) if state or letter != self.zero else ()
                    components = list(zip(*prefix, strict=True))
                    if not all(map(self.goes_on, components)):
                        continue
                    row[letter] = prefix
                    if not prefix:
                        continue
                    trust = self.trust(prefix, most)
                    if trust < 0:
                        unknown += 1
                        of_prefix[prefix] = None
                    else:
                        waiting.append((trust, prefix))
                rows.append(row)
            if not waiting:
                break
            trust = max(waiting, key=lambda item: item[0])[0]
            prefix = next(prefix for known, prefix in waiting if known == trust)
            waiting.remove((trust, prefix))
            residual = self.residual(prefix, trust)
            equal = [n for n, state in enumerate(states) if self.residual(state, trust) == residual]
            if not residual:
                of_prefix[prefix] = None
                dead.append(trust)
            elif equal:
                of_prefix[prefix] = equal[0]
                merged.append(trust)
            else:
                of_prefix[prefix] = len(states)
                states.append(prefix)
                trusts.append(trust)
        automaton = self.automaton(names, states, rows, of_prefix)
        lost = sum(not automaton.output(map(automaton.code, word)) for word in self.words)
        nodes = len({word[:length] for word in self.words for length in range(len(word) + 1)} | {()})
        places = self.places()
        return MergeResult(
            automaton, tuple(trusts), min(merged, default=places), min(dead, default=places), unknown, nodes,
            len(self.words), lost,
        )

    def places(self) -> int:
        """Return the number of digits of the first weight that is not below the bound."""
        places = 1
        while self.system.value((1, *(0,) * (places - 1))) < self.bound:
            places += 1
        return places

    def automaton(
        self, names: Sequence[str], states: list[_Word], rows: list[dict[_Letter, _Word]],
        of_prefix: dict[_Word, int | None],
    ) -> Dfa:
        """Return the automaton with states numbered in the order of their discovery."""
        tracks = tuple(self.system.track(name) for name in names)
        empty = build(tracks, [{}], [0])
        targets = [
            {empty.code(letter): to for letter, prefix in row.items() if (to := of_prefix[prefix]) is not None}
            for row in rows
        ]
        return build(tracks, targets, [int(state in self.words) for state in states])
