"""`test` and `describe`: what an automaton accepts first, and what it is."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from fibprover.automata import kernels
from fibprover.automata.dfa import Dfa, Track
from fibprover.automata.digit_order import lsd_first
from fibprover.errors import AutomatonError, LimitError
from fibprover.limits import UNLIMITED, Budget, check_budget

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
        read = [word[::-1] if lsd_first(track) else word for track, word in zip(a.tracks, digits, strict=True)]
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



# ---- infinite
# `inf`: whether a language is infinite, shown by a family of its words.

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
    turned = {lsd_first(track) for track in a.tracks}
    if len(turned) > 1:
        raise AutomatonError(
            "words of numbers that are read from opposite ends do not make a family",
            hint="take the msd or the lsd system for all variables",
        )
    a = kernels.trim(a, budget)
    rows = [a.row(state) for state in range(a.states)]
    before = _searched(_first_moves(a, rows), rows)
    after = _searched([(state, _END) for state in range(a.states) if a.outputs[state]], _turned(rows))
    best: tuple[int, int, list[int]] | None = None
    for state in sorted(before.keys() & after.keys(), key=lambda state: before[state].depth):
        check_budget(budget, a.states, "an infinite family")
        outside = before[state].depth + after[state].depth
        if best is not None and outside + 1 >= best[0]:
            continue
        period = _cycle(rows, state, None if best is None else best[0] - outside)
        if period is not None:
            best = (outside + len(period), state, period)
    if best is None:
        return None
    _, state, period = best
    parts = [tuple(map(a.letter, codes)) for codes in (_path(before, state)[::-1], period, _path(after, state))]
    if turned == {True}:
        parts = [part[::-1] for part in reversed(parts)]
    return InfiniteFamily(a.tracks, *parts)


def letters_text(letters: Letters) -> str:
    """Letters in the syntax of `reg`: digits for one track, [0,1] for several, and for digits beyond 9 or below 0."""
    return "".join(
        str(letter[0]) if len(letter) == 1 and 0 <= letter[0] <= 9 else f"[{','.join(map(str, letter))}]"
        for letter in letters
    )


#: In place of a letter where a search begins without one.
_END = -1


class _Step(NamedTuple):
    """How a search came to a state: from where, by which letter, after how many letters."""

    source: int | None
    code: int
    depth: int


def _first_moves(a: Dfa, rows: Sequence[list[tuple[int, int]]]) -> list[tuple[int, int]]:
    """Where words begin: at the initial state, or behind a first letter that is not zero."""
    zero = a.zero_code
    return [(0, _END)] if zero is None else [(target, code) for code, target in rows[0] if code != zero]


def _turned(rows: Sequence[list[tuple[int, int]]]) -> list[list[tuple[int, int]]]:
    """The transitions the other way round."""
    turned: list[list[tuple[int, int]]] = [[] for _ in rows]
    for state, row in enumerate(rows):
        for code, target in row:
            turned[target].append((code, state))
    return turned


def _searched(starts: Sequence[tuple[int, int]], rows: Sequence[list[tuple[int, int]]]) -> dict[int, _Step]:
    """Breadth first: how each state is reached by a shortest word."""
    found: dict[int, _Step] = {}
    queue: deque[int] = deque()
    for state, code in starts:
        if state not in found:
            found[state] = _Step(None, code, int(code != _END))
            queue.append(state)
    while queue:
        state = queue.popleft()
        for code, target in rows[state]:
            if target not in found:
                found[target] = _Step(state, code, found[state].depth + 1)
                queue.append(target)
    return found


def _path(steps: dict[int, _Step], state: int) -> list[int]:
    """The letters from a state back to where the search began."""
    codes = []
    place: int | None = state
    while place is not None:
        step = steps[place]
        if step.code != _END:
            codes.append(step.code)
        place = step.source
    return codes


def _cycle(rows: Sequence[list[tuple[int, int]]], state: int, shorter_than: int | None) -> list[int] | None:
    """The shortest word that leads from a state back to it, if there is one that is short enough."""
    steps = {state: _Step(None, _END, 0)}
    queue = deque([state])
    while queue:
        place = queue.popleft()
        depth = steps[place].depth + 1
        if shorter_than is not None and depth >= shorter_than:
            return None
        for code, target in rows[place]:
            if target == state:
                return [*_path(steps, place)[::-1], code]
            if target not in steps:
                steps[target] = _Step(place, code, depth)
                queue.append(target)
    return None
