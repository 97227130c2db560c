"""What the next data of a search would cost."""

from __future__ import annotations

import pytest

from fibprover.base.errors import LimitError
from fibprover.games.catalogue import game_of
from fibprover.games.costs import Cost, next_data
from fibprover.games.positions import largest_bound, positions
from fibprover.games.rules import Game
from fibprover.games.search import find_automaton
from fibprover.games.theorem import Theorem

MIB = 1 << 20


def test_costs_that_follow_a_power() -> None:
    costs = [
        Cost(bound, 1e-6 * bound**2, {"msd_2": 1e-4 * bound, "msd_3": 1e-4 * bound**1.5}, 50 * MIB + 2000 * bound)
        for bound in (1000, 4000)
    ]
    found = next_data(costs, 16000, ["msd_2", "msd_3"], 1.0, 50 * MIB)
    assert found.power == pytest.approx(2)
    assert found.computing == pytest.approx(256)
    assert found.inferring == pytest.approx(1.6 + 1e-4 * 16000**1.5)
    assert found.seconds == found.computing + found.inferring
    assert found.peak == pytest.approx(50 * MIB + 2000 * 16000, rel=1e-6)
    assert (found.bound, found.systems) == (16000, 2)


def test_costs_of_one_round() -> None:
    """Without growth, the power is that of the solver; times that are noise are no growth either."""
    assert next_data([Cost(1000, 1.0, {"msd_2": 2.0}, MIB)], 3000, ["msd_2"], 2.0, 0).computing == pytest.approx(9)
    noise = [Cost(1000, 0.0001, {}, 0), Cost(2000, 0.009, {}, 0)]
    found = next_data(noise, 4000, ["msd_2"], 1.0, 0)
    assert found.computing == pytest.approx(0.018) and found.inferring == 0 and found.peak is None


def test_searches_without_a_theorem_say_what_would_be_next() -> None:
    """Those that end with "no automaton", too; in the report and as JSON."""
    for name, systems, status in (("blocking(5)", ["msd_2"], "no automaton"), ("terminal(20)", ["msd_fib"], None)):
        found = find_automaton(game_of(name), systems, largest=1 << 14 if status else 400)
        assert not found and (status is None or found.status == status)
        assert found.following is not None and found.following.bound > found.data.bound
        said = " ".join(str(Theorem(found, ())).split())
        assert f"Next. The positions below {found.following.bound}" in said
        told = Theorem(found, ()).as_json()
        assert told["following"]["bound"] == found.following.bound
        assert all(set(each) >= {"system", "bound", "states", "outcome", "growth"} for each in told["attempts"])
    assert find_automaton(game_of("nim")).following is None


@pytest.mark.parametrize(
    "game",
    [game_of("i=0 | j=0 | (i=j & (Ek p=2*k))"), Game.by_function(lambda i, j: i == j), game_of("Ek i=2*k & j=0")],
)
def test_bounds_that_cannot_be_computed(game: Game) -> None:
    with pytest.raises(LimitError):
        positions(game, largest_bound(game) + 1)
