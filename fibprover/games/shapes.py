"""Moves and terminal positions as the arrays that the solvers read.

`Intervals`: terminal positions, row by row or antidiagonal by antidiagonal.  `Lines`: moves that are full lines, such
as the row, the column and the diagonal of Wythoff's game, and single vectors besides, such as those of a knight; they
have a solver of their own (`line_positions` of the kernels).  `Rows`: moves that are any polyhedra, as bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fibprover.base.errors import LimitError
from fibprover.games.polyhedra import Polyhedron, Row, as_bounds, eliminate, is_empty, natural_bounds

if TYPE_CHECKING:
    from numpy.typing import NDArray


#: For more lines, or longer steps of a direction, the solver for polyhedra is the better one.
MOST_LINES = 4096
LONGEST_STEP = 64
MOST_DIRECTIONS = 16

#: So many vectors beside the lines.
MOST_STEPS = 1024

#: Rules with larger numbers are refused, so that sums of products fit into 64 bits.
MOST_COEFFICIENT = 1 << 28


class Intervals(NamedTuple):
    """In row k the columns from starts[i] to ends[i], offsets[k] <= i < offsets[k+1]; int64, disjoint, in order."""

    offsets: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    def points(self) -> int:
        """Return the number of points in all rows."""
        return int((self.ends - self.starts + 1).sum())


@dataclass(frozen=True)
class Lines:
    """Moves (i,j) on lines: all (0,n), n > 0, if `row`; for each ray (direction, i, j) all (i + n u, j + n v), n >= 0.

    directions: (u,v) with u > 0 and v >= 0; a ray names its direction by index; steps: single vectors (i,j) besides.
    """

    row: bool
    directions: tuple[tuple[int, int], ...]
    rays: tuple[tuple[int, int, int], ...]
    steps: tuple[tuple[int, int], ...] = ()


class Rows(NamedTuple):
    """The bounds of several polyhedra: polyhedron k has the rows offsets[k] .. offsets[k+1] - 1; int64."""

    offsets: NDArray[np.int64]
    rows: NDArray[np.int64]


def row_intervals(regions: Sequence[Polyhedron], bound: int) -> Intervals:
    """Return the points (k,x) of disjoint polyhedra with both coordinates below the bound, by k."""
    rows = np.arange(bound, dtype=np.int64)
    return _sections(
        regions, lambda row: (row[1], row[0] * rows + row[2]), np.zeros_like(rows), np.full_like(rows, bound - 1)
    )


def cube_intervals(regions: Sequence[Polyhedron], bound: int) -> Intervals:
    """Return the points (a,b,x) of disjoint polyhedra with all coordinates below the bound, by a bound + b."""
    a, b = np.divmod(np.arange(bound * bound, dtype=np.int64), bound)
    return _sections(
        regions, lambda row: (row[2], row[0] * a + row[1] * b + row[3]), np.zeros_like(a), np.full_like(a, bound - 1)
    )


def point_intervals(columns: Sequence[NDArray[np.int64]], bound: int) -> Intervals:
    """Return points with coordinates below the bound by row: the number whose digits in this base are all but the last.
    """
    order = np.lexsort(columns[::-1])
    rows = np.zeros_like(columns[0])
    for column in columns[:-1]:
        rows = rows * bound + column
    offsets = np.searchsorted(rows[order], np.arange(bound ** (len(columns) - 1) + 1)).astype(np.int64)
    last = np.ascontiguousarray(columns[-1][order])
    return Intervals(offsets, last, last)


def antidiagonal_intervals(regions: Sequence[Polyhedron], bound: int, *, box: bool = True) -> Intervals:
    """Return the points (x,k-x) of disjoint polyhedra, by k.

    box: those with both coordinates below the bound, otherwise those with k below it.
    """
    sums = np.arange(2 * bound - 1 if box else bound, dtype=np.int64)
    least = np.maximum(0, sums - (bound - 1)) if box else np.zeros_like(sums)
    most = np.minimum(sums, bound - 1) if box else sums.copy()
    return _sections(regions, lambda row: (row[0] - row[1], row[1] * sums + row[2]), least, most)


def _sections(
    regions: Sequence[Polyhedron], bound_on_x: Callable[[Row], tuple[int, NDArray[np.int64]]],
    least: NDArray[np.int64], most: NDArray[np.int64],
) -> Intervals:
    """Return for each section the x between least and most that are in one of the polyhedra.

    bound_on_x: of a bound, the coefficient of x and, for each section, the rest.
    """
    starts = np.empty((len(least), len(regions)), np.int64)
    ends = np.empty_like(starts)
    for column, region in enumerate(regions):
        low, high = least.copy(), most.copy()
        for row in as_bounds(region):
            slope, rest = bound_on_x(row)
            if slope > 0:
                np.maximum(low, -(rest // slope), out=low)
            elif slope < 0:
                np.minimum(high, rest // -slope, out=high)
            else:
                high[rest < 0] = -1
        starts[:, column], ends[:, column] = low, high
    # Sort the intervals, which are disjoint, and leave out the empty ones.
    order = np.argsort(starts, axis=1, kind="stable")
    starts = np.take_along_axis(starts, order, axis=1)
    ends = np.take_along_axis(ends, order, axis=1)
    kept = starts <= ends
    offsets = np.concatenate([[0], np.cumsum(kept.sum(axis=1))]).astype(np.int64)
    return Intervals(offsets, starts[kept], ends[kept])


def lines_of(regions: Sequence[Polyhedron]) -> Lines | None:
    """Return the lines that disjoint polyhedra over i,j consist of, and the single vectors; None without lines.

    None, too, if there are too many of them, or if a polyhedron is anything else.
    """
    row = False
    steps: list[tuple[int, int]] = []
    directions: list[tuple[int, int]] = []
    rays: list[tuple[int, int, int]] = []
    for region in regions:
        if region.equations == ((1, 0, 0),) and region.bounds == ((0, 1, -1),):
            row = True
            continue
        found = next((found for normal in _normals(region) if (found := _along(region, *normal))), None)
        if found is None:
            single = _single(region)
            if single is None:
                return None
            steps += single
            continue
        direction, starts = found
        if direction not in directions:
            directions.append(direction)
        rays += [(directions.index(direction), i, j) for i, j in starts]
    if len(rays) > MOST_LINES or len(directions) > MOST_DIRECTIONS or len(steps) > MOST_STEPS:
        return None
    if not row and not rays:
        return None
    return Lines(row, tuple(directions), tuple(rays), tuple(steps))


def _single(region: Polyhedron) -> list[tuple[int, int]] | None:
    """Return the vectors of a polyhedron over i,j; None if these may be more than MOST_STEPS."""
    rows = [*as_bounds(region), *natural_bounds(2)]
    firsts = _between([(row[0], row[-1]) for row in eliminate(rows, 1)])
    if firsts is None or _size(firsts) > MOST_STEPS:
        return None
    found: list[tuple[int, int]] = []
    for i in firsts:
        seconds = _between([(b, a * i + constant) for a, b, constant in rows])
        if seconds is None or len(found) + _size(seconds) > MOST_STEPS:
            return None
        found += [(i, j) for j in seconds]
    return found


def _between(bounds: Sequence[tuple[int, int]]) -> range | None:
    """Return the naturals x with c x + d >= 0 for all pairs (c,d); None if they have no upper bound."""
    if any(c == 0 and d < 0 for c, d in bounds):
        return range(0)
    least = max((-(d // c) for c, d in bounds if c > 0), default=0)
    most = min((d // -c for c, d in bounds if c < 0), default=None)
    return None if most is None else range(max(least, 0), most + 1)


def _size(numbers: range) -> int:
    """Return how many numbers of step 1 there are, which may be more than `len` can say."""
    return max(0, numbers.stop - numbers.start)


def _normals(region: Polyhedron) -> Iterator[tuple[Row, int, int]]:
    """Return coefficients (a,b) with the least and the greatest value of a i + b j, where rows give both."""
    for a, b, constant in region.equations:
        yield (a, b), -constant, -constant
    constants = {row[:-1]: row[-1] for row in (*region.bounds, *natural_bounds(2))}
    for (a, b), constant in constants.items():
        if (-a, -b) in constants:
            yield (a, b), -constant, constants[-a, -b]


def _along(
    region: Polyhedron, normal: Row, least: int, most: int
) -> tuple[tuple[int, int], list[tuple[int, int]]] | None:
    """Return the direction of the lines with constant a i + b j, and their first points; None if one of them ends."""
    a, b = normal
    if a * b > 0 or b == 0 or abs(b) > LONGEST_STEP or abs(a) > LONGEST_STEP or most - least >= MOST_LINES:
        return None
    u, v = abs(b), abs(a)
    rows = [*region.bounds, *natural_bounds(2)]
    for row in region.equations:
        rows += [row, tuple(-c for c in row)]
    starts = []
    for value in range(least, most + 1):
        # One solution of a i + b j = value; a and b are coprime.
        i = next(i for i in range(u) if (value - a * i) % b == 0)
        j = (value - a * i) // b
        first: int | None = None
        for x, y, constant in rows:
            slope, here = x * u + y * v, x * i + y * j + constant
            if slope < 0:
                return None
            if slope > 0:
                first = max(-(here // slope), -(1 << 62) if first is None else first)
            elif here < 0:
                break
        else:
            if first is None:
                return None
            starts.append((i + first * u, j + first * v))
    return (u, v), starts


def stays_in_box(regions: Sequence[Polyhedron]) -> bool:
    """Return whether no step from (p,q) to (r,s) makes the larger pile larger."""
    first_grows = ((-1, 0, 1, 0, -1), (0, -1, 1, 0, -1))
    second_grows = ((-1, 0, 0, 1, -1), (0, -1, 0, 1, -1))
    return all(is_empty(region, *rows) for region in regions for rows in (first_grows, second_grows))


def step_rows_by_sum(regions: Sequence[Polyhedron], bound: int, *, box: bool) -> tuple[Rows, Rows]:
    """Return the steps as bounds on p, t = p+q, r, s, and the bounds on t, r, s that follow.

    box: for positions with p, q < bound, otherwise for those with p+q < bound.
    """
    limits: list[Row] = [(1, 0, 0, 0, 0), (-1, 1, 0, 0, 0)]
    if box:
        limits += [(-1, 0, 0, 0, bound - 1), (1, -1, 0, 0, bound - 1)]
    moves: list[list[Row]] = []
    ranges: list[list[Row]] = []
    for region in regions:
        rows: list[Row] = [(p - q, q, r, s, constant) for p, q, r, s, constant in as_bounds(region)]
        moves.append(rows)
        ranges.append([row[1:] for row in eliminate([*rows, *limits], 0)])
    return pack_rows(moves, 5), pack_rows(ranges, 4)


def step_rows(regions: Sequence[Polyhedron]) -> tuple[Rows, Rows]:
    """Return the steps as bounds on s, p, q, r, and the bounds on r, p, q that follow."""
    moves: list[list[Row]] = []
    ranges: list[list[Row]] = []
    for region in regions:
        rows: list[Row] = [(s, p, q, r, constant) for p, q, r, s, constant in as_bounds(region)]
        moves.append(rows)
        without = eliminate([*rows, (1, 0, 0, 0, 0)], 0)
        ranges.append([(r, p, q, constant) for _, p, q, r, constant in without])
    return pack_rows(moves, 5), pack_rows(ranges, 4)


def cube_rows(regions: Sequence[Polyhedron]) -> tuple[Rows, Rows, Rows]:
    """Return steps from (p,q,r) to (s,t,u) as bounds on r, q, p, s, t, u, and what follows for q, ..., u and p, ..., u.
    """
    found: tuple[list[list[Row]], ...] = ([], [], [])
    for region in regions:
        rows = [(r, q, p, *rest) for p, q, r, *rest in as_bounds(region)]
        rows += [(1, 0, 0, 0, 0, -1, 0), (0, 1, 0, 0, -1, 0, 0), (0, 0, 1, -1, 0, 0, 0)]
        for kept in found:
            kept.append(rows)
            rows = [row[1:] for row in eliminate(rows, 0)]
    return pack_rows(found[0], 7), pack_rows(found[1], 6), pack_rows(found[2], 5)


def pack_rows(regions: Sequence[Sequence[Row]], width: int) -> Rows:
    """Return the rows of all polyhedra, one polyhedron after the other.

    Raises LimitError for numbers that are too large.
    """
    rows = [row for region in regions for row in region]
    for row in rows:
        if any(abs(c) > MOST_COEFFICIENT for c in row[:-1]) or abs(row[-1]) > MOST_COEFFICIENT << 20:
            raise LimitError(f"the rules contain a number that is too large for the solver: {max(map(abs, row))}")
    offsets = np.cumsum([0, *map(len, regions)], dtype=np.int64)
    return Rows(offsets, np.array(rows, np.int64).reshape(-1, width))
