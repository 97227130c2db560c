"""The convolution of two sequences over one system: the sums of a(i) b(n-i) for i = 0, ..., n.

The automaton of i + j = n reads the digits of all three; a run through it multiplies the matrices of i and j.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fibprover.base.errors import AutomatonError, LimitError
from fibprover.sequences.rational import Matrix, Number, Vector, matrix_of, minimal, times

if TYPE_CHECKING:
    from fibprover.sequences.series import Series

#: A larger representation, before it is minimized, is refused.
MOST_ROWS = 600


def convolution(one: Series, two: Series) -> tuple[Vector, Vector, tuple[Matrix, ...]]:
    """Return the representation of the convolution; O(rows^3) for each digit.

    Raises LimitError for more than MOST_ROWS rows: the states of the addition times both dimensions.  AutomatonError
    for a system with negative numbers, where the sums would be infinite.
    """
    system = one.system
    if system.signed:
        raise AutomatonError(f"infinitely many pairs of numbers of {system.name} have one sum")
    adds = system.linear((1, 1, -1), "=", 0)
    size = one.dimension * two.dimension
    if adds.states * size > MOST_ROWS:
        raise LimitError(
            f"the convolution of sequences of dimensions {one.dimension} and {two.dimension} over {system.name} takes "
            f"{adds.states * size} rows, more than {MOST_ROWS}",
            hint="the dimension of a convolution is up to the product of both, times the states of the addition",
        )
    parts: list[dict[tuple[int, int], Number]] = [{} for _ in system.digits]
    for state in range(adds.states):
        for code, target in adds.row(state):
            first, second, digit = adds.letter(code)
            _add(parts[digit], state * size, target * size, one.parts[first], two.parts[second])
    matrices = tuple(
        matrix_of(adds.states * size, [(*place, entry) for place, entry in part.items() if entry]) for part in parts
    )
    entering: Vector = (
        *(x * y for x in one.entering for y in two.entering), *(0 for _ in range((adds.states - 1) * size))
    )
    leaving = tuple(x * y if output else 0 for output in adds.outputs for x in one.leaving for y in two.leaving)
    # Numbers i and j may have fewer digits than n, never more: zeros in front of n add nothing new.
    following = times(entering, matrices[0])
    return minimal(entering if following == entering else following, leaving, matrices)


def _add(part: dict[tuple[int, int], Number], row: int, column: int, one: Matrix, two: Matrix) -> None:
    """Add the tensor product of two matrices at a place."""
    width = len(two)
    for i, left in enumerate(one):
        for k, right in enumerate(two):
            at = row + i * width + k
            for j, x in left:
                for m, y in right:
                    place = at, column + j * width + m
                    part[place] = part.get(place, 0) + x * y
