"""The family of all Ostrowski numeration systems: one system for every irrational slope at once.

The slope alpha = [0; a_1, a_2, ...] is a track of its own, the parameter.  It holds a beginning a_1, ..., a_k, most
significant position first, each partial quotient in binary: its first bit, a 1, is written 2, so that blocks need no
separator, and partial quotients need no bound.  A number is a track of bits below: its Ostrowski digit b_j <= a_j in
the block of a_j.  Zeros may come first on all tracks together.  Valid are the numbers below q_k: b_j = a_j only if
b_{j-1} = 0, and b_1 < a_1 (A. Ostrowski, Abh. Math. Sem. Hamburg 1, 1922).  That one automaton serves for all slopes is
due to P. Hieronymi, D. Ma, R. Oei, L. Schaeffer, C. Schulz, J. Shallit, Decidability for Sturmian words (CSL 2022).

Linear atoms are built directly.  After some blocks the value is r q_k + s q_{k-1} and what the rest adds; a further
block makes this (r a_k + s + d) q_{k-1} + r q_{k-2}, where d = sum of c_i b_i, and within a block `partial` is r times
the bits of a_k that were read, plus d of the bits that were read.  The rest of k positions adds between -N (q_k - 1)
and P (q_k - 1), for the sums N and P of the negated negative and of the positive coefficients, and q_{k-1} is between
0 and q_k; a remainder whose sign these bounds decide is not continued.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import TypeAlias

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, Track, build, build_from, explored
from fibprover.base.errors import LimitError, NumerationError
from fibprover.base.limits import UNLIMITED, Budget
from fibprover.base.names import PARAMETER, system_name
from fibprover.numeration.linear import reduced_constraint
from fibprover.numeration.parameters import SLOPE_TRACK, beginnings, in_order_of
from fibprover.numeration.system import NumerationSystem
from fibprover.numeration.verify import Verification

#: The largest constant, and the largest sum of the absolute values of coefficients, of a linear atom.
MOST_CONSTANT, MOST_COEFFICIENTS = 1000, 100

#: What a method says that needs one slope.
_NO_SLOPE = "a number of msd_sturmian is written in another way for each slope"
_HINT = "choose a slope, as in relation.at(\"[0; 2, (1)]\"), or a system such as msd_ost_0_2_per_1"

#: A remainder: r, s, and the part of the block that was read; or one whose sign is decided.
_Remainder: TypeAlias = tuple[int, int, int] | str
_BEFORE: _Remainder = "before the first block"
_SETTLED: _Remainder = "settled"


def _valid_numbers(system: str, slope: Track) -> Dfa:
    """Return the numbers below q_k, for each beginning of a slope; tracks "x" and the slope."""

    def steps(state: tuple[bool, bool] | None) -> Iterator[tuple[int, tuple[bool, bool] | None]]:
        if state is None:
            yield 0, None
        for bit, quotient in product((0, 1), (0, 1, 2)):
            if state is None:
                full, below = False, False
                if quotient != 2:
                    continue
            else:
                full, below = state
                if quotient == 2:
                    full, below = not below, False
            own = 1 if quotient else 0
            if (full and bit) or (not below and bit > own):
                continue
            yield 3 * bit + quotient, (full, below or bit < own)

    tracks = (Track("x", (0, 1), system), slope)
    return kernel_calls.minimize(build_from(tracks, explored(None, steps), lambda state: int(bool(state and state[1]))))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SturmianSystem(NumerationSystem):
    """The Ostrowski systems of all slopes between 0 and 1; each automaton has the slope as its last track."""

    name: str
    digits: tuple[int, ...]
    valid: Dfa
    parameter: Track
    lsd_first: bool = False

    def values(self, name: str) -> Dfa:
        """Return the numbers, on a track of this name, with the beginnings of slopes that they belong to."""
        return self.valid.renamed([name, PARAMETER])

    def less(self, budget: Budget = UNLIMITED) -> Dfa:
        """Return the order of two numbers; see `NumerationSystem.less`."""
        return self.linear((1, -1), "<", 0, budget)

    def linear(self, coefficients: tuple[int, ...], relation: str, constant: int, budget: Budget = UNLIMITED) -> Dfa:
        """Return sum c_i x_i RELATION constant for all slopes; see `NumerationSystem.linear`."""
        names = [str(index).zfill(3) for index in range(len(coefficients))]
        tracks = [*(self.track(name) for name in names), self.parameter]
        reduced = reduced_constraint(tuple(coefficients), relation, constant)
        if reduced is False:
            found = build(tracks, [{}], [0])
        elif reduced is True:
            found = beginnings(self.parameter)
        else:
            if abs(reduced[2]) > MOST_CONSTANT or sum(map(abs, reduced[0])) > MOST_COEFFICIENTS:
                raise LimitError(
                    "this equation or inequality has too large numbers for all slopes at once",
                    hint=f"constants may be at most {MOST_CONSTANT}, and coefficients {MOST_COEFFICIENTS} together: "
                    "the automaton has about as many states as their square",
                )
            found = kernel_calls.minimize(self.reduced_atom(*reduced, budget), budget)
        for name in names:
            found = kernel_calls.minimize(kernel_calls.join(found, self.values(name), budget), budget)
        return found.renamed([*(str(index) for index in range(len(coefficients))), PARAMETER])

    def reduced_atom(self, coefficients: tuple[int, ...], relation: str, constant: int, budget: Budget) -> Dfa:
        """Return the atom, of which words that are no numbers may be a part; see `NumerationSystem.reduced_atom`."""
        positive = sum(c for c in coefficients if c > 0)
        negative = sum(-c for c in coefficients if c < 0)
        letters = [
            (3 * place, sum(c for c, bit in zip(coefficients, bits, strict=True) if bit))
            for place, bits in enumerate(product((0, 1), repeat=len(coefficients)))
        ]

        def continued(state: tuple[int, int, int]) -> _Remainder | None:
            """Return a remainder, or what is known of its sign however the word goes on."""
            r, s, partial = state
            low, high = partial + s + min(0, r), partial + s + max(0, r)
            if partial + min(0, r) >= negative and low >= max(negative, constant + 1):
                return _SETTLED if relation == "!=" else None
            if partial + max(0, r) <= -positive and high <= min(-positive, constant - 1):
                return None if relation == "=" else _SETTLED
            return state

        def steps(state: _Remainder) -> Iterator[tuple[int, _Remainder]]:
            if isinstance(state, str) and state == _SETTLED:
                yield from ((code + quotient, state) for code, _ in letters for quotient in (0, 1, 2))
                return
            if isinstance(state, str):
                yield 0, state
            r, s, partial = (0, 0, 0) if isinstance(state, str) else state
            for code, added in letters:
                after = continued((partial + s, r, partial + s + added))
                if after is not None:
                    yield code + 2, after
                for bit in () if isinstance(state, str) else (0, 1):
                    after = continued((r, s, 2 * partial + r * bit + added))
                    if after is not None:
                        yield code + bit, after

        def accepts(state: _Remainder) -> int:
            if isinstance(state, str):
                return int(state == _SETTLED)
            value = state[2] + state[1]
            return int({"=": value == constant, "!=": value != constant, "<": value < constant}[relation])

        tracks = [*(self.track(str(index).zfill(3)) for index in range(len(coefficients))), self.parameter]
        return build_from(tracks, explored(_BEFORE, steps, budget, "a linear atom"), accepts)

    def join_linear(
        self, a: Dfa, coefficients: tuple[int, ...], names: Sequence[str], relation: str, constant: int,
        budget: Budget = UNLIMITED,
    ) -> Dfa:
        """Return the tuples of a with sum c_i names_i RELATION constant; see `NumerationSystem.join_linear`."""
        atom = self.linear(coefficients, relation, constant, budget).renamed([*names, PARAMETER])
        return kernel_calls.minimize(kernel_calls.join(a, atom, budget), budget)

    def verify(self, budget: Budget = UNLIMITED) -> Verification:
        """Raise NumerationError: the tests and proofs/sturmian.py have the axioms of order and addition."""
        raise NumerationError("msd_sturmian is verified by theorems", hint="fibprover prove proofs/sturmian.py")

    def word_counts(self, lengths: int) -> list[int]:
        """Raise NumerationError: how many words there are depends on the slope."""
        raise NumerationError(_NO_SLOPE, hint=_HINT)

    def represent(self, number: int) -> tuple[int, ...]:
        """Raise NumerationError: representations depend on the slope."""
        raise NumerationError(_NO_SLOPE, hint=_HINT)

    def value(self, digits: Sequence[int]) -> int:
        """Raise NumerationError: values depend on the slope."""
        raise NumerationError(_NO_SLOPE, hint=_HINT)

    def with_identity(self, identity: str) -> SturmianSystem:
        """Return the same system: its name says all about it."""
        return self

    def describe(self) -> str:
        """Return what its numbers are."""
        return (
            f"{self.name}: Ostrowski numeration for every irrational slope [0; a_1, a_2, ...] at once\n"
            "  formulas have a slope in common, and closed ones an answer for each slope\n"
            f"  valid words, with the beginning of a slope: {self.valid.states} states"
        )


@lru_cache(maxsize=2)
def sturmian_system(full: str) -> SturmianSystem:
    """Return the family of all slopes; full: msd_sturmian or lsd_sturmian."""
    slope = in_order_of(SLOPE_TRACK, full)
    return SturmianSystem(full, (0, 1), _valid_numbers(full, slope), slope, system_name(full).lsd_first)
