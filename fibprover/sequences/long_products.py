"""The value of a linear representation at a long word: a tree of products of matrices of integers.

The row times one matrix after the other takes time quadratic in the digits.  In a tree the factors of a product are of
equal length, where Python's multiplication, and that of FLINT if python-flint is installed, is faster than that.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from operator import mul
from typing import Any

from fibprover.base.limits import poll
from fibprover.sequences.rational import flint

#: Words from this length on are multiplied in a tree.
LONG = 3000

#: The row is multiplied by so many products at the top, where a product of matrices would cost most.
_TOP = 8

#: The most different parts of a word whose products are kept.
_MOST_PARTS = 4096

_Rows = tuple[tuple[int, ...], ...]


def long_product(
    entering: Sequence[int | Fraction], leaving: Sequence[int | Fraction],
    matrices: Sequence[Sequence[Sequence[tuple[int, int | Fraction]]]], word: Sequence[int],
) -> int | Fraction:
    """Return v M[d1] ... M[dl] w for a word of digits; matrices: rows of pairs (column, entry)."""
    scale = lcm(*(entry.denominator for matrix in matrices for row in matrix for _, entry in row))
    dense = [_dense(matrix, scale) for matrix in matrices]
    length = 1
    while len(matrices) ** (length + 1) <= _MOST_PARTS:
        length += 1
    arithmetic = _FlintProducts() if flint() is not None else _PythonProducts()
    known: dict[tuple[int, ...], Any] = {}
    # The first part has the digits that are left over.
    first = len(word) % length
    parts: list[tuple[int, ...]] = [tuple(word[:first])] if first else []
    parts += (tuple(word[place : place + length]) for place in range(first, len(word), length))
    factors = []
    for part in parts:
        if part not in known:
            known[part] = _part(arithmetic, dense, part)
        factors.append(known[part])
    top_scale = lcm(*(entry.denominator for entry in (*entering, *leaving)))
    row = arithmetic.row([int(entry * top_scale) for entry in entering])
    column = [int(entry * top_scale) for entry in leaving]
    while len(factors) > _TOP:
        poll()
        pairs = [arithmetic.times(a, b) for a, b in zip(factors[::2], factors[1::2], strict=False)]
        factors = pairs + factors[len(factors) & ~1 :]
    for factor in factors:
        row = arithmetic.times(row, factor)
    total = sum(map(mul, arithmetic.entries(row), column))
    found = Fraction(total, scale ** len(word) * top_scale**2) if scale * top_scale > 1 else total
    return found.numerator if found.denominator == 1 else found


def _dense(matrix: Sequence[Sequence[tuple[int, int | Fraction]]], scale: int) -> _Rows:
    """Return a matrix times a number that makes its entries integers."""
    rows = []
    for row in matrix:
        entries = [0] * len(matrix)
        for column, entry in row:
            entries[column] = int(entry * scale)
        rows.append(tuple(entries))
    return tuple(rows)


def _part(arithmetic: _PythonProducts | _FlintProducts, dense: Sequence[_Rows], part: Sequence[int]) -> Any:
    found = dense[part[0]]
    for digit in part[1:]:
        found = _multiplied(found, dense[digit])
    return arithmetic.matrix(found)


def _multiplied(a: _Rows, b: _Rows) -> _Rows:
    columns = tuple(zip(*b, strict=True))
    return tuple(tuple(sum(map(mul, row, column)) for column in columns) for row in a)


class _PythonProducts:
    """Products by Python's integers."""

    def matrix(self, rows: _Rows) -> _Rows:
        return rows

    def row(self, entries: Sequence[int]) -> _Rows:
        return (tuple(entries),)

    def times(self, a: _Rows, b: _Rows) -> _Rows:
        return _multiplied(a, b)

    def entries(self, row: _Rows) -> Sequence[int]:
        return row[0]


class _FlintProducts:
    """Products by FLINT."""

    def matrix(self, rows: _Rows) -> Any:
        return flint().fmpz_mat([list(row) for row in rows])

    def row(self, entries: Sequence[int]) -> Any:
        return self.matrix((tuple(entries),))

    def times(self, a: Any, b: Any) -> Any:
        return a * b

    def entries(self, row: Any) -> Sequence[int]:
        return [int(row[0, column]) for column in range(row.ncols())]
