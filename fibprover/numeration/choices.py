"""Base k with a choice at each position, one system for all sequences of choices: `msd_2_choices_3`.

Numbers are those of base k; the parameter holds which of c morphisms, of length k each, makes the word at a position
(`fibprover.words.families`).  Choices are numbers from 1 on, so that zeros come first.  Valid are the numbers n below
k^m - 1 for a beginning of m choices, so that n + 1 has no more digits than there are choices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.base.limits import UNLIMITED, Budget
from fibprover.base.names import PARAMETER, system_name
from fibprover.numeration.parameters import beginnings, choice_track, in_order_of
from fibprover.numeration.system import NumerationSystem
from fibprover.numeration.verify import Verification


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ChoiceSystem(NumerationSystem):
    """Base k, for all sequences of choices; each automaton has the choices as its last track.

    base: the system of base k, whose automata these are, with the track of choices beside.
    """

    name: str
    digits: tuple[int, ...]
    valid: Dfa
    base: NumerationSystem
    parameter: Track
    lsd_first: bool = False

    def values(self, name: str) -> Dfa:
        """Return the numbers, on a track of this name, with the beginnings that they belong to."""
        return self.valid.renamed([name, PARAMETER])

    def less(self, budget: Budget = UNLIMITED) -> Dfa:
        """Return the order of two numbers; see `NumerationSystem.less`."""
        return self.linear((1, -1), "<", 0, budget)

    def linear(self, coefficients: tuple[int, ...], relation: str, constant: int, budget: Budget = UNLIMITED) -> Dfa:
        """Return sum c_i x_i RELATION constant for all choices; see `NumerationSystem.linear`."""
        found = self.base.linear(coefficients, relation, constant, budget)
        return self.beside(found, [str(index) for index in range(len(coefficients))], budget)

    def beside(self, a: Dfa, names: Sequence[str], budget: Budget = UNLIMITED) -> Dfa:
        """Return a relation of numbers of base k, with the choices beside them; names: of its tracks, in order."""
        found = a.renamed([str(place).zfill(3) for place in range(len(names))])
        found = found.with_tracks(tuple(self.track(track.name) for track in found.tracks))
        found = kernel_calls.minimize(kernel_calls.join(found, beginnings(self.parameter), budget), budget)
        for track in found.tracks:
            if track.name != PARAMETER:
                found = kernel_calls.minimize(kernel_calls.join(found, self.values(track.name), budget), budget)
        return found.renamed([*names, PARAMETER])

    def reduced_atom(self, coefficients: tuple[int, ...], relation: str, constant: int, budget: Budget) -> Dfa:
        """Return the atom; see `NumerationSystem.reduced_atom`."""
        return self.linear(coefficients, relation, constant, budget)

    def join_linear(
        self, a: Dfa, coefficients: tuple[int, ...], names: Sequence[str], relation: str, constant: int,
        budget: Budget = UNLIMITED,
    ) -> Dfa:
        """Return the tuples of a with sum c_i names_i RELATION constant; see `NumerationSystem.join_linear`."""
        atom = self.linear(coefficients, relation, constant, budget).renamed([*names, PARAMETER])
        return kernel_calls.minimize(kernel_calls.join(a, atom, budget), budget)

    def verify(self, budget: Budget = UNLIMITED) -> Verification:
        """Return the verification of base k, whose numbers these are."""
        return self.base.verify(budget)

    def word_counts(self, lengths: int) -> list[int]:
        """Return how many numbers base k has with up to m digits, for m = 0, 1, ..."""
        return self.base.word_counts(lengths)

    def represent(self, number: int) -> tuple[int, ...]:
        """Return the digits of a number in base k."""
        return self.base.represent(number)

    def value(self, digits: Sequence[int]) -> int:
        """Return the number with these digits in base k."""
        return self.base.value(digits)

    def with_identity(self, identity: str) -> ChoiceSystem:
        """Return the same system: its name says all about it."""
        return self

    def describe(self) -> str:
        """Return what its numbers are."""
        return (
            f"{self.name}: base {len(self.digits)}, for all sequences of choices between "
            f"1 and {len(self.parameter.digits) - 1} at once\n"
            "  formulas have a sequence of choices in common, and closed ones an answer for each"
        )


@lru_cache(maxsize=64)
def choice_system(full: str, base: NumerationSystem, count: int) -> ChoiceSystem:
    """Return the system with this name, such as msd_2_choices_3: that of a base, with so many choices."""
    digits, parameter = base.digits, in_order_of(choice_track(count), full)
    # State 1: all digits were the last one; 2: some was another one.
    every = {
        digit * (count + 1) + choice: 1 + (digit < len(digits) - 1)
        for digit, choice in product(digits, range(1, count + 1))
    }
    tracks = (Track("x", digits, full), parameter)
    rows = [{0: 0} | every, every, dict.fromkeys(every, 2)]
    valid = kernel_calls.minimize(build(tracks, rows, [0, 0, 1]))
    return ChoiceSystem(full, digits, valid, base, parameter, system_name(full).lsd_first)
