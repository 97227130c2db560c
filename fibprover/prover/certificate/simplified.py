"""Comparisons that say less where an equation holds: where r+s+t = p+q+u does, p+t+u <= q+r+s is t <= q.

A multiple of the equation is subtracted, such that few numbers are left.  Let a and b be the two sides of the
equation.  2*t+a <= 2*q+b is p+t+u <= q+r+s if the sides take their places, and t <= q where a=b.  So no claim has the
sums of both sides beside all other numbers.  Begin with `simplified`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from fibprover.automata import operations
from fibprover.automata.dfa import Dfa
from fibprover.base.values import value
from fibprover.prover.certificate.core import text_of
from fibprover.prover.certificate.normal import Node
from fibprover.prover.certificate.projection import projected
from fibprover.prover.certificate.tables import Proved, Tables
from fibprover.prover.logic import Linear


@value
class Simplified:
    """A comparison that is another one, of fewer numbers, where an equation holds: it is that plus `times` this."""

    atom: Linear
    fewer: Linear
    times: int
    equation: Linear


def simplified(atom: Linear, known: Sequence[Linear], most: int) -> Simplified | None:
    """Return what a comparison says in at most `most` numbers where an equation holds that is known, None if nothing.

    It has as few numbers as there can be, by an equation of few.
    """
    multiples = [(times, equation) for equation in known if equation.system == atom.system for times in (1, -1)]
    found = [Simplified(atom, _plus(atom, -times, equation), times, equation) for times, equation in multiples]
    few = [one for one in found if len(one.fewer.variables) <= most]
    return min(few, key=lambda one: (len(one.fewer.variables), len(one.equation.variables)), default=None)


def linear(system: str, terms: Mapping[str, int], relation: str, constant: int) -> Linear:
    """Return a comparison with its variables in order, without those of coefficient 0.

    Where they are in order no automaton has to be written for it.
    """
    names = sorted(name for name, coefficient in terms.items() if coefficient)
    return Linear(system, tuple(terms[name] for name in names), tuple(names), relation, constant)


def _plus(atom: Linear, times: int, other: Linear) -> Linear:
    """Return a comparison to which a multiple of an equation is added."""
    terms = dict(zip(atom.variables, atom.coefficients, strict=True))
    for name, coefficient in zip(other.variables, other.coefficients, strict=True):
        terms[name] = terms.get(name, 0) + times * coefficient
    return linear(atom.system, terms, atom.relation, atom.constant + times * other.constant)


@value
class Side:
    """A side of an equation: numbers with their natural coefficients, and a natural number."""

    system: str
    terms: tuple[tuple[str, int], ...]
    constant: int

    @property
    def variable(self) -> str:
        """The variable that the side is, or nothing."""
        match self.terms, self.constant:
            case ((name, 1),), 0:
                return name
        return ""

    def equals(self, name: str) -> Linear:
        """Return the equation of the side and a variable that it does not have."""
        return linear(self.system, {**dict(self.terms), name: -1}, "=", -self.constant)


def sides(atom: Linear) -> tuple[Side, Side]:
    """Return the sides of a comparison: that of positive coefficients first."""
    terms = list(zip(atom.coefficients, atom.variables, strict=True))
    more, less = (tuple((name, sign * c) for c, name in terms if sign * c > 0) for sign in (1, -1))
    return Side(atom.system, more, max(0, -atom.constant)), Side(atom.system, less, max(0, atom.constant))


class Simplifying:
    """Writes the claims of comparisons that say less; `prove` writes that of any formula, under a guard or without."""

    def __init__(self, tables: Tables, prove: Callable[[Node, Dfa | None], Proved]) -> None:
        self.tables, self.prove, self.budget = tables, prove, tables.budget

    def compared(self, found: Simplified, guard: Dfa) -> Proved:
        """Return the claim of a comparison where a guard implies the equation; its own guard is implied by that one.

        One side of the equation, `inner`, is shared with a variable a.  That is the other side, or is equal to it.
        """
        (outer, inner), times = sides(found.equation), found.times
        if inner.variable:
            outer, inner, times = inner, outer, -times
        a, b = outer.variable or self._new(found.atom), self._new(found.atom)
        fewer = self._where_equal(found.fewer, a, b, times)
        equal = self.prove(inner.equals(a), None)
        shared = self.prove(inner.equals(b), None)
        rest = self.tables.claim("share", [fewer, shared], fewer.automaton, equal.automaton, **{"from": b, "to": a})
        said = _plus(found.fewer, -times, inner.equals(a))
        rest = self.tables.claim("linear", [rest], fewer.automaton, equal.automaton, formula=text_of(said))
        return rest if outer.variable else self._by_total(found.atom, self.prove(outer.equals(a), None), rest, a, guard)

    def _new(self, atom: Linear) -> str:
        """Return a new variable."""
        return self.tables.variable(self.tables.sorts[atom.variables[0]])

    def _where_equal(self, fewer: Linear, a: str, b: str, times: int) -> Proved:
        """Return the claim that a comparison with times*(a-b) beside it is the one without that, where a=b."""
        where = self.prove(linear(fewer.system, {a: 1, b: -1}, "=", 0), None).automaton
        beside = linear(fewer.system, {a: times, b: -times}, "=", 0)
        both = [(side, side.variable or self._new(beside)) for side in sides(fewer)]
        (_, left), (_, right) = both
        compared = linear(fewer.system, {left: 1, right: -1}, fewer.relation, 0)
        alone, whole = self.prove(compared, None).automaton, self.prove(_plus(compared, 1, beside), None)
        found = self.tables.claim("and", [whole], alone, where)
        for side, name in both:
            if name != side.variable:
                equal = self.prove(side.equals(name), None)
                joined = operations.conjunction(equal.automaton, found.automaton, self.budget)
                found = self._projected(self.tables.claim("and", [equal, found], joined, where), name, where)
        return self.tables.claim("linear", [found], found.automaton, where, formula=text_of(_plus(fewer, 1, beside)))

    def _projected(self, proved: Proved, name: str, guard: Dfa) -> Proved:
        """Return a claim without a variable."""
        found = projected(proved.automaton, [name], self.budget)
        return self.tables.claim("exists", [proved], found.automaton, guard, bound=[name], **found.line)

    def _by_total(self, atom: Linear, equal: Proved, rest: Proved, total: str, guard: Dfa) -> Proved:
        """Return the claim of a comparison from that with a variable that is equal to one side, under the guard.

        Its relation does not have the other numbers of the guard.
        """
        both = operations.conjunction(equal.automaton, rest.automaton, self.budget)
        proved = self._projected(self.tables.claim("and", [equal, rest], both, guard), total, guard)
        return self.tables.claim("linear", [proved], proved.automaton, guard, formula=text_of(atom))
