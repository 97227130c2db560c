"""A long sum of independent terms is taken in steps: the rule `split-sums` (docs/planning.md).

In `E i,j,k,l . n=i+j+k+l & P(i) & Q(j) & R(k) & S(l)` nothing but the sum connects i, j, k and l.  So the numbers i+j
with P(i) and Q(j) are one set, which is made minimal before k is added, and so on; the relation of all five variables
is never built.  Published scripts do so by hand, with a predicate for each partial sum.

Terms that the sum alone connects are the classes of `steps.connected`, without the sum.  Each class is on one side of
the sum: its coefficients have one sign, so that its part of the sum is a natural number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fibprover.base.limits import poll
from fibprover.base.values import replaced
from fibprover.prover.environment import Sort
from fibprover.prover.logic import Linear
from fibprover.prover.lower import linear
from fibprover.prover.plan import steps
from fibprover.prover.plan.steps import NegatedConjunct, Step, connected
from fibprover.prover.plan.textbook import leaf

#: Sums of fewer variables are joined as they are; a sum is split until it has no more than LEFT.
LEAST = 5
LEFT = 3


def split_sums(root: Step, sorts: Mapping[str, Sort]) -> tuple[Step, Mapping[str, Sort]]:
    """Return a plan's step with its long sums split, and the sorts of its variables, the new ones among them."""
    split = _Splitting({**sorts})
    made = split.step(root)
    return (root, sorts) if made is root else (made, split.sorts)


@dataclass
class _Splitting:
    """One pass over a plan."""

    sorts: dict[str, Sort]
    made: int = field(default=0)

    def step(self, step: Step) -> Step:
        """Return a step with the long sums of its blocks split; the same step if there are none."""
        poll("a plan")
        if isinstance(step, steps.Constant | steps.Leaf | steps.Valid):
            return step
        before = self.made
        below = steps.map_children(step, self.step)
        step = step if self.made == before else below
        if not isinstance(step, steps.Block):
            return step
        negated = tuple(map(self.negation, step.negated))
        if any(one is not other for one, other in zip(negated, step.negated, strict=True)):
            step = replaced(step, negated=negated)
        return self.block(step)

    def block(self, block: steps.Block) -> steps.Block:
        """Return a block with its long sums split."""
        while (split := self.once(block)) is not None:
            block = split
        return block

    def negation(self, part: NegatedConjunct) -> NegatedConjunct:
        """Return a negated conjunct, which quantifies variables of the block below it, with its long sums split."""
        if not isinstance(part.body, steps.Block):
            return part
        whole = replaced(part.body, quantified=(*part.quantified, *part.body.quantified), variables=part.variables)
        split = self.block(whole)
        if split is whole:
            return part
        below = tuple(sorted({*split.variables, *split.quantified}))
        return NegatedConjunct(split.quantified, steps.Block((), split.parts, split.negated, below, split.label))

    def once(self, block: steps.Block) -> steps.Block | None:
        """Return a block with two terms of a long sum as one, None if no sum can be split."""
        for place, part in enumerate(block.parts):
            atom = part.atom if isinstance(part, steps.Leaf) else None
            if not isinstance(atom, Linear) or atom.relation != "=" or len(atom.variables) <= LEFT:
                continue
            if len(atom.variables) < LEAST and not any(name.startswith("'s") for name in atom.variables):
                continue
            others = (*block.parts[:place], *block.parts[place + 1 :])
            found = self.joined(block, atom, others)
            if found is not None:
                return found
        return None

    def joined(self, block: steps.Block, atom: Linear, others: tuple[Step, ...]) -> steps.Block | None:
        """Return the block with two independent terms of the same side of a sum as one, or one of several variables."""
        of = dict(zip(atom.variables, atom.coefficients, strict=True))
        independent = _independent(block, others)
        for sign in (1, -1):
            terms = [
                names for names in independent if (inside := [of[name] for name in names if name in of])
                and all(sign * coefficient > 0 for coefficient in inside)
            ]
            terms.sort(key=lambda names: (len(names), sorted(names)))
            if terms and len(terms[-1].intersection(of)) > 1:
                return self.replaced(block, atom, others, terms[-1], sign)
            if len(terms) >= 2:
                return self.replaced(block, atom, others, terms[0] | terms[1], sign)
        return None

    def replaced(
        self, block: steps.Block, atom: Linear, others: tuple[Step, ...], names: set[str], sign: int
    ) -> steps.Block:
        """Return the block with one new variable in place of the part of a sum that some variables have."""
        of = dict(zip(atom.variables, atom.coefficients, strict=True))
        own = {name: sign * of[name] for name in atom.variables if name in names}
        self.made += 1
        total = f"'s{self.made}"
        self.sorts[total] = self.sorts[next(iter(own))]
        part = _equation(atom.system, {total: -1, **own}, 0)
        inner = steps.Block(
            tuple(sorted(names)), (part, *(each for each in others if names & set(each.variables))),
            tuple(each for each in block.negated if names & set(each.variables)), (total,),
        )
        rest = {name: coefficient for name, coefficient in of.items() if name not in names}
        whole = _equation(atom.system, {**rest, total: sign}, atom.constant)
        quantified = (*(name for name in block.quantified if name not in names), total)
        parts = (whole, *(each for each in others if not names & set(each.variables)), inner)
        negated = tuple(each for each in block.negated if not names & set(each.variables))
        return steps.Block(quantified, parts, negated, block.variables, block.label)


def _independent(block: steps.Block, others: tuple[Step, ...]) -> list[set[str]]:
    """Return the classes of variables that are quantified in a block, and that only the sum connects with others."""
    quantified = set(block.quantified)
    parts: tuple[Step | NegatedConjunct, ...] = (*others, *block.negated)
    outside = {name for part in parts if not quantified.issuperset(part.variables) for name in part.variables}
    return [names for names in connected(quantified, others, block.negated) if not names & outside]


def _equation(system: str, coefficients: Mapping[str, int], constant: int) -> Step:
    """Return the step of an equation."""
    made = linear(system, coefficients, constant, "=")
    assert isinstance(made, Linear)
    return leaf(made)
