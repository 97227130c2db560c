"""Outcomes as text, for the command line and IPython on terminals.

The command line imports this module on a cold start; it needs no HTML.
"""

from __future__ import annotations

from fibprover.errors import BudgetSpent
from fibprover.verdict.evidence import Evidence
from fibprover.verdict.relation import Relation, shown_tuple
from fibprover.verdict.verdict import Verdict


def evidence_of(verdict: Verdict) -> tuple[Evidence | None, str]:
    """Return the evidence for a verdict, or None and a remark if it was not found within the limits.
    """
    try:
        return verdict.evidence, ""
    except BudgetSpent:
        kind = "witness" if verdict.truth else "counterexample"
        return None, f"(the {kind} was not found within the limits)"


def outcome_text(outcome: Verdict | Relation, first: int) -> str:
    """Return a verdict with its evidence, or a relation with its first tuples."""
    if isinstance(outcome, Relation):
        return relation_text(outcome, first)
    evidence, remark = evidence_of(outcome)
    shown = str(evidence) if evidence is not None else remark
    return f"{outcome}\n  {shown}" if shown else str(outcome)


def relation_head(relation: Relation) -> str:
    """Return the variables with their systems, and the size."""
    variables = ", ".join(f"{name}:{kind}" for name, kind in zip(relation.names, relation.kinds, strict=True))
    extent = "empty" if relation.is_empty() else "finite" if relation.is_finite() else "infinite"
    return f"{{{variables}}}: {extent}, {relation.states} state{'' if relation.states == 1 else 's'}"


def relation_text(relation: Relation, first: int) -> str:
    """Return the variables with their systems, the size, and the first tuples."""
    head = relation_head(relation)
    found = relation.first(first + 1)
    if not found or not first:
        return head
    more = ["..."] if len(found) > first else []
    return f"{head}\n  " + ", ".join([shown_tuple(values) for values in found[:first]] + more)
