"""Lengths of words w, m(w) with letters around, m of that, ...: their order, proved for all of them at once.

The numbers of letters of such words are vectors with v(k+1) = A v(k) + c for one matrix A without negative entries, a
power of that of a morphism, and lengths are a linear function of them.  That u(k), the difference of two lengths, is
positive from some k on follows from one difference of vectors v(k+1) - v(k) without negative entries, since all later
ones have none either; that it is 0 follows from as many zeros as the recurrence is long (Cayley and Hamilton).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from fibprover.base.values import value

Vector = tuple[int, ...]
Matrix = tuple[Vector, ...]

#: So many terms are looked at for a proof.
MOST_TERMS = 60


def times(matrix: Matrix, vector: Sequence[int]) -> Vector:
    """Return the product of a matrix and a vector."""
    return tuple(sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)


def plus(one: Sequence[int], two: Sequence[int]) -> Vector:
    """Return the sum of two vectors."""
    return tuple(a + b for a, b in zip(one, two, strict=True))


def minus(one: Sequence[int], two: Sequence[int]) -> Vector:
    """Return the difference of two vectors."""
    return tuple(a - b for a, b in zip(one, two, strict=True))


def letter_counts(word: str, size: int) -> Vector:
    """Return how often each of the letters 0, ..., size - 1 is in a word."""
    return tuple(word.count(chr(letter)) for letter in range(size))


@value
class Orbit:
    """The vectors v(0) = start, v(k+1) = matrix^period v(k) + constant, and the lengths weights * v(k) + offset."""

    matrix: Matrix
    period: int
    start: Vector
    constant: Vector
    weights: Vector
    offset: int

    def after(self, vector: Vector) -> Vector:
        """Return the vector after one of them."""
        for _ in range(self.period):
            vector = times(self.matrix, vector)
        return plus(vector, self.constant)

    def vectors(self, count: int) -> list[Vector]:
        """Return the first vectors."""
        found = [self.start]
        while len(found) < count:
            found.append(self.after(found[-1]))
        return found[:count]

    def length(self, vector: Vector) -> int:
        """Return the length of a word with so many letters of each kind."""
        return sum(a * b for a, b in zip(self.weights, vector, strict=True)) + self.offset

    def lengths(self, count: int) -> list[int]:
        """Return the first lengths."""
        return [self.length(each) for each in self.vectors(count)]

    def below(self, bound: int) -> list[int]:
        """Return the lengths below a bound, which grow."""
        found: list[int] = []
        vector = self.start
        while (length := self.length(vector)) < bound:
            found.append(length)
            vector = self.after(vector)
        return found

    def later(self, count: int) -> Orbit:
        """Return the orbit without its first vectors."""
        return Orbit(self.matrix, self.period, self.vectors(count + 1)[-1], self.constant, self.weights, self.offset)

    def split(self, parts: int) -> list[Orbit]:
        """Return every so many-th vector, from each of the first ones on."""
        constant = self.constant
        for _ in range(parts - 1):
            constant = self.after(constant)
        return [
            Orbit(self.matrix, self.period * parts, each, constant, self.weights, self.offset)
            for each in self.vectors(parts)
        ]


@value
class Difference:
    """u(k) = weights * d(k) + offset for vectors d(k+1) = matrix^period d(k) + constant, which may be negative.

    No weight is negative.
    """

    orbit: Orbit

    def sign_from(self) -> tuple[int, int] | None:
        """Return the sign of all u(k) from some k on, and that k; None if no proof is found."""
        orbit = self.orbit
        order = len(orbit.matrix) + 2
        vectors, terms = [orbit.start], [orbit.length(orbit.start)]
        zeros = 1 if not terms[0] else 0
        for k in range(MOST_TERMS):
            vectors.append(orbit.after(vectors[-1]))
            terms.append(orbit.length(vectors[-1]))
            zeros = 0 if terms[-1] else zeros + 1
            if zeros >= order:
                return 0, k + 2 - zeros
            step, sign = minus(vectors[k + 1], vectors[k]), 1 if terms[k] > 0 else -1
            if terms[k] and all(sign * a >= 0 for a in step):
                return sign, self._first(terms, sign, k)
        return self._by_ratio(terms, order)

    def _by_ratio(self, terms: list[int], order: int) -> tuple[int, int] | None:
        """Return the sign if the steps u(k+1) - u(k) are multiples of each other by one factor, not a negative one."""
        steps = [b - a for a, b in pairwise(terms)]
        for k in range(min(10, len(steps) - order - 1)):
            if not steps[k]:
                continue
            factor = Fraction(steps[k + 1], steps[k])
            if factor >= 0 and all(steps[i + 1] == factor * steps[i] for i in range(k, k + order)):
                for i in range(k, len(terms)):
                    if terms[i] and terms[i] * steps[k] >= 0:
                        return (1 if terms[i] > 0 else -1), self._first(terms, 1 if terms[i] > 0 else -1, i)
        return None

    @staticmethod
    def _first(terms: list[int], sign: int, place: int) -> int:
        while place and terms[place - 1] * sign > 0:
            place -= 1
        return place


def difference(one: Orbit, two: Orbit) -> Difference:
    """Return the lengths of an orbit minus those of another one with the same matrix, period and weights."""
    return Difference(Orbit(
        one.matrix, one.period, minus(one.start, two.start), minus(one.constant, two.constant), one.weights,
        one.offset - two.offset,
    ))
