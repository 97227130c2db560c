"""Sequences of numbers with a linear representation, as values to calculate with.

A sequence of n is given by a row v, a column w and a matrix M[d] for each digit d: its value is v M[d1] ... M[dl] w
for the representation d1 ... dl of n, most significant digit first, and 0 for words that represent no number.  Zeros in
front change nothing.  Representations are kept minimal by exact linear algebra over the rationals, so that equality is
decided: a difference is zero exactly if its dimension is 0.  Berstel and Reutenauer, Noncommutative Rational Series
with Applications, chapters 1 and 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product as tuples_of
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fibprover.automata import language
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.automata.digit_order import lsd_first
from fibprover.base.errors import AutomatonError, LimitError
from fibprover.base.limits import UNLIMITED, Budget, poll
from fibprover.base.values import PlainlyDisplayed
from fibprover.base.wording import plural
from fibprover.numeration.system import NumerationSystem, system_of
from fibprover.prover.verdict.relation import Relation
from fibprover.sequences.counting import MOST_MINIMIZED, count_representation
from fibprover.sequences.growth import SequenceGrowth, sequence_growth
from fibprover.sequences.long_products import LONG, long_product
from fibprover.sequences.matrices import array_of, dense, representation_text, write_representation
from fibprover.sequences.negative_values import first_negative
from fibprover.sequences.rational import (
    Matrix,
    Number,
    Representation,
    Space,
    Vector,
    matrix_of,
    minimal,
    plain,
    product,
    times,
    transposed,
)
from fibprover.sequences.recurrence_along import Recurrence, recurrence_along
from fibprover.sequences.subsequence import subsequence
from fibprover.sequences.synchronized import graph
from fibprover.words.automatic import AutomaticWord, automatic_word

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Most states of the automaton of the values, unless the caller asks for more.
MOST_STATES = 10_000

#: So many zeros are put in front of a number until the sums over a relation become constant, before they are minimized.
_MOST_SETTLING = 200

#: How many values `str` shows, and the most entries of the matrices for which they are computed.
_FIRST = 16
_MOST_SHOWN = 10_000

#: The numbers at which the values make the hash.
_HASHED = 8


@dataclass(frozen=True, slots=True, eq=False)
class Series(PlainlyDisplayed):
    """Rational numbers for each n, or for each tuple of numbers, with a linear representation.

    `a + b`, `a - b`, `a * b`, `2 * a`, `a[n]`, `a[n, m]`.  `a * b` has the products of the values.  `a == b` proves
    that all values are the same; sequences over different systems are not equal.

    variables: the names of the indices; systems: of each of them; entering: the row v; leaving: the column w; parts:
    for each letter, one digit for each variable, its matrix, in the order of the letters and most significant digit
    first also for lsd systems.  The representation is the smallest one, but for the counts of large automata, which are
    minimized when they are calculated with.  `v`, `w` and `matrices` are arrays in the order of reading.
    """

    variables: tuple[str, ...]
    systems: tuple[NumerationSystem, ...]
    entering: Vector
    leaving: Vector
    parts: tuple[Matrix, ...]

    @property
    def dimension(self) -> int:
        """The dimension of the representation; the least one that is 0 for words which represent no number."""
        return len(self.entering)

    @property
    def system(self) -> NumerationSystem:
        """The system of the only variable; raises AutomatonError if there are several."""
        if len(self.systems) > 1:
            names = ", ".join(self.variables)
            raise AutomatonError(f"this needs a sequence of one variable, not of {names}")
        return self.systems[0]

    @property
    def letters(self) -> tuple[tuple[int, ...], ...]:
        """The letters, one digit for each variable, in the order of `parts`."""
        return tuple(tuples_of(*(system.digits for system in self.systems)))

    # -- values ----------------------------------------------------------------------------

    def __getitem__(self, at: int | tuple[int, ...]) -> Number:
        """Return the exact value at a number, within a logarithmic factor of the time to multiply such numbers.

        Raises AutomatonError for a negative number where the system has none, and unless there is a number for each
        variable.
        """
        numbers = tuple(map(index, at)) if isinstance(at, tuple) else (index(at),)
        if len(numbers) != len(self.systems):
            raise AutomatonError(f"the sequence takes {plural(len(self.systems), 'number')}, not {len(numbers)}")
        words = []
        for system, number in zip(self.systems, numbers, strict=True):
            if number < 0 and not system.signed:
                raise AutomatonError(f"{number} is not a number of {system.name}")
            words.append(system.represent(number))
        length = max(map(len, words))
        codes = [0] * length
        for system, word in zip(self.systems, words, strict=True):
            radix = len(system.digits)
            padded = (0,) * (length - len(word)) + word
            codes = [code * radix + digit for code, digit in zip(codes, padded, strict=True)]
        if length >= LONG and self.dimension:
            return long_product(self.entering, self.leaving, self.parts, codes)
        row = self.entering
        for code in codes:
            row = times(row, self.parts[code])
        return product(row, self.leaving)

    def __call__(self, *numbers: int) -> Number:
        """Return the value, as `a[n]` does."""
        return self[numbers]

    # -- arithmetic ------------------------------------------------------------------------

    def __add__(self, other: object) -> Series:
        summand = self._operand(other)
        if summand is None:
            return NotImplemented
        shift = self.dimension
        parts = tuple(
            (*one, *(tuple((column + shift, entry) for column, entry in row) for row in two))
            for one, two in zip(self.parts, summand.parts, strict=True)
        )
        entering, leaving = (*self.entering, *summand.entering), (*self.leaving, *summand.leaving)
        return self._minimal(entering, leaving, parts)

    __radd__ = __add__

    def __neg__(self) -> Series:
        return replace(self, leaving=tuple(-entry for entry in self.leaving))

    def __sub__(self, other: object) -> Series:
        subtrahend = self._operand(other)
        return NotImplemented if subtrahend is None else self + -subtrahend

    def __rsub__(self, other: object) -> Series:
        return -self + other

    def __mul__(self, other: object) -> Series:
        if isinstance(other, int | Fraction):
            column = tuple(plain(entry * other) for entry in self.leaving)
            return self._minimal(self.entering, column, self.parts)
        factor = self._operand(other)
        if factor is None:
            return NotImplemented
        parts = tuple(_tensor(one, two) for one, two in zip(self.parts, factor.parts, strict=True))
        entering = tuple(x * y for x in self.entering for y in factor.entering)
        leaving = tuple(x * y for x in self.leaving for y in factor.leaving)
        return self._minimal(entering, leaving, parts)

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Series):
            return NotImplemented
        return self._indices() == other._indices() and not (self - other).dimension

    def __hash__(self) -> int:
        # Equal sequences have equal first values; their representations may differ in the basis.
        several = len(self.systems)
        return hash((self._indices(), tuple(self[(number,) * several] for number in range(_HASHED))))

    def first_nonzero(self) -> tuple[int, ...] | None:
        """Return numbers with fewest digits at which the value is not 0, one for each variable; None if there are none.

        So `(a - b).first_nonzero()` is where two sequences differ.
        """
        space = Space()
        ahead: list[tuple[Vector, tuple[int, ...]]] = [(self.entering, ())]
        for row, word in ahead:
            if product(row, self.leaving):
                letters = [self.letters[code] for code in word]
                return tuple(
                    system.value([letter[place] for letter in letters]) for place, system in enumerate(self.systems)
                )
            # If a row depends on those of shorter words, so do its continuations.
            if space.add(row) is not None:
                ahead.extend((times(row, part), (*word, code)) for code, part in enumerate(self.parts))
        return None

    # -- sets of values --------------------------------------------------------------------

    def values(self, most: int = MOST_STATES) -> frozenset[Number]:
        """Return the set of all values, proved: no other value occurs.

        A sequence has finitely many values exactly if its minimal representation has finitely many rows v M[word].
        Raises LimitError if there are more than `most` rows, which is no proof that there are infinitely many.
        """
        return frozenset(value for _, value, is_number in self._rows(most) if is_number)

    def word(self, name: str = "W", most: int = MOST_STATES) -> AutomaticWord:
        """Return the word whose letters are the values, all of which are integers and finitely many.

        Raises LimitError as for `values`, AutomatonError for values that are no letters.
        """
        rows, outputs, _ = zip(*self._rows(most), strict=True)
        if any(output.denominator != 1 for output in outputs):
            raise AutomatonError("some values of the sequence are not integers, so they cannot be letters")
        by_name = {system.name: system for system in self.systems}
        tracks = [system.track(variable) for variable, system in zip(self.variables, self.systems, strict=True)]
        machine = build(tracks, rows, [int(output) for output in outputs])
        return automatic_word(name, machine).with_systems(by_name.__getitem__)

    def least_with(self, holds: Callable[[Number], bool]) -> int | None:
        """Return the first of the numbers with fewest digits whose value satisfies a condition; None if none does.

        Raises LimitError as for `values`.
        """
        rows, values, accepted = zip(*self._rows(MOST_STATES), strict=True)
        ends = [int(number and holds(value)) for value, number in zip(values, accepted, strict=True)]
        found = language.shortest(build([self.system.track("n")], rows, ends))
        return None if found is None else self.system.value(found[0])

    def _rows(self, most: int) -> Iterator[tuple[dict[int, int], Number, bool]]:
        """Yield the rows v M[word] with the states of the valid words that each word leads to, the first one first.

        Of each: by letter code the number of the next one, its value, and whether such a word represents numbers.
        Raises LimitError if there are more than `most`.
        """
        if self.dimension > MOST_MINIMIZED:
            yield from self._minimal(self.entering, self.leaving, self.parts)._rows(most)
            return
        machines = [system.valid for system in self.systems]
        start = (self.entering, (0,) * len(machines))
        numbers, ahead = {start: 0}, [start]
        for row, states in ahead:
            poll()
            found = {}
            # One track each, so that the code of a letter is the place of its digit.
            for steps in tuples_of(*(machine.row(state) for machine, state in zip(machines, states, strict=True))):
                code = 0
                for machine, (digit, _) in zip(machines, steps, strict=True):
                    code = code * machine.letters + digit
                following = times(row, self.parts[code]), tuple(target for _, target in steps)
                if following not in numbers:
                    if len(numbers) >= most:
                        what = f"the values of this sequence take more than {most} states"
                        raise LimitError(what, hint="if they are finitely many at all; ask for more states")
                    numbers[following] = len(numbers)
                    ahead.append(following)
                found[code] = numbers[following]
            accepted = all(machine.outputs[state] for machine, state in zip(machines, states, strict=True))
            yield found, product(row, self.leaving), accepted

    # -- sequences made of this one --------------------------------------------------------

    def subsequence(self, factor: int, start: int = 0) -> Series:
        """Return the sequence a(factor n + start); raises AutomatonError for negative numbers.

        Raises LimitError where a step is too large (`fibprover.sequences.subsequence`): the dimension of a(pn), p a
        prime, is often p times that of a(n).
        """
        if factor < 0 or start < 0:
            raise AutomatonError(f"a({factor}n{start:+d}) has negative or decreasing indices")
        if not factor:
            return replace(constant(self.system, self[start]), variables=self.variables)
        return subsequence(self, factor, start)

    def partial_sums(self) -> Series:
        """Return the sequence a(0) + ... + a(n-1), which is 0 at 0."""
        if self.system.signed:
            raise AutomatonError(f"infinitely many numbers of {self.system.name} are less than another one")
        relation = self.system.linear((-1, 1), "<", 0)
        return self.summed(relation.with_tracks((self.system.track("n"), self.system.track("to"))))

    def summed(self, relation: Dfa, most: int | None = None) -> Series:
        """Return the sequence of the sums of a(m) over the m that a relation has for n.

        relation: an automaton of this system with the tracks n and m in this order, as inside, most significant
        digit first; most: LimitError if the sums need a greater dimension.  Raises AutomatonError if a sum is infinite.
        """
        size = self.dimension
        parts: list[list[tuple[int, int, Number]]] = [[] for _ in self.system.digits]
        for state in range(relation.states):
            for code, target in relation.row(state):
                digit, other = relation.letter(code)
                for row, entries in enumerate(self.parts[other]):
                    parts[digit] += ((state * size + row, target * size + column, x) for column, x in entries)
        summands = tuple(matrix_of(relation.states * size, _added(entries)) for entries in parts)
        entering: Vector = (*self.entering, *(0 for _ in range((relation.states - 1) * size)))
        leaving = tuple(entry if output else 0 for output in relation.outputs for entry in self.leaving)
        # An m with more digits than n is read after zeros in front of n.  As zeros in front change nothing, the rows
        # become constant if there are finitely many m; rows before that would make the space larger.
        for _ in range(_MOST_SETTLING):
            following = times(entering, summands[0])
            if following == entering:
                return self._minimal(entering, leaving, summands, most)
            entering = following
        found = self._minimal(entering, leaving, summands, most)
        for _ in range(found.dimension + 2):
            following = times(found.entering, found.parts[0])
            if following == found.entering:
                return found * 1
            found = replace(found, entering=following)
        raise AutomatonError("some number is related to infinitely many, or the sums do not settle")

    # -- questions -------------------------------------------------------------------------

    def growth(self) -> SequenceGrowth:
        """Return what sufficient criteria prove about the growth, and an estimate; the question is undecidable."""
        return sequence_growth(self)

    def recurrence(
        self, before: Sequence[int] = (1,), repeated: Sequence[int] = (0,), after: Sequence[int] = ()
    ) -> Recurrence:
        """Return the shortest linear recurrence of s(k) = a(n) for the n with the digits before repeated^k after.

        By default n = U_k is the weight of place k.  It is proved; raises DigitError for digits that the system has
        not.
        """
        return recurrence_along(self, before, repeated, after)

    def graph(self) -> Relation:
        """Return the relation of n and v with a(n) = v of a synchronized sequence of natural numbers, proved.

        Raises LimitError if no automaton is found, AutomatonError for other values.
        """
        return graph(self)

    def __le__(self, other: object) -> bool:
        """Return whether no value is greater than that of another sequence at the same number: a proof, or a place.

        Raises LimitError if neither is found: the differences take too many values, and none of the first is negative.
        """
        greater = self._operand(other)
        return NotImplemented if greater is None else not (greater - self).first_negative()

    def __ge__(self, other: object) -> bool:
        """Return whether no value is less than that of another sequence; see `__le__`."""
        less = self._operand(other)
        return NotImplemented if less is None else less <= self

    def first_negative(self) -> tuple[int, Number] | None:
        """Find a number that has a negative value, and return it with this value; None if there is provably none.

        `fibprover.sequences.negative_values` lists the proofs that are tried.
        """
        return first_negative(self)

    # -- for other programs ----------------------------------------------------------------

    @property
    def v(self) -> NDArray[Any]:
        """The row vector: int64, or Python's numbers where they are fractions or exceed 64 bits."""
        return array_of(self._in_reading_order()[0])

    @property
    def w(self) -> NDArray[Any]:
        """The column vector, like `v`."""
        return array_of(self._in_reading_order()[1])

    @property
    def matrices(self) -> Mapping[tuple[int, ...], NDArray[Any]]:
        """The matrix of each letter, like `v`.  Raises LimitError where they would take more than a gigabyte."""
        parts = dense(self._in_reading_order()[2])
        shape = self.dimension, self.dimension
        flat = ([entry for row in rows for entry in row] for rows in parts)
        return {letter: array_of(each).reshape(shape) for letter, each in zip(self.letters, flat, strict=True)}

    def text(self, form: str) -> str:
        """Return v, w and the matrices for another program, in the order of reading; form: mpl, m, wl, sage or json."""
        system_names = [system.name for system in self.systems]
        return representation_text(form, self.variables, system_names, self.letters, self._in_reading_order())

    def write(self, path: str | Path) -> Path:
        """Write `text` to a file in the form that its suffix names; raises FileProblem for an unknown suffix."""
        return write_representation(path, self.text)

    def _in_reading_order(self) -> Representation:
        """Return the representation that reads the digits in the order of the systems."""
        if not lsd_first(self.systems[0].track("n")):
            return self.entering, self.leaving, self.parts
        return self.leaving, self.entering, tuple(map(transposed, self.parts))

    def __repr__(self) -> str:
        return f"Series({', '.join(self.variables)}; {self._named_systems()}; dimension {self.dimension})"

    def __str__(self) -> str:
        about = f"sequence of {', '.join(self.variables)} over {self._named_systems()}"
        said = f"{about}, linear representation of dimension {self.dimension}"
        if len(self.systems) > 1 or sum(len(row) for part in self.parts for row in part) > _MOST_SHOWN:
            return said
        return f"{said}: {', '.join(str(self[number]) for number in range(_FIRST))}, ..."

    # -- details ---------------------------------------------------------------------------

    def _named_systems(self) -> str:
        return ", ".join(dict.fromkeys(system.name for system in self.systems))

    def _indices(self) -> tuple[Track, ...]:
        """Return the tracks of the variables without their names."""
        return tuple(system.track("") for system in self.systems)

    def _minimal(
        self, entering: Vector, leaving: Vector, parts: tuple[Matrix, ...], most: int | None = None
    ) -> Series:
        """Return the sequence of a representation over the same systems, made minimal; most: see `minimal`."""
        return Series(self.variables, self.systems, *minimal(entering, leaving, parts, most))

    def _operand(self, other: object) -> Series | None:
        """Return another sequence of these systems, or the constant sequence of a number; None for other values."""
        if isinstance(other, int | Fraction):
            first, *rest = self.systems
            found = constant(first, other)
            for system in rest:
                found = outer(found, constant(system, 1))
            return found
        if not isinstance(other, Series):
            return None
        if self._indices() != other._indices():
            here, there = self._named_systems(), other._named_systems()
            raise AutomatonError(f"sequences of different systems: {here} and {there}")
        return other


