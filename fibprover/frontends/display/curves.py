"""The arrows of an automaton that was placed: curves that touch no label but their own, and no state but their ends.

Labels and states stand in the columns of the layout.  A curve is as smooth as it can be; where it would touch
something it runs level through the columns, where the layout has left a lane for it, and bends between them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import hypot
from typing import TypeAlias

from fibprover.frontends.display.layout import Layout, Point, Size, Wire

#: A chain of cubic Bezier curves: a point, then three points a curve.
Curve: TypeAlias = tuple[Point, ...]

#: Points at which a cubic curve is looked at.
_SAMPLES = 24

#: The least distance of a curve from what it must not touch.
_CLEAR = 1.5

#: Half the distance of the two parts of an arrow within a column, where they meet its label.
_APART = 3.0

#: The height of a label above its state's loop, from the rim.
LOOP = 18.0


def routed(
    layout: Layout, wires: Sequence[Wire], radius: float, loops: dict[int, Size], check: Callable[[], None]
) -> list[tuple[Curve, Point]]:
    """Return the curve of each wire, and the centre of its label.

    wires: those of the layout, with the sizes of their labels; radius: of the states; loops: the sizes of the labels
    of loops, by state; check: called for each wire, it may raise.
    """
    places = [_label_place(layout, wire, number) for number, wire in enumerate(wires)]
    obstacles = _Obstacles(layout, wires, places, radius, loops)
    curves = []
    for number, wire in enumerate(wires):
        check()
        begin, end = layout.nodes[wire.source], layout.nodes[wire.target]
        if begin[0] == end[0]:
            curves.append(_within_column(layout, number, begin, end, radius))
            continue
        route = layout.routes[number]
        start, stop = _rim(begin, route[0], radius), _rim(end, route[-1], radius)
        curve = _smooth([start, *route, stop], _slope(begin, start), _slope(end, stop))
        if obstacles.touched(curve, number, wire):
            curve = _level(layout, [begin, start], route, [stop, end])
        curves.append(curve)
    return list(zip(curves, places, strict=True))


def loop(centre: Point, radius: float, height: float) -> tuple[Curve, Point]:
    """Return a loop above a state and the centre of its label, which has this height, on top."""
    x, y = centre
    side, top = radius * 0.55, y - radius * 0.83
    curve = ((x - side, top), (x - side - 8, top - 22), (x + side + 8, top - 22), (x + side, top))
    return curve, (x, y - radius - LOOP - height / 2)


def _label_place(layout: Layout, wire: Wire, number: int) -> Point:
    """Return the centre of a label: on its curve, or beside one within a column."""
    x, y = layout.labels[number]
    if layout.nodes[wire.source][0] != layout.nodes[wire.target][0]:
        return x, y
    return layout.columns[x][0] + wire.label.width / 2, y


class _Obstacles:
    """What curves must not touch, by column: boxes of labels and of states."""

    def __init__(
        self, layout: Layout, wires: Sequence[Wire], places: Sequence[Point], radius: float, loops: dict[int, Size]
    ) -> None:
        boxes: dict[float, list[tuple[float, float, float, float, int]]] = {x: [] for x in layout.columns}
        for number, (wire, (x, y)) in enumerate(zip(wires, places, strict=True)):
            half = wire.label.width / 2 - 4.0
            column = layout.labels[number][0]
            boxes[column].append((y - wire.label.above, y + wire.label.below, x - half, x + half, number))
        for state, (x, y) in enumerate(layout.nodes):
            boxes[x].append((y - radius, y + radius, x - radius, x + radius, -1 - state))
            if state in loops:
                half, top = loops[state].width / 2, y - radius - LOOP
                boxes[x].append((top - loops[state].above - loops[state].below, top, x - half, x + half, len(wires)))
        self.columns = sorted(layout.columns.items())
        self.middles = [x for x, _ in self.columns]
        self.boxes = {x: sorted(found) for x, found in boxes.items()}

    def touched(self, curve: Curve, number: int, wire: Wire) -> bool:
        """Return whether a curve touches something that is not its own."""
        own = {number, -1 - wire.source, -1 - wire.target}
        for place in range(0, len(curve) - 1, 3):
            a, _, _, b = piece = curve[place : place + 4]
            low, high = min(a[1], b[1]) - _CLEAR, max(a[1], b[1]) + _CLEAR
            left, right = min(a[0], b[0]), max(a[0], b[0])
            boxes = []
            # The columns at the ends of the piece, and those between them.
            first = max(bisect_left(self.middles, left) - 1, 0)
            for x, (begin, end) in self.columns[first:]:
                if begin > right:
                    break
                if end >= left:
                    boxes += [box for box in self.boxes[x] if box[0] < high and box[1] > low and box[4] not in own]
            if boxes and any(
                top - _CLEAR < y < bottom + _CLEAR and side - _CLEAR < x < other + _CLEAR
                for x, y in map(_points(piece), range(_SAMPLES + 1)) for top, bottom, side, other, _ in boxes
            ):
                return True
        return False


def _points(piece: Curve) -> Callable[[int], Point]:
    """Return the function that has the points of a cubic curve, from 0 to _SAMPLES."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = piece

    def at(sample: int) -> Point:
        t = sample / _SAMPLES
        s = 1 - t
        a, b, c, d = s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t
        return a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3

    return at


