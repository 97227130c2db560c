"""A million checks of linear atoms against integer arithmetic, numbers up to 10^30."""

from __future__ import annotations

import random

import numpy as np
import pytest
from numpy.typing import NDArray

from fibprover.automata.dfa import Dfa
from fibprover.numeration import RELATIONS, NumerationSystem, system_named
from tests.few import few
from tests.numeration.systems import HOLDS

#: Name, most variables, largest coefficient: what keeps automata of thousands of states at most.
SYSTEMS = [
    ("msd_2", 4, 9), ("msd_10", 3, 9), ("msd_fib", 3, 5), ("msd_lucas", 3, 5), ("msd_pell", 3, 5),
    ("msd_trib", 3, 2), ("msd_narayana", 3, 2), ("msd_4bonacci", 2, 2), ("msd_5bonacci", 2, 2), ("msd_6bonacci", 1, 3),
    ("msd_wythoff_3", 3, 5), ("msd_wythoff_10", 3, 5), ("msd_fraenkel_2_1", 3, 4), ("msd_fraenkel_4_4", 3, 4),
    ("msd_rec_3_m1", 3, 4), ("msd_rec_1_0_0_1", 2, 1), ("msd_rec_2_0", 3, 4), ("msd_rec_1_1_from_1_9", 3, 4),
    ("msd_ost_0_3_per_1_2", 3, 4), ("msd_ost_2_per_1_1_1_4", 3, 2), ("msd_ost_0_1_2_1_1_per_1_1_1_2", 3, 3),
    ("msd_ost_0_5_1_1_4_per_1", 3, 3), ("msd_neg_2", 4, 9), ("msd_neg_3", 3, 9), ("msd_neg_10", 3, 9),
    ("msd_neg_fib", 3, 5), ("lsd_fib", 3, 5), ("lsd_neg_2", 3, 9),
]


def outcomes(automaton: Dfa, codes: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return whether each row of letter codes is accepted; all rows are read in parallel."""
    arrays = automaton.arrays()
    state = np.zeros(len(codes), dtype=np.int64)
    # Transitions are sorted by state and code: one key for both finds them by bisection.
    letters = automaton.letters
    keys = np.repeat(np.arange(automaton.states), np.diff(arrays["offsets"])) * letters + arrays["codes"]
    alive = np.ones(len(codes), dtype=bool)
    for column in codes.T:
        wanted = state * letters + column
        place = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
        alive &= keys[place] == wanted if len(keys) else False
        state = np.where(alive, arrays["targets"][place] if len(keys) else 0, 0)
    accepted: NDArray[np.bool_] = arrays["outputs"][state] != 0
    return alive & accepted


def checked(system: NumerationSystem, most: int, largest: int, rng: random.Random, rounds: int, numbers: int) -> int:
    """Compare random atoms on random tuples, many of them near the boundary; return the number of comparisons."""
    digits = {number: system.represent(number) for number in pool(system, rng)}
    values = list(digits)
    length = max(map(len, digits.values()))
    done = 0
    for _ in range(rounds):
        count = rng.randint(1, most)
        coefficients = tuple(rng.choice([-1, 1]) * rng.randint(1, largest) for _ in range(count))
        chosen = [tuple(rng.choice(values) for _ in coefficients) for _ in range(numbers)]
        totals = [sum(c * x for c, x in zip(coefficients, row, strict=True)) for row in chosen]
        constant = rng.choice([0, 1, -1, rng.randint(-50, 50), rng.choice(totals) + rng.randint(-1, 1)])
        if system.name in ("msd_5bonacci", "msd_6bonacci", "msd_rec_1_0_0_1"):
            constant = rng.randint(-5, 5)
        codes = np.zeros((len(chosen), length), dtype=np.int64)
        for place, row in enumerate(chosen):
            for number in row:
                word = digits[number]
                padded = np.array([0] * (length - len(word)) + list(word), dtype=np.int64)
                codes[place] = codes[place] * len(system.digits) + padded
        for relation in rng.sample(RELATIONS, 2):
            found = outcomes(system.linear(coefficients, relation, constant), codes)
            expected = [HOLDS[relation](total, constant) for total in totals]
            wrong = np.flatnonzero(found != np.array(expected))
            assert not len(wrong), (system.name, coefficients, relation, constant, chosen[wrong[0]])
            done += len(chosen)
    return done


def pool(system: NumerationSystem, rng: random.Random) -> list[int]:
    """Return small numbers, numbers of every size up to 10^30, and sums and multiples of some of them."""
    found = set(range(8))
    while len(found) < 120:
        large = rng.randint(0, 10 ** rng.randint(1, 29))
        found |= {large, large + rng.randint(1, 3), 2 * large, 3 * large + rng.randint(-1, 1), rng.randint(0, 10**30)}
    found = {abs(number) for number in found}
    return sorted(found | {-number for number in found}) if system.signed else sorted(found)


@pytest.mark.parametrize(("name", "most", "largest"), few(SYSTEMS, 3))
def test_some_thousands(name: str, most: int, largest: int) -> None:
    assert checked(system_named(name), most, largest, random.Random(name), 4, 300) == 2400


@pytest.mark.very_long
def test_a_million() -> None:
    rng = random.Random(2026)
    total = sum(checked(system_named(name), most, largest, rng, 12, 1600) for name, most, largest in SYSTEMS)
    assert total >= 1_000_000


def test_a_wrong_atom_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    system = system_named("fib")
    right = type(system).linear
    monkeypatch.setattr(type(system), "linear", lambda self, c, r, k: right(self, c, r, k + 1))
    with pytest.raises(AssertionError, match="msd_fib"):
        checked(system, 2, 3, random.Random(1), 6, 300)
