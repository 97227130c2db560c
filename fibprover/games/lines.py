"""Moves that are full lines: which vectors begin them, and in which directions they go.

The vectors of Wythoff's game are a row, a column and a diagonal; those of m-Wythoff 2m-1 diagonals.  Such
moves have a solver of their own, which counts P-positions on lines (fibprover_ext/line_positions.pyx).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fibprover.games.polyhedra import Polyhedron, Row, naturals

#: More lines, or steps of a direction longer than this, and another solver is the better one.
MOST_LINES = 4096
LONGEST_STEP = 64
MOST_DIRECTIONS = 16


@dataclass(frozen=True)
class Lines:
    """Moves (i,j): (0,n), n > 0, if `row`; and of each ray (direction, i, j) all (i + n u, j + n v), n >= 0.

    directions: (u,v) with u > 0 and v >= 0.
    """

    row: bool
    directions: tuple[tuple[int, int], ...]
    rays: tuple[tuple[int, int, int], ...]


def lines_of(regions: Sequence[Polyhedron]) -> Lines | None:
    """The lines that disjoint polyhedra over i,j consist of; None if they do not, or are too many."""
    row = False
    directions: list[tuple[int, int]] = []
    rays: list[tuple[int, int, int]] = []
    for region in regions:
        if region.equations == ((1, 0, 0),) and region.bounds == ((0, 1, -1),):
            row = True
            continue
        found = next((found for normal in _normals(region) if (found := _along(region, *normal))), None)
        if found is None:
            return None
        direction, starts = found
        if direction not in directions:
            directions.append(direction)
        rays += [(directions.index(direction), i, j) for i, j in starts]
    if len(rays) > MOST_LINES or len(directions) > MOST_DIRECTIONS:
        return None
    return Lines(row, tuple(directions), tuple(rays))


def _normals(region: Polyhedron) -> Iterator[tuple[Row, int, int]]:
    """Coefficients (a,b) and the least and greatest value of a i + b j, where rows say both."""
    for a, b, constant in region.equations:
        yield (a, b), -constant, -constant
    constants = {row[:-1]: row[-1] for row in (*region.bounds, *naturals(2))}
    for (a, b), constant in constants.items():
        if (-a, -b) in constants:
            yield (a, b), -constant, constants[-a, -b]


def _along(
    region: Polyhedron, normal: Row, least: int, most: int
) -> tuple[tuple[int, int], list[tuple[int, int]]] | None:
    """The direction of the lines with a constant a i + b j, and where they begin; None unless all are endless."""
    a, b = normal
    if a * b > 0 or b == 0 or abs(b) > LONGEST_STEP or abs(a) > LONGEST_STEP or most - least >= MOST_LINES:
        return None
    u, v = abs(b), abs(a)
    rows = [*region.bounds, *naturals(2)]
    for row in region.equations:
        rows += [row, tuple(-c for c in row)]
    starts = []
    for value in range(least, most + 1):
        # One solution of a i + b j = value; a and b have no common divisor.
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
