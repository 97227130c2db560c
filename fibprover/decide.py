"""The spine: a formula's way from text to verdict, one call a station.

    parse -> plan -> evaluate -> verdict
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fibprover.errors import FibproverError, LimitError
from fibprover.evaluate.cache import Cache
from fibprover.evaluate.executor import Evaluation, evaluate
from fibprover.evaluate.trace import Record
from fibprover.limits import Limits
from fibprover.plan.environment import Environment
from fibprover.plan.logic import ResolvedFormula
from fibprover.plan.lower import resolve
from fibprover.plan.optimize import optimized
from fibprover.plan.rules import Rules, without
from fibprover.plan.steps import Plan
from fibprover.plan.textbook import textbook
from fibprover.syntax.formula import Source, parse_formula
from fibprover.syntax.macros import expand_macros
from fibprover.verdict.evidence import Search
from fibprover.verdict.relation import Relation
from fibprover.verdict.verdict import Evidence, Verdict

if TYPE_CHECKING:
    from fibprover.automata.dfa import Dfa
    from fibprover.verdict.vacuity import VacuousPart

#: The plans there are, by name.
PLANS: Mapping[str, Callable[[ResolvedFormula, Rules], Plan]] = {"optimized": optimized, "textbook": textbook}


@dataclass(frozen=True, slots=True)
class Options:
    """How to decide: the plan's name, the limits, who is told of every finished step (and given its automaton),
    the rules switched off."""

    plan: str = "optimized"
    limits: Limits = field(default_factory=Limits)
    watch: Callable[[Record], None] | None = None
    without: frozenset[str] = frozenset()
    keep: Callable[[Record, Dfa], None] | None = None

    def __post_init__(self) -> None:
        without(self.without)
        if self.plan not in PLANS:
            raise FibproverError(f"there is no plan {self.plan!r}", hint=f"the plans are {' and '.join(sorted(PLANS))}")


def decide(text: str, environment: Environment, cache: Cache, options: Options) -> Verdict | Relation:
    """What a formula says: a Verdict if it is closed, the Relation of its free variables if not."""
    source = parse_formula(expand_macros(text, environment.macros))
    try:
        formula = resolve(source, environment)
        evaluation = evaluated(formula, environment, cache, options)
    except RecursionError:
        raise too_deep() from None
    return judged(source, formula, evaluation, environment, cache, options)


def evaluated(formula: ResolvedFormula, environment: Environment, cache: Cache, options: Options) -> Evaluation:
    """The two stations in the middle."""
    plan = PLANS[options.plan](formula, without(options.without))
    return evaluate(plan, environment.system, cache, options.limits.start(), options.watch, options.keep)


def judged(
    source: Source, formula: ResolvedFormula, evaluation: Evaluation, environment: Environment, cache: Cache,
    options: Options,
) -> Verdict | Relation:
    """The last station: an automaton without tracks is a truth value, any other a relation."""
    if formula.free:
        return Relation(evaluation.automaton, environment.system, source.text, evaluation.trace)
    truth = bool(evaluation.automaton.outputs[0])

    def search() -> Evidence | None:
        try:
            return Search(formula, truth, environment.system, cache, options.limits.start()).evidence()
        except RecursionError:
            raise too_deep() from None

    def inspect(deep: bool) -> tuple[VacuousPart, ...]:
        from fibprover.verdict.vacuity import vacuous_parts  # seldom asked for, and a cold start is to be quick

        def automaton(changed: ResolvedFormula) -> Dfa:
            return evaluated(changed, environment, cache, options).automaton

        try:
            return vacuous_parts(source, formula, environment, automaton, deep=deep)
        except RecursionError:
            raise too_deep() from None

    return Verdict(truth, source.text, options.plan, evaluation.trace, search, inspect)


def too_deep() -> LimitError:
    """What a formula gets whose terms and quantifiers are nested beyond Python's stack."""
    return LimitError("the formula is nested too deeply", hint="define a part of it under a name of its own")
