"""Linear representations as arrays, and as texts and files for other programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fibprover.automata.formats.exports import DIALECTS, matrices_text
from fibprover.base.errors import FibproverError, FileProblem, LimitError
from fibprover.base.files import write_text
from fibprover.base.values import numbers_of_any_length
from fibprover.sequences.rational import Matrix, Number, Representation, Vector, rows_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: The most bytes that the matrices may take as arrays, all together.
_MOST_BYTES = 1 << 30

#: The forms of the texts.
FORMS = (*DIALECTS, "json")


def array_of(numbers: Sequence[Number]) -> NDArray[Any]:
    """Return numbers as an array: int64, or Python's numbers where they are fractions or exceed that."""
    import numpy  # imported late, since the import takes longer than most evaluations

    fits = all(isinstance(entry, int) and -(1 << 63) <= entry < 1 << 63 for entry in numbers)
    return numpy.array(numbers, dtype=numpy.int64 if fits else object)


def dense(parts: Sequence[Matrix]) -> list[tuple[Vector, ...]]:
    """Return matrices with their zeros.  Raises LimitError where they would take more than a gigabyte as arrays."""
    size = len(parts[0])
    if 8 * size**2 * len(parts) > _MOST_BYTES:
        raise LimitError(f"{len(parts)} matrices of {size} rows are too large", hint="take fewer variables")
    return [tuple(map(tuple, rows_of(part))) for part in parts]


def representation_text(
    form: str, variables: Sequence[str], systems: Sequence[str], letters: Sequence[tuple[int, ...]],
    representation: Representation,
) -> str:
    """Return v, w and the matrices for another program; form: one of FORMS, FibproverError for others."""
    if form not in FORMS:
        raise FibproverError(f"unknown form of matrices: {form!r}", hint=f"known forms: {', '.join(FORMS)}")
    v, w, parts = representation
    if not v:  # the sequence 0: its least representation has dimension 0, and most programs have no such matrices
        v, w, parts = (0,), (0,), tuple(((),) for _ in parts)
    matrices = dict(zip(letters, dense(parts), strict=True))
    with numbers_of_any_length():
        if form != "json":
            return matrices_text(form, variables, v, matrices, w)
        found = {
            "variables": list(variables), "systems": list(systems), "v": _plain(v), "w": _plain(w), "matrices": [
                {"digits": list(letter), "rows": list(map(_plain, rows))} for letter, rows in matrices.items()
            ],
        }
        return json.dumps(found) + "\n"


def _plain(row: Vector) -> list[int | str]:
    """Return numbers as values of JSON: integers, and fractions such as "1/2"."""
    return [entry if isinstance(entry, int) else str(entry) for entry in row]


def write_representation(path: str | Path, text: Callable[[str], str]) -> Path:
    """Write a text to a file in the form that its suffix names; raises FileProblem for an unknown suffix."""
    file = Path(path)
    form = file.suffix.removeprefix(".").lower()
    if form not in FORMS:
        raise FileProblem(f"{file}: matrices are written to {', '.join(f'*.{known}' for known in FORMS)}")
    write_text(file, text(form))
    return file
