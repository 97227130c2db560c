"""Linear representations in the peer's files, and whether two of them count the same: exact."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from fibprover.sequences.series import Series

Row = list[Fraction]


@dataclass(frozen=True)
class Matrices:
    """A row, a matrix a letter, a column."""

    v: Row
    steps: dict[tuple[int, ...], list[Row]]
    w: Row


def read_maple(path: Path, variables: Sequence[str]) -> Matrices:
    """The matrices in a Maple file, with the row as it is after the multiplications that end the file."""
    text = re.sub(r"#[^\n]*", "", path.read_text(encoding="utf-8"))
    prefix = "_".join(["M", *variables])
    steps = {}
    for name, body in re.findall(r"(M_\w+) := Matrix\(\[(.*?)\]\);", text, re.DOTALL):
        assert name.startswith(prefix + "_"), name
        digits = tuple(int(digit) for digit in name.removeprefix(prefix + "_").split("_"))
        steps[digits] = [_numbers(row) for row in re.findall(r"\[([^\[\]]*)\]", body)]
    v = _numbers(re.findall(r"Vector\[row\]\(\[(.*?)\]\)", text)[0])
    w = _numbers(re.findall(r"Vector\[column\]\(\[(.*?)\]\)", text)[0])
    assert "for i from 1 to Size(v)[2] do v := v." in text
    for _ in range(len(v)):
        v = times(v, steps[(0,) * len(variables)])
    return Matrices(v, steps, w)


def counts_differ(found: Series, expected: Matrices) -> list[tuple[int, ...]] | None:
    """A word to which the two give different numbers, None if there is none.

    The differences are the numbers of one representation, side by side; if the rows that words lead to,
    which span a space, are all orthogonal to its column, there is none.
    """
    assert set(found.letters) == set(expected.steps), (set(found.letters), set(expected.steps))
    size = found.dimension
    # Numbers of numpy, which overflow, become Python's.
    mine = {digits: [list(map(Fraction, row)) for row in matrix.tolist()] for digits, matrix in found.matrices.items()}
    column = [Fraction(number) for number in found.w.tolist()] + [-number for number in expected.w]
    start = [Fraction(number) for number in found.v.tolist()] + expected.v
    basis: list[tuple[int, Row]] = []
    queue: list[tuple[Row, list[tuple[int, ...]]]] = [(start, [])]
    for row, word in queue:
        reduced = row
        for pivot, other in basis:
            if reduced[pivot]:
                factor = reduced[pivot] / other[pivot]
                reduced = [a - factor * b for a, b in zip(reduced, other, strict=True)]
        first = next((place for place, number in enumerate(reduced) if number), None)
        if first is None:
            continue
        if sum(a * b for a, b in zip(row, column, strict=True)):
            return word
        basis.append((first, reduced))
        for digits, matrix in mine.items():
            queue.append((times(row[:size], matrix) + times(row[size:], expected.steps[digits]), [*word, digits]))
    return None


def times(row: Sequence[Fraction], matrix: Sequence[Row]) -> Row:
    """A row times a matrix."""
    columns = range(len(matrix[0]) if matrix else 0)
    return [sum((number * matrix[at][column] for at, number in enumerate(row)), Fraction(0)) for column in columns]


def _numbers(text: str) -> Row:
    return [Fraction(number) for number in text.split(",")]
