"""The command that defines relations and sequences by recursion: `solve`.

The function is also a method of a session: `s.solve("P", "~Er r<n & $P(r)")`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fibprover.base.errors import FibproverError, SyntaxProblem, check_text
from fibprover.base.limits import Limits, check_limits, spending
from fibprover.base.values import replaced
from fibprover.language.tree import Formula, Term, TermMethods, conjunction
from fibprover.prover.decide import Options, decide
from fibprover.prover.environment import Definition, Environment, RecursiveRelation
from fibprover.prover.evaluate.cache import Cache
from fibprover.prover.verdict.verdict import Verdict
from fibprover.workspace.certificates import CertificateFolder
from fibprover.workspace.commands.files import write_matrices
from fibprover.workspace.commands.interpreter import Interpreter

if TYPE_CHECKING:
    from fibprover.learn.theorem import Solution
    from fibprover.prover.certificate.checking import CertificateCheck
    from fibprover.prover.certificate.writing import Certificate
    from fibprover.sequences.solution import SequenceSolution
    from fibprover.sequences.solving import Known

# The solver is imported by the function that needs it: `fibprover eval` must start within 0.2 s and needs none.


def solve(
    session: Interpreter, name: str, formula: str | Formula, *more: str | Formula | tuple[str, str],
    by: str | Term | None = None, data: Any = None, limits: Limits | None = None,
) -> Any:
    """Define the relation, or the sequence, that a recursion defines, and prove that it is the only solution.

    formula: when the relation holds its parameters, which are the free variables in code-unit order, as in `define`; it
    may call the relation.  Or the equations of a sequence of this name, such as "a(0)=0, a(2n)=a(n), a(2n+1)=a(n)+1",
    which are about natural numbers, and hold where no term is given (docs/sequences.md).  more: further names and
    formulas, or equations, of relations that call each other.  by: a term in the parameters that goes down with calls;
    by default each parameter is tried, then their sum.  data: what is known of the relation, to learn from: a function
    of the parameters that returns whether the relation holds, or None where this is not known, an array of truth
    values, or all members below a bound, such as `positions(game, bound)`; for several relations, these by name.

    Returns: a Solution with the relations; of equations, a SequenceSolution with the sequences.

    If the session has a folder for certificates, the theorem gets one there, named as the relations, which is checked
    before anything is defined; the theorem says where it is, or why there is none.

    Unsolved if nothing was proved: a call does not go down, the recursion has no solution or several, or no automaton
    was found within the limits.  Then nothing is defined.

    >>> s = fp.Session("msd_fib")
    >>> solution = s.solve("D", "(n=0 & v=0) | (n>0 & Em $D(n-1,m) & v=m+1)", by="n")
    >>> (7, 7) in solution, (7, 8) in solution
    (True, False)
    >>> print(s.solve("a", "a(0)=0, a(1)=1, a(2n)=a(n), a(2n+1)=a(n)+a(n+1)").sequence)
    sequence of n over msd_2, linear representation of dimension 2: 0, 1, 1, 2, 1, 3, 2, 3, 1, 4, 3, 5, 2, 5, 3, 4, ...
    """
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
    options = _options(session, limits)
    equations = _as_equations(formulas)
    if equations:
        if by is not None or data is not None:
            raise FibproverError("equations of sequences have no measure and no data: they go down by n")
        return _sequences(session, equations, options)
    return _relations(session, formulas, by, data, options)


def _options(session: Interpreter, limits: Limits | None) -> Options:
    """Return the options of a session with other limits, if there are some."""
    if limits is None:
        return session.options
    check_limits(limits)
    return replace(session.options, limits=limits)


def _as_equations(formulas: Mapping[str, str | Formula]) -> dict[str, str]:
    """Return the texts if they are equations of sequences, none if they are formulas; SyntaxProblem for both at once.
    """
    from fibprover.language.equation_parser import are_equations

    found = {
        name: text for name, text in formulas.items() if isinstance(text, str) and are_equations(name, text)
    }
    other = next((name for name in formulas if name not in found), None)
    if found and other is not None:
        raise SyntaxProblem(
            f"{other} has a formula, and {next(iter(found))} has equations", other, 0, len(other),
            hint=f"equations of {other} begin with {other}(...)=",
        )
    return found


def _sequences(session: Interpreter, texts: Mapping[str, str], options: Options) -> SequenceSolution:
    """Define the sequences that equations determine."""
    from fibprover.language.equation_parser import read_equations
    from fibprover.sequences.solving import Known, solve_equations

    names = session.namespace
    if session.certify is not None:
        session.certify.make()
    recursions = {name: read_equations(name, text, names.macros) for name, text in texts.items()}
    known = Known(names.environment(), options, names.sequences)
    solution = solve_equations(recursions, known)
    if session.certify is not None:
        check = _certified_sequences(solution, known, session.certify)
        solution = replaced(solution, theorem=replaced(solution.theorem, certificate=check))
    for name, sequence in solution.sequences.items():
        names.sequences[name] = sequence
        if names.folders is not None and names.folders.written:
            write_matrices(names.folders, name, sequence)
    return solution


def _certified_sequences(solution: SequenceSolution, known: Known, folder: CertificateFolder) -> CertificateCheck:
    """Certify that sequences are the only ones that satisfy their equations."""
    from fibprover.sequences.certified import sequence_certificate
    from fibprover.sequences.determined import Decider

    system = known.environment.system(solution.theorem.system)
    decider, limits = Decider(known.environment, known.options, system, Cache()), known.options.limits

    def made() -> Certificate:
        with spending(limits.start()) as budget:
            return sequence_certificate(solution, known.sequences, decider, budget)

    return folder.certify("_".join(solution.sequences), made, limits.seconds)


def _relations(
    session: Interpreter, formulas: Mapping[str, str | Formula], by: str | Term | None, data: Any, options: Options
) -> Solution:
    """Define the relations that formulas define, and write a certificate if the session has a folder for them."""
    from fibprover.learn.solving import checked_data, solve

    names = session.namespace
    if by is not None and not isinstance(by, TermMethods):
        check_text(by, "a measure", hint='such as by="n"')
    if session.certify is not None:
        session.certify.make()
    environment = names.environment()
    solution = solve(formulas, environment, options, by, checked_data(data, list(formulas)))
    defined = _definitions(solution)
    if session.certify is not None:
        check = _certified(formulas, environment, defined, options, session.certify)
        solution = replaced(solution, theorem=replaced(solution.theorem, certificate=check))
    names.definitions.update(defined)
    for each in defined:
        names.sequences.pop(each, None)
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
    options: Options, folder: CertificateFolder,
) -> CertificateCheck:
    """Certify that relations satisfy their recursion, which has the proof that no others do.

    environment: without the relations; defined: the relations.
    """
    from fibprover.learn.induction import solution_statements
    from fibprover.learn.recursion import read_recursion

    recursion = read_recursion(formulas, environment)
    statement = conjunction(each.formula for each in solution_statements(recursion))

    def made() -> Certificate:
        verdict = decide(statement, recursion.environment(environment, defined), Cache(), options)
        if not isinstance(verdict, Verdict):
            raise AssertionError("a statement of the proof is closed")
        return verdict.certificate()

    return folder.certify("_".join(defined), made, options.limits.seconds)
