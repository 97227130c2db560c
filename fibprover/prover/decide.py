"""The stations between the text of a formula and its verdict, one call each; a typed value goes from one to the next.

    parse     text            -> Source             language/parser.py
    bind      Source          -> BoundFormula       bind.py
    lower     BoundFormula    -> ResolvedFormula    lower.py
    recognize ResolvedFormula -> ResolvedFormula    comparisons.py, known.py
    plan      ResolvedFormula -> Plan               plan/optimize.py, plan/textbook.py
    evaluate  Plan            -> Evaluation         evaluate/executor.py
    judge     Evaluation      -> Verdict | Relation here
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from fibprover.automata.prefixes import LeavesClass
from fibprover.base.errors import FibproverError, NotSupported, TypeMismatch, nested_too_deeply
from fibprover.base.limits import UNLIMITED, Budget, Limits, check_limits, spending
from fibprover.base.names import PARAMETER
from fibprover.language.parser import read
from fibprover.language.source import Source
from fibprover.language.tree import Formula, InSystem, Variable, conjunction
from fibprover.numeration.slope_sets import SlopeSet
from fibprover.prover.bind import BoundFormula, bind
from fibprover.prover.comparisons import with_known_predicates
from fibprover.prover.environment import Environment, over_family
from fibprover.prover.evaluate.cache import Cache, Entry
from fibprover.prover.evaluate.executor import Evaluation, evaluate
from fibprover.prover.evaluate.trace import Record
from fibprover.prover.known import keep, with_known_parts
from fibprover.prover.logic import ResolvedFormula
from fibprover.prover.lower import lower
from fibprover.prover.plan.optimize import PLANS
from fibprover.prover.plan.rules import CACHE, Rules, without
from fibprover.prover.verdict.relation import Relation
from fibprover.prover.verdict.slopes import FamilyRelation, SlopeVerdict
from fibprover.prover.verdict.verdict import Verdict

if TYPE_CHECKING:
    from fibprover.automata.dfa import Dfa


@dataclass(frozen=True, slots=True)
class Options:
    """How to decide a formula.

    plan: the plan's name; limits: of each evaluation; watch: is called with the record of every finished step;
    keep: is called with its automaton as well; without: the rules that are switched off; overridable: whether the
    system of a word or predicate may override a `?`, as in scripts of Walnut; otherwise that is an error; strategies:
    how to determinize, see `fibprover.prover.evaluate.executor.evaluate`; evidence: whether verdicts have evidence;
    line: that of the script in which the formula stands, 0 if it stands in none.
    """

    plan: str = "optimized"
    limits: Limits = field(default_factory=Limits)
    watch: Callable[[Record], None] | None = None
    without: frozenset[str] = frozenset()
    keep: Callable[[Record, Dfa], None] | None = None
    overridable: bool = False
    strategies: Mapping[str, str] = field(default_factory=dict)
    evidence: bool = True
    line: int = 0

    def __post_init__(self) -> None:
        without(self.without)
        check_limits(self.limits)
        if self.plan not in PLANS:
            raise FibproverError(f"unknown plan {self.plan!r}", hint=f"the plans are {' and '.join(sorted(PLANS))}")

    @property
    def enabled_rules(self) -> Rules:
        """The rules of the optimized plan that are not switched off."""
        return without(self.without)

    @property
    def as_written(self) -> bool:
        """Whether the steps have to be those of the formula as it is written, since the user numbers or keeps them."""
        return self.plan == "textbook" or self.keep is not None or bool(self.strategies)

    def recognized(self, resolved: ResolvedFormula, environment: Environment) -> ResolvedFormula:
        """Return a formula with the predicates of words that it spells out, if they were made before."""
        if self.as_written:
            return resolved
        if PARAMETER in resolved.free:
            return resolved  # predicates of words over a family are called by their names
        return with_known_predicates(resolved, environment.of_words, self.enabled_rules)


def decide(
    formula: str | Formula | Source, environment: Environment, cache: Cache, options: Options,
    systems: Mapping[str, str] | None = None,
) -> Verdict | Relation:
    """Decide a formula: return a Verdict if it is closed, the Relation of its free variables if not.

    formula: a text, a tree, or what `read` has made of either; systems: see `fibprover.prover.bind.bind`.  Raises
    TextErrors with the place, BudgetSpent, LimitError.
    """
    with spending(options.limits.start()) as budget:
        source = read(formula, environment.macros)
        environment = around(source, environment, budget)
        try:
            bound = bind(source, environment, systems)
            if bound.overridden and not (options.overridable or environment.shared_digits):
                raise overridden_error(bound)
            resolved = lower(bound, environment)
            recognized = options.recognized(resolved, environment)
            remembers = not options.as_written and CACHE in options.enabled_rules
            known = with_known_parts(recognized, cache) if remembers else recognized
            evaluation = _evaluated(source, known, environment, cache, budget, options)
            if remembers:
                since = f"line {options.line}" if options.line else source.text
                keep(recognized, Entry(evaluation.automaton, evaluation.trace.cpu_seconds, {}, since=since), cache)
            outcome = judge(source, resolved, evaluation, environment, cache, options)
            if not systems or isinstance(outcome, Verdict):
                return outcome
            return replace(outcome, origin=with_systems(source, environment, systems))
        except RecursionError:
            raise nested_too_deeply() from None


def around(source: Source, environment: Environment, budget: Budget = UNLIMITED) -> Environment:
    """Return the environment in which a formula is bound: what it calls over all slopes may be meant at one of them."""
    if not over_family(source, environment):
        return environment
    from fibprover.prover.one_slope import at_one_slope  # late: few formulas need it

    return at_one_slope(source, environment, budget)


def _evaluated(
    source: Source, resolved: ResolvedFormula, environment: Environment, cache: Cache, budget: Budget, options: Options
) -> Evaluation:
    """Carry out the plan of a formula; if it leaves what can be said over a family, that of the formula as written.

    Raises NotSupported with the place if that leaves it as well.
    """
    for name in dict.fromkeys((options.plan, "textbook")):
        plan = PLANS[name](resolved, options.enabled_rules)
        try:
            return evaluate(plan, environment.system, cache, budget, options.watch, options.keep, options.strategies)
        except LeavesClass as error:
            label = error.label
    start = max(source.text.find(label), 0)
    raise NotSupported(
        f"no beginning of a {resolved.names[PARAMETER]} settles what this says, so that it cannot be a part of a"
        " formula over a family",
        source.text, start, start + len(label) if label in source.text and label else len(source.text),
        hint="bound the variable by others, as in j<2*i+5; a closed formula may ask for all of the slope, "
        "such as Ej,p ... without the quantifier in front",
    )


def with_systems(source: Source, environment: Environment, systems: Mapping[str, str]) -> Source | Formula:
    """Return a formula that says itself what systems are chosen for its free variables: x has one in `?msd_fib x=x`."""
    chosen, own = bind(source, environment, systems), bind(source, environment)
    said = [name for name in chosen.free if name in systems and chosen.sorts[name] != own.sorts[name]]
    pins = [InSystem(systems[name], Variable(name).eq(Variable(name))) for name in said]
    return conjunction([source.formula, *pins]) if pins else source


def overridden_error(bound: BoundFormula) -> TypeMismatch:
    """Return the error about the first `?` that the system of a word or predicate overrides."""
    first = bound.overridden[0]
    return TypeMismatch(str(first), bound.source.text, first.span.start, first.span.end, hint=first.hint)


def judge(
    source: Source, formula: ResolvedFormula, evaluation: Evaluation, environment: Environment, cache: Cache,
    options: Options,
) -> Verdict | Relation:
    """Return a truth value for an automaton without tracks, a relation for any other one."""
    if formula.free == (PARAMETER,):
        slopes = SlopeSet(evaluation.automaton)
        return SlopeVerdict(
            slopes.answer == "every", source, options.plan, evaluation.trace, formula, options.limits,
            options.enabled_rules, environment, cache, options.watch, slopes=slopes,
        )
    if PARAMETER in formula.free:
        return FamilyRelation(
            evaluation.automaton, environment.system, source, evaluation.trace, options.limits,
            environment.default_system,
        )
    if formula.free:
        return Relation(
            evaluation.automaton, environment.system, source, evaluation.trace, options.limits,
            environment.default_system,
        )
    truth = bool(evaluation.automaton.outputs[0])
    return Verdict(
        truth, source, options.plan, evaluation.trace, formula, options.limits, options.enabled_rules, environment,
        cache, options.watch, evaluation.met, options.evidence,
    )
