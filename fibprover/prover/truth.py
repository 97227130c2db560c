"""The truth of a formula and of its parts at some values of its variables: why it holds there, or why not.

Each part is decided by itself, as a relation of its free variables in the systems that they have in the formula.  Where
all of them have values, the part is true or false; otherwise the first tuples are shown for which it is true.  Below a
quantifier `E` that is true, and `A` that is false, its variables have the least values that show this.  Variables of
the quantifiers with which the formula begins may be given other values.

Cost: each part is evaluated with all its variables free, which may take longer than the formula.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from operator import add, mul, sub
from types import MappingProxyType

from fibprover.base.errors import BudgetSpent, FibproverError, LimitError, NotSupported, TextError
from fibprover.base.limits import spending
from fibprover.base.names import is_family
from fibprover.base.values import RichlyDisplayed, replaced, value
from fibprover.language.parser import read
from fibprover.language.source import Occurrence, Source, Span, free_occurrences
from fibprover.language.tree import (
    Arithmetic,
    Binary,
    Compare,
    Formula,
    InSystem,
    Negative,
    Node,
    Not,
    Number,
    Quantified,
    Variable,
    WordValue,
)
from fibprover.prover.bind import BoundFormula, bind
from fibprover.prover.decide import Options, around, decide
from fibprover.prover.environment import Environment
from fibprover.prover.evaluate.cache import Cache
from fibprover.prover.verdict.relation import Relation, shown_tuple
from fibprover.prover.verdict.tuples import Value
from fibprover.prover.verdict.verdict import Verdict

_OPERATIONS: Mapping[str, Callable[[int, int], int]] = MappingProxyType({"+": add, "-": sub, "*": mul})

#: So many tuples are kept of a part whose variables have no values.
SHOWN = 6


@value
class TruthTree(RichlyDisplayed):
    """The truth of a formula, or of a part of one, at some values of its variables; with the parts below it.

    Fields:

    - text, span: the part, and its place in the whole text
    - at: its variables that have values, with these
    - truth: whether it holds there; None where a variable has no value, and where this is not known
    - free: its variables without values
    - first: the first tuples of these for which it holds; `more`: whether there are others
    - shown_by: the least values of the variables of a quantifier that show its truth, if single values do
    - outcome: how it was decided by itself: a verdict, or the relation of its free variables; None if it was not
    - problem: why its truth is not known, or ""
    - remark: that a term of a comparison has no value, or ""
    - parts: the parts below it

    >>> print(fp.Session().truths("Ey x=2*y & y>3", x=6))
    Ey x=2*y & y>3    FALSE at x = 6
    └ x=2*y & y>3     FALSE for all y
      ├ x=2*y         TRUE for y = 3
      └ y>3           TRUE for y = 4, 5, 6, 7, 8, 9, ...
    """

    text: str
    span: Span
    at: tuple[tuple[str, Value], ...]
    truth: bool | None
    free: tuple[str, ...] = ()
    first: tuple[tuple[Value, ...], ...] = ()
    more: bool = False
    shown_by: tuple[tuple[str, Value], ...] = ()
    outcome: Verdict | Relation | None = None
    problem: str = ""
    remark: str = ""
    parts: tuple[TruthTree, ...] = ()

    def __bool__(self) -> bool:
        """Return whether the formula holds; FibproverError where this is not known."""
        if self.truth is None:
            raise FibproverError(f"{self.text} is neither true nor false here: it is {self.verdict}")
        return self.truth

    @property
    def verdict(self) -> str:
        """What is known, in words."""
        if self.problem:
            return self.problem
        if self.truth is None:
            if not self.first:
                return f"FALSE for all {', '.join(self.free)}"
            listed = ", ".join(map(shown_tuple, self.first))
            names = self.free[0] if len(self.free) == 1 else f"({', '.join(self.free)})"
            return f"TRUE for {names} = {listed}{', ...' * self.more}"
        word = "TRUE" if self.truth else "FALSE"
        if self.shown_by:
            return f"{word}, see {_listed(self.shown_by)}"
        where = f" at {_listed(self.at)}" if self.at else ""
        return f"{word}{where}{f', since {self.remark}' if self.remark else ''}"

    def __str__(self) -> str:
        rows = list(_rows(self, "", ""))
        width = max(len(text) for text, _ in rows)
        return "\n".join(f"{text.ljust(width)}    {verdict}" for text, verdict in rows)

    @property
    def states(self) -> int:
        """The states of the relation of its free variables; 0 where there is none."""
        return self.outcome.states if isinstance(self.outcome, Relation) else 0

    def as_json(self) -> dict[str, object]:
        """Return the tree as values of JSON; without what is empty."""
        return {
            "text": self.text, "at": dict(self.at), "truth": self.truth,
            **({"free": list(self.free), "first": list(self.first), "more": self.more} if self.free else {}),
            **({"shown_by": dict(self.shown_by)} if self.shown_by else {}),
            **({"states": self.states} if self.states else {}),
            **({"problem": self.problem} if self.problem else {}),
            **({"remark": self.remark} if self.remark else {}),
            "parts": [each.as_json() for each in self.parts],
        }


def truth_tree(
    formula: str | Formula | Source, values: Mapping[str, Value], environment: Environment, cache: Cache,
    options: Options,
) -> TruthTree:
    """Return the truth of a formula and its parts where free variables have these values; others stay free.

    values: of free variables, and of those of the quantifiers `A` and `E` with which the formula begins; the latter are
    for the parts below these quantifiers.  The limits of the options are those of all parts together; a part that they
    do not reach says so.  Raises TextErrors as `decide` does, FibproverError for a value of any other variable.
    """
    source = read(formula, environment.macros)
    environment = around(source, environment)
    bound = bind(source, environment)
    names = asked_about(source, bound.free)
    for name in values:
        if name not in names:
            listed = ", ".join(names)
            raise FibproverError(
                f"{name} cannot have a value: it is not free, and no variable of the first quantifiers",
                hint=f"give values to {listed}" if listed else "the formula has no such variables",
            )
    if any(is_family(sort.system) for sort in bound.sorts.values()):
        raise NotSupported(
            "the parts of a formula over all slopes have no truth values: each is true for some slopes",
            source.text, 0, len(source.text), hint="ask about one slope, such as ?msd_fib",
        )
    with spending(options.limits.start()):
        chosen = {name: value for name, value in values.items() if name not in bound.free}
        free = {name: value for name, value in values.items() if name in bound.free}
        return _Parts(source, bound, environment, cache, options).tree(source.root, "", free, chosen)


def asked_about(source: Source, free: Iterable[str]) -> tuple[str, ...]:
    """Return the variables that may have values: the free ones, and those of the quantifiers that come first."""
    names, at = dict.fromkeys(free), source.root
    while isinstance(at.node, InSystem) or (isinstance(at.node, Quantified) and at.node.kind in ("A", "E")):
        if isinstance(at.node, Quantified):
            if at.node.relation:
                break
            names |= dict.fromkeys(at.node.names)
        at = at.below[-1]
    return tuple(names)


def below_zero(verdict: Verdict) -> str:
    """Return that a term of a false formula `A ...` would be negative at its counterexample, and is none there, or "".

    Terms are looked at whose variables all have values.  Nothing is decided.
    """
    if verdict.truth or "-" not in verdict.text or verdict.evidence is None:
        return ""
    try:
        bound = bind(verdict.source, around(verdict.source, verdict.environment))
    except TextError:  # as in scripts, in which a word may override the system of a formula
        return ""
    parts = _Parts(verdict.source, bound, verdict.environment, verdict.cache, Options())
    return next(parts.remarks(verdict.source.root, verdict.evidence.values, {}), "")


@dataclass(frozen=True, slots=True)
class _Parts:
    """A formula whose parts are decided one by one."""

    source: Source
    bound: BoundFormula
    environment: Environment
    cache: Cache
    options: Options

    def tree(
        self, at: Occurrence, system: str, values: Mapping[str, Value],
        chosen: Mapping[str, Value] = MappingProxyType({}),
    ) -> TruthTree:
        """Return the tree of a part.

        system: the one that a `?` around it names; values: of the variables in scope; chosen: of those of the
        quantifiers that begin here.
        """
        if isinstance(at.node, InSystem):
            return self.tree(at.below[0], at.node.system, values, chosen)
        node = at.node
        assert isinstance(node, Formula)
        known = {name: values[name] for name in node.free if name in values}
        free = tuple(name for name in node.free if name not in values)
        text = self.source.slice(at.span)
        try:
            found = self.decided(at, system)
            tree = self.judged(TruthTree(text, at.span, tuple(known.items()), None, free), found, known)
            if isinstance(node, Quantified) and tree.truth is not None:
                tree = replaced(tree, shown_by=self.shown_by(at, system, known, tree.truth))
        except (BudgetSpent, LimitError) as problem:
            tree = TruthTree(text, at.span, tuple(known.items()), None, free, problem=f"not known: {problem.message}")
        if isinstance(node, Compare) and not free:
            return replaced(tree, remark=self.negative(at, values))
        if not isinstance(node, Not | Binary | Quantified):
            return tree
        if not isinstance(node, Quantified):
            return replaced(tree, parts=tuple(self.tree(part, system, values) for part in at.below))
        inside = {name: each for name, each in values.items() if name not in node.names}
        inside |= self.bound_values(at, system, tree, chosen)
        return replaced(tree, parts=tuple(self.tree(part, system, inside, chosen) for part in at.below))

    def bound_values(
        self, at: Occurrence, system: str, tree: TruthTree, chosen: Mapping[str, Value]
    ) -> dict[str, Value]:
        """Return the values of the variables of a quantifier in the parts below it.

        tree: that of the quantifier.  They are the ones that show its truth; where some are chosen, the others are the
        least ones that show it together with these, and have no values if none do.
        """
        node = at.node
        assert isinstance(node, Quantified)
        own = {name: chosen[name] for name in node.names if name in chosen}
        if not own:
            return dict(tree.shown_by)
        if tree.truth is not None and len(own) < len(set(node.names)):
            with suppress(BudgetSpent, LimitError):
                own |= self.shown_by(at, system, {**dict(tree.at), **own}, node.kind == "E")
        return own

    def decided(self, at: Occurrence, system: str) -> Verdict | Relation:
        """Decide a part by itself."""
        formula = at.node
        assert isinstance(formula, Formula)
        sorts = {
            each.node.name: self.bound.sorts[self.bound.identity[each.number]]
            for each in free_occurrences(at) if isinstance(each.node, Variable)
        }
        systems = {name: sort.system for name, sort in sorts.items() if sort.system}
        formula = formula.in_system(system) if system else formula
        return decide(formula, self.environment, self.cache, self.options, systems)

    def judged(self, tree: TruthTree, found: Verdict | Relation, known: Mapping[str, Value]) -> TruthTree:
        """Return a tree with what a verdict or a relation says at the known values."""
        tree = replaced(tree, outcome=found)
        if isinstance(found, Verdict):
            return replaced(tree, truth=bool(found))
        if not tree.free:
            return replaced(tree, truth=tuple(known[name] for name in found.names) in found)
        rest = found.where(**known) if known else found
        first = list(islice(rest.tuples(), SHOWN + 1))
        return replaced(tree, free=rest.names, first=tuple(first[:SHOWN]), more=len(first) > SHOWN)

    def shown_by(
        self, at: Occurrence, system: str, known: Mapping[str, Value], truth: bool
    ) -> tuple[tuple[str, Value], ...]:
        """Return the least values that show that `E` is true or `A` false; none for other quantifiers and truths."""
        node = at.node
        assert isinstance(node, Quantified)
        if node.relation or node.kind != ("E" if truth else "A"):
            return ()
        body = self.decided(at.below[0], system)
        assert isinstance(body, Relation)
        inside = {name: each for name, each in known.items() if name in body.names}
        rest = body.where(**inside) if inside else body
        least = next((rest if truth else ~rest).tuples(), None)
        return () if least is None else tuple(zip(rest.names, least, strict=True))

    def remarks(
        self, at: Occurrence, found: Mapping[str, Value], known: Mapping[str, Value]
    ) -> Iterator[str]:
        """Yield what `negative` says of the comparisons of a part.

        found: values of the variables of the quantifiers `A` that begin here; known: of those in scope.
        """
        match at.node:
            case Compare():
                said = self.negative(at, known)
                yield from [said] * bool(said)
                return
            case Quantified(names=names, kind=kind):
                known = {name: each for name, each in known.items() if name not in names}
                found = found if kind == "A" else {}
                known |= {name: found[name] for name in names if name in found}
            case Not() | Binary():
                found = {}
            case InSystem():
                pass
            case _:
                return
        for part in at.below:
            if isinstance(part.node, Formula):
                yield from self.remarks(part, found, known)

    def negative(self, at: Occurrence, values: Mapping[str, Value]) -> str:
        """Return that a term of a comparison would be negative where its system has no negative numbers, or ""."""
        if all(isinstance(side.node, WordValue) for side in at.below):
            return ""
        sort = self.bound.sort_at(at)
        if not sort.system or self.environment.system(sort.system).signed:
            return ""
        terms = list(at.below)
        for each in terms:
            number = _number(each.node, values)
            if number is not None and number < 0:
                return f"{self.source.slice(each.span)} would be negative, and {sort} has no negative numbers"
            if isinstance(each.node, Arithmetic | Negative):
                terms += each.below
        return ""


def _number(node: Node, values: Mapping[str, Value]) -> int | None:
    """Return what a term of numbers, variables, sums, differences and products is; None for any other term."""
    match node:
        case Number(number):
            return number
        case Variable(name):
            found = values.get(name)
            return found if isinstance(found, int) else None
        case Negative(term):
            positive = _number(term, values)
            return None if positive is None else -positive
        case Arithmetic(op, left, right) if op in _OPERATIONS:
            first, second = _number(left, values), _number(right, values)
            return None if first is None or second is None else _OPERATIONS[op](first, second)
    return None


def _listed(values: tuple[tuple[str, Value], ...]) -> str:
    return ", ".join(f"{name} = {shown_tuple((each,))}" for name, each in values)


def _rows(tree: TruthTree, first: str, rest: str) -> Iterator[tuple[str, str]]:
    """Yield the lines of a tree: the text after its branches, and what is known."""
    yield first + tree.text, tree.verdict
    for place, part in enumerate(tree.parts):
        last = place == len(tree.parts) - 1
        yield from _rows(part, rest + ("└ " if last else "├ "), rest + ("  " if last else "│ "))
