"""Conjunctions under construction, each of which becomes one block or a union of blocks.

A block is `E quantified . parts & ~(E .. negated) & ...`.  A block within a conjunction is merged into it, a
quantifier is distributed over the disjunctions in its scope, and each branch of a negated disjunction is negated
separately.  These are the rules `normal-form` and `guarded-difference` (docs/planning.md).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product
from math import prod

from fibprover.base.limits import polled
from fibprover.prover.plan import rules, steps
from fibprover.prover.plan.counting import count_rewrite, counted_copies
from fibprover.prover.plan.rules import Rules
from fibprover.prover.plan.steps import NegatedConjunct, Step, merged

#: A conjunction with disjunctions inside is multiplied out only up to this many branches.
MOST_BRANCHES = 8


@dataclass
class Conjunction:
    """A conjunction under construction, to which the enabled rules are applied."""

    rules: Rules = rules.ALL
    quantified: list[str] = field(default_factory=list)
    parts: list[Step] = field(default_factory=list)
    negated: list[NegatedConjunct] = field(default_factory=list)
    false: bool = False

    def add_negated(self, quantified: tuple[str, ...], body: Step) -> None:
        """Add ~E quantified . body, branch by branch where the body is a disjunction."""
        if isinstance(body, steps.Constant):
            self.false |= body.value
            return
        if rules.NORMAL_FORM not in self.rules:
            self.negated.append(NegatedConjunct(tuple(name for name in quantified if name in body.variables), body))
            return
        if isinstance(body, steps.Union):
            for part in body.parts:
                self.add_negated(quantified, part)
            return
        if isinstance(body, steps.Block):
            # E x . E y . (parts) is E x,y . (parts): the guarded difference can take all of them at once.
            quantified = (*quantified, *body.quantified)
            inner = tuple(sorted({*body.variables, *body.quantified}))
            body = simplest(steps.Block((), body.parts, body.negated, inner))
        whole = NegatedConjunct(tuple(name for name in quantified if name in body.variables), body)
        if rules.COUNTING in self.rules and count_rewrite(whole):
            # One count may replace all branches together; otherwise `branches` separates them.
            self.negated.append(whole)
        else:
            for branch in branches(whole, self.rules):
                if isinstance(branch.body, steps.Constant):
                    self.false |= branch.body.value
                else:
                    self.negated.append(branch)

    def step(self, label: str) -> Step:
        """Return the finished conjunction, multiplied out over disjunctions that its quantifiers reach."""
        if self.false:
            return steps.Constant(False, label)
        if any(isinstance(part, steps.Constant) and not part.value for part in self.parts):
            return steps.Constant(False, label)
        parts = flattened(self.parts)
        if rules.NORMAL_FORM not in self.rules:
            return self.one(parts, label)
        multiplied = multiplied_out(parts, lambda part: bool(set(part.variables) & set(self.quantified)))
        if len(multiplied) == 1:
            return self.one(parts, label)
        return union_of([self.one(branch, "") for branch in multiplied], label)

    def one(self, parts: list[Step], label: str) -> Step:
        """Return one block, or an equivalent simpler step."""
        parts, quantified, negated = _absorbed(parts, list(self.quantified), list(self.negated))
        bound = {name for part in parts for name in part.variables}
        restricted = {name for part in parts if not isinstance(part, steps.Valid) for name in part.variables}
        parts = [part for part in parts if not (isinstance(part, steps.Valid) and restricted >= set(part.variables))]
        bound |= {name for part in negated for name in part.variables}
        kept = tuple(name for name in dict.fromkeys(quantified) if name in bound)
        variables = tuple(sorted(bound - set(kept)))
        block = steps.Block(kept, tuple(parts), tuple(negated), variables, label)
        return counted_copies(block) if rules.COUNTING in self.rules and negated else simplest(block)


def branches(whole: NegatedConjunct, enabled_rules: Rules = rules.ALL) -> list[NegatedConjunct]:
    """Return the negated conjuncts into which a negated disjunction is divided, one for each branch."""
    body = whole.body
    if not isinstance(body, steps.Block):
        return [whole]
    multiplied = multiplied_out(list(body.parts), lambda part: True)
    if len(multiplied) == 1:
        return [whole]
    made = Conjunction(enabled_rules)
    for parts in multiplied:
        branch = Conjunction(enabled_rules, list(body.quantified), parts, list(body.negated)).one(parts, "")
        made.add_negated(whole.quantified, branch)
    return [NegatedConjunct((), steps.Constant(True))] if made.false else made.negated


def _absorbed(
    parts: list[Step], quantified: list[str], negated: list[NegatedConjunct]
) -> tuple[list[Step], list[str], list[NegatedConjunct]]:
    """Merge the blocks among the parts into the outer conjunction; this is sound since their variables differ."""
    flat: list[Step] = []
    for part in parts:
        if isinstance(part, steps.Block):
            quantified += part.quantified
            negated += part.negated
            flat += part.parts
        else:
            flat.append(part)
    return flat, quantified, negated


def flattened(parts: list[Step]) -> list[Step]:
    """Return the parts without true constants."""
    return [part for part in parts if not (isinstance(part, steps.Constant) and part.value)]


def simplest(block: steps.Block) -> Step:
    """Return true for an empty block, the part for a block of a single part without variables, else the block."""
    if not block.parts and not block.negated:
        return steps.Constant(True, block.label)
    if len(block.parts) == 1 and not block.negated and not block.quantified:
        return block.parts[0]
    return block


def multiplied_out(parts: list[Step], chosen: Callable[[Step], bool]) -> list[list[Step]]:
    """Return conjunctions whose disjunction is the conjunction of `parts`, multiplied out over the chosen disjunctions.

    The result is one conjunction, unchanged, if no disjunction is chosen or there would be over MOST_BRANCHES.
    """
    unions = [part for part in parts if isinstance(part, steps.Union) and chosen(part)]
    if not unions or prod(len(union.parts) for union in unions) > MOST_BRANCHES:
        return [parts]
    rest = [part for part in parts if not any(part is union for union in unions)]
    return [flattened([*rest, *choice]) for choice in polled(product(*(union.parts for union in unions)), "a plan")]


def alternatives(count: steps.AtLeast, enabled_rules: Rules = rules.ALL) -> list[Step]:
    """Return conditions whose disjunction is the condition of a count, multiplied out over its disjunctions."""
    counted = set(count.quantified)
    found: list[Step] = []
    for part in count.body.parts if isinstance(count.body, steps.Union) else (count.body,):
        parts = part.parts if isinstance(part, steps.Block) else (part,)
        multiplied = multiplied_out(list(parts), lambda one: bool(set(one.variables) & counted))
        if not isinstance(part, steps.Block) or len(multiplied) == 1:
            found.append(part)
            continue
        for branch in multiplied:
            found.append(Conjunction(enabled_rules, list(part.quantified), branch, list(part.negated)).one(branch, ""))
    return found if len(found) <= MOST_BRANCHES else [count.body]


def union_of(parts: list[Step], label: str) -> Step:
    """Return a disjunction, flattened; constants folded."""
    flat: list[Step] = []
    for part in parts:
        if isinstance(part, steps.Union):
            flat.extend(part.parts)
        elif isinstance(part, steps.Constant):
            if part.value:
                return steps.Constant(True, label)
        else:
            flat.append(part)
    unique = list(dict.fromkeys(flat))
    if not unique:
        return steps.Constant(False, label)
    if len(unique) == 1:
        return unique[0]
    return steps.Union(tuple(unique), merged(*unique), label)
