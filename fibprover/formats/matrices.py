"""Vectors and matrices of a linear representation, as assignments for Maple, MATLAB or Octave, Mathematica and Sage.

Each file assigns the row vector v, the column vector w, and one matrix a letter: M_i_j_0_1 for
the digits 0 of i and 1 of j.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

#: Rows of a matrix, or of a vector as a matrix of one row or column.
Rows = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a program writes a remark, a list, and the assignments; {0}: rows, {1} and {2}: their number and length."""

    remark: str
    row: str
    between: str
    whole: str
    assigned: str
    row_vector: str
    column_vector: str
    matrix: str


#: By the ending of the file's name.
DIALECTS: Mapping[str, Dialect] = {
    "mpl": Dialect(
        "# {}", "[{}]", ",\n", "[{}]", "{} := {};",
        "Vector[row]({0})", "Vector[column]({0})", "Matrix({0})",
    ),
    "m": Dialect("% {}", "{}", "; ", "[{}]", "{} = {};", "{0}", "{0}", "{0}"),
    "wl": Dialect("(* {} *)", "{{{}}}", ",\n", "{{{}}}", "{} = {};", "{0}", "{0}", "{0}"),
    "sage": Dialect(
        "# {}", "[{}]", ",\n", "[{}]", "{} = {}",
        "matrix(ZZ, {1}, {2}, {0})", "matrix(ZZ, {1}, {2}, {0})", "matrix(ZZ, {1}, {2}, {0})",
    ),
}


def matrices_text(
    form: str,
    variables: Sequence[str],
    v: Sequence[int],
    matrices: Mapping[tuple[int, ...], Rows],
    w: Sequence[int],
) -> str:
    """The assignments, in the dialect of files that end in .mpl, .m, .wl or .sage."""
    dialect = DIALECTS[form]
    listed = ", ".join(variables)
    one_line = form == "mpl"
    lines = [
        dialect.remark.format(f"v times the matrices of the digits of {listed}, in the order of reading, times w:"),
        dialect.remark.format("the number of values of the other variables that complete them"),
        _assigned(dialect, "v", dialect.row_vector, [v], one_line),
    ]
    for digits, rows in matrices.items():
        name = "_".join(["M", *variables, *map(_digit, digits)])
        lines.append(_assigned(dialect, name, dialect.matrix, rows))
    lines.append(_assigned(dialect, "w", dialect.column_vector, [[number] for number in w], one_line))
    return "\n".join(lines) + "\n"


def _assigned(dialect: Dialect, name: str, kind: str, rows: Rows, one_line: bool = False) -> str:
    if one_line:
        # Maple's vectors are lists of numbers, and not matrices of one row or column.
        listed = "[" + ",".join(str(number) for row in rows for number in row) + "]"
    else:
        separator = " " if dialect.row == "{}" else ","
        listed = dialect.whole.format(
            dialect.between.join(dialect.row.format(separator.join(map(str, row))) for row in rows)
        )
    return dialect.assigned.format(name, kind.format(listed, len(rows), len(rows[0])))


def _digit(digit: int) -> str:
    """A digit in a name, where a minus sign would not do."""
    return str(digit) if digit >= 0 else f"m{-digit}"
