"""Budgets of the constructions written in Python: polled once a state."""

from __future__ import annotations

from fibprover.errors import BudgetSpent
from fibprover.limits import Budget


def spend(budget: Budget, states: int, during: str) -> None:
    """BudgetSpent if there are more states than allowed, or no time is left."""
    if states > budget.states:
        raise BudgetSpent("states", budget.states, states=states, during=during)
    if budget.seconds_left() < 0:
        raise BudgetSpent("seconds", 0, states=states, during=during)
