"""Shared by the solvers of games: terminal positions as intervals, moves as polyhedra, and the positions found."""

from __future__ import annotations

from array import array
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from fibprover.automata.kernels.python.budget import InvalidArrayError, Meter, TooLargeError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

#: Sums of four products of such numbers with coordinates stay in 64 bits.
MOST_COEFFICIENT = 1 << 28
MOST_CONSTANT = 1 << 60

#: The coordinates of positions, and how many of these are terminal.
Solution = tuple["memoryview[int]", "memoryview[int]", int]


class Intervals:
    """Some columns of every row: of row k, from starts[i] to ends[i], offsets[k] <= i < offsets[k+1].

    The intervals of a row are not empty, disjoint and in order, and lie in 0 .. bound-1; InvalidArrayError otherwise.
    """

    def __init__(self, bound: int, offsets: Numbers, starts: Numbers, ends: Numbers) -> None:
        self.rows = len(offsets) - 1
        places = offsets.tolist()
        good = self.rows >= 1 and places[0] == 0 and places[-1] == len(starts) == len(ends)
        if not good or not bool(np.all(np.diff(offsets) >= 0)):
            raise InvalidArrayError("the intervals of terminal positions are out of order or out of range")
        self.of_row = [
            list(zip(starts[begin:end].tolist(), ends[begin:end].tolist(), strict=True))
            for begin, end in pairwise(places)
        ]
        for row in self.of_row:
            previous = -1
            for start, end in row:
                if start <= previous or end < start or end >= bound:
                    raise InvalidArrayError("the intervals of terminal positions are out of order or out of range")
                previous = end

    def marks(self, row: int, first: int, last: int) -> NDArray[np.bool_]:
        """Return which columns of a row, from first to last, are in an interval."""
        marks = np.zeros(last - first + 1, np.bool_)
        for start, end in self.of_row[row]:
            marks[max(start - first, 0) : max(end - first + 1, 0)] = True
        return marks


class Regions:
    """Conjunctions of bounds: region k has rows[offsets[k]] .. rows[offsets[k+1] - 1].

    A row holds the coefficients of some variables and then a constant; it says that the sum is not negative.
    Raises InvalidArrayError for arrays that do not fit, TooLargeError for numbers that are too large.
    """

    def __init__(self, offsets: Numbers, rows: Numbers, width: int) -> None:
        self.regions = len(offsets) - 1
        self.width = width
        places = offsets.tolist()
        if self.regions < 0 or places[0] != 0 or places[-1] != len(rows) or rows.shape[1] != width:
            raise InvalidArrayError("the rows of the moves do not fit together")
        if any(begin > end for begin, end in pairwise(places)):
            raise InvalidArrayError("the rows of the moves do not fit together")
        bounds = rows.tolist()
        for *coefficients, constant in bounds:
            for coefficient in coefficients:
                if abs(coefficient) > MOST_COEFFICIENT:
                    raise TooLargeError(f"a coefficient of {coefficient} in the moves")
            if abs(constant) > MOST_CONSTANT:
                raise TooLargeError(f"a number of {constant} in the moves")
        self.of_region: list[list[list[int]]] = [
            bounds[begin:end] for begin, end in pairwise(places)
        ]


class Found:
    """The positions found so far, and how many of them are terminal."""

    def __init__(self) -> None:
        self.first = array("q")
        self.second = array("q")
        self.terminal = 0

    def put(self, a: int, b: int) -> None:
        """Append a position."""
        self.first.append(a)
        self.second.append(b)

    def export(self) -> Solution:
        """Return the coordinates as read-only memoryviews of "q", and the number of terminal positions."""
        return memoryview(self.first).toreadonly(), memoryview(self.second).toreadonly(), self.terminal


def narrow(slope: int, rest: Any, low: Any, high: Any) -> tuple[Any, Any]:
    """Return the bounds of those x from low to high, which are arrays, for which slope x + rest >= 0."""
    if slope > 0:
        return np.maximum(low, -(rest // slope)), high
    if slope < 0:
        return low, np.minimum(high, rest // -slope)
    return low, np.where(np.asarray(rest) >= 0, high, low - 1)


def least_unmarked(marks: NDArray[np.int32], number: int) -> int:
    """Return the least place whose mark is another number."""
    return int((marks != number).argmax())


def read_only(values: NDArray[np.int32], meter: Meter) -> memoryview[int]:
    """Return the values of a board, row by row, as a read-only memoryview of "i"."""
    meter.poll()
    return memoryview(array("i", values.tobytes())).toreadonly()
