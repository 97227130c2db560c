"""What people mean by a line on a board."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from math import isfinite, nan, sqrt

from fibprover.errors import FibproverError
from fibprover.formats.lines import Line
from fibprover.numeration.quadratic import quadratic

_DECIMAL = re.compile(r"\s*[-+]?[0-9]+(\.[0-9]+)?\s*", re.ASCII)


def line_of(what: object, axes: tuple[str, str] = ("x", "y")) -> Line:
    """The line of a slope, or of a slope and an intercept; axes: what they are called.

    what: a number, a text such as "phi", "(5+sqrt(13))/6", "1.5" or "phi,-1", or a pair of them.  SyntaxProblem
    shows what is wrong in a text, FibproverError says that it is something else.
    """
    parts: Sequence[object] = [what]
    if isinstance(what, str):
        parts = what.split(",")
    elif isinstance(what, Line):
        return what
    elif isinstance(what, Sequence):
        parts = what
    if not 1 <= len(parts) <= 2:
        raise FibproverError(f"a line has a slope and an intercept, not {len(parts)} numbers", hint="as in phi,1")
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


def _number(what: object) -> tuple[float, str]:
    """A number and how it is written."""
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
    """A text before a factor."""
    return f"({text})" if _is_sum(text) else text


def _is_sum(text: str) -> bool:
    """Whether there is a plus or a minus outside of parentheses, but for a sign."""
    depth = 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if character in "+-" and place and not depth:
            return True
    return False
