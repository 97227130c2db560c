"""Rewrites of whole formulas that come before the optimized plan is made.

Here: `^` and `<=>` in terms of the other connectives.  Both sides then occur twice, under
opposite signs; the bound variables of the second occurrence are renamed apart, since the
optimized plan merges the scopes of conjunctions.  An equivalence within MOST_NESTED others stays
what it is, or every further level would double the formula.  Counts bring copies, too: no two
quantifiers of the outcome have a variable in common.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fibprover.plan import logic
from fibprover.plan.environment import Sort
from fibprover.plan.logic import Logic, ResolvedFormula

#: Equivalences are rewritten to this depth below one another.
MOST_NESTED = 2


def without_equivalences(resolved: ResolvedFormula, nested: int = MOST_NESTED) -> ResolvedFormula:
    """The same formula without `^` and `<=>`, but for deeply nested ones, and its bound variables all different.

    nested: how deep equivalences are rewritten; with 0 all stay.
    """
    rewriting = _Rewriting(dict(resolved.kinds), nested, dict(resolved.names))
    body = rewriting.rewritten(resolved.logic, 0)
    return ResolvedFormula(body, rewriting.kinds, resolved.free, rewriting.names)


def _bound_by(node: Logic) -> tuple[str, ...]:
    match node:
        case logic.Exists() | logic.ForAll() | logic.AtLeast():
            return node.variables
        case logic.Infinite():
            return (node.variable,)
    return ()


@dataclass
class _Rewriting:
    """Carries the kinds and names of the variables that copies introduce."""

    kinds: dict[str, Sort]
    nested: int = MOST_NESTED
    names: dict[str, str] = field(default_factory=dict)
    bound: set[str] = field(default_factory=set)

    def apart(self, node: Logic) -> Logic:
        """A quantifier whose variables no other one has, as where `E=1` asks for one and for no two."""
        if not isinstance(node, logic.Exists | logic.ForAll | logic.AtLeast | logic.Infinite):
            return node
        if self.bound.intersection(_bound_by(node)):
            node = self.copy(node, {})
        self.bound.update(_bound_by(node))
        return node

    def rewritten(self, node: Logic, depth: int) -> Logic:
        """The node without equivalences; it stands within `depth` of them."""
        node = self.apart(node)
        match node:
            case logic.Not():
                return logic.Not(self.rewritten(node.body, depth), node.label)
            case logic.And() | logic.Or() | logic.Implies():
                left, right = self.rewritten(node.left, depth), self.rewritten(node.right, depth)
                return type(node)(left, right, node.label)
            case logic.Exists() | logic.ForAll():
                return type(node)(node.variables, self.rewritten(node.body, depth), node.label)
            case logic.Infinite():
                return logic.Infinite(node.variable, self.rewritten(node.body, depth), node.label)
            case logic.AtLeast():
                return logic.AtLeast(node.variables, node.count, self.rewritten(node.body, depth), node.label)
            case logic.Xor() | logic.Iff():
                left, right = self.rewritten(node.left, depth + 1), self.rewritten(node.right, depth + 1)
                if depth >= self.nested:
                    return type(node)(left, right, node.label)
                return self.split(type(node), left, right, node.label)
            case _:
                return node

    def split(self, kind: type[logic.Xor | logic.Iff], left: Logic, right: Logic, label: str) -> Logic:
        """One equivalence in terms of & | ~ =>."""
        left_again, right_again = self.copy(left, {}), self.copy(right, {})
        if kind is logic.Xor:
            return logic.Or(
                logic.And(left, logic.Not(right)), logic.And(right_again, logic.Not(left_again)), label
            )
        return logic.And(logic.Implies(left, right), logic.Implies(right_again, left_again), label)

    def fresh(self, name: str) -> str:
        copy = name + "*"
        while copy in self.kinds:
            copy += "*"
        self.kinds[copy] = self.kinds[name]
        self.names[copy] = self.names.get(name, name)
        return copy

    def copy(self, node: Logic, renamed: Mapping[str, str]) -> Logic:
        """The node with its bound variables renamed apart."""
        match node:
            case logic.Truth():
                return node
            case logic.Linear():
                names = tuple(renamed.get(name, name) for name in node.variables)
                return logic.Linear(node.system, node.coefficients, names, node.relation, node.constant, node.label)
            case logic.WordLetter():
                names = tuple(renamed.get(name, name) for name in node.variables)
                return logic.WordLetter(node.word, names, node.letters, node.label)
            case logic.WordPair():
                left = tuple(renamed.get(name, name) for name in node.left_variables)
                right = tuple(renamed.get(name, name) for name in node.right_variables)
                return logic.WordPair(node.left, left, node.right, right, node.relation, node.label)
            case logic.PredicateAtom():
                names = tuple(renamed.get(name, name) for name in node.variables)
                return logic.PredicateAtom(node.definition, names, node.label)
            case logic.Universe():
                return logic.Universe(tuple(renamed.get(name, name) for name in node.variables), node.label)
            case logic.Not():
                return logic.Not(self.copy(node.body, renamed), node.label)
            case logic.And() | logic.Or() | logic.Implies() | logic.Xor() | logic.Iff():
                return type(node)(self.copy(node.left, renamed), self.copy(node.right, renamed), node.label)
            case logic.Exists() | logic.ForAll():
                inner = {**renamed, **{name: self.fresh(name) for name in node.variables}}
                names = tuple(inner[name] for name in node.variables)
                return type(node)(names, self.copy(node.body, inner), node.label)
            case logic.AtLeast():
                inner = {**renamed, **{name: self.fresh(name) for name in node.variables}}
                names = tuple(inner[name] for name in node.variables)
                return logic.AtLeast(names, node.count, self.copy(node.body, inner), node.label)
            case logic.Infinite():
                inner = {**renamed, node.variable: self.fresh(node.variable)}
                return logic.Infinite(inner[node.variable], self.copy(node.body, inner), node.label)
