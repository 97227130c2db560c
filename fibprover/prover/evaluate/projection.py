"""Projection of several variables: in which order, and whether it is better postponed.

To project one variable at a time, with minimization after each, is mostly much cheaper than all at once, and to begin
with the track whose loss leaves the fewest transitions is mostly the best order.  But another order may be a thousand
times better, and only an attempt shows this: so orders are tried within bounds that grow.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from fibprover.automata import determinization, kernel_calls, operations
from fibprover.automata.dfa import Dfa
from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import Budget
from fibprover.base.values import value
from fibprover.prover.evaluate.trace import Recorder
from fibprover.prover.plan import rules
from fibprover.prover.plan.rules import Rules

#: The first attempt may have this many times the transitions of the automaton, or FIRST_MORE beyond twice as many if
#: that is less; but FIRST_AT_LEAST in any case.
FIRST_FACTOR = 16
FIRST_MORE = 800_000
FIRST_AT_LEAST = 20_000

#: The factor by which the bound grows after every order has exceeded it.
NEXT_FACTOR = 8

#: Postpone a projection (except the last of a block) whose result exceeds both POSTPONE_AT_LEAST and POSTPONE_FACTOR
#: times the transitions of its input.
POSTPONE_FACTOR = 4
POSTPONE_AT_LEAST = 1000

#: Postpone it as well if its subset construction exceeds both FIRST_AT_LEAST and TRY_FACTOR times the transitions of
#: its input: how small the result would be is not known then.
TRY_FACTOR = 4


@value
class Projection:
    """Projects variables within a budget, by the enabled rules, and records each projection."""

    budget: Budget
    recorder: Recorder
    rules: Rules = rules.ALL

    def projected(self, automaton: Dfa, names: Iterable[str]) -> Dfa:
        """Return the automaton with some variables projected away; without variables left, test for emptiness."""
        chosen = sorted(names)
        if len(chosen) == len(automaton.tracks):
            met = self.recorder.meet(kernel_calls.shortest_digits(automaton))
            return operations.true() if met else operations.false()
        if rules.JOIN_ORDER in self.rules:
            return self.all_of(automaton, chosen)
        return self.at_once(automaton, chosen, self.budget, chosen=False)

    def not_larger(self, automaton: Dfa, names: Collection[str]) -> Dfa | None:
        """Return the automaton with some variables projected away; None if it is much larger than before.

        To project later costs little more in that case: the product of another part with the automaton as it is has
        fewer states than the one with the larger automaton, and the subsets of states that a projection of the former
        reaches are no more than the pairs of a subset of the automaton and a state of the other part.
        """
        if len(names) == len(automaton.tracks):
            return self.projected(automaton, names)
        bound = max(FIRST_AT_LEAST, TRY_FACTOR * automaton.transitions)
        with self.recorder.attempt() as drop:
            found = self.at_first(automaton, names, bound)
            most = max(POSTPONE_AT_LEAST, POSTPONE_FACTOR * automaton.transitions)
            if found is not None and found.transitions <= most:
                return found
            drop()
        return None

    def all_of(self, automaton: Dfa, names: Collection[str]) -> Dfa:
        """Return the automaton without these tracks; some track has to remain."""
        if len(names) == 1:
            return self.at_once(automaton, names, self.budget)
        bound = self.least_bound(automaton)
        attempt = self.at_first
        while bound < self.budget.transitions:
            found = attempt(automaton, names, bound)
            if found is not None:
                return found
            attempt = self.within
            bound *= NEXT_FACTOR
        return self.one_by_one(automaton, names, self.budget, cheapest=True)

    def at_first(self, automaton: Dfa, names: Collection[str], bound: int) -> Dfa | None:
        """Do as `within`, but leave an order where subsets meet the bound, or where the strategies take long: the other
        order is tried first.  A bound of the user is no error yet, since other strategies may keep it.
        """
        with self.recorder.attempt() as drop:
            try:
                with determinization.giving_up():
                    return self.within(automaton, names, bound)
            except BudgetSpent as spent:
                if spent.resource not in ("states", "transitions"):
                    raise
                drop()
        return None

    def within(self, automaton: Dfa, names: Collection[str], bound: int) -> Dfa | None:
        """Return the automaton without these tracks if some order needs no more than `bound` transitions."""
        bounded = replace(self.budget, transitions=min(self.budget.transitions, bound))
        for cheapest in (True, False)[: len(names)]:
            with self.recorder.attempt() as drop:
                try:
                    return self.one_by_one(automaton, names, bounded, cheapest=cheapest)
                except BudgetSpent as spent:
                    if spent.resource != "steps" and (
                        spent.resource != "transitions" or bound >= self.budget.transitions
                    ):
                        raise
                    drop()
        return None

    def least_bound(self, automaton: Dfa) -> int:
        """Return the bound of first attempts."""
        growth = min(FIRST_FACTOR * automaton.transitions, 2 * automaton.transitions + FIRST_MORE)
        return max(FIRST_AT_LEAST, growth)

    def one_by_one(self, automaton: Dfa, names: Collection[str], budget: Budget, *, cheapest: bool) -> Dfa:
        """Project one track after the other: each time the cheapest, or (not cheapest) the second cheapest of them."""
        left = set(names)
        while left:
            name = operations.cheapest_to_lose(automaton, left, budget)
            if not cheapest and len(left) > 1:
                name = operations.cheapest_to_lose(automaton, left - {name}, budget)
            left.remove(name)
            automaton = self.at_once(automaton, [name], budget)
        return automaton

    def at_once(self, automaton: Dfa, names: Collection[str], budget: Budget, *, chosen: bool = True) -> Dfa:
        """Project all of the tracks in one subset construction; chosen: whether sizes decided on this order."""
        expected = automaton.transitions if chosen else None
        result = operations.exists(automaton, names, budget)
        self.recorder.note(f"[without {', '.join(sorted(names))}]", "exists", result, expected=expected)
        return result
