"""The sizes of closed formulas in the log of the textbook plan: those that Walnut logs.

An automaton without tracks has one state. Walnut's keeps the number of states that it had when its last tracks were
projected away, through negations and connectives that return one of their operands, and has no states if it was made
anew: for a comparison of constants, or where one operand decides a connective, as in `1=2 & x=3`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa
from fibprover.base.values import value
from fibprover.prover.plan import steps
from fibprover.prover.plan.steps import Step


@value
class Decided:
    """A formula that is true or false in the log, and the states that it is logged with."""

    truth: bool
    states: int


@dataclass
class ClosedSizes:
    """The states of the steps so far, by the identity of the step; and what is logged for those that are decided."""

    built: dict[int, int] = field(default_factory=dict)
    decided: dict[int, Decided] = field(default_factory=dict)

    def states(self, step: Step, automaton: Dfa) -> int:
        """Return the states that a step is logged with; its parts have been asked for before."""
        self.built[id(step)] = automaton.states
        found = self.of(step, automaton)
        if found is None:
            return automaton.states
        self.decided[id(step)] = found
        return found.states

    def of(self, step: Step, automaton: Dfa) -> Decided | None:
        """Return how a step is logged if it is true or false in the log, else None."""
        match step:
            case steps.Complement():
                return negated(self.decided.get(id(step.body)))
            case steps.Combine():
                return combined(step.op, self.decided.get(id(step.left)), self.decided.get(id(step.right)))
            case steps.Project() if id(step.body) in self.decided:
                return self.decided[id(step.body)]
        if automaton.tracks:
            return None
        truth = not kernel_calls.is_empty(automaton)
        match step:
            case steps.Project():
                return Decided(truth, self.built[id(step.body)])
            case steps.AtLeast():  # Walnut has no such quantifier
                return Decided(truth, automaton.states)
            case _:
                return Decided(truth, 0)


def negated(part: Decided | None) -> Decided | None:
    """Return the negation of a part; None if it is not decided."""
    return None if part is None else Decided(not part.truth, part.states)


def combined(op: str, left: Decided | None, right: Decided | None) -> Decided | None:
    """Return what a connective makes of two parts, each None if it is not decided."""
    if op == "<=>":
        return combined("&", combined("=>", left, right), combined("=>", right, left))
    if op == "=>":
        if left is not None:
            return right if left.truth else Decided(True, 0)
        return Decided(True, 0) if right is not None and right.truth else None
    if left is None:
        # The other connectives take their operands in either order, and an undecided one comes last.
        return None if right is None else combined(op, right, None)
    if op == "&":
        return right if left.truth else Decided(False, 0)
    if op == "|":
        return Decided(True, 0) if left.truth else right
    return negated(right) if left.truth else right
