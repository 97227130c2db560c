"""The optimized plan: conjunctions as unordered blocks, negations as guarded differences.

Every formula is brought to unions of blocks `E x . parts & ~(E y . excluded) & ...`, so that
double negations vanish, a negation is carried out only inside what its neighbours allow, and the
evaluator is free to order a conjunction by sizes (DESIGN section 4, rules 1, 2, 4, 7).  Each
`collect_*` case is one rewrite of one connective under one sign.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product
from math import prod

from fibprover.plan import logic, steps
from fibprover.plan.logic import Logic, Scoped
from fibprover.plan.rewrite import without_equivalences
from fibprover.plan.steps import Excluded, Plan, Step
from fibprover.plan.textbook import OPERATORS, at_least, leaf, merged, textbook

#: A conjunction with disjunctions inside is multiplied out only up to this many branches.
MOST_BRANCHES = 8


def optimized(scoped: Scoped) -> Plan:
    """The plan in blocks; same language as the textbook plan.

    Words over plain alphabets are read in step with everything else in their conjunction, so that
    the order of joins and projections matters; formulas with such variables keep the textbook plan.
    """
    if any(not kind.system for kind in scoped.kinds.values()):
        return textbook(scoped)
    scoped = without_equivalences(scoped)
    return Plan(step_of(scoped.logic), scoped.kinds, scoped.free, "optimized")


def step_of(node: Logic) -> Step:
    """The step of a formula."""
    block = _Block()
    collect(node, block)
    return block.step(node.label)


@dataclass
class _Block:
    """A conjunction under construction."""

    quantified: list[str] = field(default_factory=list)
    parts: list[Step] = field(default_factory=list)
    excluded: list[Excluded] = field(default_factory=list)
    false: bool = False

    def exclude(self, quantified: tuple[str, ...], body: Step) -> None:
        """Adds ~E quantified . body, branch by branch where the body is a disjunction."""
        if isinstance(body, steps.Constant):
            self.false |= body.value
            return
        if isinstance(body, steps.Union):
            for part in body.parts:
                self.exclude(quantified, part)
            return
        if isinstance(body, steps.Block):
            branches = multiplied_out(list(body.parts), lambda part: True)
            if len(branches) > 1:
                for parts in branches:
                    branch = _Block(list(body.quantified), parts, list(body.excluded))
                    self.exclude(quantified, branch.one(parts, ""))
                return
            # E x . E y . (parts) is E x,y . (parts): the guarded difference can take all of them at once.
            quantified = (*quantified, *body.quantified)
            inner = tuple(sorted({*body.variables, *body.quantified}))
            body = _simplest(steps.Block((), body.parts, body.excluded, inner))
        self.excluded.append(Excluded(tuple(name for name in quantified if name in body.variables), body))

    def step(self, label: str) -> Step:
        """The finished conjunction, multiplied out over disjunctions that its quantifiers reach."""
        if self.false:
            return steps.Constant(False, label)
        if any(isinstance(part, steps.Constant) and not part.value for part in self.parts):
            return steps.Constant(False, label)
        parts = flattened(self.parts)
        branches = multiplied_out(parts, lambda part: bool(set(part.variables) & set(self.quantified)))
        if len(branches) == 1:
            return self.one(parts, label)
        return union_of([self.one(branch, "") for branch in branches], label)

    def one(self, parts: list[Step], label: str) -> Step:
        """One block, or what it amounts to if that is simpler."""
        parts, quantified, excluded = _absorbed(parts, list(self.quantified), list(self.excluded))
        bound = {name for part in parts for name in part.variables}
        restricted = {name for part in parts if not isinstance(part, steps.Valid) for name in part.variables}
        parts = [part for part in parts if not (isinstance(part, steps.Valid) and restricted >= set(part.variables))]
        bound |= {name for part in excluded for name in part.variables}
        kept = tuple(name for name in dict.fromkeys(quantified) if name in bound)
        variables = tuple(sorted(bound - set(kept)))
        return _simplest(steps.Block(kept, tuple(parts), tuple(excluded), variables, label))


def _absorbed(
    parts: list[Step], quantified: list[str], excluded: list[Excluded]
) -> tuple[list[Step], list[str], list[Excluded]]:
    """Blocks among the parts dissolve into the outer conjunction: their variables are distinct."""
    flat: list[Step] = []
    for part in parts:
        if isinstance(part, steps.Block):
            quantified += part.quantified
            excluded += part.excluded
            flat += part.parts
        else:
            flat.append(part)
    return flat, quantified, excluded


def flattened(parts: list[Step]) -> list[Step]:
    """The parts without true constants."""
    return [part for part in parts if not (isinstance(part, steps.Constant) and part.value)]


def _simplest(block: steps.Block) -> Step:
    """A block of nothing is true; a block of one part alone is that part."""
    if not block.parts and not block.excluded:
        return steps.Constant(True, block.label)
    if len(block.parts) == 1 and not block.excluded and not block.quantified:
        return block.parts[0]
    return block


def multiplied_out(parts: list[Step], chosen: Callable[[Step], bool]) -> list[list[Step]]:
    """The conjunctions whose disjunction the conjunction of `parts` is, over the chosen disjunctions in it.

    One conjunction, unchanged, if there is none or there would be more than MOST_BRANCHES.
    """
    unions = [part for part in parts if isinstance(part, steps.Union) and chosen(part)]
    if not unions or prod(len(union.parts) for union in unions) > MOST_BRANCHES:
        return [parts]
    rest = [part for part in parts if not any(part is union for union in unions)]
    return [flattened([*rest, *choice]) for choice in product(*(union.parts for union in unions))]


def union_of(parts: list[Step], label: str) -> Step:
    """A disjunction, flattened; constants folded."""
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


def collect(node: Logic, block: _Block) -> None:
    """Adds a formula to a conjunction."""
    match node:
        case logic.Truth():
            block.false |= not node.value
        case logic.Anything():
            block.parts.append(steps.Valid(tuple(sorted(node.variables))))
        case logic.Linear(relation="!="):
            equal = logic.Linear(node.system, node.coefficients, node.variables, "=", node.constant)
            block.exclude((), leaf(equal))
        case logic.Linear() | logic.WordLetter() | logic.WordPair() | logic.Predicate():
            block.parts.append(leaf(node))
        case logic.Not():
            collect_negated(node.body, block)
        case logic.And():
            collect(node.left, block)
            collect(node.right, block)
        case logic.Or():
            block.parts.append(union_of([step_of(node.left), step_of(node.right)], node.label))
        case logic.Implies():
            block.exclude((), step_of(logic.And(node.left, logic.Not(node.right))))
        case logic.Iff() | logic.Xor():
            block.parts.append(equivalence(node, type(node)))
        case logic.Exists():
            block.quantified.extend(node.variables)
            collect(node.body, block)
        case logic.ForAll():
            block.exclude((), step_of(logic.Exists(node.variables, logic.Not(node.body))))
        case logic.Infinite():
            block.parts.append(infinite(node))
        case logic.AtLeast():
            block.parts.append(at_least(node, step_of(node.body)))


def collect_negated(node: Logic, block: _Block) -> None:
    """Adds the negation of a formula to a conjunction."""
    match node:
        case logic.Truth():
            block.false |= node.value
        case logic.Anything():
            block.false = True
        case logic.Linear():
            collect(negated_linear(node), block)
        case logic.WordLetter() | logic.WordPair() | logic.Predicate():
            block.exclude((), leaf(node))
        case logic.Not():
            collect(node.body, block)
        case logic.And():
            block.exclude((), step_of(node))
        case logic.Or():
            collect_negated(node.left, block)
            collect_negated(node.right, block)
        case logic.Implies():
            collect(node.left, block)
            collect_negated(node.right, block)
        case logic.Iff():
            block.parts.append(equivalence(node, logic.Xor))
        case logic.Xor():
            block.parts.append(equivalence(node, logic.Iff))
        case logic.Exists():
            block.exclude((), step_of(logic.Exists(node.variables, node.body)))
        case logic.ForAll():
            block.quantified.extend(node.variables)
            collect_negated(node.body, block)
        case logic.Infinite():
            block.exclude((), infinite(node))
        case logic.AtLeast():
            block.exclude((), at_least(node, step_of(node.body)))


def equivalence(node: logic.Iff | logic.Xor, kind: type[logic.Iff | logic.Xor]) -> Step:
    """The step of an equivalence (or, by its kind, of the negation) that was not rewritten."""
    left, right = step_of(node.left), step_of(node.right)
    return steps.Combine(OPERATORS[kind], left, right, merged(left, right))


def infinite(node: logic.Infinite) -> Step:
    """The step of an infinity quantifier."""
    body = step_of(node.body)
    rest = tuple(name for name in body.variables if name != node.variable)
    return steps.Infinite(node.variable, body, rest, node.label)


def negated_linear(node: logic.Linear) -> logic.Linear:
    """The negation of a linear atom is one: linear atoms are true or false of all naturals."""
    if node.relation == "<=":
        pairs = sorted(zip((-c for c in node.coefficients), node.variables, strict=True), key=lambda p: (-p[0], p[1]))
        return logic.Linear(
            node.system, tuple(c for c, _ in pairs), tuple(name for _, name in pairs), "<=", -node.constant - 1
        )
    opposite = "!=" if node.relation == "=" else "="
    return logic.Linear(node.system, node.coefficients, node.variables, opposite, node.constant)
