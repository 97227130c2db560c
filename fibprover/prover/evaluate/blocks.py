"""Evaluation of a block: E quantified . parts & ~(E .. negated) & ..., in an order that depends on sizes.

The positive parts are joined (`joining`), with variables projected on the way (`projection`).  A negated part is
subtracted by a guarded difference (`subtraction`), and the guard is joined into the negated part as well; if the part
says that there is no value other than the known ones, a count is used instead (`witnesses`).  An empty intermediate
result ends the block.  docs/planning.md explains the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from fibprover.automata import kernel_calls, operations
from fibprover.automata.dfa import Dfa
from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import Budget
from fibprover.base.values import replaced, value
from fibprover.prover.evaluate.atoms import Atoms
from fibprover.prover.evaluate.joining import Joining
from fibprover.prover.evaluate.projection import Projection
from fibprover.prover.evaluate.schedule import WIDE, apart, defined_last, expected_cost, inner, wide_atoms
from fibprover.prover.evaluate.subtraction import Subtraction
from fibprover.prover.evaluate.trace import Recorder
from fibprover.prover.evaluate.witnesses import Witnesses
from fibprover.prover.logic import Linear, negated_linear
from fibprover.prover.plan import rules, steps
from fibprover.prover.plan.conjunction import branches
from fibprover.prover.plan.counting import count_rewrite
from fibprover.prover.plan.rules import Rules
from fibprover.prover.plan.steps import NegatedConjunct, Step, atom_text

#: Do not project a guard of more states to the variables of a negated part.
MOST_GUARD_STATES = 2000

#: Where there is a choice of blocks, bound the transitions of an automaton that joins the positive parts: by
#: CHOICE_FIRST in the first attempt, and by CHOICE_FACTOR times as many in each further one.
CHOICE_FIRST = 30_000
CHOICE_FACTOR = 8

#: Where some variables of a block may have blocks of their own, bound the transitions of each automaton by TURNS_FIRST
#: in the first attempt without and with them, and by CHOICE_FACTOR times as many in the next ones, as far as the user
#: allows.
TURNS_FIRST = 1 << 18

#: Join a linear atom of WIDE variables or more without building it if it has more transitions.
MOST_WIDE = 100_000


class _TooLarge(Exception):
    """The parts of a block cannot be joined within a bound on transitions."""

    resource = "transitions"


@value
class Blocks:
    """Evaluates blocks by the enabled rules.

    result: evaluates any other step; within_budget: returns an evaluator with another budget.
    """

    result: Callable[[Step], Dfa]
    within_budget: Callable[[Budget], Blocks]
    atoms: Atoms
    budget: Budget
    recorder: Recorder
    rules: Rules = rules.ALL

    @property
    def projection(self) -> Projection:
        """The projection of variables, within the same budget."""
        return Projection(self.budget, self.recorder, self.rules)

    @property
    def joining(self) -> Joining:
        """The conjunction of automata, within the same budget."""
        return Joining(self.budget, self.recorder, self.rules)

    @property
    def subtraction(self) -> Subtraction:
        """The difference of automata, within the same budget."""
        return Subtraction(self.atoms, self.budget, self.recorder, self.rules)

    def cheaper(self, choice: steps.Either) -> Dfa:
        """Return the minimal automaton of the block of a choice whose parts can be joined within a smaller bound.

        How large a product becomes is known only when it is built; estimates are too high by factors that differ too
        much.  So the blocks are tried in turn, each with a greater bound than the last time.  The plain one has the
        greater bound of the two, since its negated conjuncts are carried out on fewer tracks.
        """
        block, bound = choice.shared, CHOICE_FIRST
        while block is choice.shared or bound < self.budget.transitions:
            with self.recorder.attempt() as drop:
                try:
                    found = self.relation(block, min(bound, self.budget.transitions))
                    return self.atoms.cylindrify(found, choice.variables)
                except _TooLarge:
                    drop()
                    self.recorder.forget(block.quantified)
            block, bound = (choice.plain, bound * CHOICE_FACTOR) if block is choice.shared else (choice.shared, bound)
        return self.atoms.cylindrify(self.relation(block), choice.variables)

    def relation(self, block: steps.Block, most: int | None = None) -> Dfa:
        """Return the minimal automaton of a block over its free variables.

        most: a bound on the transitions while the parts are joined, beyond which _TooLarge is raised.
        """
        found = self.in_turns(self.pieces(block), Blocks.conjunction, most)
        return self.nothing(block) if found is None else self.atoms.cylindrify(found, block.variables)

    def pieces(self, block: steps.Block) -> steps.Block:
        """Return a block with its independent parts in blocks of their own."""
        if rules.JOIN_ORDER not in self.rules:
            return block
        parts, negated = apart(set(block.quantified), block.parts, block.negated)
        return replaced(block, parts=parts, negated=negated)

    def in_turns(
        self, block: steps.Block, carried_out: Callable[[Blocks, steps.Block, int | None], Dfa | None],
        most: int | None = None,
    ) -> Dfa | None:
        """Return what `carried_out` returns for a block, or for the same block with others inside (`inner`).

        A block inside is not restricted by the parts outside, but its variables are projected before these are joined.
        Which of the two is cheaper is not known before; so they are tried in turn, each with a greater bound than the
        last time, first the block as it is.  One that does not keep to the limits of the user is left to the other.
        most: as in `relation`.
        """
        names = set(block.quantified)
        divided = inner(names, block.parts, block.negated) if rules.JOIN_ORDER in self.rules else None
        ways = [block]
        if divided is not None:
            ways.append(replaced(block, parts=divided[0], negated=divided[1]))
        bound, largest = TURNS_FIRST, self.budget.transitions if most is None else min(most, self.budget.transitions)
        while len(ways) > 1:
            whole = bound >= largest
            blocks = self if whole else self.within_budget(replace(self.budget, transitions=bound))
            for each in ways:
                with self.recorder.attempt() as drop:
                    try:
                        return carried_out(blocks, each, most if whole else None)
                    except (BudgetSpent, _TooLarge) as spent:
                        resource = spent.resource
                        if resource not in ("transitions", "states"):
                            raise
                        drop()
                        self.recorder.forget(names)
                if whole or resource == "states":
                    ways = [way for way in ways if way is not each]
                    break
            bound *= CHOICE_FACTOR
        return carried_out(self, ways[0], most)

    def conjunction(self, block: steps.Block, most: int | None = None) -> Dfa | None:
        """Return the automaton of a block without the variables that it does not restrict; None if it is empty.

        most: as in `relation`.
        """
        gathered, quantified = self.gathered(block), set(block.quantified)
        if gathered is None:
            return None
        pool, wide = gathered
        last = defined_last(block) if rules.JOIN_ORDER in self.rules else {}
        if not last:
            return self.narrowed(pool, wide, block.negated, quantified, finish=True, most=most)
        # Equations that give free variables in terms of others are joined last; until then these
        # variables are projected like quantified ones.
        needed = {name for atom in last.values() for name in atom.variables} - set(last)
        hidden = (quantified - needed) | set(last)
        found = self.narrowed(pool, wide, block.negated, hidden, finish=True, most=most)
        if found is None:
            return None
        return self.defined(found, [self.atoms.atom(atom) for atom in last.values()], quantified)

    def nothing(self, block: steps.Block) -> Dfa:
        """Return the empty relation of a block; discard the parts' own witnesses, which do not witness the block."""
        self.recorder.forget(block.quantified)
        return self.empty(block.variables)

    def defined(self, found: Dfa, equations: list[Dfa], quantified: set[str]) -> Dfa | None:
        """Return the conjunction with the equations joined one by one, each followed by the projections it allows."""
        while equations:
            equation = min(equations, key=lambda equation: expected_cost(found, equation))
            equations = [other for other in equations if other is not equation]
            later = {name for other in equations for name in other.names}
            found = self.joining.joined([found, equation], quantified - later, finish=True) or operations.false()
        return found

    def gathered(self, block: steps.Block) -> tuple[list[Dfa], list[Linear]] | None:
        """Return the automata of the parts, and linear atoms too wide to be built; None as soon as a part is empty.

        Variables that no negated conjunct needs may be projected away where only one part mentions them.
        """
        wide: list[Linear] = []
        pool: list[Dfa] = []
        needed = {name for part in block.negated for name in part.variables}
        parts: Sequence[Step] = block.parts
        solved = self.solved(parts, set(block.quantified) - needed)
        if rules.JOIN_ORDER in self.rules:
            parts = [part for place, part in enumerate(parts) if place not in solved]
            # Atoms come first: they are cheap.
            parts = sorted(parts, key=lambda part: not isinstance(part, steps.Leaf | steps.Constant | steps.Valid))
            for atom in wide_atoms(parts):
                if not self.is_small(atom):
                    wide.append(atom)
        for automaton in solved.values():
            if self.joining.ends(automaton):
                return None
            pool.append(automaton)
        for part in parts:
            if isinstance(part, steps.Leaf) and part.atom in wide:
                continue
            automaton = self.result(part)
            if self.joining.ends(automaton):
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
            replaced(self.atoms, budget=bounded).atom(atom)
        except BudgetSpent as spent:
            if spent.resource != "transitions":
                raise
            return False
        return True

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
            guard = self.joining.joined(pool, early, finish=finish, more=bool(pending or wide))
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
            if self.joining.ends(guard):
                return None
            needed = {name for other in pending for name in other.variables}
            guard = self.joining.projected_early(guard, quantified - needed, finish=finish, more=bool(pending))
        return guard

    def within(
        self, guard: Dfa, wide: list[Linear], quantified: set[str], *, finish: bool, more: bool = False
    ) -> Dfa | None:
        """Return the guard joined with wide linear atoms, of which only the remainders that it allows are built.

        finish, more: as in `Joining.joined`.
        """
        for place, atom in enumerate(wide):
            guard = self.atoms.cylindrify(guard, atom.variables)
            joined = self.atoms.system(atom.system).join_linear
            guard = joined(guard, atom.coefficients, atom.variables, atom.relation, atom.constant, self.budget)
            self.recorder.note(f"[{atom_text(atom)}]", "join", guard)
            if self.joining.ends(guard):
                return None
            later = {name for other in wide[place + 1 :] for name in other.variables}
            follow = more or place + 1 < len(wide)
            guard = self.joining.projected_early(guard, quantified - later, finish=finish, more=follow)
        return guard

    def joined_within(
        self, most: int, pool: list[Dfa], quantified: set[str], *, finish: bool, more: bool
    ) -> Dfa | None:
        """Do as `Joining.joined`, but raise _TooLarge if an automaton has more transitions than `most`.

        The budget has to allow `most`.
        """
        bounded = replace(self.budget, transitions=most)
        try:
            return Joining(bounded, self.recorder, self.rules).joined(pool, quantified, finish=finish, more=more)
        except BudgetSpent as spent:
            if spent.resource != "transitions":
                raise
            raise _TooLarge from None

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
                result = self.subtraction.subtract(guard, more, [], only_emptiness=only_emptiness)
                label = f"[no more than {len(known.tuples)}: {', '.join(guard.names)}]"
                self.recorder.note(label, "difference", result, since=since, expected=guard.transitions)
                return result
        *first, last = branches(part, self.rules)
        for branch in first:
            guard = self.without_branch(guard, branch)
            if self.joining.ends(guard):
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
            result = self.subtraction.subtract(guard, body, quantified, only_emptiness=only_emptiness)
        self.recorder.note(
            f"[{', '.join(guard.names)}]", "difference", result, since=since, expected=guard.transitions
        )
        return result

    def restricted_negation(self, guard: Dfa, part: NegatedConjunct) -> Dfa | None:
        """Return the negated automaton, restricted to the guard if it is a conjunction; None if that is empty."""
        if not isinstance(part.body, steps.Block):
            solved = self.solved([part.body], set(part.quantified))
            return solved[0] if solved else self.result(part.body)
        projection = self.guard_projection(guard, part)
        free = tuple(name for name in part.body.variables if name not in part.quantified)
        block = self.pieces(replaced(part.body, quantified=(*part.quantified, *part.body.quantified), variables=free))

        def restricted(blocks: Blocks, block: steps.Block, most: int | None) -> Dfa | None:
            gathered = blocks.gathered(block)
            if gathered is None:
                return None
            pool, wide = gathered
            pool = pool if projection is None else [projection, *pool]
            return blocks.narrowed(pool, wide, block.negated, set(block.quantified), finish=False, most=most)

        return self.in_turns(block, restricted)

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
        if len(extra) == len(guard.names) or guard.states > MOST_GUARD_STATES:
            return None
        if rules.JOIN_ORDER not in self.rules:
            return self.projection.projected(guard, extra)
        return self.projection.not_larger(guard, extra)

    def empty(self, names: tuple[str, ...]) -> Dfa:
        """Return the empty relation over some variables."""
        return operations.empty([self.atoms.sorts[name].track(name) for name in names])


def _weight(part: NegatedConjunct) -> tuple[int, int]:
    """Return a sort key for negated conjuncts: those without quantifiers first, then those of few variables."""
    return (len(part.quantified), len(part.body.variables))
