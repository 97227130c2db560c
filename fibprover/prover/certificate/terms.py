"""Terms that a guard has defined: where u = s holds already, `E t . t=s & F(t)` is F(u), and t needs no track.

And terms that differ from it by a number: where u = s holds, t = s+9 is t = u+9, which has fewer variables.
"""

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


def shifted(equation: Linear, known: Iterable[Linear]) -> Linear | None:
    """Return an equation of two variables that says the same as another one of more where one of those known holds.

    These have more variables, too: u+9 = t is not to be proved by u+n = t where n = 9, which is how it is proved.
    """
    if len(equation.variables) < 3:
        return None
    others = [other for other in known if len(other.variables) > 2]
    differences = (_difference(equation, other, sign) for other in others for sign in (1, -1))
    return next((one for one in differences if len(one.variables) == 2), None)


def shifted_block(node: Conjunction) -> tuple[Linear, Conjunction] | None:
    """Return an equation u = s of a conjunction, and E t . t=s+9 & F(t), what it says of a t that differs by a number.

    None if there is none; F is not only negations.
    """
    found = sorted(equations(node.parts), key=lambda equation: abs(equation.constant))
    for known in found:
        for equation in found:
            difference = shifted(equation, [known]) if equation != known else None
            bound = set() if difference is None else set(difference.variables) & set(node.bound) - free(known)
            for name in bound:
                parts = [part for part in node.parts if name in free(part)]
                if len(parts) > 1 and not any(isinstance(part, Negation) for part in parts):
                    return known, Conjunction((name,), tuple(parts))
    return None


def _difference(one: Linear, other: Linear, sign: int) -> Linear:
    """Return the sum of an equation and a multiple of another one, its variables in order."""
    terms = dict(zip(one.variables, one.coefficients, strict=True))
    for name, coefficient in zip(other.variables, other.coefficients, strict=True):
        terms[name] = terms.get(name, 0) + sign * coefficient
    names = sorted(name for name, coefficient in terms.items() if coefficient)
    coefficients = tuple(terms[name] for name in names)
    return Linear(one.system, coefficients, tuple(names), "=", one.constant + sign * other.constant)


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