def counts(relation: Relation, variables: Sequence[str], budget: Budget = UNLIMITED) -> Series:
    """Return how many values of all other variables of a relation complete values of these.

    Values of the others that are longer than these count, too.  Raises AutomatonError for a variable that is repeated
    or is not in the relation, for tracks that do not hold numbers, for msd and lsd systems in one relation, and if some
    count is infinite.
    """
    representation = count_representation(relation, variables, budget)
    tracks = {track.name: track for track in relation.automaton.tracks}
    systems = tuple(system_of(tracks[name], relation.system) for name in variables)
    return Series(tuple(variables), systems, *representation)


def constant(system: NumerationSystem, number: Number) -> Series:
    """Return the sequence with one value at all numbers of a system."""
    valid = system.valid
    steps: list[list[tuple[int, int, Number]]] = [[] for _ in system.digits]
    for state in range(valid.states):
        for code, target in valid.row(state):
            steps[code].append((state, target, 1))
    parts = tuple(matrix_of(valid.states, entries) for entries in steps)
    entering = (1, *(0 for _ in range(valid.states - 1)))
    leaving = tuple(number if output else 0 for output in valid.outputs)
    return Series(("n",), (system,), *minimal(entering, leaving, parts))


def outer(one: Series, two: Series) -> Series:
    """Return the sequence of the variables of two sequences whose values are the products, as in a(n) b(m)."""
    names = tuple(f"n{place}" for place in range(len(one.systems) + len(two.systems)))
    parts = tuple(_tensor(left, right) for left in one.parts for right in two.parts)
    entering = tuple(x * y for x in one.entering for y in two.entering)
    leaving = tuple(x * y for x in one.leaving for y in two.leaving)
    return Series(names, (*one.systems, *two.systems), *minimal(entering, leaving, parts))


def _tensor(one: Matrix, two: Matrix) -> Matrix:
    """Return the tensor product of two matrices."""
    size = len(two)
    return tuple(
        tuple((i * size + j, x * y) for i, x in left for j, y in right) for left in one for right in two
    )


def _added(entries: Iterable[tuple[int, int, Number]]) -> list[tuple[int, int, Number]]:
    """Return entries of a matrix with those of one place added up."""
    total: dict[tuple[int, int], Number] = {}
    for row, column, entry in entries:
        total[row, column] = total.get((row, column), 0) + entry
    return [(row, column, entry) for (row, column), entry in total.items() if entry]
