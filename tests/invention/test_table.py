"""The table of docs/inventions.md: positions without a game, against boards of the sets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fibprover as fp
from fibprover.campaigns.atlas.results import positions_of_result
from tests.few import few
from tests.invention.test_invent import mask_of
from tests.oracle.games import holds
from tests.oracle.invention import differences, positions_by_moves

ROOT = Path(__file__).parents[2]
RESULTS: list[dict[str, Any]] = json.loads((ROOT / "proofs" / "inventions.json").read_text(encoding="utf-8"))

OF_THE_ATLAS = [row for row in RESULTS if row["kind"] == "atlas" and row["piles"] == 2]


def positions_of(row: dict[str, Any]) -> fp.Relation:
    return positions_of_result(ROOT / "proofs" / "atlas" / "results", row["of"])


@pytest.mark.parametrize("slope", ["(1+sqrt(5))/2", "sqrt(2)", "(1+sqrt(2))/2", "sqrt(3)", "(5+sqrt(13))/6"])
def test_the_dual_game_of_the_dual_game(slope: str) -> None:
    """Of complementary Beatty sequences: with the vectors of P as moves, and then with those of what comes out."""
    inside = mask_of(fp.positions_of_beatty(slope), 200)
    dual = positions_by_moves(inside)
    assert (positions_by_moves(dual) == inside).all()
    assert (dual != inside).any()


@pytest.mark.parametrize("row", [row for row in OF_THE_ATLAS if row["status"] == "none"], ids=lambda row: row["of"])
def test_a_position_that_nothing_serves(row: dict[str, Any]) -> None:
    place = tuple(row["unreached"]["position"])
    size = max(place) + 1
    far = mask_of(positions_of(row), max(100, 2 * size))
    assert not far[place]
    differ = differences(far, size)
    options = np.argwhere(far[: place[0] + 1, : place[1] + 1])
    claimed = {tuple(option["to"]): option["same"] for option in row["unreached"]["options"]}
    assert {tuple(map(int, option)) for option in options} == set(claimed)
    for option in options:
        low, high = map(np.array, sorted(claimed[tuple(map(int, option))], key=sum))
        assert (high - low == np.array(place) - option).all()
        assert differ[tuple(np.array(place) - option)] or max(*low, *high) >= len(far)


@pytest.mark.parametrize(
    "row", few([row for row in OF_THE_ATLAS if row["proof_states"] is not None and row["states"] < 120], 3),
    ids=lambda row: row["of"],
)
def test_rules_have_the_positions_of_the_atlas(row: dict[str, Any]) -> None:
    size = 220
    numbers = dict(zip("ij", np.indices((size, size)), strict=True))
    moves = np.broadcast_to(holds(row["game"], numbers, size), (size, size))
    assert (positions_by_moves(np.array(moves)) == mask_of(positions_of(row), size)).all()
