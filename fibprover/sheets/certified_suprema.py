"""What a supremum, or a limit superior, of n/p says as a closed formula.

The supremum x of n/p over pairs with p > 0 is attained if n <= x p for all of them, and n = x p for one.  It is the
limit superior for large p if n <= x p + c for all pairs and, beyond each m, there is one with n >= x p - d: here c and
d are constants, which are guessed from some pairs.  Such d exists where the quotients near x are those of paths of an
automaton that repeat, as n and p are then multiples of the same powers, up to bounded errors.

For a rational x these are comparisons of multiples.  In a system with U(t) = s U(t-1) + U(t-2) a quadratic x is
(u + w alpha) / v, where alpha is the one of `prover/certificate/floors.py` for s, and n <= x p says v n - u p <=
floor(w p alpha), since p > 0 and alpha is irrational.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

from fibprover.base.errors import LimitError
from fibprover.language.builder import call, exists, forall, total
from fibprover.language.tree import Formula, Number, Term, Variable, conjunction
from fibprover.numeration.number_field import Algebraic
from fibprover.numeration.quadratic import Quadratic
from fibprover.sheets import suprema
from fibprover.sheets.subject import Subject
from fibprover.sheets.vocabulary import Vocabulary, m, n, p, t
from fibprover.workspace.floors import define_floor

#: The greatest constant that is tried.
_MOST_CONSTANT = 4096

#: The quotients of the recurrences of systems for which alpha has floors in certificates.
_MOST_SLOPE = 8


@dataclass(frozen=True, slots=True)
class Quotient:
    """The number x = (u + w alpha) / v, v > 0; w = 0 for a rational one.  floor: the predicate of floor(n alpha)."""

    u: int
    w: int
    v: int
    floor: str = ""

    def at_most(self, more: int = 0) -> Formula:
        """Return the formula that v n <= v x p + more, for p > 0."""
        if self.w == 0:
            return _not_above([(self.v, n), (-self.u, p)], more)
        if self.w > 0:
            return self._with_floor(_not_above([(self.v, n), (-self.u, p), (-1, t)], more))
        # w alpha p is less than the negative of the floor of -w alpha p, and not below that minus 1.
        return self._with_floor(_not_above([(self.v, n), (-self.u, p), (1, t)], more - 1))

    def at_least(self, less: int = 0) -> Formula:
        """Return the formula that v n >= v x p - less, for p > 0; if x is irrational, up to 1."""
        if self.w == 0:
            return _not_above([(-self.v, n), (self.u, p)], less)
        return self._with_floor(_not_above([(-self.v, n), (self.u, p), (1 if self.w > 0 else -1, t)], less))

    def _with_floor(self, compared: Formula) -> Formula:
        return exists(t, call(self.floor, _multiple(abs(self.w), p), t) & compared)


def _not_above(terms: list[tuple[int, Variable]], constant: int) -> Formula:
    """Return the formula that a sum of multiples is at most a constant."""
    left: list[Term] = [_multiple(factor, each) for factor, each in terms if factor > 0]
    right: list[Term] = [_multiple(-factor, each) for factor, each in terms if factor < 0]
    (right if constant >= 0 else left).append(Number(abs(constant)))
    return total(left or [Number(0)]) <= total(right or [Number(0)])


def _multiple(factor: int, each: Variable) -> Term:
    return each if factor == 1 else factor * each


def supremum_statement(about: Subject, pairs: Formula, *, limit: bool) -> Formula:
    """Return the closed formula that the supremum of n/p over pairs, or the limit superior, is what a sheet says.

    pairs: the formula of n and p, which says that p > 0.  Predicates of floors are defined.  Raises LimitError if there
    is none: for an infinite supremum, for other irrational numbers, and where no constants are found.
    """
    relation = about.relation(pairs)
    if limit:
        value, attained = suprema.limit_superior(relation), False
    else:
        found = suprema.supremum(relation)
        value, attained = (None, False) if found is None else (found.value, found.attained)
    if value is None:
        raise LimitError("there is no such number")
    quotient = quotient_of(about, value)
    claims = _Claims(about, pairs, quotient)
    if attained:
        return about.stated(claims.all_at_most(0) & exists(n, p, pairs & quotient.at_most() & quotient.at_least()))
    misses = [quotient.v * (float(value) * each - most)
              for each, most in enumerate(suprema.greatest(relation, value)) if most is not None and each]
    beyond = claims.first(claims.beyond_each, min(misses[len(misses) // 2 :], default=0))
    if limit:
        return about.stated(claims.first(claims.all_at_most, -min(misses, default=0)) & beyond)
    return about.stated(claims.all_at_most(0 if quotient.w else -1) & beyond)


def quotient_of(about: Subject, value: Algebraic) -> Quotient:
    """Return a number as formulas compare it; its predicate is defined.  Raises LimitError if it is none."""
    rational = value.rational
    if rational is not None:
        return Quotient(rational.numerator, 0, rational.denominator)
    last, slope, *_ = (-each for each in value.field.polynomial)
    if value.field.degree != 2 or last != 1 or not 1 <= slope <= _MOST_SLOPE:
        raise LimitError(f"{value} has no floors in certificates")
    name, alpha = Vocabulary(about.word.name).predicate("floor"), Quadratic(2 - slope, 2, slope**2 + 4)
    is_known = name in about.session.namespace.definitions  # by an earlier line: it is the one of the system
    if not is_known and not define_floor(about.session, alpha, about.session.options.limits, name, about.system):
        raise LimitError(f"the floors of multiples of {alpha} are not recognized in {about.system}")
    one, beta = value.coefficients  # beta = alpha + slope - 1
    return Quotient(one + beta * (slope - 1), beta, value.denominator, name)


@dataclass(frozen=True, slots=True)
class _Claims:
    """Claims about the pairs of a formula."""

    about: Subject
    pairs: Formula
    quotient: Quotient

    def all_at_most(self, more: int) -> Formula:
        """Return that v n <= v x p + more for all pairs."""
        return forall(n, p, self.pairs >> self.quotient.at_most(more))

    def beyond_each(self, less: int) -> Formula:
        """Return that beyond each m there is a pair with v n >= v x p - less."""
        return forall(m, exists(n, p, conjunction([self.pairs, p > m, self.quotient.at_least(less)])))

    def first(self, claim: Callable[[int], Formula], seen: float) -> Formula:
        """Return a claim with a constant for which it is true, about the one that has been seen."""
        constant = max(0, ceil(seen))
        while constant <= _MOST_CONSTANT:
            if self.about.prove(claim(constant)):
                return claim(constant)
            constant = 2 * constant + 1
        raise LimitError("no constant is found that bounds how far pairs are from the quotient")
