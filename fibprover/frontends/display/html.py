"""Pieces of HTML for notebooks.  Arguments called text are escaped here; arguments called content are HTML."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape
from math import log2

GREEN, RED, GREY = "#1a7f37", "#cf222e", "#808080"

_MONO = "font-family:Menlo,Consolas,'DejaVu Sans Mono',monospace"
_CELL = "padding:1px 8px;border:none;text-align:{};background:none"


def card(*contents: str) -> str:
    """Return blocks below each other."""
    shown = "".join(f'<div style="margin:2px 0">{content}</div>' for content in contents if content)
    return f'<div class="fibprover" style="line-height:1.4">{shown}</div>'


def beside(*contents: str) -> str:
    """Return blocks beside each other, or below each other on narrow screens."""
    shown = "".join(f'<div style="flex:0 1 auto;min-width:0">{content}</div>' for content in contents if content)
    return f'<div style="display:flex;flex-wrap:wrap;gap:8px 24px;align-items:flex-start">{shown}</div>'


def styled(text: str, style: str) -> str:
    """Return text in a style."""
    return f'<span style="{style}">{escape(text)}</span>'


def bold(text: str, colour: str = "inherit") -> str:
    """Return text in bold."""
    return styled(text, f"font-weight:bold;color:{colour}")


def quiet(text: str) -> str:
    """Return text of minor importance, in grey."""
    return styled(text, f"color:{GREY}")


def code(text: str) -> str:
    """Return a formula or a name in typewriter type."""
    return f'<code style="white-space:pre-wrap">{escape(text)}</code>'


def preformatted(text: str) -> str:
    """Return lines as preformatted text."""
    return f'<pre style="margin:2px 0;line-height:1.3;background:none;{_MONO}">{escape(text)}</pre>'


def paragraph(content: str) -> str:
    """Return a paragraph of a readable width."""
    return f'<p style="margin:4px 0;max-width:60em">{content}</p>'


def numbered(contents: Iterable[str]) -> str:
    """Return a numbered list."""
    items = "".join(f"<li>{content}</li>" for content in contents)
    return f'<ol style="margin:4px 0;max-width:60em">{items}</ol>'


def folded(summary: str, content: str, *, unfolded: bool = False) -> str:
    """Return content that opens below its summary, which is HTML too."""
    state = " open" if unfolded else ""
    return f'<details{state}><summary style="cursor:pointer">{summary}</summary>{content}</details>'


def table(head: Sequence[str], rows: Iterable[Sequence[str]], *, left: frozenset[int] = frozenset()) -> str:
    """Return a table; head: texts; rows: content; left: the columns aligned to the left, those without numbers."""
    sides = ["left" if column in left else "right" for column in range(len(head))]
    line = ";border-bottom:1px solid currentColor;font-weight:bold"
    names = "".join(f'<th style="{_CELL.format(side)}{line}">{escape(name)}</th>' for name, side in _with(head, sides))
    body = "".join(
        "<tr>" + "".join(f'<td style="{_CELL.format(side)}">{cell}</td>' for cell, side in _with(row, sides)) + "</tr>"
        for row in rows
    )
    return f'<table style="border-collapse:collapse;margin:2px 0"><tr>{names}</tr>{body}</table>'


def _with(cells: Sequence[str], sides: Sequence[str]) -> Iterable[tuple[str, str]]:
    return zip(cells, sides, strict=True)


def picture(svg: str, description: str) -> str:
    """Return an SVG document as an image, which keeps its styles and names to itself."""
    data = b64encode(svg.encode()).decode("ascii")
    style = "max-width:100%;height:auto;background:#fff;border-radius:4px"
    return f'<img alt="{escape(description)}" style="{style}" src="data:image/svg+xml;base64,{data}">'


#: The most bars of a chart; of more sizes, each bar shows the largest of a group.
BARS = 120

_HEIGHT, _STEP = 22, 3


def chart(sizes: Sequence[tuple[int, str]]) -> str:
    """Return a bar for each size, as high as its logarithm, with a text for the mouse; "" for fewer than two sizes."""
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
