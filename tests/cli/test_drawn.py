"""Commands of every subcommand that are drawn at random keep to their limits on CPU time and memory."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from tests.cli.drawn import DRAWN, Draw, Outcome, carried_out
from tests.seeds import chosen_seed, is_fixed

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="CPU time and memory are measured as on Linux")

#: Commands of each subcommand in a run that draws new ones; `python -m tests.cli.drawn 2000` draws as many as wanted.
COUNT = 1 if is_fixed() else 10

#: Those that `make test` draws: what they share with the others is drawn with these.
CHEAP = ("eval", "run", "store", "words")


@pytest.mark.random
@pytest.mark.parametrize("name", CHEAP if is_fixed() else tuple(DRAWN))
def test_drawn_commands_keep_to_their_limits(name: str, tmp_path: Path) -> None:
    chance = random.Random(f"{chosen_seed()} {name}")
    breaches = [
        f"{outcome.breach}: {outcome.command}"
        for outcome in (carried_out(name, chance, tmp_path) for _ in range(COUNT)) if outcome.breach
    ]
    assert breaches == []


@pytest.mark.parametrize("name", sorted(DRAWN))
def test_the_same_seed_draws_the_same_command(name: str, tmp_path: Path) -> None:
    one, other = (DRAWN[name](Draw(random.Random("7"), tmp_path)) for _ in range(2))
    assert (one.arguments[0], one.given, one.parts) == (name, other.given, other.parts)
    assert one.parts >= 0 and one.arguments == other.arguments


def test_what_a_breach_is() -> None:
    within = Outcome(("eval",), 1.0, 100 << 20, 3, 1.5, 150 << 20, "budget spent: ...")
    assert within.breach == ""
    assert "CPU time" in Outcome(("eval",), 1.0, 100 << 20, 3, 1.7, 0, "").breach
    assert "MB" in Outcome(("eval",), 1.0, 100 << 20, 3, 0.1, 250 << 20, "").breach
    assert "status -9" in Outcome(("eval",), 1.0, 100 << 20, -9, 0.1, 0, "").breach
    assert "internal error" in Outcome(("eval",), 1.0, 100 << 20, 2, 0.1, 0, "internal error: KeyError").breach
