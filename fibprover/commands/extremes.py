"""`first` and `first_rej`: the first values that a predicate holds of, and does not hold of."""

from __future__ import annotations

from dataclasses import dataclass

from fibprover.automata import kernels, language
from fibprover.limits import UNLIMITED, Budget
from fibprover.verdict.relation import Relation, Value, shown_value


@dataclass(frozen=True, slots=True)
class FirstValues:
    """Values by the name of the variable."""

    values: dict[str, Value]

    def __str__(self) -> str:
        return ", ".join(f"{name} = {shown_value(value)}" for name, value in self.values.items()) or "true"


def first_accepted(relation: Relation) -> FirstValues | None:
    """The first tuple of a relation, None if it is empty.  O(transitions), by breadth-first search."""
    return _decoded(relation, language.shortest(relation.automaton))


def first_rejected(relation: Relation, budget: Budget = UNLIMITED) -> FirstValues | None:
    """The first tuple that is not in a relation, None if all are; the complement is not made minimal."""
    names = relation.names
    every = relation.valid(budget)
    rest = kernels.reorder(kernels.difference(every, relation.automaton, budget), names, budget)
    return _decoded(relation, language.shortest(rest))


def _decoded(relation: Relation, words: language.Words | None) -> FirstValues | None:
    if words is None:
        return None
    return FirstValues(dict(zip(relation.names, relation.decoded(words), strict=True)))
