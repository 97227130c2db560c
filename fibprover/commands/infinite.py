"""`inf`: whether a language is infinite, shown by a family of its words."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from fibprover.automata import kernels
from fibprover.automata.dfa import Dfa, Track
from fibprover.automata.reading import last_first
from fibprover.limits import UNLIMITED, Budget

#: Letters of a word, each one digit a track.
Letters = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class InfiniteFamily:
    """Accepted words: `prefix`, then `period` any number of times, then `suffix`, in the order of reading."""

    tracks: tuple[Track, ...]
    prefix: Letters
    period: Letters
    suffix: Letters

    def word(self, times: int) -> Letters:
        """The word with so many periods."""
        return self.prefix + self.period * times + self.suffix

    def __str__(self) -> str:
        """As a regular expression, in the syntax of `reg`."""
        return f"{letters_text(self.prefix)}({letters_text(self.period)})*{letters_text(self.suffix)}"


def infinite_family(a: Dfa, budget: Budget = UNLIMITED) -> InfiniteFamily | None:
    """A family of words of a that do not begin with the zero letter (plain alphabets: any words); None if they are
    finitely many.

    a: as kept inside.  The prefix, period and suffix are each as short as the place of the period
    allows, and their sum is the least of all places on a cycle.  O(states * transitions) at worst.
    """
    a = kernels.trim(a, budget)
    rows = [a.row(state) for state in range(a.states)]
    prefixes = _from_start(rows, a.zero_code, bool(a.transitions))
    suffixes = _to_acceptance(a, rows)
    best: tuple[int, list[int], list[int], list[int]] | None = None
    for state in sorted(prefixes, key=lambda state: len(prefixes[state])):
        outside = len(prefixes[state]) + len(suffixes[state])
        if best is not None and outside + 1 >= best[0]:
            continue
        period = _cycle(rows, state, None if best is None else best[0] - outside)
        if period is not None:
            best = (outside + len(period), prefixes[state], period, suffixes[state])
    if best is None:
        return None
    parts = [tuple(map(a.letter, codes)) for codes in best[1:]]
    if any(map(last_first, a.tracks)):
        parts = [part[::-1] for part in reversed(parts)]
    prefix, period_letters, suffix = parts
    return InfiniteFamily(a.tracks, prefix, period_letters, suffix)


def letters_text(letters: Letters) -> str:
    """Letters in the syntax of `reg`: digits for one track, [0,1] for several, and for digits beyond 9 or below 0."""
    return "".join(
        str(letter[0]) if len(letter) == 1 and 0 <= letter[0] <= 9 else f"[{','.join(map(str, letter))}]"
        for letter in letters
    )


def _from_start(rows: Sequence[list[tuple[int, int]]], zero: int | None, begins: bool) -> dict[int, list[int]]:
    """The shortest word to each state that does not begin with the zero letter."""
    found: dict[int, list[int]] = {}
    queue: deque[tuple[int, list[int]]] = deque()
    if zero is None:
        queue.append((0, []))
    elif begins:
        queue.extend((target, [code]) for code, target in rows[0] if code != zero)
    while queue:
        state, word = queue.popleft()
        if state in found:
            continue
        found[state] = word
        queue.extend((target, [*word, code]) for code, target in rows[state] if target not in found)
    return found


def _to_acceptance(a: Dfa, rows: Sequence[list[tuple[int, int]]]) -> dict[int, list[int]]:
    """The shortest word from each state to an accepting one."""
    before: dict[int, list[tuple[int, int]]] = {}
    for state, row in enumerate(rows):
        for code, target in row:
            before.setdefault(target, []).append((state, code))
    found: dict[int, list[int]] = {state: [] for state in range(a.states) if a.outputs[state]}
    queue = deque(found)
    while queue:
        state = queue.popleft()
        for source, code in before.get(state, ()):
            if source not in found:
                found[source] = [code, *found[state]]
                queue.append(source)
    return found


def _cycle(rows: Sequence[list[tuple[int, int]]], state: int, shorter_than: int | None) -> list[int] | None:
    """The shortest word that leads from a state back to it, if there is one that is short enough."""
    seen: set[int] = set()
    queue: deque[tuple[int, list[int]]] = deque([(state, [])])
    while queue:
        place, word = queue.popleft()
        if shorter_than is not None and len(word) + 1 >= shorter_than:
            return None
        for code, target in rows[place]:
            if target == state:
                return [*word, code]
            if target not in seen:
                seen.add(target)
                queue.append((target, [*word, code]))
    return None

