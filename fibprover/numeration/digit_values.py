"""What digits are worth, as exact multiples of the powers of a Pisot number, and what remains.

A transition of the automaton of valid words adds u(t) to the value of a word, where t digits follow.  In a system with
weights U_0, U_1, ... this is the digit times U_t.  In any other system whose numbers are ordered as their words are,
it is how many words of t digits follow the transitions with smaller digits.  If the dominant root beta of the
recurrence of all these sequences is a Pisot number and its conjugates are the only other roots but 0, then
u(t) = c beta^t + e(t) with c in Q(beta), and the errors e(t) have a finite sum.

In an Ostrowski system whose continued fraction has a period of P terms, beta is what the weights grow by in P places:
a digit with t others after it has c beta^q + e(t) with q the quotient of t by P, and c depends on t modulo P.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from fibprover.automata.language import suffix_counts
from fibprover.base.errors import NotSupported, NumerationError
from fibprover.base.limits import poll
from fibprover.numeration.equations import shortest_recurrence
from fibprover.numeration.number_field import KEPT_BITS, Algebraic, NumberField, number_field, without_factors_x
from fibprover.numeration.system import NumerationSystem, PositionalSystem
from fibprover.numeration.weights import PeriodicRecurrence, PisotRecurrence

#: Digits that may follow are counted while beta^t has at most so many bits: errors are then known to many more.
HORIZON_BITS, MOST_HORIZON = 256, 512

#: Terms from which a recurrence of the numbers of words is found.
TERMS = 200

#: The error sequence has to halve within so many steps.
MOST_HALVING = 4000


@dataclass(frozen=True, slots=True)
class DigitValues:
    """The values of the digits of a system; made by `digit_values`.

    field: Q(beta); rows: for each state of a reader its transitions digit -> (state, kind), state 0 at the beginning;
    worth: u(0), u(1), ..., u(horizon - 1) of each kind; limits: c of each kind; errors: bounds of |e(t)| of each kind,
    scaled by 2^KEPT_BITS; tails: a bound of the sum of |e(t)| over t >= horizon of each kind, at that scale;
    transient: the errors obey the recurrence of the conjugates from this t on; period: P.  If P > 1, the state of the
    reader is how many digits are left, modulo P, so that words begin in any state and end in state 0, and a kind has
    u(t) = 0 for t of other residues.
    """

    field: NumberField
    rows: tuple[dict[int, tuple[int, int]], ...]
    worth: tuple[tuple[int, ...], ...]
    limits: tuple[Algebraic, ...]
    errors: tuple[tuple[int, ...], ...]
    tails: tuple[int, ...]
    transient: int
    period: int = 1

    @property
    def starts(self) -> range:
        """The states of the reader at the beginning of a word."""
        return range(self.period)

    def left(self, state: int) -> int:
        """Return how many digits are left at a state of the reader, modulo the period."""
        return state if self.period > 1 else 0

    def grows(self, left: int) -> bool:
        """Return whether the unit of a word, beta^q for q periods left, is beta times that of one digit less."""
        return left % self.period == 0

    @property
    def horizon(self) -> int:
        """How many terms of each sequence are known."""
        return len(self.worth[0])


def digit_values(system: NumerationSystem) -> DigitValues:
    """Return what the digits of a system of naturals are worth; raises NotSupported if no Pisot number governs them."""
    base = system.msd_first
    if base.signed:
        raise _not_of_pisot_type(system)
    try:
        if isinstance(base, PositionalSystem) and isinstance(base.weights, PisotRecurrence):
            field, transient = _field(base.weights.polynomial)
            terms = base.weights.terms(_horizon(field))
            rows: tuple[dict[int, tuple[int, int]], ...] = ({digit: (0, digit) for digit in base.digits},)
            worth = [tuple(digit * term for term in terms) for digit in base.digits]
        elif isinstance(base, PositionalSystem) and isinstance(base.weights, PeriodicRecurrence):
            return _periodic(base.digits, base.weights)
        else:
            rows, polynomial, worth = _counted(base)
            field, transient = _field(polynomial)
            horizon = _horizon(field)
            worth = [_continued(each, polynomial, horizon) for each in worth]
    except NumerationError as problem:
        raise _not_of_pisot_type(system) from problem
    return _with_limits(field, transient, rows, worth)


def _periodic(digits: Sequence[int], weights: PeriodicRecurrence) -> DigitValues:
    """Return the values of the digits of a system whose weights have a recurrence for P places."""
    period, transient = weights.period, -(-weights.transient // weights.period)
    terms = weights.terms(period * (transient + TERMS))
    polynomial = (*(-entry for entry in reversed(shortest_recurrence(terms[transient * period :: period]))), 1)
    field, more = _field(polynomial)
    if more:
        raise NumerationError("the weights have a recurrence with the root 0")
    horizon = _horizon(field)
    terms = weights.terms(period * horizon)
    kinds = [(digit, rest) for rest in range(period) for digit in digits]
    for rest in range(period):
        part = terms[rest::period]
        if _continued(part[transient:], polynomial, horizon - transient) != tuple(part[transient:]):
            raise NumerationError("the weights have no recurrence from period to period")
    single = _with_limits(
        field, transient, (), [tuple(digit * term for term in terms[rest::period]) for digit, rest in kinds]
    )

    def spread(parts: Sequence[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
        return tuple(
            tuple(part[t // period] if t % period == rest else 0 for t in range(period * horizon))
            for part, (_, rest) in zip(parts, kinds, strict=True)
        )

    rows = tuple(
        {digit: ((left - 1) % period, (left - 1) % period * len(digits) + digit) for digit in digits}
        for left in range(period)
    )
    return replace(
        single, rows=rows, worth=spread(single.worth), errors=spread(single.errors), transient=transient * period,
        period=period,
    )


def _not_of_pisot_type(system: NumerationSystem) -> NotSupported:
    what = f"the values of words of {system.name} are not multiples of the powers of one Pisot number"
    return NotSupported(what, system.name, 0, len(system.name))


def _field(polynomial: Sequence[int]) -> tuple[NumberField, int]:
    part, transient = without_factors_x(tuple(polynomial))
    return number_field(part), transient


def _horizon(field: NumberField) -> int:
    """Return how many terms are computed."""
    if field.degree == 1:
        return MOST_HORIZON  # There are no errors.
    beta, t, power = float(field.beta), 0, 1.0
    while t < MOST_HORIZON and power < 2.0**HORIZON_BITS:
        t, power = t + 1, power * beta
    return t


def _counted(
    system: NumerationSystem,
) -> tuple[tuple[dict[int, tuple[int, int]], ...], tuple[int, ...], list[tuple[int, ...]]]:
    """Return the transitions of the valid words, the recurrence of their values, and TERMS values of each kind."""
    valid = system.valid
    counts = list(islice(suffix_counts(valid), TERMS))
    # One sum of all sequences has the recurrence of each of them, unless something cancels: this is checked.
    mixed = [sum((7**state % 1009) * count for state, count in enumerate(line)) for line in counts]
    polynomial = (*(-entry for entry in reversed(shortest_recurrence(mixed))), 1)
    order = len(polynomial) - 1
    for state in range(valid.states):
        for t in range(valid.states + 1):
            if sum(entry * counts[t + j][state] for j, entry in enumerate(polynomial)):
                raise NumerationError("the words from some state have another recurrence")
    if 2 * (order + valid.states) > TERMS:
        raise NumerationError("too many states")
    rows: list[dict[int, tuple[int, int]]] = []
    kinds: list[tuple[int, ...]] = []
    for state in range(valid.states):
        row = {}
        before: list[int] = []
        for code, target in valid.row(state):
            row[valid.letter(code)[0]] = (target, len(kinds))
            kinds.append(tuple(sum(line[each] for each in before) for line in counts))
            before.append(target)
        rows.append(row)
    return tuple(rows), polynomial, kinds


def _continued(terms: Sequence[int], polynomial: Sequence[int], count: int) -> tuple[int, ...]:
    """Return this many terms of a sequence with a characteristic polynomial."""
    found = list(terms[: len(polynomial) - 1])
    while len(found) < count:
        found.append(-sum(entry * found[j - len(polynomial) + 1] for j, entry in enumerate(polynomial[:-1])))
    return tuple(found[:count])


def _with_limits(
    field: NumberField, transient: int, rows: tuple[dict[int, tuple[int, int]], ...], worth: Sequence[tuple[int, ...]]
) -> DigitValues:
    """Return the values with their limits and errors.

    With s(x) the minimal polynomial divided by x - beta, the sum of s_j u(t+j) is c beta^t s(beta) after the transient
    terms, because s has all other roots.
    """
    divisor = [field.number(1)]
    for entry in reversed(field.polynomial[1:-1]):
        divisor.insert(0, divisor[0] * field.beta + entry)
    powers = [field.number(1)]
    while len(powers) < len(worth[0]):
        powers.append(powers[-1] * field.beta)
    scale = (
        sum((entry * powers[j] for j, entry in enumerate(divisor)), field.number(0)) * powers[transient]
    ).inverse()
    limits, errors, tails = [], [], []
    halving = _halving(field, divisor[:-1]) if field.degree > 1 else 0
    for terms in worth:
        poll("the values of digits")
        total = sum((entry * terms[transient + j] for j, entry in enumerate(divisor)), field.number(0))
        limits.append(total * scale)
        if field.degree == 1 and not transient:
            found = [0] * len(terms)
        else:
            found = [_size(term - limits[-1] * power) for term, power in zip(terms, powers, strict=True)]
        errors.append(tuple(found))
        # All errors from some t on are at most the greatest of the next `halving`, and then half as large, and so on.
        tails.append(2 * halving * max(found[-halving:]) if halving else 0)
        if halving and halving > len(found) - transient:
            raise NotSupported("the errors of digits vanish too slowly", "", 0, 0)
    return DigitValues(field, rows, tuple(worth), tuple(limits), tuple(errors), tuple(tails), transient)


def _size(number: Algebraic) -> int:
    """Return an upper bound of the absolute value, scaled by 2^KEPT_BITS."""
    low, high = number.interval()
    return max(abs(low), abs(high)) if any(number.coefficients) else 0


def _halving(field: NumberField, divisor: Sequence[Algebraic]) -> int:
    """Return an n, at least the order, such that x^n modulo s has coefficients of absolute sum at most 1/2.

    divisor: the coefficients of s below its leading 1.  A sequence with this characteristic polynomial is then at most
    half as large n terms later.
    """
    size = len(divisor)
    power = [-entry for entry in divisor]
    for count in range(size, MOST_HALVING):
        if sum(map(_size, power)) <= 1 << (KEPT_BITS - 1):
            return count
        top = power[-1]
        power = [low - top * entry for low, entry in zip((field.number(0), *power[:-1]), divisor, strict=True)]
    raise NumerationError("the conjugates are too near the unit circle")
