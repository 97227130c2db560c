"""The contract of a numeration system: what the rest of the prover may ask of one.

A system writes the naturals as words over `digits`, most significant digit first; leading zeros
are allowed in automata and left out by `represent`.  Everything an automaton says about numbers
it says through `valid`, `less` and `linear`; all of them are canonical automata (minimal, states
in breadth-first order), closed under adding and removing leading all-zero letters, and inside
Valid^k.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from fibprover.automata import kernels
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.errors import AutomatonError, DigitError
from fibprover.limits import UNLIMITED, Budget
from fibprover.numeration.verify import Report

#: The relations a linear atom may have between its two sides.
RELATIONS = ("=", "!=", "<", "<=", ">", ">=")


class NumerationSystem(ABC):
    """A way to write the natural numbers in which addition and order are regular."""

    __slots__ = ()

    #: Whether the numbers are all integers; otherwise they are the naturals.
    signed: bool = False
    #: The name formulas use, such as "msd_fib".
    name: str
    #: The digits 0, 1, ..., k - 1.
    digits: tuple[int, ...]
    #: The representations of the naturals, leading zeros allowed; one track named "x".
    valid: Dfa

    @abstractmethod
    def less(self, budget: Budget = UNLIMITED) -> Dfa:
        """Lexicographic order of two valid words of one length; tracks "0" < "1"."""

    @abstractmethod
    def linear(self, coefficients: tuple[int, ...], relation: str, constant: int, budget: Budget = UNLIMITED) -> Dfa:
        """sum c_i x_i RELATION constant over the naturals; tracks "0", "1", ... in the given order.

        No coefficient may be 0 (callers drop such terms); without coefficients the result has no
        tracks and is TRUE or FALSE.  NumerationError for a zero coefficient or a relation outside
        RELATIONS, LimitError for numbers no automaton could hold, BudgetSpent by the budget.
        """

    def join_linear(
        self,
        a: Dfa,
        coefficients: tuple[int, ...],
        names: Sequence[str],
        relation: str,
        constant: int,
        budget: Budget = UNLIMITED,
    ) -> Dfa:
        """The tuples of a for which sum c_i names_i RELATION constant: a canonical automaton, tracks sorted by name.

        a: a relation; names: distinct tracks of it that hold numbers of this system, one a coefficient.
        Errors as for `linear`, and AutomatonError for names that do not fit.  A system may do without
        building the atom by itself, which can be far larger than what a leaves of it.
        """
        for name in names:
            if self.track(name) not in a.tracks:
                raise AutomatonError(f"a linear atom of {self.name} needs track {name} of that system: {a!r}")
        atom = self.linear(tuple(coefficients), relation, constant, budget).renamed(names)
        return kernels.minimize(kernels.join(a, atom, budget), budget)

    @abstractmethod
    def verify(self, budget: Budget = UNLIMITED) -> Report:
        """Whether the pieces above fit together and are what they claim to be."""

    @abstractmethod
    def represent(self, number: int) -> tuple[int, ...]:
        """The representation of a number of any size, without leading zeros: () for 0.

        Most significant digit first, as automata inside read it; `write` has the system's own order.
        """

    @abstractmethod
    def value(self, digits: Sequence[int]) -> int:
        """The number a digit word is worth, whether it is a valid representation or not; msd first."""

    def write(self, number: int) -> tuple[int, ...]:
        """The shortest representation of a number in the order in which the system is read."""
        digits = self.represent(number)
        return digits[::-1] if self.name.startswith("lsd_") else digits

    def read(self, digits: Sequence[int]) -> int:
        """The number that a digit word in the system's order of reading is worth."""
        return self.value(tuple(digits)[::-1] if self.name.startswith("lsd_") else digits)

    @abstractmethod
    def describe(self) -> str:
        """What the system is, in a few lines for people."""

    def track(self, name: str) -> Track:
        """A track holding numbers of this system."""
        return Track(name, self.digits, self.name)

    def is_valid(self, digits: Sequence[int]) -> bool:
        """Whether a digit word, leading zeros allowed, represents a number."""
        self.check_digits(digits)
        accepted = self.valid.output(digits)
        return accepted is not None and accepted != 0

    def check_digits(self, digits: Sequence[int]) -> None:
        """DigitError unless every digit is one of the system's."""
        for digit in digits:
            if not 0 <= digit < len(self.digits):
                raise DigitError(
                    f"{digit} is not a digit of {self.name}", hint=f"its digits are 0 to {len(self.digits) - 1}"
                )

    def __repr__(self) -> str:
        return f"<numeration system {self.name}>"



# ---- order
# The lexicographic order of valid words, from these words alone.

def lexicographic(system: NumerationSystem) -> Dfa:
    """The pairs of valid words of one length of which the first is smaller at the first difference; not minimal."""
    valid = system.valid
    size = len(system.digits)
    numbers: dict[tuple[int, int, bool], int] = {(0, 0, False): 0}
    pending = [(0, 0, False)]
    rows: list[dict[int, int]] = []
    outputs: list[int] = []
    for left, right, smaller in pending:
        outputs.append(1 if smaller and valid.outputs[left] and valid.outputs[right] else 0)
        row: dict[int, int] = {}
        for first, left_target in valid.row(left):
            for second, right_target in valid.row(right):
                if not smaller and first > second:
                    continue
                target = (left_target, right_target, smaller or first < second)
                if target not in numbers:
                    numbers[target] = len(pending)
                    pending.append(target)
                row[first * size + second] = numbers[target]
        rows.append(row)
    return build((system.track("0"), system.track("1")), rows, outputs)
