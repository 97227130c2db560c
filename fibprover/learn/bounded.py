"""Learn the relation of an expensive bounded quantifier from the recursion it satisfies.

`Ak k<t => psi` is L(...,t) for the relation L(...,z) that holds if z=0, or if z=k+1, L(...,k) and psi(k); with E it is
the same with an or.  Here z is a variable of its own: psi may mention t as well.  Other conditions on k beside the
bound, such as i<=k, belong to psi.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count
from typing import TYPE_CHECKING

from fibprover.base.errors import BudgetSpent, FibproverError, LimitError, Unsolved
from fibprover.base.limits import Budget, Limits, cpu_clock, spending
from fibprover.base.values import replaced
from fibprover.language.builder import call, exists, forall
from fibprover.language.parser import read
from fibprover.language.source import Occurrence, Source, Span, made_at, numbered, replaced_at
from fibprover.language.tree import (
    Arithmetic,
    Binary,
    Call,
    Compare,
    Formula,
    InSystem,
    Not,
    Number,
    Quantified,
    Term,
    Variable,
    WordValue,
    all_names,
    conjunction,
    nodes,
    unused,
)
from fibprover.learn.theorem import Effort
from fibprover.prover.bind import bind
from fibprover.prover.comparisons import Comparison, comparisons
from fibprover.prover.decide import Options, decide, with_systems
from fibprover.prover.environment import Definition, Environment, over_family
from fibprover.prover.evaluate.cache import Cache, Entry
from fibprover.prover.evaluate.trace import Record
from fibprover.prover.known import keep, known_relation
from fibprover.prover.logic import ResolvedFormula
from fibprover.prover.lower import lower
from fibprover.prover.plan.rules import CACHE, LEARN, RECOGNIZE
from fibprover.prover.verdict.relation import Relation
from fibprover.prover.verdict.verdict import Verdict

if TYPE_CHECKING:
    from fibprover.automata.dfa import Dfa

#: A formula with bounded quantifiers is evaluated for so many seconds; then these are learned, for LEARNING times as
#: long each; if that fails, both have MORE times as many.  What is decided within the part QUICK of the time does not
#: have to be learned.
FIRST_SECONDS = 10.0
LEARNING = 2
MORE = 4
QUICK = 0.02

#: A formula that spells out predicates of words which are not known is evaluated for the first number of seconds, then
#: these are made within the second number, and so on.
TURNS = ((0.25, 2.0), (2.0, 8.0))
GENERAL_TURNS = ((0.25, FIRST_SECONDS),)

#: How k may be compared with its bound t: the operators of `k op t`, with what is added to t, and those of `t op k`.
_BELOW: Mapping[str, int] = {"<": 0, "<=": 1}
_ABOVE: Mapping[str, int] = {">": 0, ">=": 1}


@dataclass(frozen=True, slots=True)
class Bounded:
    """A bounded quantifier.

    at: where it stands; variable: the one that it binds, which is less than bound + more; body: what it says of the
    values below the bound; parameters: the other free variables of the body; system: the `?system` around it, ""
    without one.
    """

    at: Occurrence
    kind: str
    variable: Variable
    bound: Term
    more: int
    body: Formula
    parameters: tuple[str, ...]
    system: str

    def recursion(self, name: str, top: str) -> Formula:
        """Return the formula of its relation, under a name, with a variable for the bound."""
        z = Variable(top)
        below, step = self._call(name, top, self.variable), z.eq(self.variable + 1)
        if self.kind == "A":
            return self._in_system(z.eq(0) | exists(self.variable, step & below & self.body))
        return self._in_system(exists(self.variable, step & (below | self.body)))

    def formula(self, top: str) -> Formula:
        """Return the relation as a formula without a recursion."""
        within = self.variable < Variable(top)
        if self.kind == "A":
            return self._in_system(forall(self.variable, within >> self.body))
        return self._in_system(exists(self.variable, within & self.body))

    def call(self, name: str, top: str) -> Call:
        """Return the call of its relation that stands for it."""
        return self._call(name, top, self.bound + self.more if self.more else self.bound)

    def names(self, top: str) -> list[str]:
        """Return the names of the tracks of its relation, in order."""
        return sorted({*self.parameters, top})

    def _call(self, name: str, top: str, value: Term) -> Call:
        """Return a call: the parameters, and a value for the bound, in the order of the names."""
        return call(name, *(value if each == top else Variable(each) for each in self.names(top)))

    def _in_system(self, formula: Formula) -> Formula:
        return InSystem(self.system, formula) if self.system else formula


def bounded_quantifiers(source: Source) -> list[Bounded]:
    """Return the innermost bounded quantifiers of a formula."""
    return list(_inside(source.root, ""))


def _inside(at: Occurrence, system: str) -> Iterator[Bounded]:
    """Yield those of a part of a formula."""
    match at.node:
        case Quantified():
            inner = list(_inside(at.below[0], system))
            own = None if inner else _bounded(at, at.node, system)
            yield from [own] if own else inner
        case InSystem(system=name):
            yield from _inside(at.below[0], name)
        case Not() | Binary():
            for part in at.below:
                yield from _inside(part, system)


def _bounded(at: Occurrence, node: Quantified, system: str) -> Bounded | None:
    """Return a quantifier as a bounded one; None if it is none."""
    link = {"A": "=>", "E": "&"}.get(node.kind)
    body = node.body
    if node.relation or len(node.variables) != 1 or not isinstance(body, Binary) or body.op != link:
        return None
    (variable,) = node.variables
    conditions = _conjuncts(body.left if node.kind == "A" else body)
    for place, condition in enumerate(conditions):
        found = _upper_bound(condition, variable)
        if found is None:
            continue
        others = [*conditions[:place], *conditions[place + 1 :]]
        said = _body(node.kind, others, body.right)
        if variable.name not in said.free:
            return None
        parameters = tuple(name for name in said.free if name != variable.name)
        return Bounded(at, node.kind, variable, *found, said, parameters, system)
    return None


def _body(kind: str, others: Sequence[Formula], right: Formula) -> Formula:
    """Return what a bounded quantifier says of the values below its bound; others: the other conditions on them."""
    if kind == "E":
        return conjunction(others)
    return ~conjunction(others) | right if others else right


def _conjuncts(node: Formula) -> list[Formula]:
    if isinstance(node, Binary) and node.op == "&":
        return [*_conjuncts(node.left), *_conjuncts(node.right)]
    return [node]


def _upper_bound(node: Formula, variable: Variable) -> tuple[Term, int] | None:
    """Return t and 0 for k<t or t>k, t and 1 for k<=t or t>=k; None for anything else.

    A bound that can be undefined, such as n-1, is none: where it is, the comparison is false for all k.
    """
    if not isinstance(node, Compare):
        return None
    for own, other, added in ((node.left, node.right, _BELOW), (node.right, node.left, _ABOVE)):
        if own == variable and node.op in added and _is_bound(other, variable):
            return other, added[node.op]
    return None


def _is_bound(term: Term, variable: Variable) -> bool:
    match term:
        case Number():
            return True
        case Variable():
            return term != variable
        case Arithmetic(op="+" | "*"):
            return _is_bound(term.left, variable) and _is_bound(term.right, variable)
    return False


def _compares_letters(source: Source) -> bool:
    """Return whether one quantified variable is in the indices of two letters: else no predicate is spelled out.

    This is asked of every formula, and takes less time than binding it.
    """
    for node in nodes(source.formula):
        if isinstance(node, Quantified) and not node.relation and len(node.variables) == 1:
            letters = (each for each in nodes(node.body) if isinstance(each, WordValue))
            if sum(node.variables[0] in nodes(letter) for letter in letters) >= 2:
                return True
    return False


# -- evaluation ----------------------------------------------------------------------------------


def decide_or_learn(
    formula: str | Formula | Source, environment: Environment, cache: Cache, options: Options,
    systems: Mapping[str, str] | None = None,
) -> Verdict | Relation:
    """Decide a formula as `decide` does; what takes long because of its bounded quantifiers is learned instead.

    Nothing changes for formulas that are decided within FIRST_SECONDS.
    """
    source = read(formula, environment.macros)
    if over_family(source, environment):
        return decide(source, environment, cache, options, systems)  # nothing is learned for all slopes at once
    if options.as_written or environment.shared_digits or not options.enabled_rules & {LEARN, RECOGNIZE}:
        return decide(source, environment, cache, options, systems)
    with spending(options.limits.start()) as budget:
        evaluation = _TimedEvaluation(source, environment, cache, options, systems, budget)
        soon = evaluation.by_predicates()
        return evaluation.outcome() if soon is None else soon


class _TimedEvaluation:
    """The evaluation of a formula in turns with learning its bounded quantifiers."""

    def __init__(
        self, source: Source, environment: Environment, cache: Cache, options: Options,
        systems: Mapping[str, str] | None, budget: Budget,
    ) -> None:
        self.given = self.source = source
        self.environment = environment
        self.cache = cache
        self.options = options
        self.systems = systems
        self.budget = budget
        #: What was learned, and the places of quantifiers that cannot be.
        self.records: list[Record] = []
        self.hopeless: set[Span] = set()

    def by_predicates(self) -> Verdict | Relation | None:
        """Return the outcome if the formula spells out predicates of words that are not known, and it comes soon.

        The formula is evaluated as it is, then the predicates are made, in turns that grow; if each predicate is
        spelled out in general, the formula costs what they cost, and they have the time at once.  None where there are
        no such predicates, where they are known now, or where either takes long.
        """
        wanted = self.unknown_predicates()
        if not wanted:
            return None
        general = all(each.is_general for each in wanted)
        for seconds, making in GENERAL_TURNS if general else TURNS:
            try:
                return self.decided(self.options.limits.within(seconds))
            except BudgetSpent:
                if self.budget.seconds_left() <= 0:
                    raise
            try:
                self.make(wanted, making)
                return None
            except (BudgetSpent, LimitError, Unsolved):
                if self.budget.seconds_left() <= 0:
                    raise
        return None

    def unknown_predicates(self) -> list[Comparison]:
        """Return the comparisons of letters whose predicates were not made before."""
        of_words = self.environment.of_words
        if of_words is None or RECOGNIZE not in self.options.enabled_rules or not _compares_letters(self.source):
            return []
        try:
            resolved = lower(bind(self.source, self.environment, self.systems), self.environment)
        except RecursionError:
            return []  # `decide` says so
        found = {(each.kind, each.letters.key): each for each in comparisons(resolved)}
        return [each for each in found.values() if of_words.known(each.kind, each.letters) is None]

    def make(self, wanted: Sequence[Comparison], seconds: float) -> None:
        """Make predicates of words, within so many seconds for all of them."""
        of_words = self.environment.of_words
        assert of_words is not None
        with spending(self.options.limits.within(seconds).start()):
            for each in wanted:
                since = cpu_clock()
                automaton = of_words.made(each.kind, each.letters).automaton
                took = cpu_clock() - since
                self.record(f"[{each.name}]", "predicate", automaton, took)

    def record(self, label: str, operation: str, automaton: Dfa, took: float) -> None:
        """Add what was learned or made to the trace."""
        record = Record(label, operation, automaton.states, automaton.transitions, took, False, 0, took)
        self.records.append(record)
        if self.options.watch is not None:
            self.options.watch(record)

    def outcome(self) -> Verdict | Relation:
        """Return the outcome."""
        self.recall()
        seconds = FIRST_SECONDS
        learns = LEARN in self.options.enabled_rules
        while left := self.quantifiers() if learns else []:
            try:
                return self.decided(self.options.limits.within(seconds))
            except BudgetSpent as spent:
                if self.budget.seconds_left() <= 0:
                    raise
                patience = seconds * LEARNING if spent.resource == "seconds" else None
            costly = [each for each in left if not self.is_quick(each, QUICK * seconds)]
            learned = [self.learn(each, patience) for each in costly]
            if not any(learned):
                seconds *= MORE
        return self.decided(self.options.limits)

    def quantifiers(self) -> list[Bounded]:
        """Return the bounded quantifiers that may be learned."""
        return [each for each in bounded_quantifiers(self.source) if each.at.span not in self.hopeless]

    def decided(self, limits: Limits) -> Verdict | Relation:
        """Decide the formula within limits, which are not those of what its value computes later."""
        options = replace(self.options, limits=limits)
        outcome = decide(self.source, self.environment, self.cache, options, self.systems)
        trace = outcome.trace
        if self.records and trace is not None:
            largest = max(trace.largest, *(record.states for record in self.records))
            trace = replaced(trace, records=(*self.records, *trace.records), largest=largest)
        if isinstance(outcome, Verdict):
            return replace(outcome, limits=self.options.limits, trace=trace or outcome.trace)
        return replace(outcome, trace=trace, origin=with_systems(self.given, self.environment, self.systems or {}))

    def is_quick(self, bounded: Bounded, seconds: float) -> bool:
        """Return whether a bounded quantifier is decided within so many seconds, so that others are what takes long.

        It is not learned afterwards.
        """
        options = Options(limits=self.options.limits.within(seconds), without=self.options.without)
        try:
            decide(bounded.formula(self.top()), self.environment, self.cache, options, self.systems)
        except BudgetSpent:
            if self.budget.seconds_left() <= 0:
                raise
            return False
        except FibproverError:
            return False  # learning it says what is wrong
        self.hopeless.add(bounded.at.span)
        return True

    def learn(self, bounded: Bounded, seconds: float | None) -> bool:
        """Put a learned relation in place of a bounded quantifier; return whether that was possible."""
        from fibprover.learn.solving import solve  # late: few formulas need it

        top, name = self.top(), self.unused_predicate()
        since = cpu_clock()
        options = Options(limits=self.options.limits.within(seconds), without=self.options.without)
        try:
            found = solve({name: bounded.recursion(name, top)}, self.environment, options, by=top)
        except BudgetSpent:
            if self.budget.seconds_left() <= 0:
                raise
            return False
        except Unsolved:
            if seconds is None or cpu_clock() - since < seconds:
                self.hopeless.add(bounded.at.span)
            return False
        except FibproverError:
            self.hopeless.add(bounded.at.span)
            return False
        relation, theorem = found.relation.automaton, found.theorem
        if not self.replaced(bounded, Definition(name, relation, bounded.formula(top)), top):
            self.hopeless.add(bounded.at.span)
            return False
        took = theorem.learning + theorem.proving
        self.note(bounded, relation, f"learned, {theorem.rounds} rounds, {theorem.way}", took)
        self.keep(bounded, top, relation, took)
        if self.environment.kept is not None:
            self.environment.kept.write(bounded.formula(top), relation)
        return True

    def note(self, bounded: Bounded, relation: Dfa, how: str, took: float) -> None:
        """Add the relation of a bounded quantifier to the trace."""
        self.record(f"[{self.source.slice(bounded.at.span)}: {how}]", "learn", relation, took)

    def top(self) -> str:
        """Return a name for the bound of a quantifier."""
        return unused("z", all_names(self.source.formula))

    # What was learned before

    def recall(self) -> None:
        """Put relations that were learned before in place of bounded quantifiers, in this session or in another one."""
        if LEARN not in self.options.enabled_rules or not (self.cache.learned or self.environment.kept):
            return
        for bounded in self.quantifiers():
            top, name = self.top(), self.unused_predicate()
            since = cpu_clock()
            resolved = self.resolved(bounded, top) if self.cache.learned else None
            relation = None if resolved is None else known_relation(resolved, self.cache)
            how = "learned before"
            if relation is None:
                relation, how = self.proved(bounded, name, top), "read from a file, proved by induction"
                if relation is None:
                    continue
                self.keep(bounded, top, relation, cpu_clock() - since)
            if self.replaced(bounded, Definition(name, relation, bounded.formula(top)), top):
                self.note(bounded, relation, how, cpu_clock() - since)

    def resolved(self, bounded: Bounded, top: str) -> ResolvedFormula | None:
        """Return the formula of the relation of a bounded quantifier, lowered."""
        try:
            source = read(bounded.formula(top), self.environment.macros)
            return lower(bind(source, self.environment, self.systems), self.environment)
        except BudgetSpent:
            raise
        except (FibproverError, RecursionError):
            return None  # it is evaluated as it is written, which says what is wrong

    def keep(self, bounded: Bounded, top: str, relation: Dfa, took: float) -> None:
        """Keep the relation of a bounded quantifier for other formulas of this session."""
        resolved = self.resolved(bounded, top)
        if resolved is None or CACHE not in self.options.enabled_rules:
            return
        if all(resolved.sorts[track.name].system == track.system for track in relation.tracks):
            since = f"line {self.options.line}" if self.options.line else self.given.text
            keep(resolved, Entry(relation, took, {}, since=since), self.cache)
            self.cache.learned += 1

    def proved(self, bounded: Bounded, name: str, top: str) -> Dfa | None:
        """Return the relation that an earlier session has learned, if it is proved now; None if there is none."""
        from fibprover.learn.solving import confirmed  # late: few formulas need it

        kept = self.environment.kept
        candidate = None if kept is None else kept.read(bounded.formula(top), bounded.names(top))
        if candidate is None:
            return None
        options = Options(limits=self.options.limits.within(FIRST_SECONDS), without=self.options.without)
        recursions, candidates = {name: bounded.recursion(name, top)}, {name: candidate}
        try:
            solution = confirmed(
                recursions, candidates, self.environment, options, Variable(top), Effort(0, 0, 0.0, 0.0)
            )
        except BudgetSpent:
            if self.budget.seconds_left() <= 0:
                raise
            return None
        except FibproverError:
            return None  # it is another relation
        return None if solution is None else solution.relation.automaton

    def unused_predicate(self) -> str:
        """Return a name that no predicate has."""
        names = chain(["learned"], (f"learned{number}" for number in count(1)))
        return next(name for name in names if name not in self.environment.definitions)

    def replaced(self, bounded: Bounded, definition: Definition, top: str) -> bool:
        """Put the call of a definition in place of a bounded quantifier, unless that gives a variable another sort."""
        call = bounded.call(definition.name, top)
        root = replaced_at(self.source.root, bounded.at, made_at(call, bounded.at.span))
        source = Source(self.source.text, numbered(root))
        own = {definition.name: definition}
        definitions: ChainMap[str, Definition] = ChainMap(own, self.environment.definitions)  # type: ignore[arg-type]
        environment = replace(self.environment, definitions=definitions)
        try:
            before = bind(self.source, self.environment, self.systems)
            after = bind(source, environment, self.systems)
        except BudgetSpent:
            raise
        except FibproverError:
            return False
        if after.overridden != before.overridden or any(
            before.sorts.get(name, sort) != sort for name, sort in after.sorts.items() if name in after.names
        ):
            return False
        self.source, self.environment = source, environment
        return True
