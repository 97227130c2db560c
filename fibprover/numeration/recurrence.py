"""Numeration systems of linear recurrences: greedy representations over U_0 = 1 < U_1 < U_2 < ...

Nothing is typed in: the digit bound, the automaton of valid representations and every linear
atom follow from the recurrence.  Base k is the recurrence U_{t+1} = k U_t, Fibonacci is
U_{t+2} = U_{t+1} + U_t from 1, 2.  That addition is regular for recurrences of Pisot type, and
why, is in Frougny, "Representations of numbers and finite automata", Math. Systems Theory 25
(1992), and in Bruyere and Hansel, "Bertrand numeration systems and recognizability", TCS 181
(1997); the automata here are built directly, by remainders.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log2

from fibprover.automata.dfa import Dfa, Track, build
from fibprover.automata.kernels import linear_atom as linear_atoms
from fibprover.automata.kernels import minimize
from fibprover.errors import DigitError, LimitError, NumerationError
from fibprover.limits import UNLIMITED, Budget
from fibprover.names import full_name
from fibprover.numeration.linear import MOST_DIGITS, Recurrence, Vector, join_linear, linear_atom, recurrence
from fibprover.numeration.pisot import show
from fibprover.numeration.system import NumerationSystem, lexicographic
from fibprover.numeration.verify import Report, verify

#: States of the automaton of valid representations at which a recurrence is given up.
MOST_VALID_STATES = 100_000


#: Lengths of words that `verify` counts.
CHECKED_LENGTHS = 40


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RecurrenceSystem(NumerationSystem):
    """The greedy numeration system of a recurrence; made by `recurrence_system`."""

    name: str
    digits: tuple[int, ...]
    valid: Dfa
    recurrence: Recurrence

    def less(self, budget: Budget = UNLIMITED) -> Dfa:
        """Lexicographic order of two valid words of one length; tracks "0" < "1".

        Built from the valid words alone: both words are read in step, and what is remembered
        besides their validity is whether the first one has become smaller.
        """
        return minimize(lexicographic(self), budget)

    def linear(self, coefficients: tuple[int, ...], relation: str, constant: int, budget: Budget = UNLIMITED) -> Dfa:
        """sum c_i x_i RELATION constant; see `NumerationSystem.linear`."""
        return linear_atom(self, self._raw, tuple(coefficients), relation, constant, budget)

    def _raw(self, coefficients: tuple[int, ...], relation: str, constant: int, budget: Budget) -> Dfa:
        """What the kernel makes of an atom, not minimized."""
        return linear_atoms(self.valid, coefficients, relation, constant, self.recurrence.constants, budget)

    def join_linear(
        self,
        a: Dfa,
        coefficients: tuple[int, ...],
        names: Sequence[str],
        relation: str,
        constant: int,
        budget: Budget = UNLIMITED,
    ) -> Dfa:
        """a & sum c_i names_i RELATION constant, without the atom; see `NumerationSystem.join_linear`."""
        return join_linear(self, self.recurrence.constants, a, tuple(coefficients), names, relation, constant, budget)

    def verify(self, budget: Budget = UNLIMITED) -> Report:
        """Checks the system by operations on automata alone; see `fibprover.numeration.verify`."""
        return verify(
            self.valid,
            self.less(budget),
            lambda coefficients, relation, constant: self.linear(coefficients, relation, constant, budget),
            self.recurrence.terms(CHECKED_LENGTHS),
            budget,
        )

    def represent(self, number: int) -> tuple[int, ...]:
        """The greedy representation, most significant digit first, () for 0.

        Quadratic in the number of digits; a number of 1000 decimal digits takes milliseconds.
        """
        if number < 0:
            raise DigitError(f"{number} is negative; {self.name} represents the naturals")
        terms: list[int] = []
        for window in self.recurrence.walk():
            if window[0] > number:
                break
            terms.append(window[0])
        digits = []
        for term in reversed(terms):
            digit, number = divmod(number, term)
            digits.append(digit)
        return tuple(digits)

    def value(self, digits: Sequence[int]) -> int:
        """The number a digit word is worth, valid representation or not; DigitError for a foreign digit."""
        self.check_digits(digits)
        remainder = self.recurrence.zero()
        for digit in digits:
            remainder = self.recurrence.step(remainder, digit)
        return self.recurrence.final(remainder)

    def describe(self) -> str:
        """The recurrence, its first terms, the digits and the size of the language of valid words."""
        terms = ", ".join(map(str, self.recurrence.terms(8)))
        right = " ".join(
            f"{'-' if q < 0 else '+'} {'' if abs(q) == 1 else abs(q)}U[t{f'-{index}'}]"
            for index, q in enumerate(self.recurrence.coefficients, start=1)
            if q
        ).removeprefix("+ ")
        return (
            f"{self.name}: greedy representations, most significant digit first\n"
            f"  U[t] = {right}; U = {terms}, ...\n"
            f"  characteristic polynomial {show(self.recurrence.polynomial)}, dominant root {self._root():.6f}\n"
            f"  digits 0 to {len(self.digits) - 1}; valid words: {self.valid.states} states,"
            f" {self.valid.transitions} transitions"
        )

    def _root(self) -> float:
        if self.recurrence.order == 1:
            return float(self.recurrence.coefficients[0])
        low, _ = self.recurrence.growth.powers[1]
        return float(2 ** (log2(low) - self.recurrence.growth.bits))


def recurrence_system(name: str, coefficients: Sequence[int], initial: Sequence[int]) -> RecurrenceSystem:
    """The numeration system of U_{t+d} = q_1 U_{t+d-1} + ... + q_d U_t.

    name: a word such as "pell", which formulas then write ?pell or ?msd_pell; coefficients:
    (q_1, ..., q_d); initial: (U_0, ..., U_{d-1}).  NumerationError, with the reason, unless
    U_0 = 1, U increases and the recurrence is of Pisot type.
    """
    name = full_name(name)
    if re.fullmatch(r"msd_\w+", name, re.ASCII) is None:
        raise NumerationError(
            f"{name!r} cannot name a system that is read most significant digit first",
            hint="a name is msd_ and letters, digits or underscores; msd_ may be left out",
        )
    terms = recurrence(coefficients, initial)
    bound = _digit_bound(terms)
    valid = _valid_words(name, terms, bound)
    return RecurrenceSystem(name, valid.tracks[0].digits, valid, terms)


def _digit_bound(terms: Recurrence) -> int:
    """The largest digit: the least c with (c + 1) U_t >= U_{t+1} for every t.

    Greedy digits at position t run up to ceil(U_{t+1} / U_t) - 1.  For order 1, U_{t+1} is q U_t.
    """
    if terms.order == 1:
        bound = terms.coefficients[0] - 1
    else:
        # Exact for the first terms, then raised while a later term needs it.
        rest = (0,) * (terms.order - 2)
        values = terms.terms(terms.order + 1)
        bound = max((b - 1) // a for a, b in pairwise(values))
        while bound <= MOST_DIGITS and not terms.always_positive((bound + 1, -1, *rest), 1):
            bound += 1
    if bound >= MOST_DIGITS:
        raise LimitError(f"this recurrence needs more than {MOST_DIGITS} digits")
    return bound


def _valid_words(name: str, terms: Recurrence, bound: int) -> Dfa:
    """The words all of whose suffixes are worth less than the term of their length.

    At every position a remainder starts at -U_t and adds what follows.  It is dropped once it
    stays below 0 whatever valid word follows (worth at most U_t - 1 for t digits), and the word
    is rejected once it is at least 0 whatever follows.  A state is the set of those kept.
    """
    start = (-1, *terms.zero()[1:])
    following: dict[tuple[Vector, int], Vector | bool] = {}

    def follow(remainder: Vector, digit: int) -> Vector | bool:
        """The remainder after a digit, True if its suffix is surely small enough, False if surely not."""
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

    numbers: dict[frozenset[Vector], int] = {frozenset(): 0}
    pending: list[frozenset[Vector]] = [frozenset()]
    rows: list[dict[int, int]] = []
    outputs: list[int] = []
    for state in pending:
        outputs.append(1 if all(terms.final(remainder) < 0 for remainder in state) else 0)
        row: dict[int, int] = {}
        for digit in range(bound + 1):
            kept = set()
            for remainder in (*state, start):
                after = follow(remainder, digit)
                if after is False:
                    break
                if after is not True:
                    kept.add(after)
            else:
                target = frozenset(kept)
                if target not in numbers:
                    if len(numbers) >= MOST_VALID_STATES:
                        raise NumerationError("the valid representations of this recurrence need too many states")
                    numbers[target] = len(pending)
                    pending.append(target)
                row[digit] = numbers[target]
        rows.append(row)
    words = minimize(build((Track("x", tuple(range(bound + 1)), name),), rows, outputs))
    largest = max(words.codes)
    if largest == bound:
        return words
    # A digit no valid word uses is none of the system's.
    tracks = (Track("x", tuple(range(largest + 1)), name),)
    return Dfa(tracks, words.offsets, words.codes, words.targets, words.outputs)
