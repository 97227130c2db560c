"""Words that are given by what happens to a state on each digit of the index, as definitions of words often are.

For example the Rudin-Shapiro word: the state is the last digit and the parity of the number of 11 so far.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from itertools import product
from typing import TypeVar

from fibprover.automata.dfa import Dfa, Track, build
from fibprover.automata.reading import from_read
from fibprover.errors import LimitError
from fibprover.limits import UNLIMITED, Budget
from fibprover.words.automatic import AutomaticWord, automatic_word

S = TypeVar("S", bound=Hashable)

#: A definition with more states than this is a mistake: one that remembers all it has read.
MOST_STATES = 10_000


def from_machine(
    name: str,
    tracks: tuple[Track, ...],
    start: S,
    step: Callable[..., S | None],
    letter: Callable[[S], int],
    budget: Budget = UNLIMITED,
) -> AutomaticWord:
    """The word whose letter at an index is that of the state after the index has been read from `start`.

    step(state, digit, ...): the state after one more digit a track, None where no index goes on like this.
    Each track is read in its own order, lsd tracks least significant digit first.  LimitError for more than
    MOST_STATES states.
    """
    return automatic_word(name, from_read(explored(tracks, start, step, letter), budget, word=True), budget)


def explored(
    tracks: tuple[Track, ...], start: S, step: Callable[..., S | None], letter: Callable[[S], int]
) -> Dfa:
    """The automaton of all states that can be reached, numbered as they are found."""
    numbers = {start: 0}
    found = [start]
    rows: list[dict[int, int]] = []
    for state in found:
        row = {}
        for code, digits in enumerate(product(*(track.digits for track in tracks))):
            after = step(state, *digits)
            if after is None:
                continue
            if after not in numbers:
                if len(found) >= MOST_STATES:
                    raise LimitError(f"the definition of a word has more than {MOST_STATES} states")
                numbers[after] = len(found)
                found.append(after)
            row[code] = numbers[after]
        rows.append(row)
    return build(tracks, rows, [letter(state) for state in found])
