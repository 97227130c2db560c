"""Carries out a plan on automata that read the least significant digit first, those of the reversed words.

A relation may have a small automaton of this kind where the one in stored order is exponentially larger: a language
that a user gave over an lsd system (`fibprover.automata.turned`).  A formula about such a relation is evaluated in this
direction as a whole, by the operations of the plan in the order of the plan; the other atoms, which are small in
either, are turned.  What counts the values of some variables only is turned for this one step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fibprover.automata import kernel_calls, operations
from fibprover.automata.dfa import Dfa, Track
from fibprover.automata.operations import MOST_LISTED
from fibprover.automata.turned import Turned, plain, projected_backward, reversed_words, turned
from fibprover.base.limits import Budget
from fibprover.base.values import value
from fibprover.prover.environment import Sort
from fibprover.prover.evaluate.atoms import Atoms
from fibprover.prover.evaluate.trace import Recorder
from fibprover.prover.logic import PredicateAtom
from fibprover.prover.plan import steps
from fibprover.prover.plan.steps import Step, text_of

#: Automata of this kind have at most so many states; a formula that needs more is evaluated in stored order.
MOST_STATES = 200_000


def has_turned(step: Step) -> bool:
    """Return whether a plan calls a predicate whose automaton in stored order is still to be made."""
    if isinstance(step, steps.Leaf):
        return isinstance(step.atom, PredicateAtom) and step.atom.definition.automaton.backward is not None
    return any(map(has_turned, steps.children(step)))


@value
class Backwards:
    """One evaluation.  All results are minimal, over plain tracks in code-unit order."""

    sorts: Mapping[str, Sort]
    atoms: Atoms
    budget: Budget
    recorder: Recorder

    def relation(self, step: Step, names: Sequence[str]) -> Dfa:
        """Return the relation of a step over some variables, its own among them, as in stored order."""
        return turned(self.tracks(names), self.cylindrify(self.result(step), names), self.budget)

    def tracks(self, names: Sequence[str]) -> tuple[Track, ...]:
        """Return the tracks of a relation of these variables."""
        return tuple(self.sorts[name].track(name) for name in names)

    def result(self, step: Step) -> Dfa:
        """Return the automaton of a step over the step's variables."""
        since = self.recorder.now()
        with self.recorder.parts(step.label):
            automaton = self.carried_out(step)
        label = step.label or f"[{text_of(step)}]"
        self.recorder.note(label, "backwards", automaton, source=bool(step.label), since=since)
        return automaton

    def carried_out(self, step: Step) -> Dfa:
        """Return the automaton of one step, computed by its operation."""
        match step:
            case steps.Constant():
                return operations.true() if step.value else operations.false()
            case steps.Leaf():
                atom = self.atoms.atom(step.atom)
                return self.reordered(reversed_words(atom, self.budget), sorted(atom.names))
            case steps.Valid():
                return self.valid(step.variables)
            case steps.Complement():
                return self.complement(self.result(step.body), step.variables)
            case steps.Combine():
                return self.combine(step)
            case steps.Project():
                return self.projected(self.result(step.body), step.quantified)
            case steps.Union():
                return self.union([self.result(part) for part in step.parts], step.variables)
            case steps.Block():
                return self.block(step)
            case steps.Either():
                return self.result(step.plain)
            case steps.Infinite() | steps.AtLeast():
                return self.counted(step)

    def reordered(self, automaton: Dfa, names: Sequence[str]) -> Dfa:
        """Return an automaton with its tracks in this order."""
        if automaton.names == tuple(names):
            return automaton
        return kernel_calls.renumber(kernel_calls.reorder(automaton, names, self.budget), self.budget)

    def valid(self, names: Sequence[str]) -> Dfa:
        """Return all values of several variables."""
        alone = [reversed_words(self.atoms.valid(name), self.budget) for name in names]
        return operations.cartesian_product(alone, self.budget)

    def cylindrify(self, automaton: Dfa, names: Sequence[str]) -> Dfa:
        """Return the automaton with the missing variables among `names` added, free; minimal in any case."""
        missing = [name for name in names if name not in automaton.names]
        return operations.conjunction(automaton, self.valid(missing), self.budget) if missing else automaton

    def complement(self, automaton: Dfa, names: Sequence[str]) -> Dfa:
        """Return the valid values of these variables that the automaton rejects."""
        return operations.difference(self.valid(names), automaton, self.budget)

    def projected(self, automaton: Dfa, quantified: Sequence[str]) -> Dfa:
        """Return the values of the other variables that some values of these complete."""
        names = [name for name in quantified if name in automaton.names]
        return projected_backward(automaton, names, self.tracks(automaton.names), self.budget)

    def combine(self, step: steps.Combine) -> Dfa:
        """Return the automaton of one binary connective."""
        left, right = self.result(step.left), self.result(step.right)
        if step.op == "&":
            return operations.conjunction(left, right, self.budget)
        left, right = self.cylindrify(left, step.variables), self.cylindrify(right, step.variables)
        if step.op == "|":
            return operations.disjunction(left, right, self.budget)
        if step.op == "=>":
            return self.complement(operations.difference(left, right, self.budget), step.variables)
        different = operations.symmetric_difference(left, right, self.budget)
        return different if step.op == "^" else self.complement(different, step.variables)

    def union(self, parts: Sequence[Dfa], names: Sequence[str]) -> Dfa:
        """Return the disjunction of automata whose variables may differ."""
        found = operations.empty(plain(self.tracks(names)))
        for part in parts:
            found = operations.disjunction(found, self.cylindrify(part, names), self.budget)
        return found

    def block(self, step: steps.Block) -> Dfa:
        """Return the automaton of a block: its positive parts in turn, and without its negated ones."""
        inside = {name for part in (*step.parts, *step.negated) for name in part.variables}
        found = operations.true()
        for part in step.parts:
            found = operations.conjunction(found, self.result(part), self.budget)
        for negated in step.negated:
            refuted = self.projected(self.result(negated.body), negated.quantified)
            found = self.cylindrify(found, sorted({*found.names, *refuted.names}))
            found = operations.difference(found, refuted, self.budget)
        found = self.cylindrify(found, sorted({*found.names, *inside}))
        return self.cylindrify(self.projected(found, step.quantified), step.variables)

    def counted(self, step: steps.Infinite | steps.AtLeast) -> Dfa:
        """Return the automaton of a quantifier that counts, by the relation in stored order unless all is counted."""
        quantified = (step.quantified,) if isinstance(step, steps.Infinite) else step.quantified
        body = self.result(step.body)
        if isinstance(step, steps.Infinite) and step.quantified not in body.names:
            return body
        body = self.cylindrify(body, sorted({*body.names, *quantified}))
        tracks = self.tracks(body.names)
        if set(quantified) == set(body.names) and (isinstance(step, steps.Infinite) or step.count <= MOST_LISTED):
            whole = Turned(tracks, body)  # lists of words, and whether they end, need no other order
            if isinstance(step, steps.AtLeast):
                return operations.at_least(whole, quantified, step.count, self.budget)
            return operations.false() if kernel_calls.is_finite(whole) else operations.true()
        stored = reversed_words(body, self.budget).with_tracks(tracks)
        if isinstance(step, steps.Infinite):
            found = operations.infinitely_many(stored, step.quantified, self.budget)
        else:
            found = operations.at_least(stored, step.quantified, step.count, self.budget)
        return reversed_words(found, self.budget)
