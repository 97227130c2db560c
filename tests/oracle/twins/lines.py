"""P-positions where the moves are full lines: a row, and rays in a few directions.

Whether a position is a P-position depends on how many of its options are, and the options along one line are the
positions of the line passed before.  So a count is kept of the P-positions on each line.  Rows are gone through in
order: the minima of the counts over stretches of neighbouring lines tell in which stretches of the row no cell can
have few enough, and the sums of the counts are computed for the others.  Where there are single moves besides, such as
those of a knight, their options are looked up for each cell that the lines allow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fibprover.automata.kernels.python.budget import InvalidArrayError, Meter, TooLargeError
from tests.oracle.twins.boards import Found, Intervals, Solution

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_FAMILIES = 16
MOST_STEPS = 1024
MOST_BLOCKED = 2000
MOST_ROWS = 1 << 30
MOST_SLOPE = 1 << 20

#: Cells of a row that are looked at together.
STRETCH = 1024

#: Bytes for every position found.
BYTES_OF_POSITION = 24


class Family:
    """The lines of one direction (u,v) and the number of P-positions on each.

    Of the cells (p,q) with p = k u + m, 0 <= m < u, those with the same q - v k are on one line.  The lines with the
    same m follow each other, `stride` apart, and so that the line through (p,0) with the largest p comes first.
    """

    def __init__(self, u: int, v: int, bound: int) -> None:
        self.u, self.v = u, v
        self.last = (bound - 1) // u
        self.stride = ((bound + v * self.last) // STRETCH + 2) * STRETCH
        self.counts = np.zeros(self.stride * u, np.int16)
        #: The minima of the counts of each stretch of lines.
        self.minima = np.zeros(self.stride * u // STRETCH, np.int16)
        #: Where the line through (p,0) is, p being the present row.
        self.here = 0

    def enter(self, p: int) -> None:
        """Begin row p."""
        self.here = p % self.u * self.stride + self.v * (self.last - p // self.u)

    def least(self, stretches: int) -> NDArray[np.int16]:
        """Return bounds from below on the counts of the lines through each stretch of the present row."""
        first = self.here // STRETCH
        # A stretch of cells meets two stretches of lines.
        minima = self.minima[first : first + stretches + 1]
        return np.minimum(minima[:-1], minima[1:])

    def add(self, column: int, most: int) -> bool:
        """Count one more P-position on the line through a cell of the present row, unless there are `most`."""
        line = self.here + column
        count = self.counts[line]
        if count >= most:
            return False
        self.counts[line] = count + 1
        stretch = line // STRETCH
        if self.minima[stretch] == count:
            self.minima[stretch] = self.counts[stretch * STRETCH : (stretch + 1) * STRETCH].min()
        return True


class Board:
    """The state of the search: the lines, and the rays that begin in later rows."""

    def __init__(
        self, bound: int, most: int, directions: NDArray[np.int64], rays: NDArray[np.int64],
        steps: NDArray[np.int64], meter: Meter,
    ) -> None:
        self.bound, self.most, self.meter = bound, most, meter
        self.held = 2 * sum(u * (bound + v * ((bound - 1) // u) + 2 * STRETCH) for u, v in directions.T.tolist())
        meter.hold(self.held)
        self.families = [Family(u, v, bound) for u, v in directions.T.tolist()]
        self.rays: list[tuple[int, int, int]] = [(k, a, b) for k, a, b in rays.T.tolist()]
        self.steps: list[tuple[int, int]] = [(a, b) for a, b in steps.T.tolist()]
        #: The columns of the positions in the present row and in those that single moves reach.
        self.columns: dict[int, set[int]] = {}
        self.reach = max((a for a, _ in self.steps), default=0)
        #: By row: families and columns of the rays that begin there.
        self.events: dict[int, list[tuple[int, int]]] = {}
        #: Stretches of a row; and where those begin in the present row that have to be looked at.
        self.stretches = -(-bound // STRETCH)
        self.open: list[int] = []
        self.found = Found()

    def solve(self, row: bool, terminal: Intervals, left_out: bool) -> None:
        """Find all P-positions, row by row; row: whether a move takes any number from the second pile.

        left_out: whether the terminal positions are left out instead, as if no move led to them.
        """
        for p in range(self.bound):
            for family in self.families:
                family.enter(p)
            for k, column in self.events.pop(p, ()):
                self.families[k].add(column, self.most)
            sums = np.zeros(self.stretches, np.int16)
            for family in self.families:
                sums += family.least(self.stretches)
            self.open = ((sums < self.most).nonzero()[0] * STRETCH).tolist()
            if self.steps:
                self.columns[p] = set()
                self.columns.pop(p - self.reach - 1, None)
            q = in_row = 0
            for start, end in terminal.of_row[p]:
                in_row = self._search(p, q, start, row, in_row)
                if not left_out:
                    for q in range(start, end + 1):
                        self._put(p, q)
                        in_row += row
                    self.found.terminal += end - start + 1
                q = end + 1
            self._search(p, q, self.bound, row, in_row)
            self.meter.work(16)
            if not p & 255:
                self.meter.hold(self.held + BYTES_OF_POSITION * len(self.found.first))

    def _search(self, p: int, q: int, end: int, row: bool, in_row: int) -> int:
        """Find the P-positions among the cells from q, before `end`; return how many the row has then."""
        for begin in self.open:
            q, stop = max(q, begin), min(begin + STRETCH, end)
            if in_row >= self.most or begin >= end:
                break
            if q >= stop:
                continue
            sums = np.zeros(stop - q, np.int16)
            for family in self.families:
                sums += family.counts[family.here + q : family.here + stop]
            self.meter.work((stop - q) >> 4)
            for place in (sums < self.most - in_row).nonzero()[0].tolist():
                # Positions found since then may have added to the counts.
                if sums[place] + self._single(p, q + place) < self.most - in_row:
                    for column in self._put(p, q + place):
                        if column < stop:
                            sums[column - q] += 1
                    in_row += row
        return in_row

    def _single(self, p: int, q: int) -> int:
        """Return how many P-positions single moves from (p,q) lead to."""
        return sum(q - b in self.columns.get(p - a, ()) for a, b in self.steps)

    def _put(self, p: int, q: int) -> list[int]:
        """Note a P-position, which counts on the rays from it; return the columns of this row that it adds to."""
        self.found.put(p, q)
        if self.steps:
            self.columns[p].add(q)
        grown = []
        for k, first, second in self.rays:
            column = q + second
            if column >= self.bound or p + first >= self.bound:
                continue
            if first:
                self.events.setdefault(p + first, []).append((k, column))
            elif self.families[k].add(column, self.most):
                grown.append(column)
        self.meter.work(4 + len(self.rays))
        return grown


def line_positions(
    bound: int, blocked: int, row: bool, directions: NDArray[np.int64], rays: NDArray[np.int64],
    steps: NDArray[np.int64], terminal: Intervals, left_out: bool, meter: Meter,
) -> Solution:
    """Return all P-positions (p,q) with p, q < bound: two memoryviews of "q", by p, then q; how many are terminal.

    blocked: how many options may be forbidden.  row: whether a move takes any number from the second pile.  directions:
    row 0 the u > 0, row 1 the v >= 0 of each direction; rays: row 0 the number of the direction, rows 1 and 2 the least
    vector, which has no negative coordinate and is not (0,0).  steps: as columns, single vectors that are on none of
    these lines.  terminal: by rows p; left_out: whether these positions are left out instead, as if no move led to
    them.  O(bound^2) by whole stretches of cells; 2 (u + v) bound bytes a direction.
    """
    if not 0 < bound <= MOST_ROWS:
        raise TooLargeError(f"a bound of {bound}")
    if not 0 <= blocked <= MOST_BLOCKED:
        raise TooLargeError(f"{blocked} options blocked")
    good = directions.shape[0] == 2 and rays.shape[0] == 3 and directions.shape[1] <= MOST_FAMILIES
    good = good and all(0 < u <= MOST_SLOPE and 0 <= v <= MOST_SLOPE for u, v in directions.T.tolist())
    good = good and all(
        0 <= k < directions.shape[1] and 0 <= a <= MOST_ROWS and 0 <= b <= MOST_ROWS and a + b
        for k, a, b in rays.T.tolist()
    )
    good = good and steps.shape[0] == 2 and steps.shape[1] <= MOST_STEPS
    good = good and all(0 <= a <= MOST_ROWS and 0 <= b <= MOST_ROWS and a + b for a, b in steps.T.tolist())
    if not good or terminal.rows != bound:
        raise InvalidArrayError("these are no lines of moves")
    meter.poll()
    board = Board(bound, blocked + 1, directions, rays, steps, meter)
    board.solve(row, terminal, left_out)
    return board.found.export()
