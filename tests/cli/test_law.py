"""Whatever a command does, it ends within its limits; see tests/cli/law.py for many more commands."""

import random
from pathlib import Path

import pytest

from tests.cli.law import draw, measured
from tests.seeds import chosen_seed, is_fixed, is_over

#: Commands that are drawn: in every run, and at most in a run with a seed of its own.
FIXED, MOST = 6, 200


@pytest.mark.random
def test_drawn_commands_end_within_their_limits(tmp_path: Path) -> None:
    for number in range(FIXED if is_fixed() else MOST):
        if is_over():
            return
        outcome = measured(draw(random.Random(f"{chosen_seed()} {number}")), tmp_path)
        assert not outcome.faults, outcome
