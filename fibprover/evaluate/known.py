"""Whether an exclusion makes exceptions of values that are there and differ: then a count can replace it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from fibprover.automata import kernels, operations
from fibprover.automata.dfa import Dfa
from fibprover.evaluate.leaves import Leaves
from fibprover.limits import Budget
from fibprover.plan.counting import Known
from fibprover.plan.logic import Linear


@dataclass(frozen=True, slots=True)
class Witnesses:
    """The tuples of an exclusion and the automaton of its condition."""

    leaves: Leaves
    budget: Budget
    condition: Dfa
    known: Known

    def all_in(self, guard: Dfa) -> bool:
        """Whether in every tuple of the guard the known tuples satisfy the condition and differ pairwise."""
        tuples = self.known.tuples
        if any(self.coincide(guard, *pair) for pair in combinations(tuples, 2)):
            return False
        return all(self.satisfied(guard, equations) for equations in tuples)

    def satisfied(self, guard: Dfa, equations: tuple[Linear, ...]) -> bool:
        """Whether the condition holds of one tuple wherever the guard does."""
        mapping = self.renaming(equations)
        if mapping is not None:
            names = tuple(mapping.get(name, name) for name in self.condition.names)
            inside = self.leaves.identified(self.condition, names)
        else:
            inside = self.condition
            for atom in equations:
                inside = operations.conjunction(inside, self.leaves.atom(atom), self.budget)
            inside = operations.exists(inside, self.known.quantified, self.budget)
        return kernels.difference_is_empty(guard, inside, self.budget)

    def coincide(self, guard: Dfa, first: tuple[Linear, ...], second: tuple[Linear, ...]) -> bool:
        """Whether somewhere in the guard two tuples are the same."""
        both = operations.true()
        for atom in (*first, *second):
            both = operations.conjunction(both, self.leaves.atom(atom), self.budget)
        quantified = [name for name in self.known.quantified if name in both.names]
        if len(quantified) < len(both.names):
            both = operations.exists(both, quantified, self.budget)
        elif not kernels.is_empty(both):
            both = operations.true()
        return not kernels.join_is_empty(guard, both, self.budget)

    def renaming(self, equations: tuple[Linear, ...]) -> dict[str, str] | None:
        """The quantified variables as other ones, if every equation says that one is another."""
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
