"""Sequences of numbers with a linear representation, as values to calculate with.

A sequence of n is given by a row v, a column w and a matrix M[d] for each digit d: its value is v M[d1] ... M[dl] w
for the representation d1 ... dl of n, most significant digit first, and 0 for words that represent no number.  Zeros in
front change nothing.  Representations are kept minimal by exact linear algebra over the rationals, so that equality is
decided: a difference is zero exactly if its dimension is 0.  Berstel and Reutenauer, Noncommutative Rational Series
with Applications, chapters 1 and 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from fibprover.automata.digit_order import lsd_first
from fibprover.errors import AutomatonError, LimitError
from fibprover.limits import poll
from fibprover.numeration.system import NumerationSystem, system_of
from fibprover.values import Printed
from fibprover.verdict.linear_representation import MOST_STATES, LinearRepresentation, tracks

Number = int | Fraction
Vector = tuple[Number, ...]
#: The rows of a matrix without their zeros: pairs (column, entry).
Matrix = tuple[tuple[tuple[int, Number], ...], ...]

#: How many values `str` shows.
_FIRST = 16


@dataclass(frozen=True, slots=True, eq=False)
class Series(Printed):
    """A sequence of rational numbers with a minimal linear representation; `a + b`, `a - b`, `a * b`, `2 * a`, `a[n]`.

    system: that of the index; entering: the row v; leaving: the column w; matrices: M[0], M[1], ..., a digit each,
    most significant digit first also for lsd systems.  `a * b` has the products of the values.  `a == b` is a proof
    that the sequences have the same values at all numbers; sequences of different systems are not equal.
    """

    system: NumerationSystem
    entering: Vector
    leaving: Vector
    matrices: tuple[Matrix, ...]

    @property
    def dimension(self) -> int:
        """The least dimension of a linear representation that is 0 for words which represent no number."""
        return len(self.entering)

    def __getitem__(self, number: int) -> Number:
        """Return the value at a number, exactly; quadratic in its digits.

        AutomatonError for a negative number where the system has none.
        """
        if number < 0 and not self.system.signed:
            raise AutomatonError(f"{number} is no number of {self.system.name}")
        row = self.entering
        for digit in self.system.represent(number):
            row = _times(row, self.matrices[digit])
        return _product(row, self.leaving)

    def __add__(self, other: object) -> Series:
        summand = self._operand(other)
        if summand is None:
            return NotImplemented
        shift = self.dimension
        parts = tuple(
            (*one, *(tuple((column + shift, entry) for column, entry in row) for row in two))
            for one, two in zip(self.matrices, summand.matrices, strict=True)
        )
        entering, leaving = (*self.entering, *summand.entering), (*self.leaving, *summand.leaving)
        return _minimal(self.system, entering, leaving, parts)

    __radd__ = __add__

    def __neg__(self) -> Series:
        return Series(self.system, self.entering, tuple(-entry for entry in self.leaving), self.matrices)

    def __sub__(self, other: object) -> Series:
        subtrahend = self._operand(other)
        return NotImplemented if subtrahend is None else self + -subtrahend

    def __rsub__(self, other: object) -> Series:
        return -self + other

    def __mul__(self, other: object) -> Series:
        if isinstance(other, int | Fraction):
            column = tuple(_plain(entry * other) for entry in self.leaving)
            return _minimal(self.system, self.entering, column, self.matrices)
        factor = self._operand(other)
        if factor is None:
            return NotImplemented
        parts = tuple(
            tuple(
                tuple((i * factor.dimension + j, x * y) for i, x in left for j, y in right)
                for left in one
                for right in two
            )
            for one, two in zip(self.matrices, factor.matrices, strict=True)
        )
        entering = tuple(x * y for x in self.entering for y in factor.entering)
        leaving = tuple(x * y for x in self.leaving for y in factor.leaving)
        return _minimal(self.system, entering, leaving, parts)

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Series):
            return NotImplemented
        return self.system.track("n") == other.system.track("n") and not (self - other).dimension

    def __hash__(self) -> int:
        # Equal sequences have equal first values; their minimal representations may differ in the basis.
        return hash((self.system.track("n"), tuple(self[number] for number in range(8))))

    def values(self, most: int = MOST_STATES) -> frozenset[Number]:
        """Return the set of all values, proved: no other value occurs.

        A sequence has finitely many values exactly if its minimal representation has finitely many rows v M[word].
        LimitError if there are more than `most` rows, which is no proof that there are infinitely many.
        """
        valid = self.system.valid
        start = (self.entering, 0)
        seen, ahead = {start}, [start]
        found = set()
        for row, state in ahead:
            poll()
            if valid.outputs[state]:
                found.add(_product(row, self.leaving))
            for code, target in valid.row(state):
                following = (_times(row, self.matrices[valid.letter(code)[0]]), target)
                if following not in seen:
                    if len(seen) >= most:
                        what = f"the values of this sequence take more than {most} states"
                        raise LimitError(what, hint="if they are finitely many at all; ask for more states")
                    seen.add(following)
                    ahead.append(following)
        return frozenset(found)

    def _operand(self, other: object) -> Series | None:
        """Return another sequence of this system, or the constant sequence of a number; None for other values."""
        if isinstance(other, int | Fraction):
            return constant(self.system, other)
        if not isinstance(other, Series):
            return None
        if self.system.track("n") != other.system.track("n"):
            raise AutomatonError(f"sequences of different systems: {self.system.name} and {other.system.name}")
        return other

    def __repr__(self) -> str:
        return f"Series({self.system.name}; dimension {self.dimension})"

    def __str__(self) -> str:
        first = ", ".join(str(self[number]) for number in range(_FIRST))
        return f"sequence over {self.system.name}, linear representation of dimension {self.dimension}: {first}, ..."


def series(representation: LinearRepresentation) -> Series:
    """Return the sequence of the counts of a representation; AutomatonError unless it has one variable."""
    if len(representation.variables) != 1:
        raise AutomatonError("a sequence has one variable", hint="take the linear representation for several")
    (track,) = tracks(representation)
    turned = lsd_first(track)
    parts = []
    for digit in track.digits:
        entries = representation.arcs[digit,]
        if turned:
            entries = tuple((column, row, number) for row, column, number in entries)
        parts.append(_matrix(representation.states, entries))
    entering, leaving = representation.entering, representation.leaving
    if turned:
        entering, leaving = leaving, entering
    system = system_of(track, representation.relation.system)
    return _minimal(system, entering, leaving, tuple(parts))


def constant(system: NumerationSystem, number: Number) -> Series:
    """Return the sequence with one value at all numbers of a system."""
    valid = system.valid
    entering = (1, *(0 for _ in range(valid.states - 1)))
    leaving = tuple(number if output else 0 for output in valid.outputs)
    entries: dict[int, list[tuple[int, int, Number]]] = {digit: [] for digit in system.digits}
    for state in range(valid.states):
        for code, target in valid.row(state):
            entries[valid.letter(code)[0]].append((state, target, 1))
    parts = tuple(_matrix(valid.states, entries[digit]) for digit in system.digits)
    return _minimal(system, entering, leaving, parts)


def _minimal(system: NumerationSystem, entering: Vector, leaving: Vector, matrices: tuple[Matrix, ...]) -> Series:
    """Return the sequence with its representation minimized: reachable rows, then columns.  O(dimension^3) a digit."""
    entering, leaving, matrices = _reachable(entering, leaving, matrices)
    turned = tuple(_transposed(matrix) for matrix in matrices)
    leaving, entering, turned = _reachable(leaving, entering, turned)
    return Series(system, entering, leaving, tuple(_transposed(matrix) for matrix in turned))


def _reachable(
    entering: Vector, leaving: Vector, matrices: tuple[Matrix, ...]
) -> tuple[Vector, Vector, tuple[Matrix, ...]]:
    """Return the representation on the space of the rows v M[word].

    Its basis is in reduced echelon form, so the coordinates of a row are its entries at the pivots.
    """
    basis: dict[int, Vector] = {}
    ahead = [entering]
    for row in ahead:
        poll()
        new = _reduced(row, basis)
        pivot = next((place for place, entry in enumerate(new) if entry), None)
        if pivot is None:
            continue
        unit = _scaled(new, Fraction(1) / new[pivot])
        for place, known in basis.items():
            if known[pivot]:
                basis[place] = _less(known, known[pivot], unit)
        basis[pivot] = unit
        ahead.extend(_times(unit, matrix) for matrix in matrices)
    pivots = sorted(basis)
    smaller = []
    for matrix in matrices:
        images = [_times(basis[place], matrix) for place in pivots]
        smaller.append(tuple(
            tuple((column, image[place]) for column, place in enumerate(pivots) if image[place]) for image in images
        ))
    column = tuple(_product(basis[place], leaving) for place in pivots)
    return tuple(entering[place] for place in pivots), column, tuple(smaller)


def _reduced(row: Vector, basis: dict[int, Vector]) -> Vector:
    for place, known in basis.items():
        if row[place]:
            row = _less(row, row[place], known)
    return row


def _less(row: Vector, factor: Number, other: Vector) -> Vector:
    return tuple(_plain(x - factor * y) if y else x for x, y in zip(row, other, strict=True))


def _scaled(row: Vector, factor: Number) -> Vector:
    return tuple(_plain(entry * factor) for entry in row)


def _plain(number: Number) -> Number:
    """Return an integer as an int, which is faster."""
    return number.numerator if number.denominator == 1 else number


def _times(row: Vector, matrix: Matrix) -> Vector:
    following: list[Number] = [0] * len(row)
    for factor, entries in zip(row, matrix, strict=True):
        if factor:
            for column, entry in entries:
                following[column] += factor * entry
    return tuple(map(_plain, following))


def _product(row: Vector, column: Vector) -> Number:
    return _plain(sum((x * y for x, y in zip(row, column, strict=True) if x and y), start=Fraction(0)))


def _matrix(states: int, entries: Sequence[tuple[int, int, Number]]) -> Matrix:
    rows: list[list[tuple[int, Number]]] = [[] for _ in range(states)]
    for row, column, entry in entries:
        rows[row].append((column, entry))
    return tuple(map(tuple, rows))


def _transposed(matrix: Matrix) -> Matrix:
    entries = [(column, row, entry) for row, part in enumerate(matrix) for column, entry in part]
    return _matrix(len(matrix), entries)
