"""Statements about integers in base -k, as statements about the natural numbers whose digits in base k they have.

The integer with the digits d_j, ..., d_0 is the sum of d_i (-k)^i; the number n with these digits is that of d_i k^i.
So each integer z is of one n.  Let p be the sum of d_i k^i for even i: then z = 2 p - n, and a comparison of sums of
integers is one of sums of such numbers n and p.  p is determined by p + k r = n, for the r of floor(n/k).  Letters of
words, and automata, read the digits, which n has too; and what is true of all, some, or k integers is so of numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fibprover.automata import kernel_calls, operations
from fibprover.automata.dfa import Dfa, build
from fibprover.base.names import system_name
from fibprover.prover.certificate.core import text_of
from fibprover.prover.certificate.normal import Conjunction, Node, conjunction, negation, normal
from fibprover.prover.certificate.tables import NotCertified, Proved, Tables
from fibprover.prover.environment import Definition, Sort
from fibprover.prover.logic import (
    And,
    Exists,
    Linear,
    Logic,
    Not,
    Or,
    PredicateAtom,
    map_children,
)
from fibprover.prover.logic import conjunction as all_of

_TURNED = {">": "<", ">=": "<="}


class Integers:
    """Writes what formulas about integers are made of: the predicate of p, and the definitions of comparisons.

    prove writes the claim of any formula, `compare` that of a comparison of sums under a guard.
    """

    def __init__(
        self, tables: Tables, prove: Callable[[Node], Proved], compare: Callable[[Linear, Dfa], Proved]
    ) -> None:
        self.tables, self.prove, self.compare = tables, prove, compare

    def beyond(self, own: str, bound: str) -> Logic:
        """Return that a number is beyond another one: greater, or, of integers, perhaps less than its opposite."""
        system = self.tables.sorts[own].system
        greater = Linear(self.tables.signed.get(own, system), (1, -1), (own, bound), ">", 0)
        if own not in self.tables.signed:
            return greater
        return Or(greater, Linear(self.tables.signed[own], (1, 1), (own, bound), "<", 0))

    def translated(self, formula: Logic) -> Logic:
        """Return a formula in which definitions compare sums of integers."""
        match formula:
            case Linear() if formula.variables[0] in self.tables.signed:
                return self._comparison(formula)
            case _:
                return map_children(formula, self.translated)

    def _comparison(self, atom: Linear) -> Logic:
        """Return the call of the definition that compares these sums; an equation of two variables stays one."""
        sort, relation = self.tables.sorts[atom.variables[0]], atom.relation
        if relation in ("=", "!=") and atom.constant == 0 and sorted(atom.coefficients) == [-1, 1]:
            return Linear(sort.system, atom.coefficients, atom.variables, relation, 0)
        if relation == "!=":
            return Not(self._comparison(Linear(atom.system, atom.coefficients, atom.variables, "=", atom.constant)))
        turn = -1 if relation in _TURNED else 1
        terms = sorted((-turn * factor, place) for place, factor in enumerate(atom.coefficients))
        factors = tuple(-factor for factor, _ in terms)
        names = tuple(atom.variables[place] for _, place in terms)
        definition = self._definition(
            self.tables.signed[names[0]], sort, factors, _TURNED.get(relation, relation), turn * atom.constant
        )
        return PredicateAtom(definition, names)

    # What is written

    def declare(self, sort: Sort) -> None:
        """Write the integers of a system, if it is one: the predicate of p, and the claims that say what that is."""
        natural = self.tables.natural(sort)
        if natural == sort or self.tables.shown(sort) in self.tables.written.integers:
            return
        tables, name, base = self.tables, self.tables.shown(sort), len(sort.digits)
        over = tables.system(natural)
        if tables.environment.system(natural.system).valid.with_tracks((natural.track("x"),)) != \
                tables.environment.system(sort.system).valid.with_tracks((natural.track("x"),)):
            raise NotCertified(f"not all words over 0, ..., {base - 1} are integers of {sort.system}")
        tables.check_name(name)
        even = Definition(tables.new_name(f"even_places_{system_name(name).base}"), even_places(natural))
        tables.predicate(even.name, even.automaton)
        n, p, m, r = variables = [tables.variable(natural, letter) for letter in "npmr"]

        def at_least(least: int, relation: str) -> Node:
            return Linear(natural.system, (1, -base), (n, m), relation, least)

        first, second = PredicateAtom(even, (n, p)), PredicateAtom(even, (m, r))
        total = Linear(natural.system, (1, base, -1), (p, r, n), "=", 0)
        parts = (first, second, at_least(0, ">="), at_least(base, "<"))
        proofs = [
            self.prove(negation(conjunction((negation(conjunction((first,), (p,))),), (n,)))),
            self.prove(negation(conjunction((*parts, negation(total)), variables))),
        ]
        assert all(each.automaton.outputs[0] for each in proofs)
        tables.lines.append({
            "integers": name, "over": over, "even": even.name, "variables": variables,
            "of": [each.number for each in proofs],
        })
        tables.written.integers[name] = even

    def _definition(
        self, system: str, sort: Sort, factors: Sequence[int], relation: str, constant: int
    ) -> Definition:
        """Return the definition that compares sums of integers; it is written.

        sort: that of the numbers that stand for the integers of the system.
        """
        tables, key = self.tables, (system, tuple(factors), relation, constant)
        if key not in tables.written.comparisons:
            names = [tables.signed_variable(system, sort, letter) for letter in _letters(len(factors))]
            evens = tuple(tables.variable(sort, "p") for _ in factors)
            signed = Linear(system, tuple(factors), tuple(names), relation, constant)
            automaton = tables.environment.system(system).linear(tuple(factors), relation, constant, tables.budget)
            tracks = tuple(sort.track(name) for name in names)
            definition = Definition(tables.new_name(f"compare_{len(tables.written.comparisons)}"),
                                    automaton.with_tracks(tracks))
            calls: list[Logic] = [PredicateAtom(tables.written.integers[system], pair)
                                  for pair in zip(names, evens, strict=True)]
            atom = Linear(sort.system, (*(2 * factor for factor in factors), *(-factor for factor in factors)),
                          (*evens, *names), relation, constant)
            formula = Exists(evens, And(all_of(calls), atom))
            tables.lines.append({
                "define": definition.name, "parameters": names, "even": list(evens), "compares": text_of(signed),
            })
            tables.written.comparisons[key] = definition
            tables.written.meanings[definition.name] = formula, tuple(names)
        return tables.written.comparisons[key]

    def proved(self, formula: Logic) -> Proved:
        """Return the claim of the formula of a comparison.

        The sums are compared under the guard that says what each p is: all tuples of so many numbers would be too many.
        """
        node = normal(formula)
        assert isinstance(node, Conjunction)
        *calls, atom = node.parts
        assert isinstance(atom, Linear)
        tables, claims = self.tables, list(map(self.prove, calls))
        guard = claims[0].automaton
        for claim in claims[1:]:
            guard = tables.made(operations.conjunction(guard, claim.automaton, tables.budget), [guard, claim.automaton])
        compared = self.compare(atom, guard)
        found = operations.conjunction(guard, compared.automaton, tables.budget)
        whole = tables.claim("and", [*claims, compared], found)
        for name in node.bound:
            automaton = operations.exists(whole.automaton, [name], tables.budget)
            whole = tables.claim("exists", [whole], automaton, bound=[name])
        return whole


def _letters(count: int) -> list[str]:
    """Return letters for some parameters, in the order of the names that these get: numbers follow, which rise."""
    if count <= 6:
        return sorted("xyzuvw"[:count])
    return [f"x{place:0{len(str(count))}}" for place in range(count)]


def even_places(sort: Sort) -> Dfa:
    """Return the automaton of (n,p), where p has the digits of n at even places, and 0 at odd ones."""
    base = len(sort.digits)
    kept, dropped = range(0, base * base, base + 1), range(0, base * base, base)
    even, odd = dict.fromkeys(kept, 1), dict.fromkeys(dropped, 2)
    # The place of the first digit is even if it is kept; state 1 is that after an even place, as the last one is.
    rows = [{0: 0, **{code: 1 for code in kept if code}, **{code: 2 for code in dropped if code}}, odd, even]
    return kernel_calls.minimize(build((sort.track("0"), sort.track("1")), rows, [1, 1, 0]))
