"""Residuals of the positions of one Sprague-Grundy value of a queen with single moves.

The positions are found column by column: that of column a, unless its row is less than a, lies in the least row from
which no move reaches a position of the value, and which is not that of a smaller value.  For each depth, and each pair
of blocks of numbers (those whose representations have a common prefix and so many digits more), hashes of
the positions are added up.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING

from fibprover.automata.kernels.python.budget import InvalidArrayError, Meter, TooLargeError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_DEPTHS = 64
MOST_COLUMNS = 1 << 36
MOST_VALUE = 100

#: Diagonals that may be taken from the first free one on.
WINDOW = 1 << 12

_WORD = (1 << 64) - 1

#: Bytes for the sum of a pair of blocks, and for a row that is taken.
BYTES_OF_PAIR, BYTES_OF_ROW = 240, 80


def queen_residuals(
    bound: int, value: int, steps: NDArray[np.int64], starts: NDArray[np.int64], begins: NDArray[np.int64], meter: Meter
) -> tuple[memoryview[int], memoryview[int], memoryview[int], memoryview[int], int]:
    """Return depths, numbers of blocks and sums, and how many positions (a,b), a <= b < bound, there are."""
    moves = [(int(i), int(j)) for i, j in steps.T]
    blocks = _blocks(bound, value, moves, starts, begins)
    sums: dict[tuple[int, int, int], int] = {}
    count = 0
    columns = [_Columns(moves) for _ in range(value + 1)]
    a = -1
    while a + 1 + columns[-1].free < bound:
        a += 1
        rows: list[int] = []
        for each in columns:
            rows.append(each.enter(a, rows))
        b = rows[-1]
        meter.work(16 * (value + 1))
        if not a <= b < bound:
            continue
        count += 1
        for depth, table in enumerate(blocks):
            if b < table[-1]:
                first, second = bisect_right(table, a) - 1, bisect_right(table, b) - 1
                hashed = _mixed(((a - table[first]) * 0x9E3779B97F4A7C15 + 1) & _WORD)
                key = depth, first, second
                sums[key] = (sums.get(key, 0) + _mixed((hashed + b - table[second]) & _WORD)) & _WORD
        meter.hold(BYTES_OF_PAIR * len(sums) + BYTES_OF_ROW * sum(len(each.rows) for each in columns))
    keys = [*zip(*sums, strict=True)] or [(), (), ()]
    signed = [each - (1 << 64) if each >> 63 else each for each in sums.values()]
    return (*(memoryview(array("i", each)) for each in keys), memoryview(array("q", signed)), count)  # type: ignore[return-value]


def _blocks(
    bound: int, value: int, moves: list[tuple[int, int]], starts: NDArray[np.int64], begins: NDArray[np.int64]
) -> list[list[int]]:
    """Return the beginnings of the blocks of each depth, with the end of the last one."""
    depths = len(begins) - 1
    if not 0 < bound <= MOST_COLUMNS:
        raise TooLargeError(f"a bound of {bound}")
    if not 0 <= value <= MOST_VALUE:
        raise TooLargeError(f"the value {value}")
    if not 0 < depths <= MOST_DEPTHS:
        raise InvalidArrayError("these are no blocks")
    if any(not 0 < number <= WINDOW // 4 for move in moves for number in move):
        raise TooLargeError("a step that is too large")
    if begins[0] < 0 or begins[-1] > len(starts) or any(begins[1:] - begins[:-1] < 2):
        raise InvalidArrayError("these are no blocks")
    found = [starts[first:last].tolist() for first, last in pairwise(begins.tolist())]
    if any(table[0] or any(low >= high for low, high in pairwise(table)) for table in found):
        raise InvalidArrayError("these blocks do not rise")
    return found


class _Columns:
    """The state of the search for one value: rows and diagonals that are taken, and the last positions."""

    def __init__(self, moves: list[tuple[int, int]]) -> None:
        self.moves = moves
        self.reach = max((i for i, _ in moves), default=0) + 1
        #: The first diagonal that is free.
        self.free = 0
        self.rows: set[int] = set()
        self.diagonals: set[int] = set()
        #: The positions of the last columns, and those near the diagonal, both ways.
        self.near: dict[int, set[int]] = {}
        self.lately: dict[int, int] = {}

    def enter(self, a: int, smaller: list[int]) -> int:
        """Return the row of the position of column a, -1 if it is less than a; smaller: those of smaller values."""
        self.lately.pop(a - self.reach, None)
        if a in self.rows:
            self.rows.discard(a)
            return -1
        d = self.free
        while d in self.diagonals or a + d in self.rows or a + d in smaller or self._reached(a, a + d):
            d += 1
            if d - self.free >= WINDOW:
                raise TooLargeError(f"a difference of {d - self.free} more than the least free one")
        b = a + d
        if d:
            self.rows.add(b)
        self.diagonals.add(d)
        while self.free in self.diagonals:
            self.diagonals.discard(self.free)
            self.free += 1
        self.lately[a] = b
        if d <= 2 * self.reach:
            self.near.setdefault(a, set()).add(b)
            self.near.setdefault(b, set()).add(a)
        return b

    def _reached(self, a: int, b: int) -> bool:
        """Return whether a single move from (a,b) leads to a position that was found."""
        return any(
            self.lately.get(a - i) == b - j or b - j in self.near.get(a - i, ()) for i, j in self.moves if i <= a
        )


def _mixed(x: int) -> int:
    """Return a hash of 64 bits."""
    x = (x ^ (x >> 31)) * 0x7FB5D329728EA185 & _WORD
    x = (x ^ (x >> 27)) * 0x81DADEF4BC2DD44D & _WORD
    return x ^ (x >> 33)
