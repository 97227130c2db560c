"""Whether the states of inferred automata grow with the data without end, or approach a limit.

The states of a set that no automaton accepts grow like a power of the bound below which the set is known.  Those of one
that an automaton accepts grow ever more slowly, and then no more.  This is evidence, and no proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import exp, log
from statistics import linear_regression

from fibprover.base.errors import FibproverError
from fibprover.base.values import value

#: How the states grow. "slowing": the exponent falls, but it is not clear that the states have a limit.
SATURATING, SLOWING, GROWING, UNKNOWN = "saturating", "slowing", "growing", "unknown"

#: New states that become fewer by this factor from one bound to the next add up to a limit that is near.
SHRINKING = 0.6

#: Exponents that end with less than this part of the first one, on their line of least squares, are falling.
FALLING = 0.8

#: A bound at which no states were added counts as if this many were, as logarithms are taken.
NONE_ADDED = 0.5


@value
class Growth:
    """The states of automata against the bounds of their data, and how they grow.

    verdict: SATURATING, SLOWING, GROWING, or UNKNOWN for fewer than three bounds; exponent: e, where the states have
    grown like the power e of the bound at last; limit: the states that are expected in the end, where they saturate.
    """

    bounds: tuple[int, ...]
    states: tuple[int, ...]
    verdict: str
    exponent: float
    limit: int | None = None

    def __bool__(self) -> bool:
        """Return whether the states grow like a power of the bound."""
        return self.verdict == GROWING

    def __str__(self) -> str:
        listed = ", ".join(f"{count} below {bound}" for bound, count in zip(self.bounds, self.states, strict=True))
        end = f", about {self.limit} in the end" if self.limit is not None else f", like N^{self.exponent:.2f} at last"
        return f"{listed}: {self.verdict}{end if self.verdict != UNKNOWN else ''}"


def growth(bounds: Sequence[int], states: Sequence[int]) -> Growth:
    """Return how the states of automata inferred from data below rising bounds grow.

    The states that each bound has added, for a factor e of the bound, are fitted by a geometric progression, and the
    exponents between bounds by a line.  Raises FibproverError for numbers that are not positive, or bounds that do not
    rise.
    """
    rising = all(low < high for low, high in pairwise(bounds))
    if len(bounds) != len(states) or not rising or min((*bounds, *states, 1)) < 1:
        raise FibproverError("states at rising bounds are needed, all of them positive")
    logs = [log(bound) for bound in bounds]
    steps = [later - earlier for earlier, later in pairwise(logs)]
    pairs = [*zip(pairwise(states), steps, strict=True)]
    exponents = [log(later / earlier) / step for (earlier, later), step in pairs]
    exponent = exponents[-1] if exponents else 0.0
    if len(exponents) < 2:
        return Growth(tuple(bounds), tuple(states), UNKNOWN, exponent)
    added = [max(later - earlier, NONE_ADDED) / step for (earlier, later), step in pairs]
    middles = [(earlier + later) / 2 for earlier, later in pairwise(logs)]
    step = (logs[-1] - logs[0]) / len(steps)
    ratio = exp(linear_regression(middles, [log(each) for each in added]).slope * step)
    if ratio <= SHRINKING or not any(exponents[-2:]):
        limit = states[-1] + (round(added[-1] * step * ratio / (1 - ratio)) if exponent else 0)
        return Growth(tuple(bounds), tuple(states), SATURATING, exponent, limit)
    fall = linear_regression(middles, exponents).slope * (middles[-1] - middles[0])
    mean = sum(exponents) / len(exponents)
    # The line through the exponents begins at mean - fall/2 and ends at mean + fall/2.
    falling = mean + fall / 2 < FALLING * (mean - fall / 2)
    return Growth(tuple(bounds), tuple(states), SLOWING if falling else GROWING, exponent)
