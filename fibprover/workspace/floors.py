"""Functions n -> floor(n alpha) as predicates of a session, for rational and quadratic alpha.

The prover cannot decide y = floor(n alpha) itself, since alpha is not a natural number; but the equation follows from
statements about an automaton f that it can decide (`floor_claims`):

* f(0) = 0 and f(m+n) - f(m) - f(n) is 0 or 1, so that f(n)/n has a limit x, and f(n) <= n x <= f(n) + 1;
* A f(f(n)) - B f(n) - C n is bounded, so that A x^2 = B x + C;
* one value of f separates x from the other root.

x is irrational, therefore n x is no integer for n > 0, and f(n) = floor(n x).  For a rational alpha = u/v the floor
is a formula.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, isqrt

from fibprover.base.limits import Limits
from fibprover.infer.residuals import infer_set
from fibprover.language.builder import call, exactly, forall, total, variables
from fibprover.language.tree import Formula, Term, term
from fibprover.numeration.quadratic import Quadratic
from fibprover.prover.verdict.relation import Relation
from fibprover.workspace.session import Session

#: Bounds of the data from which the automaton of the floors is inferred.
FLOOR_BOUNDS = (1 << 12, 1 << 15, 1 << 18)


@dataclass(frozen=True)
class Equation:
    """A x^2 = B x + C with A > 0."""

    a: int
    b: int
    c: int


def equation_of(alpha: Quadratic) -> Equation:
    """Return the equation of an irrational alpha = (p + sqrt(d)) / q: q^2 x^2 = 2 p q x + d - p^2, in lowest terms."""
    p, q, d = alpha
    common = gcd(q * q, 2 * p * q, d - p * p)
    return Equation(q * q // common, 2 * p * q // common, (d - p * p) // common)


def is_rational(alpha: Quadratic) -> bool:
    """Return whether alpha is a rational number."""
    return isqrt(alpha.d) ** 2 == alpha.d


def floor_claims(alpha: Quadratic, name: str = "F") -> tuple[Formula, ...]:
    """Return the formulas that imply name(n,y) <=> y = floor(n alpha), for an irrational alpha > 0."""
    law = equation_of(alpha)
    m, n, x, y, z = variables("m n x y z")
    left: list[Term] = [law.a * x]
    right: list[Term] = []
    for factor, variable in ((-law.b, y), (-law.c, n)):
        (left if factor > 0 else right).append(abs(factor) * variable)
    first, second = total(left), total(right) if right else term(0)
    # t (B - A alpha) - A s with 0 <= t, s < 1, where t and s are the fractional parts of the two floors.
    most = law.a + abs(law.b) + law.a * (alpha.floor_multiple(1) + 1)
    number, value = separating_value(alpha)
    return (
        forall(n, exactly(1, y, call(name, n, y))),
        call(name, 0, 0),
        forall(m, n, x, y, z, (call(name, m, x) & call(name, n, y) & call(name, m + n, z))
               >> (z.eq(x + y) | z.eq(x + y + 1))),
        forall(n, x, y, (call(name, n, y) & call(name, y, x)) >> ((first <= second + most) & (second <= first + most))),
        call(name, number, value),
    )


def separating_value(alpha: Quadratic) -> tuple[int, int]:
    """Return n and floor(n alpha) such that the other root of alpha's equation is not in [floor/n, (floor+1)/n]."""
    conjugate = Quadratic(-alpha.p, -alpha.q, alpha.d)
    number = 1
    while True:
        value = alpha.floor_multiple(number)
        outside = conjugate.compare(Fraction(value, number)) < 0 or conjugate.compare(Fraction(value + 1, number)) > 0
        if outside:
            return number, value
        number += 1


def define_floor(session: Session, alpha: Quadratic, limits: Limits, name: str = "F", over: str = "") -> bool:
    """Define name(n,y), y = floor(n alpha); return whether it was found and proved.

    over: the name of a system, by default that of the session.
    """
    import numpy

    if is_rational(alpha):
        ratio = Fraction(alpha.p + isqrt(alpha.d), alpha.q)
        u, v = ratio.numerator, ratio.denominator
        n, y = variables("n y")
        formula = (v * y <= u * n) & (u * n < v * y + v)
        session.define(name, formula.in_system(over) if over else formula)
        return True
    system = session.namespace.system(over or session.namespace.default_system)
    for bound in FLOOR_BOUNDS:
        members = numpy.array(
            [(n, alpha.floor_multiple(n)) for n in range(bound) if alpha.floor_multiple(n) < bound], dtype=numpy.int64
        )
        inferred = infer_set(members, bound, system, ("n", "y"), limits.start())
        if inferred.unknown or inferred.margin < 0:
            continue
        floor = Relation(inferred.automaton, session.namespace.system, f"floor(n*{alpha})")
        claims = [claim.in_system(system.name) for claim in floor_claims(alpha, name)]
        if _is_proved(session, name, floor, claims, limits):
            return True
    return False


def _is_proved(session: Session, name: str, floor: Relation, claims: Sequence[Formula], limits: Limits) -> bool:
    """Define a name, and return whether the claims about it are true; otherwise the name means what it did before."""
    definitions = session.namespace.definitions
    before, proved = definitions.get(name), False
    session.define(name, floor)
    try:
        proved = all(session.prove(claim, limits=limits) for claim in claims)
    finally:
        if not proved:
            del definitions[name]
            definitions.update({} if before is None else {name: before})
    return proved
