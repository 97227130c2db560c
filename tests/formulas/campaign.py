"""Runs a check on many generated formulas and discards those that grow too large."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from hypothesis import HealthCheck, Phase, given, reject, settings
from hypothesis import seed as hypothesis_seed
from hypothesis.strategies import SearchStrategy

from fibprover.base.errors import BudgetSpent
from tests.oracle.strategies import Case
from tests.seeds import chosen_seed

#: How many times the formulas of a long campaign a test draws.
MANY = pytest.mark.parametrize(
    "times", [pytest.param(1, marks=pytest.mark.long), pytest.param(5, marks=pytest.mark.very_long)]
)

#: At most this share of the formulas may be discarded.
DISCARDED = 0.10


@dataclass
class Tally:
    """What a campaign did: formulas checked to the end, texts that met the budget."""

    seed: int
    checked: int = 0
    discarded: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.checked} formulas agree, {len(self.discarded)} discarded, seed {self.seed}"


def campaign(
    strategy: SearchStrategy[Case],
    check: Callable[[Case], None],
    examples: int,
    seed: int | None = None,
    *,
    shrink: bool = True,
) -> Tally:
    """Checks `examples` formulas; fails on the first disagreement or on too many discards.

    seed: another one than that of the run; shrink: whether a disagreement is worth the time to make it small.
    """
    tally = Tally(chosen_seed() if seed is None else seed)

    @hypothesis_seed(tally.seed)
    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        print_blob=False,
        report_multiple_bugs=False,
        phases=[Phase.generate, *([Phase.shrink] if shrink else [])],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def examine(case: Case) -> None:
        try:
            check(case)
        except BudgetSpent:
            tally.discarded.append(case.text)
            reject()
        tally.checked += 1

    examine()
    assert len(tally.discarded) <= DISCARDED * (tally.checked + len(tally.discarded)), (str(tally), tally.discarded)
    return tally
