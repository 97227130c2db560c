"""The textbook plan: the syntax tree as written, left to right, every part to its minimal automaton.

It is slow and plain.  Its state counts are properties of the formulas, so they can be compared
with published ones, and it is the oracle for the optimized plan.
"""

from __future__ import annotations

from fibprover.base.values import replaced
from fibprover.prover import logic
from fibprover.prover.logic import Logic, ResolvedFormula
from fibprover.prover.plan import steps
from fibprover.prover.plan.rules import ALL, STRATEGIES, Rules
from fibprover.prover.plan.steps import Plan, Step, merged

OPERATORS = {logic.And: "&", logic.Or: "|", logic.Xor: "^", logic.Implies: "=>", logic.Iff: "<=>"}


def textbook(resolved: ResolvedFormula, enabled_rules: Rules = ALL) -> Plan:
    """Return the plan that follows the formula: its steps apply no rules, and subsets alone make them deterministic."""
    return Plan(_step(resolved.logic), resolved.sorts, resolved.free, "textbook", enabled_rules - {STRATEGIES})


def _step(node: Logic) -> Step:
    match node:
        case logic.Truth():
            return steps.Constant(node.value, node.label)
        case logic.Universe():
            return steps.Valid(tuple(sorted(node.variables)), node.label)
        case logic.Linear() | logic.WordLetter() | logic.WordPair() | logic.PredicateAtom():
            return leaf(node)
        case logic.Not():
            body = _step(node.body)
            return steps.Complement(body, body.variables, node.label)
        case logic.And() | logic.Or() | logic.Xor() | logic.Implies() | logic.Iff():
            left, right = _step(node.left), _step(node.right)
            return steps.Combine(OPERATORS[type(node)], left, right, merged(left, right), node.label)
        case logic.Exists() if node.label and isinstance(node.body, logic.And):
            return _project(node.variables, _step(_logged_letter(node.body, node.label)), node.label)
        case logic.Exists():
            return _project(node.variables, _step(node.body), node.label)
        case logic.ForAll():
            body = _step(node.body)
            refuted = _project(node.variables, steps.Complement(body, body.variables), "")
            return steps.Complement(refuted, refuted.variables, node.label)
        case logic.Infinite():
            body = _step(node.body)
            rest = tuple(name for name in body.variables if name != node.variable)
            return steps.Infinite(node.variable, body, rest, node.label)
        case logic.AtLeast():
            return at_least(node, _step(node.body))


def _logged_letter(body: logic.And, label: str) -> logic.And:
    """Return the parts of a comparison such as `W[x-2]=1` with the whole word, `W[..]=1`, as a logged step."""
    if body.label or not isinstance(body.right, logic.WordLetter) or body.right.label:
        return body
    return replaced(body, right=replaced(body.right, label=label))


def _project(quantified: tuple[str, ...], body: Step, label: str) -> Step:
    rest = tuple(name for name in body.variables if name not in quantified)
    return steps.Project(tuple(quantified), body, rest, label)


def at_least(node: logic.AtLeast, body: Step) -> Step:
    """Return the step of a counting quantifier over the step of its body."""
    rest = tuple(name for name in body.variables if name not in node.variables)
    return steps.AtLeast(node.variables, node.count, body, rest, node.label)


def leaf(node: logic.Linear | logic.WordLetter | logic.WordPair | logic.PredicateAtom) -> steps.Leaf:
    """Return the step of one atom."""
    return steps.Leaf(node, tuple(sorted(logic.free_variables(node))), node.label)
