"""The automaton of a relation of n and p as a graph with the values of its letters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from fibprover.automata.dfa import Dfa
from fibprover.base.errors import LimitError
from fibprover.base.limits import poll
from fibprover.numeration.digit_values import DigitValues

#: Larger graphs are not analyzed.
MOST_EDGES = 2_000_000

#: The target and the letter of an edge.
Edge = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PairGraph:
    """Words of pairs (n,p) that begin with a letter other than (0,0), and can be accepted.

    letters: the kinds of digits of n and p (`DigitValues`) that a letter stands for; first: the edges of the first
    letters; edges: those of each node; accepting: whether a word may end at a node; zero: for each letter, whether it
    is the digit 0 of p; left: for each node how many letters are left there, modulo the period of the digits.
    """

    letters: tuple[tuple[int, int], ...]
    zero: tuple[bool, ...]
    first: tuple[Edge, ...]
    edges: tuple[tuple[Edge, ...], ...]
    accepting: tuple[bool, ...]
    left: tuple[int, ...]

    def incoming(self) -> list[list[Edge]]:
        """Return for each node the edges into it, as (source, letter); -1 is the source of a first letter."""
        found: list[list[Edge]] = [[] for _ in self.edges]
        for target, letter in self.first:
            found[target].append((-1, letter))
        for node, row in enumerate(self.edges):
            for target, letter in row:
                found[target].append((node, letter))
        return found

    def live(self) -> list[bool]:
        """Return for each node whether an infinite path begins there."""
        edges = {node: len(row) for node, row in enumerate(self.edges)}
        return [count > 0 for count in self._lasting(edges, lambda letter: True).values()]

    def is_unbounded(self) -> bool:
        """Return whether n/p is unbounded: a letter may come again and again before the first digit of p other than 0.

        If not, the numbers of digits of p and n differ by at most a constant.
        """
        seen = {target for target, letter in self.first if self.zero[letter]}
        ahead = list(seen)
        for node in ahead:
            for target, letter in self.edges[node]:
                if self.zero[letter] and target not in seen:
                    seen.add(target)
                    ahead.append(target)
        edges = {node: sum(self.zero[letter] for _, letter in self.edges[node]) for node in seen}
        return any(self._lasting(edges, self.zero.__getitem__).values())

    def _lasting(self, edges: dict[int, int], counts: Callable[[int], bool]) -> dict[int, int]:
        """Return how many of the edges of some nodes, those whose letters count, an infinite path of such may take."""
        incoming = self.incoming()
        ended = [node for node, count in edges.items() if not count]
        for node in ended:
            for source, letter in incoming[node]:
                if source in edges and counts(letter):
                    edges[source] -= 1
                    if not edges[source]:
                        ended.append(source)
        return edges


def pair_graph(automaton: Dfa, values: DigitValues) -> PairGraph:
    """Return the graph of an automaton with the tracks n and p, in this order, of the system of these values."""
    letters: dict[tuple[int, int], int] = {}
    zero: list[bool] = []
    numbers: dict[tuple[int, int, int], int] = {}
    found: list[tuple[int, int, int]] = []

    def edges(node: tuple[int, int, int], *, first: bool = False) -> tuple[Edge, ...]:
        state, reader, other = node
        row = []
        for code, target in automaton.row(state):
            n, p = automaton.letter(code)
            if first and not n and not p:
                continue
            after, kind = values.rows[reader][n]
            beyond, worth = values.rows[other][p]
            following = (target, after, beyond)
            if following not in numbers:
                numbers[following] = len(found)
                found.append(following)
            if (kind, worth) not in letters:
                letters[kind, worth] = len(letters)
                zero.append(not p)
            row.append((numbers[following], letters[kind, worth]))
        return tuple(row)

    begin = tuple(edge for start in values.starts for edge in edges((0, start, start), first=True))
    rows, count = [], 0
    for node in found:
        poll("the pairs of a supremum")
        rows.append(edges(node))
        count += len(rows[-1])
        if count > MOST_EDGES:
            raise LimitError("the automaton of the pairs is too large")
    left = [values.left(reader) for _, reader, _ in found]
    outputs = [bool(automaton.outputs[state]) and not left[node] for node, (state, _, _) in enumerate(found)]
    return _trimmed(PairGraph(tuple(letters), tuple(zero), begin, tuple(rows), tuple(outputs), tuple(left)))


def _trimmed(whole: PairGraph) -> PairGraph:
    """Return the graph without the nodes from which no word is accepted."""
    incoming = whole.incoming()
    useful = [node for node, output in enumerate(whole.accepting) if output]
    seen = set(useful)
    for node in useful:
        for source, _ in incoming[node]:
            if source >= 0 and source not in seen:
                seen.add(source)
                useful.append(source)
    kept = sorted(seen)
    place = {node: i for i, node in enumerate(kept)}

    def cut(row: tuple[Edge, ...]) -> tuple[Edge, ...]:
        return tuple((place[target], letter) for target, letter in row if target in place)

    return replace(
        whole, first=cut(whole.first), edges=tuple(cut(whole.edges[node]) for node in kept),
        accepting=tuple(whole.accepting[node] for node in kept), left=tuple(whole.left[node] for node in kept),
    )
