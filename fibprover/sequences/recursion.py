"""The recursion of a sequence: equations between the terms at words with digits appended, which determine it.

A word s of digits stands for the map from a word n to the term at the number that ns represents, 0 where it represents
none; over base k it is a(k^e n + r).  Each of a basis of these maps with a digit more in front is a combination of the
basis.  Allouche and Shallit, Automatic Sequences (2003), chapter 16, have it for base k; over other systems these are
the columns of the linear representation as well (Berstel and Reutenauer, chapter 2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm

from fibprover.base.values import PlainlyDisplayed, value
from fibprover.language import tree
from fibprover.language.builder import call, exists, variable, variables
from fibprover.language.tree import Formula, Term, Variable, conjunction, disjunction
from fibprover.numeration.system import NumerationSystem
from fibprover.sequences.rational import Matrix, Number, Vector, dependence, times, transposed
from fibprover.sequences.series import Series

#: Digits that are appended to a word, most significant first.
_Word = tuple[int, ...]


@value
class Equation:
    """The terms at words with the digits `word` appended are a sum of those with other digits, with factors."""

    word: _Word
    terms: tuple[tuple[Number, _Word], ...]


@value
class Recursion(PlainlyDisplayed):
    """Equations that determine a sequence with its first values, proved.

    Prints itself as "a(0) = 0, a(2n) = a(n), a(2n+1) = a(n) + 1" over base k, else as "a(n.0) = ...": n is any word of
    digits, most significant first, n.0 is n with the digit 0 after it, and a of a word is the term at the number that
    it represents, and 0 if it represents none.  (A prefix of a representation may be none: 2 of 2000 in msd_pell.)

    system: the name of the numeration system; base: k >= 2 of a base, None for another system; first: numbers with
    their terms; separated: digits are written with blanks in between, as some are greater than 9.
    """

    system: str
    base: int | None
    first: tuple[tuple[int, Number], ...]
    equations: tuple[Equation, ...]
    separated: bool = False

    def texts(self, name: str = "a") -> tuple[str, ...]:
        """Return the first values and the equations, of a sequence with this name."""
        return (
            *(f"{name}({number}) = {term}" for number, term in self.first),
            *(f"{name}({self._index(each.word)}) = {self._sum(name, each.terms)}" for each in self.equations),
        )

    def __str__(self) -> str:
        return ", ".join(self.texts())

    def formula(self, name: str = "a") -> Formula | None:
        """Return the recursion as a formula about $name(n,v), as `Session.solve` reads it, by n; None if there is none.

        There is one over base k, for natural numbers as first values.  It is the recursion of the sequence if all its
        values are natural numbers, which is not checked: what follows from another value has no pair in the solution.
        """
        if self.base is None or any(term.denominator != 1 or term < 0 for _, term in self.first):
            return None
        n, v = variables("n v")
        first = [n.eq(number) & v.eq(int(term)) for number, term in self.first]
        return disjunction([*first, *(self._part(name, each) for each in self.equations)])

    def _part(self, name: str, equation: Equation) -> Formula:
        """Return what an equation says in a formula."""
        n, v, m = variables("n v m")
        scale = lcm(*(term.denominator for term, _ in equation.terms))
        terms = [variable(f"u{number}") for number in range(len(equation.terms))]
        sides: tuple[list[Term], list[Term]] = ([_multiple(scale, v)], [])
        calls: list[Formula] = []
        for term, (factor, word) in zip(terms, equation.terms, strict=True):
            calls.append(call(name, _affine(self._place(word), m), term))
            sides[factor > 0].append(_multiple(int(abs(Fraction(factor)) * scale), term))
        rest = self._place(equation.word)[1]
        # The first values are those at 0 and where a smaller n would be needed for m = 0.
        guard = [m > 0] if any(self._place(word)[1] >= rest for _, word in equation.terms) else []
        equal = _total(sides[0]).eq(_total(sides[1]))
        return exists(m, *terms, conjunction([n.eq(_affine(self._place(equation.word), m)), *guard, *calls, equal]))

    def _place(self, word: _Word) -> tuple[int, int]:
        """Return (k^e, r) for the digits of r."""
        base = self.base or 0
        return base ** len(word), sum(digit * base**place for place, digit in enumerate(reversed(word)))

    def _index(self, word: _Word) -> str:
        if self.base is None:
            return f"n.{(' ' if self.separated else '').join(map(str, word))}" if word else "n"
        factor, rest = self._place(word)
        return (f"{factor}n" if factor > 1 else "n") + (f"+{rest}" if rest else "")

    def _sum(self, name: str, terms: Sequence[tuple[Number, _Word]]) -> str:
        parts = []
        for factor, word in terms:
            size = "" if abs(factor) == 1 else f"{abs(factor)} "
            parts.append(f"{'-' if factor < 0 else '+'} {size}{name}({self._index(word)})")
        said = " ".join(parts).removeprefix("+ ") or "0"
        return "-" + said[2:] if said.startswith("- ") else said


def recursion_of(sequence: Series) -> Recursion:
    """Return the recursion of a sequence of one variable, by exact linear algebra; O(dimension^4) for each digit."""
    system = sequence.system
    turned = [transposed(part) for part in sequence.parts]
    basis: list[tuple[_Word, Vector]] = []
    equations = []
    for word, column in _columns(sequence, turned, basis):
        factors = dependence([known for _, known in basis], column)
        if factors is None:
            basis.append((word, column))
            continue
        terms = tuple((factor, other) for factor, (other, _) in zip(factors, basis, strict=True) if factor)
        if terms or _occurs(system, word):
            equations.append(Equation(word, terms))
    first = {system.value(word): sequence[system.value(word)] for word, _ in basis if system.is_valid(word)}
    base = None if system.integer_base is None or system.integer_base < 2 else system.integer_base
    if base is not None:
        # For n = 0 their equations give nothing new.
        for each in equations:
            rest = system.value(each.word)
            if any(system.value(word) >= rest for _, word in each.terms):
                first.setdefault(rest, sequence[rest])
    return Recursion(system.name, base, tuple(first.items()), tuple(equations), max(system.digits) > 9)


def _columns(
    sequence: Series, turned: Sequence[Matrix], basis: Sequence[tuple[_Word, Vector]]
) -> Iterator[tuple[_Word, Vector]]:
    """Yield words and their columns: the empty one, then by length those of the basis with a digit in front, sorted.

    So a combination of words that came before leads to smaller numbers.
    """
    level: list[tuple[_Word, Vector]] = [((), sequence.leaving)]
    while level:
        known = len(basis)
        yield from level
        level = sorted(
            ((digit, *word), times(column, part))
            for word, column in basis[known:] for digit, part in zip(sequence.system.digits, turned, strict=True)
        )


def _occurs(system: NumerationSystem, word: _Word) -> bool:
    """Return whether some representation ends with a word."""
    valid = system.valid
    states = set(range(valid.states))
    for digit in word:
        states = {target for state in states for code, target in valid.row(state) if valid.letter(code) == (digit,)}
    return any(valid.outputs[state] for state in states)


def _affine(place: tuple[int, int], variable: Variable) -> Term:
    """Return k * variable + r for a place (k, r)."""
    factor, rest = place
    scaled = _multiple(factor, variable)
    return scaled + rest if rest else scaled


def _multiple(factor: int, variable: Variable) -> Term:
    return variable if factor == 1 else factor * variable


def _total(terms: Sequence[Term]) -> Term:
    """Return the sum of terms, 0 for none."""
    total, *others = terms or [tree.Number(0)]
    for each in others:
        total = total + each
    return total
