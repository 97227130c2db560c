"""The command that defines relations by recursion: `solve`.

The function is also a method of a session: `s.solve("P", "~Er r<n & $P(r)")`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fibprover.base.errors import FibproverError, SyntaxProblem, check_text
from fibprover.base.files import make_folder
from fibprover.base.limits import Limits, check_limits
from fibprover.base.names import file_name
from fibprover.base.values import replaced
from fibprover.language.tree import Formula, Term, TermMethods, conjunction
from fibprover.prover.decide import Options, decide
from fibprover.prover.environment import Definition, Environment, RecursiveRelation
from fibprover.prover.evaluate.cache import Cache
from fibprover.prover.verdict.verdict import Verdict
from fibprover.workspace.commands.interpreter import Interpreter

if TYPE_CHECKING:
    from fibprover.learn.theorem import Solution
    from fibprover.prover.certificate.checking import CertificateCheck
    from fibprover.prover.certificate.writing import Certificate

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

    If the session has a folder for certificates, the theorem gets one there, named as the relations, which is checked
    before anything is defined; the theorem says where it is, or why there is none.

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
    if session.certify is not None:
        make_folder(session.certify)
    environment = names.environment()
    solution = solve(formulas, environment, options, by, checked_data(data, list(formulas)))
    defined = _definitions(solution)
    if session.certify is not None:
        check = _certified(formulas, environment, defined, options, session.certify)
        solution = replaced(solution, theorem=replaced(solution.theorem, certificate=check))
    names.definitions.update(defined)
    return solution


def _definitions(solution: Solution) -> dict[str, Definition]:
    """Return the relations of a solution, with their recursion."""
    recursion = tuple(
        RecursiveRelation(name, relation.source, solution.weights[name])
        for name, relation in solution.relations.items() if relation.source is not None
    )
    return {
        name: Definition(name, relation.automaton, relation.origin, recursion=recursion)
        for name, relation in solution.relations.items()
    }


def _certified(
    formulas: Mapping[str, str | Formula], environment: Environment, defined: Mapping[str, Definition],
    options: Options, folder: Path,
) -> CertificateCheck:
    """Certify that relations satisfy their recursion, which has the proof that no others do.

    environment: without the relations; defined: the relations.
    """
    from fibprover.learn.induction import solution_statements
    from fibprover.learn.recursion import read_recursion
    from fibprover.prover.certificate.checking import ENDING, certify

    recursion = read_recursion(formulas, environment)
    statement = conjunction(each.formula for each in solution_statements(recursion))

    def made() -> Certificate:
        verdict = decide(statement, recursion.environment(environment, defined), Cache(), options)
        if not isinstance(verdict, Verdict):
            raise AssertionError("a statement of the proof is closed")
        return verdict.certificate()

    return certify(made, str(folder / file_name("_".join(defined), ENDING)), options.limits.seconds)
