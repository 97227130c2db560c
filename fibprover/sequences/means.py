"""Mean values of a sequence over the numbers below a power of the base, or below the weight of a place; exact.

The sums of the terms below n are a sequence with a linear representation (`Series.partial_sums`), so those below the
weight U_k of place k obey a linear recurrence (`recurrence_along.py`).
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from fibprover.base.errors import DigitError
from fibprover.base.values import PlainlyDisplayed, replaced, value
from fibprover.sequences.powers import PowerSum
from fibprover.sequences.rational import Number, plain
from fibprover.sequences.recurrence_along import Recurrence

if TYPE_CHECKING:
    from fibprover.sequences.series import Series


@value
class MeanValues(PlainlyDisplayed):
    """The means of a(n) over n < U_k; proved.

    sums, weights: the recurrences of the sums S(k) of a(n) over n < U_k, and of U_k; base: with U_k = base^k, None in
    other systems.
    """

    sums: Recurrence
    weights: Recurrence
    base: int | None

    def __getitem__(self, k: int) -> Number:
        """Return the mean over n < U_k; DigitError if k is no natural number."""
        if k < 0:
            raise DigitError(f"there is no place {k}")
        return plain(Fraction(self.sums.terms(k + 1)[k]) / Fraction(self.weights.terms(k + 1)[k]))

    def closed_form(self) -> PowerSum | None:
        """Return the mean as a sum of powers; None if the sums have none, or over other systems than bases."""
        found = self.sums.closed_form()
        if found is None or self.base is None or found.fibonacci:
            return None
        base = self.base
        return replaced(found, powers=tuple((c, i, plain(Fraction(r) / base)) for c, i, r in found.powers))

    def limit(self) -> Number | None:
        """Return what the means tend to; None if that is not known, or if they tend to no number."""
        found = self.closed_form()
        if found is None or any(not -1 < r <= 1 or (r == 1 and i) for _, i, r in found.powers):
            return None
        return plain(sum((c for c, _, r in found.powers if r == 1), start=Fraction(0)))

    def __str__(self) -> str:
        found = self.closed_form()
        if found is None:
            sums = self.sums.closed_form()
            said = "" if sums is None else f"; so S(k) = {sums}"
            return f"S(k)/U_k with {str(self.sums).replace('s(', 'S(')}{said}"
        limit = self.limit()
        tends = "" if limit is None or str(limit) == str(found) else f", which tends to {limit}"
        return f"{found}{tends}"


def mean_values(sequence: Series) -> MeanValues:
    """Return the means of a sequence of one variable over n < U_k."""
    sums = sequence.partial_sums().recurrence()
    weights = (sequence * 0 + 1).partial_sums().recurrence()
    base = sequence.system.integer_base
    return MeanValues(sums, weights, base if base is not None and base > 1 else None)
