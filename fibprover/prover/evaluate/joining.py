"""The conjunction of a pool of automata: joined pairwise, the pair with the least estimated cost first.

A quantified variable is projected as soon as no other automaton of the pool mentions it, unless the automaton becomes
much larger by it.  An empty intermediate result ends the conjunction.
"""

from __future__ import annotations

from dataclasses import replace

from fibprover.automata import kernel_calls, operations
from fibprover.automata.dfa import Dfa
from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import Budget
from fibprover.base.values import value
from fibprover.prover.evaluate.projection import Projection
from fibprover.prover.evaluate.schedule import Pair, cheapest_pair, expected_cost, preferred_pair
from fibprover.prover.evaluate.trace import Recorder
from fibprover.prover.plan import rules
from fibprover.prover.plan.rules import Rules

#: Make the cheapest product instead of a preferred one that exceeds both PREFERRED_AT_LEAST and PREFERRED_FACTOR times
#: the transitions of its factors together.
PREFERRED_FACTOR = 2
PREFERRED_AT_LEAST = 1000


@value
class Joining:
    """Joins automata within a budget, by the enabled rules, and records each step."""

    budget: Budget
    recorder: Recorder
    rules: Rules = rules.ALL

    @property
    def projection(self) -> Projection:
        """The projection of variables, within the same budget."""
        return Projection(self.budget, self.recorder, self.rules)

    def joined(self, pool: list[Dfa], quantified: set[str], *, finish: bool, more: bool = False) -> Dfa | None:
        """Return the conjunction of a pool with `quantified` projected away early; None if it is empty.

        Without `finish` the last automaton keeps its quantified variables.  more: other parts of the block follow, so
        that those variables of the last automaton are projected whose loss does not make it larger.
        """
        if rules.JOIN_ORDER not in self.rules:
            return self.joined_as_written(pool, quantified, finish=finish or more)
        pool = list(pool)
        late: set[str] = set()
        refused: list[Pair] = []
        while True:
            for index, automaton in enumerate(pool):
                elsewhere = {name for other in pool if other is not automaton for name in other.names}
                lonely = quantified - elsewhere - late
                if len(pool) == 1:
                    pool[0] = self.projected_early(automaton, lonely | late, finish=finish, more=more)
                else:
                    pool[index] = self.projected_early(automaton, lonely, finish=finish, more=True)
                late |= lonely.intersection(pool[index].names)
            if any(self.ends(automaton) for automaton in pool):
                return None
            pool = [automaton for automaton in pool if automaton.tracks or kernel_calls.is_empty(automaton)]
            if len(pool) <= 1:
                return pool[0] if pool else operations.true()
            if (finish or more) and len(pool) == 2 and all(quantified.issuperset(one.names) for one in pool):
                return self.meets(pool[0], pool[1], expected_cost(pool[0], pool[1]))
            first, second, both = self.next_product(pool, quantified, refused)
            pool = [automaton for automaton in pool if automaton is not first and automaton is not second]
            pool.append(both)

    def next_product(self, pool: list[Dfa], quantified: set[str], refused: list[Pair]) -> tuple[Dfa, Dfa, Dfa]:
        """Return two automata of a pool and their conjunction: that of a preferred pair if it is not too large.

        refused: pairs whose conjunction was too large before.
        """
        preferred = preferred_pair(pool, quantified, refused) if len(pool) > 2 else None
        if preferred is not None:
            most = max(PREFERRED_AT_LEAST, PREFERRED_FACTOR * sum(factor.transitions for factor in preferred))
            if most < self.budget.transitions:
                try:
                    return self.product(*preferred, replace(self.budget, transitions=most))
                except BudgetSpent as spent:
                    if spent.resource != "transitions":
                        raise
                    refused.append(preferred)
        return self.product(*cheapest_pair(pool), self.budget)

    def product(self, first: Dfa, second: Dfa, budget: Budget) -> tuple[Dfa, Dfa, Dfa]:
        """Return two automata with their conjunction, which is recorded."""
        both = operations.conjunction(first, second, budget)
        self.recorder.note(f"[{', '.join(both.names)}]", "join", both, expected=expected_cost(first, second))
        return first, second, both

    def projected_early(self, automaton: Dfa, names: set[str], *, finish: bool, more: bool) -> Dfa:
        """Return the automaton with some variables projected away.

        more: other parts follow, so that variables whose loss makes the automaton much larger remain; else all of them
        are projected if `finish`, and none if not.
        """
        done = names.intersection(automaton.names)
        if not done or not (finish or more):
            return automaton
        if not more or rules.JOIN_ORDER not in self.rules:
            return self.projection.projected(automaton, done)
        found = self.projection.not_larger(automaton, done)
        if found is not None:
            return found
        if len(done) > 1:
            # The first one that cannot be lost ends it: the others are mostly no better, and each attempt costs.
            name = operations.cheapest_to_lose(automaton, done, self.budget)
            found = self.projection.not_larger(automaton, {name})
            if found is not None:
                return self.projected_early(found, done - {name}, finish=finish, more=more)
        return automaton

    def meets(self, first: Dfa, second: Dfa, expected: float) -> Dfa | None:
        """Return true if the conjunction of two automata is not empty, else None; all its variables are projected."""
        empty = not self.recorder.meet(kernel_calls.join_word(first, second, self.budget))
        result = operations.false() if empty else operations.true()
        self.recorder.note("[nothing in common]" if empty else "[in common]", "meet", result, expected=expected)
        return None if self.ends(result) else result

    def joined_as_written(self, pool: list[Dfa], quantified: set[str], *, finish: bool) -> Dfa | None:
        """Return the conjunction of a pool from left to right; project its quantified variables last, all at once."""
        both = operations.true()
        for automaton in pool:
            both = operations.conjunction(both, automaton, self.budget)
            self.recorder.note(f"[{', '.join(both.names)}]", "join", both)
            if self.ends(both):
                return None
        done = quantified.intersection(both.names)
        return self.projection.projected(both, done) if done and finish else both

    def ends(self, automaton: Dfa) -> bool:
        """Return whether a part of a conjunction is empty, so that all of it is."""
        return rules.EMPTY_GUARD in self.rules and kernel_calls.is_empty(automaton)
