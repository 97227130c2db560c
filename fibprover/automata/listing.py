"""Automata as lists and short texts, for the commands `test`, `describe` and `inf`.

`first_words` lists the first accepted words, `description` states size and alphabets, and `infinite_family` shows that
a language is infinite by a family of its words.  All words are in reading order (see `digit_order`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, Track
from fibprover.automata.digit_order import lsd_first
from fibprover.base.errors import AutomatonError, LimitError
from fibprover.base.limits import UNLIMITED, Budget, check_budget, polled
from fibprover.base.values import PlainlyDisplayed
from fibprover.base.wording import plural

#: Most words in one list: a longer one takes gigabytes.
MOST_WORDS = 1_000_000

#: Letters of a word, each one digit a track.
Letters = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Listing(PlainlyDisplayed):
    """The first words of a language, in reading order; complete: whether there are no others."""

    tracks: tuple[Track, ...]
    words: tuple[Letters, ...]
    complete: bool

    def __iter__(self) -> Iterator[Letters]:
        return iter(self.words)

    def __len__(self) -> int:
        return len(self.words)

    def __str__(self) -> str:
        """Return one word a line."""
        lines = [letters_text(word) for word in self.words]
        if self.complete:
            lines.append("(no others)" if lines else "(none)")
        return "\n".join(lines)


def first_words(a: Dfa, count: int, budget: Budget = UNLIMITED) -> Listing:
    """Return the first nonempty words of a that do not begin with the zero letter (plain alphabets: any first letter).

    a: in stored order, in which the words are also sorted: by length, then most significant letter first, even if
    it is read last.
    """
    if count < 0:
        raise AutomatonError(f"a number of words cannot be negative: {count}")
    if count > MOST_WORDS:
        raise LimitError(f"{count} words are too many to list", hint=f"at most {MOST_WORDS} are listed")
    found = [codes for codes in kernel_calls.words(a, count + 2, budget) if codes]
    words = []
    for codes in polled(found[:count], "a list of words"):
        digits = zip(*map(a.letter, codes), strict=True)
        read = [word[::-1] if lsd_first(track) else word for track, word in zip(a.tracks, digits, strict=True)]
        words.append(tuple(zip(*read, strict=True)))
    return Listing(a.tracks, tuple(words), len(found) <= count)


@dataclass(frozen=True, slots=True)
class Description(PlainlyDisplayed):
    """Size and alphabets of a named automaton; kind: "predicate" or "word"; source: the text that defines it."""

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
            "  " + ", ".join(plural(size, what) for size, what in sizes),
            f"  tracks: {' '.join(self.alphabets) or '(none)'}",
        ]
        if self.kind == "word":
            lines.append(f"  outputs: {', '.join(map(str, self.outputs))}")
        return "\n".join(lines)


def description(kind: str, name: str, source: str, a: Dfa) -> Description:
    """Describe an automaton, given in reading order."""
    alphabets = tuple(track.system or "{" + ",".join(map(str, track.digits)) + "}" for track in a.tracks)
    outputs = tuple(sorted(set(a.outputs)))
    return Description(kind, name, source, a.states, a.transitions, a.letters, alphabets, outputs)


@dataclass(frozen=True, slots=True)
class InfiniteFamily(PlainlyDisplayed):
    """Accepted words: `prefix`, then `period` any number of times, then `suffix`, in reading order."""

    tracks: tuple[Track, ...]
    prefix: Letters
    period: Letters
    suffix: Letters

    def word(self, times: int) -> Letters:
        """Return the word with this many periods."""
        return self.prefix + self.period * times + self.suffix

    def __str__(self) -> str:
        """Return a regular expression, in the syntax of `reg`."""
        return f"{letters_text(self.prefix)}({letters_text(self.period)})*{letters_text(self.suffix)}"


def infinite_family(a: Dfa, budget: Budget = UNLIMITED) -> InfiniteFamily | None:
    """Return a family of words of a that do not begin with the zero letter (plain alphabets: any words), if any.

    a: in stored order.  None if there are only finitely many such words.  The family belongs to a state on a cycle
    for which a shortest prefix, period and suffix have the least total length.  O(states * transitions) at worst.
    """
    orders = {lsd_first(track) for track in a.tracks}
    if len(orders) > 1:
        raise AutomatonError(
            "words of numbers that are read from opposite ends do not form a family",
            hint="take the msd or the lsd system for all variables",
        )
    known = kernel_calls.trim(a if a.backward is None else a.backward, budget)
    rows = [known.row(state) for state in range(known.states)]
    back = _reversed_rows(rows)
    starts, ends = [0], [state for state in range(known.states) if known.outputs[state]]
    if a.backward is not None:
        rows, back, starts, ends = back, rows, ends, starts
    before = _searched(_first_moves(starts, rows, a.zero_code), rows)
    after = _searched([(state, _NO_LETTER) for state in ends], back)
    best: tuple[int, int, list[int]] | None = None
    for state in sorted(before.keys() & after.keys(), key=lambda state: before[state].depth):
        check_budget(budget, known.states, "an infinite family")
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
    if orders == {True}:
        parts = [part[::-1] for part in reversed(parts)]
    return InfiniteFamily(a.tracks, *parts)


def letters_text(letters: Letters) -> str:
    """Write letters as `reg` does: plain digits for one track, [0,1] for several tracks or digits outside 0..9."""
    return "".join(
        str(letter[0]) if len(letter) == 1 and 0 <= letter[0] <= 9 else f"[{','.join(map(str, letter))}]"
        for letter in letters
    )


#: Stands for the letter of a search that begins without one.
_NO_LETTER = -1


class _SearchStep(NamedTuple):
    """How a search reached a state: from which state, by which letter, after how many letters."""

    source: int | None
    code: int
    depth: int


def _first_moves(
    starts: Sequence[int], rows: Sequence[list[tuple[int, int]]], zero: int | None
) -> list[tuple[int, int]]:
    """Return the states where a search begins: the initial ones, or those after a first letter that is not zero."""
    if zero is None:
        return [(state, _NO_LETTER) for state in starts]
    return [(target, code) for state in starts for code, target in rows[state] if code != zero]


def _reversed_rows(rows: Sequence[list[tuple[int, int]]]) -> list[list[tuple[int, int]]]:
    """Return the reversed transitions of each state."""
    result: list[list[tuple[int, int]]] = [[] for _ in rows]
    for state, row in enumerate(rows):
        for code, target in row:
            result[target].append((code, state))
    return result


def _searched(starts: Sequence[tuple[int, int]], rows: Sequence[list[tuple[int, int]]]) -> dict[int, _SearchStep]:
    """Search breadth first; return how each state is reached first, at the end of a shortest word."""
    found: dict[int, _SearchStep] = {}
    queue: deque[int] = deque()
    for state, code in starts:
        if state not in found:
            found[state] = _SearchStep(None, code, int(code != _NO_LETTER))
            queue.append(state)
    while queue:
        state = queue.popleft()
        for code, target in rows[state]:
            if target not in found:
                found[target] = _SearchStep(state, code, found[state].depth + 1)
                queue.append(target)
    return found


def _path(reached: dict[int, _SearchStep], state: int) -> list[int]:
    """Return the letters from a state back to the start of the search."""
    codes = []
    current: int | None = state
    while current is not None:
        last = reached[current]
        if last.code != _NO_LETTER:
            codes.append(last.code)
        current = last.source
    return codes


def _cycle(rows: Sequence[list[tuple[int, int]]], state: int, shorter_than: int | None) -> list[int] | None:
    """Return the shortest word that leads from a state back to it, None if none is short enough."""
    reached = {state: _SearchStep(None, _NO_LETTER, 0)}
    queue = deque([state])
    while queue:
        current = queue.popleft()
        depth = reached[current].depth + 1
        if shorter_than is not None and depth >= shorter_than:
            return None
        for code, target in rows[current]:
            if target == state:
                return [*_path(reached, current)[::-1], code]
            if target not in reached:
                reached[target] = _SearchStep(current, code, depth)
                queue.append(target)
    return None
