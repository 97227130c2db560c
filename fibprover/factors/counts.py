"""Numbers that grow, or shrink, with each bispecial factor: as functions of a length, for all lengths.

f(n) = f(0) + the sum of the weights of the bispecial factors that are shorter than n.  With the multiplicities as
weights f is the first difference of the number of factors; other weights make it the number of special factors.
The lengths of families follow each other in one order from some place on, which is proved; so the values of f repeat.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import lcm

from fibprover.base.errors import Undecided
from fibprover.base.values import value
from fibprover.factors.sequences import MOST_TERMS, Orbit, difference

#: The place at which orders are read off, to be proved from an earlier place on, and how many orbits there may be.
READ_AT, MOST_ORBITS = 24, 400


@value
class Weighted:
    """A length, or the lengths of an orbit, and a weight."""

    lengths: int | Orbit
    weight: int


@value
class Steps:
    """A function f(0) + the sum of the weights of the lengths below n.

    turns: orbits in the order of their lengths from their first ones on, with their weights, none without weight;
    orders: for each of them the sign of the next one's length minus its own, that of the last one compared with the
    next length of the first one; settled: the length from which on the turns are in this order.
    """

    start: int
    weighted: tuple[Weighted, ...]
    turns: tuple[tuple[Orbit, int], ...]
    orders: tuple[int, ...]
    settled: int

    def first(self, count: int) -> list[int]:
        """Return the first values."""
        changes = [0] * count
        for each in self.weighted:
            lengths = [each.lengths] if isinstance(each.lengths, int) else each.lengths.below(count)
            for length in lengths:
                if length < count:
                    changes[length] += each.weight
        found = [self.start]
        for change in changes[: count - 1]:
            found.append(found[-1] + change)
        return found

    @property
    def is_bounded(self) -> bool:
        """Whether it has finitely many values."""
        return sum(weight for _, weight in self.turns) == 0

    def values(self) -> set[int]:
        """Return all values.  Raises Undecided if they are infinitely many."""
        if not self.is_bounded:
            raise Undecided("the values are infinitely many")
        found = self.first(self.settled + 1)
        values, current = set(found), found[-1]
        for (_, weight), order in zip(self.turns, self.orders, strict=True):
            current += weight
            if order:
                values.add(current)
        return values


def steps(start: int, weighted: Sequence[Weighted]) -> Steps:
    """Return the function with these weights.  Raises Undecided if no order of the lengths is proved."""
    kept = tuple(each for each in weighted if each.weight)
    orbits = [(each.lengths, each.weight) for each in kept if isinstance(each.lengths, Orbit)]
    single = max((each.lengths for each in kept if isinstance(each.lengths, int)), default=-1)
    if not orbits:
        return Steps(start, kept, (), (), single + 1)
    period = lcm(*(orbit.period for orbit, _ in orbits))
    for times in (1, 2, 3):
        common = period * times
        split = [(part, weight) for orbit, weight in orbits for part in orbit.split(common // orbit.period)]
        if len(split) > MOST_ORBITS:
            break
        found = _in_order(split)
        if found is not None:
            turns, orders, settled = found
            return Steps(start, kept, turns, orders, max(settled, single + 1))
    raise Undecided("no order of the lengths of bispecial factors was proved")


def _in_order(
    orbits: Sequence[tuple[Orbit, int]],
) -> tuple[tuple[tuple[Orbit, int], ...], tuple[int, ...], int] | None:
    """Return the orbits in the order of their lengths, the signs between them, and from which length on."""
    first, _ = orbits[0]
    *_, low, high = first.lengths(READ_AT + 1)
    shifted: list[tuple[int, Orbit, int, int]] = []
    for orbit, weight in orbits:
        lengths = orbit.lengths(MOST_TERMS)
        place = next((k for k, length in enumerate(lengths) if length >= low), None)
        if place is None or lengths[place] >= high:
            return None
        shifted.append((lengths[place], orbit, weight, place - (READ_AT - 1)))
    shifted.sort(key=lambda each: each[0])
    # The orbits begin at the same turn: those that were shorter before are put off.
    begin = max(0, *(-shift for *_, shift in shifted))
    turns = [(orbit.later(begin + shift), weight) for _, orbit, weight, shift in shifted]
    pairs = [*pairwise(orbit for orbit, _ in turns), (turns[-1][0], turns[0][0].later(1))]
    orders, latest = [], 0
    for one, two in pairs:
        sign = difference(two, one).sign_from()
        if sign is None or sign[0] < 0:
            return None
        orders.append(sign[0])
        latest = max(latest, sign[1])
    if not orders[-1]:
        return None
    kept = tuple((orbit.later(latest), weight) for orbit, weight in turns)
    return kept, tuple(orders), kept[0][0].length(kept[0][0].start)
