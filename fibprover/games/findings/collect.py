"""Everything that is found out about a game once its P-positions are proved."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fibprover.errors import BudgetSpent
from fibprover.games.findings import growth, moves, sequences
from fibprover.games.findings.finding import Finding
from fibprover.games.findings.setting import Setting
from fibprover.games.search import Discovery
from fibprover.limits import Limits

#: What the findings of one kind may take unless the limits say otherwise.
SECONDS = 20.0


def findings(discovery: Discovery, limits: Limits | None = None) -> list[Finding]:
    """The findings about a game that `discover` has proved, none otherwise.

    limits: of each of them; what cannot be decided within them is left out.
    """
    if not discovery or discovery.candidate is None or discovery.system is None:
        return []
    setting = Setting(
        discovery.game, discovery.candidate.automaton, discovery.system, discovery.data,
        limits or Limits(seconds=SECONDS),
    )
    found: list[Finding] = []
    for part in (_in_order, moves.redundant_findings, moves.addable_findings):
        found += _within_limits(part, setting)
    return found


def _in_order(setting: Setting) -> Iterator[Finding]:
    """What there is to say of the sequences a_n and b_n, if they are given by automata."""
    known = sequences.sequences(setting)
    if known is not None:
        yield from sequences.sequence_findings(setting, known)
        yield from growth.growth_findings(setting, known)


def _within_limits(part: Callable[[Setting], Iterator[Finding]], setting: Setting) -> list[Finding]:
    """The findings of one part that came before its budget was spent."""
    found: list[Finding] = []
    try:
        for finding in part(setting):
            found.append(finding)
    except BudgetSpent:
        pass
    return found
