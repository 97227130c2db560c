"""The weights U_0, U_1, ... of digits, and remainders over them.

A digit at position t, counted from the last digit, is worth that digit times U_t.  The weights obey a linear
recurrence, whose coefficients are the same everywhere (`LinearRecurrence`) or depend on the phase of the
position (`PeriodicRecurrence`: Ostrowski systems, negative bases).

A remainder is an integer vector r that stands for sum r_j U_{t+j}, t being the number of digits still to
come: it is what an automaton remembers of the digits read so far.  Reading one more digit turns t into
t - 1.  Whether such a value plus a constant is positive for every t is decided exactly: term by term for
small t, and by the dominant root, with certified errors, from some t on.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise
from math import inf, nextafter

from fibprover.automata.kernel_calls import Recurrence
from fibprover.base.errors import LimitError, NumerationError
from fibprover.numeration.pisot import Growth, check_pisot, divides, growth, show

Vector = tuple[int, ...]

#: More digits are refused, except for a base, whose words are all valid: no use is known for such an alphabet.
MOST_DIGITS, MOST_DIGITS_OF_A_BASE = 1 << 16, 1 << 20

#: Weights up to this size are passed to the compiled atoms.
LARGEST_TERM = 1 << 61

#: Bits of the weights from which limits are computed, and of those at which their error is measured.
FAR_BITS, MIDDLE_BITS = 1200, 400


class Weights(ABC):
    """A sequence U_0, U_1, ... with U_{t+d} = sum_j feedback(t)_j U_{t+j}, from U_0, ..., U_{d-1} = initial."""

    __slots__ = ()

    initial: Vector

    @abstractmethod
    def feedback(self, t: int) -> Vector:
        """Return the coefficients of U_t, ..., U_{t+d-1} in U_{t+d}."""

    @property
    def order(self) -> int:
        """The order d."""
        return len(self.initial)

    def windows(self) -> Iterator[Vector]:
        """Yield (U_t, ..., U_{t+d-1}) for t = 0, 1, ..., without end."""
        window, t = self.initial, 0
        while True:
            yield window
            window, t = (*window[1:], sum(q * u for q, u in zip(self.feedback(t), window, strict=True))), t + 1

    def walk(self) -> Iterator[int]:
        """Yield U_0, U_1, ..., without end."""
        return (window[0] for window in self.windows())

    def terms(self, count: int) -> list[int]:
        """Return U_0, ..., U_{count-1}."""
        return list(islice(self.walk(), count))


@dataclass(frozen=True, slots=True)
class LinearRecurrence(Weights):
    """U_{t+d} = q_1 U_{t+d-1} + ... + q_d U_t.

    coefficients: (q_1, ..., q_d), that of the nearest term first; initial: (U_0, ..., U_{d-1}).
    """

    coefficients: Vector
    initial: Vector

    def feedback(self, t: int) -> Vector:
        """Return (q_d, ..., q_1), whatever t is."""
        return self.coefficients[::-1]

    @property
    def polynomial(self) -> Vector:
        """The characteristic polynomial, constant term first, monic."""
        return (*(-q for q in reversed(self.coefficients)), 1)

    def __str__(self) -> str:
        terms = [(q, index) for index, q in enumerate(self.coefficients, start=1) if q]
        if terms and terms[0][0] < 0:
            terms.sort(key=lambda term: term[0] < 0)
        right = " ".join(
            f"{'-' if q < 0 else '+'} {'' if abs(q) == 1 else abs(q)}U[t-{index}]" for q, index in terms
        )
        return f"U[t] = {right.removeprefix('+ ')}"


@dataclass(frozen=True, slots=True)
class PisotRecurrence(LinearRecurrence):
    """A recurrence of Pisot type with U_0 = 1 and U increasing; made by `pisot_recurrence`.

    transient: how many times x divides the characteristic polynomial; constants: the same facts for the
    compiled atoms.
    """

    growth: Growth
    transient: int
    constants: Recurrence = field(compare=False, repr=False)

    def step(self, remainder: Vector, weight: int) -> Vector:
        """Return the remainder after one more letter of this weight (sum of coefficient times digit)."""
        top = remainder[-1]
        shifted = (weight, *remainder[:-1])
        return tuple(r + q * top for r, q in zip(shifted, reversed(self.coefficients), strict=True))

    def final(self, remainder: Vector) -> int:
        """Return the value of a remainder with no digit to come."""
        return sum(r * u for r, u in zip(remainder, self.initial, strict=True))

    def vanishes(self, vector: Sequence[int]) -> bool:
        """Return whether sum v_j U_{t+j} is 0 for every t after the transient terms."""
        return divides(self.polynomial[self.transient :], vector)

    def always_positive(self, vector: Sequence[int], constant: int) -> bool:
        """Return whether sum v_j U_{t+j} + constant > 0 for every t >= 0.

        True is a proof, and so is False except where the precision of `growth` is exhausted
        (vectors with entries of some fifty digits), when False means "not known".
        """
        low, high = self.growth.rho(vector)
        error = self.growth.error(vector) + (abs(constant) << self.growth.bits)
        vanishing = low <= 0 <= high and self.vanishes(vector)
        for t, window in enumerate(self.windows()):
            if sum(v * u for v, u in zip(vector, window, strict=True)) + constant <= 0:
                return False
            if vanishing:
                if t >= self.transient:
                    return True
            elif low <= 0:
                return False
            elif low * window[0] > error:
                # U increases, so the dominant part outweighs the error from here on.
                return True
        raise AssertionError("windows() does not end")


def pisot_recurrence(coefficients: Sequence[int], initial: Sequence[int]) -> PisotRecurrence:
    """Return a checked recurrence; raises NumerationError, with the reason, if it makes no numeration recurrence.

    Needs U_0 = 1, U increasing, and a characteristic polynomial that is the minimal polynomial
    of a Pisot number, possibly times a power of x.
    """
    q, u = tuple(coefficients), tuple(initial)
    if not q or len(q) != len(u):
        raise NumerationError(f"{len(q)} coefficients need as many initial terms, not {len(u)}")
    if u[0] != 1:
        raise NumerationError(f"the first term must be 1, not {u[0]}: otherwise not every number has a representation")
    if any(a >= b for a, b in pairwise(u)):
        raise NumerationError(f"the terms must increase, and {', '.join(map(str, u))} do not")
    transient = next((index for index, value in enumerate(reversed(q)) if value), len(q))
    if transient == len(q):
        raise NumerationError("all coefficients are 0, so the terms do not increase")
    polynomial = (*(-value for value in reversed(q)), 1)
    check_pisot(polynomial[transient:])
    found = growth(polynomial, u)
    result = PisotRecurrence(q, u, found, transient, _pisot_constants(q, u, found))
    _check_increasing(result)
    return result


def _pisot_constants(coefficients: Vector, initial: Vector, found: Growth) -> Recurrence:
    """Return the arrays for the compiled atoms; raises LimitError for terms or coefficients that do not fit them."""
    most = MOST_DIGITS_OF_A_BASE if len(coefficients) == 1 else MOST_DIGITS
    if max(map(abs, coefficients)) >= most or initial[-1] > LARGEST_TERM:
        raise LimitError("the coefficients or initial terms of this recurrence are too large")
    order = len(coefficients)
    terms = list(initial)
    while True:
        following = sum(q * u for q, u in zip(coefficients, reversed(terms[-order:]), strict=True))
        # Terms that do not increase are refused later; here the loop only has to end.
        if following > LARGEST_TERM or following <= terms[-1]:
            break
        terms.append(following)
    one = 1 << found.bits
    return Recurrence(
        0,
        order,
        coefficients[::-1],
        terms,
        # t digits are worth 0 to U_t - 1.
        [0] * len(terms),
        [term - 1 for term in terms],
        [low / one for low, _ in found.powers],
        [nextafter(value / one, inf) for value in found.spread],
        [0.0, 1.0, 1.0],
    )


def _check_increasing(recurrence: PisotRecurrence) -> None:
    """Raise NumerationError for terms that stop increasing.

    Once (beta - 1) U_t exceeds the error bound for U_{t+1} - beta U_t, the next term is larger,
    and then the same holds for it; until then the terms are compared one by one.
    """
    order, bits = recurrence.order, recurrence.growth.bits
    previous = 0
    for window in recurrence.windows():
        if window[0] <= previous:
            polynomial = show(recurrence.polynomial)
            raise NumerationError(
                f"the terms of {polynomial} from {', '.join(map(str, recurrence.initial))} do not increase:"
                f" {previous} is followed by {window[0]}"
            )
        previous = window[0]
        if order == 1:
            return  # the only coefficient is above 1, by the Pisot test
        if (recurrence.growth.powers[1][0] - (1 << bits)) * window[0] > recurrence.growth.spread[1]:
            return


#: The least and the greatest value of t digits, from t and the weights U_0, ..., U_t.
Extremes = Callable[[int, Sequence[int]], tuple[int, int]]


@dataclass(frozen=True, slots=True)
class PeriodicRecurrence(Weights):
    """A recurrence whose coefficients depend on the phase of the position.

    Each of the first `transient` positions is a phase by itself; the others fall into `period` classes by their
    distance from the first of them.  rows: for each phase the coefficients of U_{t-1}, ..., U_{t+d-2} in
    U_{t+d-1}, where t has that phase; initial: U_0, ..., U_{d-1}; extremes: the least and the greatest value of
    t valid digits, given t and at least the weights U_0, ..., U_t; constants: the same facts for the compiled
    atoms.

    In each class the weights and extreme values have to be A + B x^i + C y^i with |x| > 1 > |y|: the error of
    an estimate is then largest for the first i, for the second, or in the limit.
    """

    transient: int
    period: int
    rows: tuple[Vector, ...]
    initial: Vector
    extremes: Extremes
    constants: Recurrence = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "constants", _periodic_constants(self))

    def feedback(self, t: int) -> Vector:
        """Return the coefficients of U_t, ..., U_{t+d-1} in U_{t+d}."""
        position = t + 1
        if position >= self.transient:
            position = self.transient + (position - self.transient) % self.period
        return self.rows[position]

    @property
    def phases(self) -> int:
        """Number of phases."""
        return self.transient + self.period

    def following(self, phase: int) -> list[int]:
        """Return the phases that the position below one of this phase may have."""
        if phase != self.transient:
            return [phase - 1] if phase else []
        return [phase - 1, self.phases - 1] if phase else [self.phases - 1]


def _periodic_constants(weights: PeriodicRecurrence) -> Recurrence:
    """Return the arrays for the compiled atoms; raises LimitError for weights that do not fit them."""
    transient, period, order = weights.transient, weights.period, weights.order
    terms: list[int] = []
    for term in weights.walk():
        terms.append(term)
        if len(terms) > transient + 4 * period + order and abs(terms[-order - period - 1]).bit_length() > FAR_BITS:
            break
    bounds = [weights.extremes(t, terms) for t in range(len(terms))]
    # The first phases are one position each, where everything is computed and nothing estimated.
    powers, spread, ranges = [0.0] * order * transient, [0.0] * order * transient, [0.0] * 3 * transient
    for phase in range(transient, transient + period):
        last = range(phase, len(terms) - order, period)[-1]
        middle = next(t for t in range(phase, last, period) if abs(terms[t]).bit_length() > MIDDLE_BITS)
        measured = [phase, phase + period, middle]
        unit = abs(terms[last])
        for j in range(order):
            powers.append(terms[last + j] / terms[last])
            errors = [abs(terms[t + j] * terms[last] - terms[last + j] * terms[t]) for t in measured]
            spread.append(_above(max(errors) / unit))
        errors = []
        for side in (0, 1):
            ranges.append(bounds[last][side] / unit)
            errors += [abs(bounds[t][side] * unit - bounds[last][side] * abs(terms[t])) for t in measured]
        ranges.append(_above(max(errors) / unit))
    count = next(t for t in range(len(terms)) if abs(terms[t]) > LARGEST_TERM)
    if count < transient + 2 * period + order:
        raise LimitError("the terms of this numeration system grow too fast", hint="take smaller or fewer numbers")
    return Recurrence(
        transient,
        order,
        [value for row in weights.rows for value in row],
        terms[:count],
        [low for low, _ in bounds[:count]],
        [high for _, high in bounds[:count]],
        powers,
        spread,
        ranges,
    )


def _above(value: float) -> float:
    """Return a double above a positive rounded one, with room for the error of the limit itself."""
    return nextafter(value * (1 + 1e-12), inf)
