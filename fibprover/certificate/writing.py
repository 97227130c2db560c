"""A certificate of a closed formula, and its file."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

from fibprover.certificate.core import text_of
from fibprover.certificate.normal import negation, normal
from fibprover.certificate.proof import Proof
from fibprover.certificate.tables import Line, NotCertified, Tables
from fibprover.errors import nested_too_deeply
from fibprover.io.files import write_bytes
from fibprover.limits import Budget
from fibprover.plan.environment import Environment
from fibprover.syntax.formula import Source


def certificate(source: Source, environment: Environment, budget: Budget) -> list[Line]:
    """Return the lines of a certificate of a closed formula, or of its negation if it is false.

    Raises NotCertified with the reason if there is none; BudgetSpent.
    """
    tables = Tables(environment, budget)
    proof = Proof(tables)
    try:
        formula, free_names = proof.atoms.read(source)
        if free_names:
            raise NotCertified("a formula with free variables has no certificate: it is neither true nor false")
        node, text = normal(formula), text_of(formula)
        proved = proof.formula(node)
        if not proved.automaton.outputs[0]:
            node, text = negation(node), f"~{text}"
            proved = proof.formula(node)
    except RecursionError:
        raise nested_too_deeply() from None
    tables.claim("same", [proved], proved.automaton)  # the last claim is the statement
    used = {name: sort.system for name, sort in tables.sorts.items()}
    return [{"certificate": 1, "variables": used}, *tables.lines, {"statement": text}]


def write_certificate(lines: list[Line], path: str | Path) -> None:
    """Write the lines to a file, compressed; the same lines give the same bytes."""
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as stream:
        for line in lines:
            stream.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
    write_bytes(path, packed.getvalue())
