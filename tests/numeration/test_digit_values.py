"""What digits are worth, against the values of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest

import fibprover as fp
from fibprover.base.errors import NotSupported
from fibprover.numeration.composed import ComposedSystem
from fibprover.numeration.digit_values import DigitValues, digit_values
from fibprover.numeration.number_field import KEPT_BITS
from fibprover.numeration.system import NumerationSystem

SYSTEMS = ("msd_2", "lsd_3", "msd_fib", "lsd_trib", "msd_narayana", "msd_wythoff_2", "msd_rec_2_2", "msd_4bonacci")


def value(values: DigitValues, digits: Sequence[int]) -> int:
    state = total = 0
    for place, digit in enumerate(digits):
        state, kind = values.rows[state][digit]
        total += values.worth[kind][len(digits) - place - 1]
    return total


def check(system: NumerationSystem) -> None:
    values = digit_values(system)
    for number in (*range(300), 10**9, 10**30):
        assert value(values, system.represent(number)) == number
    beta = float(values.field.beta)
    for worth, limit, errors, tail in zip(values.worth, values.limits, values.errors, values.tails, strict=True):
        scaled = [error / 2**KEPT_BITS for error in errors]
        for t in range(20):
            found = abs(worth[t] - float(limit) * beta**t)
            assert abs(found - scaled[t]) < 1e-6 * max(1, beta**t * 1e-6)
        # The errors are exact, so their sum beyond the horizon is that of what they decrease to.
        assert tail / 2**KEPT_BITS < 1e-6 and (values.field.degree > 1 or not tail)


@pytest.mark.parametrize("name", ["msd_ost_0_3_per_1_2", "lsd_ost_0_2_1_per_1_3", "msd_ost_0_2_per_1_1_3"])
def test_ostrowski_systems_with_a_longer_period(name: str) -> None:
    system = fp.system_named(name)
    values = digit_values(system)
    assert values.period == len(system.continued_fraction.period)  # type: ignore[union-attr]
    beta = float(values.field.beta)
    for number in (*range(300), 10**9, 10**30):
        digits = system.represent(number)
        state, total = len(digits) % values.period, 0
        for left in range(len(digits), 0, -1):
            assert values.left(state) == left % values.period
            state, kind = values.rows[state][digits[-left]]
            total += values.worth[kind][left - 1]
            unit = beta ** ((left - 1) // values.period)
            error = abs(values.worth[kind][left - 1] - float(values.limits[kind]) * unit)
            assert left > 24 or abs(error - values.errors[kind][left - 1] / 2**KEPT_BITS) < 1e-6
        assert total == number and state == 0


@pytest.mark.parametrize("name", SYSTEMS)
def test_systems(name: str) -> None:
    check(fp.system_named(name))


@pytest.mark.long
def test_a_system_of_a_substitution_without_weights() -> None:
    session = fp.Session()
    session.dumont_thomas("w", "0->02, 1->002, 2->1")
    system = session.namespace.system("msd_w")
    assert isinstance(system, ComposedSystem)
    check(system)


@pytest.mark.parametrize("name", ["msd_neg_2", "msd_neg_fib"])
def test_systems_of_another_type(name: str) -> None:
    with pytest.raises(NotSupported):
        digit_values(fp.system_named(name))


def test_the_letters_are_all_there() -> None:
    """Every valid word of a few digits has its own number."""
    system = fp.system_named("msd_trib")
    values = digit_values(system)
    words = [word for word in product((0, 1), repeat=6) if system.is_valid(word)]
    assert sorted(value(values, word) for word in words) == list(range(len(words)))
