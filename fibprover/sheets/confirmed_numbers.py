"""How far terms confirm a linear representation that was guessed from them, by terms that it was not made from.

The row of a word and a digit is a combination of the rows of a basis.  As many columns as the columns of all numbers
that begin so have dimensions make the coefficients; each further one that differs from all of these, and is known,
confirms them.  Columns that are equal, as where terms hardly change, confirm nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product as tuples_of

from fibprover.base.limits import poll
from fibprover.numeration.system import NumerationSystem
from fibprover.sequences.guess import MOST_COLUMNS
from fibprover.sequences.rational import Number
from fibprover.sequences.series import Series

#: Columns are told apart modulo this prime.
_PRIME = (1 << 61) - 1

_Word = tuple[int, ...]
_Residues = tuple[int, ...]
_Rows = list[list[tuple[int, int]]]


def confirmed_columns(sequence: Series, count: int) -> int:
    """Return how many columns more than make it confirm each row of a representation, at least.

    sequence: with one index; count: so many first terms are known.  Negative if some row has too few columns.
    O(dimension^2) for each of at most MOST_COLUMNS columns, and O(columns) for each row.
    """
    system = sequence.system
    known = {system.represent(number) for number in range(count)}
    parts = [[[(at, _residue(entry)) for at, entry in row] for row in part] for part in sequence.parts]
    columns = dict(_columns(parts, tuple(map(_residue, sequence.leaving)), system.digits))
    ranks: dict[int, int] = {}
    least = count
    for word in _basis(parts, tuple(map(_residue, sequence.entering))):
        for digit in system.digits:
            poll("the columns of a linear representation")
            row = (*word, digit)
            state = _state(system, 0, row)
            if state is None:
                continue
            if state not in ranks:
                ranks[state] = _rank(column for end, column in columns.items() if _is_number(system, state, end))
            seen = {column for end, column in columns.items() if any(column) and _stripped(row + end) in known}
            least = min(least, len(seen) - ranks[state])
    return least


def _state(system: NumerationSystem, state: int | None, word: _Word) -> int | None:
    """Return the state of the representations after a word; None if none goes on with it."""
    for digit in word:
        state = None if state is None else system.valid.successor(state, digit)
    return state


def _is_number(system: NumerationSystem, state: int, word: _Word) -> bool:
    """Return whether a word ends a representation after a state."""
    after = _state(system, state, word)
    return after is not None and bool(system.valid.outputs[after])


def _rank(vectors: Iterable[_Residues]) -> int:
    """Return the dimension of the space of vectors: as many columns make the coefficients of a row."""
    reduced: list[tuple[int, _Residues]] = []
    for vector in vectors:
        _reduce(reduced, vector)
    return len(reduced)


def _reduce(reduced: list[tuple[int, _Residues]], vector: _Residues) -> bool:
    """Add a vector to a basis of pivots and vectors, and return whether it is independent of them."""
    for pivot, other in reduced:
        if vector[pivot]:
            vector = tuple((x - vector[pivot] * y) % _PRIME for x, y in zip(vector, other, strict=True))
    pivot = next((place for place, entry in enumerate(vector) if entry), -1)
    if pivot >= 0:
        inverse = pow(vector[pivot], -1, _PRIME)
        reduced.append((pivot, tuple(entry * inverse % _PRIME for entry in vector)))
    return pivot >= 0


def _columns(parts: list[_Rows], leaving: _Residues, digits: tuple[int, ...]) -> Iterator[tuple[_Word, _Residues]]:
    """Yield words, the short ones first, with their columns."""
    level: list[tuple[_Word, _Residues]] = [((), leaving)]
    count = 0
    while count + len(level) <= MOST_COLUMNS:
        yield from level
        count += len(level)
        level = [
            ((digit, *word), tuple(sum(entry * column[at] for at, entry in row) % _PRIME for row in part))
            for (digit, part), (word, column) in tuples_of(zip(digits, parts, strict=True), level)
        ]


def _basis(parts: list[_Rows], entering: _Residues) -> Iterator[_Word]:
    """Yield the first words, the short ones first, whose rows are a basis."""
    reduced: list[tuple[int, _Residues]] = []
    ahead: list[tuple[_Word, _Residues]] = [((), entering)]
    for word, row in ahead:
        if not _reduce(reduced, row):
            continue
        yield word
        for digit, part in enumerate(parts):
            following = [0] * len(row)
            for entry, targets in zip(row, part, strict=True):
                for at, factor in targets:
                    following[at] = (following[at] + entry * factor) % _PRIME
            ahead.append(((*word, digit), tuple(following)))


def _stripped(word: _Word) -> _Word:
    """Return a word without leading zeros."""
    start = next((place for place, digit in enumerate(word) if digit), len(word))
    return word[start:]


def _residue(entry: Number) -> int:
    return entry.numerator * pow(entry.denominator, -1, _PRIME) % _PRIME
