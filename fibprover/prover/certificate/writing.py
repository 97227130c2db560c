"""A certificate of a closed formula, and its file."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Mapping
from pathlib import Path

from fibprover.base.errors import FibproverError, nested_too_deeply
from fibprover.base.files import write_bytes
from fibprover.base.limits import Budget
from fibprover.base.names import PARAMETER
from fibprover.base.values import value
from fibprover.language.source import Source
from fibprover.numeration.parameters import Parameter
from fibprover.prover.certificate.core import text_of, without_parameter
from fibprover.prover.certificate.families import family_line
from fibprover.prover.certificate.floors import write_floor
from fibprover.prover.certificate.integers import Integers
from fibprover.prover.certificate.normal import Node, negation, normal
from fibprover.prover.certificate.proof import Proof
from fibprover.prover.certificate.tables import Line, NotCertified, Tables
from fibprover.prover.environment import Environment
from fibprover.prover.logic import And, Exists, ForAll, Linear, Logic, Not


@value
class Certificate:
    """The lines of a certificate; truth: whether it is one of the formula, or of its negation."""

    truth: bool
    lines: tuple[Line, ...]

    @property
    def content(self) -> bytes:
        """The file, compressed; the same lines give the same bytes."""
        packed = io.BytesIO()
        with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as stream:
            for line in self.lines:
                stream.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
        return packed.getvalue()

    def write(self, file: str | Path) -> None:
        """Write the file; it is either replaced as a whole or left as it was."""
        write_bytes(file, self.content)


def certificate(
    source: Source, environment: Environment, budget: Budget, counterexample: Mapping[str, object] | None = None,
    outside: Parameter | None = None,
) -> Certificate:
    """Return the certificate of a closed formula, or of its negation if it is false.

    counterexample: numbers for which a formula that begins with A is false; then they are in the statement.
    outside: a parameter for which a formula over a family is false, if it is true for others.
    Raises NotCertified with the reason if there is none; BudgetSpent.
    """
    tables = Tables(environment, budget)
    proof = Proof(tables)
    try:
        formula, free_names = proof.atoms.read(source)
        if without_parameter(free_names):
            raise NotCertified("a formula with free variables has no certificate: it is neither true nor false")
        denied = _denied(formula, counterexample or {}, proof.atoms.integers)
        node, text = normal(denied or formula), text_of(denied or formula)
        if tables.parameter:
            return _of_family(proof, node, text, outside)
        proved = proof.formula(node)
        truth = bool(proved.automaton.outputs[0]) is (denied is None)
        if not truth and denied is None:
            node, text = negation(node), f"~{text}"
            proved = proof.formula(node)
    except RecursionError:
        raise nested_too_deeply() from None
    if not proved.automaton.outputs[0]:
        raise FibproverError("the proof contradicts the verdict", hint="please report it, with the formula")
    for definition in proof.atoms.named():
        write_floor(definition, proof)
    tables.claim("and", [proved], proved.automaton)  # the last claim is the statement
    header = {"certificate": 2, "variables": tables.variables()}
    return Certificate(truth, (header, *tables.lines, {"statement": text}))


def _of_family(proof: Proof, node: Node, text: str, outside: Parameter | None) -> Certificate:
    """Return the certificate that a formula is true for all parameters, or false for all, or for the one outside."""
    tables = proof.tables
    statement: Line = {"statement": text}
    proved = proof.limits.everywhere(proof.formula(node))
    truth = not proved.automaton.names and bool(proved.automaton.outputs[0])
    if outside is not None:
        statement = {"statement": text, "fails": {"first": list(outside.preperiod), "period": list(outside.period)}}
    elif not truth:
        statement = {"statement": f"~{text}"}
        proved = proof.limits.everywhere(proof.formula(negation(node)))
    if outside is None and (proved.automaton.names or not proved.automaton.outputs[0]):
        raise FibproverError("the proof contradicts the verdict", hint="please report it, with the formula")
    tables.claim("and", [proved], proved.automaton)
    header = {"certificate": 3, "variables": tables.variables()}
    return Certificate(truth, (header, family_line(tables.sorts[PARAMETER]), *tables.lines, statement))


def _denied(formula: Logic, values: Mapping[str, object], integers: Integers) -> Logic | None:
    """Return that these numbers are a counterexample of a formula that begins with A, None if it says no such thing."""
    tables = integers.tables
    if not isinstance(formula, ForAll):
        return None
    found: Logic = Not(formula.body)
    if len(values) < len(formula.variables):
        return None
    pairs = list(zip(formula.variables, values.items(), strict=False))
    for variable, (name, number) in reversed(pairs):
        if not variable.startswith(f"{name}_") or not isinstance(number, int):
            return None
        if number < 0 and variable not in tables.signed:
            return None
        is_number = Linear(tables.sorts[variable].system, (1,), (variable,), "=", number)
        found = And(integers.translated(is_number), found)
    return Exists(formula.variables, found)
