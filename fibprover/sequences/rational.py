"""Vectors and matrices of rational numbers, and linear representations of least dimension, exactly.

Python's fractions are enough; python-flint, an optional dependency, is faster for hundreds of dimensions.  Both have
the same results, since a space has one basis in reduced echelon form.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from importlib import import_module
from math import gcd, lcm
from typing import Any

from fibprover.base.errors import LimitError
from fibprover.base.limits import poll
from fibprover.numeration.equations import solved

Number = int | Fraction
Vector = tuple[Number, ...]
#: The rows of a matrix without their zeros: pairs (column, entry).
Matrix = tuple[tuple[tuple[int, Number], ...], ...]
#: A row, a column, and a matrix for each letter.
Representation = tuple[Vector, Vector, tuple[Matrix, ...]]

#: The dimensions for which FLINT is used, if it is installed.  Below, fractions are faster, as they leave zeros out;
#: above, its matrices with all their zeros are too large.
LEAST_FOR_FLINT, MOST_FOR_FLINT = 400, 1200

#: A space of at most this dimension is found faster row by row.
_FEW = 40


def minimal(
    entering: Vector, leaving: Vector, matrices: tuple[Matrix, ...], most: int | None = None
) -> Representation:
    """Return the representation of least dimension: reachable rows, then columns.  O(dimension^3) a letter.

    most: LimitError if the space of the reachable rows has a greater dimension.  Berstel and Reutenauer,
    Noncommutative Rational Series with Applications, chapter 2.
    """
    entering, leaving, matrices = reachable(entering, leaving, matrices, most)
    turned = tuple(transposed(matrix) for matrix in matrices)
    leaving, entering, turned = reachable(leaving, entering, turned)
    return entering, leaving, tuple(transposed(matrix) for matrix in turned)


def reachable(
    entering: Vector, leaving: Vector, matrices: tuple[Matrix, ...], most: int | None = None
) -> Representation:
    """Return the representation on the space of the rows v M[word].

    Its basis is in reduced echelon form, so the coordinates of a row are its entries at the pivots.  most: LimitError
    for a greater dimension.
    """
    is_small = most is not None and most <= _FEW
    if not is_small and LEAST_FOR_FLINT <= len(entering) <= MOST_FOR_FLINT and flint() is not None:
        try:
            return reachable_by_fractions(entering, leaving, matrices, _FEW)
        except LimitError:
            return reachable_by_flint(entering, leaving, matrices, most)
    return reachable_by_fractions(entering, leaving, matrices, most)


def _check_dimension(dimension: int, most: int | None) -> None:
    if most is not None and dimension > most:
        raise LimitError(f"the linear representation has a dimension of more than {most}")


def flint() -> Any:
    """Return python-flint, an optional dependency, None if it is not installed."""
    try:
        return import_module("flint")
    except ImportError:
        return None


def reachable_by_flint(
    entering: Vector, leaving: Vector, matrices: tuple[Matrix, ...], most: int | None = None
) -> Representation:
    """Return the same as `reachable`: the images of a basis are added to it until it is a basis of its images."""
    size = len(entering)
    if not any(entering):
        return (), (), tuple(() for _ in matrices)
    dense = [_mat(rows_of(matrix)) for matrix in matrices]
    basis, rank = _mat([entering]).rref()[0], 1
    while True:
        poll()
        rows = [row for each in (basis, *(basis * matrix for matrix in dense)) for row in each.tolist()]
        reduced, found = flint().fmpq_mat(len(rows), size, [entry for row in rows for entry in row]).rref()
        basis = flint().fmpq_mat(found, size, [reduced[i, j] for i in range(found) for j in range(size)])
        if found == rank:
            break
        _check_dimension(found, most)
        rank = found
    pivots = [next(j for j in range(size) if basis[i, j]) for i in range(rank)]
    smaller = []
    for matrix in dense:
        image = basis * matrix
        smaller.append(tuple(
            tuple((column, _number(image[i, place])) for column, place in enumerate(pivots) if image[i, place])
            for i in range(rank)
        ))
    column = basis * _mat([[entry] for entry in leaving])
    return (
        tuple(entering[place] for place in pivots), tuple(_number(column[i, 0]) for i in range(rank)), tuple(smaller)
    )


def _mat(rows: Sequence[Sequence[Number]]) -> Any:
    fmpq = flint().fmpq
    entries = [fmpq(entry.numerator, entry.denominator) for row in rows for entry in row]
    return flint().fmpq_mat(len(rows), len(rows[0]), entries)


def _number(entry: Any) -> Number:
    return plain(Fraction(int(entry.p), int(entry.q)))


class Space:
    """A space of rows, by the integer multiples without a common factor of its basis in reduced echelon form.

    basis: pivot by pivot the row, with a positive entry there.
    """

    def __init__(self) -> None:
        self.basis: dict[int, tuple[int, ...]] = {}

    def add(self, row: Vector) -> tuple[int, ...] | None:
        """Add a row; return the new row of the basis, None if the row was in the space.  O(dimension^2)."""
        basis = self.basis
        common = lcm(*(entry.denominator for entry in row))
        rest = tuple(int(entry * common) for entry in row)
        for place, known in basis.items():
            if rest[place]:
                rest = _without(rest, place, known)
        pivot = next((place for place, entry in enumerate(rest) if entry), None)
        if pivot is None:
            return None
        new = _primitive(rest if rest[pivot] > 0 else tuple(-entry for entry in rest))
        for place, known in basis.items():
            if known[pivot]:
                basis[place] = _without(known, pivot, new)
        basis[pivot] = new
        return new


def _without(row: tuple[int, ...], place: int, other: tuple[int, ...]) -> tuple[int, ...]:
    """Return a positive multiple of a row less a multiple of another one, so that the entry at a place is 0."""
    common = gcd(row[place], other[place])
    size, factor = other[place] // common, row[place] // common
    return _primitive(tuple(size * x - factor * y if y else size * x for x, y in zip(row, other, strict=True)))


def _primitive(row: tuple[int, ...]) -> tuple[int, ...]:
    common = gcd(*row)
    return row if common <= 1 else tuple(entry // common for entry in row)


def reachable_by_fractions(
    entering: Vector, leaving: Vector, matrices: tuple[Matrix, ...], most: int | None = None
) -> Representation:
    """Return the same as `reachable`, row by row."""
    space = Space()
    ahead = [entering]
    for row in ahead:
        poll()
        new = space.add(row)
        if new is not None:
            _check_dimension(len(space.basis), most)
            ahead.extend(times(new, matrix) for matrix in matrices)
    basis = space.basis
    pivots = sorted(basis)
    smaller = []
    for matrix in matrices:
        rows = []
        for pivot in pivots:
            image, size = times(basis[pivot], matrix), basis[pivot][pivot]
            rows.append(tuple(
                (column, _quotient(image[place], size)) for column, place in enumerate(pivots) if image[place]
            ))
        smaller.append(tuple(rows))
    column = tuple(_quotient(product(basis[place], leaving), basis[place][place]) for place in pivots)
    return tuple(entering[place] for place in pivots), column, tuple(smaller)


def _quotient(number: Number, size: int) -> Number:
    return number if size == 1 else plain(Fraction(number) / size)


def plain(number: Number) -> Number:
    """Return an integer as an int, which is faster."""
    return number.numerator if number.denominator == 1 else number


def times(row: Vector, matrix: Matrix) -> Vector:
    """Return a row times a matrix."""
    following: list[Number] = [0] * len(row)
    for factor, entries in zip(row, matrix, strict=True):
        if factor:
            for column, entry in entries:
                following[column] += factor * entry
    return tuple([each if type(each) is int else plain(each) for each in following])


def product(row: Vector, column: Vector) -> Number:
    """Return a row times a column."""
    total: Number = 0
    for x, y in zip(row, column, strict=True):
        if x and y:
            total += x * y
    return plain(total)


def matrix_of(states: int, entries: Sequence[tuple[int, int, Number]]) -> Matrix:
    """Return the matrix with these entries (row, column, entry)."""
    rows: list[list[tuple[int, Number]]] = [[] for _ in range(states)]
    for row, column, entry in entries:
        rows[row].append((column, entry))
    return tuple(map(tuple, rows))


def rows_of(matrix: Matrix) -> list[list[Number]]:
    """Return the rows of a matrix with their zeros."""
    rows: list[list[Number]] = [[0] * len(matrix) for _ in matrix]
    for row, entries in zip(rows, matrix, strict=True):
        for column, entry in entries:
            row[column] = entry
    return rows


def sparse(rows: Iterable[Vector]) -> Matrix:
    """Return the matrix with these rows."""
    return tuple(tuple((column, entry) for column, entry in enumerate(row) if entry) for row in rows)


def transposed(matrix: Matrix) -> Matrix:
    """Return the transposed matrix."""
    entries = [(column, row, entry) for row, part in enumerate(matrix) for column, entry in part]
    return matrix_of(len(matrix), entries)


def dependence(rows: Sequence[Vector], row: Vector) -> Vector | None:
    """Return the factors with which independent rows add up to a row, None if they do not."""
    if not rows:
        return None if any(row) else ()
    # An equation for each entry.
    found = solved([[Fraction(each[place]) for each in (*rows, row)] for place in range(len(row))])
    return None if found is None else tuple(map(plain, found))


def solution(rows: Sequence[Vector], row: Vector) -> Vector:
    """Return the factors with which independent rows, as many as their entries, add up to a row."""
    found = dependence(rows, row)
    assert found is not None
    return found
