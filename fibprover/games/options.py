"""How many options of a position are in a set, counted kind of move by kind of move.

The automaton that counts one kind is small, and so is the sum of few counts; the options of all kinds together would
be counted by one of 28,764 states for W^8, where the kinds have 360 and the sum 1,404.
"""

from __future__ import annotations

from fibprover.automata import operations
from fibprover.automata.dfa import Dfa
from fibprover.games.rules import Game
from fibprover.limits import UNBOUNDED, Budget, Limits
from fibprover.session import Session


def option_counts(game: Game, session: Session, most: int, budget: Budget) -> Dfa:
    """The number of options of (p,q) that are in the session's P, up to `most`, as the output of an automaton."""
    total = None
    for kind in game.kinds:
        options = session.relation(f"$P(r,s) & ({kind})", limits=left(budget)).automaton
        counted = operations.counts(options, ["r", "s"], most, budget)
        total = counted if total is None else operations.sums(total, counted, most, budget)
    if total is None:
        return operations.empty(session.relation("p>=0 & q>=0").automaton.tracks)
    return total


def left(budget: Budget) -> Limits:
    """What is left of a budget, as the limits of one more evaluation."""
    states, transitions, room = (
        None if bound == UNBOUNDED else bound for bound in (budget.states, budget.transitions, budget.bytes)
    )
    seconds = budget.seconds_left()
    return Limits(states, transitions, room, None if seconds == float("inf") else max(seconds, 0.001))
