"""Binding and sorts: find the variable of each occurrence, and the system of its numbers.

Every occurrence of a variable gets an identity (bound variables are renamed apart) and every
identity a `Sort`.  A system written with `?` fixes the sort; so does the track of a predicate or word
for a variable that is the whole argument.  Variables of one term or comparison share their system.
A variable that nothing fixes is in the default system; the caller may fix the systems of free variables.
Two different systems for one variable or one comparison are an error, unless digits are shared: then a track takes
numbers of any system that has its digits (`fibprover.prover.lower`).

Sorts are found by unification: identities, comparisons, arguments and indices are type variables, which are united
where they must agree and pinned where a sort is fixed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NoReturn

from fibprover.base.errors import ArityMismatch, BudgetSpent, FibproverError, NotSupported, TypeMismatch, UnknownName
from fibprover.base.names import is_family
from fibprover.language.source import Occurrence, Source, Span, free_occurrences
from fibprover.language.tree import (
    Arithmetic,
    Binary,
    Call,
    Compare,
    Formula,
    InSystem,
    Negative,
    Not,
    Quantified,
    Reversed,
    SystemTerm,
    Variable,
    WordValue,
)
from fibprover.prover.environment import Environment, Sort, missing_predicate_hint, missing_word_hint, sort_of
from fibprover.words.automatic import AutomaticWord


def bind(source: Source, environment: Environment, systems: Mapping[str, str] | None = None) -> BoundFormula:
    """Bind the variables of a formula and give them sorts.  Raises TextErrors with the place.

    systems: numeration systems of free variables by name; the formula decides about those that are not among them.
    """
    binder = _Binder(source, environment)
    binder.formula(source.root, Context(environment.default_system, False), {})
    binder.fix(systems or {})
    return binder.solve()


@dataclass
class _Binder:
    """Walks the tree once, uniting type variables that must agree, then gives each its sort."""

    source: Source
    environment: Environment
    identity: dict[int, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    parent: dict[str, str] = field(default_factory=dict)
    pins: dict[str, tuple[Sort, str]] = field(default_factory=dict)
    numeric: set[str] = field(default_factory=set)
    plain: list[tuple[str, Sort, Span, str, Context]] = field(default_factory=list)
    free: set[str] = field(default_factory=set)
    bound: dict[int, tuple[str, ...]] = field(default_factory=dict)
    occurring: set[str] = field(default_factory=set)
    reversed_names: list[str] = field(default_factory=list)
    tracks: list[tuple[str, Sort, Span, str]] = field(default_factory=list)
    indices: dict[int, tuple[str, str, Span]] = field(default_factory=dict)
    #: The type variables that a `?` pins, and the arguments that are tracks below a `?`.
    pinned_by_user: set[str] = field(default_factory=set)
    below_system: list[tuple[str, Context, Span, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.free = set(self.source.formula.free)
        self.names = {name: name for name in self.free}

    # -- walking ---------------------------------------------------------------------------

    def formula(self, at: Occurrence, context: Context, scope: dict[str, str]) -> None:
        match at.node:
            case Compare():
                self.comparison(at, context, scope)
            case Call():
                self.call(at, context, scope)
            case Quantified():
                self.quantified(at, context, scope)
            case Reversed():
                self.formula(at.below[0], replace(context, in_reversal=not context.in_reversal), scope)
            case InSystem():
                self.formula(at.below[0], self.explicit(at, context), scope)
            case Not() | Binary():
                for part in at.below:
                    self.formula(part, context, scope)

    def quantified(self, at: Occurrence, context: Context, scope: dict[str, str]) -> None:
        assert isinstance(at.node, Quantified)
        inner = dict(scope)
        places = dict[str, Span]()
        for name, place in zip(at.node.names, at.names, strict=True):
            if name in places:
                raise TypeMismatch(f"{name} is quantified twice here", self.source.text, place.start, place.end)
            places[name] = place
            inner[name] = self.unused(name)
        self.bound[at.number] = tuple(inner[name] for name in at.node.names)
        self.formula(at.below[0], context, inner)
        for name, place in places.items():
            if inner[name] not in self.occurring:
                raise UnknownName(
                    f"the quantified variable {name} does not occur in its scope", self.source.text, place.start,
                    place.end, hint=f"remove {name} from the quantifier, or check the names below it",
                )

    def comparison(self, at: Occurrence, context: Context, scope: dict[str, str]) -> None:
        for side in at.below:
            self.term(side, context, scope)
        if not all(isinstance(side.node, WordValue) for side in at.below):
            self.join_term(at, at.below, context)

    def join_term(
        self, at: Occurrence, terms: Sequence[Occurrence], context: Context, *, pin_constants: bool = True
    ) -> None:
        """Put all numbers of these terms into one system, that of the type variable of `at`.

        pin_constants: whether terms without variables are in the default system if no `?` says otherwise.
        """
        name = type_variable(at)
        self.numeric.add(self.find(name))
        empty = True
        for term in terms:
            for variable in operand_occurrences(term):
                if isinstance(variable.node, Variable):
                    empty = False
                    self.unite(name, self.identity[variable.number], variable.span)
        if context.explicit or (empty and pin_constants):
            self.pin(name, self.seen(self.written_sort(context.system, at.span), context), at.span)
        elif context.in_reversal:
            self.reversed_names.append(name)

    def term(self, at: Occurrence, context: Context, scope: dict[str, str]) -> None:
        match at.node:
            case Variable():
                self.occurrence(at, scope)
            case Arithmetic() | Negative():
                for part in at.below:
                    self.term(part, context, scope)
            case WordValue():
                word = self.word(at)
                for index, track in zip(at.below, word.indices, strict=True):
                    self.argument(index, sort_of(track), f"{at.node.word}[...]", context, scope, pin_constants=False)

    def call(self, at: Occurrence, context: Context, scope: dict[str, str]) -> None:
        assert isinstance(at.node, Call)
        call, (name_span,) = at.node, at.names
        definition = self.environment.definitions.get(call.name)
        if definition is None:
            raise UnknownName(
                f"no predicate is called {call.name}", self.source.text, name_span.start, name_span.end,
                hint=missing_predicate_hint(call.name, self.environment.definitions, self.environment.words),
            )
        sorts = definition.argument_sorts
        if len(sorts) != len(call.arguments):
            raise ArityMismatch(
                f"${call.name} takes {_arguments(len(sorts))}, not {len(call.arguments)}",
                self.source.text, at.span.start, at.span.end,
            )
        for argument, sort in zip(at.below, sorts, strict=True):
            self.argument(argument, sort, f"${call.name}", context, scope)

    def argument(
        self, at: Occurrence, sort: Sort, where: str, context: Context, scope: dict[str, str],
        *, pin_constants: bool = True,
    ) -> None:
        """Bind one argument or index, for a track of the given sort.

        pin_constants: whether a constant is in the system around it, as an argument of a predicate is; an index is in
        the system of its word.
        """
        if isinstance(at.node, Formula):
            name, place = self.formula_argument(at, context, scope)
            self.constrain(name, sort, where, place, context)
            return
        written = isinstance(at.node, SystemTerm)
        value = at.below[0] if written else at
        if written:
            context = self.explicit(at, context)
        self.term(value, context, scope)
        if isinstance(value.node, Variable):
            name = self.identity[value.number]
            if written:
                self.pin(name, self.seen(self.environment.sort(context.system), context), at.span)
            self.constrain(name, sort, where, value.span, context)
            return
        self.join_term(at, [value], context, pin_constants=pin_constants)
        self.constrain(type_variable(at), sort, where, at.span, context)

    def formula_argument(self, at: Occurrence, context: Context, scope: dict[str, str]) -> tuple[str, Span]:
        """Bind a formula in place of an argument; return the identity and place of its one free variable."""
        variables = list(free_occurrences(at))
        names = at.node.free
        if len(names) == 1 and self.environment.shared_digits:
            # Two numbers: the free variable of the formula, and the argument, which has the same digits.
            outer = scope.get(names[0], names[0])
            inner = self.unused(names[0])
            self.formula(at, context, {**scope, names[0]: inner})
            self.occurring.add(outer)
            self.indices[at.number] = (outer, inner, variables[0].span)
            return outer, variables[0].span
        self.formula(at, context, scope)
        if len(names) != 1:
            raise TypeMismatch(
                f"a formula as an argument needs exactly one free variable; this one has {', '.join(names) or 'none'}",
                self.source.text, at.span.start, at.span.end,
            )
        return self.identity[variables[0].number], variables[0].span

    def unused(self, word: str) -> str:
        """Return a new identity for a variable that the user calls `word`."""
        name = word
        while name in self.names:
            name += "'"
        self.names[name] = word
        return name

    def occurrence(self, at: Occurrence, scope: dict[str, str]) -> None:
        assert isinstance(at.node, Variable)
        name = scope.get(at.node.name, at.node.name)
        self.identity[at.number] = name
        self.occurring.add(name)

    # -- names -----------------------------------------------------------------------------

    def explicit(self, at: Occurrence, around: Context) -> Context:
        assert isinstance(at.node, InSystem | SystemTerm)
        return Context(self.written_sort(at.node.system, at.span).system, True, around.in_reversal)

    def seen(self, sort: Sort, context: Context) -> Sort:
        """Return a sort as it is outside the reversal of the context: the same numbers in the opposite order."""
        return sort.opposite_order() if context.in_reversal else sort

    def in_order_of_formula(self, sort: Sort, context: Context) -> Sort | None:
        """Return a family in the digit order of the formula, as one parameter has one; None if that has other numbers.
        """
        around = self.seen(self.environment.sort(context.system), context)
        return around if sort.same_numbers(around) else None

    def written_sort(self, system: str, span: Span) -> Sort:
        try:
            return self.environment.sort(system)
        except BudgetSpent:
            raise
        except FibproverError as error:
            end = span.start + 1 + len(system)
            raise UnknownName(error.message, self.source.text, span.start, end, hint=error.hint) from None

    def word(self, at: Occurrence) -> AutomaticWord:
        assert isinstance(at.node, WordValue)
        name, (place,) = at.node.word, at.names
        word = self.environment.words.get(name)
        if word is None:
            raise UnknownName(
                f"no word is called {name}", self.source.text, place.start, place.end,
                hint=missing_word_hint(name, self.environment.definitions, self.environment.words),
            )
        if len(word.indices) != len(at.below):
            raise ArityMismatch(
                f"{name} takes {len(word.indices)} index{'es' * (len(word.indices) > 1)}, not {len(at.below)}",
                self.source.text, at.span.start, at.span.end,
            )
        return word

    # -- types -----------------------------------------------------------------------------

    def find(self, name: str) -> str:
        self.parent.setdefault(name, name)
        while self.parent[name] != name:
            self.parent[name] = self.parent[self.parent[name]]
            name = self.parent[name]
        return name

    def unite(self, first: str, second: str, span: Span) -> None:
        a, b = self.find(first), self.find(second)
        if a == b:
            return
        pinned = self.pins.get(b)
        self.parent[b] = a
        if b in self.numeric:
            self.numeric.add(a)
        if pinned:
            self.pin(a, pinned[0], span, pinned[1])

    def pin(self, name: str, sort: Sort, span: Span, reason: str = "") -> None:
        """Fix the sort of a type variable; reason: the text that fixes it, by default the text at `span`."""
        root = self.find(name)
        before = self.pins.setdefault(root, (sort, reason or self.source.slice(span)))
        if before[0] != sort and not before[0].same_numbers(sort):
            self.conflict(*before, sort, span, by_track=bool(reason))
        if not reason:
            self.pinned_by_user.add(name)
            # A `?` decides between lsd and msd, a track does not.
            self.pins[root] = (sort, before[1])

    def conflict(self, first: Sort, reason: str, second: Sort, span: Span, *, by_track: bool) -> NoReturn:
        what = self.source.slice(span)
        hint = "one variable or comparison holds numbers of one system; write the system with ?, as in ?msd_fib"
        if by_track and first.same_digits(second):
            hint += f"; to use the digits in {first}, convert the word or predicate with `alphabet`"
        if is_family(first.system) or is_family(second.system):
            hint = (
                "?msd_sturmian means every slope at once, other systems one, and a formula has one slope; ask a"
                " relation over all slopes what it says at one, by relation.at, or write the system of one slope before"
                " all of the formula, such as ?msd_ost_0_2_per_1"
            )
        there, here = first.told_apart(second)
        raise TypeMismatch(
            f"{what} is in {here} here, but has to be in {there} because of {reason}",
            self.source.text, span.start, span.end, hint=hint,
        )

    def constrain(self, name: str, sort: Sort, where: str, span: Span, context: Context) -> None:
        """Record that the argument `name` fills a track of this sort of the predicate or word `where`."""
        if sort.system:
            sort = self.seen(sort, context)
            own = self.in_order_of_formula(sort, context) if is_family(sort.system) else None
            if own is not None:
                sort = own
            elif context.explicit:
                self.below_system.append((name, context, span, where))
            if self.environment.shared_digits:
                self.tracks.append((name, sort, span, where))
            else:
                self.pin(name, sort, span, where)
            return
        if context.in_reversal:
            raise NotSupported(
                f"the reversal ` needs numbers, and {where} has the plain alphabet {sort} here",
                self.source.text, span.start, span.end,
            )
        self.find(name)
        around = self.environment.sort(context.system)
        if around.lsd_first:
            # Words in one formula with numbers that are read from the end are read from the end too.
            sort = sort._replace(stored_reversed=True)
        self.plain.append((name, sort, span, where, context))
        if context.explicit and set(sort.digits) <= set(around.digits):
            self.pin(name, around, span, f"?{context.system}")

    def fix(self, systems: Mapping[str, str]) -> None:
        """Fix the systems that the caller has chosen for free variables; like `?`, they decide between lsd and msd."""
        for at in free_occurrences(self.source.root):
            name = self.identity[at.number]
            if name in systems:
                self.pin(name, self.environment.sort(systems[name]), at.span)

    def share(self) -> None:
        """Let tracks fix the sorts of their arguments after everything else; arguments with the same digits stay."""
        for name, sort, span, where in self.tracks:
            pinned = self.pins.get(self.find(name))
            if pinned is None or not pinned[0].same_digits(sort):
                self.pin(name, sort, span, where)
        for outer, inner, span in self.indices.values():
            pins = [self.pins.get(self.find(name)) for name in (outer, inner)]
            if pins[0] is None or pins[1] is None or not pins[0][0].same_digits(pins[1][0]):
                self.unite(outer, inner, span)

    def solve(self) -> BoundFormula:
        """Give every identity and type variable its sort.

        A variable that stands in plain tracks only takes the system of the formula around it if
        that system has its digits; otherwise it is a word over the plain alphabet.  It is also a word if no system
        was chosen: msd_2 is then a default for numbers, and these variables need not be numbers.
        """
        self.share()
        default_sort = self.environment.sort(self.environment.default_system)
        numeric = {self.find(name) for name in self.numeric}
        sorts: dict[str, Sort] = {root: sort for root, (sort, _) in self.pins.items() if self.find(root) == root}
        for name, sort, _, _, context in self.plain:
            root = self.find(name)
            if root in sorts and not sorts[root].system and sort.stored_reversed:
                sorts[root] = sorts[root]._replace(stored_reversed=True)
            if root not in sorts and root not in numeric:
                around = self.environment.sort(context.system)
                chosen = context.explicit or self.environment.system_chosen
                sorts[root] = around if chosen and set(sort.digits) <= set(around.digits) else sort
        for name, plain, span, where, _ in self.plain:
            sort = sorts.get(self.find(name), default_sort)
            fits = set(plain.digits) <= set(sort.digits) if sort.system else plain.digits == sort.digits
            if not fits:
                raise TypeMismatch(
                    f"{self.source.slice(span)} is in {sort}, but {where} has the alphabet {plain} there",
                    self.source.text, span.start, span.end,
                )
        for name in self.reversed_names:
            sorts.setdefault(self.find(name), self.seen(default_sort, Context("", False, True)))
        for name in [*self.names, *list(self.parent)]:
            sorts[name] = sorts.get(self.find(name), default_sort)
        indices = {number: outer for number, (outer, _, _) in self.indices.items()}
        return BoundFormula(
            self.source, self.identity, self.bound, sorts, dict(self.names), tuple(sorted(self.free)), indices,
            tuple(self.overridden(sorts)),
        )

    def overridden(self, sorts: Mapping[str, Sort]) -> Iterator[OverriddenSystem]:
        """Yield the arguments whose numbers are not in the system that a `?` around them names."""
        by_user = {self.find(name) for name in self.pinned_by_user}
        for name, context, span, where in self.below_system:
            named, found = self.environment.sort(context.system), self.seen(sorts[self.find(name)], context)
            if found != named and self.find(name) not in by_user:
                yield OverriddenSystem(span, where, found, named)


def _arguments(count: int) -> str:
    return f"{count} argument{'s' * (count != 1)}"


@dataclass(frozen=True, slots=True)
class Context:
    """The system of the numbers, whether a `?` names it, and whether a reversal encloses it.

    Inside a reversal the numbers are the same but are read from the other end: msd_2 becomes lsd_2.
    """

    system: str
    explicit: bool
    in_reversal: bool = False


@dataclass(frozen=True, slots=True)
class OverriddenSystem:
    """An argument whose numbers are not in the system that a `?` around it names, but in that of its track.

    where: the word or predicate of the track; sort: that of the argument; named: the one that the `?` names.
    """

    span: Span
    where: str
    sort: Sort
    named: Sort

    @property
    def hint(self) -> str:
        """What to write instead."""
        return f"write ?{self.sort} if that is meant, or convert the word or predicate"

    def __str__(self) -> str:
        there, here = self.named.told_apart(self.sort)
        return f"{self.where} takes numbers of {here} here, although ?{there} is written"


@dataclass(frozen=True, slots=True)
class BoundFormula:
    """A formula whose variables are bound: an identity and a sort for each variable.

    identity: that of an occurrence of a variable, by its number; bound: the identities that a quantifier binds, by its
    number; sorts: by identity and by node name (see `type_variable`); names: the user's name of each identity; free:
    the free variables in code-unit order; indices: where digits are shared, by the number of a formula as an argument,
    the variable whose digits are those of the formula's own; overridden: the arguments that are not in the system that
    a `?` names.
    """

    source: Source
    identity: dict[int, str]
    bound: dict[int, tuple[str, ...]]
    sorts: dict[str, Sort]
    names: dict[str, str]
    free: tuple[str, ...]
    indices: dict[int, str] = field(default_factory=dict)
    overridden: tuple[OverriddenSystem, ...] = ()

    def sort_at(self, at: Occurrence) -> Sort:
        """Return the sort of the comparison, argument or index at this place."""
        return self.sorts[type_variable(at)]


def type_variable(at: Occurrence) -> str:
    """Return the name of the type variable of a comparison, argument or index; no variable has such a name."""
    return f"@{at.number}"


def operand_occurrences(at: Occurrence) -> Iterator[Occurrence]:
    """Yield the variables, letters and constants that a term computes with, except those in the indices of words."""
    if isinstance(at.node, Arithmetic | Negative):
        for part in at.below:
            yield from operand_occurrences(part)
    else:
        yield at
