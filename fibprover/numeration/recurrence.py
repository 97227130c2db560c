"""Numeration systems of linear recurrences: greedy representations over U_0 = 1 < U_1 < U_2 < ...

Everything is derived: the digit bound, the automaton of valid representations and every linear atom
follow from the recurrence.  Base k is the recurrence U_{t+1} = k U_t, Fibonacci is U_{t+2} = U_{t+1} + U_t
from 1, 2.  That addition is regular for recurrences of Pisot type, and why, is in Frougny, "Representations
of numbers and finite automata", Math. Systems Theory 25 (1992), and in Bruyere and Hansel, "Bertrand
numeration systems and recognizability", TCS 181 (1997); the automata here are built directly, by remainders.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from math import log2

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, Track, build, build_from, explored
from fibprover.base.errors import DigitError, LimitError, NumerationError
from fibprover.base.limits import UNLIMITED, Budget
from fibprover.base.names import full_name
from fibprover.numeration.congruence import solvable
from fibprover.numeration.linear import MOST_CONSTANT, reduced_constraint
from fibprover.numeration.long_numbers import represent_by_halves
from fibprover.numeration.pisot import show
from fibprover.numeration.system import PositionalSystem, with_identity
from fibprover.numeration.weights import (
    MOST_DIGITS,
    MOST_DIGITS_OF_A_BASE,
    PisotRecurrence,
    Vector,
    Weights,
    pisot_recurrence,
)

#: Numbers with more bits are represented by divide and conquer (`fibprover.numeration.long_numbers`).
LONG = 2000

#: States of the automaton of valid representations at which a recurrence is refused.
MOST_VALID_STATES = 100_000


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RecurrenceSystem(PositionalSystem):
    """The greedy numeration system of a recurrence; made by `recurrence_system`."""

    name: str
    digits: tuple[int, ...]
    valid: Dfa
    recurrence: PisotRecurrence
    identity: str = ""

    def with_identity(self, identity: str) -> RecurrenceSystem:
        """Return the same system with another identity; see `NumerationSystem.with_identity`."""
        return replace(self, valid=with_identity(self.valid, identity), identity=identity)

    @property
    def weights(self) -> Weights:
        """The weights U_0, U_1, ..."""
        return self.recurrence

    def reduced_atom(self, coefficients: tuple[int, ...], relation: str, constant: int, budget: Budget) -> Dfa:
        """Return the atom by remainders; see `NumerationSystem.reduced_atom`."""
        return kernel_calls.linear_atom(
            self.valid, coefficients, relation, constant, self.recurrence.constants, budget
        )

    def reduced_range(self, coefficients: tuple[int, ...], least: int, most: int, budget: Budget) -> Dfa | None:
        """Return the range by remainders; see `NumerationSystem.reduced_range`."""
        return kernel_calls.linear_atom(
            self.valid, coefficients, "=", least, self.recurrence.constants, budget, extent=most - least
        )

    def solvable(
        self, kept: Sequence[int], lost: Sequence[int], constant: int, budget: Budget = UNLIMITED
    ) -> Dfa | None:
        """Return the projection by congruences; see `NumerationSystem.solvable`."""
        return solvable(self, kept, lost, constant, budget)

    def join_linear(
        self,
        a: Dfa,
        coefficients: tuple[int, ...],
        names: Sequence[str],
        relation: str,
        constant: int,
        budget: Budget = UNLIMITED,
    ) -> Dfa:
        """Return a & sum c_i names_i RELATION constant without building the atom; see `NumerationSystem.join_linear`.

        The atom alone pairs every remainder with a validity state of every track; from four or five tracks on
        that is by far the largest automaton of a formula, and the first join cuts most of it away.
        """
        reduced = reduced_constraint(tuple(coefficients), relation, constant)
        if isinstance(reduced, bool) or abs(reduced[2]) > MOST_CONSTANT:
            return PositionalSystem.join_linear(self, a, coefficients, names, relation, constant, budget)
        joined = kernel_calls.join_linear(a, self.valid, *reduced, self.recurrence.constants, names, budget)
        return kernel_calls.minimize(joined, budget)

    def word_counts(self, lengths: int) -> list[int]:
        """Return U_0, ..., U_{lengths-1}: greedy words of length t represent the numbers below U_t."""
        return self.recurrence.terms(lengths)

    def represent(self, number: int) -> tuple[int, ...]:
        """Return the greedy representation, most significant digit first, () for 0.

        Subquadratic in the number of digits; a number of 100,000 decimal digits takes a second or two.
        """
        number = number.__index__()  # numpy's integers are shorter, and have other methods
        if number < 0:
            raise DigitError(f"{number} is negative; {self.name} represents the naturals")
        if number.bit_length() > LONG:
            digits_by_halves = represent_by_halves(self.recurrence, self.valid, number)
            if digits_by_halves is not None:
                return digits_by_halves
        terms = self.short_weights()
        if number < terms[-1]:
            terms = terms[: bisect_right(terms, number)]
        else:
            terms = list(takewhile(lambda term: term <= number, self.recurrence.walk()))
        digits = []
        for term in reversed(terms):
            digit, number = divmod(number, term)
            digits.append(digit)
        return tuple(digits)

    def describe(self) -> str:
        """Return the recurrence, its first terms, the digits and the size of the language of valid words."""
        terms = ", ".join(map(str, self.recurrence.terms(8)))
        return (
            f"{self.name}: greedy representations, most significant digit first\n"
            f"  {self.recurrence}; U = {terms}, ...\n"
            f"  characteristic polynomial {show(self.recurrence.polynomial)}, dominant root {self._root():.6f}\n"
            f"  {self.describe_words()}"
        )

    def _root(self) -> float:
        if self.recurrence.order == 1:
            return float(self.recurrence.coefficients[0])
        low, _ = self.recurrence.growth.powers[1]
        return float(2 ** (log2(low) - self.recurrence.growth.bits))


def recurrence_system(name: str, coefficients: Sequence[int], initial: Sequence[int]) -> RecurrenceSystem:
    """Return the numeration system of U_{t+d} = q_1 U_{t+d-1} + ... + q_d U_t.

    Parameters:

    - name: such as "pell", which formulas then write ?pell or ?msd_pell
    - coefficients: (q_1, ..., q_d)
    - initial: (U_0, ..., U_{d-1})

    Errors: NumerationError, with the reason, unless U_0 = 1, U increases and the recurrence is of Pisot type.

    >>> system = fp.recurrence_system("mine", [3, 1], [1, 4])
    >>> system.name, system.represent(100)
    ('msd_mine', (2, 1, 0, 1))
    """
    name = full_name(name)
    if re.fullmatch(r"msd_\w+", name, re.ASCII) is None:
        raise NumerationError(
            f"{name!r} cannot name a system that is read most significant digit first",
            hint="a name is msd_ and letters, digits or underscores; msd_ may be left out",
        )
    recurrence = pisot_recurrence(coefficients, initial)
    valid = _valid_words(name, recurrence, _largest_digit(recurrence))
    return RecurrenceSystem(name, valid.tracks[0].digits, valid, recurrence)


def _largest_digit(terms: PisotRecurrence) -> int:
    """Return the largest digit: the least c with (c + 1) U_t >= U_{t+1} for every t.

    Greedy digits at position t run up to ceil(U_{t+1} / U_t) - 1.  For order 1, U_{t+1} is q U_t.
    """
    most = MOST_DIGITS
    if terms.order == 1:
        bound, most = terms.coefficients[0] - 1, MOST_DIGITS_OF_A_BASE
    else:
        # Exact for the first terms, then raised while a later term needs it.
        rest = (0,) * (terms.order - 2)
        values = terms.terms(terms.order + 1)
        bound = max((b - 1) // a for a, b in pairwise(values))
        while bound <= MOST_DIGITS and not terms.always_positive((bound + 1, -1, *rest), 1):
            bound += 1
    if bound >= most:
        raise LimitError(f"this recurrence needs more than {most} digits")
    return bound


def _valid_words(name: str, terms: PisotRecurrence, bound: int) -> Dfa:
    """Return the words all of whose suffixes are worth less than the term of their length.

    At every position a remainder starts at -U_t and adds what follows.  It is dropped once it
    stays below 0 whatever valid word follows (worth at most U_t - 1 for t digits), and the word
    is rejected once it is at least 0 whatever follows.  A state is the set of those kept.
    """
    track = Track("x", tuple(range(bound + 1)), name)
    if terms.order == 1:
        # A base: all words are valid.
        return build((track,), [dict.fromkeys(track.digits, 0)], [1])
    start = (-1, *(0 for _ in range(terms.order - 1)))
    following: dict[tuple[Vector, int], Vector | bool] = {}

    def follow(remainder: Vector, digit: int) -> Vector | bool:
        """Return the remainder after a digit; True or False if its suffix surely is small enough, or not."""
        key = (remainder, digit)
        if key not in following:
            after = terms.step(remainder, digit)
            # below: -(r + U_t - 1) > 0;  above: r + 1 > 0, both for every t.
            if terms.always_positive((-after[0] - 1, *(-value for value in after[1:])), 1):
                following[key] = True
            elif terms.always_positive(after, 1):
                following[key] = False
            else:
                following[key] = after
        return following[key]

    def steps(state: frozenset[Vector]) -> Iterator[tuple[int, frozenset[Vector]]]:
        for digit in range(bound + 1):
            kept = set()
            for remainder in (*state, start):
                after = follow(remainder, digit)
                if after is False:
                    break
                if after is not True:
                    kept.add(after)
            else:
                yield digit, frozenset(kept)

    def output(state: frozenset[Vector]) -> int:
        return all(terms.final(remainder) < 0 for remainder in state)

    too_many = NumerationError("the valid representations of this recurrence need too many states")
    found = explored(frozenset[Vector](), steps, most=MOST_VALID_STATES, refused=too_many)
    words = kernel_calls.minimize(build_from((track,), found, output))
    largest = max(words.codes)
    if largest == bound:
        return words
    # A digit that no valid word uses is not a digit of the system.
    tracks = (Track("x", tuple(range(largest + 1)), name),)
    return Dfa(tracks, words.offsets, words.codes, words.targets, words.outputs)
