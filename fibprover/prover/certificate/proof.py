"""Proofs of formulas, claim by claim: each automaton is built by the kernels, and each claim names its rule.

The plan is one for checking.  Conjuncts are joined in the order of their sizes and variables are projected as soon as
nothing else mentions them; what is negated is proved under the guard that the other conjuncts have made, and
subtracted from it; terms that the guard has defined are shared.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from math import prod

from fibprover.automata import kernel_calls, operations
from fibprover.automata.dfa import Dfa
from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import poll
from fibprover.prover.certificate import families
from fibprover.prover.certificate.atoms import Atoms
from fibprover.prover.certificate.core import text_of_node, without_parameter
from fibprover.prover.certificate.normal import (
    TRUE,
    Conjunction,
    Count,
    Equivalence,
    Negation,
    Node,
    conjunction,
    disjuncts,
    free,
)
from fibprover.prover.certificate.projection import Projection, projected
from fibprover.prover.certificate.sums import GuardedSums
from fibprover.prover.certificate.tables import NotCertified, Proved, Tables, TooMuchWork, reordered
from fibprover.prover.certificate.terms import (
    SharedTerm,
    equations,
    known_names,
    renamed_equations,
    shared_terms,
    shifted,
    shifted_block,
)
from fibprover.prover.logic import Linear

#: A projection is put off where it has so many times the states and _SMALL more, or meets _TRIED times these.
_GROWN, _SMALL, _TRIED = 2, 1000, 10

#: Another proof is tried where automata have more transitions than these in all.
_MUCH_WORK = 200_000

#: A relation of at least _LARGE transitions is restricted by another one if that leaves less than one of _MUCH.
_LARGE, _MUCH = 500, 2

#: A conjunction of more transitions is compared with those of other pairs.
_LARGE_JOIN = 50_000

#: A guard is dense if it accepts more than one of _DENSE tuples whose words have this length.
_DENSE, _LENGTH = 4, 8


class Proof:
    """Writes the claims of formulas.

    A guard is an automaton: the claim is about the tuples that it accepts.  `known` are equations that hold of these.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables, self.budget = tables, tables.budget
        self.atoms, self.limits = Atoms(tables, self.formula), families.Limits(tables)
        self.sums = GuardedSums(tables, self.formula)
        #: Whether a proof is tried that may be given up.
        self._trying = False

    def formula(self, node: Node, guard: Dfa | None = None, known: Sequence[Linear] = ()) -> Proved:
        """Return the claim of a formula; it holds without the guard if that is not marked."""
        poll()
        if node in self.tables.written.proved:
            return self.tables.written.proved[node]
        found = self._formula(node, guard, known)
        if not found.guarded:
            self.tables.written.proved[node] = found
        return found

    def _formula(self, node: Node, guard: Dfa | None, known: Sequence[Linear]) -> Proved:
        branches = disjuncts(node)
        if branches:
            return self._either(node, branches, guard, known)
        match node:
            case Conjunction():
                terms, _ = shared_terms(node, known)
                if terms and guard is not None:
                    return self._shared(node, terms[0], guard, known)
                if options := distributed(node):
                    return self._either(node, options, guard, known)
                return self._joined(node, guard, known)
            case Negation(body):
                inner = self.formula(body, guard, known)
                return self.denied("not", [inner], inner.automaton, guard)
            case Equivalence(left, right):
                sides = [self.formula(left, guard, known), self.formula(right, guard, known)]
                a, b = self.same_tracks([side.automaton for side in sides])
                differ = operations.disjunction(
                    families.difference(a, b, self.budget), families.difference(b, a, self.budget), self.budget
                )
                return self.denied("iff", sides, differ, guard)
            case Count(bound, count, body):
                if not set(bound) <= free(body):
                    raise NotCertified("numbers are counted by a variable that does not occur")
                inner = self.limits.projectable(self.formula(body), bound)
                automaton = operations.at_least(inner.automaton, bound, count, self.budget)
                return self.tables.claim("exists", [inner], automaton, bound=list(bound), count=count)
            case _:
                return self.atoms.atom(node)

    def _joined(self, node: Conjunction, guard: Dfa | None, known: Sequence[Linear]) -> Proved:
        """Return the claim of a conjunction; a guard is joined first, or last where that takes less work.

        A guard that has other variables may enlarge what it is joined with, and all that is subtracted from that.
        """
        if guard is None or self._trying or not any(isinstance(part, Negation) for part in node.parts):
            return _Join(self, node, guard, known).proved()
        before = self.tables.written.copied()
        guarded = _Join(self, node, guard, known).proved()
        found = self.tables.written
        if found.work - before.work < _MUCH_WORK:
            return guarded
        self.tables.written = before
        limit, self.tables.most_work, self._trying = self.tables.most_work, found.work, True
        try:
            return _Join(self, node, guard, (), guard_last=True).proved()
        except (TooMuchWork, BudgetSpent):
            self.tables.written = found
            return guarded
        finally:
            self.tables.most_work, self._trying = limit, False

    # Claims

    def claim(self, rule: str, of: Sequence[Proved], automaton: Dfa, guard: Dfa | None, **more: object) -> Proved:
        """Write a claim; it is about a guard if one of those that are used is."""
        needed = guard if any(one.guarded for one in of) else None
        if guard is not None and needed is None and rule in ("not", "iff"):
            needed = guard  # what is denied is denied within the guard
        return self.tables.claim(rule, of, automaton, needed, **more)

    def truth(self, names: Sequence[str]) -> Proved:
        """Return the claim of true for all values of some variables."""
        return self.tables.claim("and", [], self.tables.atoms.all_valid(names), numbers=list(names))

    def _either(self, node: Node, branches: Sequence[Node], guard: Dfa | None, known: Sequence[Linear]) -> Proved:
        """Return the claim of a formula whose branches are these."""
        claims = [self.formula(branch, guard, known) for branch in branches]
        parts = self.same_tracks([claim.automaton for claim in claims])
        whole = parts[0]
        for part in parts[1:]:
            whole = operations.disjunction(whole, part, self.budget)
        return self.claim("or", claims, whole, guard, formula=text_of_node(node))

    def same_tracks(self, automata: Sequence[Dfa]) -> list[Dfa]:
        """Return automata with the tracks of all, in one order."""
        names = sorted({name for automaton in automata for name in automaton.names})
        return [self.tables.atoms.cylindrify(automaton, names) for automaton in automata]

    def denied(self, rule: str, of: Sequence[Proved], automaton: Dfa, guard: Dfa | None) -> Proved:
        """Return the claim that a rule makes of others: about what an automaton does not accept, under the guard."""
        if guard is None:
            within = self.tables.atoms.all_valid(sorted(automaton.names))
        else:
            within = self.tables.atoms.cylindrify(guard, automaton.names)
            automaton = operations.conjunction(automaton, within, self.budget)
        found = self.claim(rule, of, families.difference(within, automaton, self.budget), guard)
        return self.limits.denied(found, within, automaton, guard)

    def _shared(self, node: Conjunction, term: SharedTerm, guard: Dfa, known: Sequence[Linear]) -> Proved:
        """Return the claim of a formula with a term that the guard has defined."""
        sort = self.tables.sorts[term.bound]
        parts = [part for part in node.parts if part != term.equation]
        body = conjunction(parts, [name for name in node.bound if name != term.bound])
        equal = Linear(sort.system, (1, -1), (term.bound, term.known), "=", 0)
        if term.known in free(body):
            both = self.tables.atoms.atom(equal)
            inner = self.tables.made(operations.conjunction(guard, both, self.budget), [guard, both])
            proved = self.formula(body, inner, [*known, equal])
        else:
            inner = self.renamed(guard, term.known, term.bound)
            names = [term.bound if name == term.known else name for name in guard.names]
            self.tables.made(inner, [guard.renamed(names)])
            proved = self.formula(body, inner, renamed_equations(known, term.known, term.bound))
        automaton = proved.automaton
        if term.known in automaton.names and term.bound in automaton.names:
            both = operations.conjunction(automaton, self.tables.atoms.atom(equal), self.budget)
            automaton = families.without(both, [term.bound], self.budget)
        else:
            automaton = self.renamed(automaton, term.bound, term.known)
        more = {"from": term.bound, "to": term.known}
        return self.tables.claim("share", [proved, self.atoms.atom(term.equation)], automaton, guard, **more)

    def renamed(self, automaton: Dfa, old: str, new: str) -> Dfa:
        """Return an automaton with another name of a track."""
        names = [new if name == old else name for name in automaton.names]
        return reordered(automaton.renamed(names), sorted(names), self.budget)


