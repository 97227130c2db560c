"""The interface of numeration systems, and the code that all of them share.

A system writes the naturals (or all integers) as words over `digits`.  Inside, every automaton reads
words most significant digit first, whatever the digit order of the system is; leading zeros are allowed
in automata and left out by `represent`.  An automaton knows numbers only by `valid`, `less` and `linear`;
all of them are canonical automata (minimal, states in breadth-first order), closed under adding and
removing leading all-zero letters, and inside Valid^k.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, Self

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, Track, build_from, explored
from fibprover.automata.digit_order import to_reading_order
from fibprover.base.errors import AutomatonError, DigitError
from fibprover.base.limits import UNLIMITED, Budget, poll
from fibprover.base.names import system_name
from fibprover.base.values import display_module
from fibprover.base.wording import plural
from fibprover.numeration.linear import linear_atom, linear_range
from fibprover.numeration.verify import Verification, verify
from fibprover.numeration.weights import LinearRecurrence, Weights

#: Lengths of words that `verify` counts.
CHECKED_LENGTHS = 40


class ContinuedFraction(NamedTuple):
    """An ultimately periodic continued fraction [0; a_1, a_2, ...]; the preperiod begins with a_1."""

    preperiod: tuple[int, ...]
    period: tuple[int, ...]

    def __str__(self) -> str:
        period = ", ".join(map(str, self.period))
        return "[0; " + ", ".join([*map(str, self.preperiod), f"({period})"]) + "]"


class NumerationSystem(ABC):
    """A way to write the natural numbers in which addition and order are regular."""

    __slots__ = ()

    #: The name that formulas use, such as "msd_fib".
    name: str
    #: The digits 0, 1, ..., k - 1.
    digits: tuple[int, ...]
    #: The representations of the numbers, leading zeros allowed; one track named "x".
    valid: Dfa
    #: Whether the numbers are all integers; otherwise they are the naturals.
    signed: bool = False
    #: Whether users read and write words least significant digit first.
    lsd_first: bool = False
    #: The linear recurrence of the weights U_0, U_1, ... of the digits, if one recurrence holds for all of them.
    recurrence: LinearRecurrence | None = None
    #: The continued fraction that defines an Ostrowski system.
    continued_fraction: ContinuedFraction | None = None
    #: The track of the parameter, if the system is a family: numbers mean something at one parameter only.
    parameter: Track | None = None
    #: The fingerprint of a system that a session or a file defines; empty for the built-in ones (`identified`).
    identity: str = ""

    @property
    def msd_first(self) -> NumerationSystem:
        """The system with the same numbers that is read most significant digit first."""
        return self

    @property
    def integer_base(self) -> int | None:
        """The base where the weights of the digits are its powers (-k in base -k), None in other systems."""
        if self.recurrence is None or self.recurrence.order > 1:
            return None
        return self.recurrence.coefficients[0]

    def less(self, budget: Budget = UNLIMITED) -> Dfa:
        """Return the order of two valid words of one length, by their first difference; tracks "0" < "1"."""
        return lexicographic_order(self, budget)

    def linear(self, coefficients: tuple[int, ...], relation: str, constant: int, budget: Budget = UNLIMITED) -> Dfa:
        """Return sum c_i x_i RELATION constant; tracks "0", "1", ... in the given order.

        No coefficient may be 0 (callers drop such terms); without coefficients the result has no
        tracks and is TRUE or FALSE.  Raises NumerationError for a zero coefficient or a relation outside RELATIONS,
        LimitError for numbers that no automaton could hold, and BudgetSpent when the budget is spent.
        """
        return linear_atom(self, tuple(coefficients), relation, constant, budget)

    def between(self, coefficients: tuple[int, ...], least: int, most: int, budget: Budget = UNLIMITED) -> Dfa:
        """Return least <= sum c_i x_i <= most; tracks and errors as for `linear`."""
        return linear_range(self, tuple(coefficients), least, most, budget)

    @abstractmethod
    def reduced_atom(self, coefficients: tuple[int, ...], relation: str, constant: int, budget: Budget) -> Dfa:
        """Return an atom whose relation is =, != or < and whose constant is at most MOST_CONSTANT; need not be minimal.

        There is a coefficient, and none is 0.  Called by `linear`, which brings all other atoms to this form.
        """

    def reduced_range(self, coefficients: tuple[int, ...], least: int, most: int, budget: Budget) -> Dfa | None:
        """Return least <= sum c_i x_i <= most, where least < most, need not be minimal; otherwise as `reduced_atom`.

        None if the system knows no better way than to join both inequalities.
        """
        return None

    def solvable(
        self, kept: Sequence[int], lost: Sequence[int], constant: int, budget: Budget = UNLIMITED
    ) -> Dfa | None:
        """Return E y . sum kept_i x_i + sum lost_j y_j = constant, canonical, tracks "0", "1", ... for the x_i.

        None if the equation is small, or the system knows no better way than to build it and to project.  No
        coefficient may be 0, and there is one of each kind.
        """
        return None

    def join_linear(
        self,
        a: Dfa,
        coefficients: tuple[int, ...],
        names: Sequence[str],
        relation: str,
        constant: int,
        budget: Budget = UNLIMITED,
    ) -> Dfa:
        """Return the tuples of a with sum c_i names_i RELATION constant: canonical, tracks sorted by name.

        a: a relation; names: distinct tracks of it that hold numbers of this system, one a coefficient.
        Errors as for `linear`, and AutomatonError for names that do not fit.  A system may avoid building
        the atom, which can be far larger than the result.
        """
        for name in names:
            if self.track(name) not in a.tracks:
                raise AutomatonError(f"a linear atom of {self.name} needs track {name} of that system: {a!r}")
        atom = self.linear(tuple(coefficients), relation, constant, budget).renamed(names)
        return kernel_calls.minimize(kernel_calls.join(a, atom, budget), budget)

    def verify(self, budget: Budget = UNLIMITED) -> Verification:
        """Check the system by operations on automata alone; see `fibprover.numeration.verify`."""
        return verify(
            self.valid,
            self.less(budget),
            lambda coefficients, relation, constant: self.linear(coefficients, relation, constant, budget),
            self.word_counts(CHECKED_LENGTHS),
            budget,
            signed=self.signed,
        )

    @abstractmethod
    def word_counts(self, lengths: int) -> list[int]:
        """Return how many valid words of length 0, 1, ..., lengths - 1 the definition of the system demands."""

    @abstractmethod
    def represent(self, number: int) -> tuple[int, ...]:
        """Return the representation of a number of any size without leading zeros: () for 0.

        Most significant digit first, as automata inside read it; `write` has the digit order of the system.
        """

    @abstractmethod
    def value(self, digits: Sequence[int]) -> int:
        """Return the value of a digit word, most significant digit first, valid or not where that has a meaning."""

    def short_weights(self) -> Sequence[int]:
        """Return the weights of the last places, the last one first: as many as words have that fit into 64 bits.

        Every word of so many digits is worth less than 2^63 in absolute value; () if the digits have no weights.
        """
        return ()

    def write(self, number: int) -> tuple[int, ...]:
        """Return the shortest representation of a number in the digit order of the system."""
        digits = self.represent(number)
        return digits[::-1] if self.lsd_first else digits

    def read(self, digits: Sequence[int]) -> int:
        """Return the value of a digit word in the digit order of the system."""
        return self.value(tuple(digits)[::-1] if self.lsd_first else digits)

    @abstractmethod
    def describe(self) -> str:
        """Return a description in a few lines for users."""

    def latex(self) -> str:
        """Return the description as a part of a LaTeX document that needs amsmath and amssymb.

        >>> fp.system_named("msd_fib").latex().split(";")[0].split(". ")[1]
        '$U[t] = U[t-1] + U[t-2]$'
        """
        return str(display_module().latex(self))

    def track(self, name: str) -> Track:
        """Return a track that holds numbers of this system."""
        return Track(name, self.digits, self.name, identity=self.identity)

    def values(self, name: str) -> Dfa:
        """Return all numbers, on a track of this name: beside it there is the parameter if the system is a family."""
        return self.valid.renamed([name])

    @abstractmethod
    def with_identity(self, identity: str) -> Self:
        """Return the same system with another identity, which the tracks of all its automata carry."""

    def is_valid(self, digits: Sequence[int]) -> bool:
        """Return whether a digit word, leading zeros allowed, represents a number."""
        self.check_digits(digits)
        accepted = self.valid.output(digits)
        return accepted is not None and accepted != 0

    def check_digits(self, digits: Sequence[int]) -> None:
        """Raise DigitError unless all these are digits of the system."""
        for digit in digits:
            if not 0 <= digit < len(self.digits):
                raise DigitError(
                    f"{digit} is not a digit of {self.name}", hint=f"its digits are 0 to {len(self.digits) - 1}"
                )

    def __repr__(self) -> str:
        return f"<numeration system {self.name}>"


class PositionalSystem(NumerationSystem):
    """A system with weights: a digit at position t, counted from the last digit, is worth that digit times U_t."""

    __slots__ = ()

    @property
    @abstractmethod
    def weights(self) -> Weights:
        """The weights U_0, U_1, ..."""

    def value(self, digits: Sequence[int]) -> int:
        """Return the value of a digit word, valid or not; raises DigitError for a foreign digit."""
        self.check_digits(digits)
        short = self.short_weights()
        weights: Iterable[int] = short if len(digits) <= len(short) else self.weights.walk()
        return sum(digit * weight for digit, weight in zip(reversed(digits), weights, strict=False))

    def short_weights(self) -> Sequence[int]:
        """Return the weights of the last places; see `NumerationSystem.short_weights`."""
        return _short_weights(self)

    def describe_words(self) -> str:
        """Return the line of `describe` about the digits and the valid words."""
        return (
            f"digits 0 to {len(self.digits) - 1}; valid words: {plural(self.valid.states, 'state')},"
            f" {plural(self.valid.transitions, 'transition')}"
        )


@lru_cache(maxsize=256)
def _short_weights(system: PositionalSystem) -> tuple[int, ...]:
    """Return `short_weights`, which are computed once: every witness and every list of numbers is decoded by them."""
    found: list[int] = []
    most = 0
    for weight in system.weights.walk():
        most += (len(system.digits) - 1) * abs(weight)
        if most >= 1 << 63:
            break
        found.append(weight)
    return tuple(found)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LsdSystem(NumerationSystem):
    """The numbers of the system `base`, read least significant digit first; made by `lsd_system`.

    Automata read most significant digit first (`fibprover.automata.digit_order`), so atoms and valid words are
    those of the base under another name.
    """

    name: str
    digits: tuple[int, ...]
    valid: Dfa
    base: NumerationSystem
    signed: bool = False
    recurrence: LinearRecurrence | None = None
    continued_fraction: ContinuedFraction | None = None
    lsd_first: bool = True
    identity: str = ""

    @property
    def msd_first(self) -> NumerationSystem:
        """The system with the same numbers that is read most significant digit first."""
        return self.base

    def less(self, budget: Budget = UNLIMITED) -> Dfa:
        """Return the order of two valid words of one length; see `NumerationSystem.less`."""
        return self._renamed(self.base.less(budget))

    def linear(self, coefficients: tuple[int, ...], relation: str, constant: int, budget: Budget = UNLIMITED) -> Dfa:
        """Return sum c_i x_i RELATION constant; see `NumerationSystem.linear`."""
        return self._renamed(self.base.linear(coefficients, relation, constant, budget))

    def between(self, coefficients: tuple[int, ...], least: int, most: int, budget: Budget = UNLIMITED) -> Dfa:
        """Return least <= sum c_i x_i <= most; see `NumerationSystem.between`."""
        return self._renamed(self.base.between(coefficients, least, most, budget))

    def reduced_atom(self, coefficients: tuple[int, ...], relation: str, constant: int, budget: Budget) -> Dfa:
        """Return the atom of the base; see `NumerationSystem.reduced_atom`."""
        return self._renamed(self.base.reduced_atom(coefficients, relation, constant, budget))

    def solvable(
        self, kept: Sequence[int], lost: Sequence[int], constant: int, budget: Budget = UNLIMITED
    ) -> Dfa | None:
        """Return the projection that the base knows; see `NumerationSystem.solvable`."""
        found = self.base.solvable(kept, lost, constant, budget)
        return None if found is None else self._renamed(found)

    def with_identity(self, identity: str) -> LsdSystem:
        """Return the same system with another identity; see `NumerationSystem.with_identity`."""
        return lsd_system(self.base.with_identity(identity))

    def _renamed(self, automaton: Dfa) -> Dfa:
        return automaton.with_tracks(tuple(track._replace(system=self.name) for track in automaton.tracks))

    def verify(self, budget: Budget = UNLIMITED) -> Verification:
        """Check the base, and that reversing an automaton twice gives the same automaton."""
        adder = self.linear((1, 1, -1), "=", 0, budget)
        checks = []
        for what, automaton in (("valid words", self.valid), ("the adder", adder)):
            once = to_reading_order(automaton, budget)
            twice = kernel_calls.minimize(kernel_calls.reverse(once, budget), budget)
            checks.append((f"reversing {what} twice gives the same automaton", twice == automaton))
        return Verification((*self.base.verify(budget).checks, *checks))

    def word_counts(self, lengths: int) -> list[int]:
        """Return how many valid words of each length there are, as in the base."""
        return self.base.word_counts(lengths)

    def represent(self, number: int) -> tuple[int, ...]:
        """Return the representation in the base, most significant digit first."""
        return self.base.represent(number)

    def value(self, digits: Sequence[int]) -> int:
        """Return the value in the base, most significant digit first."""
        return self.base.value(digits)

    def short_weights(self) -> Sequence[int]:
        """Return the weights of the base; see `NumerationSystem.short_weights`."""
        return self.base.short_weights()

    def describe(self) -> str:
        """Return the description of the base after a line on the digit order."""
        first, _, rest = self.base.describe().partition("\n")
        return f"{self.name}: {self.base.name} read least significant digit first\n  {first}\n{rest}"


def lsd_system(base: NumerationSystem) -> LsdSystem:
    """Return the system of the numbers of an msd system, read least significant digit first."""
    name = system_name(base.name).reversed().full
    valid = base.valid.with_tracks((base.valid.tracks[0]._replace(system=name),))
    return LsdSystem(
        name, base.digits, valid, base, base.signed, base.recurrence, base.continued_fraction, identity=base.identity
    )


def system_of(track: Track, system: Callable[[str], NumerationSystem]) -> NumerationSystem:
    """Return the system of a track that holds numbers.

    Raises AutomatonError if the one with its name is another one.
    """
    found = system(track.system)
    if found.identity != track.identity:
        raise AutomatonError(
            f"{track.name} is in a numeration system {track.system} that differs from the one of this name here"
        )
    return found


def with_identity(automaton: Dfa, identity: str) -> Dfa:
    """Return the automaton with this identity on all tracks that hold numbers."""
    return automaton.with_tracks(
        tuple(track._replace(identity=identity) if track.system else track for track in automaton.tracks)
    )


#: How many hexadecimal digits of the fingerprint are the identity of a system.
IDENTITY_DIGITS = 16


def identified(system: NumerationSystem, budget: Budget = UNLIMITED) -> NumerationSystem:
    """Return the system with the identity that its words, adder and order give it, unless it has one.

    Systems that write all numbers alike have equal identities, whatever their names and definitions are.
    """
    if system.identity:
        return system
    from hashlib import sha256  # loads OpenSSL: 3 ms, which few commands need

    digest = sha256(f"{len(system.digits)} {system.signed}".encode())
    for automaton in (system.valid, system.linear((1, 1, -1), "=", 0, budget), system.less(budget)):
        for part in (automaton.offsets, automaton.codes, automaton.targets, automaton.outputs):
            digest.update(len(part).to_bytes(8, "little"))
            digest.update(part)
    return system.with_identity(digest.hexdigest()[:IDENTITY_DIGITS])


def lexicographic_order(system: NumerationSystem, budget: Budget = UNLIMITED) -> Dfa:
    """Return the pairs of valid words of one length whose first word is smaller at the first difference; canonical."""
    tracks = (system.track("0"), system.track("1"))
    return kernel_calls.minimize(by_first_difference(system.valid, tracks, len(system.digits)), budget)


def by_first_difference(words: Dfa, tracks: Sequence[Track], size: int, *, alternating: bool = False) -> Dfa:
    """Return the pairs of words of one length whose first word is smaller at the first difference; not minimal.

    words: over letters phase * size + digit, where the phase is 0 in systems without phases; both words of a
    pair have the same phases.  tracks: those of the result: the phase, unless there is one phase only, and the
    two digits.  alternating: at odd phases the smaller digit makes the larger number.
    """
    letters = [[(*divmod(code, size), target) for code, target in words.row(state)] for state in range(words.states)]

    def steps(pair: tuple[int, int, bool]) -> Iterator[tuple[int, tuple[int, int, bool]]]:
        left, right, smaller = pair
        for phase, first, left_target in letters[left]:
            poll("the order of words")
            for other_phase, second, right_target in letters[right]:
                below = first > second if alternating and phase % 2 else first < second
                if other_phase == phase and (smaller or below or first == second):
                    target = (left_target, right_target, smaller or below)
                    yield (phase * size + first) * size + second, target

    def output(pair: tuple[int, int, bool]) -> int:
        left, right, smaller = pair
        return bool(smaller and words.outputs[left] and words.outputs[right])

    return build_from(tracks, explored((0, 0, False), steps), output)
