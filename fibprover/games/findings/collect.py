"""Collect the findings about a game whose P-positions are proved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import Limits, SharedLimits, spending
from fibprover.games.findings import line_distance, moves, sequences, zeros
from fibprover.games.findings.context import Finding, GameContext
from fibprover.games.search import Discovery

#: Seconds for the findings of one kind unless the limits say otherwise.
SECONDS = 20.0


class Findings(NamedTuple):
    """The findings, and the kinds of findings that the limits did not suffice for."""

    found: tuple[Finding, ...] = ()
    undecided: tuple[str, ...] = ()


def collect_findings(discovery: Discovery, limits: Limits | None = None) -> Findings:
    """Return the findings about a game, none if its P-positions are not proved; limits: of each kind of findings."""
    if not discovery or discovery.candidate is None or discovery.system is None:
        return Findings()
    context = GameContext(
        discovery.game, discovery.candidate.automaton, discovery.system, discovery.data,
        limits or Limits(cpu_seconds=SECONDS),
    )
    kinds: tuple[tuple[str, Callable[[GameContext], Iterator[Finding]]], ...] = (
        ("the representations of the P-positions", zeros.zero_findings),
        ("the sequences of the P-positions", _in_order),
        ("redundant moves", moves.redundant_findings),
        ("moves that can be added", moves.addable_findings),
    )
    if context.game.misere:
        # Without a move more positions end play, which redundant and additional moves do not account for.
        kinds = kinds[:2]
    found: list[Finding] = []
    undecided: list[str] = []
    for number, (what, part) in enumerate(kinds):
        try:
            with spending(_part_of(context.limits, len(kinds) - number + 1).start()):
                # One by one, so that the findings made before the budget was spent are kept.
                for finding in part(context):
                    found.append(finding)
        except BudgetSpent:
            undecided.append(what)
    return Findings(tuple(found), tuple(undecided))


def _part_of(limits: Limits, parts: int) -> Limits:
    """Return the limits of one of so many parts: of time that all share, what is left is divided evenly.

    The last part is for the report: a theorem must not be lost because findings have spent all time.
    """
    if not isinstance(limits, SharedLimits) or limits.start().seconds_left() == float("inf"):
        return limits
    left = max(limits.start().seconds_left(), 0.01)
    return limits.part(left / parts)


def _in_order(context: GameContext) -> Iterator[Finding]:
    """Yield the findings about the sequences a_n and b_n, if automata for them are found."""
    known = sequences.find_sequences(context)
    if known is not None:
        yield from sequences.sequence_findings(context, known)
        yield from line_distance.growth_findings(context, known)
