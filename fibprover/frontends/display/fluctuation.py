"""Plots of the fluctuation of a sequence: of a(n)/n^e between the weights of two places, such as 2^m and 2^(m+1).

Many sequences with linear representations are n^e times a function of the fractional part of log n, which the plot
shows with a scale of n that is logarithmic.  It is a picture of some thousand terms and proves nothing; it says so.
"""

from __future__ import annotations

from html import escape
from itertools import count
from math import isfinite, log
from pathlib import Path

from fibprover.base.errors import DigitError, FibproverError, LimitError
from fibprover.base.files import write_bytes
from fibprover.base.values import value
from fibprover.sequences.series import Series

#: So many terms are plotted at most, but for one step of the weights.
MOST_TERMS = 4096

_WIDTH, _HEIGHT, _LEFT, _TOP, _BOTTOM = 720.0, 360.0, 70.0, 36.0, 40.0


@value
class FluctuationPlot:
    """The points of a plot: n and a(n)/n^exponent for first <= n < last."""

    title: str
    exponent: float
    first: int
    last: int
    heights: tuple[float, ...]

    @property
    def points(self) -> tuple[tuple[float, float], ...]:
        """The points: how far n is from first to last, by logarithms, and the height."""
        whole = log(self.last / self.first)
        return tuple((log(n / self.first) / whole, each) for n, each in enumerate(self.heights, self.first))

    @property
    def svg(self) -> str:
        """The plot as an SVG document."""
        least, most = min(self.heights), max(self.heights)
        span = most - least or 1.0
        wide, high = _WIDTH - _LEFT - 20, _HEIGHT - _TOP - _BOTTOM
        dots = "".join(
            f'<circle cx="{_LEFT + wide * x:.1f}" cy="{_TOP + high * (most - y) / span:.1f}" r="1.2"/>'
            for x, y in self.points
        )
        below = _TOP + high
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH:.0f}" height="{_HEIGHT:.0f}" '
            f'font-family="sans-serif" font-size="12"><title>{escape(self.title)}</title>'
            f'<rect width="100%" height="100%" fill="#fff"/><text x="{_LEFT}" y="20">{escape(self.title)}</text>'
            f'<path d="M{_LEFT} {_TOP}V{below}H{_LEFT + wide}" fill="none" stroke="#888"/>'
            f'<g text-anchor="end"><text x="{_LEFT - 6}" y="{_TOP + 10}">{most:.4g}</text>'
            f'<text x="{_LEFT - 6}" y="{below}">{least:.4g}</text>'
            f'<text x="{_LEFT + wide}" y="{below + 20}">{self.last}</text></g>'
            f'<text x="{_LEFT}" y="{below + 20}">{self.first}</text><g fill="#2f6fb0">{dots}</g></svg>\n'
        )

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | Path) -> Path:
        """Write the plot to a file *.svg."""
        place = Path(path)
        write_bytes(place, self.svg.encode())
        return place


def fluctuation(sequence: Series, exponent: float | None = None) -> FluctuationPlot:
    """Plot a(n)/n^e between the weights of two places; it is a plot, and no proof.

    Parameters:

    - sequence: a sequence of one variable over a system of natural numbers
    - exponent: e; by default that of `Series.growth`, proved or estimated

    Returns: a FluctuationPlot, which notebooks show and `save` writes to a file.

    Errors: LimitError if no exponent is known; FibproverError for several variables, and for systems of all integers;
    DigitError for an exponent that is no number.

    >>> stern = fp.Session().solve("a", "a(0)=0, a(1)=1, a(2n)=a(n), a(2n+1)=a(n)+a(n+1)").sequence
    >>> fp.fluctuation(stern.partial_sums(), 1.585).title
    'Plot, not proved: a(n)/n^1.585 for 2048 <= n < 4096, over msd_2'
    """
    if len(sequence.systems) > 1 or sequence.system.signed:
        raise FibproverError("fluctuations are plotted of sequences of one natural number")
    if exponent is None:
        growth = sequence.growth()
        exponent = growth.estimate if growth.exponent is None else growth.exponent
        if exponent is None:
            raise LimitError("no exponent of the growth is known", hint="give one")
    first, last = _weights(sequence)
    try:
        power = float(exponent)
        heights = tuple(float(sequence[n] / 1) / n**power for n in range(first, last))
    except (OverflowError, ZeroDivisionError):
        raise LimitError(f"the terms or the powers n^{exponent} are too large for a plot") from None
    if not isfinite(power):
        raise DigitError(f"an exponent is a number, not {exponent}")
    title = f"Plot, not proved: a(n)/n^{exponent:.4g} for {first} <= n < {last}, over {sequence.system.name}"
    return FluctuationPlot(title, exponent, first, last, heights)


def _weights(sequence: Series) -> tuple[int, int]:
    """Return the last two weights of places between which there are not too many numbers."""
    system = sequence.system
    first, last = 1, 1
    for place in count(1):
        following = system.value((1, *(0,) * place) if system.msd_first == system else (*(0,) * place, 1))
        if following > last and following - last > MOST_TERMS // 2 and last > first:
            return first, last
        if following > last:
            first, last = last, following
    raise AssertionError
