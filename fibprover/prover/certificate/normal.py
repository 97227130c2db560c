"""The normal form of formulas in certificates: conjunctions that bind variables, negations, equivalences, counts.

It is the checker's, as a tree that remembers the order in which the formula was written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from fibprover.base.values import value
from fibprover.prover import logic
from fibprover.prover.logic import Linear, Logic, PredicateAtom, WordLetter, WordPair, rename_atom
from fibprover.prover.lower import RELATIONS
from fibprover.words.automatic import AutomaticWord


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


#: A letter atom is about one letter.
Atom: TypeAlias = Linear | WordLetter | PredicateAtom
Node: TypeAlias = Conjunction | Negation | Equivalence | Count | Atom

TRUE = Conjunction((), ())

#: What ~ makes of comparisons other than =; the checker has no ~ before <.
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "!=": "="}


def negation(node: Node) -> Node:
    """Return ~node."""
    return node.body if isinstance(node, Negation) else Negation(node)


def conjunction(nodes: Iterable[Node], bound: Sequence[str] = ()) -> Node:
    """Return E bound . & nodes, with E lifted out of the conjunction; variables that do not occur are left out."""
    names, parts = list(bound), list[Node]()
    for node in nodes:
        inner, own = (node.bound, node.parts) if isinstance(node, Conjunction) else ((), (node,))
        names += [name for name in inner if name not in names]
        parts += [part for part in own if part not in parts]
    parts = _different(parts)
    used = frozenset[str]().union(*map(free, parts))
    kept = tuple(name for name in names if name in used)
    return parts[0] if len(parts) == 1 and not kept else Conjunction(kept, tuple(parts))


def _different(parts: list[Node]) -> list[Node]:
    """Return parts without those that the checker takes for an earlier one; equal ones are left out already."""
    if len(parts) < 2 or not any(isinstance(part, Negation | Equivalence | Count | Linear) for part in parts):
        return parts
    first = dict[object, Node]()
    for part in parts:
        first.setdefault(_key(part), part)
    return list(first.values())


def equivalence(left: Node, right: Node) -> Node:
    """Return left <=> right: no side begins with ~, as that is put before the whole; ~x<y is y<=x, and has none."""
    for one, other in ((left, right), (right, left)):
        match one:
            case Negation(body) if not isinstance(body, Linear) or body.relation in ("=", "!="):
                return negation(equivalence(body, other))
            case Linear(system, coefficients, variables, "!=", constant):
                return negation(equivalence(Linear(system, coefficients, variables, "=", constant), other))
    return TRUE if _key(left) == _key(right) else Equivalence(left, right)


def _key(node: Node) -> object:
    """Return what two formulas have in common if the checker takes them for one: they may differ in the order of parts.
    """
    match node:
        case Conjunction(bound, parts):
            return "block", frozenset(bound), frozenset(map(_key, parts))
        case Negation(Linear(_, coefficients, variables, relation, constant)) if relation != "=":
            return _key_of_linear(dict(zip(variables, coefficients, strict=True)), _OPPOSITE[relation], constant)
        case Negation(body):
            return "not", _key(body)
        case Equivalence(left, right):
            return "iff", frozenset((_key(left), _key(right)))
        case Count(bound, count, body):
            return count, frozenset(bound), _key(body)
        case Linear(_, coefficients, variables, relation, constant):
            return _key_of_linear(dict(zip(variables, coefficients, strict=True)), relation, constant)
        case _:
            return node


def _key_of_linear(terms: dict[str, int], relation: str, constant: int) -> object:
    """Return the same of a comparison: by = and < alone."""
    if relation == "!=":
        return "not", _key_of_linear(terms, "=", constant)
    if relation in (">", ">=") or (relation == "=" and terms and terms[min(terms)] < 0):
        terms, constant = {name: -factor for name, factor in terms.items()}, -constant
    return frozenset(terms.items()), "=" if relation == "=" else "<", constant + (relation in ("<=", ">="))


def disjunction(nodes: Iterable[Node]) -> Node:
    """Return the disjunction of nodes."""
    return negation(conjunction(map(negation, nodes)))


def disjuncts(node: Node) -> tuple[Node, ...]:
    """Return the disjuncts of a disjunction of several, none of another formula."""
    match node:
        case Negation(Conjunction((), parts)) if parts and all(isinstance(part, Negation) for part in parts):
            return tuple(map(negation, parts))
    return ()


def free(node: Node) -> frozenset[str]:
    """Return the free variables."""
    match node:
        case Conjunction(bound, parts):
            return frozenset[str]().union(*map(free, parts)).difference(bound)
        case Negation(body):
            return free(body)
        case Equivalence(left, right):
            return free(left) | free(right)
        case Count(bound, _, body):
            return free(body).difference(bound)
        case _:
            return logic.free_variables(node)


def renamed(node: Node, names: Mapping[str, str]) -> Node:
    """Return a node with some of its free variables renamed, to variables that it does not bind."""
    match node:
        case Conjunction(bound, parts):
            return Conjunction(bound, tuple(renamed(part, names) for part in parts))
        case Negation(body):
            return Negation(renamed(body, names))
        case Equivalence(left, right):
            return Equivalence(renamed(left, names), renamed(right, names))
        case Count(bound, count, body):
            return Count(bound, count, renamed(body, names))
        case _:
            return rename_atom(node, names)


def normal(formula: Logic) -> Node:
    """Return the normal form of a lowered formula without `Infinite`; labels are dropped, so that equals are equal."""
    match formula:
        case logic.Truth(holds):
            return TRUE if holds else Negation(TRUE)
        case logic.Universe():
            return TRUE
        case Linear(system, coefficients, variables, relation, constant):
            return Linear(system, coefficients, variables, relation, constant)
        case WordLetter(word, variables, letters):
            return disjunction(letter(word, variables, one) for one in word.outputs if one in letters)
        case WordPair():
            return _pair(formula)
        case PredicateAtom(definition, variables):
            return PredicateAtom(definition, variables)
        case logic.Not(body):
            return negation(normal(body))
        case logic.And(left, right):
            return conjunction((normal(left), normal(right)))
        case logic.Or(left, right):
            return disjunction((normal(left), normal(right)))
        case logic.Implies(left, right):
            return disjunction((negation(normal(left)), normal(right)))
        case logic.Iff(left, right):
            return equivalence(normal(left), normal(right))
        case logic.Xor(left, right):
            return negation(equivalence(normal(left), normal(right)))
        case logic.Exists(names, body):
            return conjunction((normal(body),), names)
        case logic.ForAll(names, body):
            return negation(conjunction((negation(normal(body)),), names))
        case logic.AtLeast(names, count, body):
            inner = normal(body)
            # There are infinitely many values of a variable that does not occur; the checker has no such counts.
            return Count(names, count, inner) if set(names) <= free(inner) else conjunction((inner,), names)
    raise AssertionError(formula)


def letter(word: AutomaticWord, variables: tuple[str, ...], one: int) -> Node:
    """Return the atom that the letter of a word is this one."""
    return WordLetter(word, variables, frozenset({one}))


def _pair(atom: WordPair) -> Node:
    """Return the comparison of two letters: of which letters it is true."""
    holds = RELATIONS["=" if atom.relation == "!=" else atom.relation]
    branches = []
    for one in atom.left.outputs:
        others = [other for other in atom.right.outputs if holds(one, other)]
        if others:
            second = disjunction(letter(atom.right, atom.right_variables, other) for other in others)
            branches.append(conjunction((letter(atom.left, atom.left_variables, one), second)))
    return negation(disjunction(branches)) if atom.relation == "!=" else disjunction(branches)
