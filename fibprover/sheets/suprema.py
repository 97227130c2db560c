"""The supremum of n/p over the pairs (n,p) of an automaton, exactly.

Schaeffer and Shallit, "The critical exponent is computable for automatic sequences" (2012), compute it in base k.
Here the limit superior L is that of the infinite paths (`best_paths.py`).  The supremum is L or the quotient of a
pair above it.  Whether there is a pair with n > x p is found by reading the automaton backward: the last m digits of
n and p are known then, and for the others the proof of L bounds n - x p.
"""

from __future__ import annotations

from collections import deque
from fractions import Fraction
from math import ceil

from fibprover.base.errors import BudgetSpent, LimitError
from fibprover.base.limits import poll
from fibprover.base.values import value
from fibprover.numeration.digit_values import DigitValues, digit_values
from fibprover.numeration.number_field import KEPT_BITS, Algebraic
from fibprover.prover.verdict.relation import Relation, pairs_in_square
from fibprover.sheets.best_paths import BestPaths, best_paths, greatest_quotient, known
from fibprover.sheets.pair_graph import PairGraph, pair_graph

#: The number of p that a plot of the greatest n shows, and the bound of its numbers.
PLOTTED, MOST_PLOTTED = 64, 2048

#: The number of pairs with few digits that are examined first.
SEEN = 400

#: The most suffixes that are examined.
MOST_ENDS = 400_000

#: Suffixes are compared from this length on.
FIRST_COMPARED = 12


@value
class Supremum:
    """A supremum, as far as it is proved.

    value: the supremum, None if it is infinite.  limit: the limit superior for large p, None if there are finitely
    many pairs or the supremum is infinite.  attained: whether a pair has it.  pair: a pair that has it, None
    without one.
    """

    value: Algebraic | None
    limit: Algebraic | None
    attained: bool
    pair: tuple[int, int] | None

    def __str__(self) -> str:
        """Return the value as in a sheet."""
        if self.value is None:
            return "infinite"
        at = "" if self.pair is None else f" (n = {self.pair[0]}, p = {self.pair[1]})"
        return f"{self.value}, {'attained' if self.attained else 'not attained'}{at}"


def supremum(relation: Relation) -> Supremum | None:
    """Return the supremum of n/p over the pairs of a relation of n and p > 0, both of one system; None without pairs.

    Raises NotSupported for a system whose digits are no multiples of the powers of a Pisot number.  Raises LimitError
    where a search takes too long, which can happen if the quotients near the limit superior come too near to it.
    """
    if relation.is_empty():
        return None
    values, graph = _read(relation)
    if graph.is_unbounded():
        return Supremum(None, None, False, None)
    top = greatest_quotient(graph, values)
    pairs = [(Fraction(n, p), -p) for n, p in relation.first(SEEN)]
    best, place = max(pairs)
    if top is not None and top.x >= best:
        # The pairs that were seen are no proof, and need not be those with the greatest quotient.
        found = _exceeding(graph, values, top)
        if found is None:
            return _limit_itself(relation, top.x, (best, -place) if top.x.rational == best else None)
        best, place = Fraction(*found), -found[1]
    while True:
        x = values.field.number(best)
        paths = best_paths(graph, values, x)
        found = _exceeding(graph, values, paths or BestPaths(x, x * 0, tuple(None for _ in graph.edges)))
        if found is None:
            pair = (int(best * -place), -place)
            return Supremum(x, None if top is None else top.x, True, pair)
        best, place = Fraction(*found), -found[1]


def limit_superior(relation: Relation) -> Algebraic | None:
    """Return the limit superior of n/p for large p > 0; None if it is infinite.

    Raises LimitError if there are finitely many pairs; NotSupported as for `supremum`.
    """
    values, graph = _read(relation)
    if graph.is_unbounded():
        return None
    found = greatest_quotient(graph, values)
    if found is None:
        raise LimitError("there are finitely many pairs")
    return found.x


