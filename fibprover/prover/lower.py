"""From a bound formula to logic over variables: terms are taken apart.

A comparison of terms becomes one linear atom in normal form, together with the conditions under which its terms
are defined: `a-b` needs a>=b, a quotient is a fresh variable between two bounds, an index or argument
that is not a variable gets a fresh one, and a word inside arithmetic is a disjunction over the
letters it can have.  An atom with an undefined term is false (docs/language.md).

The file has three parts: the walk over the formula, affine forms with the normal form of linear atoms, and the relation
of numbers that have the same digits in two systems.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import gcd
from operator import eq, ge, gt, le, lt, ne

from fibprover.automata.dfa import Track, build
from fibprover.base.errors import NotSupported, TypeMismatch
from fibprover.base.limits import polled
from fibprover.base.names import PARAMETER, is_family, is_parameter, parameter_name
from fibprover.base.values import replaced
from fibprover.language.source import Occurrence, Source, Span, free_occurrences
from fibprover.language.tree import (
    Arithmetic,
    Binary,
    Call,
    Compare,
    Formula,
    InSystem,
    Letter,
    Negative,
    Not,
    Number,
    Quantified,
    Reversed,
    SystemTerm,
    Variable,
    WordValue,
    is_constant,
)
from fibprover.prover import logic
from fibprover.prover.bind import BoundFormula, bind, operand_occurrences
from fibprover.prover.environment import Definition, Environment, Sort, sort_of
from fibprover.prover.logic import Logic, ResolvedFormula
from fibprover.words.automatic import AutomaticWord

#: The way out where a formula has two parameters.
_APART = "a formula over a family has one parameter, which all of its numbers depend on; decide the parts apart"

CONNECTIVES: Mapping[str, type[logic.And | logic.Or | logic.Xor | logic.Implies | logic.Iff]] = {
    "&": logic.And, "|": logic.Or, "^": logic.Xor, "=>": logic.Implies, "<=>": logic.Iff,
}


def lower(bound: BoundFormula, environment: Environment) -> ResolvedFormula:
    """Take the terms of a bound formula apart.  Raises TextErrors with the place."""
    lowering = _Lowering(bound.source, environment, bound)
    body = lowering.formula(bound.source.root)
    sorts, free, names = {**bound.sorts, **lowering.fresh_sorts}, bound.free, bound.names
    families = {sort.system for sort in sorts.values() if is_family(sort.system)}
    if families or lowering.parameters:
        track = the_parameter(bound, families, lowering.parameters, environment)
        check_one_family(bound, body)
        sorts, names = sorts | {PARAMETER: sort_of(track)}, names | {PARAMETER: parameter_name(track.system)}
        free = (*free, PARAMETER)
    return ResolvedFormula(body, sorts, free, names, lowering.parts)


def resolve(source: Source, environment: Environment) -> ResolvedFormula:
    """Bind and lower a parsed formula.  Raises TextErrors with the place."""
    return lower(bind(source, environment), environment)


def the_parameter(
    bound: BoundFormula, families: Iterable[str], called: Mapping[Sort, Span], environment: Environment
) -> Track:
    """Return the track of the parameter of a formula; raise TypeMismatch if there are two.

    families: the systems of its numbers that are families; called: the parameters of predicates and words, each with a
    place.
    """
    found = {name: environment.system(name).parameter for name in sorted(families)}
    tracks = [*dict.fromkeys(track for track in found.values() if track is not None)]
    text = bound.source.text
    if len(found) > 1:
        raise TypeMismatch(
            f"a formula has numbers of one family, not of {' and of '.join(found)}", text, 0, len(text), hint=_APART
        )
    if not tracks:
        tracks = [next(iter(called)).track(PARAMETER)]
    for sort, span in called.items():
        if not sort.same_numbers(sort_of(tracks[0])):
            raise TypeMismatch(
                f"{bound.source.slice(span)} is over another family than the rest of the formula", text, span.start,
                span.end, hint=_APART,
            )
    return tracks[0]


def check_one_family(bound: BoundFormula, body: Logic) -> None:
    """Check that all numbers of a formula over a family are in it: there is one slope, and no other numbers.

    Raises TypeMismatch with the place of a variable in another system.
    """
    for at in variable_occurrences(bound.source.root):
        sort = bound.sorts[bound.identity[at.number]]
        if not is_family(sort.system):
            what = "numbers" if sort.system else "words over the plain alphabet"
            raise TypeMismatch(
                f"{bound.source.slice(at.span)} stands for {what} of {sort}, in a formula over a family of systems",
                bound.source.text, at.span.start, at.span.end,
                hint="a formula over a family has one parameter, which all of its numbers depend on; "
                "put the family, as in ?msd_sturmian, in front of the whole formula, or decide the parts apart",
            )


def variable_occurrences(at: Occurrence) -> Iterator[Occurrence]:
    """Yield the occurrences of variables, from left to right."""
    if isinstance(at.node, Variable):
        yield at
    for part in at.below:
        yield from variable_occurrences(part)


@dataclass
class _Definedness:
    """The fresh variables that a comparison needs, and the conditions on them."""

    fresh: list[str] = field(default_factory=list)
    conditions: list[Logic] = field(default_factory=list)

    def wrap(self, body: Logic, label: str) -> Logic:
        whole = logic.conjunction([*self.conditions, body])
        if self.fresh:
            return logic.Exists(tuple(self.fresh), whole, label)
        return replaced(whole, label=label)


#: Counts are 32 bits in the kernel, and `E<=k` asks for k + 1.
MOST_COUNTED = 2**31 - 2


def counted(relation: str, count: int, names: tuple[str, ...], body: Logic) -> Logic:
    """Return `E relation count names . body`, in terms of "at least"."""

    def at_least(number: int) -> Logic:
        if number == 0:
            return logic.Truth(True)
        return logic.Exists(names, body) if number == 1 else logic.AtLeast(names, number, body)

    if relation == ">=":
        return at_least(count)
    if relation == "<=":
        return logic.Not(at_least(count + 1))
    return logic.And(at_least(count), logic.Not(at_least(count + 1))) if count else logic.Not(at_least(1))


@dataclass
class _Lowering:
    """One pass over the tree; fresh variables are counted from 1 and named '1, '2, ..."""

    source: Source
    environment: Environment
    bound: BoundFormula
    fresh_sorts: dict[str, Sort] = field(default_factory=dict)
    parts: dict[int, Logic] = field(default_factory=dict)
    parameters: dict[Sort, Span] = field(default_factory=dict)

    def fresh(self, sort: Sort, side: _Definedness) -> str:
        name = f"'{len(self.fresh_sorts) + 1}"
        self.fresh_sorts[name] = sort
        side.fresh.append(name)
        return name

    def variable(self, at: Occurrence) -> str:
        return self.bound.identity[at.number]

    # -- formulas --------------------------------------------------------------------------

    def formula(self, at: Occurrence) -> Logic:
        """Return the logic of a formula, and keep it by the number of the occurrence."""
        made = self.parts[at.number] = self.lowered(at)
        return made

    def lowered(self, at: Occurrence) -> Logic:
        label = self.source.slice(at.span)
        match at.node:
            case Compare():
                return self.comparison(at, label)
            case Call():
                return self.call(at)
            case Not():
                return logic.Not(self.formula(at.below[0]), label)
            case Reversed():
                # The same numbers, read from the other end: binding has given the variables sorts of that order.
                return replaced(self.formula(at.below[0]), label=label)
            case Binary(op=op):
                return CONNECTIVES[op](self.formula(at.below[0]), self.formula(at.below[1]), label)
            case Quantified():
                return self.quantified(at, label)
            case InSystem():
                return self.formula(at.below[0])
        raise AssertionError("terms are no formulas")

    def quantified(self, at: Occurrence, label: str) -> Logic:
        assert isinstance(at.node, Quantified)
        node, names = at.node, self.bound.bound[at.number]
        body = self.formula(at.below[0])
        if node.relation:
            if node.count > MOST_COUNTED:
                raise self.unsupported(f"a counting quantifier counts to {MOST_COUNTED} at most", at.span)
            self.require_numbers(at, "a counting quantifier")
            return replaced(counted(node.relation, node.count, names, body), label=label)
        if node.kind == "E":
            return logic.Exists(names, body, label)
        if node.kind == "A":
            return logic.ForAll(names, body, label)
        self.require_numbers(at, "I")
        for name in sorted(logic.free_variables(body) - {PARAMETER}):
            if not self.sort_of_variable(name).system:
                word = self.bound.names.get(name, name)
                raise self.unsupported(
                    f"I cannot be used together with {word}, which is a word over a plain alphabet", at.span
                )
        for name in reversed(names[1:]):
            body = self.infinitely_many(name, body)
        return replaced(self.infinitely_many(names[0], body), label=label)

    def infinitely_many(self, name: str, body: Logic) -> Logic:
        """Return `I name . body`; over a family it is that each number is below one of them."""
        sort = self.sort_of_variable(name)
        if not is_family(sort.system):
            return logic.Infinite(name, body)
        below = self.fresh(sort, _Definedness())
        larger = linear(sort.system, {below: 1, name: -1}, 0, "<")
        return logic.ForAll((below,), logic.Exists((name,), logic.And(larger, body)))

    def require_numbers(self, at: Occurrence, what: str) -> None:
        for identity, place in zip(self.bound.bound[at.number], at.names, strict=True):
            if not self.bound.sorts[identity].system:
                raise self.unsupported(
                    f"{what} needs variables that are numbers, and {self.bound.names[identity]} is a word over a plain"
                    " alphabet", place,
                )

    def unsupported(self, message: str, span: Span, hint: str = "") -> NotSupported:
        return NotSupported(message, self.source.text, span.start, span.end, hint=hint)

    def call(self, at: Occurrence) -> Logic:
        assert isinstance(at.node, Call)
        definition = self.environment.definitions[at.node.name]
        side = _Definedness()
        sorts = definition.argument_sorts
        names = tuple(self.argument(argument, sort, side) for argument, sort in zip(at.below, sorts, strict=True))
        parameter = self.parameter(definition.sorts, at.span)
        return side.wrap(logic.PredicateAtom(definition, (*names, *parameter)), "")

    def argument(self, at: Occurrence, track: Sort, side: _Definedness) -> str:
        """Return the variable for an argument or index on such a track; add its defining condition to `side`."""
        name = self.value(at, side)
        sort = self.sort_of_variable(name)
        if not self.environment.shared_digits or not track.system or not sort.system or track.same_numbers(sort):
            return name
        # Digits are shared: the number of the track's system that is written as this one.
        read = self.fresh(track, side)
        side.conditions.append(written_alike(read, track, name, sort))
        return read

    def automatic(self, at: Occurrence) -> AutomaticWord:
        assert isinstance(at.node, WordValue)
        return self.environment.words[at.node.word]

    def indices(self, at: Occurrence, side: _Definedness) -> tuple[str, ...]:
        """Return the variables for the indices of a word."""
        word = self.automatic(at)
        sorts = map(sort_of, word.indices)
        names = tuple(self.argument(index, sort, side) for index, sort in zip(at.below, sorts, strict=True))
        return (*names, *self.parameter(tuple(map(sort_of, word.tracks)), at.span))

    def parameter(self, sorts: Sequence[Sort], span: Span) -> tuple[str, ...]:
        """Return the variable of the parameter if one of these sorts is one of a parameter, which is noted."""
        own = next((sort for sort in sorts if is_parameter(sort.system)), None)
        if own is None:
            return ()
        self.parameters.setdefault(own, span)
        return (PARAMETER,)

    def sort_of_variable(self, name: str) -> Sort:
        """Return the sort of a variable, fresh or not."""
        return self.fresh_sorts.get(name) or self.bound.sorts[name]

    def value(self, at: Occurrence, side: _Definedness) -> str:
        """Return the variable that has the value of an argument or index; add its defining condition to `side`."""
        if isinstance(at.node, Formula):
            inner = self.variable(next(free_occurrences(at)))
            outer = self.bound.indices.get(at.number, inner)
            side.conditions.append(self.formula(at))
            if outer != inner:
                side.fresh.append(inner)
                sorts = self.sort_of_variable(outer), self.sort_of_variable(inner)
                side.conditions.append(written_alike(outer, sorts[0], inner, sorts[1]))
            return outer
        term = at.below[0] if isinstance(at.node, SystemTerm) else at
        if isinstance(term.node, Variable):
            return self.variable(term)
        sort = self.bound.sort_at(at)
        name = self.fresh(sort, side)
        side.conditions.append(self.equals(name, term, sort.system))
        return name

    def equals(self, name: str, term: Occurrence, system: str) -> Logic:
        """Return the formula name = term."""

        def relate(values: Mapping[int, int], side: _Definedness) -> Logic:
            value = self.affine(term, values, side, system, top=True)
            return self.relate("=", Affine({name: 1}, 0), value, side, system)

        return self.by_letters([term], relate)

    # -- comparisons -----------------------------------------------------------------------

    def comparison(self, at: Occurrence, label: str) -> Logic:
        assert isinstance(at.node, Compare)
        op, (left, right) = at.node.op, at.below
        if isinstance(left.node, WordValue) and isinstance(right.node, WordValue):
            return self.word_pair(op, left, right, label)
        system = self.bound.sort_at(at).system
        if isinstance(left.node, WordValue) and is_constant(at.node.right):
            return self.word_letter(op, left, self.constant(right, system), label)
        if isinstance(right.node, WordValue) and is_constant(at.node.left):
            mirrored = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(op, op)
            return self.word_letter(mirrored, right, self.constant(left, system), label)

        def relate(values: Mapping[int, int], side: _Definedness) -> Logic:
            first = self.affine(left, values, side, system, top=True)
            second = self.affine(right, values, side, system, top=True)
            return self.relate(op, first, second, side, system)

        return replaced(self.by_letters([left, right], relate), label=label)

    def relate(self, op: str, left: Affine, right: Affine, side: _Definedness, system: str) -> Logic:
        """Return left op right; a side that could be undefined must be natural, unless it equals a natural term."""
        for value, other in ((left, right), (right, left)):
            if value.unchecked and not (op == "=" and other.is_natural):
                self.require_natural(value, side, system)
        total = left.plus(right, -1)
        return linear(system, total.coefficients, -total.constant, op)

    def by_letters(
        self, terms: list[Occurrence], relate: Callable[[Mapping[int, int], _Definedness], Logic]
    ) -> Logic:
        """Return the disjunction, over the letters of the words in `terms`, of the results of `relate`."""
        words = [each for term in terms for each in word_occurrences(term)]
        if not words:
            side = _Definedness()
            return side.wrap(relate({}, side), "")
        outer = _Definedness()
        indexed = [(word, name, self.indices(word, outer)) for word, name in words]
        branches: list[Logic] = []
        choices = [self.environment.words[name].outputs for _, name, _ in indexed]
        for letters in polled(product(*choices), "a plan"):
            values: dict[int, int] = {}
            held: dict[tuple[str, tuple[str, ...]], int] = {}
            consistent = True
            for (word, name, names), letter in zip(indexed, letters, strict=True):
                values[word.number] = letter
                consistent &= held.setdefault((name, names), letter) == letter
            if not consistent:
                continue
            side = _Definedness()
            side.conditions = [
                logic.WordLetter(self.environment.words[name], names, frozenset([letter]))
                for (name, names), letter in held.items()
            ]
            branches.append(side.wrap(relate(values, side), ""))
        return outer.wrap(logic.disjunction(branches), "")

    def word_letter(self, op: str, word: Occurrence, constant: int | None, label: str) -> Logic:
        automatic = self.automatic(word)
        letters = frozenset(
            letter for letter in automatic.outputs if constant is not None and RELATIONS[op](letter, constant)
        )
        side = _Definedness()
        names = self.indices(word, side)
        return side.wrap(logic.WordLetter(automatic, names, letters), label)

    def word_pair(self, op: str, left: Occurrence, right: Occurrence, label: str) -> Logic:
        side = _Definedness()
        first = self.indices(left, side)
        second = self.indices(right, side)
        return side.wrap(logic.WordPair(self.automatic(left), first, self.automatic(right), second, op), label)

    # -- terms -----------------------------------------------------------------------------

    def constant(self, term: Occurrence, system: str) -> int | None:
        """Return the value of a term without variables, None if it is undefined."""
        side = _Definedness()
        value = self.affine(term, {}, side, system)
        return None if logic.Truth(False) in side.conditions else value.constant

    def affine(
        self, at: Occurrence, values: Mapping[int, int], side: _Definedness, system: str, *, top: bool = False
    ) -> Affine:
        """Return a term as an affine form; add its conditions to `side`.

        top: an outermost difference is returned `unchecked` instead of getting a condition here.
        """
        match at.node:
            case Number(value=number):
                return Affine({}, number)
            case Letter(value=letter):
                return Affine({}, letter, letter=True)
            case WordValue():
                return Affine({}, values[at.number], letter=True)
            case Variable():
                return Affine({self.variable(at): 1}, 0)
            case Negative() if self.signed(system):
                return self.affine(at.below[0], values, side, system).times(-1)
            case Negative():
                raise self.unsupported(
                    f"the unary minus _ needs a system with negative numbers, but {system} has none", at.span,
                    "write ?msd_neg_2 or ?msd_neg_fib, or a difference of naturals, or @-1 for a letter",
                )
            case Arithmetic():
                return self.arithmetic(at, values, side, system, top)
        raise AssertionError("formulas are no terms")

    def arithmetic(
        self, at: Occurrence, values: Mapping[int, int], side: _Definedness, system: str, top: bool
    ) -> Affine:
        assert isinstance(at.node, Arithmetic)
        left, right = (self.affine(part, values, side, system) for part in at.below)
        partial = _negative_letter(left) or _negative_letter(right)
        if at.node.op == "+":
            result = left.plus(right)
        elif at.node.op == "-":
            result = left.plus(right, -1)
            partial = True
        elif at.node.op == "*":
            if not left.is_constant and not right.is_constant:
                raise TypeMismatch(
                    "a product needs a constant factor: numbers can be multiplied by constants only",
                    self.source.text, at.span.start, at.span.end,
                )
            by, of = (left, right) if left.is_constant else (right, left)
            result = of.times(by.constant)
        else:
            return self.quotient(at.below[1].span, left, right, side, system)
        if not partial or self.signed(system):
            return result
        if top:
            return replace(result, unchecked=True)
        self.require_natural(result, side, system)
        return result

    def quotient(self, divisor: Span, left: Affine, right: Affine, side: _Definedness, system: str) -> Affine:
        """Return left / right; divisor: the place of the right side."""
        if not right.is_constant:
            raise TypeMismatch(
                "only division by a constant is possible", self.source.text, divisor.start, divisor.end
            )
        if right.constant == 0 or (right.constant < 0 and not self.signed(system)):
            raise TypeMismatch(
                f"division by {right.constant}" + (" has no value" if right.constant == 0 else " is not possible"),
                self.source.text, divisor.start, divisor.end,
            )
        if _negative_letter(left):
            self.require_natural(left, side, system)
        if left.is_constant:
            return Affine(left.coefficients, left.constant // right.constant)
        if not system:
            raise AssertionError("a constant term has no variables")
        if right.constant < 0:
            # floor(a / b) = floor(-a / -b)
            left, right = left.times(-1), right.times(-1)
        name = self.fresh(self.environment.sort(system), side)
        quotient = Affine({name: right.constant}, 0)
        below = left.plus(quotient, -1)
        side.conditions.append(linear(system, below.coefficients, -below.constant, ">="))
        side.conditions.append(linear(system, below.coefficients, right.constant - below.constant, "<"))
        return Affine({name: 1}, 0)

    def signed(self, system: str) -> bool:
        """Return whether a system's numbers are all integers: then every term has a value."""
        return bool(system) and self.environment.system(system).signed

    def require_natural(self, value: Affine, side: _Definedness, system: str) -> None:
        if not value.is_natural and not self.signed(system):
            side.conditions.append(linear(system, value.coefficients, -value.constant, ">="))


