"""Carries out a plan: every step becomes a minimal automaton, bottom up.

Steps are pure functions of automata; the executor adds only the cache, the trace and the budget.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from fibprover.automata import determinization, kernel_calls, operations
from fibprover.automata.dfa import Dfa
from fibprover.automata.kernel_calls import Digits
from fibprover.automata.prefixes import LeavesClass
from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import Budget
from fibprover.base.values import replaced, value
from fibprover.numeration.system import NumerationSystem
from fibprover.prover.environment import Sort
from fibprover.prover.evaluate.atoms import Atoms
from fibprover.prover.evaluate.backwards import MOST_STATES as MOST_BACKWARDS
from fibprover.prover.evaluate.backwards import Backwards, has_turned
from fibprover.prover.evaluate.blocks import Blocks
from fibprover.prover.evaluate.cache import Cache, Entry
from fibprover.prover.evaluate.closed_sizes import ClosedSizes
from fibprover.prover.evaluate.trace import Record, Recorder, Trace
from fibprover.prover.logic import PredicateAtom
from fibprover.prover.plan import rules, steps
from fibprover.prover.plan.conjunction import alternatives
from fibprover.prover.plan.rules import Rules
from fibprover.prover.plan.steps import Numbering, Plan, Step, key_of, text_of


@value
class Evaluation:
    """The result of a plan: the canonical automaton over the plan's free variables, and the trace.

    met: the digits of quantified variables in the words by which closed parts were seen not to be empty; they need
    not belong to one witness of the formula.
    """

    automaton: Dfa
    trace: Trace
    met: Digits


def evaluate(
    plan: Plan,
    system: Callable[[str], NumerationSystem],
    cache: Cache,
    budget: Budget,
    watch: Callable[[Record], None] | None = None,
    keep: Callable[[Record, Dfa], None] | None = None,
    strategies: Mapping[str, str] | None = None,
) -> Evaluation:
    """Carry out a plan.  Raises BudgetSpent with the trace so far when the budget runs out.

    strategies: how to determinize, by the number of the step (from 0, in the order of the trace) or "*" for any step.
    """
    recorder = Recorder(watch, keep, gauge=budget.gauge)
    as_written = plan.name == "textbook"
    plain = "" if rules.STRATEGIES in plan.rules else "subsets"
    requested = strategies or {}

    def strategy() -> str:
        return requested.get(str(len(recorder.records)), requested.get("*", plain))

    atoms = Atoms(system, plan.sorts, budget, raw=as_written)
    sharing = not as_written and rules.CACHE in plan.rules
    closed = ClosedSizes() if as_written else None
    executor = Executor(plan.sorts, atoms, cache, budget, recorder, sharing, plan.rules, closed)
    try:
        with determinization.chosen_by(strategy), determinization.observed() as recorder.outcomes:
            found = executor.backwards(plan)
            result = executor.forwards(plan) if found is None else found
    except BudgetSpent as spent:
        spent.trace = recorder.trace().records
        raise
    return Evaluation(result, recorder.trace(), recorder.met)


@value
class Executor:
    """One evaluation.

    sharing: whether whole steps are looked up in the cache, not only atoms; closed: the sizes that the log gives to
    closed formulas, if not one state.
    """

    sorts: Mapping[str, Sort]
    atoms: Atoms
    cache: Cache
    budget: Budget
    recorder: Recorder
    sharing: bool
    rules: Rules = rules.ALL
    closed: ClosedSizes | None = None

    def forwards(self, plan: Plan) -> Dfa:
        """Return the relation of a plan, carried out on automata in stored order."""
        result = self.atoms.cylindrify(self.valid_result(plan.root), plan.free)
        # Every step has a minimal automaton; that of a large atom is not made twice.
        if result.names != plan.free:
            result = kernel_calls.reorder(result, list(plan.free), self.budget)
        return kernel_calls.renumber(result, self.budget)

    def backwards(self, plan: Plan) -> Dfa | None:
        """Return the relation of a plan, carried out from the other end.

        None if all that it mentions is in stored order, or if the automata become too large.
        """
        if plan.name == "textbook" or rules.BACKWARDS not in self.rules or not has_turned(plan.root):
            return None
        most = min(self.budget.states, MOST_BACKWARDS)
        bounded = replace(self.budget, states=most)
        atoms = replaced(self.atoms, budget=bounded)
        with self.recorder.attempt() as drop:
            try:
                return Backwards(self.sorts, atoms, bounded, self.recorder).relation(plan.root, plan.free)
            except BudgetSpent as spent:
                if spent.resource != "states" or self.budget.states <= most:
                    raise
                drop()
                return None

    def result(self, step: Step) -> Dfa:
        """Return the minimal automaton of a step over the step's variables."""
        try:
            return self.recorded(step)
        except LeavesClass as error:
            error.label = error.label or step.label
            raise

    def recorded(self, step: Step) -> Dfa:
        """Return the result of a step, which is recorded."""
        since = self.recorder.now()
        known = False
        with self.recorder.parts(step.label):
            if not (self.sharing or (isinstance(step, steps.Leaf) and rules.CACHE in self.rules)):
                automaton = self.carried_out(step)
            else:
                automaton, known = self.looked_up(step)
        label = step.label or f"[{text_of(step)}]"
        states = None if self.closed is None else self.closed.states(step, automaton)
        before = known_since(step)
        self.recorder.note(
            label, operation_name(step), automaton, source=bool(step.label), since=since, cached=known or bool(before),
            states=states, known_since=before,
        )
        return automaton

    def looked_up(self, step: Step) -> tuple[Dfa, bool]:
        """Return the automaton of a step, which is stored in the cache, and whether the cache had it already."""
        numbering = Numbering(self.sorts)
        key = (self.atoms.raw, key_of(step, numbering))
        order = {str(number): name for name, number in numbering.order.items()}
        found = self.cache.find(key)
        if found is not None:
            self.recorder.met |= {order[name]: digits for name, digits in found.met.items()}
            return found.automaton.renamed([order[name] for name in found.automaton.names]), True
        since = self.recorder.now()
        automaton = self.carried_out(step)
        numbers = {name: number for number, name in order.items()}
        met = {} if step.variables else {numbers[n]: self.recorder.met[n] for n in numbers if n in self.recorder.met}
        renamed = automaton.renamed([numbers[name] for name in automaton.names])
        self.cache.put(key, Entry(renamed, self.recorder.now() - since, met))
        return automaton, False

    def valid_result(self, step: Step) -> Dfa:
        """Return the automaton of a step, restricted to valid words if raw predicates may accept others."""
        automaton = self.result(step)
        if not self.atoms.raw or not steps.may_be_invalid(step):
            return automaton
        return operations.conjunction(automaton, self.atoms.all_valid(sorted(automaton.names)), self.budget)

    def carried_out(self, step: Step) -> Dfa:
        """Return the automaton of one step, computed by its operation."""
        match step:
            case steps.Constant():
                return operations.true() if step.value else operations.false()
            case steps.Leaf():
                return self.atoms.atom(step.atom)
            case steps.Valid():
                return self.atoms.all_valid(step.variables)
            case steps.Complement():
                return self.complement(self.result(step.body))
            case steps.Combine():
                return self.combine(step)
            case steps.Project():
                body = self.valid_result(step.body)
                if body.tracks and set(body.names) <= set(step.quantified):
                    self.recorder.meet(kernel_calls.shortest_digits(body))
                return operations.exists(body, [n for n in step.quantified if n in body.names], self.budget)
            case steps.Infinite():
                body = self.valid_result(step.body)
                if step.quantified not in body.names:
                    return body
                return operations.infinitely_many(body, step.quantified, self.budget)
            case steps.AtLeast():
                return self.at_least(step)
            case steps.Union():
                return self.union(step)
            case steps.Block():
                return self.blocks.relation(step)
            case steps.Either():
                return self.blocks.cheaper(step)

    @property
    def blocks(self) -> Blocks:
        """The evaluator of blocks."""
        return Blocks(self.result, self.blocks_within, self.atoms, self.budget, self.recorder, self.rules)

    def blocks_within(self, budget: Budget) -> Blocks:
        """Return the evaluator of blocks by another budget."""
        return replaced(self, budget=budget, atoms=replaced(self.atoms, budget=budget)).blocks

    def complement(self, automaton: Dfa) -> Dfa:
        """Return the valid values that the automaton rejects."""
        return operations.complement(automaton, self.atoms.all_valid(sorted(automaton.names)), self.budget)

    def combine(self, step: steps.Combine) -> Dfa:
        """Return the automaton of one binary connective."""
        if step.op == "&":
            return operations.conjunction(self.result(step.left), self.result(step.right), self.budget)
        left, right = self.valid_result(step.left), self.valid_result(step.right)
        left, right = self.atoms.cylindrify(left, step.variables), self.atoms.cylindrify(right, step.variables)
        if step.op == "|":
            return operations.disjunction(left, right, self.budget)
        if step.op == "=>":
            return self.complement(operations.difference(left, right, self.budget))
        different = operations.symmetric_difference(left, right, self.budget)
        return different if step.op == "^" else self.complement(different)

    def at_least(self, step: steps.AtLeast) -> Dfa:
        """Return the automaton of a count.

        A count of alternatives is the sum of the counts of each alternative without the earlier ones.
        """
        apart = rules.COUNTING in self.rules and not self.atoms.raw and step.variables
        conditions = alternatives(step, self.rules) if apart else [step.body]
        if len(conditions) == 1:
            body = self.atoms.cylindrify(self.valid_result(step.body), step.quantified)
            return operations.at_least(body, step.quantified, step.count, self.budget)
        names = sorted({*step.variables, *step.quantified})
        parts: list[Dfa] = []
        for condition in conditions:
            part = self.atoms.cylindrify(self.result(condition), names)
            for other in parts:
                if not kernel_calls.is_empty(kernel_calls.join(part, other, self.budget)):
                    part = operations.difference(part, other, self.budget)
            parts.append(part)
        return operations.at_least_together(parts, step.quantified, step.count, self.budget)

    def union(self, step: steps.Union) -> Dfa:
        """Return the automaton of a disjunction; a closed disjunction stops at the first true part."""
        parts = []
        for part in step.parts:
            result = self.result(part)
            if not step.variables and not kernel_calls.is_empty(result):
                return operations.true()
            if not kernel_calls.is_empty(result):
                parts.append(self.atoms.cylindrify(result, step.variables))
        if not parts:
            return operations.empty([self.sorts[name].track(name) for name in step.variables])
        if len(parts) > 2:
            # One nondeterministic union of all parts is determinized once, instead of a product of products.
            return operations.exists_union(parts, (), self.budget)
        return operations.disjunction(parts[0], parts[1], self.budget) if len(parts) == 2 else parts[0]


def known_since(step: Step) -> str:
    """Return what has evaluated an atom that stands for a part of a formula; "" for any other step."""
    return step.atom.definition.since if isinstance(step, steps.Leaf) and isinstance(step.atom, PredicateAtom) else ""


def operation_name(step: Step) -> str:
    """Return the name of a step's operation, for traces."""
    if isinstance(step, steps.Combine):
        return step.op
    kind = type(step).__name__
    return {"Leaf": "atom", "Project": "exists", "Either": "block"}.get(kind, kind.lower())