def greatest(relation: Relation, bound: Algebraic | None) -> tuple[int | None, ...]:
    """Return for p = 0, 1, ... the greatest n of the pairs (n,p), None where there is none.

    bound: an upper bound of all n/p.  At most PLOTTED values, of numbers below MOST_PLOTTED; empty without a bound, or
    when the time is up.
    """
    if bound is None:
        return ()
    size = min(MOST_PLOTTED, ceil(PLOTTED * max(1.0, float(bound))) + 1)
    found: list[int | None] = [None] * min(PLOTTED, int(size / max(1.0, float(bound))))
    if not found:
        return ()
    try:
        pairs = pairs_in_square(relation, size, second=len(found))
    except BudgetSpent:
        return ()
    for n, p in pairs:
        if p < len(found):
            found[p] = max(n, found[p] or 0)
    return tuple(found)


def _read(relation: Relation) -> tuple[DigitValues, PairGraph]:
    systems = {track.system for track in relation.automaton.tracks}
    values = digit_values(relation.system(min(systems)))
    return values, pair_graph(relation.automaton, values)


def _limit_itself(relation: Relation, x: Algebraic, seen: tuple[Fraction, int] | None) -> Supremum:
    """Return the supremum x, which no pair exceeds; seen: the quotient and p of a pair that has it."""
    if seen is not None:
        return Supremum(x, x, True, (int(seen[0] * seen[1]), seen[1]))
    quotient = x.rational
    pair = None
    if quotient is not None:
        (track, _) = relation.automaton.tracks
        system = relation.system(track.system)
        equal = system.linear((quotient.denominator, -quotient.numerator), "=", 0).renamed(["n", "p"])
        pair = (relation & Relation(equal, relation.system)).least()
    return Supremum(x, x, pair is not None, None if pair is None else (pair[0], pair[1]))