def distributed(node: Conjunction) -> list[Node]:
    """Return the branches of E x (C & (F | G | ...)), if no other part has all variables of the disjunction.

    C & F is often small where C & (F | G) is not: F may say what x is, as a kind of move does, and G something else.
    """
    for part in node.parts:
        branches, names = disjuncts(part), free(part)
        rest = [other for other in node.parts if other is not part]
        beside = [other for other in rest if not isinstance(other, Negation)]
        if branches and not names.isdisjoint(node.bound) and not any(names <= free(other) for other in beside):
            return [conjunction([*rest, branch], node.bound) for branch in branches]
    return []


class _Join:
    """Writes the claim of E bound . & parts."""

    def __init__(
        self, proof: Proof, node: Conjunction, guard: Dfa | None, known: Sequence[Linear], guard_last: bool = False
    ) -> None:
        self.proof, self.tables, self.budget = proof, proof.tables, proof.budget
        self.bound = set(node.bound)
        #: The guard of the claims so far, and one that comes after what is subtracted.
        self.guard: Dfa | None = None if guard_last else guard
        self.last: Dfa | None = guard if guard_last else None
        self.known = [*known, *equations(node.parts)]
        negated = [part for part in node.parts if isinstance(part, Negation) and not disjuncts(part)]
        subtracted = [part for part in negated if part.body != TRUE]
        #: The conjuncts that are negated, without their negation, and the variables that their proofs mention.
        self.negated = [(part.body, known_names(part.body, self.known)) for part in subtracted]
        rest = [part for part in node.parts if part not in subtracted]
        #: Comparisons that are proved where all else holds.
        self.sums = self._large_sums(rest)
        self.pool = [self._reduced(one) for one in self._claims(node, rest, known)]
        if not self.pool:
            self.pool = [proof.truth(sorted(free(node) | self.bound))]
        self._add_guard()
        self._restrict()

    def proved(self) -> Proved:
        """Return the claim."""
        while True:
            if self.last is not None and not self.negated and not self.sums and len(self.pool) == 1:
                self.guard, self.last = self.last, None
                self._add_guard()
                self._join()
            self.pool = [self._projected(one) for one in self.pool]
            if len(self.pool) > 1:
                self._join()
            elif self.sums:
                self.pool = [self._compared(self.pool[0], self.sums.pop(0))]
            elif self.negated:
                self.negated.sort(key=self._rank)
                self.pool = [self._without(self.pool[0], *self.negated.pop(0))]
            else:
                return self.pool[0]

    def _large_sums(self, parts: Sequence[Node]) -> list[Linear]:
        """Return the comparisons that are large, if others mention all that they compare: equations come first."""
        atoms = [part for part in parts if isinstance(part, Linear) and self.proof.sums.is_large(part)]
        others = frozenset(() if self.guard is None else self.guard.names)
        others = others.union(*(free(part) for part in parts if part not in atoms))
        return sorted((atom for atom in atoms if free(atom) <= others), key=lambda atom: atom.relation != "=")

    def _claims(self, node: Conjunction, parts: Sequence[Node], known: Sequence[Linear]) -> list[Proved]:
        """Return the claims of the parts that are neither subtracted nor large sums: of some a claim in common."""
        parts = [part for part in parts if part not in self.sums]
        block = None if self.tables.parameter else shifted_block(node)
        if block is None or block[0] in self.sums or not self._needed().isdisjoint(block[1].bound):
            return [self._part(part, known) for part in parts]
        rest = [part for part in parts if part not in (block[0], *block[1].parts)]
        return [*(self._part(part, known) for part in rest), self._under(*block)]

    def _part(self, part: Node, known: Sequence[Linear]) -> Proved:
        """Return the claim of a part: of an equation by one of two variables where the guard implies that they agree.

        known: equations that the guard implies.
        """
        proved = self.proof.formula(part)
        within = [one for one in known if self.guard is not None and set(one.variables) <= set(self.guard.names)]
        fewer = shifted(part, within) if isinstance(part, Linear) and part.relation == "=" else None
        if fewer is None or self.tables.parameter:
            return proved
        return self.tables.claim("and", [proved], self.proof.atoms.atom(fewer).automaton, self.guard)

    def _under(self, equation: Linear, block: Conjunction) -> Proved:
        """Return the claim of an equation and of a block, which is proved under the guard that the equation is."""
        first = self.proof.formula(equation)
        second = self.proof.formula(block, first.automaton, [equation])
        both = operations.conjunction(first.automaton, second.automaton, self.budget)
        return self.tables.claim("and", [first, second], both)

    def _needed(self) -> set[str]:
        """Return the variables that what is not in the pool mentions."""
        return set().union(*map(free, self.sums), *(names for _, names in self.negated))

    def _add_guard(self) -> None:
        """Add that what the guard accepts is true, to be joined when that is best."""
        if self.guard is not None:
            self.pool.append(self.tables.claim("and", [], self.guard, self.guard))

    def _restrict(self) -> None:
        """Join those that say little with each that has all their variables, where much less of it is left.

        A variable is projected before those that mention others are joined; then less of it is there to be projected.
        """
        for small in tuple(self.pool):
            for place, large in enumerate(self.pool):
                names, others = set(small.automaton.names), set(large.automaton.names)
                if large.automaton.transitions < _LARGE or not names < others or not self.bound & others:
                    continue
                both = operations.conjunction(large.automaton, small.automaton, self.budget)
                if both.transitions * _MUCH < large.automaton.transitions:
                    pair = sorted((large, small), key=lambda one: not one.guarded)
                    self.pool[place] = self.proof.claim("and", pair, both, self.guard)

    def _reduced(self, one: Proved) -> Proved:
        """Return a claim without what is negated of the same variables: that is small as long as no more are joined."""
        for negated in [each for each in self.negated if free(each[0]) == set(one.automaton.names)]:
            self.negated.remove(negated)
            one = self._without(one, *negated)
        return one

    def _rank(self, negated: tuple[Node, Collection[str]]) -> tuple[bool, int]:
        body, _ = negated
        return not free(body) <= set(self.pool[0].automaton.names), len(free(body))

    def _join(self) -> None:
        """Replace two by their conjunction: two that add the fewest tracks, and of these the smallest.

        Where that is large, a pair is taken that has the smallest conjunction, if it is much smaller: numbers that are
        determined by others add tracks, but few states.
        """
        needed = self._needed()
        pairs = sorted(((i, j) for j in range(len(self.pool)) for i in range(j)),
                       key=lambda each: self._cost(each[0], each[1], needed))
        (i, j), *others = pairs
        joined = operations.conjunction(self.pool[i].automaton, self.pool[j].automaton, self.budget)
        if joined.transitions > _LARGE_JOIN and others:
            tried = ((self._at_most(joined.transitions // _MUCH, *pair), pair) for pair in others)
            found = [(one, pair) for one, pair in tried if one is not None]
            joined, (i, j) = min(found, key=lambda each: each[0].transitions, default=(joined, (i, j)))
        pair = sorted((self.pool[i], self.pool[j]), key=lambda one: not one.guarded)
        self.pool = [one for place, one in enumerate(self.pool) if place not in (i, j)]
        self.pool.append(self.proof.claim("and", pair, joined, self.guard))

    def _cost(self, i: int, j: int, needed: set[str]) -> tuple[int, float]:
        """Return how many tracks a conjunction adds, and about how many transitions it has; needed: by the rest."""
        a, b = self.pool[i].automaton, self.pool[j].automaton
        both, shared = {*a.names, *b.names}, set(a.names) & set(b.names)
        outside = {name for k, other in enumerate(self.pool) if k not in (i, j) for name in other.automaton.names}
        outside |= needed
        letters = prod(len(track.digits) for track in a.tracks if track.name in shared)
        lost = (self.bound & both) - outside
        return len(both - lost) - max(len(a.names), len(b.names)), a.transitions * b.transitions / letters

    def _at_most(self, transitions: int, i: int, j: int) -> Dfa | None:
        """Return a conjunction; None if its product has more transitions."""
        budget = replace(self.budget, transitions=min(self.budget.transitions, transitions))
        try:
            return operations.conjunction(self.pool[i].automaton, self.pool[j].automaton, budget)
        except BudgetSpent as spent:
            if spent.resource != "transitions" or self.budget.transitions <= transitions:
                raise
            return None

    def _projected(self, one: Proved) -> Proved:
        """Return a claim without the bound variables that nothing else mentions."""
        others = {name for other in self.pool if other is not one for name in other.automaton.names} | self._needed()
        left = [name for name in one.automaton.names if name in self.bound and name not in others]
        while left:
            name = operations.cheapest_to_lose(one.automaton, left, self.budget) if len(left) > 1 else left[0]
            names, found = [name], self._unless_put_off(one.automaton, name)
            if found is None:
                break
            if len(left) > 1 and found.automaton.states > one.automaton.states:
                names, found = left, projected(one.automaton, left, self.budget)
            self.tables.written.work += found.sets
            left = [name for name in left if name not in names]
            one = self.proof.limits.projectable(one, names, self.guard)
            one = self.proof.claim("exists", [one], found.automaton, self.guard, bound=names, **found.line)
        return one

    def _unless_put_off(self, automaton: Dfa, name: str) -> Projection | None:
        """Return a projection; None if it grows, and something is left to be joined first, which may prevent that."""
        if len(self.pool) == 1:
            return projected(automaton, [name], self.budget)
        most = _GROWN * automaton.states + _SMALL
        try:
            found = projected(automaton, [name], replace(self.budget, states=min(self.budget.states, _TRIED * most)))
        except BudgetSpent as spent:
            if spent.resource != "states" or self.budget.states <= _TRIED * most:
                raise
            return None
        return found if found.automaton.states <= most else None

    def _is_dense(self, guard: Dfa) -> bool:
        """Return whether a guard accepts so many tuples that it would enlarge more than it excludes."""
        numbers = self.tables.atoms.all_valid(guard.names)
        return kernel_calls.count_words(guard, _LENGTH) * _DENSE > kernel_calls.count_words(numbers, _LENGTH)

    def _compared(self, first: Proved, atom: Linear) -> Proved:
        """Return the claim of first & atom, where the atom is proved under the guard that first is."""
        names = set(first.automaton.names)
        known = [one for one in self.known if one not in (atom, *self.sums) and names.issuperset(one.variables)]
        second = self.proof.sums.compared(atom, first.automaton, known)
        both = operations.conjunction(first.automaton, second.automaton, self.budget)
        return self.proof.claim("and", [first, second], both, self.guard)

    def _without(self, first: Proved, body: Node, needed: Collection[str]) -> Proved:
        """Return the claim of first & ~body, where the body is proved under the guard that first is."""
        missing = sorted(free(body) - set(first.automaton.names))
        if missing:
            more = self.proof.truth(missing)
            joined = operations.conjunction(first.automaton, more.automaton, self.budget)
            first = self.proof.claim("and", [first, more], joined, self.guard)
        automaton = first.automaton
        if kernel_calls.is_empty(automaton):
            second = self.tables.claim("any", [], automaton, automaton, formula=text_of_node(Negation(body)))
            return self.proof.claim("and", [first, second], automaton, self.guard)
        extra = [name for name in without_parameter(automaton.names) if name not in needed]
        inner = automaton if len(extra) < len(without_parameter(automaton.names)) else None
        if extra and inner is not None:
            inner = self.tables.made(families.without(inner, extra, self.budget), [inner], extra)
        if inner is not None and self._is_dense(inner):
            inner = None
        known = [one for one in self.known if inner is not None and set(one.variables) <= set(inner.names)]
        proved = self.proof.formula(body, inner, known)
        within = operations.conjunction(proved.automaton, automaton, self.budget)
        rest = families.difference(automaton, within, self.budget)
        second = self.tables.claim("not", [proved], rest, automaton)
        second = self.proof.limits.denied(second, automaton, within, automaton)
        return self.proof.claim("and", [first, second], second.automaton, self.guard)
