"""Formulas that a session has decided are looked up before others are planned, whole or as parts of these.

In comes a `ResolvedFormula`; out goes the same with an atom, whose relation is known, in place of each largest part
that was evaluated before, up to the names of variables.  So a formula that is spelled out once more, as a part of
another one, costs what the call of a predicate costs.

Two formulas have one key if they differ in the names of their variables only; systems, words and predicates are
compared by what they are.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa
from fibprover.prover import logic
from fibprover.prover.environment import Definition, Sort
from fibprover.prover.evaluate.cache import Cache, Entry
from fibprover.prover.logic import Logic, PredicateAtom, ResolvedFormula
from fibprover.prover.plan.steps import Numbering, atom_key

#: What took fewer seconds is not kept: to look it up might take as long.
LEAST_SECONDS = 0.001

#: What is said of where a formula was met is not longer.
MOST_SAID = 60


def with_known_parts(resolved: ResolvedFormula, cache: Cache) -> ResolvedFormula:
    """Return the formula with its known parts as atoms.  Linear in its size, and in the sizes of known parts."""
    if not cache.shapes:
        return resolved
    shapes: dict[int, Hashable] = {}
    _shape(resolved.logic, shapes)
    changed = _with_known(resolved.logic, resolved.sorts, cache, shapes)
    return resolved if changed is resolved.logic else ResolvedFormula(
        changed, resolved.sorts, resolved.free, resolved.names, resolved.parts
    )


def keep(resolved: ResolvedFormula, entry: Entry, cache: Cache) -> None:
    """Keep the relation of an open formula, whose tracks are its free variables in order, if it is worth it."""
    node = resolved.logic
    atomic = isinstance(node, logic.Linear | logic.WordLetter | logic.WordPair | logic.PredicateAtom | logic.Universe)
    plain = any(not sort.system for sort in resolved.sorts.values())
    if not resolved.free or atomic or plain or entry.seconds < LEAST_SECONDS:
        return
    if logic.free_variables(node) != set(resolved.free):
        return
    numbering = Numbering(resolved.sorts)
    key = _key(node, numbering)
    entry.numbers = tuple(numbering.order[name] for name in resolved.free)
    entry.shape = _shape(node, {})
    entry.since = entry.since if len(entry.since) <= MOST_SAID else entry.since[: MOST_SAID - 3] + "..."
    cache.put(("formula", key), entry)


def known_relation(resolved: ResolvedFormula, cache: Cache) -> Dfa | None:
    """Return the relation of an open formula, whose tracks are its free variables in order, if it is known."""
    numbering = Numbering(resolved.sorts)
    entry = cache.find(("formula", _key(resolved.logic, numbering)))
    if entry is None:
        return None
    names = {number: name for name, number in numbering.order.items()}
    return kernel_calls.reorder(entry.automaton.renamed([names[number] for number in entry.numbers]), resolved.free)


def _with_known(node: Logic, sorts: Mapping[str, Sort], cache: Cache, shapes: Mapping[int, Hashable]) -> Logic:
    """Return a part of a formula with its known parts as atoms."""
    if cache.shapes[shapes[id(node)]] > 0:
        numbering = Numbering(sorts)
        found = cache.find(("formula", _key(node, numbering)))
        if found is not None:
            names = {number: name for name, number in numbering.order.items()}
            definition = Definition("known", found.automaton, since=found.since)
            return PredicateAtom(definition, tuple(names[number] for number in found.numbers), node.label)
    return logic.map_children(node, lambda part: _with_known(part, sorts, cache, shapes))


def _shape(node: Logic, shapes: dict[int, Hashable]) -> Hashable:
    """Return a hash of a formula without its variables, and add those of its parts by their identities."""
    found: Hashable
    match node:
        case logic.Truth():
            found = hash(("truth", node.value))
        case logic.Linear():
            found = hash((node.system, node.coefficients, node.relation, node.constant))
        case logic.WordLetter():
            found = hash((node.word.name, node.letters))
        case logic.WordPair():
            found = hash((node.left.name, node.right.name, node.relation))
        case logic.PredicateAtom():
            found = hash(node.definition.name)
        case logic.Universe():
            found = hash(len(node.variables))
        case _:
            count = node.count if isinstance(node, logic.AtLeast) else 0
            found = hash((type(node).__name__, count, *(_shape(child, shapes) for child in logic.children(node))))
    shapes[id(node)] = found
    return found


def _key(node: Logic, numbering: Numbering) -> Hashable:
    """Return a hashable form of a formula up to the names of its variables."""
    match node:
        case logic.Truth():
            return ("truth", node.value)
        case logic.Universe():
            return ("any", numbering.all(node.variables))
        case logic.Linear() | logic.WordLetter() | logic.WordPair() | logic.PredicateAtom():
            return atom_key(node, numbering)
        case _:
            count = node.count if isinstance(node, logic.AtLeast) else 0
            parts = tuple(_key(child, numbering) for child in logic.children(node))
            return (type(node).__name__, count, parts, numbering.all(logic.bound_variables(node)))
