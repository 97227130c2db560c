"""The command that defines relations by recursion: `solve`.

The function is also a method of a session: `s.solve("P", "~Er r<n & $P(r)")`.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fibprover.base.errors import FibproverError, SyntaxProblem, check_text
from fibprover.base.limits import Limits, check_limits
from fibprover.language.tree import Formula, Term, TermMethods
from fibprover.prover.environment import Definition, RecursiveRelation
from fibprover.workspace.commands.interpreter import Interpreter

if TYPE_CHECKING:
    from fibprover.learn.theorem import Solution

# The solver is imported by the function that needs it: `fibprover eval` must start within 0.2 s and needs none.


def solve(
    session: Interpreter, name: str, formula: str | Formula, *more: str | Formula | tuple[str, str],
    by: str | Term | None = None, data: Any = None, limits: Limits | None = None,
) -> Solution:
    """Define the relation that a recursion defines: learn its automaton, and prove that it is the only solution.

    formula: when the relation holds its parameters, which are the free variables in code-unit order, as in `define`; it
    may call the relation.  more: further names and formulas, of relations that call each other.  by: a term in the
    parameters that goes down with calls; by default each parameter is tried, then their sum.  data: what is known of
    the relation, to learn from: a function of the parameters that returns whether the relation holds, or None where
    this is not known, an array of truth values, or all members below a bound, such as `positions(game, bound)`; for
    several relations, these by name.

    Unsolved if nothing was proved: a call does not go down, the recursion has no solution or several, or no automaton
    was found within the limits.  Then nothing is defined.

    >>> s = fp.Session("msd_fib")
    >>> solution = s.solve("D", "(n=0 & v=0) | (n>0 & Em $D(n-1,m) & v=m+1)", by="n")
    >>> (7, 7) in solution, (7, 8) in solution
    (True, False)
    """
    from fibprover.learn.solving import checked_data, solve

    parts: list[str | Formula] = [name, formula]
    for part in more:
        if isinstance(part, tuple):
            by = part[1]
        else:
            parts.append(part)
    if len(parts) % 2:
        raise FibproverError(f"the relation {parts[-1]} has no formula", hint='solve("M", "...", "Fe", "...")')
    formulas: dict[str, str | Formula] = {}
    names = session.namespace
    for each, text in zip(parts[::2], parts[1::2], strict=True):
        if not isinstance(each, str):
            raise FibproverError(f"the name of a relation is a text, not {each}")
        names.check_name(each)
        if not isinstance(text, Formula):
            check_text(text, "a formula")
        if each in formulas:
            raise SyntaxProblem(f"{each} has two formulas", each, 0, len(each))
        formulas[each] = text
    if by is not None and not isinstance(by, TermMethods):
        check_text(by, "a measure", hint='such as by="n"')
    if limits is not None:
        check_limits(limits)
    options = session.options if limits is None else replace(session.options, limits=limits)
    solution = solve(formulas, names.environment(), options, by, checked_data(data, list(formulas)))
    store(names.definitions, solution)
    return solution


def store(definitions: MutableMapping[str, Definition], solution: Solution) -> None:
    """Define the relations of a solution."""
    recursion = tuple(
        RecursiveRelation(name, relation.source, solution.weights[name])
        for name, relation in solution.relations.items() if relation.source is not None
    )
    for name, relation in solution.relations.items():
        definitions[name] = Definition(name, relation.automaton, relation.origin, recursion=recursion)
