"""A linear representation guessed from the first terms of a sequence.

The words of a system are rows u and columns s of the matrix of the terms a(us).  Rows of short words that are a basis,
and the rows after each of their letters as combinations of these, make a representation; columns are as long as it
takes.  It is guessed from two thirds of the terms, and has to be right about the others: a conjecture.  Bergadano and
Varricchio, Learning behaviors of automata from multiplicity and equivalence queries (1996), have the matrix; Fliess,
Matrices de Hankel (1974), that its rank is the least dimension.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product as tuples_of

from fibprover.base.limits import poll
from fibprover.base.values import PlainlyDisplayed, value
from fibprover.numeration.system import NumerationSystem
from fibprover.sequences.rational import Matrix, Number, Vector, matrix_of, product, solution, times
from fibprover.sequences.series import Series, constant

#: The largest dimension of a guess, and the most columns of the matrix.
MOST_RANK, MOST_COLUMNS = 24, 400

#: Fewer terms agree with too many guesses.
FEWEST = 32

#: The rank is found modulo this prime; all else is exact.
_PRIME = (1 << 61) - 1

_Word = tuple[int, ...]


@value
class SequenceGuess(PlainlyDisplayed):
    """A sequence that agrees with terms: sequence[n] is the term number n, counted from 0.

    known: from so many terms it was made; count: it is right about so many.
    """

    sequence: Series
    known: int
    count: int

    @property
    def rank(self) -> int:
        """The dimension of the linear representation."""
        return self.sequence.dimension

    def __str__(self) -> str:
        return (
            f"{self.sequence}\nconjecture, from {self.count} terms, rank {self.rank}: "
            f"the guess from the first {self.known} is right about the others"
        )


def guess_sequence(
    terms: Sequence[Number], system: NumerationSystem, most: int = MOST_RANK
) -> SequenceGuess | None:
    """Return the sequence over a system of natural numbers that terms suggest; None if there is none.

    It is made from two thirds of the terms, which have to be FEWEST or more.  most: its largest dimension.  O(rank^2)
    for each term, and O(rank^3) for each digit and row.
    """
    found = guess_or_rank(terms, system, most)
    return found if isinstance(found, SequenceGuess) else None


def guess_or_rank(terms: Sequence[Number], system: NumerationSystem, most: int) -> SequenceGuess | int | None:
    """Return what `guess_sequence` does, or a number that the dimension of each representation exceeds, proved.

    The number is `most`, where the matrix of the terms has more independent rows, also modulo a prime.
    """
    if system.signed or len(terms) < FEWEST:
        return None
    known = -(-2 * len(terms) // 3)
    matrix = _TermMatrix(terms[:known], system, most)
    for length in range(len(terms).bit_length()):
        if len(system.digits) ** length > MOST_COLUMNS:
            return None
        found = matrix.representation(length)
        if found is None:
            return None
        entering, leaving, parts = found
        if not parts:
            return most
        if _agrees(terms, system, entering, leaving, parts):
            # What the guess says of words that are no numbers is not known.
            sequence = Series(("n",), (system,), entering, leaving, parts) * constant(system, 1)
            return SequenceGuess(sequence, known, len(terms))
    return None


class _TermMatrix:
    """The terms a(us), 0 for words us that represent no number."""

    def __init__(self, terms: Sequence[Number], system: NumerationSystem, most: int) -> None:
        self.most = most
        self.system = system
        self.terms = terms
        self.places = {system.represent(number): number for number in range(len(terms))}

    def entry(self, word: _Word) -> Number | None:
        """Return the term at a word, None if it is not known."""
        start = next((place for place, digit in enumerate(word) if digit), len(word))
        place = self.places.get(word[start:])
        if place is not None:
            return self.terms[place]
        return None if self.system.is_valid(word) else 0

    def representation(self, length: int) -> tuple[Vector, Vector, tuple[Matrix, ...]] | None:
        """Return the representation that columns of words up to a length make; None if a term is not known for it.

        One without matrices if its dimension is more than `most`.
        """
        digits = self.system.digits
        columns = [word for size in range(length + 1) for word in tuples_of(digits, repeat=size)]
        basis: list[tuple[_Word, Vector]] = []
        # For each element of the basis, its row modulo the prime reduced by those before, and the place of its 1.
        reduced: list[tuple[int, list[int]]] = []
        rows: dict[_Word, Vector] = {}
        ahead: list[_Word] = [()]
        for word in ahead:
            poll()
            row = tuple(self.entry(word + column) for column in columns)
            if any(entry is None for entry in row):
                return None
            known: Vector = tuple(entry or 0 for entry in row)
            rows[word] = known
            rest = [_residue(entry) for entry in known]
            for pivot, other in reduced:
                if rest[pivot]:
                    factor = rest[pivot]
                    rest = [(x - factor * y) % _PRIME for x, y in zip(rest, other, strict=True)]
            pivot = next((place for place, entry in enumerate(rest) if entry), -1)
            if pivot < 0:
                continue
            if len(basis) == self.most:
                return (), (), ()
            inverse = pow(rest[pivot], -1, _PRIME)
            reduced.append((pivot, [entry * inverse % _PRIME for entry in rest]))
            basis.append((word, known))
            ahead.extend((*word, digit) for digit in digits)
        return self._from_basis(basis, [pivot for pivot, _ in reduced], rows)

    def _from_basis(
        self, basis: Sequence[tuple[_Word, Vector]], pivots: Sequence[int], rows: dict[_Word, Vector]
    ) -> tuple[Vector, Vector, tuple[Matrix, ...]]:
        """Return the representation whose rows are a basis; at the pivots it is invertible."""
        small = [tuple(row[pivot] for pivot in pivots) for _, row in basis]

        def coordinates(word: _Word) -> Vector:
            return solution(small, tuple(rows[word][pivot] for pivot in pivots))

        parts = []
        for digit in self.system.digits:
            entries: list[tuple[int, int, Number]] = []
            for place, (word, _) in enumerate(basis):
                found = coordinates((*word, digit))
                entries += ((place, column, entry) for column, entry in enumerate(found) if entry)
            parts.append(matrix_of(len(basis), entries))
        entering = coordinates(()) if basis else ()
        # The first column is that of the empty word.
        return entering, tuple(row[0] for _, row in basis), tuple(parts)


def _residue(number: Number) -> int:
    """Return a number modulo the prime, which divides none of the small denominators of terms."""
    if isinstance(number, int):
        return number % _PRIME
    return number.numerator * pow(number.denominator, -1, _PRIME) % _PRIME


def _agrees(
    terms: Sequence[Number], system: NumerationSystem, entering: Vector, leaving: Vector, parts: Sequence[Matrix]
) -> bool:
    """Return whether a representation has these first values."""
    rows: dict[_Word, Vector] = {(): entering}
    for number, term in enumerate(terms):
        word = system.represent(number)
        missing = len(word)
        while word[:missing] not in rows:
            missing -= 1
        for size in range(missing, len(word)):
            rows[word[: size + 1]] = times(rows[word[:size]], parts[word[size]])
        if product(rows[word], leaving) != term:
            return False
    return True
