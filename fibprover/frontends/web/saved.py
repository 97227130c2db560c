"""The cells of a page, kept in the folder of its session."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fibprover.base.errors import FibproverError
from fibprover.base.files import read_text, write_text

#: The file in the folder of the session.
FILE = "cells.json"

#: The most bytes of the file, and the most cells.
MOST, MOST_CELLS = 4 << 20, 2_000

_KINDS = ("commands", "python")


def saved_cells(folder: str | Path) -> list[dict[str, str]]:
    """Return the cells that were kept, none if there is no such file.  Raises FileProblem, FibproverError."""
    file = Path(folder) / FILE
    if not file.exists():
        return []
    try:
        return checked_cells(json.loads(read_text(file, MOST)))
    except (ValueError, RecursionError) as problem:
        raise FibproverError(f"{file} does not hold cells", hint="move it away") from problem


def save_cells(folder: str | Path, cells: object) -> None:
    """Keep cells; the file is written as a whole, and a link in its place is replaced.  Raises as `saved_cells`."""
    text = json.dumps({"cells": checked_cells(cells)}, indent=1, ensure_ascii=False) + "\n"
    write_text(Path(folder) / FILE, text, follow=False)


def checked_cells(content: object) -> list[dict[str, str]]:
    """Return the cells of {"cells": [{"kind", "text"}]}, and nothing else of them; raises ValueError for others."""
    cells: Any = content.get("cells") if isinstance(content, dict) else None
    if not isinstance(cells, list) or len(cells) > MOST_CELLS:
        raise ValueError("no cells")
    found = []
    for cell in cells:
        known = isinstance(cell, dict) and cell.get("kind") in _KINDS and isinstance(cell.get("text"), str)
        if not known:
            raise ValueError("no cell")
        found.append({"kind": cell["kind"], "text": cell["text"]})
    return found
