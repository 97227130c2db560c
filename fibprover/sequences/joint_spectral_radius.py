"""The joint spectral radius of the matrices of a sequence, exactly: how fast its greatest values grow.

The product of the matrices along some digits w has an eigenvalue of absolute value r, so that rows grow like r^j along
w^j.  That no products of as many matrices grow faster is proved by an invariant polytope: finitely many rows x, such
that x times each product of |w| matrices, divided by r, is a sum of c y over rows y among them with sum |c| <= 1.
Floating point suggests w and the coefficients c; all is verified in the field of r.  Guglielmi and Protasov, Exact
computation of joint spectral characteristics of linear operators (2013), have the algorithm.

Where there is an invariant subspace and no polytope is found for the whole, there may be one for the subspace and one
for what is left.  Then products grow like the greater r, times a power of the length if several have the same one.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from itertools import product as tuples_of
from math import log
from typing import TYPE_CHECKING, Any

import numpy as np

from fibprover.base.errors import NumerationError
from fibprover.base.limits import poll
from fibprover.base.values import PlainlyDisplayed, value
from fibprover.numeration.number_field import Algebraic, dominant_field
from fibprover.sequences.rational import Matrix, Space, dependence, rows_of, times

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: The greatest dimension, the longest word w, and the most products of one length.
_MOST_DIMENSION, _LONGEST, _MOST_PRODUCTS = 12, 6, 128

#: The most rows of a polytope, and the most beside so many in all directions where there is an invariant subspace.
_MOST_ROWS, _FEW_ROWS = 60, 12

#: The size of rows that make the polytope one of full dimension.
_SMALL = Fraction(1, 16)

#: Rounding errors of numbers, of eigenvalues (of which several may be equal), and of their polynomials.
_NEAR, _EIGEN_NEAR, _ROUNDED = 1e-9, 1e-5, 1e-3

Exact = Fraction | Algebraic
_Row = tuple[Exact, ...]
_Dense = tuple[_Row, ...]


@value
class SpectralRadius(PlainlyDisplayed):
    """The joint spectral radius of some matrices, r^(1/|w|), with what proves it.

    radius: r; word: w, by the numbers of the matrices; rows: of the polytopes; logarithms: products of n matrices grow
    at most like r^(n/|w|) times n to this power, and if it is 0, like r^(n/|w|) along w^j.
    """

    radius: Exact
    word: tuple[int, ...]
    rows: int
    logarithms: int

    @property
    def logarithm(self) -> float:
        """The natural logarithm of the joint spectral radius."""
        return log(float(self.radius)) / len(self.word)

    def __str__(self) -> str:
        root = "" if len(self.word) == 1 else f", to the power 1/{len(self.word)}"
        return f"{self.radius}{root}, by an invariant polytope of {self.rows} rows"


def joint_spectral_radius(matrices: Sequence[Matrix]) -> SpectralRadius | None:
    """Return the joint spectral radius of matrices, which rows are multiplied by; None if no proof is found."""
    size = len(matrices[0]) if matrices else 0
    if not 0 < size <= _MOST_DIMENSION:
        return None
    dense = [tuple(tuple(Fraction(x) for x in row) for row in rows_of(matrix)) for matrix in matrices]
    found = _of_blocks(dense)
    if not found:
        return None
    first = max(found, key=lambda each: each.logarithm)
    near = [each for each in found if first.logarithm - each.logarithm < _NEAR]
    if any(not _are_equal(each, first) for each in near):
        return None
    return SpectralRadius(first.radius, first.word, sum(each.rows for each in found), len(near) - 1)


def _are_equal(one: SpectralRadius, two: SpectralRadius) -> bool:
    """Return whether two joint spectral radii that are near each other are equal; False if that is not known."""
    if isinstance(one.radius, Fraction) and isinstance(two.radius, Fraction):
        return one.radius ** len(two.word) == two.radius ** len(one.word)
    return one.radius == two.radius and len(one.word) == len(two.word)


def _of_blocks(matrices: Sequence[_Dense]) -> list[SpectralRadius]:
    """Return the joint spectral radii of blocks, of the whole if it has a polytope; none if there is no proof."""
    word = _candidate(matrices)
    if word is None:
        return []
    parts = _split(matrices, word)
    found = _Polytope.of(matrices, word, _MOST_ROWS if parts is None else _FEW_ROWS + len(matrices[0]))
    if found is not None:
        return [found]
    if parts is None:
        return []
    rest = [_of_blocks(part) for part in parts]
    return [each for part in rest for each in part] if all(rest) else []


def _candidate(matrices: Sequence[_Dense]) -> tuple[int, ...] | None:
    """Return the shortest word along which products seem to grow fastest."""
    floats = [np.array([[float(x) for x in row] for row in matrix]) for matrix in matrices]
    best: tuple[float, tuple[int, ...]] | None = None
    for length in range(1, _LONGEST + 1):
        if len(matrices) ** length > _MOST_PRODUCTS:
            break
        for word in tuples_of(range(len(matrices)), repeat=length):
            poll("a joint spectral radius")
            whole = np.linalg.multi_dot([floats[each] for each in word]) if length > 1 else floats[word[0]]
            size = float(max(abs(np.linalg.eigvals(whole)))) ** (1 / length)
            if best is None or size > best[0] * (1 + _EIGEN_NEAR):
                best = size, word
    return best[1] if best is not None and best[0] > _NEAR else None


def _times(row: _Row, matrix: _Dense) -> _Row:
    found: list[Exact] = [Fraction(0)] * len(row)
    for factor, entries in zip(row, matrix, strict=True):
        if factor:
            for place, entry in enumerate(entries):
                if entry:
                    found[place] = found[place] + factor * entry
    return tuple(found)


def _product(matrices: Sequence[_Dense], word: Sequence[int]) -> _Dense:
    found = matrices[word[0]]
    for each in word[1:]:
        found = tuple(_times(row, matrices[each]) for row in found)
    return found


# -- eigenvalues ---------------------------------------------------------------------------------


def _eigenvalue(matrix: _Dense) -> tuple[Exact, tuple[int, ...]] | None:
    """Return the absolute value of the greatest eigenvalue of a matrix, and the minimal polynomial of this eigenvalue.

    None for one that is not real, or whose polynomial is not found.  The polynomial has its constant term first; among
    the products of linear factors whose coefficients are near integers it is the first one that makes rows 0, exactly.
    """
    roots = [complex(each) for each in np.linalg.eigvals(np.array([[float(x) for x in row] for row in matrix]))]
    size = max(map(abs, roots))
    near = _EIGEN_NEAR * size
    leading = [each for each in roots if abs(abs(each) - size) < near and abs(each.imag) < near]
    if not leading:
        return None
    sign = 1 if any(each.real > 0 for each in leading) else -1
    roots = sorted((sign * each for each in roots), key=lambda each: abs(each - size))
    for count in range(len(roots)):
        for others in combinations(roots[1:], count):
            coefficients = np.poly([roots[0], *others])
            rounded = [round(each.real) for each in coefficients]
            if max(abs(each - near) for each, near in zip(coefficients, rounded, strict=True)) > _ROUNDED * size**count:
                continue
            polynomial = tuple(int(each) for each in reversed(rounded))
            # That of the opposite number, if the eigenvalue is negative.
            signed = tuple(each * sign ** (len(polynomial) - 1 - power) for power, each in enumerate(polynomial))
            if _annihilated(matrix, signed):
                root = _root(polynomial, size)
                return None if root is None else (root, signed)
    return None


def _annihilated(matrix: _Dense, polynomial: Sequence[int]) -> list[_Row]:
    """Return a basis of the rows that a polynomial in a matrix makes 0."""
    size = len(matrix)
    whole: list[_Row] = [(Fraction(0),) * size] * size
    for coefficient in reversed(polynomial):
        whole = [
            tuple(x + coefficient * y for x, y in zip(_times(row, matrix), unit, strict=True))
            for row, unit in zip(whole, _identity(size), strict=True)
        ]
    return _kernel(whole)


def _kernel(rows: Sequence[_Row]) -> list[_Row]:
    """Return a basis of the rows x with x * rows = 0."""
    size = len(rows)
    left = [(list(row), list(unit)) for row, unit in zip(rows, _identity(size), strict=True)]
    done: list[Any] = []
    for place in range(len(rows[0])):
        pivot = next((each for each in left if each[0][place]), None)
        if pivot is None:
            continue
        left = [each for each in left if each is not pivot]
        for row, trace in left:
            if row[place]:
                factor = row[place] / pivot[0][place]
                row[:] = [x - factor * y for x, y in zip(row, pivot[0], strict=True)]
                trace[:] = [x - factor * y for x, y in zip(trace, pivot[1], strict=True)]
        done.append(pivot)
    return [tuple(trace) for _, trace in left]


def _identity(size: int) -> list[_Row]:
    return [tuple(Fraction(int(i == j)) for j in range(size)) for i in range(size)]


def _root(polynomial: tuple[int, ...], size: float) -> Exact | None:
    """Return the root of an irreducible polynomial that is near a number, and greater than the others."""
    if len(polynomial) == 2:
        return Fraction(-polynomial[0])
    roots = np.roots(polynomial[::-1])
    others = [float(each.real) for each in roots if abs(each.imag) < _NEAR and abs(each.real - size) > _NEAR]
    above = Fraction((size + max([1.0, *others])) / 2).limit_denominator(1 << 20)
    try:
        return dominant_field(polynomial, above).beta
    except NumerationError:
        return None


def _split(matrices: Sequence[_Dense], word: Sequence[int]) -> tuple[list[_Dense], list[_Dense]] | None:
    """Return the matrices on an invariant subspace and on what is left; None if none is seen.

    The subspace is spanned by what the matrices make of a row that an eigenvalue of a matrix, or along a word, has.
    """
    size = len(matrices[0])
    sparse = [tuple(tuple((i, x) for i, x in enumerate(row) if x) for row in matrix) for matrix in matrices]
    for each in dict.fromkeys([tuple(word), *((letter,) for letter in range(len(matrices)))]):
        whole = _product(matrices, each)
        found = _eigenvalue(whole)
        for start in [] if found is None else _annihilated(whole, found[1]):
            space = Space()
            ahead: list[Any] = [start]
            for row in ahead:
                new = space.add(row)
                if new is not None:
                    ahead += [times(new, matrix) for matrix in sparse]  # type: ignore[arg-type]  # fractions
            if len(space.basis) < size:
                return _on_parts(matrices, [space.basis[place] for place in sorted(space.basis)], set(space.basis))
    return None


def _on_parts(
    matrices: Sequence[_Dense], basis: Sequence[tuple[int, ...]], pivots: set[int]
) -> tuple[list[_Dense], list[_Dense]]:
    """Return the matrices on the subspace with a basis in echelon form, and on the space modulo it."""
    size = len(matrices[0])
    rest = [place for place in range(size) if place not in pivots]
    units = [tuple(Fraction(int(place == other)) for other in range(size)) for place in rest]
    rows: list[_Row] = [*(tuple(map(Fraction, row)) for row in basis), *units]
    inner, outer = list[_Dense](), list[_Dense]()
    for matrix in matrices:
        images = [dependence(rows, _times(row, matrix)) for row in rows]  # type: ignore[arg-type]
        exact = [tuple(map(Fraction, image)) for image in images if image is not None]
        inner.append(tuple(row[: len(basis)] for row in exact[: len(basis)]))
        outer.append(tuple(row[len(basis):] for row in exact[len(basis):]))
    return inner, outer


# -- polytopes -----------------------------------------------------------------------------------


class _Polytope:
    """Rows, as exact numbers and in floating point: the polytope of all sums of c y with sum |c| <= 1."""

    def __init__(self, size: int) -> None:
        #: Small rows in all directions, which are the first ones.
        self.units: list[_Row] = [tuple(_SMALL * int(i == j) for j in range(size)) for i in range(size)]
        self.rows: list[_Row] = []
        self.floats: NDArray[np.float64] = np.zeros((0, size))

    @staticmethod
    def of(matrices: Sequence[_Dense], word: Sequence[int], most: int) -> SpectralRadius | None:
        """Return the joint spectral radius if it is that along a word, proved by so many rows at most, or None."""
        whole = _product(matrices, word)
        found = _eigenvalue(whole)
        if found is None or len(matrices) ** len(word) > _MOST_PRODUCTS:
            return None
        radius, size = found[0], len(whole)
        products = [_product(matrices, each) for each in tuples_of(range(len(matrices)), repeat=len(word))]
        scaled = [tuple(tuple(x / radius for x in row) for row in each) for each in products]
        polytope = _Polytope(size)
        leading = polytope.leading(matrices, word, whole, radius)
        for row in (*polytope.units, *leading):
            polytope.add(row)
        if not leading:
            return None
        for row in polytope.rows:
            for matrix in scaled:
                poll("a joint spectral radius")
                image = _times(row, matrix)
                if polytope.has(image):
                    continue
                polytope.add(image)
                if len(polytope.rows) > most:
                    return None
        return SpectralRadius(radius, tuple(word), len(polytope.rows), 0)

    def leading(
        self, matrices: Sequence[_Dense], word: Sequence[int], whole: _Dense, radius: Exact
    ) -> list[_Row]:
        """Return the rows of the eigenvalue, on the way along the word."""
        root = float(radius) ** (1 / len(word))
        found: list[_Row] = []
        for sign in (1, -1):
            shifted = [tuple(x - sign * radius * int(i == j) for j, x in enumerate(row)) for i, row in enumerate(whole)]
            for row in _kernel(shifted):
                scale = Fraction(1 / max(abs(float(x)) for x in row)).limit_denominator(64) or Fraction(1, 64)
                row = tuple(x * scale for x in row)
                step = Fraction(1 / root).limit_denominator(64) or Fraction(1, 64)
                for each in word:
                    found.append(row)
                    row = tuple(x * step for x in _times(row, matrices[each]))
        return found

    def add(self, row: _Row) -> None:
        self.rows.append(row)
        self.floats = np.vstack([self.floats, [float(x) for x in row]])

    def has(self, row: _Row) -> bool:
        """Return whether a row is in the polytope, as far as coefficients are found; they are verified."""
        if not any(row):
            return True
        chosen = _basis(self.floats, np.array([float(x) for x in row]))
        if chosen is None:
            return False
        factors = _solved([self.rows[place] for place in chosen], row)
        if factors is None:
            return False
        total: Exact = Fraction(0)
        for factor in factors:
            total = total + (factor if float(factor) > 0 else -factor)
        # A factor that is near 0 may have the other sign: then the sum is too small.
        safe = all(_is_not_negative(factor if float(factor) > 0 else -factor) for factor in factors)
        return safe and _is_not_negative(1 - total)


def _is_not_negative(number: Exact) -> bool:
    return number >= 0 if isinstance(number, Fraction) else number.sign() >= 0


def _solved(rows: Sequence[_Row], row: _Row) -> list[Exact] | None:
    """Return the factors with which independent rows add up to a row, exactly; None if they do not."""
    table = [[each[place] for each in (*rows, row)] for place in range(len(row))]
    for column in range(len(rows)):
        pivot = next((i for i in range(column, len(table)) if table[i][column]), None)
        if pivot is None:
            return None
        table[column], table[pivot] = table[pivot], table[column]
        inverse = 1 / table[column][column]
        table[column] = [x * inverse for x in table[column]]
        for i, other in enumerate(table):
            if i != column and other[column]:
                factor = other[column]
                table[i] = [x - factor * y for x, y in zip(other, table[column], strict=True)]
    return [each[-1] for each in table[: len(rows)]]


def _basis(rows: NDArray[np.float64], row: NDArray[np.float64]) -> list[int] | None:
    """Return the rows with which a row is a sum of c y with the least sum of |c|; None if that is above 1.

    This is the simplex method in floating point: the columns are rows and their opposites; the first rows are a basis.
    """
    size = len(row)
    chosen = list(range(size))
    for _ in range(50 * size):
        matrix = rows[chosen]
        try:
            factors = np.linalg.solve(matrix.T, row)
            signs = np.where(factors < 0, -1.0, 1.0)
            worth = np.linalg.solve(matrix, signs)
        except np.linalg.LinAlgError:
            return None
        gains = rows @ worth
        best = int(np.argmax(np.abs(gains)))
        if abs(gains[best]) <= 1 + _NEAR:
            return chosen if float(np.abs(factors).sum()) <= 1 + _NEAR else None
        entering = np.linalg.solve(matrix.T, rows[best] * np.sign(gains[best])) * signs
        sizes = np.abs(factors)
        ratios = [sizes[i] / entering[i] if entering[i] > _NEAR else np.inf for i in range(size)]
        leaving = int(np.argmin(ratios))
        if not np.isfinite(ratios[leaving]):
            return None
        chosen[leaving] = best
    return None
