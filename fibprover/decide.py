"""The spine: a formula's way from text to verdict, one call a station.

    parse -> plan -> evaluate -> verdict
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from fibprover.errors import FibproverError, LimitError
from fibprover.evaluate.cache import Cache
from fibprover.evaluate.executor import Evaluation, evaluate
from fibprover.evaluate.trace import Record
from fibprover.limits import Limits
from fibprover.parse.macros import expand_macros
from fibprover.parse.parser import parse_formula
from fibprover.plan.environment import Environment
from fibprover.plan.logic import Scoped
from fibprover.plan.lower import scoped
from fibprover.plan.optimize import optimized
from fibprover.plan.steps import Plan
from fibprover.plan.textbook import textbook
from fibprover.verdict.relation import Relation
from fibprover.verdict.verdict import Evidence, Verdict
from fibprover.verdict.witness import Search

#: The plans there are, by name.
PLANS: Mapping[str, Callable[[Scoped], Plan]] = {"optimized": optimized, "textbook": textbook}


@dataclass(frozen=True, slots=True)
class Options:
    """How to decide: the plan's name, the limits, and who is told of every finished step."""

    plan: str = "optimized"
    limits: Limits = field(default_factory=Limits)
    watch: Callable[[Record], None] | None = None

    def __post_init__(self) -> None:
        if self.plan not in PLANS:
            raise FibproverError(f"there is no plan {self.plan!r}", hint=f"the plans are {' and '.join(sorted(PLANS))}")


def decide(text: str, environment: Environment, cache: Cache, options: Options) -> Verdict | Relation:
    """What a formula says: a Verdict if it is closed, the Relation of its free variables if not."""
    source = parse_formula(expand_macros(text, environment.macros))
    try:
        formula = scoped(source, environment)
        plan = PLANS[options.plan](formula)
        evaluation = evaluate(plan, environment.system, cache, options.limits.start(), options.watch)
    except RecursionError:
        raise too_deep() from None
    return judged(source.text, formula, evaluation, environment, cache, options)


def judged(
    text: str, formula: Scoped, evaluation: Evaluation, environment: Environment, cache: Cache, options: Options
) -> Verdict | Relation:
    """The last station: an automaton without tracks is a truth value, any other a relation."""
    if formula.free:
        return Relation(evaluation.automaton, environment.system, text, evaluation.trace)
    truth = bool(evaluation.automaton.outputs[0])

    def search() -> Evidence | None:
        try:
            return Search(formula, truth, environment.system, cache, options.limits.start()).evidence()
        except RecursionError:
            raise too_deep() from None

    return Verdict(truth, text, options.plan, evaluation.trace, search)


def too_deep() -> LimitError:
    """What a formula gets whose terms and quantifiers are nested beyond Python's stack."""
    return LimitError("the formula is nested too deeply", hint="define a part of it under a name of its own")
