"""Whatever a command does, it ends within its limits; see tests/cli/law.py for many more commands."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.seeds import chosen_seed, is_fixed

#: Commands that are drawn: in every run, and at most in a run with a seed of its own.
FIXED, MOST = 2, 200


@pytest.mark.long
@pytest.mark.random
def test_drawn_commands_end_within_their_limits() -> None:
    # In a process of its own: the greatest memory of a process includes that of the one that it was forked from.
    count = FIXED if is_fixed() else MOST
    command = [sys.executable, "-m", "tests.cli.law", "--count", str(count), "--seed", str(chosen_seed())]
    found = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr
