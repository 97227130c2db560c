"""The greatest and the least quotient s^2/p over the pairs (p,s) of an automaton, exactly: bounds of s/sqrt(p).

The digits of p are those of a base B^2, the digits of s those of base B, and both are read in step.  After a state q
is reached by (p,s), the next k digits make it (B^(2k) (p + Y), B^k (s + X)) with 0 <= X, Y <= 1.  Let D = c p - s^2,
which has to be 0 or more for the greatest quotient c.  At the end it is B^(2k) times D - 2 s X + c Y - X^2.  As s is
large, the greatest X that is possible from q, X_q, comes first: put G = D - 2 s X_q.  Along an edge with the digits
i, j to q' that leads to the greatest X, G' = B^2 G + c i - j^2 - 2 j X_q', along any other one G' is greater by a
multiple of s.  So G is at least the least solution g_q of the inequalities of edges, as soon as s is so large that the
other edges do not matter, if it is so for the pairs where s becomes that large: these are finitely many.  For the least
quotient signs change, and X_q is the least X.

Brillhart and Morton, Ueber Summen von Rudin-Shapiroschen Koeffizienten (1978), found sqrt(3n/5) < s(n) < sqrt(6n) for
the sums of the Rudin-Shapiro sequence, which are such pairs with B = 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import ceil

from fibprover.automata.dfa import Dfa
from fibprover.base.errors import LimitError
from fibprover.base.limits import poll
from fibprover.base.values import value

#: So many pairs suggest a quotient, and so many are examined for the proof.
_SEEN, MOST_PAIRS = 1500, 30_000

#: Rounds in which the choice of edges is improved.
_MOST_ROUNDS = 1000

#: What a state is worth: the edge that it takes, None for the end, decides.
_Edge = tuple[int, int, int]  # the digits i of p and j of s, and the state that follows


@value
class SquareQuotient:
    """The greatest or the least s^2/p of the pairs with p > 0; attained: whether a pair has it; pair: such a pair."""

    value: Fraction
    attained: bool
    pair: tuple[int, int] | None


def square_quotient(pairs: Dfa, base: int, *, greatest: bool) -> SquareQuotient | None:
    """Return the greatest, or the least s^2/p of the pairs (p,s) with p > 0; None without pairs.

    pairs: its first track has digits of base^2, its second one digits of base.  Raises LimitError if there is no proof
    with MOST_PAIRS pairs; so it is if the greatest quotient is infinite.
    """
    graph = _Graph(pairs, base, -1 if greatest else 1)
    found = graph.candidate()
    if found is None:
        return None
    return graph.zero() if not greatest and not found else graph.proved(found)


class _Graph:
    """The states that lead to pairs; sign: -1 for the greatest quotient, 1 for the least; edges, ends by state.

    shift: X_q by state, the greatest (the least) X.
    """

    def __init__(self, pairs: Dfa, base: int, sign: int) -> None:
        self.base, self.sign = base, sign
        self.ends = [bool(output) for output in pairs.outputs]
        edges: list[list[_Edge]] = []
        for state in range(pairs.states):
            edges.append([(*pairs.letter(code), there) for code, there in pairs.row(state)])  # type: ignore[misc]
        self.alive = _leading_to(edges, self.ends)
        self.edges = [[edge for edge in row if edge[2] in self.alive] for row in edges]
        self.shift = self.extreme(lambda state, edge, x: (edge[1] + x) / base, self.edges, self.ends, base, -sign)
        self.tight = [
            [edge for edge in row if self.gap(state, edge) == 0] for state, row in enumerate(self.edges)
        ]
        self.tight_ends = [end and self.shift[state] == 0 for state, end in enumerate(self.ends)]

    def gap(self, state: int, edge: _Edge) -> Fraction:
        """Return how much less (more) than the greatest (least) X an edge leads to."""
        return self.sign * ((edge[1] + self.shift[edge[2]]) / self.base - self.shift[state])

    def extreme(
        self, worth: Callable[[int, _Edge, Fraction], Fraction], edges: Sequence[Sequence[_Edge]], ends: Sequence[bool],
        scale: int, sign: int,
    ) -> list[Fraction]:
        """Return by state the greatest (sign 1) or least (-1) of worths; an end is worth 0.

        worth: of an edge, where that of the next state is known; it divides the latter by `scale`.  The solution is
        unique; edges are chosen by approximations, which an exact solution improves until no edge is better.
        """
        chosen: dict[int, _Edge | None] = {
            state: None if ends[state] else edges[state][0] for state in self.alive
        }
        for _ in range(_MOST_ROUNDS):
            poll("quotients of pairs")
            exact = self.solved(chosen, worth)
            better = False
            for state in self.alive:
                best, best_worth = chosen[state], exact[state]
                options: list[tuple[_Edge | None, Fraction]] = [(edge, worth(state, edge, exact[edge[2]]))
                                                                for edge in edges[state]]
                options += [(None, Fraction(0))] if ends[state] else []
                for edge, found in options:
                    if sign * found > sign * best_worth:
                        best, best_worth, better = edge, found, True
                chosen[state] = best
            if not better:
                return [exact.get(state, Fraction(0)) for state in range(len(edges))]
        raise LimitError("no best paths of the pairs were found")

    def solved(
        self, chosen: dict[int, _Edge | None], worth: Callable[[int, _Edge, Fraction], Fraction]
    ) -> dict[int, Fraction]:
        """Return the worths of states along chosen edges: those of a cycle solve a linear equation."""
        found: dict[int, Fraction] = {}
        for begin in chosen:
            path: list[int] = []
            places: dict[int, int] = {}
            state = begin
            while state not in found and state not in places:
                edge = chosen[state]
                if edge is None:
                    found[state] = Fraction(0)
                    break
                places[state] = len(path)
                path.append(state)
                state = edge[2]
            if state not in found:  # a cycle: its worth is factor * itself + constant
                cycle = path[places[state]:]
                values = []
                for start in (Fraction(0), Fraction(1)):
                    end = start
                    for each in reversed(cycle):
                        end = worth(each, _known(chosen[each]), end)
                    values.append(end)
                found[state] = values[0] / (1 - (values[1] - values[0]))
            for each in reversed(path):
                if each not in found:
                    edge = _known(chosen[each])
                    found[each] = worth(each, edge, found[edge[2]])
        return found

    def walks(self, goes_on: Callable[[int, int, int], bool]) -> Iterator[tuple[int, int, int]]:
        """Yield the states with the numbers p, s that lead to them, as far as they go on; LimitError for too many."""
        seen = {(0, 0, 0)} if 0 in self.alive else set()
        todo = list(seen)
        for state, p, s in todo:
            poll("quotients of pairs")
            yield state, p, s
            if not goes_on(state, p, s):
                continue
            if len(todo) > MOST_PAIRS:
                raise LimitError(f"the quotients of more than {MOST_PAIRS} pairs are to be examined")
            for i, j, there in self.edges[state]:
                new = there, p * self.base**2 + i, s * self.base + j
                if new not in seen:
                    seen.add(new)
                    todo.append(new)

    def candidate(self) -> Fraction | None:
        """Return the greatest (least) quotient of some pairs, and of the limits that paths from them have."""
        square = self.base**2
        tails = self.extreme(
            lambda state, edge, y: (edge[0] + y) / square, self.tight, self.tight_ends, square, self.sign
        )
        best: Fraction | None = None
        count = 0

        def goes_on(state: int, p: int, s: int) -> bool:
            return count < _SEEN

        for state, p, s in self.walks(goes_on):
            count += 1
            quotients = [Fraction(s * s, p)] if self.ends[state] and p else []
            if p + tails[state] > 0:
                quotients.append((s + self.shift[state]) ** 2 / (p + tails[state]))
            for found in quotients:
                if best is None or -self.sign * found > -self.sign * best:
                    best = found
            if count > 2 * _SEEN:
                break
        return best

    def zero(self) -> SquareQuotient:
        """Return the least quotient 0, which a pair with s = 0 has; LimitError if no such pair is found."""
        for state, p, s in self.walks(lambda state, p, s: not s):
            if self.ends[state] and p and not s:
                return SquareQuotient(Fraction(0), True, (p, 0))
        raise LimitError("no pair with the quotient 0 was found")

    def proved(self, c: Fraction) -> SquareQuotient:
        """Return the quotient c, proved to be the greatest (the least) one; LimitError if there is no proof."""
        square, sign = self.base**2, self.sign

        def more(edge: _Edge) -> Fraction:
            return sign * (edge[1] * (edge[1] + 2 * self.shift[edge[2]]) - c * edge[0])

        least = self.extreme(
            lambda state, edge, g: (g - more(edge)) / square, self.tight, self.tight_ends, square, 1
        )
        far = 1
        for state in self.alive:
            for edge in self.edges[state]:
                gap = self.gap(state, edge)
                if gap:
                    needed = (least[edge[2]] - more(edge) - square * least[state]) / (2 * square * gap)
                    far = max(far, ceil(needed) + 1)
            if self.ends[state] and self.shift[state]:
                far = max(far, ceil(least[state] / (2 * sign * self.shift[state])) + 1)

        def is_safe(state: int, p: int, s: int) -> bool:
            """Return whether no digits that follow lead to the quotient c, or beyond it."""
            return (s + self.shift[state]) ** 2 < c * p if sign < 0 else s * s > c * (p + 1)

        pair: tuple[int, int] | None = None
        equal: set[int] = set()
        for state, p, s in self.walks(lambda state, p, s: not is_safe(state, p, s) and (s < far or p == 0)):
            difference = sign * (s * s - c * p)
            if self.ends[state] and p:
                if difference < 0:
                    raise LimitError("a pair has another quotient")
                if not difference and pair is None:
                    pair = p, s
            if s >= far and p and not is_safe(state, p, s):
                rest = difference + 2 * sign * s * self.shift[state] - least[state]
                if rest < 0:
                    raise LimitError("the quotients are not proved to be bounded by the one that was found")
                if not rest:
                    equal.add(state)
        return SquareQuotient(c, pair is not None or self.meets_end(equal, least, more), pair)

    def meets_end(
        self, equal: set[int], least: Sequence[Fraction], more: Callable[[_Edge], Fraction]
    ) -> bool:
        """Return whether G = g, from these states on, until an end at which D = G = 0."""
        todo = list(equal)
        for state in todo:
            if self.tight_ends[state] and least[state] == 0:
                return True
            for edge in self.tight[state]:
                if least[edge[2]] == self.base**2 * least[state] + more(edge) and edge[2] not in todo:
                    todo.append(edge[2])
        return False


def _leading_to(edges: Sequence[Sequence[_Edge]], ends: Sequence[bool]) -> list[int]:
    """Return the states from which an end is reached, in order."""
    before: dict[int, set[int]] = {}
    for state, row in enumerate(edges):
        for *_, there in row:
            before.setdefault(there, set()).add(state)
    todo = [state for state, end in enumerate(ends) if end]
    for state in todo:
        todo += sorted(before.get(state, set()) - set(todo))
    return sorted(todo)


def _known(edge: _Edge | None) -> _Edge:
    assert edge is not None
    return edge
