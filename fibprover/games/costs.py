"""What the next data of a search would cost, from what the last ones have cost."""

from __future__ import annotations

from math import log

from fibprover.base.values import value

#: Times below this are noise, and say nothing about growth.
LEAST_SECONDS = 0.02

#: Costs grow like the bound at least, and at most like this power of it: where positions are decided one by one.
MOST_POWER = 4.0


@value
class Cost:
    """What a round of a search has cost.

    bound: of the data; computing: the seconds for the positions; inferring: those for the automata of a system, by its
    name; peak: the bytes that the process has taken at most until its end.
    """

    bound: int
    computing: float
    inferring: dict[str, float]
    peak: int


@value
class NextData:
    """The data that a search would use next.

    bound: of the piles; computing, inferring: seconds, for the positions and for the automata of `systems` systems;
    peak: bytes, None if it is unknown; power: the cost of computing grows like this power of the bound.
    """

    bound: int
    computing: float
    inferring: float
    peak: int | None
    power: float
    systems: int

    @property
    def seconds(self) -> float:
        """The seconds in all, without proofs."""
        return self.computing + self.inferring


def next_data(costs: list[Cost], bound: int, systems: list[str], power: float, begin: int) -> NextData:
    """Return what data below a bound would cost, by the growth from the last but one round to the last.

    costs: of the rounds, at least one; systems: those in which automata would be inferred; power: that of the growth
    of computing where it has not been measured; begin: the bytes that the process had taken before the search.
    """
    last = costs[-1]
    before = costs[-2] if len(costs) > 1 else None
    factor = bound / last.bound

    def power_of(now: float, then: float | None, least: float, otherwise: float) -> float:
        if before is None or then is None or then < least or now < least:
            return otherwise
        return min(max(log(now / then) / log(last.bound / before.bound), 1.0), MOST_POWER)

    power = power_of(last.computing, before.computing if before else None, LEAST_SECONDS, power)
    inferring = 0.0
    for system in systems:
        now = last.inferring.get(system, 0.0)
        then = before.inferring.get(system) if before else None
        inferring += now * factor ** power_of(now, then, LEAST_SECONDS, 1.0)
    taken, taken_before = last.peak - begin, before.peak - begin if before else None
    peak = begin + int(taken * factor ** power_of(taken, taken_before, 1 << 20, 1.0)) if last.peak else None
    return NextData(bound, last.computing * factor**power, inferring, peak, power, len(systems))
