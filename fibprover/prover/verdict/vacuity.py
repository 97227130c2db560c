"""Vacuity: the parts of a true formula that could be anything (docs/vacuity.md).

Each occurrence of a subformula is replaced by its worst case, and the formula is evaluated again.  The worst case
is false for a positive occurrence, and true for a negative one.  If the formula is still TRUE, then by monotonicity
it is TRUE with any formula in that place.

An occurrence within `^`, `<=>` or `E=k` is both positive and negative and has no worst case: it is left out.
Parts of calls are left out too, unless `deep` is true.

Cost: one evaluation for each occurrence whose worst case differs from that of the formula around it.  (They are the
same for a conjunct, which makes the conjunction false, and for the body of a quantifier, of `~` and of `?`.)
Where parts that are joined by `|` or `&` do not matter, one more for each part beside them that is an assumption.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

from fibprover.automata.dfa import Dfa
from fibprover.base.errors import BudgetSpent, FibproverError, caret_lines
from fibprover.base.limits import poll, spending
from fibprover.base.values import replaced, value
from fibprover.language.source import Occurrence, Source, Span
from fibprover.language.tree import Binary, Call, InSystem, Not, Quantified
from fibprover.prover import logic
from fibprover.prover.comparisons import with_known_predicates
from fibprover.prover.environment import Definition, Environment
from fibprover.prover.evaluate.executor import evaluate
from fibprover.prover.logic import Logic, ResolvedFormula
from fibprover.prover.lower import resolve
from fibprover.prover.plan.optimize import PLANS

if TYPE_CHECKING:
    from fibprover.prover.verdict.verdict import Verdict

#: The whole right side of an implication may be false, or what is joined with something that is never true may be so.
VACUOUS: Final = "vacuous"
#: Another part does not matter: a hypothesis, a disjunct, a left side.
UNUSED: Final = "unused"
#: A budget was spent before the search knew whether the part matters.
UNDECIDED: Final = "undecided"

#: A function that evaluates a formula to the canonical automaton over its free variables; may raise BudgetSpent.
Evaluate = Callable[[ResolvedFormula], Dfa]


@value
class VacuousPart:
    """A part of a true formula that does not matter, or for which the limits left this undecided.

    grade: VACUOUS, UNUSED or UNDECIDED; text: the part; span: its place in `formula`, a whole text
    (macros expanded); replaced_by: the worst case, by which the part may be replaced; within: the
    definitions that lead to `formula`, outermost first; since: what beside a vacuous part decides alone, "" where the
    part is the right side of an implication.
    """

    grade: str
    text: str
    span: Span
    replaced_by: bool
    formula: str
    within: tuple[str, ...] = ()
    since: str = ""

    @property
    def sentence(self) -> str:
        """The text with the part replaced by `true` or `false`; it is still TRUE if the part was decided."""
        word = "true" if self.replaced_by else "false"
        return " ".join((self.formula[: self.span.start] + word + self.formula[self.span.end :]).split())

    def __str__(self) -> str:
        worst = "true" if self.replaced_by else "false"
        place = f" (in the definition of {self.within[-1]})" if self.within else ""
        denied = f"vacuous: this may be {worst}, since {self.since} is always {'false' if self.replaced_by else 'true'}"
        said = {
            VACUOUS: denied if self.since else f"vacuous: what this => implies may be {worst}",
            UNUSED: f"unused: this may be {worst}",
            UNDECIDED: f"undecided within the limits: whether this may be {worst}",
        }[self.grade]
        return "\n".join([said + place, *caret_lines(self.formula, self.span.start, self.span.end)])


def vacuous_parts_of(verdict: Verdict, *, deep: bool = False) -> tuple[VacuousPart, ...]:
    """Return the parts that do not matter in the formula of a TRUE verdict, with the plan and limits of the verdict."""
    plan = PLANS[verdict.plan]
    system, cache = verdict.environment.system, verdict.cache

    def automaton(changed: ResolvedFormula) -> Dfa:
        with spending(verdict.limits.start()) as budget:
            if verdict.plan == "optimized":
                changed = with_known_predicates(changed, verdict.environment.of_words, verdict.enabled_rules)
            return evaluate(plan(changed, verdict.enabled_rules), system, cache, budget, verdict.watch).automaton

    return vacuous_parts(verdict.source, verdict.formula, verdict.environment, automaton, deep=deep)


def vacuous_parts(
    source: Source, formula: ResolvedFormula, environment: Environment, evaluate: Evaluate, *, deep: bool = False
) -> tuple[VacuousPart, ...]:
    """Return the parts that do not matter in a closed formula that is TRUE, from left to right.

    source, formula: the syntax tree and the resolved formula; deep: whether to search the definitions of
    called predicates as well, if their texts still have the same meaning.  Only the largest parts are
    listed, except that vacuous parts inside an unused part are listed too.
    """
    search = _Search(environment, evaluate, deep)

    def holds(changed: Logic) -> bool:
        return bool(evaluate(replaced(formula, logic=changed)).outputs[0])

    search.visit(_Level(source, formula, holds, ()), source.root, formula.logic, True)
    return tuple(search.found)


@dataclass(frozen=True, slots=True)
class _Level:
    """A text that is searched: the formula itself, or the definition of a predicate that it calls.

    holds: returns whether the formula itself is TRUE with another formula in place of the level's logic.
    """

    source: Source
    resolved: ResolvedFormula
    holds: Callable[[Logic], bool]
    within: tuple[str, ...]


#: Formulas with their logic.
_Parts: TypeAlias = "tuple[tuple[Occurrence, Logic], ...]"


@dataclass(frozen=True, slots=True)
class _Search:
    """Walks over a syntax tree and its resolved formula at the same time."""

    environment: Environment
    evaluate: Evaluate
    deep: bool
    found: list[VacuousPart] = field(default_factory=list)
    opened: dict[str, tuple[Source, ResolvedFormula] | None] = field(default_factory=dict)
    #: By the id of a node, which lives as long as the search: whether it is true of no numbers.
    never: dict[int, bool] = field(default_factory=dict)

    def occurrence(
        self, level: _Level, at: Occurrence, node: Logic, positive: bool, grade: str, beside: _Parts = ()
    ) -> None:
        """Evaluate an occurrence's worst case, and search its parts.

        grade: its grade if it does not matter; beside: the other disjuncts or conjuncts.
        """
        try:
            matters = not level.holds(substituted(level.resolved.logic, node, logic.Truth(not positive)))
            since = "" if matters else self.deciding(level, beside, positive)
        except BudgetSpent:
            self.undecided(level, at, positive)
        else:
            if not matters:
                self.idle(level, at, positive, VACUOUS if since else grade, since)
                return
        self.visit(level, at, node, positive, beside)

    def undecided(self, level: _Level, at: Occurrence, positive: bool) -> None:
        """Report a part for which an evaluation has spent its budget.

        Raises BudgetSpent if that of the whole search is spent: no other evaluation would end.
        """
        poll()
        self.report(level, at, positive, UNDECIDED)

    def deciding(self, level: _Level, beside: _Parts, positive: bool) -> str:
        """Return the text of a part that assumes what is never true, or denies it, "" if there is none.

        `~P | Q` and `~(P & ~Q)` are P => Q, which says nothing if P is true of no numbers at all.  If P is only not
        true of the numbers around it, the part beside it may be a guard that is not needed: that is unused.
        """
        for part, node in beside:
            if _is_denial(part) == positive and self.never_true(level, _body(node) if positive else node):
                return level.source.slice(part.span)
        return ""

    def never_true(self, level: _Level, node: Logic) -> bool:
        """Return whether a formula is true of no values of its variables."""
        if id(node) not in self.never:
            names = tuple(sorted(logic.free_variables(node)))
            some = logic.Exists(names, node) if names else node
            self.never[id(node)] = not self.evaluate(replaced(level.resolved, logic=some, free=())).outputs[0]
        return self.never[id(node)]

    def idle(self, level: _Level, at: Occurrence, positive: bool, grade: str, since: str = "") -> None:
        """Add an occurrence that does not matter; vacuous parts inside an unused part are added too."""
        self.report(level, at, positive, grade, since)
        if grade == UNUSED:
            for inner in _consequents(at, positive):
                self.report(level, inner, True, VACUOUS)

    def report(self, level: _Level, at: Occurrence, positive: bool, grade: str, since: str = "") -> None:
        """Add a finding."""
        text, whole = level.source.slice(at.span), level.source.text
        self.found.append(VacuousPart(grade, text, at.span, not positive, whole, level.within, since))

    def visit(self, level: _Level, at: Occurrence, node: Logic, positive: bool, beside: _Parts = ()) -> None:
        """Search the parts of an occurrence that matters, or for which this is undecided.

        A part whose worst case is that of the whole occurrence matters too; only its own parts are searched.
        beside: what the connective above joins it with; a chain of one connective has parts beside one another.
        """
        match at.node:
            case InSystem():
                self.visit(level, at.below[0], node, positive)
            case Not():
                self.visit(level, at.below[0], _body(node), not positive)
            case Binary(op="=>"):
                left, right = _sides(node)
                if positive:
                    self.occurrence(level, at.below[0], left, False, UNUSED)
                    self.occurrence(level, at.below[1], right, True, VACUOUS)
                else:
                    self.visit(level, at.below[0], left, True)
                    self.visit(level, at.below[1], right, False)
            case Binary(op="&" | "|" as op) if positive == (op == "&"):
                for part, below in zip(at.below, _sides(node), strict=True):
                    self.visit(level, part, below, positive)
            case Binary(op="&" | "|" as op):
                left, right = _sides(node)
                others = (*beside, *_chain(at.below[1], right, op))
                self.occurrence(level, at.below[0], left, positive, UNUSED, others)
                others = (*beside, *_chain(at.below[0], left, op))
                self.occurrence(level, at.below[1], right, positive, UNUSED, others)
            case Quantified():
                self.quantified(level, at, node, positive)
            case Call(name=name) if self.deep:
                self.call(level, at, name, node, positive)

    def quantified(self, level: _Level, at: Occurrence, node: Logic, positive: bool) -> None:
        """Search the body of a quantifier.  Numbers exist, so `E x true` is true and `A x false` is false."""
        (body,) = at.below
        assert level.resolved.parts is not None
        inside = level.resolved.parts[body.number]
        signs = set(_signs(node, inside, positive))
        if not signs:  # at least 0: true of anything
            self.idle(level, body, positive, UNUSED)
        elif len(signs) == 1:
            self.visit(level, body, inside, signs.pop())

    # -- definitions -----------------------------------------------------------------------

    def call(self, level: _Level, at: Occurrence, name: str, node: Logic, positive: bool) -> None:
        """Search the definition of a called predicate, for this call only."""
        if name in level.within:  # the definition replaced an earlier one of the same name and calls that
            return
        definition = self.environment.definitions[name]
        try:
            opened = self.open(definition)
        except BudgetSpent:
            self.undecided(level, at, positive)
            return
        if opened is None:
            return
        source, inside = opened
        predicate = _predicate(node)

        def holds(changed: Logic) -> bool:
            automaton = self.evaluate(replaced(inside, logic=changed))
            other = logic.PredicateAtom(Definition(definition.name, automaton), predicate.variables)
            return level.holds(substituted(level.resolved.logic, predicate, other))

        deeper = _Level(source, inside, holds, (*level.within, name))
        if positive or predicate is node:
            self.visit(deeper, source.root, inside.logic, positive)
        else:  # `$p(x-1)` is false where x-1 is no number, whatever p is: so p true is not the call true
            self.occurrence(deeper, source.root, inside.logic, positive, UNUSED)

    def open(self, definition: Definition) -> tuple[Source, ResolvedFormula] | None:
        """Return the formula of a definition; None if it has none, or if its text has another meaning now."""
        if definition.name not in self.opened:
            self.opened[definition.name] = None if definition.raw else self.read(definition)
        return self.opened[definition.name]

    def read(self, definition: Definition) -> tuple[Source, ResolvedFormula] | None:
        source = definition.source
        if source is None:
            return None
        try:
            formula = resolve(source, self.environment)
            same = self.evaluate(formula) == definition.automaton
        except BudgetSpent:
            raise
        except FibproverError:
            return None
        return (source, formula) if same else None


def substituted(node: Logic, old: Logic, new: Logic) -> Logic:
    """Return the formula with one of its nodes (this object, at each place where it occurs) replaced."""
    if node is old:
        return new
    return logic.map_children(node, lambda child: substituted(child, old, new))


def _chain(at: Occurrence, node: Logic, op: str) -> Iterator[tuple[Occurrence, Logic]]:
    """Yield the formulas that a chain of one connective joins, from left to right."""
    if not isinstance(at.node, Binary) or at.node.op != op:
        yield at, node
        return
    for part, below in zip(at.below, _sides(node), strict=True):
        yield from _chain(part, below, op)


def _is_denial(at: Occurrence) -> bool:
    """Return whether a formula denies something, as `~P` does; its logic is then a negation too."""
    while isinstance(at.node, InSystem):
        at = at.below[0]
    return isinstance(at.node, Not)


def _consequents(at: Occurrence, positive: bool) -> Iterator[Occurrence]:
    """Yield the largest right sides of implications that occur positively."""
    match at.node:
        case InSystem() | Quantified(relation="" | ">="):
            yield from _consequents(at.below[0], positive)
        case Not():
            yield from _consequents(at.below[0], not positive)
        case Quantified(relation=relation, count=count) if relation == "<=" or not count:
            yield from _consequents(at.below[0], not positive)
        case Binary(op="=>"):
            yield from _consequents(at.below[0], not positive)
            if positive:
                yield at.below[1]
            else:
                yield from _consequents(at.below[1], positive)
        case Binary(op="&" | "|"):
            for part in at.below:
                yield from _consequents(part, positive)


def _signs(node: Logic, inside: Logic, positive: bool) -> Iterator[bool]:
    """Yield whether the body of a quantifier occurs positively, for each place where it stands in the quantifier."""
    if node is inside:
        yield positive
    elif isinstance(node, logic.Not):
        yield from _signs(node.body, inside, not positive)
    elif isinstance(node, logic.And | logic.Exists | logic.ForAll | logic.Infinite | logic.AtLeast):
        for child in logic.children(node):
            yield from _signs(child, inside, positive)


def _body(node: Logic) -> Logic:
    """Return the body of a node that has one."""
    assert isinstance(node, logic.Not | logic.Exists | logic.ForAll | logic.Infinite | logic.AtLeast)
    return node.body


def _sides(node: Logic) -> tuple[Logic, Logic]:
    """Return both sides of a connective."""
    assert isinstance(node, logic.And | logic.Or | logic.Implies)
    return node.left, node.right


def _predicate(node: Logic) -> logic.PredicateAtom:
    """Return the atom of a call, which stands after the conditions that name its arguments."""
    while not isinstance(node, logic.PredicateAtom):
        node = node.right if isinstance(node, logic.And) else _body(node)
    return node
