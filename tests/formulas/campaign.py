"""Runs a check on many generated formulas, reproducibly, and discards those that grow too large.

The seed is random, printed, and set again by the environment variable FIBPROVER_SEED.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import dataclass, field

from hypothesis import HealthCheck, Phase, given, reject, settings
from hypothesis import seed as hypothesis_seed
from hypothesis.strategies import SearchStrategy

from fibprover.errors import BudgetSpent
from tests.oracle.strategies import Case

#: At most this share of the formulas may be discarded.
DISCARDED = 0.10


@dataclass
class Tally:
    """What a campaign did: formulas checked to the end, texts that met the budget."""

    seed: int
    checked: int = 0
    discarded: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.checked} formulas agree, {len(self.discarded)} discarded, FIBPROVER_SEED={self.seed}"


def chosen_seed() -> int:
    """The seed asked for, or one nobody knows yet."""
    asked = os.environ.get("FIBPROVER_SEED", "")
    return int(asked) if asked else random.SystemRandom().randrange(10**9)


def campaign(
    strategy: SearchStrategy[Case],
    check: Callable[[Case], None],
    examples: int,
    say: Callable[[str], None],
    seed: int | None = None,
    *,
    shrink: bool = True,
) -> Tally:
    """Checks `examples` formulas; fails on the first disagreement or on too many discards.

    say: prints the seed, before anything can go wrong, and the tally; shrink: whether a
    disagreement is worth the time to make it small.
    """
    tally = Tally(chosen_seed() if seed is None else seed)
    say(f"FIBPROVER_SEED={tally.seed}")

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
    say(str(tally))
    assert len(tally.discarded) <= DISCARDED * (tally.checked + len(tally.discarded)), tally.discarded
    return tally