def _exceeding(graph: PairGraph, values: DigitValues, paths: BestPaths) -> tuple[int, int] | None:
    """Return a pair with n > x p, None if there is none.

    A word that leads to a node has a value of at most its bound, as a multiple of beta^m if m letters follow.  Suffixes
    that differ only in scale (`_Scale`) have the same answer, so that one of them is enough.
    """
    bounds = _bounds(graph, values, paths)
    incoming = graph.incoming()
    x, beta = paths.x, values.field.beta
    low, high = x.interval()
    powers = [values.field.number(1)]
    tails = _tails(graph, values, high)
    reach: dict[tuple[int, int], int] = {}
    scale = _Scale(values)
    ends = deque((node, 0, 0, 0) for node, accepts in enumerate(graph.accepting) if accepts)
    count = 0
    while ends:
        node, length, n, p = ends.popleft()
        count += 1
        if count % 1000 == 0:
            poll("the pairs above a quotient")
        if count > MOST_ENDS or length >= values.horizon:
            raise LimitError("pairs come too near to the limit superior to be compared with it")
        units = length // values.period
        while len(powers) <= units:
            powers.append(powers[-1] * beta)
        if (node, length) not in reach:
            reach[node, length] = (bounds[node] * powers[units]).interval()[1]
        most = reach[node, length] + (n << KEPT_BITS) - low * p + tails[length]
        if most < 0 or (
            not tails[length] and most < 1 << (KEPT_BITS // 2)
            and (bounds[node] * powers[units] + n - x * p).sign() <= 0
        ):
            continue
        if scale.is_known(node, length, bounds[node] * powers[units] + n - x * p):
            continue
        for source, letter in incoming[node]:
            kind, worth = graph.letters[letter]
            more, beyond = n + values.worth[kind][length], p + values.worth[worth][length]
            if source >= 0:
                ends.append((source, length + 1, more, beyond))
            elif (more - x * beyond).sign() > 0:
                return more, beyond
    return None


class _Scale:
    """Ends of words in a quadratic field, up to scale.

    If m letters are read, at most rest + e is reached, where e is the sum of the errors of the letters before.
    With the conjugate b of beta an error is a multiple of b^t, so e is b^m times a number that does not depend on m.
    If rest / b^m and the sign of b^m are those of an end with fewer letters, that end exceeds 0 where this one does:
    what is missing to the bound of the node counts beta^m.  With a period, m is the number of periods read, and the
    node tells what is left of one.
    """

    def __init__(self, values: DigitValues) -> None:
        self.seen: set[tuple[int, int, Algebraic]] = set()
        self.values = values
        if values.field.degree == 2:
            self.conjugate = -values.field.beta - values.field.polynomial[1]
            self.negative = self.conjugate.sign() < 0
            self.powers = [values.field.number(1)]

    def is_known(self, node: int, length: int, rest: Algebraic) -> bool:
        """Return whether an end like this was seen before."""
        if self.values.field.degree != 2 or length < max(self.values.transient, FIRST_COMPARED):
            return False
        units = length // self.values.period
        while len(self.powers) <= units:
            self.powers.append(self.powers[-1] / self.conjugate)
        key = (node, units % 2 if self.negative else 0, rest * self.powers[units])
        if key in self.seen:
            return True
        self.seen.add(key)
        return False


def _bounds(graph: PairGraph, values: DigitValues, paths: BestPaths) -> list[Algebraic]:
    """Return for each node the greatest c_n - x c_p of the words that lead to it, or a bound of these."""
    beta, one = values.field.beta, values.field.number(1)
    grow = [beta if values.grows(left) else one for left in graph.left]
    weights = [values.limits[n] - paths.x * values.limits[p] for n, p in graph.letters]
    # A word to s that begins a path of the best kind is worth at most beta^k start - f(s), where k >= 1 is its length
    # (k >= 0 with a period), and start is not above 0.
    # If start is 0, and no path of best edges leads to s, it misses what it lost at some edge, or more.
    least, best = _losses(graph, grow, weights, paths)
    most = paths.start * (beta if values.period == 1 else one)
    found = [
        None if value is None else most - value - (0 if node in best else least)
        for node, value in enumerate(paths.nodes)
    ]
    incoming = graph.incoming()
    waiting = [sum(found[source] is None for source, _ in row if source >= 0) for row in incoming]
    ready = [node for node, value in enumerate(found) if value is None and not waiting[node]]
    for node in ready:
        found[node] = max(
            weights[letter] if source < 0 else known(found[source]) * grow[source] + weights[letter]
            for source, letter in incoming[node]
        )
        for target, _ in graph.edges[node]:
            waiting[target] -= 1
            if not waiting[target] and found[target] is None:
                ready.append(target)
    return [known(each) for each in found]


def _losses(
    graph: PairGraph, grow: list[Algebraic], weights: list[Algebraic], paths: BestPaths
) -> tuple[Algebraic, set[int]]:
    """Return the least that an edge loses against the best one, if any does, and the nodes that best edges lead to.

    The least is 0 if no edge loses, or if the best paths do not have the value 0.
    """
    zero = paths.x.field.number(0)
    reached = set(range(len(graph.edges)))
    if paths.start.sign():
        return zero, reached
    losses: dict[tuple[int, int, int], Algebraic] = {}
    for source, row in ((-1, graph.first), *enumerate(graph.edges)):
        value = zero if source < 0 else paths.nodes[source]
        if value is None:
            continue
        for target, letter in row:
            after = paths.nodes[target]
            if after is not None:
                before = value if source < 0 else value * grow[source]
                losses[source, target, letter] = before - after - weights[letter]
    least = min((loss for loss in losses.values() if loss.sign()), default=zero)
    best: dict[int, list[int]] = {}
    for (source, target, _), loss in losses.items():
        if not loss.sign():
            best.setdefault(source, []).append(target)
    ahead, reached = [-1], set()
    for node in ahead:
        new = set(best.get(node, ())) - reached
        reached |= new
        ahead.extend(new)
    return least, reached


def _tails(graph: PairGraph, values: DigitValues, x: int) -> list[int]:
    """Return for each m a bound of the errors of all digits but the last m, scaled; x: scaled, rounded up."""

    def size(n: int, p: int) -> int:
        return n + (x * p >> KEPT_BITS) + 1 if n or p else 0

    rest = max((size(values.tails[n], values.tails[p]) for n, p in graph.letters), default=0)
    found = [rest]
    for t in reversed(range(values.horizon)):
        rest += max((size(values.errors[n][t], values.errors[p][t]) for n, p in graph.letters), default=0)
        found.append(rest)
    return found[::-1]
