"""States against bounds: what grows is told from what ends."""

from __future__ import annotations

import pytest

from fibprover.base.errors import FibproverError
from fibprover.infer.state_growth import GROWING, SATURATING, SLOWING, UNKNOWN, growth


def doubled(count: int) -> list[int]:
    return [1000 << number for number in range(count)]


@pytest.mark.parametrize("states", [
    [495, 683, 791, 825, 825], [1836, 1951, 1959, 1962, 1972, 1973], [7, 7, 7], [300, 500, 600, 650],
])
def test_saturating(states: list[int]) -> None:
    found = growth(doubled(len(states)), states)
    assert found.verdict == SATURATING and not found
    assert found.limit is not None and states[-1] <= found.limit <= 1.1 * states[-1]


@pytest.mark.parametrize("power", [0.05, 0.1, 0.25, 0.5, 1, 2])
@pytest.mark.parametrize("bounds", [
    doubled(4), doubled(9), [3000, 1 << 14, 1 << 17, 1 << 20], [*range(100, 1500, 200)],
])
def test_powers_of_the_bound(power: float, bounds: list[int]) -> None:
    found = growth(bounds, [round(1000 * bound**power) for bound in bounds])
    assert found.verdict == GROWING and found and found.limit is None
    assert found.exponent == pytest.approx(power, abs=0.01)


def test_exponential_growth() -> None:
    assert growth([*range(1, 9)], [2**bound for bound in range(1, 9)])
    assert growth(doubled(5), [10, 30, 200, 3000, 10**5])


def test_growth_that_slows() -> None:
    """States that each doubling adds as many to are no power of the bound, but have no limit either."""
    assert growth(doubled(8), [*range(100, 900, 100)]).verdict == SLOWING
    # The positions of value 1 of Wythoff's game have 825 states in the end.
    values = [59, 100, 161, 218, 357, 456, 545, 649, 729, 765, 803, 817, 825, 825]
    verdicts = [growth([64 << k for k in range(count)], values[:count]).verdict for count in range(6, 15)]
    assert GROWING not in verdicts
    assert growth([64 << k for k in range(8, 14)], values[8:]).verdict == SATURATING


def test_two_bounds_tell_nothing() -> None:
    assert growth([1, 2], [1, 100]).verdict == UNKNOWN
    assert growth([], []).verdict == UNKNOWN


@pytest.mark.parametrize(("bounds", "states"), [([1, 2], [1]), ([2, 2], [1, 1]), ([0, 1], [1, 1]), ([1, 2], [0, 1])])
def test_malformed(bounds: list[int], states: list[int]) -> None:
    with pytest.raises(FibproverError):
        growth(bounds, states)
