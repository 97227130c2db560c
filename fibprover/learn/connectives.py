"""Formulas as conjunctions and disjunctions of simpler ones, with negations inside as far as they go."""

from __future__ import annotations

from fibprover.prover import logic
from fibprover.prover.logic import Logic


def parts_of(node: Logic, kind: type[logic.And | logic.Or]) -> list[Logic]:
    """Return the parts of nested conjunctions, or of nested disjunctions, from left to right."""
    found: list[Logic] = []
    waiting = [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, logic.And | logic.Or) and isinstance(part, kind):
            waiting += [part.right, part.left]
        else:
            found.append(part)
    return found


def conjuncts(node: Logic) -> list[Logic]:
    """Return formulas that hold together if and only if a formula does, for some values of the variables it binds."""
    match node:
        case logic.And():
            return [*conjuncts(node.left), *conjuncts(node.right)]
        case logic.Exists():
            return conjuncts(node.body)
        case logic.Universe():
            return []
        case logic.Truth() if node.value:
            return []
        case logic.Implies():
            return [logic.Or(logic.Not(node.left), node.right)]
        case logic.Iff():
            return [logic.Or(logic.And(node.left, node.right), logic.And(logic.Not(node.left), logic.Not(node.right)))]
        case logic.Xor():
            return conjuncts(logic.Iff(logic.Not(node.left), node.right))
        case logic.Not():
            return _negated(node)
    return [node]


def _negated(node: logic.Not) -> list[Logic]:
    """Return the conjuncts of a negation, which goes inside as far as it can."""
    body = node.body
    match body:
        case logic.Not():
            return conjuncts(body.body)
        case logic.Or():
            return [*conjuncts(logic.Not(body.left)), *conjuncts(logic.Not(body.right))]
        case logic.And():
            return [logic.Or(logic.Not(body.left), logic.Not(body.right))]
        case logic.Implies():
            return [*conjuncts(body.left), *conjuncts(logic.Not(body.right))]
        case logic.Iff():
            return conjuncts(logic.Iff(logic.Not(body.left), body.right))
        case logic.Xor():
            return conjuncts(logic.Iff(body.left, body.right))
        case logic.ForAll():
            return conjuncts(logic.Not(body.body))
        case logic.Truth():
            return conjuncts(logic.Truth(not body.value))
        case logic.Linear():
            return [_opposite(body)]
    return [node]


def _opposite(node: logic.Linear) -> logic.Linear:
    """Return the negation of a linear atom over the naturals."""
    if node.relation == "<=":
        opposite = tuple(-c for c in node.coefficients)
        return logic.Linear(node.system, opposite, node.variables, "<=", -node.constant - 1)
    relation = "!=" if node.relation == "=" else "="
    return logic.Linear(node.system, node.coefficients, node.variables, relation, node.constant)
