"""The optimized plan: conjunctions as unordered blocks, negations as guarded differences.

Every formula is brought to unions of blocks `E x . parts & ~(E y . negated) & ...`, so that
double negations vanish, a negation is evaluated only within the values that its neighbours allow, and the
evaluator is free to order a conjunction by sizes (docs/planning.md).  Each `collect` case
rewrites one connective under one sign.  Terms are then shared (sharing.py) and copies
counted (counting.py); the evaluator applies the other rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fibprover.base.limits import poll
from fibprover.base.values import replaced, value
from fibprover.prover import logic
from fibprover.prover.logic import Logic, ResolvedFormula, negated_linear
from fibprover.prover.plan import rules, steps
from fibprover.prover.plan.conjunction import Conjunction, union_of
from fibprover.prover.plan.ranges import with_ranges
from fibprover.prover.plan.rewrite import MOST_NESTED, without_equivalences
from fibprover.prover.plan.rules import Rules
from fibprover.prover.plan.sharing import shared_by_cost
from fibprover.prover.plan.steps import Plan, Step, merged
from fibprover.prover.plan.sums import split_sums
from fibprover.prover.plan.textbook import OPERATORS, at_least, leaf, textbook


def optimized(resolved: ResolvedFormula, enabled_rules: Rules = rules.ALL) -> Plan:
    """Return the plan in blocks; it has the result of the textbook plan, with any rules enabled.

    Words over plain alphabets are read in step with everything else in their conjunction, so that
    the order of joins and projections matters; formulas with such variables keep the steps of the textbook plan.
    """
    if any(not sort.system for sort in resolved.sorts.values()):
        return replaced(textbook(resolved), rules=enabled_rules)  # determinized by all strategies
    depth = MOST_NESTED if rules.NORMAL_FORM in enabled_rules else 0
    resolved = without_equivalences(resolved, depth)
    root = _Optimizer(enabled_rules).step_of(resolved.logic)
    if rules.SHARE_TERMS in enabled_rules:
        root = shared_by_cost(root, enabled_rules, frozenset(resolved.free))
    sorts = resolved.sorts
    if rules.SPLIT_SUMS in enabled_rules:
        root, sorts = split_sums(root, sorts)
    if rules.RANGES in enabled_rules:
        root = with_ranges(root)
    return Plan(root, sorts, resolved.free, "optimized", enabled_rules)


#: The nodes into which a negation is moved.
DE_MORGAN = (logic.Not, logic.Or, logic.Implies, logic.ForAll)


@value
class _Optimizer:
    """Turns formulas into steps by the enabled rules."""

    rules: Rules

    def step_of(self, node: Logic) -> Step:
        """Return the step of a formula."""
        poll("a plan")
        block = Conjunction(self.rules)
        self.collect(node, block)
        return block.step(node.label)

    def collect(self, node: Logic, block: Conjunction) -> None:
        """Add a formula to a conjunction."""
        match node:
            case logic.Truth():
                block.false |= not node.value
            case logic.Universe():
                block.parts.append(steps.Valid(tuple(sorted(node.variables))))
            case logic.Linear(relation="!=") if rules.GUARDED_DIFFERENCE in self.rules:
                equal = logic.Linear(node.system, node.coefficients, node.variables, "=", node.constant)
                block.add_negated((), leaf(equal))
            case logic.Linear() | logic.WordLetter() | logic.WordPair() | logic.PredicateAtom():
                block.parts.append(leaf(node))
            case logic.Not():
                self.collect_negated(node.body, block)
            case logic.And():
                self.collect(node.left, block)
                self.collect(node.right, block)
            case logic.Or() if self.negates_a_disjunct(node):
                # ~A | B is ~(A & ~B): the negated part is subtracted from its neighbours, not complemented.
                block.add_negated((), self.step_of(logic.Not(node)))
            case logic.Or():
                block.parts.append(union_of([self.step_of(node.left), self.step_of(node.right)], node.label))
            case logic.Implies():
                block.add_negated((), self.step_of(logic.And(node.left, logic.Not(node.right))))
            case logic.Iff() | logic.Xor():
                block.parts.append(self.equivalence(node, type(node)))
            case logic.Exists():
                block.quantified.extend(node.variables)
                self.collect(node.body, block)
            case logic.ForAll():
                # The quantifier A is distributed over conjunctions, as E is over disjunctions.
                split = rules.NORMAL_FORM in self.rules
                for part in conjuncts(node.body) if split else [node.body]:
                    block.add_negated((), self.step_of(logic.Exists(node.variables, logic.Not(part))))
            case logic.Infinite():
                block.parts.append(self.infinite(node))
            case logic.AtLeast():
                block.parts.append(at_least(node, self.step_of(node.body)))

    def collect_negated(self, node: Logic, block: Conjunction) -> None:
        """Add the negation of a formula to a conjunction."""
        if rules.NORMAL_FORM not in self.rules and isinstance(node, DE_MORGAN):
            block.add_negated((), self.step_of(node))
            return
        match node:
            case logic.Truth():
                block.false |= node.value
            case logic.Universe():
                block.false = True
            case logic.Linear():
                self.collect(negated_linear(node), block)
            case logic.WordLetter() | logic.WordPair() | logic.PredicateAtom():
                block.add_negated((), leaf(node))
            case logic.Not():
                self.collect(node.body, block)
            case logic.And():
                block.add_negated((), self.step_of(node))
            case logic.Or():
                self.collect_negated(node.left, block)
                self.collect_negated(node.right, block)
            case logic.Implies():
                self.collect(node.left, block)
                self.collect_negated(node.right, block)
            case logic.Iff():
                block.parts.append(self.equivalence(node, logic.Xor))
            case logic.Xor():
                block.parts.append(self.equivalence(node, logic.Iff))
            case logic.Exists():
                block.add_negated((), self.step_of(logic.Exists(node.variables, node.body)))
            case logic.ForAll():
                block.quantified.extend(node.variables)
                self.collect_negated(node.body, block)
            case logic.Infinite():
                block.add_negated((), self.infinite(node))
            case logic.AtLeast():
                block.add_negated((), at_least(node, self.step_of(node.body)))

    def negates_a_disjunct(self, node: logic.Or) -> bool:
        """Return whether a disjunction is rewritten as a negated conjunction, since a disjunct is a negation."""
        needed = {rules.NORMAL_FORM, rules.GUARDED_DIFFERENCE}
        return needed <= self.rules and (is_negation(node.left) or is_negation(node.right))

    def equivalence(self, node: logic.Iff | logic.Xor, kind: type[logic.Iff | logic.Xor]) -> Step:
        """Return the step of an equivalence (or, by its kind, of the negation) that was not rewritten."""
        left, right = self.step_of(node.left), self.step_of(node.right)
        return steps.Combine(OPERATORS[kind], left, right, merged(left, right))

    def infinite(self, node: logic.Infinite) -> Step:
        """Return the step of an infinity quantifier."""
        body = self.step_of(node.body)
        rest = tuple(name for name in body.variables if name != node.variable)
        return steps.Infinite(node.variable, body, rest, node.label)


def conjuncts(node: Logic) -> list[Logic]:
    """Return the formulas that a conjunction joins."""
    if isinstance(node, logic.And):
        return conjuncts(node.left) + conjuncts(node.right)
    return [node]


def is_negation(node: Logic) -> bool:
    """Return whether the optimized plan evaluates a formula as a negation."""
    match node:
        case logic.Not():
            comparison = isinstance(node.body, logic.Linear) and node.body.relation != "="
            return not (comparison or is_negation(node.body))
        case logic.Or():
            return is_negation(node.left) or is_negation(node.right)
        case logic.Linear():
            return node.relation == "!="
        case _:
            return isinstance(node, logic.ForAll | logic.Implies)


#: The plans, by name.
PLANS: Mapping[str, Callable[[ResolvedFormula, Rules], Plan]] = {"optimized": optimized, "textbook": textbook}
