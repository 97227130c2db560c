"""The value of a linear representation at a long word: a tree of products of matrices of integers.

The row times one matrix after the other takes time quadratic in the digits.  In a tree the factors of a product are of
equal length, where Python's multiplication, and that of FLINT if python-flint is installed, is faster than that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import reduce
from itertools import chain
from math import lcm
from operator import mul
from typing import Any

from fibprover.base.limits import poll
from fibprover.sequences.rational import Matrix, Number, flint, rows_of

#: Words from this length on are multiplied in a tree.
LONG = 3000

#: The row is multiplied by so many products at the top, where a product of matrices would cost most.
_TOP = 8

#: The most different parts of a word whose products are kept.
_MOST_PARTS = 4096

_Rows = list[list[int]]


def long_product(
    entering: Sequence[Number], leaving: Sequence[Number], matrices: Sequence[Matrix], word: Sequence[int]
) -> Number:
    """Return v M[d1] ... M[dl] w for a word of digits."""
    scale = lcm(*(entry.denominator for matrix in matrices for row in matrix for _, entry in row))
    dense = [[[int(entry * scale) for entry in row] for row in rows_of(matrix)] for matrix in matrices]
    length = 1
    while len(matrices) ** (length + 1) <= _MOST_PARTS:
        length += 1
    made: Callable[[_Rows], Any] = _Product if flint() is None else flint().fmpz_mat
    known: dict[tuple[int, ...], Any] = {}
    # The first part has the digits that are left over.
    first = len(word) % length
    parts: list[tuple[int, ...]] = [tuple(word[:first])] if first else []
    parts += (tuple(word[place : place + length]) for place in range(first, len(word), length))
    factors = []
    for part in parts:
        if part not in known:
            known[part] = made(reduce(_multiplied, (dense[digit] for digit in part)))
        factors.append(known[part])
    top_scale = lcm(*(entry.denominator for entry in (*entering, *leaving)))
    row = made([[int(entry * top_scale) for entry in entering]])
    column = [int(entry * top_scale) for entry in leaving]
    while len(factors) > _TOP:
        poll()
        pairs = [a * b for a, b in zip(factors[::2], factors[1::2], strict=False)]
        factors = pairs + factors[len(factors) & ~1 :]
    for factor in factors:
        row = row * factor
    total = sum(map(mul, map(int, row.entries()), column))
    found = Fraction(total, scale ** len(word) * top_scale**2) if scale * top_scale > 1 else total
    return found.numerator if found.denominator == 1 else found


def _multiplied(a: _Rows, b: _Rows) -> _Rows:
    columns = tuple(zip(*b, strict=True))
    return [[sum(map(mul, row, column)) for column in columns] for row in a]


class _Product:
    """A matrix of integers with what FLINT's matrices have: products, and the entries row by row."""

    def __init__(self, rows: _Rows) -> None:
        self.rows = rows

    def __mul__(self, other: _Product) -> _Product:
        return _Product(_multiplied(self.rows, other.rows))

    def entries(self) -> Iterable[int]:
        return chain.from_iterable(self.rows)
