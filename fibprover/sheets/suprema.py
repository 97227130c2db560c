"""The supremum of n/p over the pairs (n,p) of a relation, exactly or between proved bounds.

For each p the greatest n counts.  Pairs below a bound suggest a value, and formulas prove it: that all quotients are at
most that value, and that it is attained, or that some come as near to it as one likes.  Schaeffer and Shallit, "The
critical exponent is computable for automatic sequences" (2012), compute it from the automaton instead.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from fractions import Fraction
from math import floor

from fibprover.errors import BudgetSpent, LimitError
from fibprover.limits import Limits
from fibprover.session import Session
from fibprover.values import value
from fibprover.verdict.relation import pairs_in_square

#: Pairs below this bound are looked at.  A quotient that is the greatest of all has a denominator of EARLY at most, as
#: a rule; those with larger ones approach a limit.
BOUND, EARLY = 2048, 24

#: Pairs near a limit are looked for among the greatest p, down to one part in FAR, and among those before.
FAR = 4

#: The denominators of the bounds that are tried, one after the other, and how many bounds of each at most.
DENOMINATORS, TRIES = (1, 2, 3, 4, 5, 6, 8, 12, 20, 40, 100), 8


@value
class Supremum:
    """What is proved of a supremum.

    lower, upper: bounds, None for infinity; equal if the supremum is known.  attained: whether it is a quotient itself.
    pair: the pair with the greatest quotient that was seen, None without pairs.  formulas: those that were proved.
    """

    lower: Fraction | None
    upper: Fraction | None
    attained: bool
    pair: tuple[int, int] | None
    formulas: tuple[str, ...]

    @property
    def is_exact(self) -> bool:
        """Whether the supremum is known."""
        return self.lower == self.upper

    def __str__(self) -> str:
        """Return the value or the bounds, as in a sheet."""
        if self.upper is None:
            return "infinite" if self.lower is None else f"at least {float(self.lower):.4f}"
        if self.is_exact:
            return f"{self.upper}, {'attained' if self.attained else 'not attained'}"
        assert self.lower is not None
        return f"from {float(self.lower):.4f} to {float(self.upper):.4f}"


def supremum(session: Session, formula: str, system: str, limits: Limits | None = None) -> Supremum | None:
    """Return what can be proved of the supremum of n/p over a formula with these variables; None without pairs.

    system: that of n and p.  Defines $pair and $longest in the session.  LimitError if there are pairs, but none is
    small; BudgetSpent beyond the limits.
    """
    session.define("pair", formula, limits=limits)

    def holds(text: str) -> bool:
        return bool(session.prove(f"?{system} {text}", limits=limits))

    bounded = "Ap (Em An $pair(n,p) => n<=m)"
    if not holds(bounded):
        return Supremum(None, None, False, None, (f"~({bounded})",))
    session.define("longest", f"?{system} $pair(n,p) & (Am $pair(m,p) => m<=n)", limits=limits)
    pairs = pairs_in_square(session.relation(f"?{system} $longest(n,p)", limits=limits), BOUND, limits)
    if not pairs:
        if session.relation(f"?{system} $pair(n,p)", limits=limits).is_empty():
            return None
        raise LimitError(f"all pairs have a number of at least {BOUND}", hint="ask about them by formulas")
    pair = max(pairs, key=lambda each: (Fraction(each[0], each[1]), -each[1]))
    best = Fraction(*pair)
    most = _at_most(best)
    if best.denominator <= EARLY and holds(most):
        return Supremum(best, best, True, pair, (most, f"$pair({pair[0]},{pair[1]})"))
    return _bounded(best, pair, pairs, holds)


def _at_most(bound: Fraction, *, strictly: bool = False) -> str:
    """Return the formula that all quotients are at most this."""
    sign = "<" if strictly else "<="
    return f"An,p $longest(n,p) => {bound.denominator}*n{sign}{bound.numerator}*p"


def _near(bound: Fraction, pairs: Collection[tuple[int, int]]) -> str | None:
    """Return the formula that quotients come as near to this as one likes; None if the pairs do not look like that.

    They do if a multiple of the distance, num*p-den*n for num/den, is no larger for the greatest p than before.
    """
    largest = max(p for _, p in pairs)
    parts = [
        [bound.numerator * p - bound.denominator * n for n, p in pairs if low < FAR * p <= FAR * low]
        for low in (largest, largest // FAR)
    ]
    if not all(parts) or min(parts[0]) > 2 * abs(min(parts[1])) + bound.denominator:
        return None
    return f"Am En,p p>m & $longest(n,p) & {bound.numerator}*p<={bound.denominator}*n+{max(map(min, parts))}"


def _bounded(
    best: Fraction, pair: tuple[int, int], pairs: Collection[tuple[int, int]], holds: Callable[[str], bool]
) -> Supremum:
    """Return the supremum if it is a limit of quotients with a small denominator, else bounds.

    The lower bound is the greatest quotient that was seen, or a bound that was refuted.  The upper bound is the least
    one that is proved in time.  A number with this denominator that is the supremum would be that bound.
    """
    least, least_formula = best, f"$pair({pair[0]},{pair[1]})"
    found = Supremum(least, None, False, pair, (least_formula,))
    try:
        for denominator in DENOMINATORS:
            first = floor(best * denominator) + 1
            for numerator in range(first, first + TRIES):
                upper = Fraction(numerator, denominator)
                if found.upper is not None and upper >= found.upper:
                    break
                below, near = _at_most(upper, strictly=True), _near(upper, pairs)
                if not holds(below):
                    # Some quotient is no less than this: better than what was seen.
                    if upper > least:
                        least, least_formula = upper, f"~({below})"
                    found = Supremum(least, found.upper, False, pair, (*found.formulas[:-1], least_formula))
                else:
                    found = Supremum(least, upper, False, pair, (below, least_formula))
                    if near is not None and holds(near):
                        return Supremum(upper, upper, False, pair, (below, near))
                    break
    except BudgetSpent:
        if found.upper is None:
            raise
    return found
