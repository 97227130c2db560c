"""Greedy representations of long numbers: divide and conquer, within a logarithmic factor of multiplication.

Let x have at most 2m digits over weights U, and let w be the first ones, the m digits from place m on.  As weights grow
like a power of the dominant root, w is the representation of some A near x U[m] / U[2m], and what is left,
x - (the value of w at place m), has m digits.  Both halves are represented in the same way.  The value of w at places
m, m+1, ... follows from those at 0, ..., d-1 by the recurrence: x^m modulo its polynomial says how.  As valid words of
a length are in the order of their values, what is left is less than the number of valid words of m digits after w.  The
digits have the right value by construction; that they form a valid word is checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul

from fibprover.automata.dfa import Dfa
from fibprover.base.limits import poll
from fibprover.numeration.weights import LinearRecurrence, Vector

#: Digits of a part that is not halved.
LEAF = 64

#: Bits beyond those of a half to which the ratio of weights is known.
_GUARD = 16

#: How often A is corrected before the digits are given up.
_CORRECTIONS = 4

#: The state that no word leads to.
_DEAD = -1

#: The digits of a part, their values at the places 0, ..., d-1, and the state after them from each state.
_Part = tuple[tuple[int, ...], Vector, tuple[int, ...]]


def represent_by_halves(recurrence: LinearRecurrence, valid: Dfa, number: int) -> tuple[int, ...] | None:
    """Return the valid word of a number that is not negative, most significant digit first, () for 0.

    valid: the automaton of valid words, whose order is that of their values.  None where the halves do not fit
    together.
    """
    halves = _Halves(recurrence, valid)
    level = 0
    while number >= halves.weight(level):
        level += 1
    found = halves.part(number, level)
    if found is None:
        return None
    digits, _, states = found
    if states[0] == _DEAD or not valid.outputs[states[0]]:
        return None
    return digits[next((place for place, digit in enumerate(digits) if digit), len(digits)) :]


class _Halves:
    """Representations with LEAF * 2^level digits, and what is known of the weights at these places."""

    def __init__(self, recurrence: LinearRecurrence, valid: Dfa) -> None:
        self.recurrence = recurrence
        #: For each digit the state after each state, and after the dead one.
        self.steps = [[*(_DEAD for _ in range(valid.states + 1))] for _ in valid.tracks[0].digits]
        for state in range(valid.states):
            for code, target in valid.row(state):
                self.steps[code][state] = target
        #: For each level the number of words between two states.
        self.between = [_words(self.steps, valid.states)]
        self.outputs = valid.outputs
        self.terms = recurrence.terms(LEAF + recurrence.order)
        #: x^(LEAF * 2^level) modulo the polynomial, constant term first.
        self.powers = [self._power(LEAF)]
        #: For each level the ratio U[m] / U[2m], times a power of two, and its exponent.
        self.ratios: list[tuple[int, int]] = []
        self.known: dict[tuple[int, int], _Part | None] = {}

    def _power(self, exponent: int) -> Vector:
        order = self.recurrence.order
        found: Vector = (1, *(0 for _ in range(order - 1)))
        for _ in range(exponent):
            found = self._by_x(found)
        return found

    def _by_x(self, vector: Vector) -> Vector:
        """Return x times a polynomial modulo that of the recurrence."""
        feedback = self.recurrence.feedback(0)
        return tuple(low + vector[-1] * q for low, q in zip((0, *vector[:-1]), feedback, strict=True))

    def _at(self, level: int) -> Vector:
        """Return x^(LEAF * 2^level) modulo the polynomial."""
        while len(self.powers) <= level:
            self.powers.append(_product_modulo(self, self.powers[-1], self.powers[-1]))
        return self.powers[level]

    def weight(self, level: int) -> int:
        """Return U[LEAF * 2^level]."""
        return sum(map(mul, self._at(level), self.recurrence.initial))

    def _ratio(self, level: int) -> tuple[int, int]:
        """Return q and s such that q / 2^s is about U[m] / U[2m], for m = LEAF * 2^level."""
        while len(self.ratios) <= level:
            low, high = self.weight(len(self.ratios)), self.weight(len(self.ratios) + 1)
            bits = low.bit_length() + _GUARD
            inverse = _inverse(high, bits)
            # inverse / 2^(bits + length of high) is 1 / U[2m]
            self.ratios.append(((low * inverse) >> low.bit_length(), bits + high.bit_length() - low.bit_length()))
        return self.ratios[level]

    def part(self, number: int, level: int) -> _Part | None:
        """Return the LEAF * 2^level digits of a number below that weight."""
        if not level:
            return self._leaf(number)
        key = level, number
        if key not in self.known:
            poll()
            self.known[key] = self._halved(number, level - 1)
        return self.known[key]

    def _suffixes(self, level: int, state: int) -> int:
        """Return the number of valid words with LEAF * 2^level digits after a state."""
        while len(self.between) <= level:
            known = self.between[-1]
            columns = list(zip(*known, strict=True))
            self.between.append([[sum(map(mul, row, column)) for column in columns] for row in known])
        return sum(count for count, output in zip(self.between[level][state], self.outputs, strict=True) if output)

    def _leaf(self, number: int) -> _Part:
        digits = []
        for term in self.terms[LEAF - 1 :: -1]:
            if number < term:
                digits.append(0)
                continue
            digit, number = divmod(number, term)
            digits.append(digit)
        turned = digits[::-1]
        values = tuple(sum(map(mul, turned, self.terms[place:])) for place in range(self.recurrence.order))
        after = list(range(len(self.between[0])))
        for digit in digits:
            step = self.steps[digit]
            after = [step[state] for state in after]
        return tuple(digits), values, tuple(after)

    def _halved(self, number: int, level: int) -> _Part | None:
        ratio, exponent = self._ratio(level)
        start = min((number * ratio) >> exponent, self.weight(level) - 1)
        for _ in range(_CORRECTIONS):
            high = self.part(start, level) if start >= 0 else None
            if high is None or high[2][0] == _DEAD:
                return None
            moved = self._moved(high[1], level)
            rest = number - moved[0]
            if 0 <= rest < self._suffixes(level, high[2][0]):
                low = self.part(rest, level)
                if low is None:
                    return None
                values = tuple(map(sum, zip(moved, low[1], strict=True)))
                after = tuple(_DEAD if state == _DEAD else low[2][state] for state in high[2])
                return high[0] + low[0], values, after
            start += -1 if rest < 0 else 1
        return None

    def _moved(self, values: Vector, level: int) -> Vector:
        """Return the values of digits LEAF * 2^level places higher up."""
        power = self._at(level)
        found = [sum(map(mul, power, values))]
        for _ in range(len(values) - 1):
            power = self._by_x(power)
            found.append(sum(map(mul, power, values)))
        return tuple(found)


def _product_modulo(halves: _Halves, a: Vector, b: Vector) -> Vector:
    """Return the product of two polynomials modulo that of the recurrence, by Horner's rule."""
    found: Vector = tuple(0 for _ in a)
    for coefficient in reversed(a):
        found = tuple(high + coefficient * low for high, low in zip(halves._by_x(found), b, strict=True))
    return found


def _inverse(number: int, bits: int) -> int:
    """Return 2^(bits + length) / number, up to a few units, by Newton's method."""
    length = number.bit_length()
    if length > bits + _GUARD:
        # The other digits change less than a unit.
        drop = length - bits - _GUARD
        number, length = number >> drop, length - drop
    if bits <= 1024:
        return (1 << (bits + length)) // number
    half = bits // 2 + 4
    known = _inverse(number, half)
    wrong = (1 << (half + length)) - number * known
    return (known << (bits - half)) + ((known * wrong) >> (2 * half + length - bits))


def _words(steps: Sequence[Sequence[int]], states: int) -> list[list[int]]:
    """Return the number of words with LEAF digits between each two states."""
    found = [[int(a == b) for b in range(states)] for a in range(states)]
    for _ in range(LEAF):
        longer = [[0] * states for _ in range(states)]
        for counts, row in zip(found, longer, strict=True):
            for state, count in enumerate(counts):
                for step in steps:
                    if count and step[state] != _DEAD:
                        row[step[state]] += count
        found = longer
    return found
