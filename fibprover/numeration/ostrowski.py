"""Ostrowski numeration: digits weighted by the denominators of a quadratic irrational's convergents.

For [a_0; a_1, a_2, ...] the weights are U_0 = 1, U_1 = a_1, U_{t+1} = a_{t+1} U_t + U_{t-1}.  The digit at position t
is at most a_{t+1}, the last one is below a_1, and a greatest digit is followed by 0 (A. Ostrowski, Abh. Math.
Sem. Hamburg 1, 1922).  Addition is regular if the continued fraction is periodic (P. Hieronymi, A. Terry, Ostrowski
numeration systems, addition, and finite automata, Notre Dame J. Formal Logic 59, 2018); here it follows from
remainders whose steps depend on the phase of the position.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import isqrt

from fibprover.base.errors import LimitError, NumerationError
from fibprover.base.names import full_name
from fibprover.numeration.periodic import periodic_system
from fibprover.numeration.quadratic import Quadratic, quadratic
from fibprover.numeration.recurrence import recurrence_system
from fibprover.numeration.system import ContinuedFraction, NumerationSystem
from fibprover.numeration.weights import MOST_DIGITS, PeriodicRecurrence

#: Most terms of preperiod and period together.
MOST_TERMS = 200


def ostrowski(number: str, name: str = "") -> NumerationSystem:
    """Return the Ostrowski system of a quadratic irrational such as "(5+sqrt(13))/6".

    Parameters:

    - number: as a text
    - name: its name in formulas, by default the one made of its continued fraction, under which the registry knows it

    Errors: NumerationError for a number that is not a quadratic irrational.

    >>> fp.ostrowski("sqrt(2)").name
    'msd_ost_1_per_2'
    """
    preperiod, period = continued_fraction(quadratic(number))
    return ostrowski_system(name or ostrowski_name(preperiod, period), preperiod, period)


def ostrowski_name(preperiod: Sequence[int], period: Sequence[int]) -> str:
    """Return the name made of a continued fraction, such as msd_ost_0_2_per_1; m is the minus sign."""
    parts = [str(term).replace("-", "m") for term in preperiod]
    return "_".join(["msd_ost", *parts, "per", *map(str, period)])


def ostrowski_system(name: str, preperiod: Sequence[int], period: Sequence[int]) -> NumerationSystem:
    """Return the Ostrowski system of the continued fraction with this preperiod and period.

    If a_1 = 1 the weights would be 1, 1, ...: then the first position is omitted, which gives the system of [0; a_2 +
    1, a_3, ...].

    Parameters:

    - name: in formulas
    - preperiod: a_0 included (which does not matter)
    - period: its terms

    Errors: NumerationError unless all terms after a_0 are at least 1.

    >>> system = fp.ostrowski_system("silver", [0], [2])
    >>> system.represent(11)
    (2, 0, 1)
    """
    name = full_name(name)
    if re.fullmatch(r"msd_\w+", name, re.ASCII) is None:
        raise NumerationError(f"{name!r} cannot name an Ostrowski system", hint="a name is letters, digits and _")
    before, cycle = _normal(list(preperiod), list(period))
    if len(before) + len(cycle) > MOST_TERMS:
        raise LimitError(f"a continued fraction may have {MOST_TERMS} terms here before it repeats")
    if max(*before, *cycle) >= MOST_DIGITS:
        raise LimitError(f"this continued fraction needs more than {MOST_DIGITS} digits")
    if len(before) == 1 and len(cycle) == 1:
        # One recurrence for all positions, whose greedy representations these are.
        return recurrence_system(name, (cycle[0], 1), (1, before[0]))
    bounds = [*before, *cycle]
    rows = tuple((1, bound) for bound in bounds)
    weights = PeriodicRecurrence(len(before), len(cycle), rows, (1, bounds[0]), _extremes)

    def follow(after_greatest: object, phase: int, digit: int) -> object | None:
        """Return whether the digit is the greatest one at its position."""
        bound = bounds[phase] - (phase == 0)
        if digit > bound or (after_greatest and digit):
            return None
        return digit == bounds[phase]

    return periodic_system(
        name,
        max(bounds[0] - 1, *bounds[1:]),
        weights,
        follow,
        False,
        "Ostrowski numeration, most significant digit first",
        continued_fraction=ContinuedFraction(tuple(before), tuple(cycle)),
    )


def _extremes(t: int, weights: Sequence[int]) -> tuple[int, int]:
    """Return the least and the greatest value of t digits: these words represent the numbers below U_t."""
    return 0, weights[t] - 1


def _normal(preperiod: list[int], period: list[int]) -> tuple[list[int], list[int]]:
    """Return a_1, a_2, ... as a shortest non-empty preperiod and period, the first term being at least 2."""
    for term in (*preperiod, *period):
        if not hasattr(term, "__index__"):
            raise NumerationError(f"the terms of a continued fraction must be integers, not {term!r}")
    if not period:
        raise NumerationError(
            "an Ostrowski system needs a period: the continued fraction of a rational number ends",
            hint="write the terms that repeat in the second brackets, as in [0 2] [1]",
        )
    if preperiod:
        before, cycle = preperiod[1:], period
    else:
        before, cycle = [], [*period[1:], period[0]]
    while len(before) < 2:
        before, cycle = [*before, cycle[0]], [*cycle[1:], cycle[0]]
    if min(*before, *cycle) < 1:
        raise NumerationError("the terms of a continued fraction after the first one are at least 1")
    if before[0] == 1:
        before = [before[1] + 1, *before[2:]]
    cycle = _primitive(cycle)
    while len(before) > 1 and before[-1] == cycle[-1]:
        before, cycle = before[:-1], [cycle[-1], *cycle[:-1]]
    return before, cycle


def _primitive(cycle: list[int]) -> list[int]:
    """Return the shortest list whose repetition gives this one."""
    for length in range(1, len(cycle)):
        if len(cycle) % length == 0 and cycle == cycle[:length] * (len(cycle) // length):
            return cycle[:length]
    return cycle


def continued_fraction(number: Quadratic) -> tuple[list[int], list[int]]:
    """Return preperiod (a_0 included, unless purely periodic) and period, in exact integer arithmetic.

    Lagrange: with number = (p + sqrt(d)) / q and q a divisor of d - p^2, the pairs (p, q) repeat.
    """
    p, q, d = number.p, number.q, number.d
    if (d - p * p) % q:
        p, d, q = p * abs(q), d * q * q, q * abs(q)
    root = isqrt(d)
    if root * root == d:
        raise NumerationError("this number is rational: its continued fraction ends")
    seen: dict[tuple[int, int], int] = {}
    terms: list[int] = []
    while (p, q) not in seen:
        if len(terms) > MOST_TERMS:
            raise LimitError(f"the continued fraction of this number does not repeat within {MOST_TERMS} terms")
        seen[p, q] = len(terms)
        # floor((p + sqrt(d)) / q), the root being irrational.
        term = (p + root) // q if q > 0 else -((p + root) // -q) - 1
        terms.append(term)
        p = term * q - p
        q = (d - p * p) // q
    start = seen[p, q]
    return terms[:start], terms[start:]
