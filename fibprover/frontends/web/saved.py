"""The cells of a page, kept in the folder of its session, where several pages may change them."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

from fibprover.base.errors import FibproverError
from fibprover.base.files import read_text, write_text
from fibprover.base.locks import locked

#: A cell: its "kind" and its "text".
Cell: TypeAlias = dict[str, str]

#: The file in the folder of the session.
FILE = "cells.json"

#: The file that is its lock: a program holds it while it changes the cells.
LOCK = ".cells.lock"

#: The most bytes of the file, and the most cells.
MOST, MOST_CELLS = 4 << 20, 2_000

_KINDS = ("commands", "python")


def saved_cells(folder: str | Path) -> list[Cell]:
    """Return the cells that were kept, none if there is no such file.  Raises FileProblem, FibproverError."""
    file = Path(folder) / FILE
    if not file.exists():
        return []
    try:
        return checked_cells(json.loads(read_text(file, MOST)))
    except (ValueError, RecursionError) as problem:
        raise FibproverError(f"{file} does not hold cells", hint="move it away") from problem


def save_cells(folder: str | Path, content: object) -> list[Cell]:
    """Keep the cells of a page, and return those that are kept; the file is written as a whole.

    content: {"cells": ..., "before": ...}, where "before" are the cells that the page read or kept before.  What
    another page has kept since then, also by another server, is merged with what this page changed (`merged`); where
    none are kept, those of this page are.  A link in the place of the file is replaced; a file with anything else than
    cells is left as it is.  Raises as `saved_cells`, and ValueError for what are no cells.
    """
    cells, file = checked_cells(content), Path(folder) / FILE
    before = content.get("before") if isinstance(content, dict) else None
    old = None if before is None else checked_cells({"cells": before})
    with locked(Path(folder) / LOCK):
        if old is not None:
            theirs = saved_cells(folder)
            cells = merged(old, cells, theirs) if theirs else cells
            if cells == theirs and file.exists():
                return cells
            if len(cells) > MOST_CELLS:
                raise FibproverError(f"two pages together have more than {MOST_CELLS} cells", hint="close one of them")
        text = json.dumps({"cells": cells}, indent=1, ensure_ascii=False) + "\n"
        if len(text.encode()) > MOST:  # it could not be read again
            raise FibproverError(f"cells have at most {MOST:,} bytes", hint="remove some, or close another page")
        write_text(file, text, follow=False)
    return cells


def merged(before: Sequence[Cell], mine: Sequence[Cell], theirs: Sequence[Cell]) -> list[Cell]:
    """Return two versions of a list of cells as one; before: the list that both were made from.

    Where one of them has changed nothing, the change of the other is taken; where both have, the cells of both are
    kept, mine first.  A cell that one of them removed and the other changed stays, and so does what both have.
    """
    if mine == theirs or before == theirs:
        return list(mine)
    found: list[Cell] = []
    for own, other, old in _regions(before, mine, theirs):
        if other in (old, own):
            found += own
        elif own == old:
            found += other
        else:
            found += [cell for cell in own if cell in other or cell not in old]  # others are removed or changed there
            found += [cell for cell in other if cell not in own and cell not in old]
    at = 0
    for cell in mine:  # of equal cells each may have removed another one
        if cell in found:
            at = found.index(cell) + 1
        elif cell in theirs:
            found.insert(at, cell)
            at += 1
    return found


def _regions(
    before: Sequence[Cell], mine: Sequence[Cell], theirs: Sequence[Cell]
) -> Iterator[tuple[list[Cell], list[Cell], list[Cell]]]:
    """Yield the lists in pieces, of mine, of theirs and of before, which are equal or between equal ones."""
    places = (_same(before, mine), _same(before, theirs))
    stable = [number for number in range(len(before)) if all(number in place for place in places)]
    marks = [(-1, -1, -1), *((places[0][n], places[1][n], n) for n in stable), (len(mine), len(theirs), len(before))]
    for begin, end in pairwise(marks):
        yield tuple(  # type: ignore[misc]  # of three lists
            list(whole[first + 1 : last]) for whole, first, last in zip((mine, theirs, before), begin, end, strict=True)
        )
        if end[2] < len(before):
            cell = [before[end[2]]]
            yield cell, cell, cell


def _same(before: Sequence[Cell], after: Sequence[Cell]) -> dict[int, int]:
    """Return the places of the cells in a later version that are in both, by their places in the earlier one: those of
    a longest common subsequence.

    Cost: the product of the numbers of cells between what both begin and end with.
    """
    begin = _common(before, after)
    end = min(_common(before[::-1], after[::-1]), min(len(before), len(after)) - begin)
    found = {place: place for place in range(begin)}
    found |= {len(before) - each: len(after) - each for each in range(1, end + 1)}
    one, other = (
        [(cell["kind"], cell["text"]) for cell in cells[begin : len(cells) - end]] for cells in (before, after)
    )
    lengths = [array("H", bytes(2 * len(other) + 2))]  # of the subsequences of the ends of both, the last row first
    for cell in reversed(one):
        below, row = lengths[-1], array("H", bytes(2 * len(other) + 2))
        for j in range(len(other) - 1, -1, -1):
            row[j] = below[j + 1] + 1 if cell == other[j] else max(below[j], row[j + 1])
        lengths.append(row)
    lengths.reverse()
    i = j = 0
    while i < len(one) and j < len(other):
        if one[i] == other[j]:
            found[begin + i] = begin + j
            i, j = i + 1, j + 1
        elif lengths[i + 1][j] >= lengths[i][j + 1]:
            i += 1
        else:
            j += 1
    return found


def _common(one: Sequence[Cell], other: Sequence[Cell]) -> int:
    """Return with how many equal cells both begin."""
    number = 0
    while number < min(len(one), len(other)) and one[number] == other[number]:
        number += 1
    return number


def checked_cells(content: object) -> list[Cell]:
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
