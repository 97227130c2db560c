"""Definitions of a sequence of numbers by a recursion: equations of its terms, or a formula about $a(n,v).

Both are solved, and the solution is a sequence to compare with the one that terms suggest.
"""

from __future__ import annotations

from fibprover.base.errors import BudgetSpent, FibproverError, TextError
from fibprover.language.builder import variables
from fibprover.language.equation_parser import are_equations
from fibprover.language.tree import Call, Formula, InSystem, has_calls, nodes
from fibprover.sequences.series import Series
from fibprover.sheets.subject import SEQUENCE
from fibprover.workspace.session import Session


def by_equations(session: Session, system: str, definition: str) -> Series | None:
    """Return the sequence that equations such as a(2n) = a(n) determine; None for a definition of another kind.

    system: over which they are read unless they name one.  Errors as `Session.solve`, with places in the definition.
    """
    if not are_equations(SEQUENCE, definition):
        return None
    text = definition if definition.lstrip().startswith("?") else f"?{system} {definition}"
    try:
        found: Series = session.solve(SEQUENCE, text).sequence
    except BudgetSpent:
        raise
    except FibproverError as problem:
        raise _in_definition(problem, definition, len(text) - len(definition)) from None
    return found


def _in_definition(problem: FibproverError, definition: str, added: int) -> FibproverError:
    """Return a problem with its place in the definition, without what was put in front of it."""
    if not isinstance(problem, TextError) or not added:
        return problem
    return type(problem)(
        problem.message, definition, problem.start - added, problem.end - added, hint=problem.hint
    )


def by_relation(session: Session, formula: Formula) -> Series | None:
    """Return the sequence whose pairs (n, v) satisfy a recursion alone; None for a formula that calls no relation.

    Raises FibproverError if the relation is no function of n.
    """
    unknown = [
        each.name for each in nodes(formula)
        if isinstance(each, Call) and each.name not in session.namespace.predicates
    ]
    if not unknown or not has_calls(formula, {unknown[0]}):
        return None
    relation = session.solve(unknown[0], formula).relation
    if relation.names != ("n", "v"):
        raise FibproverError(
            f"the definition is about {', '.join(relation.names)}", hint="call the index n, and the value v"
        )
    systems = {track.name: track.system for track in relation.automaton.tracks}
    if session.counts("n", relation) != session.counts("n", _same(systems["n"])):
        raise FibproverError(f"the relation ${unknown[0]}(n,v) does not have one v for each n")
    u, v = variables("u v")
    below = session.relation((u < v).in_system(systems["v"]))
    return session.counts("n", relation & below)


def _same(system: str) -> Formula:
    """Return a formula that each n satisfies with one v."""
    n, v = variables("n v")
    return InSystem(system, n.eq(n) & v.eq(0))
