"""Markdown: tables, cells, and the line that says where and when they were made."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from fibprover import __version__


@dataclass(frozen=True, slots=True)
class Section:
    """A titled part of the page: text and tables in order."""

    title: str
    parts: tuple[str, ...]

    def __str__(self) -> str:
        return "\n\n".join((f"## {self.title}", *self.parts))


def table(header: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Return a Markdown table; the first `left` columns are texts, the others numbers."""
    lines = [list(header), ["---"] * left + ["---:"] * (len(header) - left), *map(list, rows)]
    if any(len(line) != len(header) for line in lines):
        raise ValueError(f"every row needs {len(header)} cells")
    escaped = [[cell.replace("\n", " ").replace("|", "\\|") for cell in line] for line in lines]
    return "\n".join("| " + " | ".join(line) + " |" for line in escaped)


def seconds(value: float) -> str:
    """Return seconds with about three significant digits."""
    return f"{value:.3f}" if value < 1 else f"{value:.2f}" if value < 10 else f"{value:.1f}"


def megabytes(value: int) -> str:
    """Return bytes as MB of 10^6 bytes; `-` if they are not known."""
    return f"{value / 1e6:.0f}" if value else "-"


def page(sections: Sequence[Section], runs: int) -> str:
    """Return the whole page."""
    head = (
        "# Measurements\n\n"
        f"fibprover {__version__}, Python {platform.python_version()}, {machine()}, {date.today().isoformat()}. "
        f"Medians of {runs} {'run' if runs == 1 else 'runs'}, fewer where they take long. "
        "What is measured, and how: [README.md](README.md)."
    )
    return "\n\n".join((head, *map(str, sections))) + "\n"


def machine() -> str:
    """Return the operating system and the processor."""
    name = platform.processor()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        name = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    parts = [f"{platform.system()} {platform.machine()}", *([name] if name else []), f"{os.cpu_count()} cores"]
    return ", ".join(parts)
