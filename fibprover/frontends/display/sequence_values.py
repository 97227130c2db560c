"""Display sequences in IPython and Jupyter, for `values`, which hands them over."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from itertools import islice

from fibprover.frontends.display.html import beside, bold, card, folded, preformatted, quiet, table
from fibprover.frontends.display.text import certified_text
from fibprover.prover.verdict.relation import shown_tuple
from fibprover.sequences.rational import Number
from fibprover.sequences.series import Series
from fibprover.sequences.solution import SequenceSolution, SequenceTheorem

#: How many values are shown: of one variable in a row of the table each, of two variables in a square.
FIRST, SIDE = 12, 8

#: The matrices of a representation of this dimension at most are shown.
MOST_SHOWN = 8


def html(sequence: Series | SequenceSolution | SequenceTheorem) -> str:
    """Return the variables and the dimension, the first values as a table, and the matrices if they are small.

    Of what `solve` returns, the theorem, then its sequences.
    """
    if isinstance(sequence, SequenceTheorem):
        head, *lines = str(sequence).split("\n")
        return card(bold(head), preformatted("\n".join(line.strip() for line in lines)))
    if isinstance(sequence, SequenceSolution):
        return card(html(sequence.theorem), *(html(each) for each in sequence.sequences.values()))
    systems = ", ".join(dict.fromkeys(system.name for system in sequence.systems))
    indices = ", ".join(sequence.variables)
    head = bold(f"a({indices})") + escape(f": sequence over {systems}, linear representation of dimension ")
    return card(
        head + str(sequence.dimension), escape(certified_text(sequence).strip()),
        beside(_values(sequence), _matrices(sequence)),
    )


def text(sequence: Series | SequenceSolution | SequenceTheorem) -> str:
    """Return the sequence as `print` shows it."""
    return str(sequence)


def _values(sequence: Series) -> str:
    if len(sequence.systems) > 2:
        return ""
    if len(sequence.systems) == 2:
        return _square(sequence)
    start = -(FIRST // 2) if sequence.system.signed else 0
    numbers = range(start, start + FIRST)
    rows = [(str(number), _shown(sequence[number])) for number in numbers]
    (variable,) = sequence.variables
    return table((variable, f"a({variable})"), rows) + quiet("and more")


def _square(sequence: Series) -> str:
    """Return the values for the first numbers of both variables: a row for each number of the first one."""
    first = [range(-(SIDE // 2) if system.signed else 0, SIDE) for system in sequence.systems]
    across = list(islice(first[1], SIDE))
    rows = [
        (str(number), *(_shown(sequence[number, other]) for other in across)) for number in islice(first[0], SIDE)
    ]
    return table((f"{sequence.variables[0]} \\ {sequence.variables[1]}", *map(str, across)), rows)


def _shown(number: Number) -> str:
    return escape(str(number))


def _matrices(sequence: Series) -> str:
    """Return v, w and the matrix of each letter, folded; "" if they are large or there are none."""
    size = sequence.dimension
    if not size or size > MOST_SHOWN:
        return ""
    lines = [f"v = {_row(sequence.v)}", f"w = {_row(sequence.w)} (a column)"]
    for letter, matrix in islice(sequence.matrices.items(), 16):
        lines += [f"M[{shown_tuple(letter)}] ="] + [f"  {_row(row)}" for row in matrix]
    return folded("linear representation", preformatted("\n".join(lines)))


def _row(numbers: Iterable[object]) -> str:
    return " ".join(map(str, numbers))
