"""Numeration systems by name."""

from __future__ import annotations

import pytest

from fibprover.automata.dfa import Track
from fibprover.base.errors import NumerationError
from fibprover.base.names import full_name
from fibprover.numeration import DEFAULT_SYSTEM, RecurrenceSystem, UnknownSystemError, system_named
from fibprover.numeration.registry import RECURRENCES


@pytest.mark.parametrize(
    ("name", "full", "digits"),
    [
        ("msd_2", "msd_2", 2),
        ("2", "msd_2", 2),
        ("msd", "msd_2", 2),
        ("msd3", "msd_3", 3),
        ("lsd3", "lsd_3", 3),
        ("lsdfib", "lsd_fib", 2),
        ("msdneg_2", "msd_neg_2", 2),
        ("10", "msd_10", 10),
        ("msd_1000", "msd_1000", 1000),
        ("fib", "msd_fib", 2),
        ("msd_fib", "msd_fib", 2),
        ("msd_wythoff_3", "msd_wythoff_3", 4),
        ("wythoff_1", "msd_wythoff_1", 2),
    ],
)
def test_names_and_abbreviations(name: str, full: str, digits: int) -> None:
    system = system_named(name)
    assert full_name(name) == system.name == full
    assert system.digits == tuple(range(digits))
    assert system.track("n") == Track("n", system.digits, full)
    assert system_named(full) is system


@pytest.mark.parametrize("name", [*RECURRENCES, "2", "10", "4bonacci", "neg_2", "neg_fib", "wythoff_3", "fraenkel_2_1"])
def test_systems_with_names_verify(name: str) -> None:
    assert system_named(name).verify().failed == ()


def test_default() -> None:
    assert system_named(DEFAULT_SYSTEM).name == "msd_2"


@pytest.mark.parametrize(
    ("name", "terms"),
    [
        ("lucas", [1, 3, 4, 7, 11]),
        ("pell", [1, 2, 5, 12, 29]),
        ("trib", [1, 2, 4, 7, 13]),
        ("narayana", [1, 2, 3, 4, 6, 9]),
        ("2bonacci", [1, 2, 3, 5]),
        ("5bonacci", [1, 2, 4, 8, 16, 31]),
        ("6bonacci", [1, 2, 4, 8, 16, 32, 63]),
        ("wythoff_2", [1, 3, 7, 17]),
        ("fraenkel_2_1", [1, 3, 8, 22]),
        ("fraenkel_1_3", [1, 4, 13]),
        ("rec_1_1", [1, 2, 3, 5]),
        ("rec_3_m1", [1, 4, 11, 29]),
        ("rec_1_1_from_1_9", [1, 9, 10, 19]),
    ],
)
def test_recurrences_with_names(name: str, terms: list[int]) -> None:
    system = system_named(name)
    assert isinstance(system, RecurrenceSystem)
    assert system.recurrence.terms(len(terms)) == terms
    assert system_named("msd_" + name) is system


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("rec_1_2", "not the minimal polynomial of a Pisot number"),
        ("rec_1_3", "roots inside the unit disk|needs"),
        ("rec_0_1_1", "the terms must increase"),
        ("rec_1_1_from_2_3", "the first term must be 1"),
        ("rec_1_1_from_1", "2 coefficients need as many initial terms"),
        ("rec_1_0_0_0_1", "has the factor"),
        ("rec_0", "all coefficients are 0"),
    ],
)
def test_recurrences_without_a_numeration_system(name: str, why: str) -> None:
    with pytest.raises(NumerationError, match=why):
        system_named(name)


def test_bonacci_systems_are_named_up_to_six() -> None:
    with pytest.raises(UnknownSystemError, match="from 2 to 6"):
        system_named("7bonacci")


@pytest.mark.parametrize("name", ["nope", "", "msd_", "msd_02", "fib2", "msd_fib ", "msd_wythoff_0", "٣"])
def test_unknown_names(name: str) -> None:
    with pytest.raises(UnknownSystemError, match="there is no numeration system"):
        system_named(name)


@pytest.mark.parametrize(("name", "meant"), [
    ("msd_fob", "msd_fib"), ("lsd_tribb", "lsd_trib"), ("pel", "msd_pell"), ("msd_neg_fob", "msd_neg_fib"),
])
def test_the_nearest_name_is_suggested(name: str, meant: str) -> None:
    with pytest.raises(UnknownSystemError) as caught:
        system_named(name)
    assert system_named(meant).name in caught.value.hint


@pytest.mark.parametrize("name", ["0", "1", "msd_1", "1048576", "9" * 400])
def test_bases_out_of_range(name: str) -> None:
    with pytest.raises(UnknownSystemError, match="a base lies between 2 and 1048575"):
        system_named(name)
