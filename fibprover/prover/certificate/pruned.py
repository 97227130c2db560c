"""Which states may be left out of sets of states, so that a projection is checked by few and small sets.

In: a relation, and the variables that are projected away.  Out: of some states others, each of which accepts whatever
the state does.  A checker need not know that: it is harder to accept with fewer states.  Begin with `losses`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa
from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import Budget, poll
from fibprover.base.values import value

#: Larger relations are left alone: there is a bit for each pair of their states.
_MOST_STATES = 20_000


@value
class Losses:
    """Lists of a state and of others: a set with one of these loses the state.  sets: how many are met then."""

    lines: tuple[tuple[int, ...], ...]
    sets: int


def losses(a: Dfa, names: Collection[str], most: int, budget: Budget) -> Losses | None:
    """Return what sets lose where some tracks are projected away.

    a: canonical, so that its states are numbered as they are met.  None if nothing is lost, or more sets are met than
    `most`.  O(states * transitions) time for the simulation in the worst case, and what all sets take.
    """
    if a.states > _MOST_STATES:
        return None
    try:
        simulating = kernel_calls.simulating(a, names, budget)
    except BudgetSpent as spent:
        if spent.resource not in ("states", "bytes"):
            raise
        return None
    found, met = _Losing(simulating), 0
    for _ in _sets(_moves(a, names), cache(found.smaller)):
        poll()
        met += 1
        if met > most:
            return None
    lines = tuple((state, *others) for state, others in sorted(found.others.items()))
    return Losses(lines, met) if lines else None


def _moves(a: Dfa, names: Collection[str]) -> list[dict[int, int]]:
    """Return of each state where the letters of the other tracks lead: sets as bits.  The letter of zeros is 0."""
    weights, letters = [0] * len(a.tracks), 1
    for place in reversed(range(len(a.tracks))):
        if a.tracks[place].name not in names:
            weights[place] = letters
            letters *= len(a.tracks[place].digits)

    @cache
    def kept(code: int) -> int:
        return sum(weight * digit for weight, digit in zip(weights, a.letter(code), strict=True))

    moves: list[dict[int, int]] = []
    for state in range(a.states):
        row: dict[int, int] = {}
        for code, target in a.row(state):
            row[kept(code)] = row.get(kept(code), 0) | 1 << target
        moves.append(row)
    return moves


def _sets(moves: Sequence[dict[int, int]], smaller: Callable[[int], int]) -> Iterator[int]:
    """Yield the sets that are met, as bits, each made smaller."""

    def after(states: int) -> dict[int, int]:
        reached: dict[int, int] = {}
        for state in _members(states):
            for letter, targets in moves[state].items():
                reached[letter] = reached.get(letter, 0) | targets
        return reached

    begin = 1
    while (longer := after(begin)[0]) != begin:
        begin = longer
    todo = [smaller(begin)]
    met = set(todo)
    for states in todo:  # which grows
        yield states
        new = [one for one in dict.fromkeys(map(smaller, after(states).values())) if one not in met]
        met.update(new)
        todo += new


class _Losing:
    """Makes sets smaller, and notes for each state that a set has lost one of those that simulate it there."""

    def __init__(self, simulating: Callable[[int], int]) -> None:
        self.simulating = cache(simulating)
        self.others: dict[int, list[int]] = {}

    def smaller(self, states: int) -> int:
        """Return a set without the states that others of it simulate."""
        left = states
        for state in _members(states):
            others = self.simulating(state) & states
            if not others:
                continue
            left ^= 1 << state
            noted = self.others.setdefault(state, [])
            if not any(others >> one & 1 for one in noted):
                noted.append(next(_members(others)))
        return left


def _members(states: int) -> Iterator[int]:
    """Yield the states of a set."""
    while states:
        lowest = states & -states
        yield lowest.bit_length() - 1
        states ^= lowest
