"""Systems by name."""

from __future__ import annotations

import pytest

from fibprover.errors import FibproverError
from fibprover.numeration import DEFAULT_SYSTEM, UnknownSystemError, canonical_name, system_named


@pytest.mark.parametrize(
    ("name", "full", "digits"),
    [
        ("msd_2", "msd_2", 2),
        ("2", "msd_2", 2),
        ("msd", "msd_2", 2),
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
    assert canonical_name(name) == system.name == full
    assert system.digits == tuple(range(digits))
    assert system.track("n") == ("n", system.digits, full)
    assert system_named(full) is system


def test_default() -> None:
    assert system_named(DEFAULT_SYSTEM).name == "msd_2"


@pytest.mark.parametrize("name", ["lsd", "lsd_2", "lsd_fib", "msd_neg_2", "msd_trib", "trib", "msd_pell"])
def test_systems_that_are_not_there_yet(name: str) -> None:
    with pytest.raises(UnknownSystemError) as caught:
        system_named(name)
    text = str(caught.value)
    assert f"{name} is not available yet" in text
    assert "msd_fib" in text and "msd_k" in text
    assert isinstance(caught.value, FibproverError)


@pytest.mark.parametrize("name", ["nope", "", "msd_", "msd_02", "fib2", "msd_fib ", "msd_wythoff_0", "٣"])
def test_unknown_names(name: str) -> None:
    with pytest.raises(UnknownSystemError, match="there is no numeration system"):
        system_named(name)


@pytest.mark.parametrize("name", ["0", "1", "msd_1", "65536", "9" * 400])
def test_bases_out_of_range(name: str) -> None:
    with pytest.raises(UnknownSystemError, match="a base lies between 2 and 65535"):
        system_named(name)
