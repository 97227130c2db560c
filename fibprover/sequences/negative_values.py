"""Decide whether a sequence has a negative value: find a number that has one, or prove that there is none.

The question is undecidable in general, so that each proof needs a condition.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fibprover.base.errors import LimitError
from fibprover.base.limits import polled
from fibprover.sequences.across import synchronization
from fibprover.sequences.rational import Number

if TYPE_CHECKING:
    from fibprover.sequences.series import Series

#: The number of values that are examined before a proof is tried.
COMPARED = 256

#: The number of times that differences are taken for the proof, and the most rows of their values.
_MOST_DIFFERENCES, _MOST_ROWS = 2, 2000


def first_negative(sequence: Series) -> tuple[int, Number] | None:
    """Find a number that has a negative value, and return it with this value; None if there is provably none.

    It is the first one in systems of natural numbers.  Proofs are: entries of the representation that are all 0 or
    more; in systems of natural numbers a first value that is not, and differences of which it is proved that they are
    not; there, too, the automaton of the pairs (n, a(n)), if some pair of systems has one; for integers finitely many
    values.  Raises LimitError if there is none of these, and no value is negative among the first COMPARED.
    """
    if _has_no_negative_entry(sequence):
        return None
    signed = sequence.system.signed
    for number in polled(range(-COMPARED if signed else 0, COMPARED), "the first values"):
        value = sequence[number]
        if value < 0:
            return number, value
    if not signed and _grows_from_difference_to_difference(sequence):
        return None
    if signed:
        place = sequence.least_with(lambda value: value < 0)
    else:
        negative = synchronization(sequence).below
        found = (negative.exists("v") - negative.where(v=0)).least()
        place = None if found is None else found[0]
    return None if place is None else (place, sequence[place])


def is_never_negative(sequence: Series) -> bool:
    """Return whether it is proved that no value is negative, by entries or by differences; indices are natural."""
    return _has_no_negative_entry(sequence) or _grows_from_difference_to_difference(sequence)


def _has_no_negative_entry(sequence: Series) -> bool:
    entries = (x for part in sequence.parts for row in part for _, x in row)
    return all(x >= 0 for x in (*sequence.entering, *sequence.leaving, *entries))


def _grows_from_difference_to_difference(sequence: Series) -> bool:
    """Return whether the first value is not negative, and no difference is: an induction from 0 on."""
    for _ in range(_MOST_DIFFERENCES):
        if sequence[0] < 0:
            return False
        following = sequence.subsequence(1, 1) - sequence
        if _has_no_negative_entry(following):
            return True
        try:
            if all(value >= 0 for value in following.values(most=_MOST_ROWS)):
                return True
        except LimitError:
            pass
        sequence = following
    return False
