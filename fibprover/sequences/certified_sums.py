"""The right side of an equation as a certificate has it: a sum of multiples of products of terms at variables.

The numbers n are terms of a sequence, and so are the powers of -1.  The greatest of two numbers is half of their sum
and of the amount of their difference, and a residue of a term is what a multiple of a quotient leaves of it: amounts
and quotients are numbers that the pairs of n and a value tell.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Protocol

from fibprover.base.values import value
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
    LetterAt,
    Plus,
    Power,
    Residue,
    TermAt,
    Times,
    all_parts,
    index_term,
    linear_index,
)
from fibprover.language.tree import Formula, Variable
from fibprover.prover.certificate.tables import NotCertified
from fibprover.sequences.determined import N, condition_of
from fibprover.sequences.rational import Number as Rational
from fibprover.sequences.rational import plain
from fibprover.sequences.series import Series

#: A product of terms: the names of sequences or words, each with its index.
Product = tuple[tuple[str, Variable], ...]

#: An equation of more products, or of products of more terms, has no certificate.
_MOST_PRODUCTS, _MOST_FACTORS = 200, 6


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


class Values(Protocol):
    """What writes the values of expressions: the names of the numbers n, of the powers of -1, and of the relations n.w.
    """

    number: str
    powers: str
    endings: Mapping[tuple[int, ...], str]

    def value_of(self, expression: Expression, equation: Equation) -> ValueOf:
        """Return the values of an expression about n, which are read in step with it."""
        ...


class RightSide:
    """The right side of an equation as a sum of products.

    sum: the coefficient of each product, 0 too of those in least and greatest values and in residues, on which the term
    depends; hidden: these; words: whose letters are among the terms; partial: whether a variable was made
    for what may be negative.
    """

    def __init__(self, values: Values, equation: Equation, missing: frozenset[tuple[int, ...]]) -> None:
        self.number, self.powers, self.equation, self.values = values.number, values.powers, equation, values
        self.endings, self.missing = values.endings, missing
        self.indices = dict[str, tuple[Variable, list[Formula]]]()
        self.words = frozenset(part.word for part in all_parts(equation.right) if isinstance(part, LetterAt))
        self.partial = False
        self.hidden = set[Product]()
        found = self.of(equation.right)
        self.sum = {product: each for product, each in found.items() if each or product in self.hidden}

    def conditions(self) -> list[Formula]:
        """Return for which n and further indices the equation holds: its condition, and what the indices are."""
        known = [part for _, parts in self.indices.values() for part in parts]
        k = Variable("k")
        absent = [~exists(k, call(self.endings[word], N, k)) for word in sorted(self.missing)]
        return [*condition_of(self.equation), *known, *absent]

    def of(self, expression: Expression) -> dict[Product, Rational]:
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
                base, found = self.of(of), dict[Product, Rational]({(): 1})
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

    def times(self, one: dict[Product, Rational], two: dict[Product, Rational]) -> dict[Product, Rational]:
        """Return the coefficients of a product."""
        found = dict[Product, Rational]()
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

    def extreme(self, left: Expression, right: Expression, greatest: bool) -> dict[Product, Rational]:
        """Return the greatest or the least of two: half of their sum and of the amount of their difference, or less it.
        """
        both = self.of(left), self.of(right)
        one = self.values.value_of(Plus(left, Times(Constant(-1), right)), self.equation)
        amount = self.variable(one.name, lambda own: [call(one.above, N, own) | call(one.below, N, own)])
        self.hidden |= {product for side in both for product in side}
        half = plain(Fraction(1 if greatest else -1, 2 * one.scale))
        return _added(self.times({(): Fraction(1, 2)}, _added(*both)), {((self.number, amount),): half})

    def remainder(self, of: Expression, modulus: int) -> dict[Product, Rational]:
        """Return what is left of an integer with terms in it: the integer, less the modulus times the quotient."""
        one = self.values.value_of(of, self.equation)
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
        found: dict[Product, Rational] = {((self.number, quotients),): -modulus}
        if one.negative:
            quotients = self.variable(f"-{one.name} / {modulus}", below)
            found[((self.number, quotients),)] = modulus
        inside = self.of(of)
        self.hidden |= set(inside)
        return _added(inside, found)

    def residue(self, of: Expression, modulus: int) -> Variable:
        """Return a variable for what is left of a number modulo another one."""
        term = index_term(of, N)
        assert term is not None
        self.partial = self.partial or linear_index(of) is None
        quotient = index_term(Floor(of, modulus), N)
        assert quotient is not None
        return self.variable(f"{term} mod {modulus}", lambda own: [(own + modulus * quotient).eq(term)])

    def floor(self, of: Expression, divisor: int) -> dict[Product, Rational]:
        """Return the floor of a quotient: what the divisor divides is taken out, and the rest is not negative."""
        place = linear_index(of)
        if place is None:
            return {((self.number, self.natural(Floor(of, divisor))),): 1}
        (more, factor), (whole, start) = (divmod(each, divisor) for each in place)
        taken: dict[Product, Rational] = {((self.number, N),): more, (): whole}
        rest = Floor(Plus(Times(Constant(factor), Index()), Constant(start)), divisor)
        return _added(taken, {((self.number, self.index(rest)),): 1} if factor else {})

    def variable(self, said: str, conditions: Any) -> Variable:
        """Return the variable for an index that is described in this way, a new one for a new index."""
        if said not in self.indices:
            own = Variable(f"k{len(self.indices)}")
            self.indices[said] = own, conditions(own)
        return self.indices[said][0]


def _reduced(expression: Expression, modulus: int) -> Expression:
    """Return a sum that leaves the same modulo a number, without negative parts where it is a multiple of n and one.
    """
    place = linear_index(expression)
    if place is None:
        return expression
    return Plus(Times(Constant(place[0] % modulus), Index()), Constant(place[1] % modulus))


def _added(one: Mapping[Product, Rational], two: Mapping[Product, Rational]) -> dict[Product, Rational]:
    return {each: plain(one.get(each, 0) + two.get(each, 0)) for each in (*one, *two)}
