"""Automatic words: the letter at an index is the output of an automaton that reads the index.

A word has one or more index tracks; index tuples are read most significant digit first, all padded
with zeros to one length.  Its machine may be partial: an index whose representation falls off the
machine has no letter, and every comparison with it is false.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from fibprover.automata import kernels, language, operations
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.errors import AutomatonError
from fibprover.limits import UNLIMITED, Budget
from fibprover.values import Displayed


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
        """Whether some leading zero letter changes a letter of the word.

        Then the machine says different things of one index read with different paddings, and what
        it defines is no function of numbers.  False if a track is a plain alphabet.
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
        """The letter at an index given as digit words, one a track; None where the word has none."""
        return language.output(self.machine, index)

    def __str__(self) -> str:
        indices = ", ".join(track.system or "{" + ",".join(map(str, track.digits)) + "}" for track in self.tracks)
        letters = ", ".join(map(str, self.outputs))
        states = f"{self.machine.states} state{'' if self.machine.states == 1 else 's'}"
        return f"word over {indices or 'nothing'}: {states}, letters {letters}"

    def on(self, names: Sequence[str]) -> AutomaticWord:
        """The same word with its index tracks renamed in order."""
        return AutomaticWord(self.name, self.machine.renamed(names))

    def where(self, test: Callable[[int], bool] | Collection[int], budget: Budget = UNLIMITED) -> Dfa:
        """The indices whose letter passes the test (or is one of a set), as a canonical automaton.

        A raw language over the index tracks: it may hold words that represent no number, and it need
        not be closed under leading zeros; `operations.as_relation` makes a relation of it.
        """
        passes = test if callable(test) else set(test).__contains__
        return operations.where(self.machine, passes, budget)

    def pairs_where(
        self, other: AutomaticWord, test: Callable[[int, int], bool], budget: Budget = UNLIMITED
    ) -> Dfa:
        """The index pairs (i, j) with test(self[i], other[j]): raw, canonical, tracks sorted by name.

        Tracks of equal name (and alphabet) are one track: W[n] against V[n].  The letters of `self`
        that admit the same letters of `other` are taken together, one product for each such class.
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
        """The first letters W[0], ..., W[count - 1] of a word with one index.

        represent: gives the digit word of a number in the index track's system.
        """
        if len(self.tracks) != 1:
            raise AutomatonError(f"the word {self.name} has {len(self.tracks)} indices; a prefix needs one")
        return [self.value(represent(number)) for number in range(count)]


def automatic_word(name: str, machine: Dfa, budget: Budget = UNLIMITED) -> AutomaticWord:
    """A word from its machine, minimized with respect to all outputs.

    The letter at an index is what the machine says of the representation without leading zeros; a
    machine that reads leading zeros otherwise (or not at all) is changed to skip them.
    """
    word = AutomaticWord(name, kernels.minimize_outputs(machine, budget))
    if not word.padding_matters:
        return word
    return AutomaticWord(name, kernels.minimize_outputs(_skipping_zeros(word.machine), budget))


def _skipping_zeros(machine: Dfa) -> Dfa:
    """The machine behind a new initial state that stays where it is on leading zeros."""
    zero = machine.zero_code
    assert zero is not None
    rows = [{code: target + 1 for code, target in machine.row(0)}]
    rows[0][zero] = 0
    rows += [{code: target + 1 for code, target in machine.row(state)} for state in range(machine.states)]
    return build(machine.tracks, rows, [machine.outputs[0], *machine.outputs])
