"""Numeration systems with phases: Ostrowski systems and negative bases.

Digits, valid words, order and linear atoms follow from the terms' recurrence, from a rule for the
digits, and from the least and greatest value of t digits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fibprover.automata import kernels
from fibprover.automata.dfa import Dfa, build
from fibprover.automata.phased import phased_atom
from fibprover.errors import DigitError
from fibprover.limits import UNLIMITED, Budget
from fibprover.numeration.linear import linear_atom
from fibprover.numeration.phases import Phases, without_phase
from fibprover.numeration.recurrence import CHECKED_LENGTHS
from fibprover.numeration.system import NumerationSystem
from fibprover.numeration.verify import Report, verify


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PhasedSystem(NumerationSystem):
    """A system whose steps depend on the position's phase; made by `ostrowski_system` and the negative bases.

    words: the valid words over (phase, digit); about: the first lines of the description; signed:
    whether the numbers are all integers, terms of odd positions being negative.
    """

    name: str
    digits: tuple[int, ...]
    valid: Dfa
    words: Dfa
    phases: Phases
    about: str
    signed: bool = False

    def less(self, budget: Budget = UNLIMITED) -> Dfa:
        """Order of two valid words of one length by their first difference; tracks "0" < "1".

        The smaller digit makes the smaller number, except where the term at that position is negative.
        """
        return without_phase(self._by_first_difference(), budget)

    def linear(self, coefficients: tuple[int, ...], relation: str, constant: int, budget: Budget = UNLIMITED) -> Dfa:
        """sum c_i x_i RELATION constant; see `NumerationSystem.linear`."""
        return linear_atom(self, self._raw, tuple(coefficients), relation, constant, budget)

    def _raw(self, coefficients: tuple[int, ...], relation: str, constant: int, budget: Budget) -> Dfa:
        """What the kernel makes of an atom, its phases projected away."""
        atom = phased_atom(self.words, coefficients, relation, constant, self.phases.constants, budget)
        return without_phase(kernels.minimize(atom, budget), budget)

    def verify(self, budget: Budget = UNLIMITED) -> Report:
        """Checks the system by operations on automata alone; see `fibprover.numeration.verify`."""
        terms = self._terms(CHECKED_LENGTHS)
        bounds = [self.phases.extremes(t, terms) for t in range(CHECKED_LENGTHS)]
        return verify(
            self.valid,
            self.less(budget),
            lambda coefficients, relation, constant: self.linear(coefficients, relation, constant, budget),
            [high - low + 1 for low, high in bounds],
            budget,
            signed=self.signed,
        )

    def represent(self, number: int) -> tuple[int, ...]:
        """The representation, most significant digit first, () for 0.  Quadratic in the number of digits."""
        if number < 0 and not self.signed:
            raise DigitError(f"{number} is negative; {self.name} represents the naturals")
        terms: list[int] = []
        bounds: list[tuple[int, int]] = []
        for term in self.phases.walk():
            terms.append(term)
            bounds.append(self.phases.extremes(len(bounds), terms))
            if bounds[-1][0] <= number <= bounds[-1][1]:
                break
        digits = []
        for position in range(len(terms) - 2, -1, -1):
            term, (low, high) = terms[position], bounds[position]
            # The least digit that leaves a number which the digits behind it can be worth.
            digit = max(0, -((high - number) // term) if term > 0 else -((number - low) // -term))
            digits.append(digit)
            number -= digit * term
        return tuple(digits)

    def value(self, digits: Sequence[int]) -> int:
        """The number a digit word is worth, valid representation or not; DigitError for a foreign digit."""
        self.check_digits(digits)
        remainder = (0,) * self.phases.order
        for position, digit in zip(range(len(digits), 0, -1), digits, strict=True):
            remainder = self.phases.step(remainder, self.phases.phase(position), digit)
        return sum(r * u for r, u in zip(remainder, self.phases.initial, strict=True))

    def describe(self) -> str:
        """What the system is, its first terms, the digits and the size of the language of valid words."""
        terms = ", ".join(map(str, self._terms(8)))
        return (
            f"{self.name}: {self.about}\n"
            f"  U = {terms}, ...\n"
            f"  digits 0 to {len(self.digits) - 1}; valid words: {self.valid.states} states,"
            f" {self.valid.transitions} transitions"
        )

    def _terms(self, count: int) -> list[int]:
        return [term for term, _ in zip(self.phases.walk(), range(count), strict=False)]

    def _by_first_difference(self) -> Dfa:
        """Pairs of valid words of one length, with the phase as first track, the first one smaller."""
        size = len(self.digits)
        start = (0, 0, False)
        numbers = {start: 0}
        pending = [start]
        rows: list[dict[int, int]] = []
        outputs: list[int] = []
        for left, right, smaller in pending:
            words = self.words
            outputs.append(1 if smaller and words.outputs[left] and words.outputs[right] else 0)
            row: dict[int, int] = {}
            for first, left_target in words.row(left):
                phase, first_digit = divmod(first, size)
                for second, right_target in words.row(right):
                    if second // size != phase:
                        continue
                    second_digit = second % size
                    below = first_digit < second_digit
                    if self.signed and phase % 2:
                        below = first_digit > second_digit
                    if not smaller and not below and first_digit != second_digit:
                        continue
                    target = (left_target, right_target, smaller or below)
                    if target not in numbers:
                        numbers[target] = len(pending)
                        pending.append(target)
                    row[(phase * size + first_digit) * size + second_digit] = numbers[target]
            rows.append(row)
        return build((self.phases.track(), self.track("0"), self.track("1")), rows, outputs)
