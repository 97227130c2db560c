"""Numeration systems with phases: Ostrowski systems and negative bases.

Digits, valid words, order and linear atoms follow from the terms' recurrence, from a rule for the
digits, and from the least and greatest value of t digits.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, nextafter
from typing import NamedTuple

from fibprover.automata import kernels
from fibprover.automata.dfa import Dfa, Track, build, frozen
from fibprover.automata.kernels import phased_atom
from fibprover.errors import DigitError, LimitError, NumerationError
from fibprover.limits import UNLIMITED, Budget
from fibprover.numeration.linear import LARGEST_TERM, Vector, linear_atom
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



# ---- phases
# Recurrences whose steps depend on the position: what Ostrowski systems and negative bases share.
#
# Position t belongs to a phase: the first `transient` positions are phases of their own, the others
# fall into `period` classes by their distance from the first of them.  A remainder r with t digits
# to come is worth sum r_j U_{t+j}, as for a plain recurrence; the step to t - 1 depends on the
# phase of t.  The position is not known when the first digit is read, so the automata read the
# phase as one more letter, which is projected away in the end.

#: The track of phases; no variable is called so.
PHASE = "#phase"

#: The least and the greatest value of t digits, from t and the terms.
Extremes = Callable[[int, Sequence[int]], tuple[int, int]]

#: Bits of the terms from which limits are read off, and of those at which their error is measured.
FAR_BITS, MIDDLE_BITS = 1200, 400


class PhaseConstants(NamedTuple):
    """What the compiled atoms know, in the order and with the meaning given at `fibprover_ext.phased`."""

    transient: int
    order: int
    feedback: memoryview[int]
    terms: memoryview[int]
    lows: memoryview[int]
    highs: memoryview[int]
    powers: memoryview[float]
    spread: memoryview[float]
    ranges: memoryview[float]


@dataclass(frozen=True, slots=True)
class Phases:
    """Positions, their phases and what a digit is worth there; made by `phases`.

    feedback: a row for each phase, by which U_{t+d-1} = sum_j feedback[j] U_{t-1+j} where t is in it;
    initial: U_0, ..., U_{d-1}; extremes: the least and the greatest value of t valid digits, given t
    and at least the terms U_0, ..., U_t.
    """

    transient: int
    period: int
    feedback: tuple[Vector, ...]
    initial: Vector
    extremes: Extremes
    constants: PhaseConstants

    @property
    def count(self) -> int:
        """How many phases there are."""
        return self.transient + self.period

    @property
    def order(self) -> int:
        """The order d."""
        return len(self.initial)

    def phase(self, position: int) -> int:
        """The phase of a position."""
        return _phase(position, self.transient, self.period)

    def following(self, phase: int) -> list[int]:
        """The phases that the position below one of this phase may have."""
        if phase != self.transient:
            return [phase - 1] if phase else []
        return [phase - 1, self.count - 1] if phase else [self.count - 1]

    def track(self) -> Track:
        """The track that phases are read on; it comes first."""
        return Track(PHASE, tuple(range(self.count)))

    def walk(self) -> Iterator[int]:
        """U_0, U_1, ..., without end."""
        return _terms(self.transient, self.period, self.feedback, self.initial)

    def step(self, remainder: Vector, phase: int, weight: int) -> Vector:
        """The remainder after a letter of this weight, with `phase` that of the digits to come before it."""
        top = remainder[-1]
        shifted = (weight, *remainder[:-1])
        return tuple(r + q * top for r, q in zip(shifted, self.feedback[phase], strict=True))


def phases(
    transient: int, period: int, feedback: Sequence[Sequence[int]], initial: Sequence[int], extremes: Extremes
) -> Phases:
    """Phases from what `Phases` says of them.

    In each class the terms and extreme values have to be A + B x^i + C y^i with |x| > 1 > |y|: the
    error of an estimate is then largest for the first i, the second, or in the limit.
    """
    rows = tuple(tuple(row) for row in feedback)
    order = len(initial)
    terms: list[int] = []
    for term in _terms(transient, period, rows, tuple(initial)):
        terms.append(term)
        if len(terms) > transient + 4 * period + order and abs(terms[-order - period - 1]).bit_length() > FAR_BITS:
            break
    bounds = [extremes(t, terms) for t in range(len(terms))]
    powers, spread, ranges = array("d"), array("d"), array("d")
    for phase in range(transient + period):
        if phase < transient:
            # One position, where everything is computed and nothing estimated.
            powers.extend([0.0] * order)
            spread.extend([0.0] * order)
            ranges.extend([0.0] * 3)
            continue
        last = range(phase, len(terms) - order, period)[-1]
        middle = next(t for t in range(phase, last, period) if abs(terms[t]).bit_length() > MIDDLE_BITS)
        measured = [phase, phase + period, middle]
        for j in range(order):
            power = Fraction(terms[last + j], terms[last])
            powers.append(float(power))
            spread.append(_above(max(abs(terms[t + j] - power * terms[t]) for t in measured)))
        errors = []
        for side in (0, 1):
            ratio = Fraction(bounds[last][side], abs(terms[last]))
            ranges.append(float(ratio))
            errors.append(max(abs(bounds[t][side] - ratio * abs(terms[t])) for t in measured))
        ranges.append(_above(max(errors)))
    count = next(t for t in range(len(terms)) if abs(terms[t]) > LARGEST_TERM)
    if count < transient + 2 * period + order:
        raise LimitError("the terms of this numeration system grow too fast", hint="take smaller or fewer numbers")
    lows, highs = [low for low, _ in bounds[:count]], [high for _, high in bounds[:count]]
    constants = PhaseConstants(
        transient,
        order,
        frozen(array("q", [value for row in rows for value in row])),
        frozen(array("q", terms[:count])),
        frozen(array("q", lows)),
        frozen(array("q", highs)),
        memoryview(powers.tobytes()).cast("d"),
        memoryview(spread.tobytes()).cast("d"),
        memoryview(ranges.tobytes()).cast("d"),
    )
    return Phases(transient, period, rows, tuple(initial), extremes, constants)


def _phase(position: int, transient: int, period: int) -> int:
    return position if position < transient else transient + (position - transient) % period


def _terms(transient: int, period: int, feedback: Sequence[Vector], initial: Vector) -> Iterator[int]:
    """U_0, U_1, ..., without end."""
    yield from initial
    window, position = initial, len(initial)
    while True:
        row = feedback[_phase(position - len(initial) + 1, transient, period)]
        window = (*window[1:], sum(q * u for q, u in zip(row, window, strict=True)))
        yield window[-1]
        position += 1


def _above(value: Fraction) -> float:
    """A double above a positive rational, with room for the limit's own error."""
    return nextafter(float(value) * (1 + 1e-12), inf)


