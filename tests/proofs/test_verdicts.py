"""The verdicts of the theorems of proofs/ that `make test` tries under one plan, and of those that take long."""

from __future__ import annotations

import pytest

from fibprover.campaigns.theorems.task import ProofSettings
from tests.proofs.chapters import (
    FIRST_MEMBERS,
    LIGHT,
    LONG,
    QUICK,
    VERY_LONG,
    WITH_LONG,
    as_expected,
    chapter,
    unexpected,
)


def test_long_theorems_are_many() -> None:
    assert len(LONG) >= 100


@pytest.mark.parametrize("title", [one.title for one in QUICK if one not in LIGHT])
def test_every_verdict_is_the_expected_one(title: str) -> None:
    """The textbook plan takes more than seconds here."""
    as_expected(chapter(title), ProofSettings())


@pytest.mark.long
@pytest.mark.parametrize("title", WITH_LONG[::2])
def test_long_theorems_have_the_expected_verdicts(title: str) -> None:
    """The other half is in test_long_verdicts.py, for the other worker."""
    assert unexpected(title, FIRST_MEMBERS.get(title, "")) == []


@pytest.mark.very_long
@pytest.mark.parametrize("title", [*VERY_LONG, *FIRST_MEMBERS])
def test_very_long_chapters_have_the_expected_verdicts(title: str) -> None:
    assert unexpected(title) == []