def word_occurrences(at: Occurrence) -> Iterator[tuple[Occurrence, str]]:
    """Yield the letters of words that a term computes with, with the names of the words."""
    for each in operand_occurrences(at):
        if isinstance(each.node, WordValue):
            yield each, each.node.word


def _negative_letter(value: Affine) -> bool:
    return value.letter and value.constant < 0


# Equal constraints get one normal form, since the cache looks atoms up by their form.

#: The functions that decide the relations between terms.
RELATIONS: Mapping[str, Callable[[int, int], bool]] = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


@dataclass(frozen=True, slots=True)
class Affine:
    """sum coefficient * variable + constant.

    letter: the form is a letter of a word, which may be negative although a term may not; unchecked: the term
    may be undefined, and the caller has to require that it is natural.
    """

    coefficients: Mapping[str, int]
    constant: int
    letter: bool = False
    unchecked: bool = False

    def plus(self, other: Affine, factor: int = 1) -> Affine:
        total = dict(self.coefficients)
        for name, coefficient in other.coefficients.items():
            total[name] = total.get(name, 0) + factor * coefficient
        return Affine(total, self.constant + factor * other.constant)

    def times(self, factor: int) -> Affine:
        return Affine({name: factor * c for name, c in self.coefficients.items()}, factor * self.constant)

    @property
    def is_constant(self) -> bool:
        return not any(self.coefficients.values())

    @property
    def is_natural(self) -> bool:
        """Whether it cannot be negative, whatever naturals the variables stand for."""
        return self.constant >= 0 and all(c >= 0 for c in self.coefficients.values())


