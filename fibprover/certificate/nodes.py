"""The form of a formula in certificates: conjunctions with bound variables, negations, equivalences, counts and atoms.

The checker's normal form, as a tree that remembers the order in which it was written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from fibprover.plan import logic
from fibprover.plan.logic import Linear, Logic, PredicateAtom, WordLetter, WordPair
from fibprover.values import value

Atom = Linear | WordLetter | WordPair | PredicateAtom


@value
class Conjunction:
    """E bound . & parts; true without parts."""

    bound: tuple[str, ...]
    parts: tuple[Node, ...]


@value
class Negation:
    """~body."""

    body: Node


@value
class Equivalence:
    """left <=> right."""

    left: Node
    right: Node


@value
class Count:
    """At least `count` tuples of values of the bound variables."""

    bound: tuple[str, ...]
    count: int
    body: Node


Node = Conjunction | Negation | Equivalence | Count | Atom

TRUE = Conjunction((), ())


def negation(node: Node) -> Node:
    """Return ~node."""
    return node.body if isinstance(node, Negation) else Negation(node)


def conjunction(nodes: Iterable[Node], bound: tuple[str, ...] = ()) -> Node:
    """Return E bound . & nodes, with E lifted out of the conjunction; variables that do not occur are left out."""
    parts: list[Node] = []
    for node in nodes:
        if isinstance(node, Conjunction):
            bound, own = (*bound, *node.bound), node.parts
        else:
            own = (node,)
        parts += [part for part in own if part not in parts]
    used = frozenset().union(*map(free, parts))
    bound = tuple(name for name in bound if name in used)
    return parts[0] if len(parts) == 1 and not bound else Conjunction(bound, tuple(parts))


def disjuncts(node: Node) -> tuple[Node, ...] | None:
    """Return the disjuncts of a disjunction, None of another formula."""
    if isinstance(node, Negation) and isinstance(node.body, Conjunction) and not node.body.bound and node.body.parts:
        if all(isinstance(part, Negation) for part in node.body.parts):
            return tuple(negation(part) for part in node.body.parts)
    return None


def free(node: Node) -> frozenset[str]:
    """Return the free variables."""
    match node:
        case Conjunction(bound, parts):
            return frozenset().union(*map(free, parts)).difference(bound)
        case Negation(body):
            return free(body)
        case Equivalence(left, right):
            return free(left) | free(right)
        case Count(bound, _, body):
            return free(body).difference(bound)
        case _:
            return logic.free_variables(node)


def normal(formula: Logic, new: Callable[[str], str], system_of: Callable[[str], str]) -> Node:
    """Return the form of a lowered formula; new: a new variable of the system of another one."""

    def form(part: Logic) -> Node:
        return normal(part, new, system_of)

    match formula:
        case logic.Truth(holds):
            return TRUE if holds else Negation(TRUE)
        case logic.Universe():
            return TRUE
        case Linear() | WordPair() | PredicateAtom():
            return formula
        case WordLetter():
            return formula
        case logic.Not(body):
            return negation(form(body))
        case logic.And(left, right):
            return conjunction((form(left), form(right)))
        case logic.Or(left, right):
            return negation(conjunction((negation(form(left)), negation(form(right)))))
        case logic.Implies(left, right):
            return negation(conjunction((form(left), negation(form(right)))))
        case logic.Iff(left, right):
            return Equivalence(form(left), form(right))
        case logic.Xor(left, right):
            return Negation(Equivalence(form(left), form(right)))
        case logic.Exists(names, body):
            return conjunction((form(body),), names)
        case logic.ForAll(names, body):
            return negation(conjunction((negation(form(body)),), names))
        case logic.AtLeast(names, count, body):
            return Count(names, count, form(body))
        case logic.Infinite(name, body):
            beyond = new(name)
            larger = Linear(system_of(name), (1, -1), (name, beyond), ">", 0)
            return negation(conjunction((negation(conjunction((larger, form(body)), (name,))),), (beyond,)))
    raise AssertionError(formula)
