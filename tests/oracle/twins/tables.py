"""P-positions and Sprague-Grundy values where the moves are any set of vectors.

Row by row: the vectors (i,j) of one i, shifted to a P-position i rows earlier, say in which columns a move leads to it.
Without blocking the columns are the bits of an integer; with blocking, counts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from fibprover.automata.kernels.python.budget import InvalidArrayError, Meter, TooLargeError
from tests.oracle.twins.boards import Found, Intervals, Solution, least_unmarked, read_only

if TYPE_CHECKING:
    from numpy.typing import NDArray

WIDEST_TABLE = 1 << 17
MOST_BLOCKED = 4000
MOST_GRUNDY_ROWS = 1 << 15

BYTES_OF_POSITION = 24


def table_positions(
    table: NDArray[np.uint8], blocked: int, terminal: Intervals, left_out: bool, meter: Meter
) -> Solution:
    """Return all P-positions (p,q) with p, q < bound: two memoryviews of "q", by p, then q; how many are terminal.

    table: bound x bound, 1 where (i,j) is a move, 0 elsewhere and at (0,0).  terminal: by rows p; left_out: whether
    these positions are left out instead, as if no move led to them.  For M positions and n different i in the table
    O(M n) additions of rows.
    """
    bound = len(table)
    if not 0 < bound <= WIDEST_TABLE:
        raise TooLargeError(f"a table of {bound} rows")
    if not 0 <= blocked <= MOST_BLOCKED:
        raise TooLargeError(f"{blocked} options blocked")
    if table.shape[1] != bound or table[0, 0] or terminal.rows != bound:
        raise InvalidArrayError("this is no table of moves")
    meter.poll()
    found = Found()
    solve = with_blocking if blocked else unblocked
    solve(table, blocked, terminal, left_out, found, meter)
    return found.export()


def rows_before(table: NDArray[np.uint8]) -> list[int]:
    """Return the i > 0 of all vectors (i,j)."""
    return [int(i) for i in np.flatnonzero(table.any(axis=1)) if i]


def unblocked(
    table: NDArray[np.uint8], blocked: int, terminal: Intervals, left_out: bool, found: Found, meter: Meter
) -> None:
    """Find all P-positions if no option may be forbidden."""
    bound = len(table)
    bits = [int.from_bytes(row.tobytes(), "little") for row in np.packbits(table != 0, axis=1, bitorder="little")]
    used, whole = rows_before(table), (1 << bound) - 1
    columns: list[list[int]] = []
    for p in range(bound):
        marked = 0
        for i in used:
            if i > p:
                break
            for q in columns[p - i]:
                marked |= bits[i] << q
            meter.work(len(columns[p - i]) * (1 + (bound >> 10)) + 1)
        ends = 0
        for start, end in terminal.of_row[p]:
            ends |= (1 << end + 1) - (1 << start)
        here: list[int] = []
        left = whole
        if left_out:
            left, ends = whole & ~ends, 0
        found.terminal += ends.bit_count()
        # Those that are left are terminal, or not marked: the next one is the lowest bit.
        while free := (ends | ~marked) & left:
            q = (free & -free).bit_length() - 1
            here.append(q)
            marked |= bits[0] << q
            left = left >> q + 1 << q + 1
        columns.append(here)
        found.first.extend([p] * len(here))
        found.second.extend(here)
        meter.work(16 + len(here))
        meter.hold(BYTES_OF_POSITION * len(found.first) + bound * bound // 8)


def with_blocking(
    table: NDArray[np.uint8], blocked: int, terminal: Intervals, left_out: bool, found: Found, meter: Meter
) -> None:
    """Find all P-positions if up to `blocked` options may be forbidden."""
    bound = len(table)
    used = rows_before(table)
    columns: list[list[int]] = []
    moves_in_row = bool(table[0].any())
    for p in range(bound):
        counts = np.zeros(bound, np.int32)
        for i in used:
            if i > p:
                break
            for q in columns[p - i]:
                counts[q:] += table[i, : bound - q]
            meter.work(len(columns[p - i]) * (4 + (bound >> 6)) + 1)
        ends = terminal.marks(p, 0, bound - 1)
        here: list[int] = []
        candidates = (counts <= blocked) & ~ends if left_out else (counts <= blocked) | ends
        found.terminal += 0 if left_out else int(ends.sum())
        for q in np.flatnonzero(candidates).tolist():
            # Positions found since then may have added to the counts.
            if ends[q] or counts[q] <= blocked:
                here.append(q)
                if moves_in_row:
                    counts[q:] += table[0, : bound - q]
                    meter.work(4 + (bound >> 6))
        columns.append(here)
        found.first.extend([p] * len(here))
        found.second.extend(here)
        meter.work(16)
        meter.hold(BYTES_OF_POSITION * len(found.first))


def table_grundy(bound: int, vectors: Intervals, terminal: Intervals, meter: Meter) -> memoryview[int]:
    """Return the values of the positions (p,q) with p, q < bound as a memoryview of "i", row by row.

    vectors: by i, intervals of the j for which (i,j) is a move; (0,0) is none.  terminal: by rows; those positions have
    the value 0.  O(bound^2) times the number of vectors; 4 bytes a position.
    """
    if not 0 < bound <= MOST_GRUNDY_ROWS:
        raise TooLargeError(f"a bound of {bound}")
    if vectors.rows != bound or terminal.rows != bound or (vectors.of_row[0] and not vectors.of_row[0][0][0]):
        raise InvalidArrayError("these are no moves")
    meter.hold(4 * bound * bound)
    meter.poll()
    board = np.zeros((bound, bound), np.int32)
    marks = np.zeros(2 * bound + 1, np.int32)
    number = 0
    steps = vectors_by_row(vectors)
    for p in range(bound):
        i, j = steps(p)
        rows = p - i
        ends = terminal.marks(p, 0, bound - 1).tolist()
        for q in range(bound):
            if ends[q]:
                continue
            number += 1
            fit = j <= q
            marks[board[rows[fit], q - j[fit]]] = number
            board[p, q] = least_unmarked(marks, number)
            meter.work(16 + (len(j) >> 4))
    return read_only(board, meter)


def vectors_by_row(vectors: Intervals) -> Callable[[int], tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Return a function that gives the coordinates of all vectors (i,j) with i up to a bound."""
    lists = [
        np.concatenate([np.zeros(0, np.int64), *(np.arange(start, end + 1) for start, end in row)])
        for row in vectors.of_row
    ]
    j = np.concatenate(lists)
    i = np.repeat(np.arange(len(lists)), list(map(len, lists)))
    ends = np.cumsum(list(map(len, lists)))
    return lambda most: (i[: ends[most]], j[: ends[most]])
