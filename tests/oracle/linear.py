"""The reference implementation of the compiled linear atoms: slow, with big integers and simple pruning.

A state is a remainder and the validity states of the tracks.  It is dropped, or replaced by the truth value of
all its continuations, only if one inequality holds for every number of digits to come.  The automaton is larger than
the compiled one before minimization; the language, hence the minimal automaton, must be the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from operator import eq, ge, gt, le, lt, ne

from fibprover.automata.dfa import Dfa, build
from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import UNLIMITED, Budget
from fibprover.numeration.system import NumerationSystem
from fibprover.numeration.weights import PisotRecurrence, Vector
from tests.oracle import kernels as reference

_HOLDS = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}

#: A remainder, or the truth value of all its continuations.
Node = Vector | bool


def linear_raw(
    system: NumerationSystem,
    terms: PisotRecurrence,
    coefficients: Sequence[int],
    relation: str,
    constant: int,
    budget: Budget = UNLIMITED,
) -> Dfa:
    """Return sum c_i x_i RELATION constant, not minimized, tracks "0", "1", ...; checks only `budget.states`."""
    rises = sum(c for c in coefficients if c > 0)
    falls = -sum(c for c in coefficients if c < 0)
    valid, size = system.valid, len(system.digits)

    def settle(remainder: Vector) -> Node:
        """Return True or False if all continuations agree by one inequality, else the remainder."""
        # With t digits to come the sum lies between r - falls (U_t - 1) and r + rises (U_t - 1).
        least = (remainder[0] - falls, *remainder[1:])
        most = tuple(-value for value in (remainder[0] + rises, *remainder[1:]))
        if terms.always_positive(least, falls - constant):
            return relation in (">", ">=", "!=")
        if terms.always_positive(most, rises + constant):
            return relation in ("<", "<=", "!=")
        if relation in ("<", ">=") and terms.always_positive(least, falls - constant + 1):
            return relation == ">="
        if relation in (">", "<=") and terms.always_positive(most, rises + constant + 1):
            return relation == "<="
        return remainder

    settled: dict[Vector, Node] = {}
    first: tuple[Node, tuple[int, ...]] = (settle((0,) * terms.order), (0,) * len(coefficients))
    numbers: dict[tuple[Node, tuple[int, ...]], int] = {first: 0}
    pending = [first]
    rows: list[dict[int, int]] = []
    outputs: list[int] = []
    for node, validity in pending:
        holds = node if isinstance(node, bool) else bool(_HOLDS[relation](terms.final(node), constant))
        outputs.append(1 if holds and all(valid.outputs[state] for state in validity) else 0)
        row: dict[int, int] = {}
        for choice in product(*(valid.row(state) for state in validity)):
            following = node
            if not isinstance(node, bool):
                weight = sum(c * digit for c, (digit, _) in zip(coefficients, choice, strict=True))
                after = terms.step(node, weight)
                if after not in settled:
                    settled[after] = settle(after)
                following = settled[after]
            if following is False:
                continue
            code = 0
            for digit, _ in choice:
                code = code * size + digit
            target = (following, tuple(state for _, state in choice))
            if target not in numbers:
                if len(numbers) >= budget.states:
                    raise BudgetSpent("states", budget.states, states=len(numbers), during="a linear atom")
                numbers[target] = len(pending)
                pending.append(target)
            row[code] = numbers[target]
        rows.append(row)
    return build([system.track(str(index)) for index in range(len(coefficients))], rows, outputs)


def join_linear_raw(
    system: NumerationSystem,
    terms: PisotRecurrence,
    a: Dfa,
    coefficients: Sequence[int],
    names: Sequence[str],
    relation: str,
    constant: int,
) -> Dfa:
    """Return a & sum c_i names_i RELATION constant by building the atom, not minimized."""
    return reference.join(a, linear_raw(system, terms, coefficients, relation, constant).renamed(names))
