"""matplotlib, where it is installed: figures without windows and without state that others share."""

from __future__ import annotations

from io import BytesIO
from typing import Any, Literal

from fibprover.formats.optional import library

#: Dots in an inch of a PNG.
DOTS = 150


def figure(width: float, height: float) -> Any:
    """An empty figure of so many inches that belongs to no window; NotInstalled without matplotlib."""
    made = part("figure").Figure(figsize=(width, height), facecolor="white")
    part("backends.backend_agg").FigureCanvasAgg(made)
    return made


def part(name: str) -> Any:
    """A module of matplotlib; NotInstalled, with the line that installs it, where there is none."""
    return library(f"matplotlib.{name}", "matplotlib", "drawing")


def rendered(drawn: Any, form: Literal["png", "svg", "pdf"]) -> bytes:
    """A figure as a file; two of the same are the same, since no date is in them."""
    stream = BytesIO()
    about = {"png": {"Software": None}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}[form]
    with library("matplotlib", "matplotlib", "drawing").rc_context(
        {"svg.hashsalt": "fibprover", "svg.fonttype": "none", "pdf.fonttype": 42}
    ):
        drawn.savefig(stream, format=form, dpi=DOTS, metadata=about)
    return stream.getvalue()
