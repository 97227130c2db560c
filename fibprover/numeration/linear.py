"""Linear atoms: the automaton of sum c_i x_i RELATION c, straight from the remainders.

The compiled kernel knows three relations (=, !=, <), constants of moderate size and tracks in
the given order; the rest is brought to that here.  A constant too large for the kernel gets a
track of its own, on which the representation of that one number is read, and which is then
projected away.
"""

from __future__ import annotations

from collections.abc import Callable
from math import gcd

from fibprover.automata import kernels, operations
from fibprover.automata.dfa import Dfa, build
from fibprover.errors import LimitError, NumerationError
from fibprover.limits import Budget
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
            product = operations.free_product(everything, budget)
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
