"""Projections, and how a checker meets few sets of states when it checks them.

In: an automaton, and the tracks to be projected away.  Out: the automaton without them, and from which end words are
read, or which states sets lose.  Begin with `projected`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fibprover.automata import determinization, operations
from fibprover.automata.dfa import Dfa
from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import Budget
from fibprover.base.values import value
from fibprover.prover.certificate.pruned import Losses, losses

#: Words are read from their end, too, if more sets are met than these, and more for each state of the result.
MANY_SETS, MORE_SETS = 200, 3

#: Sets lose states if so many times fewer are met then.
MANY_TIMES = 3


@value
class Projection:
    """An automaton without some tracks.

    backward: whether few sets are met if words are read from their end; sets: how many are met otherwise, as far as
    that is known; loses: which states sets lose, if many fewer are met then.
    """

    automaton: Dfa
    backward: bool
    sets: int
    loses: Losses | None = None

    @property
    def line(self) -> dict[str, object]:
        """What the line of the claim has of it."""
        found: dict[str, object] = {"backward": True} if self.backward else {}
        return found if self.loses is None else {**found, "loses": list(map(list, self.loses.lines))}


def projected(automaton: Dfa, names: Sequence[str], budget: Budget) -> Projection:
    """Return an automaton without some tracks, and how that is checked with few sets of states."""
    found, met = _by_all_states(automaton, names, budget)
    if met <= MANY_SETS + MORE_SETS * found.automaton.states:
        return found
    fewer = losses(automaton, names, met // MANY_TIMES, budget)
    return found if fewer is None else Projection(found.automaton, False, fewer.sets, fewer)


def _by_all_states(automaton: Dfa, names: Sequence[str], budget: Budget) -> tuple[Projection, int]:
    """Return the same without losses, and how many sets a check meets."""
    with determinization.observed() as outcomes:
        found = operations.exists(automaton, names, budget)
    forward = sum(sets for one in outcomes for _, sets in one.met)
    if not all(one.is_plain for one in outcomes) or forward <= MANY_SETS + MORE_SETS * found.states:
        backward = any("reverse" in one.strategy for one in outcomes)
        ended = sum(sets for one in outcomes for name, sets in one.met if name == one.strategy)
        return Projection(found, backward, forward), ended if backward else forward
    try:
        with determinization.observed() as outcomes, determinization.forced("reverse"):
            operations.exists(automaton, names, replace(budget, states=min(budget.states, forward // 2)))
    except BudgetSpent as spent:
        if spent.resource != "states":
            raise
        return Projection(found, False, forward), forward
    back = sum(sets for one in outcomes for _, sets in one.met)
    return Projection(found, 2 * back < forward, forward), min(back, forward)
