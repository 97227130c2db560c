"""Evaluates a block: E quantified . parts & ~(E .. excluded) & ..., in an order of its own.

Parts are joined pairwise, the cheapest estimated pair first; a quantified variable is projected as
soon as nothing else mentions it; a negated part is taken away from what is left by a guarded
difference, with that guard joined into the negated conjunction as well.  An empty intermediate
result ends the block (DESIGN section 4, rules 2, 3, 4, 5).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import prod

from fibprover.automata import kernels, operations
from fibprover.automata.dfa import Dfa
from fibprover.evaluate.leaves import Leaves
from fibprover.evaluate.trace import Recorder
from fibprover.limits import Budget
from fibprover.plan import steps
from fibprover.plan.steps import Excluded, Step

#: A guard of more states is not projected to the variables of an excluded part.
MOST_SHADOWED = 2000


@dataclass(frozen=True, slots=True)
class Blocks:
    """Evaluates blocks; `result` evaluates any other step."""

    result: Callable[[Step], Dfa]
    leaves: Leaves
    budget: Budget
    recorder: Recorder

    def relation(self, block: steps.Block) -> Dfa:
        """The minimal automaton of a block over its free variables."""
        pool = self.parts(block.parts)
        if pool is None:
            return self.empty(block.variables)
        left = self.narrowed(pool, block.excluded, set(block.quantified), finish=True)
        if left is None:
            return self.empty(block.variables)
        return self.leaves.cover(left, block.variables)

    def parts(self, parts: Iterable[Step]) -> list[Dfa] | None:
        """The automata of the parts; None as soon as one is empty.  Atoms come first: they are cheap."""
        pool: list[Dfa] = []
        for part in sorted(parts, key=lambda part: not isinstance(part, steps.Leaf | steps.Constant | steps.Valid)):
            automaton = self.result(part)
            if kernels.is_empty(automaton):
                return None
            pool.append(automaton)
        return pool

    def narrowed(
        self, pool: list[Dfa], excluded: tuple[Excluded, ...], quantified: set[str], *, finish: bool
    ) -> Dfa | None:
        """One automaton for the whole conjunction, or None if it is empty.

        finish: whether the last quantified variables are projected too, or left to the caller.
        """
        pending = sorted(excluded, key=_weight)
        needed = {name for part in pending for name in part.variables}
        guard = self.joined(pool, quantified - needed, finish=finish or bool(pending))
        if guard is None:
            return None
        while pending:
            part, *pending = pending
            guard = self.without(self.leaves.cover(guard, part.variables), part)
            if kernels.is_empty(guard):
                return None
            needed = {name for other in pending for name in other.variables}
            done = (quantified - needed).intersection(guard.names)
            if done and (finish or pending):
                guard = self.projected(guard, done)
        return guard

    def joined(self, pool: list[Dfa], quantified: set[str], *, finish: bool) -> Dfa | None:
        """The conjunction of a pool with `quantified` projected away early; None if it is empty.

        Without `finish` the last automaton keeps the quantified variables it has.
        """
        pool = list(pool)
        while True:
            for index, automaton in enumerate(pool):
                if len(pool) == 1 and not finish:
                    break
                elsewhere = {name for other in pool if other is not automaton for name in other.names}
                lonely = quantified.intersection(automaton.names) - elsewhere
                if lonely:
                    pool[index] = self.projected(automaton, lonely)
            pool = [automaton for automaton in pool if automaton.tracks or kernels.is_empty(automaton)]
            if any(kernels.is_empty(automaton) for automaton in pool):
                return None
            if len(pool) <= 1:
                return pool[0] if pool else operations.true()
            first, second = cheapest_pair(pool)
            both = operations.conjunction(first, second, self.budget)
            self.recorder.note(f"[{', '.join(both.names)}]", "join", both)
            pool = [automaton for automaton in pool if automaton is not first and automaton is not second]
            pool.append(both)

    def projected(self, automaton: Dfa, names: Iterable[str]) -> Dfa:
        """The automaton with some variables projected away; all of them at once is emptiness."""
        chosen = sorted(names)
        if len(chosen) == len(automaton.tracks):
            return operations.false() if kernels.is_empty(automaton) else operations.true()
        result = operations.exists(automaton, chosen, self.budget)
        self.recorder.note(f"[without {', '.join(chosen)}]", "exists", result)
        return result

    def without(self, guard: Dfa, part: Excluded) -> Dfa:
        """guard & ~E quantified . body, the guard joined into the body where that is a conjunction."""
        body: Dfa | None
        if isinstance(part.body, steps.Block):
            pool = self.parts(part.body.parts)
            if pool is not None:
                shadow = self.shadow(guard, part)
                pool = pool if shadow is None else [shadow, *pool]
                body = self.narrowed(pool, part.body.excluded, set(part.quantified), finish=False)
            else:
                body = None
        else:
            body = self.result(part.body)
        if body is None or kernels.is_empty(body):
            return guard
        quantified_left = [name for name in body.names if name not in guard.names]
        if quantified_left:
            raw = kernels.guarded_difference(guard, body, quantified_left, self.budget)
        else:
            raw = kernels.difference(guard, body, self.budget)
        result = kernels.minimize(raw, self.budget)
        self.recorder.note(f"[{', '.join(guard.names)}]", "difference", result)
        return result

    def shadow(self, guard: Dfa, part: Excluded) -> Dfa | None:
        """What a guard says of the variables of an excluded part: A & ~B is A & ~(A' & B) for any A' that A implies.

        None where the part has no free variables, or a projection to them would cost too much.  Guards
        are handed down from block to block, so one with all its variables would grow at every level.
        """
        extra = [name for name in guard.names if name not in part.variables]
        if not extra:
            return guard
        if len(extra) == len(guard.names) or guard.states > MOST_SHADOWED:
            return None
        return self.projected(guard, extra)

    def empty(self, names: tuple[str, ...]) -> Dfa:
        """The empty relation over some variables."""
        return operations.empty([self.leaves.kinds[name].track(name) for name in names])


def _weight(part: Excluded) -> tuple[int, int]:
    """Cheap exclusions first: those without quantifiers, then those of few variables."""
    return (len(part.quantified), len(part.body.variables))


def cheapest_pair(pool: list[Dfa]) -> tuple[Dfa, Dfa]:
    """The two automata whose product is expected to be the smallest."""
    pairs = ((first, second) for i, first in enumerate(pool) for second in pool[i + 1 :])
    return min(pairs, key=lambda pair: expected_cost(*pair))


def expected_cost(first: Dfa, second: Dfa) -> float:
    """Transitions expected in a product: pairs of states times letters that agree on shared tracks."""
    shared = set(first.names) & set(second.names)
    agreeing = prod(len(track.digits) for track in first.tracks if track.name in shared)
    rows = (first.transitions / first.states + 1) * (second.transitions / second.states + 1)
    product = first.states * second.states * max(1.0, rows / agreeing)
    return product if shared else product * 1e6
