"""Evaluation of a block: E quantified . parts & ~(E .. negated) & ..., in an order that depends on sizes.

Parts are joined pairwise, the pair with the least estimated cost first.  A quantified variable is projected as soon as
no other part mentions it, unless the automaton becomes much larger by it.  A negated part is subtracted by a guarded
difference, and the guard is joined into the negated part as well; if the part says that there is no value other than
the known ones, a count is used instead.  An empty intermediate result ends the block.
docs/planning.md explains the rules.  `Witnesses` checks whether a count may replace a negated conjunct, and
`Projection` chooses the order in which several variables are projected.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from fibprover.automata import determinization, kernel_calls, operations
from fibprover.automata.dfa import Dfa
from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import Budget
from fibprover.base.values import replaced
from fibprover.prover.evaluate.atoms import Atoms
from fibprover.prover.evaluate.schedule import (
    WIDE,
    Pair,
    apart,
    cheapest_pair,
    defined_last,
    expected_cost,
    preferred_pair,
    wide_atoms,
)
from fibprover.prover.evaluate.trace import Recorder
from fibprover.prover.logic import Linear
from fibprover.prover.plan import rules, steps
from fibprover.prover.plan.conjunction import branches
from fibprover.prover.plan.counting import CountRewrite, count_rewrite
from fibprover.prover.plan.optimize import negated_linear
from fibprover.prover.plan.rules import Rules
from fibprover.prover.plan.steps import NegatedConjunct, Step, atom_text

#: A guard of more states is not projected to the variables of a negated part.
MOST_PROJECTED_GUARD = 2000

#: Bounds on the transitions of an automaton that joins the positive parts of a block, where there is a choice of
#: blocks: that of the first attempt, and the factor by which it grows.
MOST_JOINED = 30_000
MORE_JOINED = 8

#: A linear atom of five variables or more that has more transitions is joined without being built.
MOST_WIDE = 100_000


#: A projection that is not the last step of a block is put off if it leaves more transitions than LEAST_LARGER, and
#: more than this multiple of those that there were.
MOST_LARGER = 4
LEAST_LARGER = 1000

#: So is one whose subset construction makes more than this multiple of the transitions that there were, and more than
#: LEAST_GROWTH; how small its result would be is not known then.
MOST_TRIED = 4

#: A preferred product may have this many times the transitions of its factors together; else the cheapest one is made.
MOST_PRODUCT = 2


class _TooLarge(Exception):
    """The parts of a block cannot be joined within a bound."""


@dataclass(frozen=True, slots=True)
class Blocks:
    """Evaluates blocks by the enabled rules; `result` evaluates any other step."""

    result: Callable[[Step], Dfa]
    atoms: Atoms
    budget: Budget
    recorder: Recorder
    rules: Rules = rules.ALL

    def cheaper(self, choice: steps.Either) -> Dfa:
        """Return the minimal automaton of the block of a choice whose parts can be joined within a smaller bound.

        How large a product becomes is known only when it is built; estimates are too high by factors that differ too
        much.  So the blocks are tried in turn, each with a greater bound than the last time.  The plain one has the
        greater bound of the two, since its negated conjuncts are carried out on fewer tracks.
        """
        block, bound = choice.shared, MOST_JOINED
        while block is choice.shared or bound < self.budget.transitions:
            with self.recorder.attempt() as drop:
                try:
                    found = self.relation(block, min(bound, self.budget.transitions))
                    return self.atoms.cylindrify(found, choice.variables)
                except _TooLarge:
                    drop()
                    self.recorder.forget(block.quantified)
            block, bound = (choice.plain, bound * MORE_JOINED) if block is choice.shared else (choice.shared, bound)
        return self.atoms.cylindrify(self.relation(block), choice.variables)

    def relation(self, block: steps.Block, most: int | None = None) -> Dfa:
        """Return the minimal automaton of a block over its free variables.

        most: a bound on the transitions while the parts are joined, beyond which _TooLarge is raised.
        """
        quantified = set(block.quantified)
        if rules.JOIN_ORDER in self.rules:
            parts, negated = apart(quantified, block.parts, block.negated)
            block = replaced(block, parts=parts, negated=negated)
        needed = {name for part in block.negated for name in part.variables}
        gathered = self.gathered(block.parts, quantified - needed)
        if gathered is None:
            return self.nothing(block)
        pool, wide = gathered
        last = defined_last(block) if rules.JOIN_ORDER in self.rules else {}
        if last:
            # Equations that give free variables in terms of others are joined last; until then these
            # variables are projected like quantified ones.
            needed = {name for atom in last.values() for name in atom.variables} - set(last)
            hidden = (quantified - needed) | set(last)
            found = self.narrowed(pool, wide, block.negated, hidden, finish=True, most=most)
            if found is not None:
                found = self.defined(found, [self.atoms.atom(atom) for atom in last.values()], quantified)
        else:
            found = self.narrowed(pool, wide, block.negated, quantified, finish=True, most=most)
        if found is None:
            return self.nothing(block)
        return self.atoms.cylindrify(found, block.variables)

    def nothing(self, block: steps.Block) -> Dfa:
        """Return the empty relation of a block; words that its parts had alone are no evidence."""
        self.recorder.forget(block.quantified)
        return self.empty(block.variables)

    def defined(self, found: Dfa, equations: list[Dfa], quantified: set[str]) -> Dfa | None:
        """Return the conjunction with the equations joined one by one, each followed by the projections it allows."""
        while equations:
            equation = min(equations, key=lambda equation: expected_cost(found, equation))
            equations = [other for other in equations if other is not equation]
            later = {name for other in equations for name in other.names}
            found = self.joined([found, equation], quantified - later, finish=True) or operations.false()
        return found

    def gathered(self, parts: Sequence[Step], quantified: set[str]) -> tuple[list[Dfa], list[Linear]] | None:
        """Return the automata of the parts, and linear atoms too wide to be built; None as soon as a part is empty.

        quantified: variables that may be projected away where only one part mentions them.
        """
        wide: list[Linear] = []
        pool: list[Dfa] = []
        solved = self.solved(parts, quantified)
        if rules.JOIN_ORDER in self.rules:
            parts = [part for place, part in enumerate(parts) if place not in solved]
            # Atoms come first: they are cheap.
            parts = sorted(parts, key=lambda part: not isinstance(part, steps.Leaf | steps.Constant | steps.Valid))
            for atom in wide_atoms(parts):
                if not self.is_small(atom):
                    wide.append(atom)
        for automaton in solved.values():
            if self.ends(automaton):
                return None
            pool.append(automaton)
        for part in parts:
            if isinstance(part, steps.Leaf) and part.atom in wide:
                continue
            automaton = self.result(part)
            if self.ends(automaton):
                return None
            pool.append(automaton)
        return pool, wide

    def solved(self, parts: Sequence[Step], quantified: set[str]) -> dict[int, Dfa]:
        """Return the places of large equations, with what remains of each without the variables that only it mentions.

        An equation is among them only if its system knows how to do so without the automaton of the equation.
        """
        found: dict[int, Dfa] = {}
        if rules.JOIN_ORDER not in self.rules:
            return found
        uses = Counter(name for part in parts for name in part.variables)
        for place, part in enumerate(parts):
            lost = [name for name in part.variables if name in quantified and uses[name] == 1]
            atom = part.atom if isinstance(part, steps.Leaf) else None
            if not isinstance(atom, Linear) or atom.relation != "=" or not 0 < len(lost) < len(part.variables):
                continue
            kept = [name for name in atom.variables if name not in lost]
            of = dict(zip(atom.variables, atom.coefficients, strict=True))
            projected = self.atoms.system(atom.system).solvable(
                [of[name] for name in kept], [of[name] for name in lost], atom.constant, self.budget
            )
            if projected is not None:
                found[place] = projected.renamed(kept)
                self.recorder.note(f"[E {', '.join(lost)} . {atom_text(atom)}]", "exists", found[place])
        return found

    def is_small(self, atom: Linear) -> bool:
        """Return whether an atom's own automaton can be built within MOST_WIDE transitions."""
        if rules.JOIN_ORDER not in self.rules:
            return True
        bounded = replace(self.budget, transitions=min(self.budget.transitions, MOST_WIDE))
        try:
            replace(self.atoms, budget=bounded).atom(atom)
        except BudgetSpent as spent:
            if spent.resource != "transitions":
                raise
            return False
        return True

    def ends(self, automaton: Dfa) -> bool:
        """Return whether a part of a conjunction is empty, so that all of it is."""
        return rules.EMPTY_GUARD in self.rules and kernel_calls.is_empty(automaton)

    def narrowed(
        self, pool: list[Dfa], wide: list[Linear], negated: tuple[NegatedConjunct, ...], quantified: set[str],
        *, finish: bool, most: int | None = None,
    ) -> Dfa | None:
        """Return one automaton for the whole conjunction, or None if it is empty.

        finish: whether the last quantified variables are projected too, or left to the caller; most: as in `relation`.
        """
        pending = sorted(negated, key=_weight)
        needed = {name for part in pending for name in part.variables}
        ahead = {name for atom in wide for name in atom.variables}
        early = quantified - needed - ahead
        if most is None:
            guard = self.joined(pool, early, finish=finish, more=bool(pending or wide))
        else:
            guard = self.joined_within(most, pool, early, finish=finish, more=bool(pending or wide))
        if guard is not None and wide:
            guard = self.within(guard, wide, quantified - needed, finish=finish, more=bool(pending))
        if guard is None:
            return None
        while pending:
            part, *pending = pending
            guard = self.atoms.cylindrify(guard, part.variables)
            # If all variables are projected, the automaton is not built: only its emptiness matters.
            only_emptiness = finish and not pending and quantified.issuperset(guard.names)
            guard = self.without(guard, part, only_emptiness=only_emptiness)
            if self.ends(guard):
                return None
            needed = {name for other in pending for name in other.variables}
            guard = self.projected_early(guard, quantified - needed, finish=finish, more=bool(pending))
        return guard

    def within(
        self, guard: Dfa, wide: list[Linear], quantified: set[str], *, finish: bool, more: bool = False
    ) -> Dfa | None:
        """Return the guard joined with wide linear atoms, of which only the remainders that it allows are built.

        finish, more: as in `joined`.
        """
        for place, atom in enumerate(wide):
            guard = self.atoms.cylindrify(guard, atom.variables)
            joined = self.atoms.system(atom.system).join_linear
            guard = joined(guard, atom.coefficients, atom.variables, atom.relation, atom.constant, self.budget)
            self.recorder.note(f"[{atom_text(atom)}]", "join", guard)
            if self.ends(guard):
                return None
            later = {name for other in wide[place + 1 :] for name in other.variables}
            guard = self.projected_early(guard, quantified - later, finish=finish, more=more or place + 1 < len(wide))
        return guard

    def joined_within(
        self, most: int, pool: list[Dfa], quantified: set[str], *, finish: bool, more: bool
    ) -> Dfa | None:
        """Do as `joined`; raise _TooLarge if an automaton has more transitions than `most`, which the budget allows."""
        bounded = replace(self, budget=replace(self.budget, transitions=most))
        try:
            return bounded.joined(pool, quantified, finish=finish, more=more)
        except BudgetSpent as spent:
            if spent.resource != "transitions":
                raise
            raise _TooLarge from None

    def joined(self, pool: list[Dfa], quantified: set[str], *, finish: bool, more: bool = False) -> Dfa | None:
        """Return the conjunction of a pool with `quantified` projected away early; None if it is empty.

        Without `finish` the last automaton keeps its quantified variables.  more: other parts of the block follow, so
        that those variables of the last automaton are projected whose loss does not make it larger.
        """
        if rules.JOIN_ORDER not in self.rules:
            return self.joined_as_written(pool, quantified, finish=finish or more)
        pool = list(pool)
        late: set[str] = set()
        refused: list[Pair] = []
        while True:
            for index, automaton in enumerate(pool):
                elsewhere = {name for other in pool if other is not automaton for name in other.names}
                lonely = quantified - elsewhere - late
                if len(pool) == 1:
                    pool[0] = self.projected_early(automaton, lonely | late, finish=finish, more=more)
                else:
                    pool[index] = self.projected_early(automaton, lonely, finish=finish, more=True)
                late |= lonely.intersection(pool[index].names)
            if any(self.ends(automaton) for automaton in pool):
                return None
            pool = [automaton for automaton in pool if automaton.tracks or kernel_calls.is_empty(automaton)]
            if len(pool) <= 1:
                return pool[0] if pool else operations.true()
            if (finish or more) and len(pool) == 2 and all(quantified.issuperset(one.names) for one in pool):
                return self.meets(pool[0], pool[1], expected_cost(pool[0], pool[1]))
            first, second, both = self.next_product(pool, quantified, refused)
            pool = [automaton for automaton in pool if automaton is not first and automaton is not second]
            pool.append(both)

    def next_product(self, pool: list[Dfa], quantified: set[str], refused: list[Pair]) -> tuple[Dfa, Dfa, Dfa]:
        """Return two automata of a pool and their conjunction: that of a preferred pair if it is not too large.

        refused: pairs whose conjunction was too large before.
        """
        preferred = preferred_pair(pool, quantified, refused) if len(pool) > 2 else None
        if preferred is not None:
            most = max(LEAST_LARGER, MOST_PRODUCT * sum(factor.transitions for factor in preferred))
            if most < self.budget.transitions:
                try:
                    return self.product(*preferred, replace(self.budget, transitions=most))
                except BudgetSpent as spent:
                    if spent.resource != "transitions":
                        raise
                    refused.append(preferred)
        return self.product(*cheapest_pair(pool), self.budget)

    def product(self, first: Dfa, second: Dfa, budget: Budget) -> tuple[Dfa, Dfa, Dfa]:
        """Return two automata with their conjunction, which is recorded."""
        both = operations.conjunction(first, second, budget)
        self.recorder.note(f"[{', '.join(both.names)}]", "join", both, expected=expected_cost(first, second))
        return first, second, both

    def projected_early(self, automaton: Dfa, names: set[str], *, finish: bool, more: bool) -> Dfa:
        """Return the automaton with some variables projected away.

        more: other parts follow, so that variables whose loss makes the automaton much larger remain; else all of them
        are projected if `finish`, and none if not.
        """
        done = names.intersection(automaton.names)
        if not done or not (finish or more):
            return automaton
        if not more or rules.JOIN_ORDER not in self.rules:
            return self.projected(automaton, done)
        found = self.not_larger(automaton, done)
        if found is not None:
            return found
        if len(done) > 1:
            # The first one that cannot be lost ends it: the others are mostly no better, and each attempt costs.
            name = operations.cheapest_to_lose(automaton, done, self.budget)
            found = self.not_larger(automaton, {name})
            if found is not None:
                return self.projected_early(found, done - {name}, finish=finish, more=more)
        return automaton

    def not_larger(self, automaton: Dfa, names: Collection[str]) -> Dfa | None:
        """Return the automaton with some variables projected away; None if it is much larger than before.

        To project later costs little more in that case: the product of another part with the automaton as it is has
        fewer states than the one with the larger automaton, and the subsets of states that a projection of the former
        reaches are no more than the pairs of a subset of the automaton and a state of the other part.
        """
        if len(names) == len(automaton.tracks):
            return self.projected(automaton, names)
        bound = max(LEAST_GROWTH, MOST_TRIED * automaton.transitions)
        with self.recorder.attempt() as drop:
            found = Projection(self.budget, self.recorder).at_first(automaton, names, bound)
            if found is not None and found.transitions <= max(LEAST_LARGER, MOST_LARGER * automaton.transitions):
                return found
            drop()
        return None

    def meets(self, first: Dfa, second: Dfa, expected: float) -> Dfa | None:
        """Return true if the conjunction of two automata is not empty, else None; all its variables are projected."""
        empty = not self.recorder.meet(kernel_calls.join_word(first, second, self.budget))
        result = operations.false() if empty else operations.true()
        self.recorder.note("[nothing in common]" if empty else "[in common]", "meet", result, expected=expected)
        return None if self.ends(result) else result

    def joined_as_written(self, pool: list[Dfa], quantified: set[str], *, finish: bool) -> Dfa | None:
        """Return the conjunction of a pool from left to right; project its quantified variables last, all at once."""
        both = operations.true()
        for automaton in pool:
            both = operations.conjunction(both, automaton, self.budget)
            self.recorder.note(f"[{', '.join(both.names)}]", "join", both)
            if self.ends(both):
                return None
        done = quantified.intersection(both.names)
        return self.projected(both, done) if done and finish else both

    def projected(self, automaton: Dfa, names: Iterable[str]) -> Dfa:
        """Return the automaton with some variables projected away; without variables left, test for emptiness."""
        chosen = sorted(names)
        if len(chosen) == len(automaton.tracks):
            met = self.recorder.meet(kernel_calls.shortest_digits(automaton))
            return operations.true() if met else operations.false()
        projection = Projection(self.budget, self.recorder)
        if rules.JOIN_ORDER in self.rules:
            return projection.all_of(automaton, chosen)
        return projection.at_once(automaton, chosen, self.budget, chosen=False)

    def without(self, guard: Dfa, part: NegatedConjunct, *, only_emptiness: bool = False) -> Dfa:
        """Return guard & ~E quantified . body, by a count or branch by branch.

        only_emptiness: whether only its emptiness matters, so that true or false suffices.
        """
        known = count_rewrite(part) if rules.COUNTING in self.rules else None
        if known is not None:
            since = self.recorder.now()
            with self.recorder.parts():
                witnesses = Witnesses(self.atoms, self.budget, self.result(known.condition), known)
                more = self.result(known.others()) if witnesses.all_in(guard) else None
            if more is not None:
                result = self.subtract(guard, more, [], only_emptiness=only_emptiness)
                label = f"[no more than {len(known.tuples)}: {', '.join(guard.names)}]"
                self.recorder.note(label, "difference", result, since=since, expected=guard.transitions)
                return result
        *first, last = branches(part, self.rules)
        for branch in first:
            guard = self.without_branch(guard, branch)
            if self.ends(guard):
                return guard
        return self.without_branch(guard, last, only_emptiness=only_emptiness)

    def without_branch(self, guard: Dfa, part: NegatedConjunct, *, only_emptiness: bool = False) -> Dfa:
        """Return guard & ~E quantified . body, with the guard joined into the body if the body is a conjunction."""
        atom = part.body.atom if isinstance(part.body, steps.Leaf) and not part.quantified else None
        if isinstance(atom, Linear) and len(atom.variables) >= WIDE and not self.is_small(atom):
            return self.within(guard, [negated_linear(atom)], set(), finish=False) or self.empty(guard.names)
        since = self.recorder.now()
        with self.recorder.parts():
            body = self.restricted_negation(guard, part)
        if body is None or kernel_calls.is_empty(body):
            self.recorder.forget(part.quantified)
            result = guard
        else:
            quantified = [name for name in body.names if name not in guard.names]
            if not guard.tracks:  # this word is a counterexample to a closed formula
                self.recorder.meet(kernel_calls.shortest_digits(body))
            result = self.subtract(guard, body, quantified, only_emptiness=only_emptiness)
        self.recorder.note(
            f"[{', '.join(guard.names)}]", "difference", result, since=since, expected=guard.transitions
        )
        return result

    def restricted_negation(self, guard: Dfa, part: NegatedConjunct) -> Dfa | None:
        """Return the negated automaton, restricted to the guard if it is a conjunction; None if that is empty."""
        if not isinstance(part.body, steps.Block):
            solved = self.solved([part.body], set(part.quantified))
            return solved[0] if solved else self.result(part.body)
        quantified = {*part.quantified, *part.body.quantified}
        parts, negated = part.body.parts, part.body.negated
        if rules.JOIN_ORDER in self.rules:
            parts, negated = apart(quantified, parts, negated)
        needed = {name for other in negated for name in other.variables}
        gathered = self.gathered(parts, quantified - needed)
        if gathered is None:
            return None
        pool, wide = gathered
        projection = self.guard_projection(guard, part)
        pool = pool if projection is None else [projection, *pool]
        return self.narrowed(pool, wide, negated, quantified, finish=False)

    def subtract(self, guard: Dfa, body: Dfa, quantified: list[str], *, only_emptiness: bool) -> Dfa:
        """Return guard & ~E quantified . body; only_emptiness: return true or false, for whether it is not empty."""
        if rules.GUARDED_DIFFERENCE not in self.rules:
            if quantified:
                body = self.projected(body, quantified)
            rest = operations.complement(body, self.atoms.all_valid(sorted(body.names)), self.budget)
            self.recorder.note(f"[{', '.join(body.names)}]", "complement", rest)
            return operations.conjunction(guard, rest, self.budget)
        with self.recorder.parts():
            body, quantified = self.reduced(body, quantified)
        bound = Projection(self.budget, self.recorder).least_bound(body)
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
            bound = min(bound * FACTOR, largest)
            with self.recorder.parts():
                projected = Projection(self.budget, self.recorder).within(body, quantified, bound)
            if projected is not None:
                body, quantified = projected, []
        return self.difference(guard, body, quantified, self.budget, only_emptiness=only_emptiness)

    def difference(
        self, guard: Dfa, body: Dfa, quantified: list[str], budget: Budget, *, only_emptiness: bool
    ) -> Dfa:
        """Return guard & ~E quantified . body in one construction; only_emptiness: as in `subtract`."""
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
        projection = Projection(self.budget, self.recorder)
        projected = projection.at_first(body, quantified, projection.least_bound(body))
        return (body, quantified) if projected is None else (projected, [])

    def guard_projection(self, guard: Dfa, part: NegatedConjunct) -> Dfa | None:
        """Return the projection of a guard to the variables of a negated part.

        This is sound: A & ~B is A & ~(A' & B) for any A' that A implies.  None if the part has no free variables, or
        if the projection would cost too much.  Guards are passed from block to block inwards, so a guard with all
        its variables would grow at every level.
        """
        if rules.PUSH_GUARD not in self.rules:
            return None
        extra = [name for name in guard.names if name not in part.variables]
        if not extra:
            return guard
        if len(extra) == len(guard.names) or guard.states > MOST_PROJECTED_GUARD:
            return None
        if rules.JOIN_ORDER not in self.rules:
            return self.projected(guard, extra)
        return self.not_larger(guard, extra)

    def empty(self, names: tuple[str, ...]) -> Dfa:
        """Return the empty relation over some variables."""
        return operations.empty([self.atoms.sorts[name].track(name) for name in names])


