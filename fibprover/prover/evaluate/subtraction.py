"""The difference of a guard and the projection of an automaton: guard & ~E quantified . body.

It is one construction, which follows the letters that the guard allows.  The body is projected beforehand where it
stays small, and where it may not, the two ways take turns within bounds that grow.
"""

from __future__ import annotations

from dataclasses import replace

from fibprover.automata import kernel_calls, operations
from fibprover.automata.dfa import Dfa
from fibprover.automata.prefixes import is_parametric
from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import Budget
from fibprover.base.values import value
from fibprover.prover.evaluate.atoms import Atoms
from fibprover.prover.evaluate.projection import NEXT_FACTOR, Projection
from fibprover.prover.evaluate.trace import Recorder
from fibprover.prover.plan import rules
from fibprover.prover.plan.rules import Rules


@value
class Subtraction:
    """Subtracts automata within a budget, by the enabled rules, and records each step."""

    atoms: Atoms
    budget: Budget
    recorder: Recorder
    rules: Rules = rules.ALL

    @property
    def projection(self) -> Projection:
        """The projection of variables, within the same budget."""
        return Projection(self.budget, self.recorder, self.rules)

    def subtract(self, guard: Dfa, body: Dfa, quantified: list[str], *, only_emptiness: bool) -> Dfa:
        """Return guard & ~E quantified . body; only_emptiness: return true or false, for whether it is not empty."""
        if rules.GUARDED_DIFFERENCE not in self.rules:
            if quantified:
                body = self.projection.projected(body, quantified)
            rest = operations.complement(body, self.atoms.all_valid(sorted(body.names)), self.budget)
            self.recorder.note(f"[{', '.join(body.names)}]", "complement", rest)
            return operations.conjunction(guard, rest, self.budget)
        with self.recorder.parts():
            body, quantified = self.reduced(body, quantified)
        bound = self.projection.least_bound(body)
        largest = self.budget.transitions - 1
        while quantified and rules.JOIN_ORDER in self.rules and bound < largest:
            # Subsets beside the guard may explode, and so may a projection without it: they take turns.  Of the latter,
            # subsets alone have met the bound before.
            try:
                bounded = replace(self.budget, states=min(self.budget.states, bound), transitions=bound)
                return self.difference(guard, body, quantified, bounded, only_emptiness=only_emptiness)
            except BudgetSpent as spent:
                if spent.resource != "transitions" and (spent.resource != "states" or bound >= self.budget.states):
                    raise
            bound = min(bound * NEXT_FACTOR, largest)
            with self.recorder.parts():
                projected = self.projection.within(body, quantified, bound)
            if projected is not None:
                body, quantified = projected, []
        return self.difference(guard, body, quantified, self.budget, only_emptiness=only_emptiness)

    def difference(
        self, guard: Dfa, body: Dfa, quantified: list[str], budget: Budget, *, only_emptiness: bool
    ) -> Dfa:
        """Return guard & ~E quantified . body in one construction; only_emptiness: as in `subtract`."""
        if is_parametric(body):
            # What holds in the limit is not seen letter by letter.
            body = operations.exists(body, quantified, budget) if quantified else body
            return operations.difference(guard, body, self.budget)
        if only_emptiness:
            if quantified:
                word = kernel_calls.guarded_difference_word(guard, body, quantified, budget)
            else:
                word = kernel_calls.difference_word(guard, body, budget)
            return operations.true() if self.recorder.meet(word) else operations.false()
        if quantified:
            raw = kernel_calls.guarded_difference(guard, body, quantified, budget)
        else:
            raw = kernel_calls.difference(guard, body, budget)
        return kernel_calls.minimize(raw, self.budget)

    def reduced(self, body: Dfa, quantified: list[str]) -> tuple[Dfa, list[str]]:
        """Return a negated automaton with its variables projected if it stays small, and the variables that remain.

        To project one variable at a time, with minimization after each, is much cheaper than all at once.  But
        a projection without the guard may explode; then the variables are left to the guarded difference.
        """
        if rules.JOIN_ORDER not in self.rules or not quantified or len(quantified) == len(body.tracks):
            return body, quantified
        projected = self.projection.at_first(body, quantified, self.projection.least_bound(body))
        return (body, quantified) if projected is None else (projected, [])
