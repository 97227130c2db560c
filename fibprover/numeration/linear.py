"""Linear atoms: the automaton of sum c_i x_i RELATION c in a numeration system.

A system builds atoms with one of three relations (=, !=, <) and a constant of moderate size
(`NumerationSystem.reduced_atom`); all others are brought to that form here.  A larger constant gets a track that
holds the representation of this one number, and the track is then projected away.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING

from fibprover.automata import kernel_calls, operations
from fibprover.automata.dfa import Dfa, build
from fibprover.base.errors import LimitError, NumerationError
from fibprover.base.limits import Budget

if TYPE_CHECKING:
    from fibprover.numeration.system import NumerationSystem

#: The relations that a linear atom may have between its two sides.
RELATIONS = ("=", "!=", "<", "<=", ">", ">=")

#: Constants up to this absolute value are passed to the kernels, larger ones get a track.
MOST_CONSTANT = 1 << 30

#: Coefficients from this absolute value on are refused: the automaton has about as many states.
MOST_COEFFICIENT = 1 << 31


def linear_atom(
    system: NumerationSystem, coefficients: tuple[int, ...], relation: str, constant: int, budget: Budget
) -> Dfa:
    """Return the canonical automaton of sum c_i x_i RELATION constant; see `NumerationSystem.linear`."""
    reduced = reduced_constraint(coefficients, relation, constant)
    names = [str(index) for index in range(len(coefficients))]
    if reduced is True:
        # Tracks are in alphabetical order in a product, and "10" comes before "2".
        words = [system.valid.renamed([name.zfill(3)]) for name in names]
        return operations.cartesian_product(words, budget).renamed(names)
    if reduced is False:
        return build([system.track(name) for name in names], [{}], [0])
    coefficients, relation, constant = reduced
    if abs(constant) <= MOST_CONSTANT:
        return kernel_calls.minimize(system.reduced_atom(coefficients, relation, constant, budget), budget)
    return _with_constant_track(system, coefficients, relation, constant, budget)


def linear_range(
    system: NumerationSystem, coefficients: tuple[int, ...], least: int, most: int, budget: Budget
) -> Dfa:
    """Return the canonical automaton of least <= sum c_i x_i <= most; see `NumerationSystem.between`."""
    _check(coefficients)
    divisor = gcd(*coefficients) or 1
    first, last = -(-least // divisor), most // divisor
    if first == last:
        return system.linear(coefficients, "=", first * divisor, budget)
    if coefficients and first < last and max(abs(first), abs(last)) <= MOST_CONSTANT:
        found = system.reduced_range(tuple(c // divisor for c in coefficients), first, last, budget)
        if found is not None:
            return kernel_calls.minimize(found, budget)
    above = system.linear(coefficients, ">=", least, budget)
    joined = kernel_calls.join(above, system.linear(coefficients, "<=", most, budget), budget)
    return kernel_calls.minimize(kernel_calls.reorder(joined, above.names, budget), budget)


def reduced_constraint(
    coefficients: tuple[int, ...], relation: str, constant: int
) -> tuple[tuple[int, ...], str, int] | bool:
    """Return the same constraint with =, != or < and coprime coefficients; True or False where all or no tuples fit.

    Raises NumerationError and LimitError as for `NumerationSystem.linear`.
    """
    if relation not in RELATIONS:
        raise NumerationError(f"{relation!r} is not a relation", hint="there is " + " ".join(RELATIONS))
    _check(coefficients)
    if relation in (">", ">="):
        coefficients, constant = tuple(-c for c in coefficients), -constant
        relation = "<" if relation == ">" else "<="
    if relation == "<=":
        relation, constant = "<", constant + 1
    if not coefficients:
        return constant > 0 if relation == "<" else (constant == 0) == (relation == "=")
    divisor = gcd(*coefficients)
    if relation != "<" and constant % divisor:
        return relation == "!="
    # The sum is a multiple of the divisor, so it is below a constant if and only if it is below the next multiple.
    return tuple(c // divisor for c in coefficients), relation, -(-constant // divisor)


def _check(coefficients: tuple[int, ...]) -> None:
    """Raise NumerationError or LimitError for coefficients that no linear atom has."""
    if not all(coefficients):
        raise NumerationError(f"a coefficient of {coefficients} is 0; leave that variable out")
    if max(map(abs, coefficients), default=0) >= MOST_COEFFICIENT:
        raise LimitError(
            f"a coefficient of {max(coefficients, key=abs)} is too large for a linear atom",
            hint=f"coefficients must stay below {MOST_COEFFICIENT}",
        )


def _with_constant_track(
    system: NumerationSystem, coefficients: tuple[int, ...], relation: str, constant: int, budget: Budget
) -> Dfa:
    """Return the atom as that of sum c_i x_i - (sign of c) z RELATION 0 and z = |c|, with z projected away."""
    width = len(str(len(coefficients)))
    names = [str(index).zfill(width) for index in range(len(coefficients))]
    widened = (*coefficients, -1 if constant > 0 else 1)
    # "z" sorts after the numbers, so a join leaves the tracks in the given order.
    atom = kernel_calls.minimize(system.reduced_atom(widened, relation, 0, budget), budget).renamed([*names, "z"])
    joined = kernel_calls.join(atom, constant_word(system, abs(constant), "z"), budget)
    result = kernel_calls.minimize(kernel_calls.project(joined, ["z"], budget), budget)
    return result.renamed([str(index) for index in range(len(coefficients))])


def constant_word(system: NumerationSystem, number: int, name: str) -> Dfa:
    """Return the automaton of track = number: a chain of its digits after leading zeros."""
    digits = system.represent(number)
    rows = [{digit: index + 1} for index, digit in enumerate(digits)] + [{}]
    # The first digit is not 0, so the loop for leading zeros leaves the automaton deterministic.
    rows[0][0] = 0
    return build([system.track(name)], rows, [0] * len(digits) + [1])
