"""The tree of representations labelled with a sequence: the data about an index and all indices with that prefix.

The node of a word w has a child wd for every digit d such that wd is a prefix of a valid representation; the subtree
of w shows the residual of w under the automaton of an automatic word.  Leading zeros stay at the root.  The
residual of a node is *trusted* to the depth to which all of it lies inside the data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise
from operator import index as integer
from typing import Any, TypeAlias

import numpy
from numpy.typing import NDArray

from fibprover.automata.dfa import LARGEST_OUTPUT
from fibprover.base.errors import FibproverError
from fibprover.numeration.system import NumerationSystem

Integers: TypeAlias = NDArray[numpy.int64]
Flags: TypeAlias = NDArray[numpy.bool_]

#: The letter of a prefix that represents no number; some systems have such prefixes.
NO_NUMBER = -1


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """The edges of one digit: owners[i] goes to children[i]; both of one length, owners increasing."""

    owners: Integers
    children: Integers


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """The nodes inside some data; node 0 is the root, the number 0, and its own child by the digit 0.

    alphabet: the values of the sequence, increasing; letters: (nodes), indices into it or NO_NUMBER;
    numbers: (nodes), the number represented, if there is one; complete: (nodes), whether all
    children are inside; edges: one a digit, to the children inside; trust: (nodes), the depth to
    which everything below is inside (no more than the root's).
    """

    alphabet: tuple[int, ...]
    letters: Integers
    numbers: Integers
    complete: Flags
    edges: tuple[Edges, ...]
    trust: Integers

    @property
    def nodes(self) -> int:
        """The number of nodes, which is the number of values if every prefix represents a number."""
        return len(self.letters)


def tree_of(system: NumerationSystem, sequence: Sequence[int], first: int = 0) -> Tree:
    """Return the tree of `sequence`, whose values belong to the numbers first, first + 1, ...

    In systems of all integers `first` may be negative; the range must hold 0.  O(values) array operations for
    the naturals; integers are represented one by one.  Raises FibproverError for values that are not letters, and for
    an empty sequence.
    """
    values = letters_of(sequence)
    if not values:
        raise FibproverError("the sequence is empty")
    if not system.signed and first != 0:
        raise FibproverError(f"the numbers of {system.name} begin with 0, not {first}")
    if not first <= 0 < first + len(values):
        raise FibproverError(
            f"the sequence has values at {first} to {first + len(values) - 1}, and so none at 0",
            hint="indices of either sign need data around 0",
        )
    alphabet, codes = numpy.unique(numpy.array(values, dtype=numpy.int64), return_inverse=True)
    parts = _signed(system, codes.astype(numpy.int64), first) if system.signed else _ordered(system, codes)
    letters, numbers, complete, edges = parts
    trust = _trusted(complete, edges)
    return Tree(tuple(int(value) for value in alphabet), letters, numbers, complete, edges, trust)


def integers_of(sequence: object) -> list[int]:
    """Return the values as Python integers; FibproverError names the first that is not an integer."""
    if not isinstance(sequence, Iterable) or not hasattr(sequence, "__len__") or isinstance(sequence, Mapping | Set):
        raise FibproverError(
            f"a sequence is a list of its first values, not {sequence!r}",
            hint="such as [f(n) for n in range(500)], or list(islice(values, 500)) of a generator",
        )
    values = []
    for place, value in enumerate(sequence):
        try:
            values.append(integer(value))
        except TypeError:
            raise FibproverError(f"value {place} of the sequence is {value!r}, which is not an integer") from None
    return values


def letters_of(sequence: Sequence[int]) -> list[int]:
    """Return the values as integers that fit the outputs of a machine; FibproverError names the first that does not."""
    values = integers_of(sequence)
    place = next((place for place, value in enumerate(values) if abs(value) > LARGEST_OUTPUT), None)
    if place is not None:
        raise FibproverError(f"value {place} of the sequence is {values[place]}, which is too large for a letter")
    return values


def _ordered(system: NumerationSystem, codes: NDArray[Any]) -> tuple[Integers, Integers, Flags, tuple[Edges, ...]]:
    """Return letters, numbers, completeness and edges for the naturals, with nodes in the order of the numbers.

    Longer words are larger, and words of one length are ordered by their digits: so nodes are found level by level,
    and children of consecutive nodes are consecutive nodes, the root being its own first child.
    """
    arrays = system.valid.arrays()
    offsets = arrays["offsets"]
    degrees = numpy.diff(offsets)
    accepting = arrays["outputs"] != 0
    states = numpy.zeros(1, dtype=numpy.int64)
    expanded, found = 0, int(accepting[0])
    pieces = [states]
    pending = states
    while found < len(codes):
        # As many nodes as suffice if all their children are numbers.
        sums = numpy.cumsum(degrees[pending])
        count = min(len(pending), int(numpy.searchsorted(sums, len(codes) - found)) + 1)
        below = _children(offsets, arrays["targets"], pending[:count])
        if expanded == 0:
            below = below[1:]
        expanded += count
        found += int(accepting[below].sum())
        pieces.append(below)
        pending = numpy.concatenate([pending[count:], below])
    states = numpy.concatenate(pieces)
    is_number = accepting[states]
    numbers = numpy.cumsum(is_number) - 1
    nodes = int(numpy.searchsorted(numbers, len(codes) - 1)) + 1
    states, is_number, numbers = states[:nodes], is_number[:nodes], numbers[:nodes]
    letters = numpy.full(nodes, NO_NUMBER, dtype=numpy.int64)
    letters[is_number] = codes
    width = degrees[states]
    ends = numpy.cumsum(width)
    complete = (ends <= nodes) | (width == 0)
    inside = numpy.minimum(ends, nodes) - numpy.minimum(ends - width, nodes)
    owners = numpy.repeat(numpy.arange(nodes), inside)
    children = numpy.arange(len(owners))
    digits = arrays["codes"][offsets[states[owners]] + children - (ends - width)[owners]]
    return letters, numbers, complete, _by_digit(digits, owners, children, len(system.digits))


def _children(offsets: NDArray[Any], targets: NDArray[Any], states: NDArray[Any]) -> Integers:
    """Return the targets of these states, in order."""
    width = offsets[states + 1] - offsets[states]
    within = numpy.arange(int(width.sum())) - numpy.repeat(numpy.cumsum(width) - width, width)
    found: Integers = targets[numpy.repeat(offsets[states], width) + within].astype(numpy.int64)
    return found


def _signed(
    system: NumerationSystem, codes: Integers, first: int
) -> tuple[Integers, Integers, Flags, tuple[Edges, ...]]:
    """Return the same for all integers: words are not ordered like them, so each integer is represented."""
    numbers = sorted(range(first, first + len(codes)), key=lambda number: (abs(number), number))
    nodes = {system.represent(number): node for node, number in enumerate(numbers)}
    valid = system.valid
    owners: list[int] = []
    children: list[int] = []
    digits: list[int] = []
    missing = numpy.zeros(len(nodes), dtype=numpy.int64)
    for word, node in nodes.items():
        state = 0
        for digit in word:
            following = valid.successor(state, digit)
            assert following is not None
            state = following
        for digit, _ in valid.row(state):
            child = nodes.get((*word, digit)) if word or digit else 0
            if child is None:
                missing[node] += 1
            else:
                owners.append(node)
                children.append(child)
                digits.append(digit)
    order = numpy.array(numbers, dtype=numpy.int64)
    edges = _by_digit(numpy.array(digits), numpy.array(owners), numpy.array(children), len(system.digits))
    return codes[order - first], order, missing == 0, edges


def _by_digit(
    digits: NDArray[Any], owners: NDArray[Any], children: NDArray[Any], count: int
) -> tuple[Edges, ...]:
    """Return the edges of each digit, in the order of their owners."""
    order = numpy.argsort(digits, kind="stable")
    bounds = numpy.searchsorted(digits[order], numpy.arange(count + 1))
    return tuple(
        Edges(owners[order[low:high]].astype(numpy.int64), children[order[low:high]].astype(numpy.int64))
        for low, high in pairwise(bounds)
    )


def _trusted(complete: Flags, edges: Sequence[Edges]) -> Integers:
    """Return the depth to which everything below each node is inside; a node without children has that of the root."""
    trust = numpy.zeros(len(complete), dtype=numpy.int64)
    depth = 0
    while True:
        deeper = complete.copy()
        for edge in edges:
            deeper[edge.owners[trust[edge.children] < depth]] = False
        if not deeper[0]:
            return trust
        depth += 1
        trust[deeper] = depth