def linear(system: str, coefficients: Mapping[str, int], constant: int, relation: str) -> Logic:
    """Return the normal form of sum c x relation constant: relation one of = != <=, divided by the gcd.

    Coefficients descend, so equal atoms over other variables have the same form; variables that cancelled
    out stay as `Universe`.
    """
    terms = {name: c for name, c in coefficients.items() if c}
    lost = tuple(sorted(name for name, c in coefficients.items() if not c))
    parameter = (PARAMETER,) if is_family(system) else ()
    sign = -1 if relation in (">", ">=") else 1
    shift = {"<": -1, ">": -1}.get(relation, 0)
    kind = relation if relation in ("=", "!=") else "<="
    bound = sign * constant + shift
    pairs = [(sign * c, name) for name, c in terms.items()]
    body: Logic
    if not pairs:
        body = logic.Truth(RELATIONS[kind](0, bound))
    else:
        divisor = gcd(*(c for c, _ in pairs))
        exact = bound % divisor == 0
        bound //= divisor
        pairs = sorted(((c // divisor, name) for c, name in pairs), key=lambda pair: (-pair[0], pair[1]))
        if kind != "<=":
            mirrored = sorted(((-c, name) for c, name in pairs), key=lambda pair: (-pair[0], pair[1]))
            if ([c for c, _ in mirrored], -bound) > ([c for c, _ in pairs], bound):
                pairs, bound = mirrored, -bound
        if kind != "<=" and not exact:
            values = logic.Universe((*sorted(name for _, name in pairs), *parameter))
            body = logic.And(logic.Truth(kind == "!="), values)
        else:
            body = logic.Linear(system, tuple(c for c, _ in pairs), tuple(name for _, name in pairs), kind, bound)
    return logic.And(body, logic.Universe((*lost, *parameter))) if lost else body


# Walnut reads the digits of an index in the system of the word, even if they were written in another system.  With
# `shared_digits` an environment does so as well: this relation then stands between a term and the track it fills.


def written_alike(first: str, first_sort: Sort, second: str, second_sort: Sort) -> logic.PredicateAtom:
    """Return the atom that says that `first`, in one system, has the same digits as `second`, in another one.

    The relation is raw, so that each call restricts both variables to words that are numbers in their systems.
    """
    tracks = [first_sort.track("first"), second_sort.track("second")]
    digits = range(len(first_sort.digits))
    every_pair = {digit * len(digits) + digit: 0 for digit in digits}
    return logic.PredicateAtom(
        Definition("written_alike", build(tracks, [every_pair], [1]), raw=True), (first, second)
    )
