"""Straight lines on boards: a line has a slope and an intercept, given as numbers or as texts such as "phi,-1"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite, nan, sqrt

from fibprover.base.errors import FibproverError
from fibprover.base.wording import plural
from fibprover.numeration.quadratic import quadratic

LINE_COLOURS = ("#e07b00", "#7a3fb0", "#008a8a", "#b8a000", "#8c5a2b", "#d6368f")

_DECIMAL = re.compile(r"\s*[-+]?[0-9]+(\.[0-9]+)?\s*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Line:
    """The line y = slope * x + intercept, with its name in the legend."""

    slope: float
    intercept: float
    name: str

    def within(self, size: int) -> tuple[tuple[float, float], tuple[float, float]] | None:
        """Return the ends of the part of the line on a board of `size` columns, None if it misses the board.

        (0,0) is the middle of the first square."""
        low, high = -0.5, size - 0.5
        first, last = low, high
        if self.slope:
            crossings = sorted((bound - self.intercept) / self.slope for bound in (low, high))
            first, last = max(first, crossings[0]), min(last, crossings[1])
        elif not low <= self.intercept <= high:
            return None
        if first >= last:
            return None
        return (first, self.slope * first + self.intercept), (last, self.slope * last + self.intercept)


def line_of(what: object, axes: tuple[str, str] = ("x", "y")) -> Line:
    """Return the line of a slope, or of a slope and an intercept.

    what: a number, a text such as "phi", "(5+sqrt(13))/6", "1.5" or "phi,-1", or a pair of them; axes: their names.
    Raises SyntaxProblem for a text that is not a number, FibproverError for anything else.
    """
    parts: Sequence[object] = [what]
    if isinstance(what, str):
        parts = what.split(",")
    elif isinstance(what, Line):
        return what
    elif isinstance(what, Sequence):
        parts = what
    if not 1 <= len(parts) <= 2:
        raise FibproverError(
            f"a line has a slope and an intercept, not {plural(len(parts), 'number')}", hint="as in phi,1"
        )
    slope, slope_text = _number(parts[0])
    shown = {"0": "", "1": axes[0], "-1": f"-{axes[0]}"}.get(slope_text, f"{_factor(slope_text)} {axes[0]}")
    if len(parts) == 1:
        return Line(slope, 0.0, f"{axes[1]} = {shown or 0}")
    intercept, text = _number(parts[1])
    if not shown or not intercept:
        return Line(slope, intercept, f"{axes[1]} = {shown or (text if intercept else 0)}")
    shown = f"{axes[1]} = {shown}"
    if intercept < 0 and text.startswith("-") and not _is_sum(text[1:]):
        return Line(slope, intercept, f"{shown} - {text[1:]}")
    return Line(slope, intercept, f"{shown} + {_factor(text) if text.startswith('-') else text}")


def line_colour(number: int) -> str:
    """Return the colour of a line, by its number on the board."""
    return LINE_COLOURS[number % len(LINE_COLOURS)]


def _number(what: object) -> tuple[float, str]:
    """Return a number and its text."""
    value, text = nan, ""
    if isinstance(what, str):
        text = what.strip()
        if _DECIMAL.fullmatch(text):
            value = float(text)
        else:
            p, q, d = quadratic(what)
            with suppress(OverflowError):
                value = (p + sqrt(d)) / q
    elif isinstance(what, (int, float, Fraction)) and not isinstance(what, bool):
        text = str(what) if isinstance(what, (int, Fraction)) else f"{what:.6g}"
        with suppress(OverflowError):
            value = float(what)
    else:
        raise FibproverError(
            f"the slope or intercept of a line is a number, not {what!r}", hint='as in 2, "phi", ("phi", 1)'
        )
    if not isfinite(value):
        raise FibproverError(f"no line on a board has the slope or intercept {text}")
    return value, text


def _factor(text: str) -> str:
    """Return the text of a factor, in parentheses if it is a sum."""
    return f"({text})" if _is_sum(text) else text


def _is_sum(text: str) -> bool:
    """Return whether a text has a plus or a minus outside of parentheses, a leading sign excepted."""
    depth = 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if character in "+-" and place and not depth:
            return True
    return False