def phased_words(
    track: Track, cycle: Phases, follow: Callable[[object, int, int], object | None], start: object
) -> Dfa:
    """The automaton over (phase, digit) of words whose digits obey a rule at every position.

    follow: the rule's state after a digit of some phase, None where the digit is not allowed there;
    a state depends on nothing but what was read.  Any phase may begin; a word that ends, ends at
    position 0.
    """
    size = len(track.digits)
    numbers: dict[tuple[int, object], int] = {(-1, start): 0}
    pending = [(-1, start)]
    rows: list[dict[int, int]] = []
    outputs: list[int] = []
    for phase, state in pending:
        outputs.append(int(phase <= 0))
        row = {}
        for following in range(cycle.count) if phase < 0 else cycle.following(phase):
            for digit in range(size):
                after = follow(state, following, digit)
                if after is None:
                    continue
                key = (following, after)
                if key not in numbers:
                    numbers[key] = len(pending)
                    pending.append(key)
                row[following * size + digit] = numbers[key]
        rows.append(row)
    return kernels.minimize(build((cycle.track(), track), rows, outputs))


def without_phase(automaton: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """The canonical automaton of the words that have a phase at which they are accepted."""
    return kernels.minimize(kernels.project(kernels.trim(automaton, budget), [PHASE], budget), budget)



# ---- negative
# Negative bases: every integer has one representation, and no sign is written.
#
# Base -k has the terms (-k)^t and the digits 0, ..., k - 1 in any order; negaFibonacci has the terms
# 1, -1, 2, -3, 5, -8, ... and no two 1s side by side (Bunder, "Zeckendorf representations using
# negative Fibonacci numbers", Fibonacci Quarterly 30, 1992).  The order is not lexicographic: at a
# position whose term is negative the greater digit makes the smaller number.  The phase of a
# position is its parity.

def negative_base(base: int, name: str = "") -> PhasedSystem:
    """The system of base -k, for k >= 2; called msd_neg_k unless a name is given."""
    if base < 2:
        raise NumerationError(f"base -{base} is no numeration system here", hint="the base must be at most -2")

    def extremes(t: int, _terms: Sequence[int]) -> tuple[int, int]:
        """All greatest digits at odd positions, or at even ones: a geometric sum each."""
        even, odd = t + t % 2, t - t % 2
        return -base * (base**odd - 1) // (base + 1), (base**even - 1) // (base + 1)

    positions = phases(0, 2, [(-base,)] * 2, (1,), extremes)
    name = name or f"msd_neg_{base}"
    words = phased_words(Track("x", tuple(range(base)), name), positions, lambda _state, _phase, _digit: True, True)
    about = f"base -{base}, most significant digit first; all integers"
    valid = without_phase(words)
    return PhasedSystem(name, valid.tracks[0].digits, valid, words, positions, about, signed=True)


def negative_fibonacci(name: str = "msd_neg_fib") -> PhasedSystem:
    """negaFibonacci: U_0 = 1, U_1 = -1, U_{t+2} = U_t - U_{t+1}."""

    def extremes(t: int, terms: Sequence[int]) -> tuple[int, int]:
        """A 1 at every odd position, or at every even one: f(2) + f(4) + ... and f(1) + f(3) + ..."""
        here = abs(terms[t])
        below = abs(terms[t - 1]) if t else 0
        return (1 - below, here) if t % 2 else (1 - here, below)

    positions = phases(0, 2, [(1, -1)] * 2, (1, -1), extremes)
    words = phased_words(
        Track("x", (0, 1), name), positions, lambda state, _phase, digit: None if state and digit else digit, 0
    )
    about = "negaFibonacci, most significant digit first; all integers\n  U[t] = U[t-2] - U[t-1]"
    valid = without_phase(words)
    return PhasedSystem(name, valid.tracks[0].digits, valid, words, positions, about, signed=True)
