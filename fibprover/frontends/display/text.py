"""Outcomes as text, for the command line and IPython on terminals.

The command line imports this module on a cold start; it needs no HTML.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING

from fibprover.base.limits import Limits
from fibprover.base.wording import plural
from fibprover.prover.environment import sort_of
from fibprover.prover.truth import below_zero
from fibprover.prover.verdict.evidence import Evidence
from fibprover.prover.verdict.relation import Relation, Value, shown_tuple
from fibprover.prover.verdict.slopes import FamilyRelation, SlopeVerdict
from fibprover.prover.verdict.verdict import Verdict

if TYPE_CHECKING:
    from fibprover.prover.verdict.nondeterministic import NondeterministicRelation


def evidence_of(verdict: Verdict) -> tuple[Evidence | None, str]:
    """Return the evidence for a verdict, or None and a remark if it was not found within the limits."""
    if not verdict.evidence_is_missing:
        return verdict.evidence, ""
    kind = "witness" if verdict.truth else "counterexample"
    return None, f"(the {kind} was not found within the limits)"


def outcome_text(outcome: Verdict | Relation, first: int) -> str:
    """Return a verdict with its evidence, or a relation with its first tuples."""
    if isinstance(outcome, Relation):
        return relation_text(outcome, first)
    return "\n".join(filter(None, [str(outcome), evidence_text(outcome), certified_text(outcome)]))


def evidence_text(verdict: Verdict) -> str:
    """Return the evidence below a verdict, one line, or the slopes below that of a family; "" if there is none."""
    if isinstance(verdict, SlopeVerdict):
        return "\n".join(f"  {line}" for line in verdict.lines())
    shown = shown_evidence(verdict)
    return f"  {shown}" if shown else ""


def certified_text(value: object) -> str:
    """Return what became of the certificate of a verdict or of a sequence that counts, one line; "" for others."""
    check = getattr(value, "certified", None)
    return "" if check is None else f"  {check}"


def shown_evidence(verdict: Verdict) -> str:
    """Return the evidence for a verdict, with the term that would be negative there, or that it was not found."""
    evidence, remark = evidence_of(verdict)
    if evidence is None:
        return remark
    negative = below_zero(verdict)
    return f"{evidence} ({negative})" if negative else str(evidence)


def relation_head(relation: Relation) -> str:
    """Return the variables with their systems, and the size."""
    if isinstance(relation, FamilyRelation):
        return str(relation)
    variables = ", ".join(f"{name}:{sort}" for name, sort in zip(relation.names, relation.sorts, strict=True))
    extent = "empty" if relation.is_empty() else "finite" if relation.is_finite() else "infinite"
    states = relation.states
    return f"{{{variables}}}: {extent}, {plural(states, 'state')}"


#: A list of more tuples than this is broken into lines, of so many tuples each.
MOST_ON_ONE_LINE, ON_EACH_LINE = 100, 20

#: Lines that are handed out together, after the first few.
LINES_AT_ONCE = 500


def relation_text(relation: Relation, first: int, limits: Limits | None = None) -> str:
    """Return the variables with their systems, the size, and the first tuples."""
    return "\n".join(relation_parts(relation, first, limits))


def relation_parts(relation: Relation, first: int, limits: Limits | None = None) -> Iterator[str]:
    """Yield `relation_text` in parts of whole lines, as the tuples are found. Raises BudgetSpent when a limit is
    reached.
    """
    head = relation_head(relation)
    if isinstance(relation, FamilyRelation):
        yield head
        return
    found = relation.tuples(limits)
    begun = list(islice(found, min(first, MOST_ON_ONE_LINE) + 1)) if first else []
    shown = _shown(relation)
    if len(begun) <= MOST_ON_ONE_LINE or first <= MOST_ON_ONE_LINE:
        more = ["..."] if len(begun) > first else []
        yield f"{head}\n  " + ", ".join([*map(shown, begun[:first]), *more]) if begun else head
        return
    texts = map(shown, chain(begun, islice(found, first - len(begun))))
    lines, at_once = [head], 1
    while line := list(islice(texts, ON_EACH_LINE)):
        if len(lines) > at_once:
            yield "\n".join(lines)
            lines, at_once = [], LINES_AT_ONCE
        lines.append(f"  {', '.join(line)},")
    if next(found, None) is None:
        lines[-1] = lines[-1].removesuffix(",")
    else:
        lines[-1] += " ..."
    yield "\n".join(lines)


def nondeterministic_text(relation: NondeterministicRelation, first: int, limits: Limits | None = None) -> str:
    """Return a relation whose automaton is not determinized: variables with their systems, size, and first tuples."""
    variables = ", ".join(f"{track.name}:{sort_of(track)}" for track in relation.nfa.tracks)
    extent = "empty" if relation.is_empty() else "finite" if relation.is_finite(limits) else "infinite"
    sizes = f"{plural(relation.states, 'state')}, {plural(relation.transitions, 'transition')}, nondeterministic"
    found = list(islice(relation.tuples(limits), first + 1)) if first else []
    listed = [shown_tuple(values) for values in found[:first]] + (["..."] if len(found) > first else [])
    head = f"{{{variables}}}: {extent}, {sizes}"
    return f"{head}\n  {', '.join(listed)}" if listed else head


def _shown(relation: Relation) -> Callable[[tuple[Value, ...]], str]:
    """Return `shown_tuple`, or what does the same for numbers in less time."""
    if not all(track.system for track in relation.automaton.tracks) or not relation.names:
        return shown_tuple
    numbers = ", ".join("%d" for _ in relation.names)
    short = (numbers if len(relation.names) == 1 else f"({numbers})").__mod__

    def shown(values: tuple[Value, ...]) -> str:
        try:
            return short(values)
        except ValueError:  # a number is longer than Python writes
            return shown_tuple(values)

    return shown
