"""Automatic words: the letter at an index is the output of an automaton that reads the index.

A word has one or more index tracks; index tuples are read most significant digit first, all padded
with zeros to one length.  Its machine may be partial: an index without a run has no letter, and every
comparison with it is false.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeVar

from fibprover.automata import kernels, language, operations
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.automata.digit_order import from_reading_order
from fibprover.errors import AutomatonError, LimitError
from fibprover.limits import UNLIMITED, Budget
from fibprover.values import Displayed

S = TypeVar("S", bound=Hashable)

#: A definition with more states than this is refused: probably it remembers everything it has read.
MOST_STATES = 10_000


@dataclass(frozen=True, slots=True)
class AutomaticWord(Displayed):
    """A named word: `machine` reads an index and its last state's output is the letter.

    Build one with `automatic_word`, which minimizes the machine with respect to all its outputs.
    """

    name: str
    machine: Dfa

    @property
    def tracks(self) -> tuple[Track, ...]:
        """The index tracks, in the order in which `W[t][u]` is written."""
        return self.machine.tracks

    @property
    def outputs(self) -> tuple[int, ...]:
        """The distinct letters of the word, increasing."""
        return tuple(sorted(set(self.machine.outputs)))

    @property
    def padding_matters(self) -> bool:
        """Whether leading zeros change a letter of the word, so that it is not a function of numbers.

        False if a track is a plain alphabet.
        """
        zero = self.machine.zero_code
        if zero is None:
            return False
        after = self.machine.successor(0, zero)
        if after is None:
            return True
        # The machine is minimal and its states are all reachable, so equivalent states are equal.
        return after != 0

    def value(self, *index: Sequence[int]) -> int | None:
        """Return the letter at an index given as digit words, one for each track; None where the word has none."""
        return language.output(self.machine, index)

    def __str__(self) -> str:
        indices = ", ".join(track.system or "{" + ",".join(map(str, track.digits)) + "}" for track in self.tracks)
        letters = ", ".join(map(str, self.outputs))
        states = f"{self.machine.states} state{'' if self.machine.states == 1 else 's'}"
        return f"word over {indices or 'nothing'}: {states}, letters {letters}"

    def renamed(self, names: Sequence[str]) -> AutomaticWord:
        """Return the same word with its index tracks renamed in order."""
        return AutomaticWord(self.name, self.machine.renamed(names))

    def where(self, test: Callable[[int], bool] | Collection[int], budget: Budget = UNLIMITED) -> Dfa:
        """Return the indices whose letter passes the test (or is in a set), as a canonical automaton.

        A raw language over the index tracks: it may hold words that represent no number, and need not
        be closed under leading zeros; `operations.as_relation` makes a relation of it.
        """
        passes = test if callable(test) else set(test).__contains__
        return operations.where(self.machine, passes, budget)

    def pairs_where(
        self, other: AutomaticWord, test: Callable[[int, int], bool], budget: Budget = UNLIMITED
    ) -> Dfa:
        """Return the index pairs (i, j) with test(self[i], other[j]): raw, canonical, tracks sorted by name.

        Tracks of equal name (and alphabet) are one track: W[n] against V[n].  The letters of `self`
        that admit the same letters of `other` form a class, and there is one product for each class.
        """
        classes: dict[tuple[int, ...], list[int]] = {}
        for letter in self.outputs:
            partners = tuple(partner for partner in other.outputs if test(letter, partner))
            if partners:
                classes.setdefault(partners, []).append(letter)
        result: Dfa | None = None
        for partners, letters in classes.items():
            part = operations.conjunction(self.where(letters, budget), other.where(partners, budget), budget)
            result = part if result is None else operations.disjunction(result, part, budget)
        if result is not None:
            return result
        tracks = {track.name: track for track in (*self.tracks, *other.tracks)}
        return operations.empty([tracks[name] for name in sorted(tracks)])

    def prefix(self, count: int, represent: Callable[[int], Sequence[int]]) -> list[int | None]:
        """Return the first letters W[0], ..., W[count - 1] of a word with one index.

        represent: returns the digit word of a number in the system of the index track.
        """
        if len(self.tracks) != 1:
            raise AutomatonError(f"the word {self.name} has {len(self.tracks)} indices; a prefix needs one")
        return [self.value(represent(number)) for number in range(count)]


def automatic_word(name: str, machine: Dfa, budget: Budget = UNLIMITED) -> AutomaticWord:
    """Return a word from its machine, minimized with respect to all outputs.

    The letter at an index is the output of the machine for the representation without leading zeros; a machine
    that treats leading zeros differently (or does not read them) is changed to skip them.
    """
    word = AutomaticWord(name, kernels.minimize_outputs(machine, budget))
    if not word.padding_matters:
        return word
    return AutomaticWord(name, kernels.minimize_outputs(_skipping_zeros(word.machine), budget))


def _skipping_zeros(machine: Dfa) -> Dfa:
    """Return the machine with a new initial state that has a loop for leading zeros."""
    zero = machine.zero_code
    assert zero is not None
    rows = [{code: target + 1 for code, target in machine.row(0)}]
    rows[0][zero] = 0
    rows += [{code: target + 1 for code, target in machine.row(state)} for state in range(machine.states)]
    return build(machine.tracks, rows, [machine.outputs[0], *machine.outputs])


def from_transition_function(
    name: str,
    tracks: tuple[Track, ...],
    start: S,
    step: Callable[..., S | None],
    letter: Callable[[S], int],
    budget: Budget = UNLIMITED,
) -> AutomaticWord:
    """Return the word whose letter at an index is that of the state after the index has been read from `start`.

    step(state, digit, ...): the state after one more digit on each track, None where no index continues so.
    Each track is read in its own digit order.  LimitError for more than MOST_STATES states.  For example the
    Rudin-Shapiro word: the state is the last digit and the parity of the number of 11 so far.
    """
    return automatic_word(name, from_reading_order(_reachable(tracks, start, step, letter), budget, word=True), budget)


def _reachable(
    tracks: tuple[Track, ...], start: S, step: Callable[..., S | None], letter: Callable[[S], int]
) -> Dfa:
    """Return the automaton of all states that can be reached, numbered in breadth-first order."""
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
