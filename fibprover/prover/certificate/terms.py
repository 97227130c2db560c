"""Terms that a guard has defined: where u = s holds already, `E t . t=s & F(t)` is F(u), and t needs no track."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fibprover.base.values import value
from fibprover.prover.certificate.normal import Conjunction, Equivalence, Negation, Node, free, renamed
from fibprover.prover.logic import Linear, rename_atom


@value
class SharedTerm:
    """A bound variable, the one that equals it, and the equation that says what it is."""

    bound: str
    known: str
    equation: Linear


def equations(nodes: Iterable[Node]) -> list[Linear]:
    """Return the linear equations among some formulas."""
    return [node for node in nodes if isinstance(node, Linear) and node.relation == "="]


def shared_terms(node: Conjunction, known: Sequence[Linear]) -> tuple[list[SharedTerm], Conjunction]:
    """Return the terms of a conjunction that known equations define, and the conjunction with these in their place."""
    table: dict[object, str] = {}
    for equation in known:
        for name in equation.variables:
            table.setdefault(_meaning(equation, name), name)
    found: list[SharedTerm] = []
    while True:
        matches = (
            SharedTerm(name, table[meaning], equation)
            for equation in equations(node.parts) for name in equation.variables
            if name in node.bound and (meaning := _meaning(equation, name)) in table
        )
        term = next(matches, None)
        if term is None:
            return found, node
        found.append(term)
        rest = tuple(renamed(part, {term.bound: term.known}) for part in node.parts if part != term.equation)
        node = Conjunction(tuple(name for name in node.bound if name != term.bound), rest)


def known_names(node: Node, known: Sequence[Linear]) -> frozenset[str]:
    """Return the variables that a proof of a formula mentions if it shares the terms that these equations define."""
    match node:
        case Conjunction():
            terms, rest = shared_terms(node, known)
            more = [*known, *equations(rest.parts)]
            below = frozenset[str]().union(*(known_names(part, more) for part in rest.parts))
            # The equations have to hold in the guard, so it keeps all their variables.
            defining = frozenset(name for term in terms for name in (term.known, *term.equation.variables))
            return (below | defining).difference(node.bound)
        case Negation(body):
            return known_names(body, known)
        case Equivalence(left, right):
            return known_names(left, known) | known_names(right, known)
        case _:
            return free(node)


def renamed_equations(known: Sequence[Linear], old: str, new: str) -> list[Linear]:
    """Return equations with another name of a variable."""
    return [rename_atom(equation, {old: new}) for equation in known]


def _meaning(equation: Linear, name: str) -> object:
    """Return what an equation says about a variable: equal for equations that differ in its name alone."""
    terms = dict(zip(equation.variables, equation.coefficients, strict=True))
    own = terms.pop(name)
    sign = 1 if own > 0 else -1
    others = frozenset((other, sign * coefficient) for other, coefficient in terms.items())
    return equation.system, abs(own), others, sign * equation.constant
