"""State elimination: from an automaton to an expression for its language.

States are eliminated one after the other, and every path through an eliminated state becomes an expression on an edge
that bypasses it (Brzozowski and McCluskey, IEEE Transactions on Electronic Computers 12, 1963).  The cheapest state is
eliminated first (Delgado and Morais, CIAA 2004).  The two notations are in `expression` and `word_expression`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

E = TypeVar("E")

#: By state and target: the expression of an edge.
Edges = dict[int, dict[int, E]]


class Notation(ABC, Generic[E]):
    """How expressions are combined, what they cost, and how long they may become."""

    @abstractmethod
    def union(self, first: E, second: E) -> E:
        """Return the union of the expressions of two edges."""

    @abstractmethod
    def path(self, into: E, loop: E | None, out: E) -> E:
        """Return the expression of a path through a state, with any number of repetitions of its loop."""

    @abstractmethod
    def length(self, expression: E) -> int:
        """Return the length of an expression."""

    @abstractmethod
    def cost(self, into: list[int], loop: int, out: list[int]) -> int:
        """Return the cost of eliminating a state, from the lengths of its edges; loop is 0 without a loop."""

    @abstractmethod
    def check_edge(self, expression: E) -> None:
        """Raise an error if an edge has become too long."""

    @abstractmethod
    def check_edges(self, edges: Edges[E]) -> None:
        """Raise an error if all edges together are too long; called after each elimination."""


def eliminate_states(edges: Edges[E], states: int, notation: Notation[E]) -> None:
    """Eliminate the states 0, 1, ..., states - 1; the edges between all other states remain.

    O(states * edges), expressions aside; the number of edges may grow to states^2.
    """
    left = set(range(states))
    while left:
        state = _cheapest(edges, left, notation)
        left.remove(state)
        leaving = edges.pop(state)
        loop = leaving.pop(state, None)
        for targets in edges.values():
            entering = targets.pop(state, None)
            if entering is None:
                continue
            for target, expression in leaving.items():
                past = notation.path(entering, loop, expression)
                targets[target] = notation.union(targets[target], past) if target in targets else past
                notation.check_edge(targets[target])
        notation.check_edges(edges)


def _cheapest(edges: Edges[E], left: set[int], notation: Notation[E]) -> int:
    into: dict[int, list[int]] = {state: [] for state in edges}
    for source, targets in edges.items():
        for target, expression in targets.items():
            if target != source:
                into[target].append(notation.length(expression))

    def cost(state: int) -> tuple[int, int]:
        out = [notation.length(expression) for target, expression in edges[state].items() if target != state]
        loop = notation.length(edges[state][state]) if state in edges[state] else 0
        return notation.cost(into[state], loop, out), state

    return min(left, key=cost)
