"""Linear representations: counts of the tuples of a relation as products of matrices.

For a relation R and some of its variables, a representation has vectors v, w and a matrix M[d] for every letter d of
these variables.  The product v M[d1] ... M[dl] w is the number of values of the other variables that complete the
values written d1 ... dl.  Berstel and Reutenauer, Noncommutative Rational Series with Applications, chapter 1: an
automaton's runs are counted by its incidence matrices.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fibprover.automata import language, operations
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.automata.digit_order import from_reading_order, lsd_first
from fibprover.errors import AutomatonError, FileProblem, LimitError
from fibprover.limits import UNLIMITED, Budget, check_budget
from fibprover.values import Printed
from fibprover.verdict.relation import Relation

if TYPE_CHECKING:
    from numpy.typing import NDArray


#: The most bytes that the matrices may take as arrays, all together.
_MOST_BYTES = 1 << 30

#: How many values a text shows, and the most entries of the matrices for which they are computed at once.
_FIRST = 16
_MOST_SHOWN = 10_000

#: One digit for each of the variables that are not counted.
Digits = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class LinearRepresentation(Printed):
    """Counts of a relation; words are read in the order of the variables' systems.

    entering, leaving: the vectors v and w, one number for each state; arcs: for each letter of the variables
    the entries (state, state, multiplicity) of its matrix.  Leading zeros (lsd: trailing zeros) change nothing:
    values of the counted variables that are longer than the others are counted by v (lsd: w).
    """

    relation: Relation
    variables: tuple[str, ...]
    entering: tuple[int, ...]
    leaving: tuple[int, ...]
    arcs: Mapping[Digits, tuple[tuple[int, int, int], ...]]

    @property
    def states(self) -> int:
        """The dimension."""
        return len(self.entering)

    @property
    def v(self) -> NDArray[Any]:
        """The row vector, Python integers where they exceed 64 bits."""
        return _array(self.entering)

    @property
    def w(self) -> NDArray[Any]:
        """The column vector, Python integers where they exceed 64 bits."""
        return _array(self.leaving)

    @property
    def matrices(self) -> dict[Digits, NDArray[Any]]:
        """The matrix of every letter, int64.  LimitError where they would take more than a gigabyte."""
        import numpy  # imported late, since the import takes longer than most evaluations

        if 8 * self.states**2 * len(self.arcs) > _MOST_BYTES:
            what = f"{len(self.arcs)} matrices of {self.states} rows are too large"
            raise LimitError(what, hint="take fewer variables")
        result = {}
        for digits, entries in self.arcs.items():
            matrix = numpy.zeros((self.states, self.states), dtype=numpy.int64)
            for row, column, count in entries:
                matrix[row, column] = count
            result[digits] = matrix
        return result

    def of_word(self, word: Sequence[Digits]) -> int:
        """Return v M[word] w, an exact integer."""
        row = dict(enumerate(self.entering))
        for digits in word:
            if digits not in self.arcs:
                raise AutomatonError(f"{list(digits)} is no letter of {', '.join(self.variables)}")
            following: dict[int, int] = {}
            for source, target, count in self.arcs[digits]:
                if row.get(source):
                    following[target] = following.get(target, 0) + row[source] * count
            row = following
        return sum(count * self.leaving[state] for state, count in row.items())

    def __call__(self, *values: int) -> int:
        """Return how many values of the other variables complete these values of the variables."""
        if len(values) != len(self.variables):
            raise AutomatonError(f"{len(self.variables)} numbers are needed, not {len(values)}")
        by_name = {track.name: track for track in self.relation.automaton.tracks}
        tracks = [by_name[name] for name in self.variables]
        words = [tuple(self.relation.word(track, value)) for track, value in zip(tracks, values, strict=True)]
        length = max(map(len, words), default=0)
        padded = [(0,) * (length - len(word)) + word for word in words]
        letters = list(zip(*padded, strict=True))
        return self.of_word(letters[::-1] if any(map(lsd_first, tracks)) else letters)

    def text(self, form: str) -> str:
        """Return assignments of v, w and the matrices for another program; form: mpl, m, wl or sage."""
        from fibprover.io.exports import matrices_text

        rows = {digits: matrix.tolist() for digits, matrix in self.matrices.items()}
        return matrices_text(form, self.variables, self.entering, rows, self.leaving)

    def write(self, path: str | Path) -> Path:
        """Write `text` to a file in the form that its suffix names; FileProblem for an unknown suffix."""
        from fibprover.io.exports import DIALECTS
        from fibprover.io.files import write_text

        file = Path(path)
        form = file.suffix.removeprefix(".")
        if form not in DIALECTS:
            raise FileProblem(f"{file}: matrices are written to {', '.join(f'*.{known}' for known in DIALECTS)}")
        write_text(file, self.text(form))
        return file

    def __repr__(self) -> str:
        return f"LinearRepresentation({', '.join(self.variables)}; {self.states} states)"

    def __str__(self) -> str:
        counted = ", ".join(name for name in self.relation.names if name not in self.variables) or "nothing else"
        size = f"{self.states} state{'s' * (self.states != 1)}"
        values = ""
        if len(self.variables) == 1 and sum(map(len, self.arcs.values())) <= _MOST_SHOWN:
            first = ", ".join(str(self(number)) for number in range(_FIRST))
            values = f"\n  from {self.variables[0]} = 0: {first}, ..."
        return f"linear representation of ({', '.join(self.variables)}), counting {counted}: {size}{values}"


def linear_representation(
    relation: Relation, variables: Sequence[str], budget: Budget = UNLIMITED
) -> LinearRepresentation:
    """Return the representation of a relation that counts the values of all variables except these.

    AutomatonError for a variable that is repeated or is not in the relation, for tracks that do not hold
    numbers, for msd and lsd systems in one relation, and if some count is infinite.
    """
    automaton = relation.automaton
    names = ", ".join(automaton.names) or "none"
    for name in variables:
        if name not in automaton.names:
            raise AutomatonError(f"{name} is not a free variable of the formula", hint=f"it has {names}")
    if len(set(variables)) != len(variables) or not variables:
        raise AutomatonError("the variables of a linear representation have to be some, and all different")
    orders = {lsd_first(track) for track in automaton.tracks}
    if len(orders) > 1 or any(not track.system for track in automaton.tracks):
        raise AutomatonError("a linear representation needs numbers, in msd or in lsd systems only")
    others = [name for name in automaton.names if name not in variables]
    arcs = _arcs(automaton, variables)
    unit = (1, *(0 for _ in range(automaton.states - 1)))
    row = _settled(unit, arcs[(0,) * len(variables)], automaton.states)
    if row is None:
        raise AutomatonError(_infinite(relation, others, budget), hint="bound the variables that are counted")
    outputs = tuple(int(output != 0) for output in automaton.outputs)
    if orders == {True}:
        arcs = {digits: tuple((target, source, n) for source, target, n in part) for digits, part in arcs.items()}
        return LinearRepresentation(relation, tuple(variables), outputs, row, arcs)
    return LinearRepresentation(relation, tuple(variables), row, outputs, arcs)


def _arcs(a: Dfa, variables: Sequence[str]) -> dict[Digits, tuple[tuple[int, int, int], ...]]:
    """Return, for every letter of some tracks, the transitions (state, state, multiplicity) with these digits."""
    places = [a.names.index(name) for name in variables]
    counts: dict[Digits, dict[tuple[int, int], int]] = {
        digits: {} for digits in product(*(a.tracks[place].digits for place in places))
    }
    kept: dict[int, Digits] = {}
    for state in range(a.states):
        for code, target in a.row(state):
            if code not in kept:
                letter = a.letter(code)
                kept[code] = tuple(letter[place] for place in places)
            part = counts[kept[code]]
            part[state, target] = part.get((state, target), 0) + 1
    return {
        digits: tuple((source, target, count) for (source, target), count in part.items())
        for digits, part in counts.items()
    }


def _settled(row: tuple[int, ...], zeros: Sequence[tuple[int, int, int]], states: int) -> tuple[int, ...] | None:
    """Return the row after any large number of zeros; None if it grows without end.

    Leading zeros leave the state unchanged, so the row never shrinks.  It becomes constant within as
    many steps as the automaton has states, or a cycle makes it grow without end.
    """
    for _ in range(states + 1):
        following = [0] * states
        for source, target, count in zeros:
            following[target] += row[source] * count
        if tuple(following) == row or not any(following):
            return row
        row = tuple(following)
    return None


def _infinite(relation: Relation, others: Sequence[str], budget: Budget) -> str:
    """Return the error message for a relation with an infinite count, with an example."""
    where = operations.infinitely_many(relation.automaton, others, budget)
    words = language.first_words(where, 1, budget)
    if not words:
        return "the representation does not settle"
    values = Relation(where, relation.system).decoded(words[0])
    at = ", ".join(f"{name} = {value}" for name, value in zip(where.names, values, strict=True))
    return f"infinitely many values of {', '.join(others)} are related to {at}, so they cannot be counted"


def _array(row: Sequence[int]) -> NDArray[Any]:
    import numpy

    fits = all(-(1 << 63) <= number < 1 << 63 for number in row)
    return numpy.array(row, dtype=numpy.int64 if fits else object)


# Equality and words of values are exact linear algebra over the rationals.  Berstel and Reutenauer, Noncommutative
# Rational Series with Applications, chapter 2: the series of the continuations of a word is given by a vector;
# finitely many of these vectors decide equality, and a series has finitely many of them exactly if it is the word of
# an automaton with output.

#: Most states of the word of a representation, unless the caller asks for more.
MOST_STATES = 10_000

Vector = tuple[int, ...]


class _Space:
    """A space of vectors, known by a basis in echelon form."""

    def __init__(self) -> None:
        self.rows: dict[int, list[Fraction]] = {}

    def add(self, vector: Sequence[int]) -> bool:
        """Add a vector; return whether it was not yet in the space.  O(dimension^2)."""
        row = [Fraction(entry) for entry in vector]
        for place in range(len(row)):
            if not row[place]:
                continue
            known = self.rows.get(place)
            if known is None:
                pivot = row[place]
                self.rows[place] = [entry / pivot for entry in row]
                return True
            factor = row[place]
            row = [entry - factor * other for entry, other in zip(row, known, strict=True)]
        return False


def first_difference(a: LinearRepresentation, b: LinearRepresentation) -> tuple[int, ...] | None:
    """Return the shortest values of the variables at which two representations differ; None if they are equal.

    AutomatonError unless their variables have, in order, the same systems.  O(dimension^3) for each letter.
    """
    if [track._replace(name="") for track in tracks(a)] != [track._replace(name="") for track in tracks(b)]:
        raise AutomatonError(f"{a} and {b} are about numbers of different systems, or about more of them")
    space = _Space()
    ahead: list[tuple[Vector, tuple[Digits, ...]]] = [((*a.entering, *b.entering), ())]
    value = (*a.leaving, *(-entry for entry in b.leaving))
    for row, word in ahead:
        if not space.add(row):
            continue
        if _product(row, value):
            return _numbers(a, word)
        for digits in sorted(a.arcs):
            left, right = _stepped(a, row[: a.states], digits), _stepped(b, row[a.states :], digits)
            ahead.append(((*left, *right), (*word, digits)))
    return None


def word_of_values(
    representation: LinearRepresentation, most: int = MOST_STATES, budget: Budget = UNLIMITED
) -> Dfa:
    """Return the internal automaton of the word whose letters are the values of a representation.

    It exists if finitely many series describe the continuations of all words.  Raises LimitError beyond `most`
    states, AutomatonError for values that cannot be letters, BudgetSpent.
    """
    columns = list(_continuations(representation))
    start = representation.entering
    numbers = {_seen(start, columns): 0}
    order: list[Vector] = [start]
    rows: list[dict[int, int]] = []
    index = tracks(representation)
    letters = sorted(representation.arcs, key=lambda digits: _code(index, digits))
    for row in order:
        check_budget(budget, len(order), "the word of a linear representation")
        found = {}
        for code, digits in enumerate(letters):
            following = _stepped(representation, row, digits)
            seen = _seen(following, columns)
            if seen not in numbers:
                if len(numbers) >= most:
                    raise LimitError(
                        f"{representation} takes more than {most} states as a word",
                        hint="if it has finitely many values at all; ask for more states",
                    )
                numbers[seen] = len(numbers)
                order.append(following)
            found[code] = numbers[seen]
        rows.append(found)
    outputs = [_product(row, representation.leaving) for row in order]
    return from_reading_order(build(index, rows, outputs), budget, word=True)


def tracks(representation: LinearRepresentation) -> tuple[Track, ...]:
    """Return the tracks of the variables, in their order."""
    by_name = {track.name: track for track in representation.relation.automaton.tracks}
    return tuple(by_name[name] for name in representation.variables)


def _code(index: Sequence[Track], digits: Digits) -> int:
    """Return the code of a letter over these tracks."""
    code = 0
    for track, digit in zip(index, digits, strict=True):
        code = code * len(track.digits) + track.digits.index(digit)
    return code


def _stepped(representation: LinearRepresentation, row: Sequence[int], digits: Digits) -> Vector:
    """Return a row times the matrix of a letter."""
    following = [0] * representation.states
    for source, target, count in representation.arcs[digits]:
        following[target] += row[source] * count
    return tuple(following)


def _continuations(representation: LinearRepresentation) -> Iterator[Vector]:
    """Yield a basis of the columns M[word] w: two rows whose products with these agree have the same continuations."""
    space = _Space()
    ahead: list[Vector] = [representation.leaving]
    for column in ahead:
        if not space.add(column):
            continue
        yield column
        for entries in representation.arcs.values():
            before = [0] * representation.states
            for source, target, count in entries:
                before[source] += count * column[target]
            ahead.append(tuple(before))


def _seen(row: Vector, columns: Sequence[Vector]) -> Vector:
    return tuple(_product(row, column) for column in columns)


def _product(row: Sequence[int], column: Sequence[int]) -> int:
    return sum(left * right for left, right in zip(row, column, strict=True) if left)


def _numbers(representation: LinearRepresentation, word: Sequence[Digits]) -> tuple[int, ...]:
    """Return the numbers that a word over the variables stands for."""
    written = zip(*word, strict=True) if word else [()] * len(representation.variables)
    values = []
    for track, digits in zip(tracks(representation), written, strict=True):
        read = tuple(digits)[::-1] if lsd_first(track) else tuple(digits)
        values.append(representation.relation.system(track.system).value(read))
    return tuple(values)
