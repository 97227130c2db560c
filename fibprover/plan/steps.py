"""A plan: the tree of automaton operations that the evaluator carries out.

A step knows the variables of its result, in code-unit order, and the kinds of all variables are
given beside the plan.  `label` is the formula text the step stands for; steps with a label are the
ones that a trace lists.
"""

from __future__ import annotations

from collections.abc import Mapping

from fibprover.plan.environment import Kind
from fibprover.plan.logic import Linear, Predicate, WordLetter, WordPair
from fibprover.plan.rules import ALL, Rules
from fibprover.values import value

Names = tuple[str, ...]


@value
class Constant:
    """True or false, without variables."""

    value: bool
    label: str = ""

    @property
    def variables(self) -> Names:
        return ()


@value
class Leaf:
    """The automaton of one atom."""

    atom: Linear | WordLetter | WordPair | Predicate
    variables: Names
    label: str = ""


@value
class Valid:
    """All values of some variables."""

    variables: Names
    label: str = ""


@value
class Complement:
    """The valid words that the body rejects."""

    body: Step
    variables: Names
    label: str = ""


@value
class Combine:
    """Two automata combined by a connective, op one of & | ^ => <=>."""

    op: str
    left: Step
    right: Step
    variables: Names
    label: str = ""


@value
class Project:
    """Some values of the quantified variables."""

    quantified: Names
    body: Step
    variables: Names
    label: str = ""


@value
class Infinite:
    """Infinitely many values of one variable."""

    quantified: str
    body: Step
    variables: Names
    label: str = ""


@value
class AtLeast:
    """At least `count` tuples of values of the quantified variables."""

    quantified: Names
    count: int
    body: Step
    variables: Names
    label: str = ""


@value
class Excluded:
    """A negated part of a block: no values of `quantified` satisfy `body`."""

    quantified: Names
    body: Step

    @property
    def variables(self) -> Names:
        """The variables that a guard has to provide."""
        return tuple(name for name in self.body.variables if name not in self.quantified)


@value
class Block:
    """E quantified . (conjunction of parts) & ~(E .. excluded) & ...

    The evaluator chooses the order; `variables` are those that remain.
    """

    quantified: Names
    parts: tuple[Step, ...]
    excluded: tuple[Excluded, ...]
    variables: Names
    label: str = ""


@value
class Union:
    """Any of the parts, whose variables may differ."""

    parts: tuple[Step, ...]
    variables: Names
    label: str = ""


Step = Constant | Leaf | Valid | Complement | Combine | Project | Infinite | AtLeast | Block | Union


@value
class Plan:
    """What the evaluator gets: a root step, the kinds of all variables, and the plan's name.

    free: the free variables of the formula, the tracks of the result, in code-unit order; rules:
    those of the optimized plan that are in force.
    """

    root: Step
    kinds: Mapping[str, Kind]
    free: Names
    name: str
    rules: Rules = ALL


def merged(*parts: Step) -> Names:
    """The variables of several steps together, in order."""
    return tuple(sorted({name for part in parts for name in part.variables}))


def children(step: Step) -> tuple[Step, ...]:
    """The steps a step is made from, in order."""
    match step:
        case Constant() | Leaf() | Valid():
            return ()
        case Complement() | Project() | Infinite() | AtLeast():
            return (step.body,)
        case Combine():
            return (step.left, step.right)
        case Block():
            return step.parts + tuple(excluded.body for excluded in step.excluded)
        case Union():
            return step.parts


def may_be_invalid(step: Step) -> bool:
    """Whether a step's automaton, with raw predicates taken as they are, may hold words that are no numbers.

    Only conjunction passes on what raw languages hold: everything else is applied to valid words.
    """
    match step:
        case Leaf():
            return isinstance(step.atom, Predicate) and step.atom.definition.raw
        case Combine(op="&"):
            return may_be_invalid(step.left) or may_be_invalid(step.right)
        case _:
            return False
