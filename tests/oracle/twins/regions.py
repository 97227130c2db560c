"""P-positions and Sprague-Grundy values where the moves are a union of polyhedra, antidiagonal by antidiagonal.

Every move makes the sum of the piles smaller, so all options of the positions with sum t are decided before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fibprover.automata.kernels.python.budget import InvalidArrayError, Meter, TooLargeError
from tests.oracle.twins.boards import (
    Found,
    Intervals,
    Regions,
    Solution,
    least_unmarked,
    narrow,
    read_only,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

MOST_SUMS = 1 << 28
MOST_GRUNDY_ROWS = 1 << 15

#: Columns of the rows of moves: p, t = p+q, r, s, constant, or s, p, q, r, constant; and of the rows that follow from
#: them for t, r, s, or for r, p, q.
MOVE_WIDTH = 5
RANGE_WIDTH = 4

#: Bytes for every position found, and for every polyhedron by which moves lead to it.
BYTES_OF_POSITION = 24


class Targets:
    """The P-positions (r,s) to which moves of one polyhedron may lead, until the sum `until` of where from."""

    def __init__(self, moves: list[list[int]], life: list[list[int]], most: int) -> None:
        self.moves, self.life, self.most = moves, life, most
        self.r: Numbers = np.zeros(0, np.int64)
        self.s: Numbers = self.r
        self.until: Numbers = self.r

    def enter(self, r: Numbers, s: Numbers) -> None:
        """Append the positions that a move may still reach."""
        low, high = r + s + 1, np.full(len(r), self.most)
        for coefficient, of_r, of_s, constant in self.life:
            low, high = narrow(coefficient, of_r * r + of_s * s + constant, low, high)
        alive = low <= high
        self.r = np.concatenate((self.r, r[alive]))
        self.s = np.concatenate((self.s, s[alive]))
        self.until = np.concatenate((self.until, high[alive]))

    def mark(self, t: int, first: int, last: int, differences: Numbers) -> None:
        """Add the intervals from first to last of the p from which a move leads from (p,t-p) to a target."""
        low, high = np.full(len(self.r), first), np.full(len(self.r), last)
        for slope, of_t, of_r, of_s, constant in self.moves:
            low, high = narrow(slope, of_t * t + of_r * self.r + of_s * self.s + constant, low, high)
        some = low <= high
        size = len(differences)
        differences += np.bincount(low[some] - first, minlength=size)
        differences -= np.bincount(high[some] + 1 - first, minlength=size)
        if len(self.until) and self.until.min() <= t:
            later = self.until > t
            self.r, self.s, self.until = self.r[later], self.s[later], self.until[later]


def region_positions(
    bound: int, blocked: int, box: bool, moves: Regions, life: Regions, terminal: Intervals, left_out: bool,
    meter: Meter,
) -> Solution:
    """Return all P-positions (p,q): two memoryviews of "q", ordered by p+q, then p; and how many are terminal.

    box: those with p, q < bound; else those with p+q < bound.  moves: disjoint polyhedra (blocked = 0: any) by bounds
    on p, t = p+q, r and s; life: for each what follows for t, r and s.  terminal: by antidiagonals; left_out: whether
    these positions are left out instead, as if no move led to them.  O(M n bound) for M positions and n polyhedra of
    unbounded moves.
    """
    sums = 2 * bound - 1 if box else bound
    if not 0 < bound <= MOST_SUMS:
        raise TooLargeError(f"a bound of {bound}")
    if moves.width != MOVE_WIDTH or life.width != RANGE_WIDTH or life.regions != moves.regions:
        raise InvalidArrayError("the polyhedra of the moves do not fit together")
    if terminal.rows != sums:
        raise InvalidArrayError("the terminal positions do not fit the bound")
    lists = [Targets(*rows, sums - 1) for rows in zip(moves.of_region, life.of_region, strict=True)]
    found = Found()
    meter.poll()
    for t in range(sums):
        first = max(0, t - bound + 1) if box else 0
        last = min(t, bound - 1)
        differences = np.zeros(last - first + 2, np.int64)
        for targets in lists:
            targets.mark(t, first, last, differences)
            meter.work(len(targets.r) >> 2)
        ends = terminal.marks(t, first, last)
        few = np.cumsum(differences[:-1]) <= blocked
        places = np.flatnonzero(few & ~ends if left_out else few | ends) + first
        found.terminal += 0 if left_out else int(ends.sum())
        found.first.extend(places.tolist())
        found.second.extend((t - places).tolist())
        for targets in lists:
            targets.enter(places, t - places)
        meter.work(16 + (last - first >> 4))
        meter.hold(BYTES_OF_POSITION * (len(lists) + 1) * len(found.first))
    return found.export()


def region_grundy(
    bound: int, box: bool, moves: Regions, ranges: Regions, terminal: Intervals, meter: Meter
) -> memoryview[int]:
    """Return the values of the positions (p,q) as a memoryview of "i", bound x bound; -1 where p+q is too large.

    box: of those with p, q < bound; else of those with p+q < bound.  moves: polyhedra by bounds on s, p, q, r; ranges:
    for each what follows for r, p, q.  terminal: by antidiagonals; those positions have the value 0.  O(bound^2) times
    the number of options; 4 bytes a position.
    """
    sums = 2 * bound - 1 if box else bound
    if not 0 < bound <= MOST_GRUNDY_ROWS:
        raise TooLargeError(f"a bound of {bound}")
    if moves.width != MOVE_WIDTH or ranges.width != RANGE_WIDTH or ranges.regions != moves.regions:
        raise InvalidArrayError("these are no moves")
    if terminal.rows != sums:
        raise InvalidArrayError("the terminal positions do not fit")
    meter.hold(4 * bound * bound)
    meter.poll()
    board = np.full((bound, bound), -1, np.int32)
    # A game from (p,q) has at most p+q moves, so that no value is larger.
    marks = np.zeros(2 * bound + 1, np.int32)
    number = 0
    for t in range(sums):
        first = max(0, t - bound + 1) if box else 0
        last = min(t, bound - 1)
        ends = terminal.marks(t, first, last).tolist()
        for p in range(first, last + 1):
            if ends[p - first]:
                board[p, t - p] = 0
                continue
            number += 1
            for rows, range_rows in zip(moves.of_region, ranges.of_region, strict=True):
                values = option_values(board, p, t - p, rows, range_rows)
                marks[values] = number
                meter.work(16 + (len(values) >> 4))
            board[p, t - p] = least_unmarked(marks, number)
    return read_only(board, meter)


def option_values(
    board: NDArray[np.int32], p: int, q: int, rows: list[list[int]], ranges: list[list[int]]
) -> Any:
    """Return the values of the options that one polyhedron of moves gives a position."""
    bound = len(board)
    least, most = 0, min(bound - 1, p + q)
    for slope, of_p, of_q, constant in ranges:
        low, high = narrow(slope, of_p * p + of_q * q + constant, least, most)
        least, most = int(low), int(high)
    r = np.arange(least, most + 1)
    # Smaller sums only: those values are known.
    low, high = np.zeros(len(r), np.int64), np.minimum(bound - 1, p + q - r - 1)
    for slope, of_p, of_q, of_r, constant in rows:
        low, high = narrow(slope, of_p * p + of_q * q + of_r * r + constant, low, high)
    lengths = np.maximum(high - low + 1, 0)
    begins = np.repeat(r * bound + low - np.cumsum(lengths) + lengths, lengths)
    return board.reshape(-1)[begins + np.arange(len(begins))]
