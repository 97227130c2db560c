"""A layered layout for automata: states in columns by distance from the initial one.

The method is that of Sugiyama et al. (Methods for visual understanding of hierarchical system structures, 1981), with
two changes for automata. Columns can be breadth first distances, which keeps drawings narrow in spite of cycles; an
edge within a column bulges out beside it. Between two columns of states lies a column of labels: every edge passes
through virtual nodes, one of them with the size of its label. Orders within columns come from barycenter sweeps,
heights from weighted least squares under the separation constraints. Lengths are in pixels; the result is
deterministic.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

Point = tuple[float, float]

#: The search for orders with few crossings ends after so many sweeps without an improvement.
PATIENCE = 4

#: Each choice of columns is judged after so many sweeps; the best one gets the others.
FIRST_SWEEPS = 2

#: The search for heights ends when no node moves by so many pixels.
PRECISION = 0.02


@dataclass(frozen=True, slots=True)
class Size:
    """Extent of a node: width, and heights above and below its centre."""

    width: float
    above: float
    below: float


@dataclass(frozen=True, slots=True)
class Wire:
    """An edge to lay out: its ends (two different nodes) and the size of its label."""

    source: int
    target: int
    label: Size


@dataclass(frozen=True, slots=True)
class Layout:
    """Centres of the nodes; for each wire the points it passes (without its ends), and its label's centre.

    columns: the left and right ends of each column, by the abscissa of the centres in it.
    """

    nodes: list[Point]
    routes: list[list[Point]]
    labels: list[Point]
    columns: dict[float, tuple[float, float]]
    width: float
    height: float


#: Least vertical distances: of two states, of two labels, and of an edge from what is next to it.
_BETWEEN_STATES, _BETWEEN_LABELS, _BESIDE_EDGES = 14.0, 8.0, 7.0

#: The least and the greatest distance between columns.
_NARROWEST, _WIDEST = 14.0, 46.0


@dataclass(slots=True)
class _Vertices:
    """Nodes (the first `nodes`) and virtual nodes: sizes, columns, and neighbours with the stiffness of the link."""

    nodes: int
    sizes: list[Size]
    column: list[int]
    links: list[list[tuple[int, float]]]

    def gap(self, upper: int, lower: int) -> float:
        """Return the least distance between neighbours in a column."""
        if not (self.sizes[upper].width and self.sizes[lower].width):
            return _BESIDE_EDGES
        return _BETWEEN_STATES if max(upper, lower) < self.nodes else _BETWEEN_LABELS

    def add(self, size: Size, column: int) -> int:
        self.sizes.append(size)
        self.column.append(column)
        self.links.append([])
        return len(self.sizes) - 1

    def link(self, a: int, b: int, stiffness: float) -> None:
        self.links[a].append((b, stiffness))
        self.links[b].append((a, stiffness))


@dataclass(slots=True)
class _Draft:
    """A choice of columns and orders within them."""

    vertices: _Vertices
    columns: list[list[int]]
    chains: list[list[int]]
    middles: list[int]
    sweeps: int
    cost: int


def layered(
    sizes: Sequence[Size], wires: Sequence[Wire], check: Callable[[], None] = lambda: None
) -> Layout:
    """Place the nodes (node 0 leftmost, all reachable from it) and route the wires.

    check: called repeatedly; it may raise to stop the layout.
    About O(sweeps * virtual nodes * log), where the virtual nodes are at most wires * columns; large graphs get
    fewer sweeps.
    """
    drafts = [_draft(sizes, wires, ranks, check) for ranks in _layerings(len(sizes), wires)]
    draft = min(drafts, key=lambda candidate: candidate.cost)
    vertices = draft.vertices
    columns = _fewest_crossings(vertices, draft.columns, draft.sweeps, check)
    y = _heights(vertices, columns, draft.sweeps, check)
    widths = [max((vertices.sizes[node].width for node in column), default=0.0) for column in columns]
    x = _abscissas(columns, widths)
    place = [(x[vertices.column[node]], y[node]) for node in range(len(vertices.sizes))]
    bottom = max(y[node] + size.below for node, size in enumerate(vertices.sizes))
    right = max(px + size.width / 2 for (px, _), size in zip(place, vertices.sizes, strict=True))
    return Layout(
        place[: len(sizes)],
        [[place[node] for node in chain] for chain in draft.chains],
        [place[node] for node in draft.middles],
        {centre: (centre - width / 2, centre + width / 2) for centre, width in zip(x, widths, strict=True)},
        right,
        bottom,
    )


def _draft(
    sizes: Sequence[Size], wires: Sequence[Wire], ranks: Sequence[int], check: Callable[[], None]
) -> _Draft:
    """Return virtual nodes and first orders for one choice of columns, and its cost: crossings, flat edges and size."""
    vertices = _Vertices(len(sizes), list(sizes), [2 * rank for rank in ranks], [[] for _ in sizes])
    routed = [_chain(vertices, wire) for wire in wires]
    sweeps = max(2, min(24, 30_000 // len(vertices.sizes)))
    columns = _fewest_crossings(vertices, _initial_columns(vertices), FIRST_SWEEPS, check)
    flat = sum(1 for wire in wires if ranks[wire.source] == ranks[wire.target])
    cost = _crossings(vertices, columns) + 2 * flat + len(columns) + len(vertices.sizes) // 4
    return _Draft(vertices, columns, [chain for chain, _ in routed], [middle for _, middle in routed], sweeps, cost)


def _layerings(count: int, wires: Sequence[Wire]) -> list[list[int]]:
    """Return choices of columns: by distance from node 0, and by longest paths along two acyclic sets of edges.

    One set has the edges that rise in breadth first order, the other the edges that do not close a cycle in a depth
    first search.
    """
    following: list[list[int]] = [[] for _ in range(count)]
    for wire in wires:
        following[wire.source].append(wire.target)
    distance = _distances(following)
    met = sorted(range(count), key=distance.__getitem__)
    finished = _depth_first(following)
    return [distance, _longest(following, met), _longest(following, finished)]


def _longest(following: Sequence[Sequence[int]], order: Sequence[int]) -> list[int]:
    """Return the length of the longest path to each node, along edges that rise in the given order."""
    place = {node: number for number, node in enumerate(order)}
    rank = [0] * len(following)
    for node in order:
        for target in following[node]:
            if place[target] > place[node]:
                rank[target] = max(rank[target], rank[node] + 1)
    return rank


def _depth_first(following: Sequence[Sequence[int]]) -> list[int]:
    """Return the nodes in reverse postorder of a depth first search: a topological order if there is one."""
    seen = [False] * len(following)
    left: list[int] = []
    for root in range(len(following)):
        if seen[root]:
            continue
        seen[root] = True
        stack = [(root, iter(following[root]))]
        while stack:
            node, targets = stack[-1]
            for target in targets:
                if not seen[target]:
                    seen[target] = True
                    stack.append((target, iter(following[target])))
                    break
            else:
                left.append(node)
                stack.pop()
    return left[::-1]


def _distances(following: Sequence[Sequence[int]]) -> list[int]:
    """Return the breadth first distance of each node from node 0; unreachable nodes come after all others."""
    distance = {0: 0}
    queue = [0]
    for node in queue:
        for target in following[node]:
            if target not in distance:
                distance[target] = distance[node] + 1
                queue.append(target)
    beyond = max(distance.values()) + 1
    return [distance.get(node, beyond) for node in range(len(following))]


def _chain(vertices: _Vertices, wire: Wire) -> tuple[list[int], int]:
    """Add the virtual nodes of a wire; return them from source to target, and the one that holds its label."""
    begin, end = vertices.column[wire.source], vertices.column[wire.target]
    thin = Size(0.0, 3.0, 3.0)
    if begin == end:
        middle = vertices.add(wire.label, begin + 1)
        vertices.link(wire.source, middle, 1.0)
        vertices.link(middle, wire.target, 1.0)
        return [middle], middle
    step = 1 if begin < end else -1
    between = range(begin + step, end, step)
    # The odd column nearest to the middle: states are in the even ones.
    label_column = between[len(between) // 2] if len(between) // 2 % 2 == 0 else between[len(between) // 2 - 1]
    chain = [vertices.add(wire.label if column == label_column else thin, column) for column in between]
    middle = chain[between.index(label_column)]
    path = [wire.source, *chain, wire.target]
    for place, (a, b) in enumerate(pairwise(path)):
        inner = 0 < place < len(path) - 2
        vertices.link(a, b, 6.0 if inner else 1.5)
    return chain, middle


def _initial_columns(vertices: _Vertices) -> list[list[int]]:
    """Return the columns, in the order in which a depth first search through links meets their nodes."""
    columns: list[list[int]] = [[] for _ in range(max(vertices.column) + 1)]
    seen = [False] * len(vertices.sizes)
    for root in range(len(seen)):
        stack = [root]
        while stack:
            node = stack.pop()
            if seen[node]:
                continue
            seen[node] = True
            columns[vertices.column[node]].append(node)
            stack.extend(other for other, _ in reversed(vertices.links[node]) if not seen[other])
    return columns


def _fewest_crossings(
    vertices: _Vertices, columns: list[list[int]], sweeps: int, check: Callable[[], None]
) -> list[list[int]]:
    """Return the best of the orders from barycenter sweeps in both directions and exchanges of neighbours."""
    best = [list(column) for column in columns]
    fewest = _crossings(vertices, columns)
    since_improvement = 0
    for sweep in range(sweeps):
        forward = sweep % 2 == 0
        for index in range(len(columns)) if forward else range(len(columns) - 1, -1, -1):
            check()
            _sort_by_barycenter(vertices, columns, index, (index - 1) if forward else (index + 1))
        if len(vertices.sizes) < 1500:
            for index in range(len(columns)):
                check()
                _exchange(vertices, columns, index)
        crossings = _crossings(vertices, columns)
        since_improvement += 1
        if crossings < fewest:
            fewest, since_improvement = crossings, 0
            best = [list(column) for column in columns]
        if not fewest or since_improvement == PATIENCE:
            break
    return best


def _positions(columns: Sequence[Sequence[int]], *indices: int) -> dict[int, int]:
    """Return the place of each node of the given columns within its column."""
    return {
        node: place for index in indices if 0 <= index < len(columns) for place, node in enumerate(columns[index])
    }


def _sort_by_barycenter(vertices: _Vertices, columns: list[list[int]], index: int, fixed: int) -> None:
    """Order one column by the mean place of the neighbours in a fixed one; others keep their places."""
    place = _positions(columns, fixed)
    own = {node: float(number) for number, node in enumerate(columns[index])}
    scale = len(columns[index]) / max(1, len(place))
    for node in columns[index]:
        near = [place[other] for other, _ in vertices.links[node] if other in place]
        if near:
            own[node] = scale * sum(near) / len(near)
    columns[index].sort(key=own.__getitem__)


def _exchange(vertices: _Vertices, columns: list[list[int]], index: int) -> None:
    """Exchange neighbours in a column while that removes crossings with the columns beside it."""
    column = columns[index]
    sides = [_positions(columns, index - 1), _positions(columns, index + 1)]
    near = {
        node: [sorted(side[other] for other, _ in vertices.links[node] if other in side) for side in sides]
        for node in column
    }
    improving: dict[tuple[int, int], bool] = {}
    improved = True
    while improved:
        improved = False
        for place in range(len(column) - 1):
            pair = upper, lower = column[place], column[place + 1]
            if pair not in improving:
                improving[pair] = sum(map(_balance, near[upper], near[lower])) > 0
            if improving[pair]:
                column[place], column[place + 1] = lower, upper
                improved = True


def _balance(upper: list[int], lower: list[int]) -> int:
    """Return how many crossings an exchange removes; upper, lower: the sorted places of the neighbours."""
    if not upper or not lower or upper[-1] < lower[0]:
        return -len(upper) * len(lower)
    return sum(bisect_left(lower, end) + bisect_right(lower, end) - len(lower) for end in upper)


def _crossings(vertices: _Vertices, columns: Sequence[Sequence[int]]) -> int:
    """Return the number of crossing pairs of links between neighbouring columns."""
    total = 0
    for index in range(len(columns) - 1):
        place = _positions(columns, index + 1)
        ends: list[int] = []  # kept sorted
        for node in columns[index]:
            near = [place[other] for other, _ in vertices.links[node] if other in place]
            total += sum(len(ends) - bisect_right(ends, end) for end in near)
            for end in near:
                insort(ends, end)
    return total


def _heights(
    vertices: _Vertices, columns: Sequence[Sequence[int]], sweeps: int, check: Callable[[], None]
) -> list[float]:
    """Return the ordinates: each node as near to the mean of its neighbours as order and sizes allow."""
    sizes = vertices.sizes
    y = [0.0] * len(sizes)
    for column in columns:
        for node, offset in zip(column, _offsets(vertices, column), strict=True):
            y[node] = offset
    for sweep in range(2 * sweeps + 8):
        moved = 0.0
        for column in columns if sweep % 2 == 0 else reversed(columns):
            check()
            wanted, weights = [], []
            for node in column:
                stiffness = sum(weight for _, weight in vertices.links[node])
                pull = sum(weight * y[other] for other, weight in vertices.links[node])
                wanted.append(pull / stiffness if stiffness else y[node])
                weights.append(stiffness or 0.1)
            for node, value in zip(column, _separated(wanted, weights, _offsets(vertices, column)), strict=True):
                moved = max(moved, abs(value - y[node]))
                y[node] = value
        if moved < PRECISION:
            break
    top = min(y[node] - size.above for node, size in enumerate(sizes))
    return [value - top for value in y]


def _offsets(vertices: _Vertices, column: Sequence[int]) -> list[float]:
    """Return the ordinates of a column packed as tightly as possible, from 0."""
    offsets = [0.0]
    for upper, lower in pairwise(column):
        between = vertices.sizes[upper].below + vertices.gap(upper, lower) + vertices.sizes[lower].above
        offsets.append(offsets[-1] + between)
    return offsets[: len(column)]


def _separated(wanted: Sequence[float], weights: Sequence[float], offsets: Sequence[float]) -> Iterator[float]:
    """Yield the values nearest to the wanted ones, in weighted squares, that are at least as far apart as the offsets.

    After subtracting the offsets this is isotonic regression: pool neighbours that violate the order.
    """
    pools: list[tuple[float, float, int]] = []
    for want, weight, offset in zip(wanted, weights, offsets, strict=True):
        mean, mass, members = want - offset, weight, 1
        while pools and pools[-1][0] > mean:
            earlier, earlier_mass, earlier_members = pools.pop()
            mean = (earlier * earlier_mass + mean * mass) / (earlier_mass + mass)
            mass += earlier_mass
            members += earlier_members
        pools.append((mean, mass, members))
    place = 0
    for mean, _, members in pools:
        for _ in range(members):
            yield mean + offsets[place]
            place += 1


def _abscissas(columns: Sequence[Sequence[int]], widths: Sequence[float]) -> list[float]:
    """Return the centre of each column.

    The more nodes there are on the way to a column, the more room their edges get, so that they are less steep.
    """
    result: list[float] = []
    edge = 0.0
    for index, (column, width) in enumerate(zip(columns, widths, strict=True)):
        result.append(edge + width / 2)
        crowd = max(len(column), len(columns[index + 1]) if index + 1 < len(columns) else 0)
        edge += width + min(_WIDEST, _NARROWEST + crowd)
    return result
