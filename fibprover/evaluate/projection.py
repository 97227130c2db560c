"""Several variables projected away: in an order that is found by trying, within bounds that grow.

One variable at a time, with minimization between, is mostly far less than all at once, and losing the
track first that leaves the fewest transitions is mostly the best order.  Mostly: another order may
be a thousand times better, and nothing tells but the attempt.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from fibprover.automata import operations
from fibprover.automata.dfa import Dfa
from fibprover.errors import BudgetSpent
from fibprover.evaluate.trace import Recorder
from fibprover.limits import Budget

#: A first attempt may make so many transitions, as a multiple of what there are before; but so many in any case,
#: and for large automata no more than so many beside twice what there are.
MOST_GROWTH = 16
LEAST_GROWTH = 20_000
MOST_BESIDE = 800_000

#: What the bound is multiplied by when every order has met it.
FACTOR = 8


@dataclass(frozen=True, slots=True)
class Projection:
    """Projects variables within a budget and records what it did."""

    budget: Budget
    recorder: Recorder

    def all_of(self, automaton: Dfa, names: Collection[str]) -> Dfa:
        """The automaton without these tracks; some track has to remain."""
        if len(names) == 1:
            return self.at_once(automaton, names, self.budget)
        bound = self.least_bound(automaton)
        while bound < self.budget.transitions:
            found = self.within(automaton, names, bound)
            if found is not None:
                return found
            bound *= FACTOR
        return self.one_by_one(automaton, names, self.budget, cheapest=True)

    def within(self, automaton: Dfa, names: Collection[str], bound: int) -> Dfa | None:
        """The automaton without these tracks if some order needs no more than `bound` transitions."""
        bounded = replace(self.budget, transitions=min(self.budget.transitions, bound))
        for cheapest in (True, False):
            known = len(self.recorder.records)
            try:
                return self.one_by_one(automaton, names, bounded, cheapest=cheapest)
            except BudgetSpent as spent:
                if spent.resource != "transitions" or bound >= self.budget.transitions:
                    raise
                # What led nowhere is no part of the way.
                del self.recorder.records[known:]
            if len(names) == 1:
                break
        return None

    def least_bound(self, automaton: Dfa) -> int:
        """The bound of first attempts."""
        growth = min(MOST_GROWTH * automaton.transitions, 2 * automaton.transitions + MOST_BESIDE)
        return max(LEAST_GROWTH, growth)

    def one_by_one(self, automaton: Dfa, names: Collection[str], budget: Budget, *, cheapest: bool) -> Dfa:
        """One track after the other, always the cheapest of them or never before the last."""
        left = set(names)
        while left:
            name = operations.cheapest_to_lose(automaton, left, budget)
            if not cheapest and len(left) > 1:
                name = operations.cheapest_to_lose(automaton, left - {name}, budget)
            left.remove(name)
            automaton = self.at_once(automaton, [name], budget)
        return automaton

    def at_once(self, automaton: Dfa, names: Collection[str], budget: Budget, *, chosen: bool = True) -> Dfa:
        """All of them in one subset construction; chosen: whether there was a choice that sizes decided."""
        expected = automaton.transitions if chosen else None
        result = operations.exists(automaton, names, budget)
        self.recorder.note(f"[without {', '.join(sorted(names))}]", "exists", result, expected=expected)
        return result
