"""Claims about families: what a relation says beside all beginnings of a sequence but finitely many.

Rules are about each beginning by itself.  A relation that the prover has in place of another one, as it has the same
limit (`fibprover.automata.prefixes`), takes its place by the rule `limit`.
"""

from __future__ import annotations

from collections.abc import Collection

from fibprover.automata import kernel_calls, operations, prefixes
from fibprover.automata.dfa import Dfa
from fibprover.base.limits import Budget
from fibprover.base.names import PARAMETER, is_slope
from fibprover.prover.certificate.tables import Line, NotCertified, Proved, Tables, reordered
from fibprover.prover.environment import Sort


def family_line(sort: Sort) -> Line:
    """Return the line that says which sequences there are; sort: that of the parameter."""
    return {"family": "slopes"} if is_slope(sort.system) else {"family": "choices", "number": len(sort.digits) - 1}


def without(a: Dfa, names: Collection[str], budget: Budget) -> Dfa:
    """Project the named tracks away beside each beginning by itself."""
    return kernel_calls.minimize(kernel_calls.project(a, list(names), budget), budget)


def difference(a: Dfa, b: Dfa, budget: Budget) -> Dfa:
    """Return a & ~b beside each beginning by itself."""
    return kernel_calls.minimize(kernel_calls.difference(a, b, budget), budget)


class Limits:
    """Writes claims with another relation of the same limit; without a family they stay as they are."""

    def __init__(self, tables: Tables) -> None:
        self.tables, self.budget = tables, tables.budget

    def changed(self, one: Proved, automaton: Dfa, guard: Dfa | None = None) -> Proved:
        """Return a claim with another relation; guard: that of the claim if it is guarded."""
        names = one.automaton.names
        if set(names) == set(automaton.names) and one.automaton == reordered(automaton, names, self.budget):
            return one
        return self.tables.claim("limit", [one], automaton, guard if one.guarded else None)

    def denied(self, one: Proved, a: Dfa, b: Dfa, guard: Dfa | None) -> Proved:
        """Return a claim about a & ~b with the relation that the prover has for it; without a family it is the same.

        That relation has the same limit, and longer beginnings keep what it accepts, where that is possible.
        """
        if not self.tables.parameter:
            return one
        return self.changed(one, operations.difference(a, b, self.budget), guard)

    def are_the_same(self, a: Dfa, b: Dfa) -> bool:
        """Return whether two relations over the same variables have the same limit."""
        return not any(
            prefixes.recurs(difference(*pair, self.budget), self.budget) for pair in ((a, b), (b, a))
        )

    def projectable(self, one: Proved, names: Collection[str], guard: Dfa | None = None) -> Proved:
        """Return a claim whose relation may be projected.  Raises NotCertified if no such relation is known."""
        try:
            return self.changed(one, prefixes.projectable(one.automaton, names, self.budget), guard)
        except prefixes.LeavesClass:
            raise NotCertified("no beginning of a sequence settles what a part of the formula says") from None

    def everywhere(self, one: Proved) -> Proved:
        """Return a closed claim that is true for each sequence with the relation without tracks, others as they are."""
        if one.automaton.names != (PARAMETER,):
            return one
        others = difference(self.tables.atoms.valid(PARAMETER), one.automaton, self.budget)
        return one if prefixes.recurs(others, self.budget) else self.changed(one, operations.true())
