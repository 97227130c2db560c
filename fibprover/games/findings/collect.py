"""Everything that is found out about a game once its P-positions are proved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fibprover.errors import BudgetSpent
from fibprover.games.findings import growth, moves, sequences
from fibprover.games.findings.context import Finding, GameContext
from fibprover.games.search import Discovery
from fibprover.limits import Limits

#: What the findings of one kind may take unless the limits say otherwise.
SECONDS = 20.0


class Findings(NamedTuple):
    """What was found, and what was asked and not decided within the limits."""

    found: tuple[Finding, ...] = ()
    undecided: tuple[str, ...] = ()


def collect_findings(discovery: Discovery, limits: Limits | None = None) -> Findings:
    """The findings about a game that `discover` has proved, none otherwise; limits: of each kind of them."""
    if not discovery or discovery.candidate is None or discovery.system is None:
        return Findings()
    context = GameContext(
        discovery.game, discovery.candidate.automaton, discovery.system, discovery.data,
        limits or Limits(seconds=SECONDS),
    )
    found: list[Finding] = []
    undecided: list[str] = []
    for what, part in (
        ("the sequences of the P-positions", _in_order),
        ("redundant moves", moves.redundant_findings),
        ("moves that can be added", moves.addable_findings),
    ):
        try:
            # One by one: what came before the budget was spent stays.
            for finding in part(context):
                found.append(finding)
        except BudgetSpent:
            undecided.append(what)
    return Findings(tuple(found), tuple(undecided))


def _in_order(context: GameContext) -> Iterator[Finding]:
    """What there is to say of the sequences a_n and b_n, if they are given by automata."""
    known = sequences.find_sequences(context)
    if known is not None:
        yield from sequences.sequence_findings(context, known)
        yield from growth.growth_findings(context, known)
