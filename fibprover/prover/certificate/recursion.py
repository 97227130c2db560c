"""The proof that the relations which `solve` has found are the only ones that satisfy their recursion.

Of each formula there are two copies.  In the lower one a call that helps it (below no negation, or below two) counts as
false unless it goes down in the measure; one that hinders it counts as true then.  The upper copy is the other way
round.  The relation implies the lower copy, and is implied by the upper one (docs/solve.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fibprover.prover.certificate.normal import (
    TRUE,
    Conjunction,
    Count,
    Equivalence,
    Negation,
    Node,
    conjunction,
    disjunction,
    negation,
)
from fibprover.prover.environment import RecursiveRelation
from fibprover.prover.logic import Linear, PredicateAtom


def implications(
    relations: Sequence[RecursiveRelation], calls: Sequence[PredicateAtom], bodies: Sequence[Node], system: str
) -> Iterator[Node]:
    """Yield the closed formulas to be proved, two for each relation.

    calls: of each relation with its parameters; bodies: the formulas; system: that of the parameters in the measures.
    """
    weights = {each.name: (place, each.weights) for place, each in enumerate(relations)}
    for call, body in zip(calls, bodies, strict=True):
        copies = _Copies(weights, call, system)
        lower, upper = copies.copy(body, True), copies.copy(body, False)
        yield negation(conjunction((call, negation(lower)), call.variables))
        yield negation(conjunction((upper, negation(call)), call.variables))


class _Copies:
    """Writes the copies of the formula of a relation."""

    def __init__(self, weights: Mapping[str, tuple[int, tuple[int, ...]]], call: PredicateAtom, system: str) -> None:
        self.weights, self.call, self.system = weights, call, system

    def copy(self, node: Node, lower: bool) -> Node:
        """Return the lower copy, or the upper one."""
        match node:
            case PredicateAtom(definition, _) if definition.name in self.weights:
                down = self.goes_down(node)
                return conjunction((node, down)) if lower else disjunction((node, negation(down)))
            case Conjunction(bound, parts):
                return conjunction([self.copy(part, lower) for part in parts], bound)
            case Negation(body):
                return negation(self.copy(body, not lower))
            case Count(bound, count, body):
                return Count(bound, count, self.copy(body, lower))
            case Equivalence(left, right):
                if self.copy(left, True) != left or self.copy(right, True) != right:
                    ways = ((left, right), (right, left))  # F => G and G => F
                    return conjunction([
                        negation(conjunction((self.copy(one, not lower), negation(self.copy(other, lower)))))
                        for one, other in ways
                    ])
        return node

    def goes_down(self, called: PredicateAtom) -> Node:
        """Return whether the measure of a call is less than here, or equal if the relation is an earlier one."""
        place, weights = self.weights[called.definition.name]
        here, own = self.weights[self.call.definition.name]
        terms: dict[str, int] = {}
        for names, coefficients, sign in ((called.variables, weights, 1), (self.call.variables, own, -1)):
            for name, coefficient in zip(names, coefficients, strict=True):
                terms[name] = terms.get(name, 0) + sign * coefficient
        kept = {name: coefficient for name, coefficient in terms.items() if coefficient}
        if not kept:
            return TRUE if place < here else negation(TRUE)
        return Linear(self.system, tuple(kept.values()), tuple(kept), "<=" if place < here else "<", 0)
