"""Bounded quantifiers that cost too much to be built are learned from the recursion that they satisfy by themselves.

`Ak k<t => psi` is L(...,t) for the relation L(...,z) that holds if z=0, or if z=k+1, L(...,k) and psi(k); with E it is
the same with an or.  Here z is a variable of its own: psi may mention t as well.  Other conditions on k beside the
bound, such as i<=k, belong to psi.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, count
from time import monotonic

from fibprover.base.errors import BudgetSpent, FibproverError, Unsolved
from fibprover.base.limits import Budget, Limits, spending
from fibprover.base.values import replaced
from fibprover.language.formula import (
    Arithmetic,
    Binary,
    Call,
    Compare,
    Formula,
    InSystem,
    Not,
    Number,
    Quantified,
    Source,
    Span,
    Term,
    Variable,
    nodes,
    parse,
)
from fibprover.prover.bind import bind, free_occurrences
from fibprover.prover.decide import Options, decide
from fibprover.prover.environment import Definition, Environment
from fibprover.prover.evaluate.cache import Cache
from fibprover.prover.evaluate.trace import Record, Trace
from fibprover.prover.plan.rules import LEARN
from fibprover.prover.verdict.relation import Relation
from fibprover.prover.verdict.verdict import Verdict

#: A formula with bounded quantifiers is evaluated for so many seconds; then these are learned, for LEARNING times as
#: long each; if that fails, both have MORE times as many.
FIRST_SECONDS = 10.0
LEARNING = 2
MORE = 4

#: How k may be compared with its bound t: the operators of `k op t`, with what is added to t, and those of `t op k`.
_BELOW: Mapping[str, int] = {"<": 0, "<=": 1}
_ABOVE: Mapping[str, int] = {">": 0, ">=": 1}


@dataclass(frozen=True, slots=True)
class Bounded:
    """A bounded quantifier.

    bound, more: its variable is less than bound + more; body: the rest, as a text; parameters: the variables of the
    body but its own, each with a place where it stands; system: the `?system` around it, "" without one.
    """

    node: Quantified
    comparison: Compare
    bound: Term
    more: int
    body: str
    parameters: Mapping[str, Span]
    system: str

    @property
    def variable(self) -> str:
        """The variable that is bound."""
        return self.node.variables[0].name

    def recursion(self, name: str, top: str) -> str:
        """Return the formula of its relation, under a name, with a variable for the bound."""
        below = f"${name}({','.join(self.arranged(top, self.variable))})"
        step = f"{top}={self.variable}+1"
        if self.node.kind == "A":
            return f"{self.system}{top}=0 | E{self.variable} {step} & {below} & ({self.body})"
        return f"{self.system}E{self.variable} {step} & ({below} | ({self.body}))"

    def formula(self, top: str) -> str:
        """Return the relation as a formula without a recursion."""
        link = "=>" if self.node.kind == "A" else "&"
        return f"{self.system}{self.node.kind}{self.variable} {self.variable}<{top} {link} ({self.body})"

    def arranged(self, top: str, value: str) -> list[str]:
        """Return the arguments of a call: the parameters, and a value for the bound, in the order of the names."""
        return [value if name == top else name for name in sorted({*self.parameters, top})]

    def call(self, name: str, top: str) -> Call:
        """Return the call of its relation that stands for it.

        A place in the text tells a node from others, so each argument has one of its own.
        """
        value = self.bound
        if self.more:
            one = Number(self.more, self.node.variables[0].span)
            value = Arithmetic("+", value, one, self.comparison.span)
        arguments = tuple(
            value if argument == top else Variable(argument, self.parameters[argument])
            for argument in sorted({*self.parameters, top})
        )
        return Call(name, arguments, self.node.span, self.node.span)


def bounded_quantifiers(source: Source) -> list[Bounded]:
    """Return the innermost bounded quantifiers of a formula."""
    return list(_inside(source, source.formula, ""))


def _inside(source: Source, node: Formula, system: str) -> Iterator[Bounded]:
    """Yield those of a part of a formula."""
    match node:
        case Quantified():
            inner = list(_inside(source, node.body, system))
            own = None if inner else _bounded(source, node, system)
            yield from [own] if own else inner
        case Not():
            yield from _inside(source, node.body, system)
        case InSystem():
            yield from _inside(source, node.body, f"?{node.system} ")
        case Binary():
            yield from _inside(source, node.left, system)
            yield from _inside(source, node.right, system)


def _bounded(source: Source, node: Quantified, system: str) -> Bounded | None:
    """Return a quantifier as a bounded one; None if it is none."""
    link = {"A": "=>", "E": "&"}.get(node.kind)
    body = node.body
    if node.relation or len(node.variables) != 1 or not isinstance(body, Binary) or body.op != link:
        return None
    variable = node.variables[0].name
    conditions = _conjuncts(body.left if node.kind == "A" else body)
    for place, condition in enumerate(conditions):
        found = _upper_bound(condition, variable)
        if found is None:
            continue
        others = [*conditions[:place], *conditions[place + 1 :]]
        rest = others + ([body.right] if node.kind == "A" else [])
        if not any(each.name == variable for part in rest for each in free_occurrences(part)):
            return None
        texts = [f"({source.slice(part.span)})" for part in rest]
        text = f"~({' & '.join(texts[:-1])}) | {texts[-1]}" if node.kind == "A" and others else " & ".join(texts)
        places = {each.name: each.span for part in rest for each in free_occurrences(part) if each.name != variable}
        return Bounded(node, *found, text, places, system)
    return None


def _conjuncts(node: Formula) -> list[Formula]:
    if isinstance(node, Binary) and node.op == "&":
        return [*_conjuncts(node.left), *_conjuncts(node.right)]
    return [node]


def _upper_bound(node: Formula, variable: str) -> tuple[Compare, Term, int] | None:
    """Return the comparison with t and 0 for k<t or t>k, with t and 1 for k<=t or t>=k; None for anything else.

    A bound that can be undefined, such as n-1, is none: where it is, the comparison is false for all k.
    """
    if not isinstance(node, Compare):
        return None
    for own, other, added in ((node.left, node.right, _BELOW), (node.right, node.left, _ABOVE)):
        if isinstance(own, Variable) and own.name == variable and node.op in added and _is_bound(other, variable):
            return node, other, added[node.op]
    return None


def _is_bound(term: Term, variable: str) -> bool:
    match term:
        case Number():
            return True
        case Variable():
            return term.name != variable
        case Arithmetic(op="+" | "*"):
            return _is_bound(term.left, variable) and _is_bound(term.right, variable)
    return False


# -- evaluation ----------------------------------------------------------------------------------


def decide_or_learn(
    formula: str | Source, environment: Environment, cache: Cache, options: Options,
    systems: Mapping[str, str] | None = None,
) -> Verdict | Relation:
    """Decide a formula as `decide` does; what takes long because of its bounded quantifiers is learned instead.

    Nothing changes for formulas that are decided within FIRST_SECONDS.
    """
    source = parse(formula, environment.macros) if isinstance(formula, str) else formula
    if not _may_learn(environment, options) or not bounded_quantifiers(source):
        return decide(source, environment, cache, options, systems)
    with spending(options.limits.start()) as budget:
        return _Attempts(source, environment, cache, options, systems, budget).outcome()


def _may_learn(environment: Environment, options: Options) -> bool:
    """Return whether the rule is in force; steps that the user numbers have to be those of the formula alone."""
    written = options.plan == "textbook" or options.keep is not None or bool(options.strategies)
    return LEARN in options.enabled_rules and not written and not environment.shared_digits


class _Attempts:
    """The evaluation of a formula in turns with learning its bounded quantifiers."""

    def __init__(
        self, source: Source, environment: Environment, cache: Cache, options: Options,
        systems: Mapping[str, str] | None, budget: Budget,
    ) -> None:
        self.source = source
        self.environment = environment
        self.cache = cache
        self.options = options
        self.systems = systems
        self.budget = budget
        #: What was learned, and the places of quantifiers that cannot be.
        self.records: list[Record] = []
        self.hopeless: set[Span] = set()

    def outcome(self) -> Verdict | Relation:
        """Return the outcome."""
        seconds = FIRST_SECONDS
        while left := [each for each in bounded_quantifiers(self.source) if each.node.span not in self.hopeless]:
            try:
                return self.decided(self.options.limits.within(seconds))
            except BudgetSpent as spent:
                if self.budget.seconds_left() <= 0:
                    raise
                patience = seconds * LEARNING if spent.resource == "seconds" else None
            learned = [self.learn(each, patience) for each in left]
            if not any(learned):
                seconds *= MORE
        return self.decided(self.options.limits)

    def decided(self, limits: Limits) -> Verdict | Relation:
        """Decide the formula within limits, which are not those of what its value computes later."""
        options = replace(self.options, limits=limits)
        outcome = decide(self.source, self.environment, self.cache, options, self.systems)
        trace = outcome.trace
        if self.records and trace is not None:
            largest = max(trace.largest, *(record.states for record in self.records))
            trace = Trace((*self.records, *trace.records), largest, trace.seconds)
        if isinstance(outcome, Verdict):
            return replace(outcome, limits=self.options.limits, trace=trace or outcome.trace)
        return replace(outcome, trace=trace)

    def learn(self, bounded: Bounded, seconds: float | None) -> bool:
        """Put a learned relation in place of a bounded quantifier; return whether that was possible."""
        from fibprover.learn.solving import solve  # late: few formulas need it

        used = {each.name for each in nodes(self.source.formula) if isinstance(each, Variable)}
        top = _unused("z", lambda other: other in used)
        name = _unused("learned", lambda other: other in self.environment.definitions)
        since = monotonic()
        options = Options(limits=self.options.limits.within(seconds), without=self.options.without)
        try:
            found = solve({name: bounded.recursion(name, top)}, self.environment, options, by=top)
        except BudgetSpent:
            if self.budget.seconds_left() <= 0:
                raise
            return False
        except Unsolved:
            if seconds is None or monotonic() - since < seconds:
                self.hopeless.add(bounded.node.span)
            return False
        except FibproverError:
            self.hopeless.add(bounded.node.span)
            return False
        definition = Definition(name, found.relation.automaton, bounded.formula(top))
        if not self.replaced(bounded, definition, top):
            self.hopeless.add(bounded.node.span)
            return False
        automaton, theorem = definition.automaton, found.theorem
        label = (
            f"[{self.source.slice(bounded.node.span)}: learned, {theorem.rounds} rounds, proved by induction on {top}]"
        )
        took = theorem.learning + theorem.proving
        record = Record(label, "learn", automaton.states, automaton.transitions, took, False, 0, took)
        self.records.append(record)
        if self.options.watch is not None:
            self.options.watch(record)
        return True

    def replaced(self, bounded: Bounded, definition: Definition, top: str) -> bool:
        """Put the call of a definition in place of a bounded quantifier, unless that gives a variable another sort."""
        call = bounded.call(definition.name, top)
        source = Source(self.source.text, _with(self.source.formula, bounded.node.span, call))
        own = {definition.name: definition}
        definitions: ChainMap[str, Definition] = ChainMap(own, self.environment.definitions)  # type: ignore[arg-type]
        environment = replace(self.environment, definitions=definitions)
        try:
            before = bind(self.source, self.environment, self.systems)
            after = bind(source, environment, self.systems)
        except FibproverError:
            return False
        if after.overridden != before.overridden or any(
            before.sorts.get(name, sort) != sort for name, sort in after.sorts.items()
        ):
            return False
        self.source, self.environment = source, environment
        return True


def _with(node: Formula, place: Span, call: Call) -> Formula:
    """Return a formula with a call in place of the quantifier that stands there."""
    match node:
        case Quantified() if node.span == place:
            return call
        case Quantified() | Not() | InSystem():
            return replaced(node, body=_with(node.body, place, call))
        case Binary():
            return replaced(node, left=_with(node.left, place, call), right=_with(node.right, place, call))
    return node


def _unused(name: str, is_used: Callable[[str], bool]) -> str:
    """Return a name that is not used: this one, or one with a number."""
    names = chain([name], (f"{name}{number}" for number in count(1)))
    return next(each for each in names if not is_used(each))
