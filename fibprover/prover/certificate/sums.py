"""Comparisons of sums of many numbers, proved where a guard holds: without it their automata would be too large.

Under a guard p+t+u <= q+r+s is E a,c (t+u=a & q+r=c & p+a <= c+s): the guard leaves few tuples, of which each sum is
one number, and a comparison of four numbers has a small automaton.  Begin with `GuardedSums`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from fibprover.automata import kernel_calls, operations
from fibprover.automata.dfa import Dfa
from fibprover.base.errors import BudgetSpent
from fibprover.prover.certificate.core import text_of
from fibprover.prover.certificate.normal import Node
from fibprover.prover.certificate.projection import projected
from fibprover.prover.certificate.simplified import Simplifying, linear, sides, simplified
from fibprover.prover.certificate.tables import Proved, Tables
from fibprover.prover.logic import Linear

#: A comparison of more numbers is split if its automaton has more states than _MANY_STATES.
_FEW_NUMBERS, _MANY_STATES = 4, 2000

#: Two comparisons of four numbers, for the sum of a whole side, take about as much work as so many transitions.
_SIDES = 150_000

#: A comparison that says less where an equation holds has at most so many numbers.
_VERY_FEW = 3


class GuardedSums:
    """Writes the claims of comparisons under guards; `prove` writes that of an atom, or of others under a guard."""

    def __init__(self, tables: Tables, prove: Callable[[Node, Dfa | None], Proved]) -> None:
        self.tables, self.budget, self.simplifying = tables, tables.budget, Simplifying(tables, prove)
        self.prove: Callable[[Linear], Proved] = lambda atom: prove(atom, None)

    def is_large(self, atom: Linear) -> bool:
        """Return whether the automaton of a comparison is large, so that its proof needs a guard.

        != is not asked about: it is the negation of a comparison.
        """
        if len(atom.variables) <= _FEW_NUMBERS or atom.relation == "!=" or self.tables.parameter:
            return False
        budget = replace(self.budget, states=min(self.budget.states, _MANY_STATES))
        system = self.tables.environment.system(atom.system)
        try:
            return system.linear(atom.coefficients, atom.relation, atom.constant, budget).states > _MANY_STATES
        except BudgetSpent as spent:
            if spent.resource != "states" or self.budget.states <= _MANY_STATES:
                raise
            return True

    def compared(self, atom: Linear, guard: Dfa, known: Sequence[Linear]) -> Proved:
        """Return the claim of a comparison under a guard that has all its variables, and implies known equations.

        It may have a guard of its own that is implied by this one.
        """
        found = simplified(atom, known, _VERY_FEW)
        if found is not None:
            return self.simplifying.compared(found, guard)
        parts = self._parts(atom, guard)
        whole = self._all(self.tables.claim("and", [], guard, guard), parts, guard)
        bound = sorted({name for part in parts for name in part.variables}.difference(atom.variables))
        without = projected(whole.automaton, bound, self.budget)
        whole = self.tables.claim("exists", [whole], without.automaton, guard, bound=bound, **without.line)
        return self.tables.claim("linear", [whole], whole.automaton, guard, formula=text_of(atom))

    def _parts(self, atom: Linear, guard: Dfa) -> list[Linear]:
        """Return equations of sums, and a comparison with these, that take the least work under a guard."""
        best = self._by_two(atom, guard)
        work = self._work(guard, best, self.budget.transitions) - _SIDES
        for parts in self._by_sides(atom):
            own = self._work(guard, parts, max(0, work))
            if own < work:
                best, work = parts, own
        return best

    def _by_two(self, atom: Linear, guard: Dfa) -> list[Linear]:
        """Return equations of sums of two numbers and a comparison with these."""
        parts, rest, within = list[Linear](), atom, guard
        while len(rest.variables) > _FEW_NUMBERS:
            equation, total = self._sum(rest, within)
            within = operations.conjunction(self.tables.atoms.atom(equation), within, self.budget)
            rest = _replaced(rest, equation, total)
            parts.append(equation)
        return [*parts, rest]

    def _by_sides(self, atom: Linear) -> Iterator[list[Linear]]:
        """Yield the equation of a side and its sum, and the comparison with that, if both have few numbers."""
        for sign, side, other in zip((1, -1), sides(atom), sides(atom)[::-1], strict=True):
            total = self.tables.variable(self.tables.sorts[atom.variables[0]])
            terms = {total: sign, **{name: -sign * factor for name, factor in other.terms}}
            parts = [side.equals(total), linear(atom.system, terms, atom.relation, sign * other.constant)]
            if all(len(part.variables) <= _FEW_NUMBERS for part in parts):
                yield parts

    def _work(self, guard: Dfa, parts: Sequence[Linear], most: int) -> int:
        """Return how many transitions the products of a guard and comparisons have, one by one; `most` if it is more.

        A checker walks through these products, whose states are not merged.
        """
        work, within, budget = 0, guard, replace(self.budget, transitions=min(self.budget.transitions, most))
        try:
            for part in parts:
                product = kernel_calls.join(self.tables.atoms.atom(part), within, budget)
                work, within = work + product.transitions, kernel_calls.minimize(product, budget)
        except BudgetSpent as spent:
            if spent.resource != "transitions" or self.budget.transitions <= most:
                raise
            return most
        return min(work, most)

    def _all(self, whole: Proved, parts: Sequence[Linear], guard: Dfa) -> Proved:
        """Return the claim of a claim and of comparisons under a guard, one by one."""
        for part in parts:
            # A checker begins with the letters of the first relation: those of the guard are few.
            found = self.prove(part)
            automaton = operations.conjunction(whole.automaton, found.automaton, self.budget)
            whole = self.tables.claim("and", [whole, found], automaton, guard)
        return whole

    def _sum(self, atom: Linear, within: Dfa) -> tuple[Linear, str]:
        """Return the equation of a sum of two numbers on one side of a comparison, and the variable of the sum.

        Of the sums on the side of more numbers it is one that adds the fewest transitions to an automaton.
        """
        terms = list(zip(atom.coefficients, atom.variables, strict=True))
        positive, negative = ([term for term in terms if term[0] * sign > 0] for sign in (1, -1))
        total = self.tables.variable(self.tables.sorts[atom.variables[0]])

        def equation(one: tuple[int, str], other: tuple[int, str]) -> Linear:
            (c, x), (d, y) = one, other
            factors = (1, 1) if c == d else (abs(c), abs(d))
            return linear(atom.system, {**dict(zip((x, y), factors, strict=True)), total: -1}, "=", 0)

        def cost(one: Linear) -> int:
            return operations.conjunction(self.tables.atoms.atom(one), within, self.budget).transitions

        more = positive if len(positive) >= len(negative) else negative
        return min((equation(*pair) for pair in combinations(more, 2)), key=cost), total


def _replaced(atom: Linear, equation: Linear, total: str) -> Linear:
    """Return a comparison with the sum in place of the numbers that an equation adds."""
    terms = dict(zip(atom.variables, atom.coefficients, strict=True))
    addends = dict(zip(equation.variables, equation.coefficients, strict=True))
    terms[total], *_ = [terms.pop(name) // factor for name, factor in addends.items() if name != total]
    return linear(atom.system, terms, atom.relation, atom.constant)
