"""The greatest limits of n/p over the infinite paths of a graph of pairs, exactly.

An infinite path has the values N and P, sums of the limits c of its letters times beta^-1, beta^-2, ...  Among the
pairs with many digits n/p comes near to N/P, so that the limit superior is the greatest N/P.  It is the x for which
the greatest N - x P is 0.  For one x, that of the paths from each node satisfies
f(s) = max (c_n - x c_p + f(t)) / beta over the edges from s to t (with a period of P places beta divides once in P
edges, see `DigitValues.grows`): policies are improved (Howard, "Dynamic programming
and Markov processes", 1960), first in floating point, then exactly, until no edge is better.  The f that is left
is the proof: it satisfies all these inequalities in Q(beta).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fibprover.base.limits import poll
from fibprover.numeration.digit_values import DigitValues
from fibprover.numeration.number_field import Algebraic
from fibprover.sheets.pair_graph import Edge, PairGraph

#: The relative difference by which an edge must be better in floating point.
BETTER = 1e-9


@dataclass(frozen=True, slots=True)
class BestPaths:
    """The greatest N - x P.

    x; start: that of the paths from the beginning; nodes: that of the paths from each node, None where no infinite
    path begins.
    """

    x: Algebraic
    start: Algebraic
    nodes: tuple[Algebraic | None, ...]


def greatest_quotient(graph: PairGraph, values: DigitValues) -> BestPaths | None:
    """Return the paths for the x at which the greatest N - x P is 0; None if there are finitely many pairs.

    The graph must not be unbounded.
    """
    return _Search(graph, values).at(None)


def best_paths(graph: PairGraph, values: DigitValues, x: Algebraic) -> BestPaths | None:
    """Return the greatest N - x P for some x; None if there are finitely many pairs."""
    return _Search(graph, values).at(x)


class _Search:
    """Policies: for each node the edge that a path takes."""

    def __init__(self, graph: PairGraph, values: DigitValues) -> None:
        self.values = values
        self.graph = graph
        live = graph.live()
        self.rows = [[edge for edge in row if live[edge[0]]] if live[node] else [] for node, row in
                     enumerate(graph.edges)]
        self.first = [edge for edge in graph.first if live[edge[0]]]
        self.nodes = [node for node, row in enumerate(self.rows) if row]
        self.policy: list[Edge] = [row[0] if row else (0, 0) for row in self.rows]
        self.n = [values.limits[n] for n, _ in graph.letters]
        self.p = [values.limits[p] for _, p in graph.letters]
        self.grow = [values.field.beta if values.grows(left) else values.field.number(1) for left in graph.left]

    def at(self, x: Algebraic | None) -> BestPaths | None:
        if not self.first:
            return None
        self.approach(None if x is None else float(x))
        inverse, one = self.values.field.beta.inverse(), self.values.field.number(1)
        shrink = [inverse if self.values.grows(left) else one for left in self.graph.left]
        zero = self.values.field.number(0)
        while True:
            poll("the greatest quotient")
            n, p = self.along(self.n, shrink, zero), self.along(self.p, shrink, zero)
            best = x if x is not None else self.greatest(n, p)
            nodes = [n[node] - best * p[node] if row else None for node, row in enumerate(self.rows)]
            if self.improved(best, nodes):
                continue
            start = max(
                (self.n[letter] - best * self.p[letter] + known(nodes[node]))
                * (inverse if self.values.grows(self.graph.left[node] + 1) else one)
                for node, letter in self.first
            )
            if x is None and start.sign() > 0:
                continue
            return BestPaths(best, start, tuple(nodes))

    def approach(self, x: float | None) -> None:
        """Improve the policy in floating point."""
        shrink = [1 / float(grow) for grow in self.grow]
        n, p = [float(each) for each in self.n], [float(each) for each in self.p]
        for _ in range(1000):
            poll("the greatest quotient")
            ns, ps = self.along(n, shrink, 0.0), self.along(p, shrink, 0.0)
            best = x if x is not None else max(
                (n[letter] + ns[node]) / (p[letter] + ps[node]) for node, letter in self.first
            )
            nodes = [a - best * b for a, b in zip(ns, ps, strict=True)]
            weights = [a - best * b for a, b in zip(n, p, strict=True)]
            changed = False
            for node in self.nodes:
                target, letter = self.policy[node]
                most = (weights[letter] + nodes[target]) + BETTER * (1 + abs(nodes[node]))
                for edge in self.rows[node]:
                    if weights[edge[1]] + nodes[edge[0]] > most:
                        most, changed = weights[edge[1]] + nodes[edge[0]], True
                        self.policy[node] = edge
            if not changed:
                return

    def along(self, weights: Sequence[Any], shrink: Sequence[Any], zero: Any) -> list[Any]:
        """Return for each node the sum of the weights on its path, each times all shrink[node] up to its edge."""
        found: list[Any] = [None] * len(self.rows)
        for begin in self.nodes:
            path: list[int] = []
            places: dict[int, int] = {}
            node = begin
            while found[node] is None and node not in places:
                places[node] = len(path)
                path.append(node)
                node = self.policy[node][0]
            if found[node] is None:
                cycle = path[places[node]:]
                total, power = zero, zero + 1
                for each in cycle:
                    power = power * shrink[each]
                    total = total + power * weights[self.policy[each][1]]
                # The sum repeats after the cycle.
                found[node] = total / (1 - power)
            for each in reversed(path):
                if found[each] is None:
                    target, letter = self.policy[each]
                    found[each] = (weights[letter] + found[target]) * shrink[each]
        return [zero if value is None else value for value in found]

    def greatest(self, n: Sequence[Algebraic], p: Sequence[Algebraic]) -> Algebraic:
        """Return the greatest quotient of the paths of the policy from the beginning."""
        quotients = {
            (self.n[letter] + n[node]) / (self.p[letter] + p[node])
            for node, letter in self.first
        }
        return max(quotients)

    def improved(self, x: Algebraic, nodes: Sequence[Algebraic | None]) -> bool:
        """Switch to better edges; return whether there were any.  The comparison is exact."""
        weights = [n - x * p for n, p in zip(self.n, self.p, strict=True)]
        sizes = [weight.interval() for weight in weights]
        around = [None if each is None else each.interval() for each in nodes]
        changed = False
        for node in self.nodes:
            here = known(nodes[node]) * self.grow[node]
            low, high = here.interval()
            for target, letter in self.rows[node]:
                after = around[target]
                assert after is not None
                if sizes[letter][1] + after[1] < low or (target, letter) == self.policy[node]:
                    continue
                if (
                    sizes[letter][0] + after[0] > high
                    or (weights[letter] + known(nodes[target]) - here).sign() > 0
                ):
                    self.policy[node], changed = (target, letter), True
                    break
        return changed


def known(value: Algebraic | None) -> Algebraic:
    """Return a value that has been computed."""
    assert value is not None
    return value
