"""A small chart of sizes, as an inline drawing that answers to the mouse."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import log2

#: Most bars; more sizes are shown by the largest of each group.
BARS = 120

_HEIGHT, _STEP = 22, 3


def chart(sizes: Sequence[tuple[int, str]]) -> str:
    """A bar for each size, as high as its logarithm, with what it is the size of; "" for fewer than two."""
    if len(sizes) < 2:
        return ""
    group = -(-len(sizes) // BARS)
    bars = [max(sizes[first : first + group]) for first in range(0, len(sizes), group)]
    most = max(log2(1 + size) for size, _ in bars) or 1.0
    width = _STEP * len(bars)
    drawn = "".join(_bar(number, size, most, text) for number, (size, text) in enumerate(bars))
    return (
        f'<svg width="{width}" height="{_HEIGHT}" viewBox="0 0 {width} {_HEIGHT}" role="img" '
        f'aria-label="sizes of the steps" style="vertical-align:middle;margin-left:8px">{drawn}</svg>'
    )


def _bar(number: int, size: int, most: float, text: str) -> str:
    height = max(1.0, _HEIGHT * log2(1 + size) / most)
    return (
        f'<rect x="{_STEP * number}" y="{_HEIGHT - height:.1f}" width="{_STEP - 1}" height="{height:.1f}" '
        f'fill="#5b8def"><title>{escape(text)}</title></rect>'
    )
