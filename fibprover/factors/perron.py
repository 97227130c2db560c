"""The dominant eigenvalue of a primitive matrix, exactly, and the limits of quotients of lengths."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from fibprover.base.errors import Undecided
from fibprover.base.limits import poll
from fibprover.base.values import value
from fibprover.factors.sequences import Matrix, Orbit, Vector
from fibprover.numeration.equations import solved
from fibprover.numeration.number_field import Algebraic, NumberField, dominant_field
from fibprover.numeration.pisot import Polynomial, divides

#: Matrices with more rows have no exact eigenvalues here.
MOST_ROWS = 14

#: Floating point numbers are right up to this.
ROUNDING = 1e-6


def is_primitive(matrix: Matrix) -> bool:
    """Return whether some power of a matrix has no zeros."""
    size = len(matrix)
    rows = [sum(1 << column for column, entry in enumerate(row) if entry) for row in matrix]
    power = rows
    for _ in range(size * size):
        if all(row == (1 << size) - 1 for row in power):
            return True
        following = []
        for row in power:
            found = 0
            for place in range(size):
                found |= rows[place] if row >> place & 1 else 0
            following.append(found)
        power = following
    return False


def eigenvalues(matrix: Matrix) -> list[complex]:
    """Return the eigenvalues as floating point numbers, the dominant one first."""
    import numpy as np

    return sorted(map(complex, np.linalg.eigvals(np.array(matrix, dtype=float))), key=abs, reverse=True)


def characteristic_polynomial(matrix: Matrix) -> Polynomial:
    """Return the characteristic polynomial, constant term first (Faddeev and LeVerrier)."""
    size = len(matrix)
    found = [Fraction(1)]
    current = [[Fraction(0)] * size for _ in range(size)]
    for k in range(1, size + 1):
        for place in range(size):
            current[place][place] += found[-1]
        current = [
            [sum((matrix[i][h] * current[h][j] for h in range(size)), Fraction(0)) for j in range(size)]
            for i in range(size)
        ]
        found.append(-sum((current[i][i] for i in range(size)), Fraction(0)) / k)
    return tuple(int(each) for each in reversed(found))


@value
class Perron:
    """The dominant eigenvalue of a matrix, in its field, and the left eigenvector for it, whose first entry is 1."""

    field: NumberField
    weights: tuple[Algebraic, ...]

    def of(self, vector: Vector) -> Algebraic:
        """Return the sum of the weights of so many letters of each kind."""
        return sum((each * count for each, count in zip(self.weights, vector, strict=True)), self.field.number(0))

    def limit(self, orbit: Orbit) -> Algebraic:
        """Return the limit of the lengths of an orbit, divided by what is the same for all with its matrix and period.
        """
        growth = self.field.beta.power(orbit.period) - 1
        return self.of(orbit.start) + self.of(orbit.constant) / growth


def perron(matrix: Matrix) -> Perron:
    """Return the dominant eigenvalue of a primitive matrix.  Raises Undecided for a large matrix."""
    if len(matrix) > MOST_ROWS:
        raise Undecided(f"a matrix of more than {MOST_ROWS} rows has no exact eigenvalues here")
    polynomial = _minimal(characteristic_polynomial(matrix), eigenvalues(matrix))
    roots = eigenvalues(matrix)
    others = max((abs(each) for each in roots[1:]), default=0.0)
    field = dominant_field(polynomial, Fraction((abs(roots[0]) + max(1.0, others)) / 2).limit_denominator(1 << 20))
    size = len(matrix)
    rows = []
    for column in range(size):
        entries = [field.number(matrix[row][column]) for row in range(size)]
        entries[column] = entries[column] - field.beta
        rows.append([*entries[1:], -entries[0]])
    rest = solved(rows)
    if rest is None:
        raise Undecided("the eigenvector of the matrix is not determined")
    return Perron(field, (field.number(1), *rest))


def _minimal(polynomial: Polynomial, roots: list[complex]) -> Polynomial:
    """Return the factor of a polynomial of the least degree that has the first one of its roots."""
    rest = roots[1:]
    for size in range(len(rest) + 1):
        for others in combinations(rest, size):
            poll("the factors of a polynomial")
            product: list[complex] = [1]
            for root in (roots[0], *others):
                product = [a - root * b for a, b in zip([0, *product], [*product, 0], strict=True)]
            rounded = tuple(round(each.real) for each in product)
            near = all(abs(each - whole) < 1e-3 for each, whole in zip(product, rounded, strict=True))
            if near and divides(rounded, polynomial):
                return rounded
    return polynomial
