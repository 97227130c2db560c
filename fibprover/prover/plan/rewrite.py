"""Rewrites of whole formulas that come before the optimized plan is made.

Here: `^` and `<=>` in terms of the other connectives.  Both sides then occur twice, under
opposite signs; the bound variables of the second occurrence are renamed apart, since the
optimized plan merges the scopes of conjunctions.  An equivalence within MOST_NESTED others is
kept, since every further level would double the formula.  Counts bring copies, too: no two
quantifiers of the result have a variable in common.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fibprover.base.limits import poll
from fibprover.base.values import replaced
from fibprover.prover import logic
from fibprover.prover.environment import Sort
from fibprover.prover.logic import Logic, ResolvedFormula

#: Equivalences are rewritten to this depth below one another.
MOST_NESTED = 2


def without_equivalences(resolved: ResolvedFormula, nested: int = MOST_NESTED) -> ResolvedFormula:
    """Return the same formula without `^` and `<=>`, except deeply nested ones, and with distinct bound variables.

    nested: how deep equivalences are rewritten; with 0 all stay.
    """
    rewriting = _Rewriting(dict(resolved.sorts), nested, dict(resolved.names))
    body = rewriting.rewritten(resolved.logic, 0)
    return ResolvedFormula(body, rewriting.sorts, resolved.free, rewriting.names)


@dataclass
class _Rewriting:
    """Carries the sorts and names of the variables that copies introduce."""

    sorts: dict[str, Sort]
    nested: int = MOST_NESTED
    names: dict[str, str] = field(default_factory=dict)
    bound: set[str] = field(default_factory=set)

    def apart(self, node: Logic) -> Logic:
        """Return the node, a quantifier renamed if another one binds its variables, as in the two copies of `E=1`."""
        if self.bound.intersection(logic.bound_variables(node)):
            node = self.copy(node, {})
        self.bound.update(logic.bound_variables(node))
        return node

    def rewritten(self, node: Logic, depth: int) -> Logic:
        """Return the node without equivalences; it stands within `depth` of them."""
        poll("a plan")
        node = self.apart(node)
        if not isinstance(node, logic.Xor | logic.Iff):
            return logic.map_children(node, lambda child: self.rewritten(child, depth))
        left, right = self.rewritten(node.left, depth + 1), self.rewritten(node.right, depth + 1)
        if depth >= self.nested:
            return type(node)(left, right, node.label)
        return self.split(type(node), left, right, node.label)

    def split(self, kind: type[logic.Xor | logic.Iff], left: Logic, right: Logic, label: str) -> Logic:
        """Return one equivalence in terms of & | ~ =>."""
        left_again, right_again = self.copy(left, {}), self.copy(right, {})
        if kind is logic.Xor:
            return logic.Or(
                logic.And(left, logic.Not(right)), logic.And(right_again, logic.Not(left_again)), label
            )
        return logic.And(logic.Implies(left, right), logic.Implies(right_again, left_again), label)

    def fresh(self, name: str) -> str:
        copy = name + "*"
        while copy in self.sorts:
            copy += "*"
        self.sorts[copy] = self.sorts[name]
        self.names[copy] = self.names.get(name, name)
        return copy

    def copy(self, node: Logic, names: Mapping[str, str]) -> Logic:
        """Return the node with its bound variables renamed apart; names: the new names of variables bound above."""
        poll("a plan")
        match node:
            case logic.Exists() | logic.ForAll() | logic.AtLeast():
                names = {**names, **{name: self.fresh(name) for name in node.variables}}
                node = replaced(node, variables=tuple(names[name] for name in node.variables))
            case logic.Infinite():
                names = {**names, node.variable: self.fresh(node.variable)}
                node = replaced(node, variable=names[node.variable])
        if isinstance(node, logic.Atom):
            return logic.rename_atom(node, names)
        return logic.map_children(node, lambda child: self.copy(child, names))
