"""The certificate of what `solve` proves of equations: that sequences satisfy them, and that no others do.

The checker has equations in another form: the term at x is a sum of products of terms at variables, where a formula
says what these variables are.  So a(2n+1) = a(n) + a(n+1) is a(x) = a(n) + a(k) where x=2*n+1 & k=n+1, and
a(n.0) = a(n) is a(x) = a(n) where $then_0(n,x): for numbers n, by an automaton that is in the file.  The numbers n
are terms of a sequence themselves, that with number(0) = 0 and number(x) = number(n) + 1 where x=n+1; the powers of -1
are those of another one.  The greatest of two numbers is half of their sum and of the amount of their difference, and
a residue of a term is what a multiple of a number leaves of it: the amounts of differences, and quotients, are numbers
n that the automaton of the pairs of an index and a value tells (`ValueOf`).  `rule_sequences` of
fibprover/checker/fibcheck.py checks it (docs/certificates.md).
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

from fibprover.automata import kernel_calls, operations
from fibprover.automata.dfa import Dfa, build_from, explored
from fibprover.base.errors import AutomatonError, BudgetSpent, LimitError, nested_too_deeply
from fibprover.base.limits import Budget, spending
from fibprover.base.values import replaced, value
from fibprover.language.builder import call, exists
from fibprover.language.equations import (
    Alternating,
    Constant,
    Digits,
    Equation,
    Expression,
    Extreme,
    Floor,
    Index,
    Left,
    LetterAt,
    Plus,
    Power,
    Residue,
    TermAt,
    Times,
    all_parts,
    index_term,
    linear_index,
    terms_of,
)
from fibprover.language.source import Span, source_from
from fibprover.language.tree import Formula, Number, Variable, conjunction
from fibprover.numeration.system import NumerationSystem
from fibprover.prover.certificate.core import text_of, text_of_node
from fibprover.prover.certificate.normal import TRUE, Node, disjunction, free, negation, normal
from fibprover.prover.certificate.normal import conjunction as conjunction_of
from fibprover.prover.certificate.proof import Proof
from fibprover.prover.certificate.tables import Line, NotCertified, Tables
from fibprover.prover.certificate.writing import Certificate
from fibprover.prover.environment import Definition, sort_of
from fibprover.prover.logic import Linear
from fibprover.prover.verdict.relation import Relation
from fibprover.sequences.determined import Decider, N, X, condition_of, domain, in_order, index_of
from fibprover.sequences.equation_series import SECONDS, SeriesOf
from fibprover.sequences.rational import Number as Rational
from fibprover.sequences.rational import plain
from fibprover.sequences.series import Series, constant
from fibprover.sequences.solution import SequenceSolution
from fibprover.sequences.synchronized import graphs

#: A product of terms: the names of sequences or words, each with its index.
_Product = tuple[tuple[str, Variable], ...]

#: An equation of more products, or of products of more terms, has no certificate.
_MOST_PRODUCTS, _MOST_FACTORS = 200, 6

#: Equations with more least or greatest values, or residues of terms, are not certified.
_MOST_VALUES = 50

#: An equation with terms at more words n.w has no certificate: for each set of them n.w may be no number.
_MOST_ENDINGS = 3

#: The place of an expression that no text has.
_NOWHERE = Span(0, 0)


@value
class ValueOf:
    """An expression whose values are read in step with n: a sequence of its own, which its pairs determine, too.

    name: of the sequence; above, below: of the relations of n and v with v = scale times the value, or -v; negative:
    whether there are negative values.
    """

    name: str
    expression: Expression
    series: Series
    scale: int
    above: str
    below: str
    negative: bool


def sequence_certificate(
    solution: SequenceSolution, known: Mapping[str, Series], decider: Decider, budget: Budget
) -> Certificate:
    """Return the certificate that sequences are the only solution of their equations.

    known: other sequences, which the equations may mention.  Its statement is that the equations say what each term is.
    Raises NotCertified, with the reason, for what the checker has no rule for; BudgetSpent.
    """
    try:
        return _Writer(solution, known, decider, budget).certificate()
    except RecursionError:
        raise nested_too_deeply() from None


class _Writer:
    """Writes the lines of a certificate; solution, known, decider, budget: see `sequence_certificate`."""

    def __init__(
        self, solution: SequenceSolution, known: Mapping[str, Series], decider: Decider, budget: Budget
    ) -> None:
        self.solution, self.known, self.decider = solution, known, decider
        endings = _endings(part for each in solution.theorem.recursions.values() for part in each.equations)
        #: The names of the relations of n and n.w, by w.
        self.endings = {word: self.new_ending(word) for word in endings}
        self.relations = {
            name: Definition(name, ending_relation(decider.system, word, budget))
            for word, name in self.endings.items()
        }
        definitions = ChainMap(self.relations, decider.environment.definitions)  # type: ignore[arg-type]  # only read
        self.tables = Tables(replace(decider.environment, definitions=definitions), budget)
        self.proof = Proof(self.tables)
        self.sort = sort_of(decider.system.track("n"))
        self.written = set[str]()
        taken = {*solution.sequences, *known, *decider.environment.words}
        self.number, self.powers = _new_name("number", taken), _new_name("alternating", taken)
        self.taken = {*taken, self.number, self.powers}
        self.values = list[ValueOf]()

    def new_ending(self, word: tuple[int, ...]) -> str:
        """Return a name for the relation of n and n.w that the user has not defined."""
        return _new_name(f"then_{'_'.join(map(str, word))}", set(self.decider.environment.definitions))

    def certificate(self) -> Certificate:
        """Return the certificate."""
        theorem, system = self.solution.theorem, self.tables.system(self.sort)
        exceptions = {each.equation: each.exceptions for each in theorem.proved}
        names = in_order(theorem.recursions)
        said = self.determined({
            name: [(each, exceptions[each]) for each in theorem.recursions[name].equations] for name in names
        })
        for each in self.values:  # the equation of one may add others
            self.determined_value(each)
        proved = self.proof.formula(conjunction_of(said.values()))
        if not proved.automaton.outputs[0]:
            raise NotCertified(f"in {system} the equations do not say what each term is")
        self.tables.claim("and", [proved], proved.automaton)  # the last claim is the statement
        header = {"certificate": 1, "variables": {name: sort.system for name, sort in self.tables.sorts.items()}}
        return Certificate(True, (header, *self.tables.lines, {"statement": _joined("&", list(said))}))

    def determined(self, recursions: Mapping[str, Sequence[tuple[Equation, tuple[int, ...]]]]) -> dict[str, Node]:
        """Write the proof that sequences are the only ones that satisfy their equations.

        recursions: the equations by the names of the sequences, which are in order, with the indices at which an
        equation does not hold.  Returns for each sequence the formula that its equations say what each term is, by its
        text.
        """
        names = list(recursions)
        for name in names:
            self.sequence(name)
        written = list[tuple[str, list[tuple[Line, Node]]]]()
        for equations in recursions.values():
            x = self.tables.variable(self.sort, "x")
            written.append((x, [
                self.equation(equation, besides, x, names, missing)
                for equation, besides in equations for missing in _subsets(equation)
            ]))
        return self.claimed(names, written)

    def claimed(self, names: Sequence[str], written: Iterable[tuple[str, list[tuple[Line, Node]]]]) -> dict[str, Node]:
        """Claim that sequences are determined by their equations, each with its branch; with the index x of each."""
        lines, formulas = list[Line](), dict[str, Node]()
        for x, equations in written:
            branches = [conjunction_of([branch], sorted(free(branch) - {x})) for _, branch in equations]
            lines += [line for line, _ in equations]
            text = f"(A {x} {_joined('|', list(map(text_of_node, branches)))})"
            formulas[text] = negation(conjunction_of([negation(disjunction(branches))], [x]))
        proofs = [self.proof.formula(formula) for formula in formulas.values()]
        self.tables.claim("sequences", proofs, proofs[0].automaton, sequences=list(names), equations=lines)
        return formulas

    def determined_value(self, one: ValueOf) -> None:
        """Write the proof that a sequence has the values of an expression, and those that its pairs with n say."""
        self.sequence(one.name)
        x, k = self.tables.variable(self.sort, "x"), Variable("k")
        equation = Equation(one.name, Left(1, 0), one.expression, N.name, None, f"{one.name}(n)", _NOWHERE)
        written = [self.equation(equation, (), x, [one.name], frozenset())]
        for name, sign in ((one.above, 1), (one.below, -1)):
            products: dict[_Product, Rational] = {((self.number, k),): plain(Fraction(sign, one.scale))}
            written.append(self.line(one.name, [X.eq(N), call(name, N, k)], products, frozenset(), x, [one.name]))
        self.claimed([one.name], [(x, written)])

    def value_of(self, expression: Expression, equation: Equation) -> ValueOf:
        """Return the values of an expression about n, which are read in step with it."""
        expression = _placeless(expression)
        if any(isinstance(part.at, Digits) for part in terms_of(expression)):
            raise NotCertified(f"{equation.text} has least or greatest values, or residues, of terms at words n.w")
        for known in self.values:
            if known.expression == expression:
                return known
        if len(self.values) == _MOST_VALUES:
            raise NotCertified(f"more than {_MOST_VALUES} least or greatest values, or residues of terms")
        series = SeriesOf(self.decider, self.solution.sequences, self.known.__getitem__, equation.text).of(expression)
        try:
            with spending(self.decider.options.limits.within(SECONDS).start()):
                scale, above, below = graphs(series)
        except (LimitError, BudgetSpent, AutomatonError) as problem:
            raise NotCertified(
                f"least and greatest values, and residues of terms, are certified where these are read in step with n: "
                f"in {equation.text} {problem.message}"
            ) from None
        name = _new_name("value", self.taken)
        self.taken.add(name)
        negative = not (below.exists("v") - below.where(v=0)).is_empty()
        names = self.new_relation("plus", above), self.new_relation("minus", below)
        found = ValueOf(name, expression, series, scale, *names, negative)
        self.values.append(found)
        return found

    def new_relation(self, like: str, relation: Relation) -> str:
        """Define a relation of n and v under a name that is not taken."""
        name = _new_name(like, {*self.decider.environment.definitions, *self.relations})
        self.relations[name] = Definition(name, relation.automaton)
        return name

    def equation(
        self, equation: Equation, besides: Sequence[int], x: str, names: Sequence[str],
        missing: frozenset[tuple[int, ...]],
    ) -> tuple[Line, Node]:
        """Return the line of an equation, and that its condition holds and that all terms come before that at x.

        missing: of the words w for which there are terms at n.w, those for which n.w is no number: the term is 0.
        """
        found = _Read(self, equation, missing)
        if found.partial:
            self.check_domain(equation, conjunction(found.conditions()))
        if equation.left.word is not None:
            left: Formula = call(self.endings[equation.left.word], N, X)
        else:
            left = X.eq(index_of(equation) if equation.left.factor else Number(equation.left.start))
        where = [left, *found.conditions(), *(X.ne(number) for number in besides)]
        return self.line(equation.name, where, found.sum, found.words, x, names)

    def line(
        self, name: str, where: Sequence[Formula], products: Mapping[_Product, Rational], words: frozenset[str], x: str,
        names: Sequence[str],
    ) -> tuple[Line, Node]:
        """Return the line of an equation with this condition, a sum of products on its right side, and its branch."""
        source = source_from(conjunction(where).in_system(self.sort.system))
        assert source is not None
        formula, free_names = self.proof.atoms.read(source, {X.name: x})
        indices = dict(zip(source.formula.free, free_names, strict=True))
        node = normal(formula)
        before: list[Node] = [node]
        terms = list[Any]()
        for product, coefficient in products.items():
            for other, index in product:
                self.factor(other, indices[index.name], other in words)
                if other in names:
                    before.append(self.before(indices[index.name], x, names.index(other) < names.index(name)))
            terms.append([_rational(coefficient), [[other, indices[index.name]] for other, index in product]])
        claim = self.proof.formula(node)
        return {
            "name": name, "index": x, "where": text_of(formula), "claim": claim.number, "terms": terms,
        }, conjunction_of(before)

    def before(self, index: str, x: str, may_equal: bool) -> Node:
        """Return that the term at an index comes before that at x."""
        if index == x:
            return TRUE if may_equal else negation(TRUE)
        return Linear(self.sort.system, (1, -1), (index, x), "<=" if may_equal else "<", 0)

    def check_domain(self, equation: Equation, where: Formula) -> None:
        """Raise NotCertified if an equation is not written for all n: a floor, or another number in it, is negative."""
        inner = [Variable(name) for name in where.free if name != N.name]
        text = self.solution.theorem.recursions[equation.name].text
        if self.decider.relation(exists(*inner, where), N.name) != domain(equation, text, (), self.decider):
            raise NotCertified(f"a floor or an exponent in {equation.text} is not a natural number for all n")

    # Sequences

    def factor(self, name: str, index: str, is_word: bool) -> None:
        """Write a sequence, or a word, of which there is a term in an equation."""
        words = self.decider.environment.words
        if is_word and (name in self.solution.sequences or name in self.known):
            raise NotCertified(f"{name} is a word, and the name of a sequence")
        if is_word:
            self.tables.word(words[name], [index])
        elif name not in self.written:
            self.sequence(name)
            if name in (self.number, self.powers):
                self.determined({name: [(each, ()) for each in _steps(name, 0 if name == self.number else 1)]})

    def sequence(self, name: str) -> None:
        """Write the linear representation of a sequence."""
        if name in self.written:
            return
        self.tables.check_name(name)
        series = self.solution.sequences.get(name) or self.known.get(name) or self.made(name)
        if series.systems != (self.decider.system,):
            raise NotCertified(f"{name} is a sequence over another system")
        self.written.add(name)
        self.tables.lines.append({
            "sequence": name, "over": self.tables.system(self.sort), "row": list(map(_rational, series.entering)),
            "column": list(map(_rational, series.leaving)),
            "matrices": [[[part for at, entry in row for part in (at, _rational(entry))] for row in matrix]
                         for matrix in series.parts],
        })

    def made(self, name: str) -> Series:
        """Return the sequence of the numbers n, that of the powers of -1, or the values of an expression."""
        for each in self.values:
            if each.name == name:
                return each.series
        one = constant(self.decider.system, 1)
        numbers = one.partial_sums()
        return numbers if name == self.number else one - 2 * (numbers % 2)


class _Read:
    """The right side of an equation as a sum of products.

    sum: the coefficient of each product; words: whose letters are among the terms; partial: whether a variable was made
    for what may be negative.
    """

    def __init__(self, writer: _Writer, equation: Equation, missing: frozenset[tuple[int, ...]]) -> None:
        self.number, self.powers, self.equation, self.writer = writer.number, writer.powers, equation, writer
        self.endings, self.missing = writer.endings, missing
        self.indices = dict[str, tuple[Variable, list[Formula]]]()
        self.words = frozenset(part.word for part in all_parts(equation.right) if isinstance(part, LetterAt))
        self.partial = False
        self.sum = {product: each for product, each in self.of(equation.right).items() if each}

    def conditions(self) -> list[Formula]:
        """Return for which n and further indices the equation holds: its condition, and what the indices are."""
        known = [part for _, parts in self.indices.values() for part in parts]
        k = Variable("k")
        absent = [~exists(k, call(self.endings[word], N, k)) for word in sorted(self.missing)]
        return [*condition_of(self.equation), *known, *absent]

    def of(self, expression: Expression) -> dict[_Product, Rational]:
        """Return an expression as the coefficients of products."""
        match expression:
            case Constant(number):
                return {(): number}
            case Index():
                return {((self.number, N),): 1}
            case TermAt(_, Digits(word), _) if word in self.missing:
                return {}
            case TermAt(name, Digits(()), _):
                return {((name, N),): 1}
            case TermAt(name, Digits(word), _):
                ending = self.endings[word]
                return {((name, self.variable(ending, lambda own: [call(ending, N, own)])),): 1}
            case TermAt(name, at, _) if not isinstance(at, Digits):
                return {((name, self.index(at)),): 1}
            case LetterAt(word, at, _):
                return {((word, self.index(at)),): 1}
            case Plus(left, right):
                return _added(self.of(left), self.of(right))
            case Times(left, right):
                return self.times(self.of(left), self.of(right))
            case Power(of, exponent):
                base, found = self.of(of), dict[_Product, Rational]({(): 1})
                for _ in range(exponent):
                    found = self.times(found, base)
                return found
            case Alternating(exponent) if index_term(_reduced(exponent, 2), N) is None:
                return _added({(): 1}, self.times({(): -2}, self.remainder(exponent, 2)))
            case Alternating(exponent):
                return {((self.powers, self.natural(_reduced(exponent, 2))),): 1}
            case Residue(of, modulus) if index_term(_reduced(of, modulus), N) is None:
                return self.remainder(of, modulus)
            case Residue(of, modulus):
                return {((self.number, self.residue(_reduced(of, modulus), modulus)),): 1}
            case Floor(of, divisor) if index_term(expression, N) is None:
                multiple = _added(self.of(of), self.times({(): -1}, self.remainder(of, divisor)))
                return self.times({(): Fraction(1, divisor)}, multiple)
            case Floor(of, divisor):
                return self.floor(of, divisor)
            case Extreme(left, right, greatest):
                return self.extreme(left, right, greatest)
        raise NotCertified(f"{self.equation.text} is not certified")

    def times(self, one: dict[_Product, Rational], two: dict[_Product, Rational]) -> dict[_Product, Rational]:
        """Return the coefficients of a product."""
        found = dict[_Product, Rational]()
        for left, first in one.items():
            for right, second in two.items():
                product = tuple(sorted((*left, *right), key=lambda each: (each[0], each[1].name)))
                found[product] = plain(found.get(product, 0) + first * second)
        if len(found) > _MOST_PRODUCTS or any(len(product) > _MOST_FACTORS for product in found):
            raise NotCertified(f"{self.equation.text} has too many products to be certified")
        return found

    def index(self, at: Expression) -> Variable:
        """Return a variable for an index, with a condition that says what it is."""
        if linear_index(at) == (1, 0):
            return N
        term = index_term(at, N)
        if term is None:
            raise NotCertified(f"{self.equation.text} has a floor, an index or an exponent with a term in it")
        return self.variable(str(term), lambda own: [own.eq(term)])

    def natural(self, at: Expression) -> Variable:
        """Return a variable for a number that is no index, and so need not be natural."""
        self.partial = self.partial or linear_index(at) is None
        return self.index(at)

    def extreme(self, left: Expression, right: Expression, greatest: bool) -> dict[_Product, Rational]:
        """Return the greatest or the least of two: half of their sum and of the amount of their difference, or less it.
        """
        both = self.of(left), self.of(right)
        one = self.writer.value_of(Plus(left, Times(Constant(-1), right)), self.equation)
        amount = self.variable(one.name, lambda own: [call(one.above, N, own) | call(one.below, N, own)])
        half = plain(Fraction(1 if greatest else -1, 2 * one.scale))
        return _added(self.times({(): Fraction(1, 2)}, _added(*both)), {((self.number, amount),): half})

    def remainder(self, of: Expression, modulus: int) -> dict[_Product, Rational]:
        """Return what is left of an integer with terms in it: the integer, less the modulus times the quotient."""
        one = self.writer.value_of(of, self.equation)
        if one.scale != 1:
            raise NotCertified(f"{self.equation.text} has a residue, or a floor, of fractions")
        v, k = Variable("v"), Variable("k")

        def quotient(name: str, more: Formula) -> Formula:
            return exists(v, k, call(name, N, v) & (k < modulus) & more)

        def above(own: Variable) -> list[Formula]:  # 0 where the integer is negative
            found = quotient(one.above, v.eq(modulus * own + k))
            return [found | (own.eq(0) & exists(v, call(one.below, N, v) & (v > 0))) if one.negative else found]

        def below(own: Variable) -> list[Formula]:  # 0 where it is not negative
            found = quotient(one.below, (v + k).eq(modulus * own))
            return [found | (own.eq(0) & exists(v, call(one.above, N, v) & (v > 0)))]

        quotients = self.variable(f"{one.name} / {modulus}", above)
        found: dict[_Product, Rational] = {((self.number, quotients),): -modulus}
        if one.negative:
            quotients = self.variable(f"-{one.name} / {modulus}", below)
            found[((self.number, quotients),)] = modulus
        return _added(self.of(of), found)

    def residue(self, of: Expression, modulus: int) -> Variable:
        """Return a variable for what is left of a number modulo another one."""
        term = index_term(of, N)
        assert term is not None
        self.partial = self.partial or linear_index(of) is None
        quotient = index_term(Floor(of, modulus), N)
        assert quotient is not None
        return self.variable(f"{term} mod {modulus}", lambda own: [(own + modulus * quotient).eq(term)])

    def floor(self, of: Expression, divisor: int) -> dict[_Product, Rational]:
        """Return the floor of a quotient: what the divisor divides is taken out, and the rest is not negative."""
        place = linear_index(of)
        if place is None:
            return {((self.number, self.natural(Floor(of, divisor))),): 1}
        (more, factor), (whole, start) = (divmod(each, divisor) for each in place)
        taken: dict[_Product, Rational] = {((self.number, N),): more, (): whole}
        rest = Floor(Plus(Times(Constant(factor), Index()), Constant(start)), divisor)
        return _added(taken, {((self.number, self.index(rest)),): 1} if factor else {})

    def variable(self, said: str, conditions: Any) -> Variable:
        """Return the variable for an index that is described in this way, a new one for a new index."""
        if said not in self.indices:
            own = Variable(f"k{len(self.indices)}")
            self.indices[said] = own, conditions(own)
        return self.indices[said][0]


def _placeless(part: Any) -> Any:
    """Return an expression without the places of its parts in a text."""
    if isinstance(part, Span):
        return _NOWHERE
    names = getattr(type(part), "__match_args__", ())
    return replaced(part, **{name: _placeless(getattr(part, name)) for name in names}) if names else part


def _endings(equations: Iterable[Equation]) -> set[tuple[int, ...]]:
    """Return the words w for which equations have terms at n.w."""
    found = set()
    for each in equations:
        found |= {each.left.word} if each.left.word is not None else set()
        found |= {part.at.word for part in terms_of(each.right) if isinstance(part.at, Digits) and part.at.word}
    return found


def _subsets(equation: Equation) -> Iterator[frozenset[tuple[int, ...]]]:
    """Yield the sets of words w of terms on the right side at n.w: those for which n.w may be no number."""
    words = sorted({part.at.word for part in terms_of(equation.right) if isinstance(part.at, Digits) and part.at.word})
    if len(words) > _MOST_ENDINGS:
        raise NotCertified(f"{equation.text} has terms at too many words n.w to be certified")
    for count in range(len(words) + 1):
        yield from map(frozenset, combinations(words, count))


def ending_relation(system: NumerationSystem, word: tuple[int, ...], budget: Budget) -> Dfa:
    """Return the automaton of n and of the number whose word is that of n with digits after it."""

    def steps(at: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...]]]:
        # The other number is so many digits ahead.
        for digit in system.digits:
            first, *rest = (*at, digit)
            yield first * len(system.digits) + digit, tuple(rest)

    tracks = [system.track("n"), system.track("x")]
    start = (0,) * len(word)
    machine = build_from(tracks, explored(start, steps), lambda at: int(at == word))
    valid = operations.cartesian_product([system.valid.renamed(["n"]), system.valid.renamed(["x"])], budget)
    return operations.conjunction(kernel_calls.minimize(machine, budget), valid, budget)


def _joined(connective: str, texts: Sequence[str]) -> str:
    """Return the conjunction or the disjunction of formulas of certificates."""
    whole = texts[0]
    for text in texts[1:]:
        whole = f"({whole} {connective} {text})"
    return whole


def _reduced(expression: Expression, modulus: int) -> Expression:
    """Return a sum that leaves the same modulo a number, without negative parts where it is a multiple of n and one.
    """
    place = linear_index(expression)
    if place is None:
        return expression
    return Plus(Times(Constant(place[0] % modulus), Index()), Constant(place[1] % modulus))


def _added(one: Mapping[_Product, Rational], two: Mapping[_Product, Rational]) -> dict[_Product, Rational]:
    return {each: plain(one.get(each, 0) + two.get(each, 0)) for each in (*one, *two)}


def _steps(name: str, start: int) -> tuple[Equation, Equation]:
    """Return the equations of the numbers n, which begin with 0, or of the powers of -1, which begin with 1."""
    before = TermAt(name, Index(), _NOWHERE)
    after = Plus(before, Constant(1)) if start == 0 else Times(Constant(-1), before)
    return (
        Equation(name, Left(0, 0), Constant(start), "", None, f"{name}(0)={start}", _NOWHERE),
        Equation(name, Left(1, 1), after, N.name, None, f"{name}(n+1)", _NOWHERE),
    )


def _new_name(like: str, taken: set[str]) -> str:
    """Return a name that is not taken."""
    while like in taken:
        like += "_"
    return like


def _rational(number: Rational) -> int | list[int]:
    """Return a rational number as a certificate has it."""
    return int(number) if number.denominator == 1 else [number.numerator, number.denominator]
