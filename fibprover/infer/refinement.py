"""Types of nodes, depth by depth, and the machine they make.

The 0-type of a node is its letter; its (t+1)-type is its letter with the t-types of its children,
digit by digit: what can be read from it in at most t + 1 steps.  That is the t-type of seed 000,
section 2 (the letter with the factors that belong to mu(g_n), ..., mu^t(g_n)), with the factors kept
in the shape of the tree, which matters where other systems have words of equal length in other shapes.

Every depth refines the one before.  Where one depth does not, no later one does, and the types are the
states of a machine: that is what consistent means.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy

from fibprover.errors import BudgetSpent
from fibprover.infer.tree import NO_NUMBER, Edges, Integers, Tree
from fibprover.limits import UNLIMITED, Budget

#: The type of a node that is not trusted deeply enough to have one.
UNKNOWN = -1

#: A node at which a machine has no state any more, and one that is not reached within the data.
NO_STATE, UNREACHED = -1, -2


@dataclass(frozen=True, slots=True, eq=False)
class Round:
    """The t-types of all nodes: types[node] in 0 .. count - 1, or UNKNOWN; numbered by their first nodes."""

    depth: int
    types: Integers
    count: int


@dataclass(frozen=True, slots=True)
class Machine:
    """A deterministic machine over the types that can be reached: state 0 is the root's.

    images: (states), the targets of a state by its digits, None where the digit is not read; letters:
    (states), indices into the alphabet or NO_NUMBER; nodes: (states), the node that each was read from.
    """

    images: tuple[tuple[int | None, ...], ...]
    letters: tuple[int, ...]
    nodes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two nodes of equal type whose next types differ, and where: behind `path`, at the nodes `ends`.

    An end is None where the representation cannot go on along the path, and the other one can.
    """

    nodes: tuple[int, int]
    path: tuple[int, ...]
    ends: tuple[int | None, int | None]


def rounds(tree: Tree, budget: Budget = UNLIMITED) -> Iterator[Round]:
    """The types to depth 0, 1, ..., as far as the data reach; O(nodes log nodes) a digit, less the deeper.

    BudgetSpent once the budget's time is over.
    """
    begin = budget.seconds_left()
    types, count = _numbered(tree.letters)
    this = Round(0, types, count)
    yield this
    while this.depth < tree.trust[0]:
        if budget.seconds_left() < 0:
            raise BudgetSpent("seconds", max(begin, 0.0), during="the types of a sequence")
        this = _next(tree, this)
        yield this


def _next(tree: Tree, before: Round) -> Round:
    """The types one depth further."""
    depth = before.depth + 1
    nodes = numpy.flatnonzero(tree.trust >= depth)
    place = numpy.full(tree.nodes, -1, dtype=numpy.int64)
    place[nodes] = numpy.arange(len(nodes))
    key, count = _numbered(tree.letters[nodes])
    for edge in tree.edges:
        owners = place[edge.owners]
        here = owners >= 0
        child = numpy.zeros(len(nodes), dtype=numpy.int64)
        child[owners[here]] = before.types[edge.children[here]] + 1
        # Both factors are at most the number of nodes: no overflow below 2^31 of them.
        key, count = _numbered(key * (before.count + 1) + child)
    types = numpy.full(tree.nodes, UNKNOWN, dtype=numpy.int64)
    types[nodes] = key
    return Round(depth, types, count)


def _numbered(keys: Integers) -> tuple[Integers, int]:
    """Equal keys by equal numbers 0, 1, ... in the order of their first places, and how many there are."""
    different, first, inverse = numpy.unique(keys, return_index=True, return_inverse=True)
    rank = numpy.empty(len(different), dtype=numpy.int64)
    rank[numpy.argsort(first)] = numpy.arange(len(different))
    return rank[inverse], len(different)


def consistent(this: Round, following: Round) -> bool:
    """Whether nodes of one type have equal next types, as far as these are known."""
    known = following.types >= 0
    return len(numpy.unique(this.types[known])) == following.count


def unfollowed(this: Round, following: Round) -> int | None:
    """The first node of a type of which no node's children are known, or None."""
    known = following.types >= 0
    seen = numpy.zeros(this.count, dtype=numpy.bool_)
    seen[this.types[known]] = True
    lost = numpy.flatnonzero((this.types >= 0) & ~seen[this.types])
    return int(lost[0]) if len(lost) else None


