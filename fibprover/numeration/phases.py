"""Recurrences whose steps depend on the position: what Ostrowski systems and negative bases share.

Position t belongs to a phase: the first `transient` positions are phases of their own, the others
fall into `period` classes by their distance from the first of them.  A remainder r with t digits
to come is worth sum r_j U_{t+j}, as for a plain recurrence; the step to t - 1 depends on the
phase of t.  The position is not known when the first digit is read, so the automata read the
phase as one more letter, which is projected away in the end.
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
from fibprover.errors import LimitError
from fibprover.limits import UNLIMITED, Budget
from fibprover.numeration.remainder import LARGEST_TERM, Vector

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
