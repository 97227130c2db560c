"""The residues of a sequence modulo m: they are finitely many, and the sequence of them is automatic.

If the values are integers, or have one common denominator, the columns M[word] w span a lattice, a finitely generated
module over the integers.  On a basis of it the matrices and the column w are integers.  So the rows v M[word] modulo m
are finitely many: they are the states of an automaton.  Berstel and Reutenauer, Noncommutative Rational Series with
Applications, chapter 7: rational series over the rationals with integer values are rational over the integers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import build, explored
from fibprover.base.errors import LimitError
from fibprover.base.limits import poll
from fibprover.sequences.counting import MOST_MINIMIZED, values_of_states
from fibprover.sequences.rational import (
    Number,
    Representation,
    Vector,
    minimal,
    plain,
    product,
    sparse,
    times,
    transposed,
)

if TYPE_CHECKING:
    from fibprover.sequences.series import Series

#: A lattice that grows so often within its space is given up: each time its index doubles at least.
_MOST_GROWTH = 300


def residues(sequence: Series, modulus: int, most: int) -> Series:
    """Return the sequence of the residues of the values modulo a positive integer.

    LimitError if the rows take more than `most` states, or if the denominators of the values seem to be unbounded.
    """
    entering, leaving, parts = _integral(sequence)
    scale = lcm(*(entry.denominator for entry in entering))
    whole = scale * modulus

    def reduced(row: Vector) -> Vector:
        return tuple(int(entry) % whole for entry in row)

    def steps(row: Vector) -> Iterator[tuple[int, Vector]]:
        return ((code, reduced(times(row, part))) for code, part in enumerate(parts))

    start = reduced(tuple(entry * scale for entry in entering))
    too_many = LimitError(f"the residues modulo {modulus} take more than {most} states")
    found = list(explored(start, steps, during="residues", most=most, refused=too_many))
    values = [int(product(row, leaving)) % whole for row, _ in found]
    return _read(sequence, [row for _, row in found], [Fraction(each, scale) for each in values])


def _read(sequence: Series, rows: Sequence[dict[int, int]], values: Sequence[Fraction]) -> Series:
    """Return the sequence whose value is that of the state which a number leads to."""
    tracks = [system.track(name) for name, system in zip(sequence.variables, sequence.systems, strict=True)]
    kinds = sorted(set(values))
    machine = kernel_calls.minimize_outputs(build(tracks, rows, [kinds.index(each) for each in values]))
    found = values_of_states(machine, (plain(kinds[output]) for output in machine.outputs))
    entering, leaving, parts = minimal(*found) if machine.states <= MOST_MINIMIZED else found
    return replace(sequence, entering=entering, leaving=leaving, parts=parts)


def _integral(sequence: Series) -> Representation:
    """Return a representation whose column and matrices are integers; LimitError if none is found."""
    entries = (x for part in sequence.parts for row in part for _, x in row)
    if all(x.denominator == 1 for x in (*sequence.leaving, *entries)):
        return sequence.entering, sequence.leaving, sequence.parts
    entering, leaving, parts = minimal(sequence.entering, sequence.leaving, sequence.parts)
    turned = [transposed(part) for part in parts]
    lattice = _Lattice()
    lattice.add(leaving)
    columns = [leaving]
    for column in columns:
        for matrix in turned:
            poll("a lattice")
            # The images of what is left, and those of the lattice, are those of the image.
            rest = lattice.add(times(column, matrix))
            if rest is not None:
                columns.append(rest)
        if len(columns) > len(leaving) + _MOST_GROWTH:
            raise LimitError("the values of the sequence have no common denominator that was found")
    basis = lattice.basis
    images = [[lattice.coordinates(times(column, matrix)) for column in basis] for matrix in turned]
    return (
        tuple(product(entering, column) for column in basis), lattice.coordinates(leaving),
        tuple(transposed(sparse(each)) for each in images),
    )


class _Lattice:
    """The sums of integer multiples of some rational vectors, by a basis in echelon form."""

    def __init__(self) -> None:
        self._rows: dict[int, Vector] = {}

    @property
    def basis(self) -> list[Vector]:
        """Independent vectors, with zeros before the places that increase."""
        return [self._rows[place] for place in sorted(self._rows)]

    def add(self, vector: Vector) -> Vector | None:
        """Add a vector; return what is left of it modulo the lattice, None if it was in the lattice already."""
        for place in sorted(self._rows):
            vector = _less(vector, vector[place] // self._rows[place][place], self._rows[place])
        if not any(vector):
            return None
        rest = vector
        for place in range(len(vector)):
            if not vector[place]:
                continue
            known = self._rows.get(place)
            if known is None:
                self._rows[place] = vector
                break
            # Euclid's algorithm on the entries at this place.
            while vector[place]:
                known, vector = vector, _less(known, known[place] // vector[place], vector)
            self._rows[place] = known
        return rest

    def coordinates(self, vector: Vector) -> Vector:
        """Return the integer factors with which the basis adds up to a vector of the lattice."""
        found: list[Number] = []
        for place in sorted(self._rows):
            row = self._rows[place]
            factor = plain(Fraction(vector[place]) / row[place])
            found.append(factor)
            vector = _less(vector, factor, row)
        return tuple(found)


def _less(one: Vector, factor: Number, other: Vector) -> Vector:
    """Return a vector less a multiple of another one."""
    return tuple(plain(x - factor * y) if y else x for x, y in zip(one, other, strict=True))