def _weight(part: NegatedConjunct) -> tuple[int, int]:
    """Return a sort key for negated conjuncts: those without quantifiers first, then those of few variables."""
    return (len(part.quantified), len(part.body.variables))


@dataclass(frozen=True, slots=True)
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


# To project one variable at a time, with minimization after each, is mostly much cheaper than all at once, and to
# begin with the track whose loss leaves the fewest transitions is mostly the best order.  But another order may
# be a thousand times better, and only an attempt shows this.

#: The bound on the transitions of a first attempt: a multiple of those of the automaton, a least bound, and for
#: large automata a largest number beyond twice those of the automaton.
MOST_GROWTH = 16
LEAST_GROWTH = 20_000
MOST_BESIDE = 800_000

#: The factor by which the bound grows after every order has exceeded it.
FACTOR = 8


@dataclass(frozen=True, slots=True)
class Projection:
    """Projects variables within a budget, and records each projection."""

    budget: Budget
    recorder: Recorder

    def all_of(self, automaton: Dfa, names: Collection[str]) -> Dfa:
        """Return the automaton without these tracks; some track has to remain."""
        if len(names) == 1:
            return self.at_once(automaton, names, self.budget)
        bound = self.least_bound(automaton)
        attempt = self.at_first
        while bound < self.budget.transitions:
            found = attempt(automaton, names, bound)
            if found is not None:
                return found
            attempt = self.within
            bound *= FACTOR
        return self.one_by_one(automaton, names, self.budget, cheapest=True)

    def at_first(self, automaton: Dfa, names: Collection[str], bound: int) -> Dfa | None:
        """Do as `within`, long by subsets alone: most automata need nothing else, and this attempt may be given up."""
        with determinization.patient():
            return self.within(automaton, names, bound)

    def within(self, automaton: Dfa, names: Collection[str], bound: int) -> Dfa | None:
        """Return the automaton without these tracks if some order needs no more than `bound` transitions."""
        bounded = replace(self.budget, transitions=min(self.budget.transitions, bound))
        for cheapest in (True, False)[: len(names)]:
            with self.recorder.attempt() as drop:
                try:
                    return self.one_by_one(automaton, names, bounded, cheapest=cheapest)
                except BudgetSpent as spent:
                    if spent.resource != "transitions" or bound >= self.budget.transitions:
                        raise
                    drop()
        return None

    def least_bound(self, automaton: Dfa) -> int:
        """Return the bound of first attempts."""
        growth = min(MOST_GROWTH * automaton.transitions, 2 * automaton.transitions + MOST_BESIDE)
        return max(LEAST_GROWTH, growth)

    def one_by_one(self, automaton: Dfa, names: Collection[str], budget: Budget, *, cheapest: bool) -> Dfa:
        """Project one track after the other: each time the cheapest, or (not cheapest) the second cheapest of them."""
        left = set(names)
        while left:
            name = operations.cheapest_to_lose(automaton, left, budget)
            if not cheapest and len(left) > 1:
                name = operations.cheapest_to_lose(automaton, left - {name}, budget)
            left.remove(name)
            automaton = self.at_once(automaton, [name], budget)
        return automaton

    def at_once(self, automaton: Dfa, names: Collection[str], budget: Budget, *, chosen: bool = True) -> Dfa:
        """Project all of the tracks in one subset construction; chosen: whether sizes decided on this order."""
        expected = automaton.transitions if chosen else None
        result = operations.exists(automaton, names, budget)
        self.recorder.note(f"[without {', '.join(sorted(names))}]", "exists", result, expected=expected)
        return result
