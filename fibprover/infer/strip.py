"""Strips that hold points of a plane: which slopes a line through bounded noise can have, exactly.

For a slope s, width(s) = max(y - s x) - min(y - s x) over the points.  It is convex and piecewise linear
in s, with breaks at the slopes of the edges of the convex hull, so the slopes for which it is at
most some bound make one interval with rational ends.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from fibprover.errors import FibproverError

Point = tuple[int, int]

#: Points are near no line if every strip that holds them is wider than this, and than this part of the largest x.
NARROW, STRAY = 4, 8


class Slopes(NamedTuple):
    """The slopes between low and high, ends included."""

    low: Fraction
    high: Fraction


def slopes(points: Iterable[Point], slack: Fraction) -> Slopes:
    """The slopes for which the strip is at most `slack` wider than the narrowest one.

    points: integers, with two different x at least; slack: positive.  O(n log n).
    """
    above, below = hulls(points)
    if len(above) < 2:
        raise FibproverError("points in one column have no slope")
    breaks = sorted({_slope(a, b) for side in (above, below) for a, b in pairwise(side)})
    # Beyond the outermost breaks the width is linear, and not constant.
    breaks = [breaks[0] - 1, *breaks, breaks[-1] + 1]

    def width(slope: Fraction) -> Fraction:
        return max(y - slope * x for x, y in above) - min(y - slope * x for x, y in below)

    least = bisect_left(range(len(breaks) - 1), True, key=lambda i: width(breaks[i]) <= width(breaks[i + 1]))
    bound = width(breaks[least]) + slack
    # The first break that is inside, and the first one behind those inside; one of the outermost may be inside, too.
    first = bisect_left(range(least), True, key=lambda i: width(breaks[i]) <= bound)
    last = bisect_left(range(least, len(breaks)), True, key=lambda i: width(breaks[i]) > bound) + least

    def crossing(here: Fraction, there: Fraction) -> Fraction:
        begin, end = width(here), width(there)
        return here + (there - here) * (bound - begin) / (end - begin)

    low = crossing(breaks[max(first - 1, 0)], breaks[max(first, 1)])
    high = crossing(breaks[min(last, len(breaks) - 1) - 1], breaks[min(last, len(breaks) - 1)])
    return Slopes(low, high)


def is_line(points: Sequence[Point], between: Slopes) -> bool:
    """Whether points lie near a line with one of these slopes, compared with how far from x = 0 they are."""
    middle = (between.low + between.high) / 2
    offsets = [y - middle * x for x, y in points]
    reach = max(abs(x) for x, _ in points)
    return bool(STRAY * (max(offsets) - min(offsets)) <= max(NARROW * STRAY, reach))


def hulls(points: Iterable[Point]) -> tuple[list[Point], list[Point]]:
    """The upper and the lower convex hull, from left to right."""
    tops: dict[int, int] = {}
    bottoms: dict[int, int] = {}
    for x, y in points:
        tops[x] = max(tops.get(x, y), y)
        bottoms[x] = min(bottoms.get(x, y), y)
    return _chain(sorted(tops.items()), 1), _chain(sorted(bottoms.items()), -1)


def _chain(points: Sequence[Point], sign: int) -> list[Point]:
    """The points of one side of the hull: slopes decrease on the upper one (sign 1), increase on the lower (-1)."""
    chain: list[Point] = []
    for x, y in points:
        while len(chain) > 1:
            (a, b), (c, d) = chain[-2:]
            if sign * ((d - b) * (x - c) - (y - d) * (c - a)) > 0:
                break
            chain.pop()
        chain.append((x, y))
    return chain


def _slope(a: Point, b: Point) -> Fraction:
    return Fraction(b[1] - a[1], b[0] - a[0])
