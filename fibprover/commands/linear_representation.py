"""Linear representations: the number of companions of a number as a product of matrices.

Of a relation R and some of its variables, the vectors v, w and a matrix for every letter d of these variables
with  v M[d1] ... M[dl] w = how many values of the other variables complete the values written d1 ... dl.
Berstel and Reutenauer, Noncommutative Rational Series with Applications, chapter 1: an automaton's
runs are counted by its incidence matrices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fibprover.automata import language, operations
from fibprover.automata.dfa import Dfa
from fibprover.automata.reading import last_first
from fibprover.errors import AutomatonError, FileProblem, LimitError
from fibprover.limits import UNLIMITED, Budget
from fibprover.verdict.relation import Relation

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Bytes of the matrices as arrays, all together.
_MOST_BYTES = 1 << 30

#: One digit for each of the variables that are not counted.
Digits = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class LinearRepresentation:
    """Counts of a relation; its words are read as the systems of the variables are.

    entering, leaving: the rows v and w, one number a state; arcs: for each letter of the variables
    the (state, state, multiplicity) of its matrix.  Zeros in front (lsd: at the end) change nothing:
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
        """The column vector, likewise."""
        return _array(self.leaving)

    @property
    def matrices(self) -> dict[Digits, NDArray[Any]]:
        """The matrix of every letter, int64.  LimitError where they would take more than a gigabyte."""
        import numpy  # late, as everywhere

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
        """v M[word] w, exact."""
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
        """How many values of the other variables complete these values of the variables."""
        if len(values) != len(self.variables):
            raise AutomatonError(f"{len(self.variables)} numbers are needed, not {len(values)}")
        by_name = {track.name: track for track in self.relation.automaton.tracks}
        tracks = [by_name[name] for name in self.variables]
        words = [tuple(self.relation.word(track, value)) for track, value in zip(tracks, values, strict=True)]
        length = max(map(len, words), default=0)
        padded = [(0,) * (length - len(word)) + word for word in words]
        letters = list(zip(*padded, strict=True))
        return self.of_word(letters[::-1] if any(map(last_first, tracks)) else letters)

    def text(self, form: str) -> str:
        """Assignments of v, w and the matrices for another program: mpl, m, wl or sage."""
        from fibprover.formats.matrices import matrices_text

        rows = {digits: matrix.tolist() for digits, matrix in self.matrices.items()}
        return matrices_text(form, self.variables, self.entering, rows, self.leaving)

    def write(self, path: str | Path) -> Path:
        """Writes `text` to a file, whose name's ending says the form; FileProblem for another ending."""
        from fibprover.formats.atomic import write_text
        from fibprover.formats.matrices import DIALECTS

        file = Path(path)
        form = file.suffix.removeprefix(".")
        if form not in DIALECTS:
            raise FileProblem(f"{file}: matrices are written to {', '.join(f'*.{known}' for known in DIALECTS)}")
        write_text(file, self.text(form))
        return file

    def __str__(self) -> str:
        counted = ", ".join(name for name in self.relation.names if name not in self.variables) or "nothing else"
        return f"linear representation of ({', '.join(self.variables)}), counting {counted}: {self.states} states"


def linear_representation(
    relation: Relation, variables: Sequence[str], budget: Budget = UNLIMITED
) -> LinearRepresentation:
    """The representation of a relation that counts all variables but these.

    AutomatonError for a variable the relation does not have or has twice, for tracks that are no
    numbers, for msd and lsd systems in one relation, and where some count is infinite.
    """
    automaton = relation.automaton
    names = ", ".join(automaton.names) or "none"
    for name in variables:
        if name not in automaton.names:
            raise AutomatonError(f"{name} is not a free variable of the formula", hint=f"it has {names}")
    if len(set(variables)) != len(variables) or not variables:
        raise AutomatonError("the variables of a linear representation have to be some, and all different")
    backwards = {last_first(track) for track in automaton.tracks}
    if len(backwards) > 1 or any(not track.system for track in automaton.tracks):
        raise AutomatonError("a linear representation needs numbers, in msd or in lsd systems only")
    others = [name for name in automaton.names if name not in variables]
    arcs = _arcs(automaton, variables)
    unit = (1, *(0 for _ in range(automaton.states - 1)))
    row = _settled(unit, arcs[(0,) * len(variables)], automaton.states)
    if row is None:
        raise AutomatonError(_infinite(relation, others, budget), hint="bound the variables that are counted")
    outputs = tuple(int(output != 0) for output in automaton.outputs)
    if backwards == {True}:
        turned = {digits: tuple((target, source, n) for source, target, n in part) for digits, part in arcs.items()}
        return LinearRepresentation(relation, tuple(variables), outputs, row, turned)
    return LinearRepresentation(relation, tuple(variables), row, outputs, arcs)


def _arcs(a: Dfa, variables: Sequence[str]) -> dict[Digits, tuple[tuple[int, int, int], ...]]:
    """Transitions counted by the digits of some tracks, for every letter of these tracks."""
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
    """The row after any large number of zeros; None if it grows without end.

    Zeros in front leave the state where it is, so that the row never shrinks; it settles within as
    many steps as there are states, or there is a cycle of longer and longer companions.
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
    """What is wrong with a relation some of whose counts are infinite, with an example."""
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
