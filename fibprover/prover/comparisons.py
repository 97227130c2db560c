"""Equality of factors, reversals and palindromes that are written out become calls of the predicates of words.

    Ak k<c => W[a+k]=W[b+k]            is feq_W(a,b,c)
    Ak k<c => W[a+k]=W[a+c-1-k]        is pal_W(a,c)
    Ak k<c => W[a+k]=W[b+c-1-k]        is rev_W(a,b,c)

for terms a, b and c without k, whatever the form: `~Ek`, a range such as `a<=k & k<b`, the bound `k<=c`, a difference
as a bound, the conditions in any order.  In place of equal letters of a word, those of two words may be compared, or,
of two letters, different ones, or some with some others, `V[x]=@1 <=> W[y]=@2`: see `LetterComparison`.  A formula is
recognized after it is lowered, so that none of this is a matter of its text.

The range is empty or not, the indices are terms, and all of them are compared as affine forms: what is recognized is
equal for all numbers.  An index that may be undefined within the range is left as it is written, except where it is the
first one of a part, as in a border, `Ak k<m => W[k]=W[n-m+k]`: where n-m is undefined, m is not 0 and there is a letter
that does not exist, so that the parts are not equal, and the call of the predicate is false.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count

from fibprover.automata import language, operations
from fibprover.base.limits import UNLIMITED
from fibprover.base.values import replaced, value
from fibprover.prover import logic
from fibprover.prover.environment import Definition, PredicatesOfWords, Sort, sort_of
from fibprover.prover.logic import Linear, Logic, PredicateAtom, ResolvedFormula, WordLetter, WordPair
from fibprover.prover.lower import Affine, linear
from fibprover.prover.plan.optimize import conjuncts
from fibprover.prover.plan.rules import ALL, RECOGNIZE, Rules
from fibprover.words.automatic import AutomaticWord
from fibprover.words.letter_comparison import LetterComparison, among


@value
class Comparison:
    """A bounded quantifier that compares parts of two words, or two of one word, letter by letter.

    kind: feq, rev or pal; letters: how they are compared; arguments: those of the predicate, in order; the last one is
    the length; outside: conditions that do not mention the quantified variable, without which there is nothing to
    compare; partial: whether an argument may be undefined, where the parts are not equal.
    """

    kind: str
    letters: LetterComparison
    arguments: tuple[Affine, ...]
    outside: tuple[Logic, ...]
    partial: bool = False

    @property
    def name(self) -> str:
        """The name of the predicate."""
        return f"{self.kind}_{self.letters.name}"

    @property
    def is_general(self) -> bool:
        """Whether the arguments are different variables, so that the formula has all that the predicate says."""
        names = [_only_variable(argument) for argument in self.arguments]
        return None not in names and len(set(names)) == len(names)


#: Returns the predicate of a comparison; None if it shall be left as it is written.
Lookup = Callable[[Comparison], Definition | None]


def recognized(resolved: ResolvedFormula, predicate: Lookup) -> ResolvedFormula:
    """Return the formula with a predicate in place of each comparison that has one.  Linear in its size."""
    recognition = _Recognition(resolved, predicate)
    changed = recognition.changed(resolved.logic, True)
    if changed is resolved.logic:
        return resolved
    sorts = {**resolved.sorts, **recognition.fresh_sorts}
    return ResolvedFormula(changed, sorts, resolved.free, resolved.names, resolved.parts)


def with_known_predicates(
    resolved: ResolvedFormula, of_words: PredicatesOfWords | None, enabled_rules: Rules = ALL
) -> ResolvedFormula:
    """Return the formula with the predicates that were made before in place of what says the same."""
    if of_words is None or RECOGNIZE not in enabled_rules:
        return resolved
    return recognized(resolved, lambda found: of_words.known(found.kind, found.letters))


def comparisons(resolved: ResolvedFormula) -> list[Comparison]:
    """Return the comparisons of a formula."""
    found: list[Comparison] = []
    recognized(resolved, found.append)
    return found


@dataclass
class _Recognition:
    """One pass over a formula."""

    resolved: ResolvedFormula
    predicate: Lookup
    fresh_sorts: dict[str, Sort] = field(default_factory=dict)
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def changed(self, node: Logic, positive: bool) -> Logic:
        """Return a part of the formula with its comparisons replaced; positive: whether no negation is around it."""
        match node:
            case logic.Not():
                body = self.changed(node.body, not positive)
                return node if body is node.body else logic.Not(body, node.label)
            case logic.Implies():
                left, right = self.changed(node.left, not positive), self.changed(node.right, positive)
                return node if left is node.left and right is node.right else logic.Implies(left, right, node.label)
            case logic.ForAll() | logic.Exists() if len(node.variables) == 1:
                found = _comparison(node, self.resolved.sorts)
                definition = None if found is None else self.predicate(found)
                if found is not None and definition is not None:
                    made = self.called(found, definition, isinstance(node, logic.ForAll), positive)
                    return replaced(made, label=node.label)
        return logic.map_children(node, lambda part: self.changed(part, positive))

    def called(self, found: Comparison, definition: Definition, equal: bool, positive: bool) -> Logic:
        """Return the formula that calls a predicate; equal: whether the parts are said to be equal, or not to be.

        Terms are given names.  A name that always has a value may be given inside or outside of a negation; it is given
        inside of those around it, so that none has to be projected away below a negation.
        """
        names: list[str] = []
        conditions: list[Logic] = []
        sort = self.resolved.sorts[self.one_variable(found)]
        fresh: list[str] = []
        for argument in found.arguments:
            name = _only_variable(argument)
            if name is None:
                name = self.fresh(sort)
                fresh.append(name)
                difference = Affine({name: 1}, 0).plus(argument, -1)
                conditions.append(linear(sort.system, difference.coefficients, -difference.constant, "="))
            names.append(name)
        atom = PredicateAtom(definition, tuple(names))

        def with_names(body: Logic) -> Logic:
            whole = logic.conjunction([*conditions, body])
            return logic.Exists(tuple(fresh), whole) if fresh else whole

        if found.partial:
            return with_names(atom) if equal else logic.Not(with_names(atom))
        if not found.outside and found.arguments[-1].is_natural:
            if equal == positive:
                return with_names(atom) if equal else logic.Not(with_names(atom))
            return logic.Not(with_names(logic.Not(atom))) if equal else with_names(logic.Not(atom))
        different = logic.conjunction([*found.outside, with_names(logic.Not(atom))])
        return logic.Not(different) if equal else different

    def one_variable(self, found: Comparison) -> str:
        """Return a variable of the terms of a comparison, all of which have one sort."""
        return next(name for argument in found.arguments for name in argument.coefficients)

    def fresh(self, sort: Sort) -> str:
        """Return a variable that the formula does not have, of a sort."""
        name = next(name for number in self.numbers if (name := f"'r{number}") not in self.resolved.sorts)
        self.fresh_sorts[name] = sort
        return name


# -- recognizing -------------------------------------------------------------------------------


class _NotRecognized(Exception):
    """A part of a formula is of another form."""


def _comparison(node: logic.ForAll | logic.Exists, sorts: Mapping[str, Sort]) -> Comparison | None:
    """Return what a quantifier compares; None if it is of another form."""
    (variable,) = node.variables
    if not sorts[variable].system:
        return None
    members = _Members()
    try:
        if isinstance(node, logic.ForAll):
            members.add_negation(node.body)
        else:
            members.add(node.body)
        return _Range(variable, sorts[variable], members).comparison(sorts)
    except _NotRecognized:
        return None


@value
class _Letters:
    """Letters that are compared, the variables that are their indices, and whether letters that do not exist differ."""

    letters: LetterComparison
    left: str
    right: str
    undefined: bool


@dataclass
class _Members:
    """What holds of a number k at which two parts of a word differ: a conjunction.

    fresh: the variables that name terms; atoms: comparisons of terms; needed: conditions without which a term is
    undefined; different: the letters that differ.
    """

    fresh: set[str] = field(default_factory=set)
    atoms: list[Linear] = field(default_factory=list)
    needed: list[Linear] = field(default_factory=list)
    different: list[_Letters] = field(default_factory=list)

    def add(self, node: Logic) -> None:
        """Add a formula."""
        match node:
            case logic.And():
                self.add(node.left)
                self.add(node.right)
            case logic.Not():
                self.add_negation(node.body)
            case Linear():
                self.atoms.append(node)
            case WordPair():
                self.add_letters(node, negated=False)
            case logic.Exists() if _names_terms(node):
                self.add_letters(self.letters(node), negated=False)
            case logic.Xor() | logic.Iff():
                self.add_sets(node, differ=isinstance(node, logic.Xor))
            case _:
                raise _NotRecognized

    def add_negation(self, node: Logic) -> None:
        """Add the negation of a formula."""
        match node:
            case logic.Not():
                self.add(node.body)
            case logic.Implies():
                self.add(node.left)
                self.add_negation(node.right)
            case logic.Or():
                self.add_negation(node.left)
                self.add_negation(node.right)
            case Linear(relation="<=" | "!="):
                self.atoms.append(logic.negated_linear(node))
            case WordPair():
                self.add_letters(node, negated=True)
            case logic.Exists() if _names_terms(node):
                self.add_letters(self.letters(node), negated=True)
            case logic.Xor() | logic.Iff():
                self.add_sets(node, differ=isinstance(node, logic.Iff))
            case _:
                raise _NotRecognized

    def letters(self, node: logic.Exists) -> WordPair:
        """Return the letters below the names of their indices, which have values wherever what is needed holds."""
        *conditions, last = conjuncts(node.body)
        if not isinstance(last, WordPair):
            raise _NotRecognized
        self.name(node.variables, conditions)
        return last

    def name(self, variables: tuple[str, ...], conditions: list[Logic]) -> None:
        """Add variables that name terms, with the conditions that come with them."""
        self.fresh.update(variables)
        for condition in conditions:
            if not isinstance(condition, Linear):
                raise _NotRecognized
            self.needed.append(condition)

    def add_letters(self, pair: WordPair, negated: bool) -> None:
        """Add two letters that are compared, which may not exist only where their equality is negated."""
        if pair.relation not in ("=", "!=") or len(pair.left_variables) != 1 or len(pair.right_variables) != 1:
            raise _NotRecognized
        equal = LetterComparison(pair.left, pair.right)
        letters = equal if negated == (pair.relation == "=") else equal.opposite()
        undefined = negated and pair.relation == "="
        self.add_different(letters, pair.left_variables[0], pair.right_variables[0], undefined=undefined)

    def add_sets(self, node: logic.Xor | logic.Iff, differ: bool) -> None:
        """Add two letters of which one is among some letters and the other one not among others; or both, or none."""
        left, right = self.one_letter(node.left), self.one_letter(node.right)
        same = among(left.word, left.letters, right.word, right.letters)
        letters = same if differ else same.opposite()
        self.add_different(letters, left.variables[0], right.variables[0], undefined=False)

    def add_different(self, letters: LetterComparison | None, left: str, right: str, *, undefined: bool) -> None:
        """Add letters that differ, if there is such a comparison; see `_Letters`."""
        if letters is None or len({word.tracks[0].system for word in letters.words.values()}) != 1:
            raise _NotRecognized
        if not (undefined or all(map(_is_total, letters.words.values()))):
            raise _NotRecognized
        self.different.append(_Letters(letters, left, right, undefined))

    def one_letter(self, node: Logic) -> WordLetter:
        """Return the letter of a side, whose index may have a name."""
        if isinstance(node, logic.Exists) and _names_terms(node):
            *conditions, last = conjuncts(node.body)
            self.name(node.variables, conditions)
        else:
            last = node
        if not isinstance(last, WordLetter) or len(last.variables) != 1:
            raise _NotRecognized
        return last


@dataclass
class _Range:
    """The numbers k at which a comparison looks, from `low` below `high`, and the terms at these."""

    variable: str
    sort: Sort
    members: _Members
    low: Affine = field(default_factory=lambda: Affine({}, 0))
    high: Affine | None = None
    outside: list[Logic] = field(default_factory=list)
    #: Affine forms that may be negative, at the first number of the range.
    partial: list[Affine] = field(default_factory=list)

    def comparison(self, sorts: Mapping[str, Sort]) -> Comparison:
        """Return the comparison.  Raises _NotRecognized."""
        if len(self.members.different) != 1:
            raise _NotRecognized
        (different,) = self.members.different
        letters = different.letters
        names = {self.variable, different.left, different.right}
        for word in letters.words.values():
            track = sort_of(word.tracks[0])
            if any(sorts[name] != self.sort for name in names):
                raise _NotRecognized
            if not (self.sort == track or self.sort.same_numbers(track)):
                raise _NotRecognized
            if word.system(word.tracks[0]).signed:
                raise _NotRecognized
        self.bounds()
        terms = self.terms()
        length = self.length()
        first, second = (self.index(name, terms) for name in (different.left, different.right))
        if first.coefficients.get(self.variable) == -1:
            first, second, letters = second, first, letters.swapped()
        begins = self.at(first, self.low)
        if second.coefficients.get(self.variable) == 1:
            arguments = (begins, self.at(second, self.low), length)
            partial = self.is_partial(arguments)
            if partial and (self.outside or not different.undefined):
                raise _NotRecognized
            return Comparison("feq", letters, arguments, tuple(self.outside), partial)
        if self.partial or not begins.is_natural:
            raise _NotRecognized
        if first.coefficients.get(self.variable) != 1:
            raise _NotRecognized
        ends = self.at(second, self.last())
        if letters.is_plain and _terms(ends) == _terms(begins):
            return Comparison("pal", letters, (begins, length), tuple(self.outside))
        if not ends.is_natural:
            raise _NotRecognized
        return Comparison("rev", letters, (begins, ends, length), tuple(self.outside))

    def is_partial(self, arguments: tuple[Affine, ...]) -> bool:
        """Return whether one of the two parts may begin at a negative number; the range is not empty then.

        Raises _NotRecognized where something else may be undefined, or where the range may be empty.
        """
        *begins, length = arguments
        negative = [each for each in begins if not each.is_natural]
        if len(negative) > 1 or not (length.is_natural or not negative):
            raise _NotRecognized
        for form in self.partial:
            if not negative or not _reduced(form.plus(negative[0], -1)).is_natural:
                raise _NotRecognized
        # Where it is -1 or less, the length is 1 or more.
        if negative and not _reduced(length.plus(negative[0])).is_natural:
            raise _NotRecognized
        return bool(negative)

    def bounds(self) -> None:
        """Find the range among the atoms, and the conditions that do not mention k."""
        lower: list[Affine] = []
        for atom in self.members.atoms:
            form = _left_minus_right(atom)
            k, rest = _taken_apart(form, self.variable)
            if atom.system != self.sort.system or self.members.fresh.intersection(atom.variables):
                raise _NotRecognized
            if not k:
                self.outside.append(atom)
            elif atom.relation != "<=" or abs(k) != 1:
                raise _NotRecognized
            elif k == -1:
                lower.append(rest)  # rest - k <= 0
            elif self.high is not None:
                raise _NotRecognized
            else:
                self.high = Affine({}, 1).plus(rest, -1)  # k + rest <= 0
        # A bound that is never positive says nothing.
        lower = [bound for bound in lower if not bound.times(-1).is_natural]
        if len(lower) > 1 or self.high is None:
            raise _NotRecognized
        if lower:
            (self.low,) = lower
            if not self.low.is_natural:
                raise _NotRecognized

    def last(self) -> Affine:
        """Return the last number of the range, if that is not empty."""
        assert self.high is not None
        return self.high.plus(Affine({}, -1))

    def length(self) -> Affine:
        """Return how many numbers the range has; a negative one stands for none."""
        assert self.high is not None
        found = _reduced(self.high.plus(self.low, -1))
        if not found.coefficients:
            raise _NotRecognized  # a few letters are soon compared
        return found

    def terms(self) -> dict[str, Affine]:
        """Return the terms that have names, in which no other names are; what else is needed must hold in the range."""
        found: dict[str, Affine] = {}
        for atom in self.members.needed:
            if atom.system != self.sort.system:
                raise _NotRecognized
            form = _left_minus_right(atom)
            named = self.members.fresh.intersection(form.coefficients)
            if not named:
                if atom.relation != "<=":
                    raise _NotRecognized
                self.note(form.times(-1))
                continue
            (name, *others) = named
            c, rest = _taken_apart(form, name)
            if others or abs(c) != 1 or atom.relation != "=" or name in found:
                raise _NotRecognized
            found[name] = rest.times(-c)
            self.note(found[name])
        if set(found) != self.members.fresh:
            raise _NotRecognized
        return found

    def note(self, form: Affine) -> None:
        """Note an affine form that has to be natural, if it may be negative."""
        if not self.is_natural(form):
            if form.coefficients.get(self.variable, 0) < 0:
                raise _NotRecognized
            self.partial.append(self.at(form, self.low))

    def is_natural(self, form: Affine) -> bool:
        """Return whether an affine form is natural at all numbers of the range: its least value is one.

        It need not be natural where the range is empty, so that last - low, which is natural, may be taken from it.
        """
        least = self.at(form, self.low if form.coefficients.get(self.variable, 0) >= 0 else self.last())
        return least.is_natural or least.plus(self.last().plus(self.low, -1), -1).is_natural

    def at(self, form: Affine, number: Affine) -> Affine:
        """Return an affine form with a number in place of k."""
        k, rest = _taken_apart(form, self.variable)
        return _reduced(rest.plus(number, k))

    def index(self, name: str, terms: Mapping[str, Affine]) -> Affine:
        """Return the index that a variable stands for."""
        found = terms.get(name, Affine({name: 1}, 0))
        if abs(found.coefficients.get(self.variable, 0)) != 1:
            raise _NotRecognized
        return found


def _is_total(word: AutomaticWord) -> bool:
    """Return whether a word has a letter at every number."""
    (track,) = word.tracks
    missing = operations.difference(
        word.system(track).valid.renamed(["x"]), word.where(word.outputs).renamed(["x"]), UNLIMITED
    )
    return language.is_empty(missing)


def _names_terms(node: logic.Exists) -> bool:
    """Return whether lowering has made a quantifier, to give terms names."""
    return all(name.startswith("'") for name in node.variables)


def _left_minus_right(atom: Linear) -> Affine:
    """Return the affine form that a linear atom compares with 0."""
    return Affine(dict(zip(atom.variables, atom.coefficients, strict=True)), -atom.constant)


def _taken_apart(form: Affine, name: str) -> tuple[int, Affine]:
    """Return the coefficient of a variable in an affine form, and the form without it."""
    rest = {other: c for other, c in form.coefficients.items() if other != name}
    return form.coefficients.get(name, 0), Affine(rest, form.constant)


def _reduced(form: Affine) -> Affine:
    """Return an affine form without variables that have cancelled out."""
    return Affine({name: c for name, c in form.coefficients.items() if c}, form.constant)


def _terms(form: Affine) -> tuple[Mapping[str, int], int]:
    return form.coefficients, form.constant


def _only_variable(form: Affine) -> str | None:
    """Return the variable that an affine form is; None if it is another one."""
    if form.constant or list(form.coefficients.values()) != [1]:
        return None
    return next(iter(form.coefficients))