def _rim(centre: Point, towards: Point, radius: float) -> Point:
    """Return the point of a circle that is nearest to another point."""
    dx, dy = towards[0] - centre[0], towards[1] - centre[1]
    length = hypot(dx, dy) or 1.0
    return centre[0] + radius * dx / length, centre[1] + radius * dy / length


def _slope(centre: Point, rim: Point) -> float:
    """Return the slope of an edge at a state, kept moderate."""
    dx, dy = rim[0] - centre[0], rim[1] - centre[1]
    return max(-1.5, min(1.5, dy / dx)) if dx else 0.0


def _smooth(points: Sequence[Point], first: float = 0.0, last: float = 0.0) -> Curve:
    """Return a curve through points with monotonic abscissas: with these slopes at its ends, level at inner points."""
    curve = [points[0]]
    slopes = [first, *[0.0] * (len(points) - 2), last]
    for ((x0, y0), slope0), ((x1, y1), slope1) in pairwise(zip(points, slopes, strict=True)):
        pull = (x1 - x0) / 2
        curve += [(x0 + pull, y0 + slope0 * pull), (x1 - pull, y1 - slope1 * pull), (x1, y1)]
    return tuple(curve)


def _level(layout: Layout, begin: Sequence[Point], route: Sequence[Point], end: Sequence[Point]) -> Curve:
    """Return the curve that runs level through the columns.

    begin: the centre of the first state and the point of its rim; end: that of the last one's rim and its centre.
    """
    forward = begin[0][0] < end[1][0]

    def crossed(column: float, y: float) -> list[Point]:
        left, right = layout.columns[column]
        return [(left, y), (right, y)] if forward else [(right, y), (left, y)]

    points = [begin[1], crossed(begin[0][0], begin[1][1])[1]]
    for x, y in route:
        points += crossed(x, y)
    points += [crossed(end[1][0], end[0][1])[0], end[0]]
    # A state that is as wide as its column has no way to its edge.
    return _smooth([point for point, after in pairwise(points) if abs(point[0] - after[0]) > 0.5] + points[-1:])


def _within_column(layout: Layout, number: int, begin: Point, end: Point, radius: float) -> Curve:
    """Return an edge within a column: out to the inner side of its label beside the column, and back from there."""
    label, y = layout.labels[number]
    left, edge = layout.columns[label][0], layout.columns[begin[0]][1]
    (x0, y0), (x1, y1) = _rim(begin, (label, y), radius), _rim(end, (label, y), radius)
    apart = _APART if y0 < y1 else -_APART
    out = [(x0, y0), *([(edge, y0)] if edge - x0 > 0.5 else []), (left, y - apart)]
    back = [(left, y + apart), *([(edge, y1)] if edge - x1 > 0.5 else []), (x1, y1)]
    return (*_smooth(out), (left + 2, y - apart), (left + 2, y + apart), *_smooth(back))
