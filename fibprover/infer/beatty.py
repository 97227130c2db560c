"""Sequences near multiples of a number: a(n) = floor((n + c) alpha) + lambda(n), with lambda in a small set.

The P-positions of Wythoff's game and its variants have this form.  For the game K^l with l terminal positions, alpha
is the golden ratio and c = l, with a(0) the smaller component of the first P-position that is not terminal.
All decisions are made in exact arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from fibprover.base.errors import FibproverError
from fibprover.base.values import PlainlyDisplayed, value
from fibprover.base.wording import plural
from fibprover.infer.slopes import SlopeInterval, is_line, simplest_quadratic, slope_interval
from fibprover.infer.tree import integers_of
from fibprover.numeration.quadratic import Quadratic

#: A number is searched among the slopes whose strip is at most this much wider than the narrowest.
SLACK = Fraction(1, 2)

#: The number of shifts c that are tried on either side of the shift for which lambda is about 0.
SHIFTS = 4


@value
class BeattyFit(PlainlyDisplayed):
    """a(n) = floor((n + c) alpha) + lambda(n) on all the data.

    values: those of lambda, increasing; first: for each, the least n at which it occurs; length: of the data;
    slopes: those that the data allow (alpha given or not), which says how well the data determine alpha.
    """

    alpha: Quadratic
    c: int
    values: tuple[int, ...]
    first: tuple[int, ...]
    length: int
    slopes: SlopeInterval

    @property
    def spread(self) -> int:
        """The number of integers from the least to the largest value of lambda."""
        return self.values[-1] - self.values[0] + 1

    @property
    def settled(self) -> bool:
        """Whether all values of lambda occur in the first half of the data; if not, there may be more values."""
        return 2 * max(self.first) < self.length

    def __str__(self) -> str:
        shift = f"(n{self.c:+d})" if self.c else "n"
        return f"floor({shift}*{self.alpha}) + {{{', '.join(map(str, self.values))}}}"


def beatty_fit(
    sequence: Sequence[int], *, alpha: Quadratic | None = None, c: int | None = None
) -> BeattyFit | None:
    """Return the fit with the least spread of lambda on a sequence a(0), a(1), ...

    alpha, c: if they are known.  Otherwise alpha is the simplest rational or quadratic number among the
    slopes of lines that are about as near to the data as any.  None if every such number is so complicated that it
    may be there by chance, or if the data are not near a line.  The first quarter of the data does not
    count for alpha, as it may be exceptional.  Of several c with equal spread, the one
    whose lambda is nearest to 0 is chosen, and then the c nearest to 0.
    O(n log n) for alpha, O(n) for each c; raises FibproverError for fewer than two values.
    """
    data = integers_of(sequence)
    if len(data) < 2:
        raise FibproverError(f"{plural(len(data), 'value')} cannot determine a slope: give more of the sequence")
    points = list(enumerate(data))[min(len(data) // 4, len(data) - 2) :]
    interval = slope_interval(points, SLACK)
    if alpha is None:
        found = simplest_quadratic(interval) if is_line(points, interval) else None
        if found is None:
            return None
        alpha = found.number
    shifts = _shifts(alpha, data) if c is None else [c]
    fits = [_fit(data, alpha, shift, interval) for shift in shifts]
    return min(fits, key=lambda fit: (fit.spread, max(map(abs, fit.values)), abs(fit.c)))


def _shifts(alpha: Quadratic, data: Sequence[int]) -> list[int]:
    """Return the c to try: those for which lambda is near 0, and 0 itself."""
    if alpha.compare(Fraction(0)) <= 0:
        return [0]
    # c such that floor(c alpha) is about the mean of a(n) - floor(n alpha).
    offset = sum(y - alpha.floor_multiple(n) for n, y in enumerate(data)) // len(data)
    about = offset * 10**6 // max(1, alpha.floor_multiple(10**6))
    return sorted({0, *range(about - SHIFTS, about + SHIFTS + 1)})


def _fit(data: Sequence[int], alpha: Quadratic, c: int, interval: SlopeInterval) -> BeattyFit:
    """Return lambda on the data for one alpha and c."""
    first: dict[int, int] = {}
    for n, y in enumerate(data):
        first.setdefault(y - alpha.floor_multiple(n + c), n)
    values = sorted(first)
    return BeattyFit(alpha, c, tuple(values), tuple(first[each] for each in values), len(data), interval)
