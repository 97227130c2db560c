"""Linear atoms: the automaton of sum c_i x_i RELATION c, straight from the remainders.

The compiled kernel knows three relations (=, !=, <), constants of moderate size and tracks in
the given order; the rest is brought to that here.  A constant too large for the kernel gets a
track of its own, on which the representation of that one number is read, and which is then
projected away.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import gcd, inf, nextafter
from typing import NamedTuple

from fibprover.automata import kernels, operations
from fibprover.automata.dfa import Dfa, build
from fibprover.errors import LimitError, NumerationError
from fibprover.limits import Budget
from fibprover.numeration.pisot import Growth, check_pisot, divides, growth, show
from fibprover.numeration.system import RELATIONS, NumerationSystem

#: What a kernel makes of coefficients, one of = != <, and a constant: an automaton, not minimal.
RawAtoms = Callable[[tuple[int, ...], str, int, Budget], Dfa]

#: Constants up to this absolute value go to the kernel, larger ones through a track of their own.
DIRECT_CONSTANT = 1 << 30

#: Coefficients from this absolute value on are refused: the automaton has about as many states.
LARGEST_COEFFICIENT = 1 << 31


def linear_atom(
    system: NumerationSystem,
    raw: RawAtoms,
    coefficients: tuple[int, ...],
    relation: str,
    constant: int,
    budget: Budget,
) -> Dfa:
    """The canonical automaton of sum c_i x_i RELATION constant; see `NumerationSystem.linear`."""
    if relation not in RELATIONS:
        raise NumerationError(f"{relation!r} is no relation", hint="there is " + " ".join(RELATIONS))
    if not all(coefficients):
        raise NumerationError(f"a coefficient of {coefficients} is 0; leave that variable out")
    if max(map(abs, coefficients), default=0) >= LARGEST_COEFFICIENT:
        raise LimitError(
            f"a coefficient of {max(coefficients, key=abs)} is too large for a linear atom",
            hint=f"coefficients must stay below {LARGEST_COEFFICIENT}",
        )
    coefficients, relation, constant = standard(coefficients, relation, constant)
    if not coefficients:
        return _truth(constant > 0 if relation == "<" else (constant == 0) == (relation == "="))
    if relation != "<":
        divisor = gcd(*coefficients)
        if constant % divisor:
            if relation == "=":
                return build([system.track(str(i)) for i in range(len(coefficients))], [{}], [0])
            # Always unequal.
            everything = [system.valid.renamed([f"{i:03}"]) for i in range(len(coefficients))]
            product = operations.cartesian_product(everything, budget)
            return product.renamed([str(i) for i in range(len(coefficients))])
        coefficients, constant = tuple(c // divisor for c in coefficients), constant // divisor
    else:
        divisor = gcd(*coefficients)
        coefficients, constant = tuple(c // divisor for c in coefficients), -(-constant // divisor)
    if abs(constant) <= DIRECT_CONSTANT:
        return kernels.minimize(raw(coefficients, relation, constant, budget), budget)
    return _with_constant_track(system, raw, coefficients, relation, constant, budget)


def standard(coefficients: tuple[int, ...], relation: str, constant: int) -> tuple[tuple[int, ...], str, int]:
    """The same constraint with one of the relations =, !=, <."""
    if relation in (">", ">="):
        coefficients, constant = tuple(-c for c in coefficients), -constant
        relation = "<" if relation == ">" else "<="
    if relation == "<=":
        return coefficients, "<", constant + 1
    return coefficients, relation, constant


def _with_constant_track(
    system: NumerationSystem,
    raw: RawAtoms,
    coefficients: tuple[int, ...],
    relation: str,
    constant: int,
    budget: Budget,
) -> Dfa:
    """sum c_i x_i - (sign of c) z RELATION 0 and z = |c|, with z projected away."""
    width = len(str(len(coefficients)))
    names = [str(index).zfill(width) for index in range(len(coefficients))]
    widened = (*coefficients, -1 if constant > 0 else 1)
    # "z" sorts behind the digits, so a join leaves the tracks in the given order.
    atom = kernels.minimize(raw(widened, relation, 0, budget), budget).renamed([*names, "z"])
    joined = kernels.join(atom, constant_word(system, abs(constant), "z"), budget)
    result = kernels.minimize(kernels.project(joined, ["z"], budget), budget)
    return result.renamed([str(index) for index in range(len(coefficients))])


def constant_word(system: NumerationSystem, number: int, name: str) -> Dfa:
    """The automaton of track = number: a chain of its digits, behind leading zeros."""
    digits = system.represent(number)
    rows = [{digit: index + 1} for index, digit in enumerate(digits)] + [{}]
    # The first digit is not 0, so the loop for leading zeros leaves the automaton deterministic.
    rows[0][0] = 0
    return build([system.track(name)], rows, [0] * len(digits) + [1])


def _truth(value: bool) -> Dfa:
    """TRUE or FALSE: no tracks, one state."""
    return build([], [{0: 0}], [1]) if value else build([], [{}], [0])



# ---- remainder
# Remainders of a linear recurrence: what has been read so far, with an unknown number of digits to come.
#
# A remainder is an integer vector r that stands for sum r_j U_{t+j}, t being the number of digits
# still to come.  Reading one more digit turns t into t - 1 and the vector into `step(r, digit)`.
# Whether such a value, plus a constant, is positive for every t is decided exactly: term by term
# for small t, and by the dominant root, with certified errors, from some t on.

Vector = tuple[int, ...]

#: Digits above this number are refused: an alphabet of that size has no use here.
MOST_DIGITS = 1 << 16


#: Terms up to this size are handed to the compiled atoms.
LARGEST_TERM = 1 << 61


class Constants(NamedTuple):
    """What the compiled atoms know of a recurrence, as read-only arrays of `q` and `d`.

    feedback: (q_d, ..., q_1); terms: U_0, U_1, ... as far as LARGEST_TERM; powers: beta^j to the
    nearest double; spread: Growth.spread, rounded up.
    """

    feedback: memoryview[int]
    terms: memoryview[int]
    powers: memoryview[float]
    spread: memoryview[float]


@dataclass(frozen=True, slots=True)
class Recurrence:
    """U_{t+d} = q_1 U_{t+d-1} + ... + q_d U_t with U_0 = 1, U increasing, of Pisot type.

    coefficients: (q_1, ..., q_d), the nearest term first; initial: (U_0, ..., U_{d-1}).
    transient: how many times x divides the characteristic polynomial; constants: the same facts
    for the compiled atoms.
    """

    coefficients: Vector
    initial: Vector
    growth: Growth
    transient: int
    constants: Constants = field(compare=False, repr=False)

    @property
    def order(self) -> int:
        """The order d."""
        return len(self.coefficients)

    @property
    def polynomial(self) -> Vector:
        """The characteristic polynomial, constant term first, monic."""
        return (*(-q for q in reversed(self.coefficients)), 1)

    def terms(self, count: int) -> list[int]:
        """U_0, ..., U_{count-1}."""
        values: list[int] = []
        for term, _ in zip(self.walk(), range(count), strict=False):
            values.append(term[0])
        return values

    def walk(self) -> Iterator[Vector]:
        """The windows (U_t, ..., U_{t+d-1}) for t = 0, 1, ..., without end."""
        window = self.initial
        while True:
            yield window
            following = sum(q * u for q, u in zip(self.coefficients, reversed(window), strict=True))
            window = (*window[1:], following)

    def zero(self) -> Vector:
        """The remainder before anything is read."""
        return (0,) * self.order

    def step(self, remainder: Vector, weight: int) -> Vector:
        """The remainder after one more letter of this weight (sum of coefficient times digit)."""
        top = remainder[-1]
        shifted = (weight, *remainder[:-1])
        return tuple(r + q * top for r, q in zip(shifted, reversed(self.coefficients), strict=True))

    def final(self, remainder: Vector) -> int:
        """The value of a remainder with no digit to come."""
        return sum(r * u for r, u in zip(remainder, self.initial, strict=True))

    def vanishes(self, vector: Sequence[int]) -> bool:
        """Whether sum v_j U_{t+j} is 0 for every t past the transient terms."""
        return divides(self.polynomial[self.transient :], vector)

    def always_positive(self, vector: Sequence[int], constant: int) -> bool:
        """Whether sum v_j U_{t+j} + constant > 0 for every t >= 0.

        True is a proof, and so is False except where the precision of `growth` is exhausted
        (vectors with entries of some fifty digits), when False means "not known".
        """
        low, high = self.growth.rho(vector)
        error = self.growth.error(vector) + (abs(constant) << self.growth.bits)
        vanishing = low <= 0 <= high and self.vanishes(vector)
        for t, window in enumerate(self.walk()):
            if sum(v * u for v, u in zip(vector, window, strict=True)) + constant <= 0:
                return False
            if vanishing:
                if t >= self.transient:
                    return True
            elif low <= 0:
                return False
            elif low * window[0] > error:
                # U increases, so the dominant part outweighs the error from here on.
                return True
        raise AssertionError("a walk has no end")


def recurrence(coefficients: Sequence[int], initial: Sequence[int]) -> Recurrence:
    """A checked recurrence; NumerationError, with the reason, if no numeration system comes of it.

    Needs U_0 = 1, U increasing, and a characteristic polynomial that is the minimal polynomial
    of a Pisot number, possibly times a power of x.
    """
    q, u = tuple(coefficients), tuple(initial)
    if not q or len(q) != len(u):
        raise NumerationError(f"{len(q)} coefficients need as many initial terms, not {len(u)}")
    if u[0] != 1:
        raise NumerationError(f"the first term must be 1, not {u[0]}: otherwise not every number has a representation")
    if any(a >= b for a, b in pairwise(u)):
        raise NumerationError(f"the terms must increase, and {', '.join(map(str, u))} do not")
    transient = next((index for index, value in enumerate(reversed(q)) if value), len(q))
    if transient == len(q):
        raise NumerationError("all coefficients are 0, so the terms do not increase")
    polynomial = (*(-value for value in reversed(q)), 1)
    check_pisot(polynomial[transient:])
    found = growth(polynomial, u)
    result = Recurrence(q, u, found, transient, _constants(q, u, found))
    _check_increasing(result)
    return result


def _constants(coefficients: Vector, initial: Vector, found: Growth) -> Constants:
    """The arrays for the compiled atoms; LimitError for terms or coefficients that do not fit them."""
    if max(map(abs, coefficients)) >= MOST_DIGITS or initial[-1] > LARGEST_TERM:
        raise LimitError("the coefficients or initial terms of this recurrence are too large")
    order = len(coefficients)
    terms = list(initial)
    while True:
        following = sum(q * u for q, u in zip(coefficients, reversed(terms[-order:]), strict=True))
        # Terms that do not increase are refused later; here they only must not go on for ever.
        if following > LARGEST_TERM or following <= terms[-1]:
            break
        terms.append(following)
    one = 1 << found.bits
    powers = array("d", [low / one for low, _ in found.powers])
    spread = array("d", [nextafter(value / one, inf) for value in found.spread])
    return Constants(
        memoryview(array("q", reversed(coefficients))).toreadonly(),
        memoryview(array("q", terms)).toreadonly(),
        memoryview(powers.tobytes()).cast("d"),
        memoryview(spread.tobytes()).cast("d"),
    )


def _check_increasing(system: Recurrence) -> None:
    """Refuses terms that do not increase for ever.

    Once (beta - 1) U_t exceeds the error bound for U_{t+1} - beta U_t, the next term is larger,
    and then the same holds for it; until then the terms are compared one by one.
    """
    order, bits = system.order, system.growth.bits
    previous = 0
    for window in system.walk():
        if window[0] <= previous:
            polynomial = show(system.polynomial)
            raise NumerationError(
                f"the terms of {polynomial} from {', '.join(map(str, system.initial))} do not increase:"
                f" {previous} is followed by {window[0]}"
            )
        previous = window[0]
        if order == 1:
            return  # the only coefficient is above 1, or the Pisot test had refused it
        if (system.growth.powers[1][0] - (1 << bits)) * window[0] > system.growth.spread[1]:
            return



# ---- lazy
# Linear atoms joined to an automaton without being built: what is left of them is remainders beside its states.
#
# Built by itself, an atom pairs every remainder with a validity state of every track; from four or
# five tracks on that is by far the largest automaton of a formula, and most of it is cut away by the
# first join.

def join_linear(
    system: NumerationSystem,
    constants: Constants,
    a: Dfa,
    coefficients: tuple[int, ...],
    names: Sequence[str],
    relation: str,
    constant: int,
    budget: Budget,
) -> Dfa:
    """The tuples of a for which sum c_i names_i RELATION constant; see `NumerationSystem.join_linear`."""
    usual = relation in RELATIONS and coefficients and all(0 < abs(c) < LARGEST_COEFFICIENT for c in coefficients)
    if usual:
        divisor = gcd(*coefficients)
        plain, kind, bound = standard(coefficients, relation, constant)
        divisible = kind == "<" or bound % divisor == 0
        # Rounded up: sum < bound means that the sum, a multiple of the divisor, is below that.
        bound = -(-bound // divisor)
        if divisible and abs(bound) <= DIRECT_CONSTANT:
            plain = tuple(c // divisor for c in plain)
            raw = kernels.join_linear(a, system.valid, plain, kind, bound, constants, names, budget)
            return kernels.minimize(raw, budget)
    # What is no constraint, or a trivial one, or needs a track for its constant.
    return NumerationSystem.join_linear(system, a, coefficients, names, relation, constant, budget)
