"""Keys of steps: equal for steps that differ only in the names of their variables.

A key replaces variables by numbers in order of first occurrence, with the kind of each.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

from fibprover.plan import steps
from fibprover.plan.environment import Kind
from fibprover.plan.logic import Linear, Predicate, WordLetter, WordPair
from fibprover.plan.steps import Step


@dataclass
class Numbering:
    """Variables of a step numbered by first occurrence."""

    kinds: Mapping[str, Kind]
    order: dict[str, int] = field(default_factory=dict)

    def of(self, name: str) -> Hashable:
        """The number of a variable, with its kind where it occurs first."""
        if name in self.order:
            return self.order[name]
        self.order[name] = len(self.order)
        return (self.order[name], self.kinds[name])

    def all(self, names: tuple[str, ...]) -> Hashable:
        """The numbers of several variables."""
        return tuple(self.of(name) for name in names)


def key_of(step: Step, numbering: Numbering) -> Hashable:
    """A hashable form of a step up to renaming of its variables."""
    match step:
        case steps.Constant():
            return ("constant", step.value)
        case steps.Valid():
            return ("valid", numbering.all(step.variables))
        case steps.Leaf():
            return atom_key(step.atom, numbering)
        case steps.Complement():
            return ("not", key_of(step.body, numbering))
        case steps.Combine():
            return (step.op, key_of(step.left, numbering), key_of(step.right, numbering))
        case steps.Project():
            return ("exists", key_of(step.body, numbering), numbering.all(step.quantified))
        case steps.Infinite():
            return ("infinite", key_of(step.body, numbering), numbering.of(step.quantified))
        case steps.AtLeast():
            body = key_of(step.body, numbering)
            return ("at least", step.count, body, numbering.all(step.quantified))
        case steps.Union():
            return ("union", tuple(key_of(part, numbering) for part in step.parts))
        case steps.Block():
            parts = tuple(key_of(part, numbering) for part in step.parts)
            excluded = tuple(
                (key_of(part.body, numbering), numbering.all(part.quantified)) for part in step.excluded
            )
            return ("block", parts, excluded, numbering.all(step.quantified))


def atom_key(atom: Linear | WordLetter | WordPair | Predicate, numbering: Numbering) -> Hashable:
    """A hashable form of an atom up to renaming of its variables."""
    match atom:
        case Linear():
            return (atom.system, atom.coefficients, numbering.all(atom.variables), atom.relation, atom.constant)
        case WordLetter():
            return (atom.word, atom.letters, numbering.all(atom.variables))
        case WordPair():
            left, right = numbering.all(atom.left_variables), numbering.all(atom.right_variables)
            return (atom.left, left, atom.right, right, atom.relation)
        case Predicate():
            return (atom.definition, numbering.all(atom.variables))
