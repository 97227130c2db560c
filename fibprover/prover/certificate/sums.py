"""Comparisons of sums of many numbers, proved where a guard holds: without it their automata would be too large.

Under a guard p+t+u <= q+r+s is E a,c (t+u=a & q+r=c & p+a <= c+s): the guard leaves few tuples, of which each sum is
one number, and a comparison of four numbers has a small automaton.  Begin with `GuardedSums`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations

from fibprover.automata import operations
from fibprover.automata.dfa import Dfa
from fibprover.base.errors import BudgetSpent
from fibprover.prover.certificate.core import text_of
from fibprover.prover.certificate.projection import projected
from fibprover.prover.certificate.tables import Proved, Tables
from fibprover.prover.logic import Linear

#: A comparison of more numbers is split if its automaton has more states than _MANY_STATES.
_FEW_NUMBERS, _MANY_STATES = 4, 2000


class GuardedSums:
    """Writes the claims of comparisons under guards; `prove` writes that of an atom."""

    def __init__(self, tables: Tables, prove: Callable[[Linear], Proved]) -> None:
        self.tables, self.prove, self.budget = tables, prove, tables.budget

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

    def compared(self, atom: Linear, guard: Dfa) -> Proved:
        """Return the claim of a comparison under a guard that has all its variables."""
        claims, rest, bound = [self.tables.claim("and", [], guard, guard)], atom, list[str]()
        while len(rest.variables) > _FEW_NUMBERS:
            if len(claims) > 1:
                claims = [self._all(claims, guard)]
            equation, total = self._sum(rest, claims[0].automaton)
            claims = [self.prove(equation), *claims]
            rest = _replaced(rest, equation, total)
            bound.append(total)
        whole = self._all([self.prove(rest), *claims], guard)
        found = projected(whole.automaton, bound, self.budget)
        whole = self.tables.claim("exists", [whole], found.automaton, guard, bound=bound, **found.line)
        return self.tables.claim("linear", [whole], whole.automaton, guard, formula=text_of(atom))

    def _all(self, claims: Sequence[Proved], guard: Dfa) -> Proved:
        """Return the claim of a conjunction."""
        whole = claims[-1].automaton
        for one in claims[-2::-1]:
            whole = operations.conjunction(one.automaton, whole, self.budget)
        return self.tables.claim("and", claims, whole, guard)

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
            return _linear(atom.system, {**dict(zip((x, y), factors, strict=True)), total: -1}, "=", 0)

        def cost(one: Linear) -> int:
            return operations.conjunction(self.tables.atoms.atom(one), within, self.budget).transitions

        more = positive if len(positive) >= len(negative) else negative
        return min((equation(*pair) for pair in combinations(more, 2)), key=cost), total


def _replaced(atom: Linear, equation: Linear, total: str) -> Linear:
    """Return a comparison with the sum in place of the numbers that an equation adds."""
    terms = dict(zip(atom.variables, atom.coefficients, strict=True))
    addends = dict(zip(equation.variables, equation.coefficients, strict=True))
    terms[total], *_ = [terms.pop(name) // factor for name, factor in addends.items() if name != total]
    return _linear(atom.system, terms, atom.relation, atom.constant)


def _linear(system: str, terms: dict[str, int], relation: str, constant: int) -> Linear:
    """Return a comparison with its variables in order: then no automaton has to be written for it."""
    names = sorted(terms)
    return Linear(system, tuple(terms[name] for name in names), tuple(names), relation, constant)
