"""Statements about integers in base -k, or negaFibonacci, as statements about the numbers whose digits they have.

The integer with the digits d_j, ..., d_0 is the sum of d_i (-k)^i; the number n with these digits is that of d_i k^i.
So each integer z is of one n.  Let p be the sum of d_i k^i for even i: then z = 2 p - n, and a comparison of sums of
integers is one of sums of such numbers n and p.  p is determined by p + k r = n, for the r of floor(n/k).  Letters of
words, and automata, read the digits, which n has too; and what is true of all, some, or k integers is so of numbers.

The integer with the digits d_i in negaFibonacci is the sum of d_i (-1)^i F(i+1), and n that of d_i F(i+2).  The integer
is p - n, where p is determined by one more digit after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fibprover.automata import kernel_calls, operations
from fibprover.automata.dfa import Dfa, build
from fibprover.base.names import system_name
from fibprover.prover.certificate.core import text_of
from fibprover.prover.certificate.normal import Conjunction, Node, conjunction, free, negation, normal
from fibprover.prover.certificate.tables import Line, NotCertified, Proved, Tables
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
from fibprover.words.algebra import fibonacci_equality

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
        tables, natural = self.tables, self.tables.natural(sort)
        if natural == sort or tables.shown(sort) in tables.written.integers:
            return
        name, over = tables.shown(sort), tables.system(natural)
        words, others = (tables.environment.system(one.system).valid for one in (natural, sort))
        if words.with_tracks((natural.track("x"),)) != others.with_tracks((natural.track("x"),)):
            raise NotCertified(f"the integers of {sort.system} have other words than the numbers of {over}")
        tables.check_name(name)
        letters, own = (self._in_negafibonacci, 1) if over == "msd_fib" else (self._in_base, 2)
        by, line, claims = letters(natural, system_name(name).base)
        proofs = list(map(self.prove, claims))
        assert all(each.automaton.outputs[0] for each in proofs)
        of = [each.number for each in proofs]
        tables.lines.append({"integers": name, "over": over, "by": by.name, **line, "of": of})
        tables.written.integers[name] = by, own

    def _predicate(self, like: str, automaton: Dfa, **more: object) -> Definition:
        """Return a predicate that is an automaton; it is written."""
        found = Definition(self.tables.new_name(like), automaton)
        self.tables.predicate(found.name, automaton, **more)
        return found

    def _in_base(self, sort: Sort, name: str) -> tuple[Definition, Line, list[Node]]:
        """Return the predicate of p, what the line of the integers has, and what says what p is: it is n - k r."""
        by, base = self._predicate(f"even_places_{name}", even_places(sort)), len(sort.digits)
        n, p, m, r = variables = [self.tables.variable(sort, letter) for letter in "npmr"]

        def at_least(least: int, relation: str) -> Node:
            return Linear(sort.system, (1, -base), (n, m), relation, least)

        first, second = PredicateAtom(by, (n, p)), PredicateAtom(by, (m, r))
        total = Linear(sort.system, (1, base, -1), (p, r, n), "=", 0)
        parts = (first, second, at_least(0, ">="), at_least(base, "<"))
        return by, {"variables": variables}, [
            negation(conjunction((negation(conjunction((first,), (p,))),), (n,))),
            negation(conjunction((*parts, negation(total)), variables)),
        ]

    def _in_negafibonacci(self, sort: Sort, name: str) -> tuple[Definition, Line, list[Node]]:
        """Return the same: n with one more digit, F(i+2), has the p with F(i+2) and F(i+1), or without, more."""
        by = self._predicate(f"with_integer_{name}", with_integer(sort, self.tables))
        pairs = []
        for which in ("even", "odd"):
            automaton, tree = next_numbers(sort, which)
            pairs.append(self._predicate(f"{which}_pairs_{name}", automaton, expression=tree))
        n, p, m, r, x, y = variables = [self.tables.variable(sort, letter) for letter in "npmrxy"]

        def total(left: str, right: str) -> Node:
            names = (*left, *right)
            own = dict(zip("npmrxy", variables, strict=True))
            factors = (*(1 for _ in left), *(-1 for _ in right))
            return Linear(sort.system, factors, tuple(own[one] for one in names), "=", 0)

        def never(parts: Sequence[Node], node: Node) -> Node:
            used = [one for one in variables if any(one in free(part) for part in (*parts, node))]
            return negation(conjunction((*parts, negation(node)), used))

        def says(definition: Definition, *names: str) -> Node:
            return PredicateAtom(definition, names)

        even, odd = pairs
        one, zero = (Linear(sort.system, (1,), (n,), "=", number) for number in (1, 0))
        less = Linear(sort.system, (1, -1), (n, r), "<", 0)
        line = {"pairs": [each.name for each in pairs], "variables": variables}
        return by, line, [
            never([one], says(even, n, n)), never([says(even, n, p), total("np", "m")], says(odd, m, n)),
            never([says(odd, n, p), total("np", "m")], says(even, m, n)), never([zero], says(by, n, n)),
            never([says(by, n, p), says(even, m, r), less, total("nm", "x"), total("pmr", "y")], says(by, x, y)),
            never([says(by, n, p), says(odd, m, r), less, total("nm", "x"), total("pm", "yr")], says(by, x, y)),
            never([says(by, n, p), says(by, n, m)], total("p", "m")),
        ]

    def _definition(
        self, system: str, sort: Sort, factors: Sequence[int], relation: str, constant: int
    ) -> Definition:
        """Return the definition that compares sums of integers; it is written.

        sort: that of the numbers that stand for the integers of the system.
        """
        tables, key = self.tables, (system, tuple(factors), relation, constant)
        if key not in tables.written.comparisons:
            names = [tables.signed_variable(system, sort, letter) for letter in _letters(len(factors))]
            others = tuple(tables.variable(sort, "p") for _ in factors)
            signed = Linear(system, tuple(factors), tuple(names), relation, constant)
            automaton = tables.environment.system(system).linear(tuple(factors), relation, constant, tables.budget)
            tracks = tuple(sort.track(name) for name in names)
            definition = Definition(tables.new_name(f"compare_{len(tables.written.comparisons)}"),
                                    automaton.with_tracks(tracks))
            by, times = tables.written.integers[system]
            calls: list[Logic] = [PredicateAtom(by, pair) for pair in zip(names, others, strict=True)]
            atom = Linear(sort.system, (*(times * factor for factor in factors), *(-factor for factor in factors)),
                          (*others, *names), relation, constant)
            formula = Exists(others, And(all_of(calls), atom))
            tables.lines.append({
                "define": definition.name, "parameters": names, "with": list(others), "compares": text_of(signed),
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


def with_integer(sort: Sort, tables: Tables) -> Dfa:
    """Return the automaton of (n,p), where p is n and the integer that n stands for in negaFibonacci."""
    found: Dfa | None = None
    for sign in (1, -1):  # of the integer, which is sign * x then
        same = fibonacci_equality(sign)
        same = same.with_tracks(tuple(sort.track({"x": "x", "y": "n"}[name]) for name in same.names))
        total = tables.environment.system(sort.system).linear((1, sign, -1), "=", 0, tables.budget)
        both = operations.conjunction(same, total.renamed(("n", "x", "p")), tables.budget)
        part = kernel_calls.reorder(operations.exists(both, ["x"], tables.budget), ("n", "p"), tables.budget)
        found = part if found is None else operations.disjunction(found, part, tables.budget)
    assert found is not None
    return found


def next_numbers(sort: Sort, which: str) -> tuple[Dfa, list[Any]]:
    """Return the automaton of F(i+2), F(i+1) for even, or odd i, and its regular expression as a certificate has it."""
    zeros, one, second, both = (["letters", list(letter)] for letter in ((0, 0), (1, 0), (0, 1), (1, 1)))
    longer = ["repeat", ["then", zeros, zeros], 0, -1]
    tracks = (sort.track("0"), sort.track("1"))
    if which == "odd":
        rows = [{0: 0, 2: 1}, {1: 2}, {0: 3}, {0: 2}]
        return kernel_calls.minimize(build(tracks, rows, [0, 0, 1, 0])), ["then", one, second, longer]
    rows = [{0: 0, 3: 1, 2: 2}, {}, {1: 3}, {0: 4}, {0: 3}]
    tree = ["or", both, ["then", one, second, zeros, longer]]
    return kernel_calls.minimize(build(tracks, rows, [0, 1, 0, 0, 1])), tree
