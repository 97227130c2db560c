"""The certificate of a sequence that counts, and of what its terms are.

p(n) is the number of values of the other variables for which a formula is true of them and n: the checker builds the
linear representation itself, of the claim of the formula (`counted` in fibprover/checker/fibcheck.py).  A closed form
is equations by the rule `sequences`: p(x) is a sum of multiples of numbers, where a formula says for which x and
numbers that is so.  The number x is a term, too: of the sequence that counts the numbers below x.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from fibprover.base.errors import FibproverError, nested_too_deeply
from fibprover.base.limits import Budget
from fibprover.language.source import source_from
from fibprover.language.tree import Formula, Variable
from fibprover.prover.certificate.core import joined, text_of, text_of_node
from fibprover.prover.certificate.normal import Node, disjunction, free, negation, normal
from fibprover.prover.certificate.normal import conjunction as conjunction_of
from fibprover.prover.certificate.proof import Proof
from fibprover.prover.certificate.tables import Line, NotCertified, Proved, Tables, new_name, rational
from fibprover.prover.certificate.writing import Certificate
from fibprover.prover.environment import Environment, Sort
from fibprover.prover.logic import quantified_variables

#: Terms at n, as the equations of closed forms have them.
INDEX = Variable("n")

#: The names of the sequence that counts, and of that of the numbers, where no word has them.
_NAME, _NUMBER = "p", "number"


class CountEquation(NamedTuple):
    """p(n) is a sum of multiples of numbers, and of 1 for None, for all values for which a formula is true."""

    where: Formula
    terms: tuple[tuple[Fraction, Variable | None], ...]


def count_certificate(
    formula: Formula, environment: Environment, budget: Budget, equations: Sequence[CountEquation] = (),
    statement: Formula | None = None,
) -> Certificate:
    """Return the certificate that p(n) is the number of values of the variables of a formula beside n.

    formula, statement: with their systems; equations: a closed form of p, about numbers of the system of n;
    statement: what else is to be proved.  The statement of the certificate is that the equations say what each term
    is, the statement given, or else that true is true.
    Raises NotCertified, with the reason, for what the checker has no rule for; FibproverError for a statement that is
    false, or equations that do not say what each term is; BudgetSpent.
    """
    try:
        return _Writer(environment, budget).certificate(formula, equations, statement)
    except RecursionError:
        raise nested_too_deeply() from None


class _Writer:
    """Writes the lines of a certificate."""

    def __init__(self, environment: Environment, budget: Budget) -> None:
        self.tables = Tables(environment, budget)
        self.proof = Proof(self.tables)
        self.name, self.number = (new_name(name, environment.words) for name in (_NAME, _NUMBER))

    def certificate(
        self, formula: Formula, equations: Sequence[CountEquation], statement: Formula | None
    ) -> Certificate:
        """Return the certificate; see `count_certificate`."""
        sort = self.counted(self.name, formula, INDEX.name)
        text = "true"
        if equations:
            proved, text = self.closed_form(equations, sort)
        elif statement is not None:
            node, text, _ = self.read(statement, {})
            proved = self.proof.formula(node)
        else:
            proved = self.proof.truth(())
        if not proved.automaton.outputs[0]:
            raise FibproverError("the proof contradicts what the terms are said to be", hint="please report it")
        self.tables.claim("and", [proved], proved.automaton)  # the last claim is the statement
        header = {"certificate": 2, "variables": self.tables.variables()}
        return Certificate(True, (header, *self.tables.lines, {"statement": text}))

    def counted(self, name: str, formula: Formula, index: str) -> Sort:
        """Write a sequence that counts; return the sort of its index."""
        node, text, names = self.read(formula, {})
        if index not in names or len(names) < 2:
            raise NotCertified(f"a formula that counts is about {index} and other variables")
        claim = self.proof.formula(node)
        bound = [names[each] for each in names if each != index]
        if not set(bound) <= set(claim.automaton.names):
            raise NotCertified("a variable that is counted may have any value")
        sort = self.tables.sorts[names[index]]
        self.tables.check_name(name)
        self.tables.lines.append({
            "sequence": name, "over": self.tables.system(sort), "counts": text, "index": names[index], "bound": bound,
            "claim": claim.number,
        })
        return sort

    def read(self, formula: Formula, known: dict[str, str]) -> tuple[Node, str, dict[str, str]]:
        """Return a formula in normal form, its text, and the names of its free variables; known: those of some."""
        source = source_from(formula)
        assert source is not None
        found, free_names = self.proof.atoms.read(source, known)
        if not self.tables.signed.keys().isdisjoint({*free_names, *quantified_variables(found)}):
            raise NotCertified("integers are not counted in certificates")
        return normal(found), text_of(found), dict(zip(source.formula.free, free_names, strict=True))

    def closed_form(self, equations: Sequence[CountEquation], sort: Sort) -> tuple[Proved, str]:
        """Claim the equations of a closed form; return the claim that they say what each term is, with its text."""
        x = self.tables.variable(sort, "x")
        if any(variable is not None for one in equations for _, variable in one.terms):
            m = Variable("m")
            self.counted(self.number, (m < INDEX).in_system(sort.system), INDEX.name)
        lines, branches = list[Line](), list[Node]()
        for one in equations:
            node, text, names = self.read(one.where.in_system(sort.system), {INDEX.name: x})
            terms: list[Any] = [
                [rational(factor), [] if variable is None else [[self.number, names[variable.name]]]]
                for factor, variable in one.terms if factor
            ]
            lines.append({
                "name": self.name, "index": x, "where": text, "claim": self.proof.formula(node).number, "terms": terms,
            })
            branches.append(conjunction_of([node], sorted(free(node) - {x})))
        every = f"(A {x} {joined('|', list(map(text_of_node, branches)))})"
        whole = negation(conjunction_of([negation(disjunction(branches))], [x]))
        proved = self.proof.formula(whole)
        self.tables.claim("sequences", [proved], proved.automaton, sequences=[self.name], equations=lines)
        return proved, every
