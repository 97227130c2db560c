"""Linear atoms joined to an automaton without being built: what is left of them is remainders beside its states.

Built by itself, an atom pairs every remainder with a validity state of every track; from four or
five tracks on that is by far the largest automaton of a formula, and most of it is cut away by the
first join.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from fibprover.automata import kernels
from fibprover.automata.dfa import Dfa
from fibprover.limits import Budget
from fibprover.numeration.linear import DIRECT_CONSTANT, LARGEST_COEFFICIENT, standard
from fibprover.numeration.remainder import Constants
from fibprover.numeration.system import RELATIONS, NumerationSystem


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
