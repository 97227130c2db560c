"""Whether a count may replace a negated conjunct.

"No value other than these" is "no more values than these are", if these are different values that satisfy the
condition: then one count stands for a negated conjunct with an inequality for each known value.
"""

from __future__ import annotations

from itertools import combinations

from fibprover.automata import kernel_calls, operations
from fibprover.automata.dfa import Dfa
from fibprover.base.limits import Budget
from fibprover.base.values import value
from fibprover.prover.evaluate.atoms import Atoms
from fibprover.prover.logic import Linear
from fibprover.prover.plan.counting import CountRewrite


@value
class Witnesses:
    """The tuples of a negated conjunct and the automaton of its condition.

    If the tuples satisfy the condition and differ wherever the guard holds, a count can replace the conjunct.
    """

    atoms: Atoms
    budget: Budget
    condition: Dfa
    known: CountRewrite

    def all_in(self, guard: Dfa) -> bool:
        """Return whether in every tuple of the guard the known tuples satisfy the condition and differ pairwise."""
        tuples = self.known.tuples
        if any(self.coincide(guard, *pair) for pair in combinations(tuples, 2)):
            return False
        return all(self.satisfied(guard, equations) for equations in tuples)

    def satisfied(self, guard: Dfa, equations: tuple[Linear, ...]) -> bool:
        """Return whether one tuple satisfies the condition wherever the guard holds."""
        mapping = self.renaming(equations)
        if mapping is not None:
            names = tuple(mapping.get(name, name) for name in self.condition.names)
            inside = self.atoms.identified(self.condition, names)
        else:
            inside = self.condition
            for atom in equations:
                inside = operations.conjunction(inside, self.atoms.atom(atom), self.budget)
            inside = operations.exists(inside, self.known.quantified, self.budget)
        return kernel_calls.difference_is_empty(guard, inside, self.budget)

    def coincide(self, guard: Dfa, first: tuple[Linear, ...], second: tuple[Linear, ...]) -> bool:
        """Return whether two tuples are equal anywhere in the guard."""
        both = operations.true()
        for atom in (*first, *second):
            both = operations.conjunction(both, self.atoms.atom(atom), self.budget)
        quantified = [name for name in self.known.quantified if name in both.names]
        if len(quantified) < len(both.names):
            both = operations.exists(both, quantified, self.budget)
        elif not kernel_calls.is_empty(both):
            both = operations.true()
        return not kernel_calls.join_is_empty(guard, both, self.budget)

    def renaming(self, equations: tuple[Linear, ...]) -> dict[str, str] | None:
        """Return the variable that equals each quantified variable, None unless each equation equates two."""
        mapping = {}
        quantified = set(self.known.quantified)
        for atom in equations:
            if atom.coefficients != (1, -1) or atom.constant:
                return None
            left, right = atom.variables
            inner, outer = (left, right) if left in quantified else (right, left)
            if inner not in quantified or outer in quantified:
                return None
            mapping[inner] = outer
        return mapping
