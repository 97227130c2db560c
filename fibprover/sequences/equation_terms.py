"""The first terms of sequences that equations determine, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from fibprover.base.limits import poll
from fibprover.base.values import value
from fibprover.language.equations import (
    Alternating,
    Constant,
    Digits,
    Equation,
    Equations,
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
)
from fibprover.numeration.system import NumerationSystem
from fibprover.prover.verdict.relation import Relation
from fibprover.sequences.determined import covered_at, given_terms, in_order
from fibprover.sequences.rational import Number, plain
from fibprover.sequences.solution import RecursionProblem

#: The value of an equation's expression for n, or for a word n.
_Of = Callable[[int, tuple[int, ...]], Number]


class _NoInteger(Exception):
    """An exponent of -1 that is a fraction."""


class Missing(Exception):
    """A term that is not known yet, or whose index is negative."""


@value
class Disagreement:
    """Two equations that say different things about one term; other: the one that the term was taken from."""

    equation: Equation
    number: int
    value: Number
    other: Equation
    known: Number


class FirstTerms:
    """The terms of all sequences of some equations up to some index.

    letters: the letter of a word at an index; known: the terms of other sequences; conditions: for equations that have
    one, the n for which they hold.
    """

    def __init__(
        self, recursions: Mapping[str, Equations], system: NumerationSystem, letters: Callable[[str, int], int],
        known: Callable[[str, int], Number], conditions: Mapping[Equation, Relation],
    ) -> None:
        self.recursions = recursions
        self.names = in_order(recursions)
        self.system = system
        self.letters = letters
        self.known = known
        self.conditions = conditions
        self.values: dict[str, list[Number]] = {name: [] for name in recursions}
        self.taken_from: dict[str, list[Equation]] = {name: [] for name in recursions}
        self.given = {name: given_terms(equations) for name, equations in recursions.items()}
        self.parts = {
            name: [each for each in equations.equations if each.left.factor] for name, equations in recursions.items()
        }
        self.compiled: dict[Equation, _Of] = {}

    def extend(self, count: int) -> None:
        """Compute the terms before an index."""
        for number in range(len(next(iter(self.values.values()))), count):
            poll("the terms of a sequence")
            for name in self.names:
                equation, term = self._term(name, number)
                self.values[name].append(term)
                self.taken_from[name].append(equation)

    def _term(self, name: str, number: int) -> tuple[Equation, Number]:
        given = self.given[name].get(number)
        if given is not None:
            return given, self._value(given, 0, ())
        for each in self.parts[name]:
            found = self.by(each, number)
            if found is not None:
                return each, found
        raise AssertionError(f"{name}({number}) was proved to be determined")

    def by(self, equation: Equation, number: int) -> Number | None:
        """Return what an equation says of the term at an index; None if it says nothing, or asks for later terms."""
        at = 0
        word: tuple[int, ...] = ()
        if equation.left.word is not None:
            digits = self.system.represent(number)
            ending = equation.left.word
            digits = (0,) * (len(ending) - len(digits)) + digits
            if digits[len(digits) - len(ending) :] != ending:
                return None
            word = digits[: len(digits) - len(ending)]
            at = self.system.value(word)
        else:
            found = covered_at(equation, number)
            if found is None:
                return None
            at = found
        if equation in self.conditions and (at,) not in self.conditions[equation]:
            return None
        try:
            return self._value(equation, at, word)
        except Missing:
            return None

    def _value(self, equation: Equation, at: int, word: tuple[int, ...]) -> Number:
        if equation not in self.compiled:
            self.compiled[equation] = self._compiled(equation.right)
        try:
            return plain(self.compiled[equation](at, word))
        except _NoInteger as problem:
            raise RecursionProblem(
                f"at {equation.variable or 'n'} = {at} the exponent of -1 is {problem}, and no integer",
                self.recursions[equation.name].text, equation.place.start, equation.place.end,
            ) from None

    def disagreement(self) -> Disagreement | None:
        """Return the first term about which two equations say different things; None if no two do."""
        count = len(next(iter(self.values.values())))
        for number in range(count):
            poll("the terms of a sequence")
            for name, terms in self.values.items():
                if number in self.given[name]:
                    continue
                for each in self.parts[name]:
                    if each is self.taken_from[name][number]:
                        continue
                    found = self.by(each, number)
                    if found is not None and found != terms[number]:
                        return Disagreement(each, number, found, self.taken_from[name][number], terms[number])
        return None

    def _at(self, name: str, number: Number) -> Number:
        if number.denominator != 1 or number < 0:
            raise Missing
        if name not in self.values:
            return self.known(name, int(number))
        terms = self.values[name]
        if number >= len(terms):
            raise Missing
        return terms[int(number)]

    def _of_word(self, name: str, word: Sequence[int]) -> Number:
        return self._at(name, self.system.value(word)) if self.system.is_valid(word) else 0

    def _compiled(self, expression: Expression) -> _Of:
        match expression:
            case Constant(number):
                return lambda n, word: number
            case Index():
                return lambda n, word: n
            case TermAt():
                return self._compiled_term(expression)
            case LetterAt(name, at, _):
                index = self._compiled(at)
                return lambda n, word: self.letters(name, _natural(index(n, word)))
            case Plus(left, right):
                one, two = self._compiled(left), self._compiled(right)
                return lambda n, word: one(n, word) + two(n, word)
            case Times(left, right):
                one, two = self._compiled(left), self._compiled(right)
                return lambda n, word: one(n, word) * two(n, word)
            case Power(of, power):
                one = self._compiled(of)
                return lambda n, word: plain(Fraction(one(n, word)) ** power)
            case Alternating(exponent):
                one = self._compiled(exponent)
                return lambda n, word: _power_of_minus_one(one(n, word))
            case Floor(of, divisor):
                one = self._compiled(of)
                return lambda n, word: one(n, word) // divisor
            case Residue(of, modulus):
                one = self._compiled(of)
                return lambda n, word: one(n, word) % modulus
            case Extreme(left, right, greatest):
                one, two = self._compiled(left), self._compiled(right)
                return lambda n, word: (max if greatest else min)(one(n, word), two(n, word))
        raise AssertionError(f"unknown expression {expression!r}")

    def _compiled_term(self, term: TermAt) -> _Of:
        name = term.name
        if isinstance(term.at, Digits):
            digits = term.at.word
            return lambda n, word: self._of_word(name, (*word, *digits))
        index = self._compiled(term.at)
        return lambda n, word: self._at(name, index(n, word))


def _power_of_minus_one(exponent: Number) -> int:
    if exponent.denominator != 1:
        raise _NoInteger(str(exponent))
    return -1 if exponent % 2 else 1


def _natural(number: Number) -> int:
    if number < 0 or Fraction(number).denominator != 1:
        raise Missing
    return int(number)
