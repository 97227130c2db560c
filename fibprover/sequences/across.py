"""The automaton of the pairs (n, a(n)) with n in one numeration system and a(n) in another one.

If a(n) grows like n^e and the weights of the system of n like r^k, then those of the system of a(n) have to grow like
(r^e)^k, as both are read in step.  So the exponent of the growth, which is estimated, leaves few pairs of systems; the
automaton is learned and proved as in one system (`synchronized.py`).  A sequence over base k is one over base k^i, too:
sums of the Rudin-Shapiro sequence, which grow like the square root of n, are found with n in base 4 and a(n) in base 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from itertools import product as tuples_of
from math import log2
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from fibprover.base.errors import BudgetSpent, LimitError
from fibprover.base.limits import poll, spending
from fibprover.base.values import PlainlyDisplayed, value
from fibprover.base.wording import plural
from fibprover.numeration.registry import system_named
from fibprover.numeration.system import NumerationSystem
from fibprover.prover.verdict.relation import Relation
from fibprover.sequences.growth import growth_of_weights
from fibprover.sequences.rational import Matrix, rows_of, sparse, times
from fibprover.sequences.synchronized import graphs

if TYPE_CHECKING:
    from fibprover.sequences.series import Series

#: The systems of values that are tried, besides that of n.
VALUES = (
    "msd_2", "msd_3", "msd_fib", "msd_trib", "msd_4", "msd_5", "msd_6", "msd_7", "msd_8", "msd_9", "msd_10", "msd_pell",
    "msd_narayana", "msd_4bonacci", "msd_16",
)

#: Seconds for each pair of systems, and the most rows of a sequence that takes finitely many values.
SECONDS, _ROWS = 4.0, 2000

#: The largest base of n, and how far the growth of values may be from that of the weights.
_LARGEST_BASE, _NEAR = 16, 0.02

#: Growth is estimated between numbers of so many digits and of twice as many, at so many of them.
_DIGITS, _PLACES = 60, 8

#: The greatest quotients a(n)/n of a linear sequence differ by less than a factor 2 to this power; of n log n, by 2.
_LINEAR = 0.8


@value
class Synchronization(PlainlyDisplayed):
    """The pairs (n, a(n)) as automata.

    above, below: the relations of n and v with scale a(n) = v, and with -scale a(n) = v; proved.
    """

    scale: int
    above: Relation
    below: Relation

    @property
    def systems(self) -> tuple[str, str]:
        """The system of n, and that of the values."""
        one, two = self.above.automaton.tracks
        return one.system, two.system

    @property
    def is_natural(self) -> bool:
        """Whether all values are natural numbers, so that `above` has a pair for each n."""
        return self.scale == 1 and (self.below.exists("v") - self.below.where(v=0)).is_empty()

    def __str__(self) -> str:
        one, two = self.systems
        where = f"over {one}" if one == two else f"with n in {one} and the values in {two}"
        if self.is_natural:
            return f"the pairs (n, a(n)) {where}: {plural(self.above.states, 'state')}"
        scaled = "a(n)" if self.scale == 1 else f"{self.scale} a(n)"
        return (
            f"the pairs of n and |{scaled}| {where}: {plural(self.above.states, 'state')} where a(n) >= 0, "
            f"{self.below.states} where a(n) <= 0"
        )


def synchronization(sequence: Series) -> Synchronization:
    """Return the automata of the pairs of a sequence, in the first pair of systems that has them; proved.

    Raises LimitError, which says what was tried, if none is found.
    """
    tried = []
    for indexed, of_values in candidates(sequence):
        names = tuple(dict.fromkeys((indexed.system.name, of_values.name)))
        tried.append(" -> ".join(names))
        try:
            with spending(sequence.limits.within(SECONDS).start()):
                return Synchronization(*graphs(indexed, None if len(names) == 1 else of_values))
        except LimitError as problem:
            last = problem.message
        except BudgetSpent as spent:
            if spent.resource != "seconds" or spent.limit != SECONDS:
                raise
            last = f"no automaton was found in {SECONDS:.0f} s"
    if not tried:
        exponent = _growth(sequence).exponent
        grows = "" if exponent is None else f", which grow like n^{exponent:.3f} at large n"
        raise LimitError(f"no pair of numeration systems fits the values{grows}")
    raise LimitError(f"{last} (tried {', '.join(tried)})")


def candidates(sequence: Series) -> Iterator[tuple[Series, NumerationSystem]]:
    """Yield the pairs of systems that fit the growth of a sequence: the sequence over that of n, and that of values."""
    exponent, is_linear = _growth(sequence)
    # Values that grow slower than n in one system are bounded, so exponents between 0 and 1 need two systems.
    if exponent is None or exponent < _NEAR:
        try:
            sequence.values(most=_ROWS)
        except LimitError:
            return
    if exponent is None or exponent < _NEAR or is_linear:
        yield sequence, sequence.system
    if exponent is None or exponent < _NEAR or abs(exponent - 1) < _NEAR:
        return
    for indexed in _in_powers(sequence):
        root = growth_of_weights(indexed.system)
        if root is None:
            continue
        for name in VALUES:
            other = system_named(name)
            growth = growth_of_weights(other)
            if growth is not None and name != indexed.system.name and abs(root**exponent / growth - 1) < _NEAR:
                yield indexed, other


def _in_powers(sequence: Series) -> Iterator[Series]:
    """Yield a sequence, over base k also as one over bases k^2, k^3, ..."""
    yield sequence
    base = sequence.system.integer_base
    if base is None or base < 2 or not sequence.system.name.startswith("msd_"):
        return
    for size in range(2, 5):
        if base**size <= _LARGEST_BASE:
            yield over_power(sequence, size)


def over_power(sequence: Series, size: int) -> Series:
    """Return a sequence over base k, most significant digit first, as one over base k^size."""
    base = sequence.system.integer_base
    if base is None or base < 2:
        raise LimitError(f"{sequence.system.name} is no base")
    parts = tuple(
        reduce(_multiplied, (sequence.parts[digit] for digit in word)) for word in tuples_of(range(base), repeat=size)
    )
    return replace(sequence, systems=(system_named(f"msd_{base**size}"),), parts=parts)


def _multiplied(one: Matrix, two: Matrix) -> Matrix:
    poll()
    return sparse([times(tuple(row), two) for row in rows_of(one)])


class _Growth(NamedTuple):
    """An estimate: the values grow like n^exponent, None if they are 0 where it is looked; is_linear: like n."""

    exponent: float | None
    is_linear: bool


def _growth(sequence: Series) -> _Growth:
    """Return an estimate of the growth of the greatest values, between numbers of _DIGITS digits and of twice as many.
    """
    random = Random(1)
    found = []
    for digits in (_DIGITS, 2 * _DIGITS):
        # Numbers with few digits other than 0 are among them, where large values may be.
        weight = sequence.system.value((1, *(0,) * len(sequence.system.represent(10 ** (digits - 1)))))
        numbers = [weight, weight - 1, *(random.randrange(10 ** (digits - 1), 10**digits) for _ in range(_PLACES))]
        values = [abs(Fraction(sequence(number))) for number in numbers]
        if not any(values):
            return _Growth(None, False)
        quotient = max(each / number for each, number in zip(values, numbers, strict=True))
        # A quotient of long numbers as a float.
        shift = quotient.numerator.bit_length() - quotient.denominator.bit_length()
        found.append(log2(float(quotient / Fraction(2) ** shift)) + shift)
    more = found[1] - found[0]
    return _Growth(1 + more / (_DIGITS * log2(10)), abs(more) < _LINEAR)
