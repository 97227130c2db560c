"""How fast a sequence with a linear representation grows: sufficient criteria, and estimates.

Whether such a sequence is bounded, or at most linear, is undecidable in general (Krenn and Shallit, Decidability and
k-regular sequences, 2020), so that a criterion which does not apply says nothing.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import log
from typing import TYPE_CHECKING

from fibprover.base.errors import LimitError
from fibprover.base.limits import poll
from fibprover.base.values import PlainlyDisplayed, value
from fibprover.base.wording import exactly
from fibprover.numeration.system import NumerationSystem
from fibprover.sequences.rational import Matrix, Number

if TYPE_CHECKING:
    from fibprover.sequences.joint_spectral_radius import SpectralRadius
    from fibprover.sequences.series import Series

#: The most differences that are taken, and the most states of the word of their values.
MOST_DIFFERENCES, STATES = 4, 2000

#: The most products of matrices whose norms are taken.
_MOST_PRODUCTS = 600

#: Exponents are told apart from here on.
_LEAST_EXPONENT = 1e-6

#: Logarithms of exact radii are equal if they differ by less.
_EXACT = 1e-11

#: The number of digits of the numbers that give the estimate, together with numbers of twice as many digits.
_DIGITS = 60


@value
class SequenceGrowth(PlainlyDisplayed):
    """What is known about the growth of a sequence.

    degree: d if it is proved that |a(n)| <= C (n+1)^d, as its d-th differences have finitely many values; None if this
    criterion does not apply; values: of these differences; exponent: a proved bound, |a(n)| <= C (n+1)^exponent, with
    a power of log n if `radius` says so; if there is none, by norms of products of matrices, up to rounding; None for a
    system without a dominant root; estimate: e of a growth like n^e between two large numbers, which is no proof; None
    if the values there are 0; radius: the joint spectral radius of the matrices, None if none was found; system: of n.
    """

    degree: int | None
    values: frozenset[Number]
    exponent: float | None
    estimate: float | None
    radius: SpectralRadius | None = None
    system: str = ""

    @property
    def is_bounded(self) -> bool:
        """Whether it is proved that the sequence is bounded; False proves nothing."""
        return self.degree == 0

    def __str__(self) -> str:
        said = []
        is_sharp = False
        if self.degree == 0:
            said.append(f"bounded, proved: {_are('values', self.values)}")
        elif self.radius is not None and self.exponent is not None and self._is_less(self.exponent):
            said.append(self._by_radius(self.radius, self.exponent))
            is_sharp = self.exponent < _EXACT or not self.radius.logarithms
        elif self.degree is not None:
            name = "at most linear" if self.degree == 1 else f"at most like n^{self.degree}"
            which = "differences" if self.degree == 1 else f"{self.degree}-fold differences"
            said.append(f"{name}, proved: {_are(which, self.values)}")
        else:
            if self.exponent is not None:
                said.append(f"at most like n^{self.exponent:.3f}, by the norms of matrices")
            said.append(f"not known to be polynomial of degree below {MOST_DIFFERENCES + 1} by its differences")
        if self.estimate is not None and not is_sharp:
            said.append(f"like n^{self.estimate:.3f} at large n (an estimate)")
        return "; ".join(said)

    def _by_radius(self, radius: SpectralRadius, exponent: float) -> str:
        """Return the growth of the greatest values: an exponent, and the numbers at which they have it."""
        why = f"proved: the joint spectral radius of the matrices is {radius}"
        count = radius.logarithms if radius.logarithm > -_EXACT else 0
        factors = [] if exponent < _EXACT else [_power(exponent)]
        factors += [] if not count else ["log n"] if count == 1 else [f"(log n)^{count}"]
        bound = f"at most like {' '.join(factors)}" if factors else "bounded"
        if count or not factors:
            return f"{bound}, {why}"
        digits = ("" if max(radius.word) < 10 else ".").join(map(str, radius.word))
        where = f"the numbers with the digits x({digits})^j y in {self.system}"
        return f"{bound}, and like it at {where}, for some x, y and infinitely many j, {why}"

    def _is_less(self, exponent: float) -> bool:
        """Return whether an exponent is less than the degree that differences have."""
        return self.degree is None or exponent < self.degree - _LEAST_EXPONENT


def _power(exponent: float) -> str:
    """Return n to an exponent, which is written as an integer only if it is one, up to the errors of floats."""
    if abs(exponent - round(exponent)) < _EXACT:
        return "n" if round(exponent) == 1 else f"n^{round(exponent)}"
    shown = f"{exponent:.3f}"
    return f"n^{exponent:.9f}" if shown.endswith(".000") else f"n^{shown}"


def _are(noun: str, values: frozenset[Number]) -> str:
    """Return what the values of a sequence are; of many the number, and the least and the greatest one."""
    listed = sorted(values)
    if len(listed) <= 12:
        return exactly(noun, listed)
    return f"the {noun} are exactly {len(listed)} numbers, {listed[0]} to {listed[-1]}"


def sequence_growth(sequence: Series) -> SequenceGrowth:
    """Return what sufficient criteria say about the growth of a sequence whose indices are natural numbers."""
    degree, values = _degree(sequence)
    root = growth_of_weights(sequence.system)
    radius = None if root is None or degree == 0 else _radius(sequence)
    exponent = _exponent(sequence) if radius is None or root is None else max(0.0, radius.logarithm / log(root))
    return SequenceGrowth(degree, values, exponent, _estimate(sequence), radius, sequence.system.name)


def _radius(sequence: Series) -> SpectralRadius | None:
    """Return the joint spectral radius, None where it is not found, or where there is no numpy, as in browsers."""
    try:
        from fibprover.sequences.joint_spectral_radius import joint_spectral_radius  # late, as it imports numpy
    except ImportError:
        return None
    return joint_spectral_radius(sequence.parts)


def _degree(sequence: Series) -> tuple[int | None, frozenset[Number]]:
    """Return the least d for which the d-th differences have finitely many values, and these."""
    differences = sequence
    for degree in range(MOST_DIFFERENCES + 1):
        try:
            return degree, frozenset(differences.values(most=STATES))
        except LimitError:
            differences = differences.subsequence(1, 1) - differences
    return None, frozenset()


def _exponent(sequence: Series) -> float | None:
    """Return e such that a(n) is at most like n^e, from the norms of all products of equally many matrices."""
    root = growth_of_weights(sequence.system)
    if root is None or not sequence.dimension:
        return None if sequence.dimension else 0.0
    length = 1
    while len(sequence.parts) ** (length + 1) <= _MOST_PRODUCTS:
        length += 1
    greatest = max(
        _norm([sequence.parts[digit] for digit in word], sequence.dimension)
        for word in product(range(len(sequence.parts)), repeat=length)
    )
    return max(0.0, log(greatest) / (length * log(root))) if greatest else 0.0


def _norm(matrices: list[Matrix], size: int) -> float:
    """Return the greatest sum of the absolute values in a row of a product."""
    poll()
    greatest = Fraction(0)
    for start in range(size):
        row: dict[int, Number] = {start: 1}
        for matrix in matrices:
            following: dict[int, Number] = {}
            for place, factor in row.items():
                for column, entry in matrix[place]:
                    following[column] = following.get(column, 0) + factor * entry
            row = following
        total = sum((Fraction(entry) if entry > 0 else Fraction(-entry) for entry in row.values()), start=Fraction(0))
        greatest = max(greatest, total)
    return float(greatest)


def growth_of_weights(system: NumerationSystem) -> float | None:
    """Return the number that weights grow by, from digit to digit; None where this is not known."""
    if system.recurrence is None or system.signed:
        return None
    low, high = system.recurrence.terms(2 * _DIGITS)[-2:]
    return high / low


def _estimate(sequence: Series) -> float | None:
    if sequence.system.signed:
        return None
    near, far = sequence[10**_DIGITS], sequence[10 ** (2 * _DIGITS)]
    if not near or not far:
        return None
    return (_log10(far) - _log10(near)) / _DIGITS


def _log10(number: Number) -> float:
    """Return the logarithm of the absolute value of a number of any size other than 0."""
    return (_log_of_integer(abs(number.numerator)) - _log_of_integer(number.denominator)) / log(10)


def _log_of_integer(number: int) -> float:
    shift = max(0, number.bit_length() - 64)
    return log(number >> shift) + shift * log(2)
