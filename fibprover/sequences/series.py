"""Sequences of numbers with a linear representation, as values to calculate with.

A sequence of n is given by a row v, a column w and a matrix M[d] for each digit d: its value is v M[d1] ... M[dl] w
for the representation d1 ... dl of n, most significant digit first, and 0 for words that represent no number.  Zeros in
front change nothing.  Representations are kept minimal by exact linear algebra over the rationals, so that equality is
decided: a difference is zero exactly if its dimension is 0.  Berstel and Reutenauer, Noncommutative Rational Series
with Applications, chapters 1 and 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import wraps
from itertools import count as naturals
from itertools import product as tuples_of
from math import inf, isfinite
from numbers import Rational
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, NamedTuple, ParamSpec, SupportsIndex, TypeVar, overload

from fibprover.automata import kernel_calls, language
from fibprover.automata.dfa import Dfa, Track, build, explored
from fibprover.automata.digit_order import lsd_first
from fibprover.automata.formats.exports import library
from fibprover.base.errors import AutomatonError, LimitError
from fibprover.base.limits import UNLIMITED, Budget, Limits, check_limits, polled, spending
from fibprover.base.values import RichlyDisplayed
from fibprover.base.wording import plural
from fibprover.language.tree import Formula
from fibprover.numeration.system import NumerationSystem, system_of
from fibprover.prover.environment import Environment, sort_of
from fibprover.prover.evaluate.atoms import Atoms
from fibprover.prover.verdict.relation import Relation, number_of
from fibprover.sequences.across import Synchronization, synchronization
from fibprover.sequences.convolution import convolution
from fibprover.sequences.counting import MOST_MINIMIZED, count_representation, values_of_states
from fibprover.sequences.growth import SequenceGrowth, sequence_growth
from fibprover.sequences.long_products import LONG, long_product
from fibprover.sequences.matrices import array_of, dense, representation_text, write_representation
from fibprover.sequences.means import MeanValues, mean_values
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
from fibprover.sequences.residues import residues
from fibprover.sequences.subsequence import subsequence
from fibprover.sequences.synchronized import graph
from fibprover.words.automatic import AutomaticWord, automatic_word

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fibprover.prover.certificate.checking import CertificateCheck
    from fibprover.prover.certificate.writing import Certificate

P = ParamSpec("P")
R = TypeVar("R")

#: Most states of the automaton of the values, unless the caller asks for more.
MOST_STATES = 10_000

#: So many zeros are put in front of a number until the sums over a relation become constant, before they are minimized.
_MOST_SETTLING = 200

#: How many values `str` shows, and the most entries of the matrices for which they are computed.
_FIRST = 16
_MOST_SHOWN = 10_000

#: The numbers at which the values make the hash.
_HASHED = 8


def _within_limits(method: Callable[Concatenate[Series, P], R]) -> Callable[Concatenate[Series, P], R]:
    """Return a method of sequences that ends by the limits of its sequence."""

    @wraps(method)
    def limited(sequence: Series, /, *arguments: P.args, **keywords: P.kwargs) -> R:
        with spending(sequence.limits.start()):
            return method(sequence, *arguments, **keywords)

    return limited


class Counted(NamedTuple):
    """What a sequence counts: the values of the other variables of a formula, with the meaning of its names.

    certified: what became of its certificate, in a session with a folder for certificates.
    """

    formula: Formula
    environment: Environment
    certified: CertificateCheck | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Series(RichlyDisplayed):
    """A sequence of rational numbers for each n, or for each tuple of numbers, with a linear representation.

    `a[n]`, `a[n, m]`, `a[3:10]`; `a + b`, `a - b`, `2 * a`; `a * b` has the products of the values, `a ** k` their
    powers and `a % m` their residues. `a == b` is a proof that the values are the same everywhere; sequences of
    different systems are not equal. `v in a` tells whether v is a value. `Session.counts` makes a sequence.

    Fields:

    - variables: the names of the indices
    - systems: the numeration system of each index
    - entering, leaving: the row v and the column w
    - parts: for each letter, one digit for each variable, its matrix, in the order of the letters and most significant
      digit first also for lsd systems
    - limits: what each method may spend, which the session that has counted sets; of two sequences, those of the first
    - counted: what it counts; None for a sequence that is calculated or read (`replace` makes such a one)

    The representation is the smallest one, but for the counts of large automata, which are minimized when they are
    calculated with. `v`, `w` and `matrices` are arrays in the order of reading.

    >>> n = fp.Session().counts("n", "i<n")
    >>> n[10**20], (n * n - 1)[3:7], (n**3 % 5).first(6)
    (100000000000000000000, [8, 15, 24, 35], [0, 1, 3, 2, 4, 0])
    >>> 2 * n.partial_sums() == n * (n - 1), 7 in 2 * n
    (True, False)
    """

    variables: tuple[str, ...]
    systems: tuple[NumerationSystem, ...]
    entering: Vector
    leaving: Vector
    parts: tuple[Matrix, ...]
    limits: Limits = field(default_factory=Limits)
    # No parameter, so that `replace` leaves it out: another representation would not be that of what is counted.
    counted: Counted | None = field(default=None, init=False, repr=False)

    @property
    def dimension(self) -> int:
        """The dimension of the representation; the least one that is 0 for words which represent no number.

        >>> n = fp.Session().counts("n", "i<n")
        >>> n.dimension, (n * n).dimension
        (2, 3)
        """
        return len(self.entering)

    @property
    def system(self) -> NumerationSystem:
        """The system of the only variable; AutomatonError if there are several.

        >>> fp.Session("msd_fib").counts("n", "i<n").system.name
        'msd_fib'
        """
        if len(self.systems) > 1:
            names = ", ".join(self.variables)
            raise AutomatonError(f"this needs a sequence of one variable, not of {names}")
        return self.systems[0]

    @property
    def letters(self) -> tuple[tuple[int, ...], ...]:
        """The letters, one digit for each variable, in the order of `parts`.

        >>> n = fp.Session().counts("n", "i<n")
        >>> n.letters
        ((0,), (1,))
        """
        return tuple(tuples_of(*(system.digits for system in self.systems)))

    def with_limits(self, limits: Limits) -> Series:
        """Return the same sequence with other limits.

        >>> n = fp.Session().counts("n", "i<n")
        >>> n.with_limits(fp.Limits(seconds=60)).limits
        Limits(states=None, transitions=None, bytes=None, seconds=60, cpu_seconds=None)
        """
        check_limits(limits)
        found = replace(self, limits=limits)
        return found if self.counted is None else found.counting(self.counted)

    def counting(self, counted: Counted) -> Series:
        """Return the same sequence with what it counts, for its certificate, which proves it.

        >>> n = fp.Session().counts("n", "i<n")
        >>> (n % 5).counted is None, str(n.counting(n.counted).counted.formula)
        (True, 'i<n')
        """
        found = replace(self)
        object.__setattr__(found, "counted", counted)
        return found

    @property
    def certified(self) -> CertificateCheck | None:
        """What became of its certificate, in a session with a folder for certificates; None if none was asked for.

        >>> fp.Session().counts("n", "i<n").certified is None
        True
        """
        return None if self.counted is None else self.counted.certified

    def with_certificate(self, check: CertificateCheck) -> Series:
        """Return a sequence that counts with what became of its certificate.

        >>> from fibprover.prover.certificate.checking import CertificateCheck
        >>> n = fp.Session().counts("n", "i<n")
        >>> print(n.with_certificate(CertificateCheck("n.jsonl.gz")).certified)
        certified: n.jsonl.gz
        """
        return self if self.counted is None else self.counting(self.counted._replace(certified=check))

    def certificate(self, name: str = "p") -> Certificate:
        """Return a proof of what the sequence counts, for a checker that knows nothing of fibprover.

        It also says what all terms are if these take few values, or if their differences do (docs/certificates.md).

        Parameters:

        - name: that of the sequence in the certificate

        Returns: the certificate, made within the limits of the sequence.

        Errors: NotCertified, a FibproverError, with the reason if there is no certificate; BudgetSpent.

        >>> fp.Session().counts("n", "i<n").certificate().truth
        True
        """
        from fibprover.prover.certificate.tables import NotCertified  # seldom requested
        from fibprover.sequences.certified_counts import certificate_of_terms

        if self.counted is None:
            raise NotCertified(
                "a certificate is about what a formula counts, and this sequence was not counted by one",
                hint='such as session.counts("n", "i<n & T[i]=1")',
            )
        with spending(self.limits.start()) as budget:
            return certificate_of_terms(self.counted.formula, self, self.counted.environment, budget, name)

    # -- values ----------------------------------------------------------------------------

    @overload
    def __getitem__(self, at: int | tuple[int, ...]) -> Number: ...

    @overload
    def __getitem__(self, at: slice) -> list[Number]: ...

    def __getitem__(self, at: int | tuple[int, ...] | slice) -> Number | list[Number]:
        """Return the value at a number, exactly; as fast as the multiplication of such numbers, but for a logarithm.

        Of a slice with an end, the list of the values, as in `a[3:10]`.
        AutomatonError for a negative number where the system has none, and unless there is a number for each variable.
        """
        if isinstance(at, slice):
            return self._between(at)
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

    def _between(self, part: slice) -> list[Number]:
        """Return the values of a slice."""
        step = 1 if part.step is None else index(part.step)
        if not step:
            raise AutomatonError("the step of a slice cannot be 0")
        if (part.stop if step > 0 else part.start) is None:
            raise AutomatonError("a sequence has no end: a slice of it needs one", hint="as in a[:10]")
        start = 0 if part.start is None else index(part.start)
        stop = -1 if part.stop is None else index(part.stop)
        if not self.system.signed and (start < 0 or (part.stop is not None and stop < 0)):
            raise AutomatonError("a sequence has no values before 0, and no end to count from")
        with spending(self.limits.start()):
            return [self[number] for number in polled(range(start, stop, step), "a slice")]

    def __iter__(self) -> Iterator[Number]:
        """Yield the values at 0, 1, 2, ..., without end; AutomatonError for several variables."""
        _ = self.system
        return (self[number] for number in naturals())

    def first(self, count: int, limits: Limits | None = None) -> list[Number]:
        """Return the first values; with one variable that is a natural number they are `a[:count]`.

        The numbers, or the tuples of several variables, are ordered as by `Relation.first`.

        Parameters:

        - count: how many
        - limits: in place of those of the sequence

        Errors: DigitError for a count that is no natural number; BudgetSpent.

        >>> n = fp.Session().counts("n", "i<n")
        >>> (n * n).first(5)
        [0, 1, 4, 9, 16]
        """
        if limits is not None:
            return self.with_limits(limits).first(count)
        count = number_of("values", count)
        if len(self.systems) == 1 and not self.system.signed:
            return self[:count]
        names = sorted(self.variables)
        order = [names.index(variable) for variable in self.variables]
        places = self._everywhere().first(count)
        with spending(self.limits.start()):
            return [self[tuple(place[each] for each in order)] for place in polled(places, "values")]

    def _everywhere(self) -> Relation:
        """Return the relation of all numbers, whose variables are in code-unit order."""
        tracks = [system.track(variable) for variable, system in zip(self.variables, self.systems, strict=True)]
        by_name = {system.name: system for system in self.systems}
        atoms = Atoms(by_name.__getitem__, {track.name: sort_of(track) for track in tracks}, UNLIMITED)
        return Relation(atoms.all_valid(sorted(self.variables)), by_name.__getitem__)

    # -- arithmetic ------------------------------------------------------------------------

    @_within_limits
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

    @_within_limits
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

    @_within_limits
    def __pow__(self, exponent: SupportsIndex) -> Series:
        """Return the sequence of the powers of the values; the power 0 is 1 everywhere, as for Python's numbers.

        AutomatonError for a negative exponent.
        """
        try:
            power = index(exponent)
        except TypeError:
            return NotImplemented
        if power < 0:
            raise AutomatonError(f"the exponent of a sequence is a natural number, not {power}")
        if not power:
            return self * 0 + 1
        # One factor after the other: the squares of a power would have larger representations on the way.
        found = self
        for _ in range(power - 1):
            found = found * self
        return found

    @_within_limits
    def __mod__(self, modulus: SupportsIndex) -> Series:
        """Return the sequence of the residues 0 <= r < m of the values, as `a[n] % m`; it has finitely many values.

        So `(a % m).word()` is an automatic word.  Fractions have residues, too, as Python's have: 5/2 % 2 is 1/2.
        AutomatonError for a modulus that is not positive; LimitError if the rows of the representation take too many
        states modulo m, or if the denominators of the values are not known to be bounded.
        """
        try:
            number = index(modulus)
        except TypeError:
            return NotImplemented
        if number < 1:
            raise AutomatonError(f"the modulus of a sequence is a positive integer, not {number}")
        return residues(self, number, MOST_STATES)

    @_within_limits
    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Series):
            return NotImplemented
        return self._indices() == other._indices() and not (self - other).dimension

    def __hash__(self) -> int:
        # Equal sequences have equal first values; their representations may differ in the basis.
        several = len(self.systems)
        return hash((self._indices(), tuple(self[(number,) * several] for number in range(_HASHED))))

    @_within_limits
    def first_nonzero(self) -> tuple[int, ...] | None:
        """Return numbers with fewest digits at which the value is not 0, one for each variable; None if there are none.

        So `(a - b).first_nonzero()` is where two sequences differ.

        >>> n = fp.Session().counts("n", "i<n")
        >>> (n * n - n).first_nonzero()
        (2,)
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

    def values(
        self, count: int | None = None, limits: Limits | None = None, *, most: int | None = None
    ) -> list[Number]:
        """Return the distinct values in the order in which they occur: so many of them, or all, proved.

        As in `Relation.values`, each number is listed once, in the order of `first`. A sequence has finitely many
        values exactly if its minimal representation has finitely many rows v M[word].

        Parameters:

        - count: how many (there may be fewer), or None for all
        - limits: in place of those of the sequence
        - most: the most rows; by default 10,000 if all values are wanted, and any number otherwise

        Errors: LimitError if there are more than `most` rows, which is no proof that there are infinitely many values;
        DigitError for a count that is no natural number; BudgetSpent.

        >>> n = fp.Session().counts("n", "i<n")
        >>> (n % 3).values(), (n * n).values(4)
        ([0, 1, 2], [0, 1, 4, 9])
        """
        if limits is not None:
            return self.with_limits(limits).values(count, most=most)
        wanted = None if count is None else number_of("values", count)
        found: dict[Number, None] = {}
        if wanted == 0:
            return []
        with spending(self.limits.start()):
            for _, value, is_number in self._rows(MOST_STATES if most is None and wanted is None else most):
                if is_number:
                    found[value] = None
                    if len(found) == wanted:
                        break
        return list(found)

    @_within_limits
    def __contains__(self, value: object) -> bool:
        """Return whether a number is a value, proved: by all values, or by the automaton of the pairs (n, a(n)).

        LimitError if the values are not known to be finitely many, and no such automaton is found.
        """
        number = _exact(value)
        if number is None:
            return False
        try:
            return any(each == number for _, each, is_number in self._rows(MOST_STATES) if is_number)
        except LimitError:
            if len(self.systems) > 1:
                raise
        pairs = synchronization(self)
        scaled = number * pairs.scale
        side = pairs.above if scaled >= 0 else pairs.below
        return scaled.denominator == 1 and not side.where(v=abs(int(scaled))).is_empty()

    @_within_limits
    def word(self, name: str = "W", most: int = MOST_STATES) -> AutomaticWord:
        """Return the word whose letters are the values, all of which are integers and finitely many.

        Parameters:

        - name: of the word
        - most: as for `values`

        Errors: LimitError as for `values`; AutomatonError for values that are no integers.

        >>> n = fp.Session().counts("n", "i<n")
        >>> (n % 3).word("R")[:8]
        [0, 1, 2, 0, 1, 2, 0, 1]
        """
        rows, outputs, _ = zip(*self._rows(most), strict=True)
        if any(output.denominator != 1 for output in outputs):
            raise AutomatonError("some values of the sequence are not integers, so they cannot be letters")
        by_name = {system.name: system for system in self.systems}
        tracks = [system.track(variable) for variable, system in zip(self.variables, self.systems, strict=True)]
        machine = build(tracks, rows, [int(output) for output in outputs])
        return automatic_word(name, machine).with_systems(by_name.__getitem__)

    @_within_limits
    def least_with(self, holds: Callable[[Number], bool]) -> int | None:
        """Return the first of the numbers with fewest digits whose value satisfies a condition; None if none does.

        LimitError as for `values`.

        >>> n = fp.Session().counts("n", "i<n")
        >>> (n % 3).least_with(lambda value: value == 2)
        2
        """
        rows, values, accepted = zip(*self._rows(MOST_STATES), strict=True)
        ends = [int(number and holds(value)) for value, number in zip(values, accepted, strict=True)]
        found = language.shortest(build([self.system.track("n")], rows, ends))
        return None if found is None else self.system.value(found[0])

    @_within_limits
    def where(self, holds: Callable[[Number], bool], most: int = MOST_STATES) -> Relation:
        """Return the relation of the numbers whose values satisfy a condition; LimitError as for `values`.

        >>> n = fp.Session().counts("n", "i<n")
        >>> (n % 3).where(lambda value: value == 2).values(3)
        [2, 5, 8]
        """
        rows, values, accepted = zip(*self._rows(most), strict=True)
        ends = [int(number and holds(value)) for value, number in zip(values, accepted, strict=True)]
        tracks = [system.track(name) for name, system in zip(self.variables, self.systems, strict=True)]
        by_name = {system.name: system for system in self.systems}
        return Relation(kernel_calls.minimize(build(tracks, rows, ends)), by_name.__getitem__)

    def _rows(self, most: int | None) -> Iterator[tuple[dict[int, int], Number, bool]]:
        """Yield the rows v M[word] with the states of the valid words that each word leads to, the first one first.

        Of each: by letter code the number of the next one, its value, and whether such a word represents numbers.
        LimitError if there are more than `most`, which may be None.
        """
        if self.dimension > MOST_MINIMIZED:
            yield from self._minimal(self.entering, self.leaving, self.parts)._rows(most)
            return
        machines = [system.valid for system in self.systems]

        def steps(at: tuple[Vector, tuple[int, ...]]) -> Iterator[tuple[int, tuple[Vector, tuple[int, ...]]]]:
            row, states = at
            # One track each, so that the code of a letter is the place of its digit.
            for moves in tuples_of(*(machine.row(state) for machine, state in zip(machines, states, strict=True))):
                code = 0
                for machine, (digit, _) in zip(machines, moves, strict=True):
                    code = code * machine.letters + digit
                yield code, (times(row, self.parts[code]), tuple(target for _, target in moves))

        too_many = LimitError(
            f"the values of this sequence take more than {most} states",
            hint="if they are finitely many at all; ask for more states",
        )
        start = (self.entering, (0,) * len(machines))
        for (row, states), found in explored(start, steps, most=inf if most is None else most, refused=too_many):
            accepted = all(machine.outputs[state] for machine, state in zip(machines, states, strict=True))
            yield found, product(row, self.leaving), accepted

    # -- sequences made of this one --------------------------------------------------------

    @_within_limits
    def subsequence(self, factor: int, start: int = 0) -> Series:
        """Return the sequence a(factor n + start).

        Parameters:

        - factor and start: natural numbers

        Errors: AutomatonError for negative numbers; LimitError where a step is too large
        (`fibprover.sequences.subsequence`): the dimension of a(pn), p a prime, is often p times that of a(n).

        >>> n = fp.Session().counts("n", "i<n")
        >>> n.subsequence(3, 1)[:4]
        [1, 4, 7, 10]
        """
        if factor < 0 or start < 0:
            raise AutomatonError(f"a({factor}n{start:+d}) has negative or decreasing indices")
        if not factor:
            return replace(constant(self.system, self[start]), variables=self.variables, limits=self.limits)
        return subsequence(self, factor, start)

    @_within_limits
    def partial_sums(self) -> Series:
        """Return the sequence a(0) + ... + a(n-1), which is 0 at 0.

        Errors: AutomatonError for a system with negative numbers.

        >>> n = fp.Session().counts("n", "i<n")
        >>> n.partial_sums()[:6]
        [0, 0, 1, 3, 6, 10]
        """
        if self.system.signed:
            raise AutomatonError(f"infinitely many numbers of {self.system.name} are less than another one")
        relation = self.system.linear((-1, 1), "<", 0)
        return self.summed(relation.with_tracks((self.system.track("n"), self.system.track("to"))))

    @_within_limits
    def convolution(self, other: Series) -> Series:
        """Return the sequence of the sums a(0) b(n) + a(1) b(n-1) + ... + a(n) b(0).

        Its dimension may be that of the product times the states of the addition, which grows fast: AutomatonError for
        a system with negative numbers; LimitError where it is too large (`fibprover.sequences.convolution`).

        >>> n = fp.Session().counts("n", "i<n")
        >>> n.convolution(n)[:6]
        [0, 0, 1, 4, 10, 20]
        """
        if self._operand(other) is None:
            raise AutomatonError(f"a convolution is one with another sequence, not with {other!r}")
        return Series(self.variables, self.systems, *convolution(self, other), self.limits)

    @_within_limits
    def summed(self, relation: Dfa, most: int | None = None) -> Series:
        """Return the sequence of the sums of a(m) over the m that a relation has for n.

        relation: an automaton of this system with the tracks n and m in this order, as inside, most significant
        digit first; most: LimitError if the sums need a greater dimension.  AutomatonError if a sum is infinite.

        >>> n = fp.Session().counts("n", "i<n")
        >>> less = n.system.linear((-1, 1), "<", 0)  # m < n
        >>> n.summed(less.with_tracks((n.system.track("n"), n.system.track("to")))) == n.partial_sums()
        True
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

    @_within_limits
    def growth(self) -> SequenceGrowth:
        """Return what sufficient criteria prove of the growth, and an estimate; the question is undecidable.

        >>> n = fp.Session().counts("n", "i<n")
        >>> print(n.growth())
        at most linear, proved: all differences are 1; like n^1.000 at large n (an estimate)
        """
        return sequence_growth(self)

    @_within_limits
    def recurrence(
        self, before: Sequence[int] = (1,), repeated: Sequence[int] = (0,), after: Sequence[int] = ()
    ) -> Recurrence:
        """Return the shortest linear recurrence of s(k) = a(n) for the n with the digits before repeated^k after.

        By default n = U_k is the weight of place k.  It is proved; DigitError for digits that the system has not.

        >>> n = fp.Session().counts("n", "i<n")
        >>> print((n * n).recurrence())
        s(k+1) = 4 s(k), s(0) = 1
        """
        return recurrence_along(self, before, repeated, after)

    @_within_limits
    def mean_values(self) -> MeanValues:
        """Return the means of a(n) over n < U_k, over base k the powers of k; exact, and proved.

        >>> n = fp.Session().counts("n", "i<n")
        >>> print(n.mean_values())
        2^k/2 - 1/2
        >>> n.mean_values()[10]
        Fraction(1023, 2)
        """
        return mean_values(self)

    @_within_limits
    def graph(self) -> Relation:
        """Return the relation of n and v with a(n) = v of a synchronized sequence of natural numbers, proved.

        Errors: LimitError if no automaton is found; AutomatonError for other values; BudgetSpent.

        >>> n = fp.Session().counts("n", "i<n")
        >>> (2 * n + 1).graph().first(3)
        [(0, 1), (1, 3), (2, 5)]
        """
        return graph(self)

    @_within_limits
    def synchronized(self) -> Synchronization:
        """Return the automata of the pairs (n, a(n)), also with n and a(n) in two numeration systems; proved.

        The growth of the values says which systems are tried (`fibprover.sequences.across`). Values may be negative,
        and fractions with one denominator.

        Errors: LimitError, with the systems that were tried, if no automaton is found; BudgetSpent.

        >>> s = fp.Session()
        >>> print(s.solve("a", "a(0)=0, a(2n)=3a(n), a(2n+1)=3a(n)+2").sequence.synchronized())
        the pairs (n, a(n)) with n in msd_2 and the values in msd_3: 1 state
        """
        return synchronization(self)

    @_within_limits
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

    def first_negative(self, limits: Limits | None = None) -> tuple[int, Number] | None:
        """Find a number that has a negative value.

        Which proofs are tried is said in `fibprover.sequences.negative_values`.

        Parameters:

        - limits: in place of those of the sequence

        Returns: the number and its value; None if there is provably no negative value.

        Errors: LimitError if neither is found; BudgetSpent.

        >>> n = fp.Session().counts("n", "i<n")
        >>> (3 - n).first_negative(), (n * n + 1).first_negative()
        ((4, -1), None)
        """
        with spending((limits or self.limits).start()):
            return first_negative(self if limits is None else self.with_limits(limits))

    # -- for other programs ----------------------------------------------------------------

    @property
    def v(self) -> NDArray[Any]:
        """The row vector: int64, or Python's numbers where they are fractions or exceed 64 bits.

        >>> n = fp.Session().counts("n", "i<n")
        >>> n.v.tolist()
        [1, 0]
        """
        return array_of(self._in_reading_order()[0])

    @property
    def w(self) -> NDArray[Any]:
        """The column vector, like `v`.

        >>> n = fp.Session().counts("n", "i<n")
        >>> n.w.tolist()
        [0, 1]
        """
        return array_of(self._in_reading_order()[1])

    @property
    def matrices(self) -> Mapping[tuple[int, ...], NDArray[Any]]:
        """The matrix of each letter, like `v`.  LimitError where they would take more than a gigabyte.

        >>> n = fp.Session().counts("n", "i<n")
        >>> n.matrices[1,].tolist()
        [[1, 1], [0, 2]]
        """
        parts = dense(self._in_reading_order()[2])
        shape = self.dimension, self.dimension
        flat = ([entry for row in rows for entry in row] for rows in parts)
        return {letter: array_of(each).reshape(shape) for letter, each in zip(self.letters, flat, strict=True)}

    def to_pandas(self, count: int) -> Any:
        """Return the first values as a DataFrame: a column for each variable, and one, `value`, of Python's numbers.

        NotInstalled without pandas; DigitError for a count that is no natural number; BudgetSpent.

        >>> fp.Session().counts("n", "i<n").to_pandas(3)["value"].tolist()
        [0, 1, 2]
        """
        names = sorted(self.variables)
        rows = self._everywhere().first(number_of("values", count))
        columns: dict[str, list[Any]] = {name: [row[place] for row in rows] for place, name in enumerate(names)}
        columns["value" if "value" not in names else "value_"] = self.first(count)
        return library("pandas", "pandas").DataFrame(columns, dtype=object)

    def to_sympy(self) -> tuple[Any, dict[tuple[int, ...], Any], Any]:
        """Return v, the matrix of each letter, and w as matrices of SymPy, exactly; NotInstalled without SymPy.

        >>> v, matrices, w = fp.Session().counts("n", "i<n").to_sympy()
        >>> v * matrices[1,] * matrices[0,] * w
        Matrix([[2]])
        """
        sympy = library("sympy", "sympy")
        row, column, parts = self._in_reading_order()

        def exact(rows: Sequence[Vector]) -> Any:
            return sympy.Matrix([[sympy.Rational(x.numerator, x.denominator) for x in each] for each in rows])

        matrices = {letter: exact(each) for letter, each in zip(self.letters, dense(parts), strict=True)}
        return exact([row]), matrices, exact([(entry,) for entry in column])

    def text(self, form: str) -> str:
        """Return v, w and the matrices for another program, in the order of reading; form: mpl, m, wl, sage or json.

        >>> n = fp.Session().counts("n", "i<n")
        >>> n.text("sage").splitlines()[0]
        '# v times the matrices of the digits of n, in the order of reading, times w'
        """
        system_names = [system.name for system in self.systems]
        return representation_text(form, self.variables, system_names, self.letters, self._in_reading_order())

    def write(self, path: str | Path) -> Path:
        """Write `text` to a file in the form that its suffix names; FileProblem for an unknown suffix.

        >>> n = fp.Session().counts("n", "i<n")
        >>> n.write("n.sage").name
        'n.sage'
        """
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
        return Series(self.variables, self.systems, *minimal(entering, leaving, parts, most), self.limits)

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


def _exact(value: object) -> Number | None:
    """Return a number of any kind, such as numpy's, as Python's; None for what is no finite real number."""
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    return Fraction(value) if isinstance(value, float) and isfinite(value) else None


def counts(relation: Relation, variables: Sequence[str], budget: Budget = UNLIMITED) -> Series:
    """Return how many values of all other variables of a relation complete values of these; see `counting`."""
    representation = count_representation(relation, variables, budget)
    tracks = {track.name: track for track in relation.automaton.tracks}
    systems = tuple(system_of(tracks[name], relation.system) for name in variables)
    return Series(tuple(variables), systems, *representation)


def constant(system: NumerationSystem, number: Number) -> Series:
    """Return the sequence with one value at all numbers of a system."""
    found = values_of_states(system.valid, (number if output else 0 for output in system.valid.outputs))
    return Series(("n",), (system,), *minimal(*found))


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