def machine_of(tree: Tree, this: Round, following: Round) -> Machine:
    """The machine of consistent types that all are followed.

    States are numbered as they occur in the fixed point; each is read from its most trusted node.
    """
    candidates = numpy.flatnonzero(following.types >= 0)
    candidates = candidates[numpy.argsort(-tree.trust[candidates], kind="stable")]
    _, first = numpy.unique(this.types[candidates], return_index=True)
    read_from = candidates[first]
    table = numpy.full((this.count, len(tree.edges)), UNKNOWN, dtype=numpy.int64)
    for digit, edge in enumerate(tree.edges):
        child = numpy.full(tree.nodes, UNKNOWN, dtype=numpy.int64)
        child[edge.owners] = this.types[edge.children]
        table[:, digit] = child[read_from]
    start = int(this.types[0])
    numbers = {start: 0}
    pending = [start]
    images = []
    for old in pending:
        image: list[int | None] = []
        for target in table[old].tolist():
            if target == UNKNOWN:
                image.append(None)
                continue
            if target not in numbers:
                numbers[target] = len(pending)
                pending.append(target)
            image.append(numbers[target])
        images.append(tuple(image))
    nodes = tuple(int(read_from[old]) for old in pending)
    return Machine(tuple(images), tuple(int(tree.letters[node]) for node in nodes), nodes)


def states_of(tree: Tree, images: Sequence[Sequence[int | None]]) -> Integers:
    """The state in which a machine is at each node, read from the root; NO_STATE, or UNREACHED.

    images: as in `Machine`; an image may be shorter than there are digits.
    """
    table = numpy.full((len(images) + 1, len(tree.edges)), NO_STATE, dtype=numpy.int64)
    for state, image in enumerate(images):
        for digit, target in enumerate(image):
            table[state, digit] = NO_STATE if target is None else target
    states = numpy.full(tree.nodes, UNREACHED, dtype=numpy.int64)
    states[0] = 0
    waiting = list(tree.edges)
    reached = 1
    while reached:
        reached = 0
        for digit, edge in enumerate(waiting):
            ready = states[edge.owners] != UNREACHED
            new = ready & (edge.children != 0)
            # No state is the last row of the table, which leads nowhere.
            states[edge.children[new]] = table[states[edge.owners[new]], digit]
            reached += int(new.sum())
            waiting[digit] = Edges(edge.owners[~ready], edge.children[~ready])
    return states


def disagreement(tree: Tree, images: Sequence[Sequence[int | None]], letters: Sequence[int]) -> int | None:
    """The first node inside the data at which a machine says another letter than the data, or None.

    letters: of the states, indices into the alphabet; what it says where there is no number is ignored.
    """
    states = states_of(tree, images)
    said = numpy.array([*letters, len(tree.alphabet)], dtype=numpy.int64)[numpy.maximum(states, NO_STATE)]
    wrong = numpy.flatnonzero((states != UNREACHED) & (tree.letters != NO_NUMBER) & (said != tree.letters))
    return int(wrong[0]) if len(wrong) else None


def conflict(tree: Tree, found: Sequence[Round], depth: int) -> Conflict | None:
    """The first nodes that agree to `depth` and not one further, with the path that tells them apart; or None."""
    known = numpy.flatnonzero(found[depth + 1].types >= 0)
    old, new = found[depth].types[known], found[depth + 1].types[known]
    _, first = numpy.unique(old, return_index=True)
    expected = numpy.full(found[depth].count, UNKNOWN, dtype=numpy.int64)
    expected[old[first]] = new[first]
    other = numpy.flatnonzero(new != expected[old])
    if not len(other):
        return None
    second = int(known[other[0]])
    node = int(known[numpy.flatnonzero(old == old[other[0]])[0]])
    left: int | None = node
    right: int | None = second
    path: list[int] = []
    for level in range(depth, -1, -1):
        for digit, edge in enumerate(tree.edges):
            ends = [_child(edge.owners, edge.children, end) for end in (left, right)]
            kinds = [None if end is None else int(found[level].types[end]) for end in ends]
            if kinds[0] != kinds[1]:
                path.append(digit)
                left, right = ends
                break
        if left is None or right is None or tree.letters[left] != tree.letters[right]:
            break
    return Conflict((node, second), tuple(path), (left, right))


def _child(owners: Integers, children: Integers, node: int | None) -> int | None:
    """A node's child along the edges of a digit."""
    if node is None:
        return None
    place = int(numpy.searchsorted(owners, node))
    return int(children[place]) if place < len(owners) and owners[place] == node else None
