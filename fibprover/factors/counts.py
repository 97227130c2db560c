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
from fibprover.factors.perron import Perron
from fibprover.factors.sequences import MOST_TERMS, Orbit, difference
from fibprover.numeration.number_field import Algebraic

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

    turns: orbits with their weights, whose lengths increase from each to the next one, and from the last one to the
    next length of the first one; settled: the length from which on no other lengths change f.
    """

    start: int
    weighted: tuple[Weighted, ...]
    turns: tuple[tuple[Orbit, int], ...]
    settled: int

    def changes(self, below: int) -> list[tuple[int, int]]:
        """Return the lengths below a bound at which f changes, in order, and its value after each of them."""
        found: dict[int, int] = {}
        for each in self.weighted:
            for length in [each.lengths] if isinstance(each.lengths, int) else each.lengths.below(below):
                if length < below:
                    found[length] = found.get(length, 0) + each.weight
        current, changes = self.start, []
        for length, weight in sorted(found.items()):
            current += weight
            changes.append((length, current))
        return changes

    def at(self, n: int) -> int:
        """Return f(n)."""
        changes = self.changes(n)
        return changes[-1][1] if changes else self.start

    def first(self, count: int) -> list[int]:
        """Return the first values."""
        found = [self.start]
        for length, after in self.changes(count - 1):
            found += [found[-1]] * (length + 1 - len(found))
            found.append(after)
        return (found + [found[-1]] * (count - len(found)))[:count]

    @property
    def is_bounded(self) -> bool:
        """Whether it has finitely many values."""
        return sum(weight for _, weight in self.turns) == 0

    def values(self) -> set[int]:
        """Return all values.  Raises Undecided if they are infinitely many."""
        if not self.is_bounded:
            raise Undecided("the values are infinitely many")
        values, current = {self.start, *(after for _, after in self.changes(self.settled))}, self.at(self.settled)
        for _, weight in self.turns:
            current += weight
            values.add(current)
        return values

    def limits_of_sum(self, of: Perron) -> tuple[Algebraic, Algebraic]:
        """Return the limits inferior and superior of (f(0) + ... + f(n-1))/n, for a bounded f.

        The sum is linear between two turns, and from each turn to the next one of the same orbit all lengths grow by
        one factor in the limit; so does the sum.
        """
        slopes = [self.at(self.settled)]
        if not self.turns:
            limit = of.field.number(slopes[0])
            return limit, limit
        for _, weight in self.turns[:-1]:
            slopes.append(slopes[-1] + weight)
        # slopes[i] is the value before the turn i.
        places = [of.limit(orbit) for orbit, _ in self.turns]
        growth = of.field.beta.power(self.turns[0][0].period)
        ends = [*places[1:], places[0] * growth]
        after = [*slopes[1:], slopes[0]]
        pieces = [(end - place) * slope for place, end, slope in zip(places, ends, after, strict=True)]
        total = sum(pieces, of.field.number(0)) / (growth - 1)
        quotients = []
        for place, piece in zip(places, pieces, strict=True):
            quotients.append(total / place)
            total = total + piece
        return min(quotients), max(quotients)


def steps(start: int, weighted: Sequence[Weighted]) -> Steps:
    """Return the function with these weights.  Raises Undecided if no order of the lengths is proved."""
    kept = tuple(each for each in weighted if each.weight)
    orbits = [(each.lengths, each.weight) for each in kept if isinstance(each.lengths, Orbit)]
    single = max((each.lengths for each in kept if isinstance(each.lengths, int)), default=-1)
    if not orbits:
        return Steps(start, kept, (), single + 1)
    period = lcm(*(orbit.period for orbit, _ in orbits))
    for times in (1, 2, 3):
        common = period * times
        split = [(part, weight) for orbit, weight in orbits for part in orbit.split(common // orbit.period)]
        if len(split) > MOST_ORBITS:
            break
        found = _in_order(split)
        if found is not None:
            turns, settled = found
            return _settled(start, kept, turns, settled, single + 1)
    raise Undecided("no order of the lengths of bispecial factors was proved")


def _settled(
    start: int, kept: tuple[Weighted, ...], turns: tuple[tuple[Orbit, int], ...], settled: int, least: int
) -> Steps:
    """Return the function whose turns begin where all of them are beyond some lengths."""
    later = 0
    while turns and min(orbit.lengths(later + 1)[-1] for orbit, _ in turns) < max(settled, least):
        later += 1
    turns = tuple((orbit.later(later), weight) for orbit, weight in turns)
    if turns:
        settled = turns[0][0].length(turns[0][0].start)
    return Steps(start, kept, turns, max(settled, least) if not turns else settled)


def _in_order(
    orbits: Sequence[tuple[Orbit, int]],
) -> tuple[tuple[tuple[Orbit, int], ...], int] | None:
    """Return the orbits in the order of their lengths, and from which length on."""
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
    kept = [(orbit.later(latest), weight) for orbit, weight in turns]
    settled = kept[0][0].length(kept[0][0].start)
    return _without_zeros(kept, orders), settled


def _without_zeros(
    turns: Sequence[tuple[Orbit, int]], orders: Sequence[int]
) -> tuple[tuple[Orbit, int], ...]:
    """Return one orbit for those that are always as long, and none where their weights have the sum 0.

    The first one has no other that is as long before it.
    """
    found: list[tuple[Orbit, int]] = []
    total = 0
    for (orbit, weight), order in zip(turns, orders, strict=True):
        total += weight
        if order:
            found += [(orbit, total)] if total else []
            total = 0
    return tuple(found)
