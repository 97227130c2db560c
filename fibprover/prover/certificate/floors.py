"""Relations that say m = floor(n * alpha): what makes them that, as five closed formulas.

For a natural number s > 0 let alpha = (2 - s + sqrt(s^2 + 4)) / 2; the golden ratio for s = 1.  The numbers
floor(n * alpha) and floor(n * alpha) + s * n, n > 0, are all positive numbers, each once (Fraenkel 1982, "How to beat
your Wythoff games' opponent on three fronts"), and no other increasing sequence has this property.
"""

from __future__ import annotations

from math import isqrt

from fibprover.prover.certificate.normal import Node, conjunction, disjunction, negation
from fibprover.prover.certificate.proof import Proof
from fibprover.prover.certificate.tables import Tables
from fibprover.prover.environment import Definition
from fibprover.prover.logic import Linear, PredicateAtom

#: A definition with more states is not looked at; floors are compared at so many numbers first.
_MOST_STATES, _COMPARED, _MOST_SLOPE = 60, 40, 8


def write_floor(definition: Definition, proof: Proof) -> None:
    """Write that a relation is that of a floor, with its proof, if it is."""
    tables = proof.tables
    slope = _slope(definition, tables)
    if slope:
        sort = definition.sorts[0]
        n, m, k, z = variables = [tables.variable(sort, name) for name in "nmkz"]
        proofs = [proof.formula(node) for node in _formulas(definition, slope, sort.system, (n, m, k, z))]
        if all(each.automaton.outputs[0] for each in proofs):
            of = [each.number for each in proofs]
            tables.lines.append({"floor": definition.name, "slope": slope, "variables": variables, "of": of})


def _slope(definition: Definition, tables: Tables) -> int:
    """Return s if a relation seems to be m = floor(n * alpha), alpha = (2 - s + sqrt(s^2 + 4)) / 2, otherwise 0."""
    sorts = definition.sorts
    if len(sorts) != 2 or sorts[0] != sorts[1] or not sorts[0].system or definition.automaton.states > _MOST_STATES:
        return 0
    system = tables.environment.system(sorts[0].system)
    if system.signed:
        return 0
    n, m = tables.variable(sorts[0], "n"), tables.variable(sorts[0], "m")
    automaton = tables.atoms.atom(PredicateAtom(definition, (n, m)))

    def accepts(left: int, right: int) -> bool:
        words = {n: system.represent(left), m: system.represent(right)}
        length = max(map(len, words.values()))
        padded = [(0,) * (length - len(words[name])) + tuple(words[name]) for name in automaton.names]
        return bool(automaton.output(map(automaton.code, zip(*padded, strict=True))))

    for slope in range(1, _MOST_SLOPE + 1):
        floors = [(n * (2 - slope) + isqrt(n * n * (slope * slope + 4))) // 2 for n in range(_COMPARED)]
        later = [floor + 1 for floor in floors]
        if all(map(accepts, range(_COMPARED), floors)) and not any(map(accepts, range(_COMPARED), later)):
            return slope
    return 0


def _formulas(definition: Definition, slope: int, system: str, variables: tuple[str, str, str, str]) -> list[Node]:
    """Return what makes a relation that of a floor: five closed formulas about these variables."""
    n, m, k, z = variables

    def says(*names: str) -> Node:
        return PredicateAtom(definition, names)

    def compared(left: str, sign: str, right: str) -> Node:
        return Linear(system, (1, -1), (left, right), sign, 0)

    def implies(node: Node, other: Node) -> Node:
        return disjunction((negation(node), other))

    def never(names: tuple[str, ...], node: Node) -> Node:
        return negation(conjunction((node,), names))

    def zero(name: str) -> Node:
        return Linear(system, (1,), (name,), "=", 0)

    more = Linear(system, (1, -1, -slope), (m, z, n), "=", 0)
    second = conjunction((says(n, z), more), (z,))
    either = conjunction((negation(zero(n)), disjunction((says(n, m), second))), (n,))
    both = conjunction((says(n, m), says(k, z)))
    greater = conjunction((implies(compared(n, "<", k), compared(m, "<", z)),
                           implies(compared(n, "=", k), compared(m, "=", z))))
    positive = conjunction((negation(zero(n)), negation(zero(k)), says(k, m), says(n, z)))
    return [
        never((n,), negation(conjunction((says(n, m),), (m,)))),
        never((n,), conjunction((zero(n), negation(says(n, n))))),
        never((n, m, k, z), conjunction((both, negation(greater)))),
        never((m,), conjunction((negation(zero(m)), negation(either)))),
        never((n, m, k, z), conjunction((positive, more))),
    ]
