"""The verdicts of the theorems of proofs/ that `make test` tries under one plan, and of those that take long."""

from __future__ import annotations

import pytest

from fibprover.campaigns.theorems.task import ProofSettings
from tests.proofs.chapters import FOUND, LIGHT, LONG, QUICK, VERY_LONG, as_expected, chapter, claims_of, unexpected


def test_long_theorems_are_many() -> None:
    assert len(LONG) >= 100


@pytest.mark.parametrize("title", [one.title for one in QUICK if one not in LIGHT])
def test_every_verdict_is_the_expected_one(title: str) -> None:
    """The textbook plan takes more than seconds here."""
    as_expected(chapter(title), ProofSettings())


@pytest.mark.long
def test_long_theorems_have_the_expected_verdicts() -> None:
    homes = [one for one in FOUND.chapters if one not in QUICK or any(claim in LONG for claim in claims_of(one))]
    assert unexpected([one for one in homes if one.title not in VERY_LONG]) == []


@pytest.mark.very_long
@pytest.mark.parametrize("title", VERY_LONG)
def test_very_long_chapters_have_the_expected_verdicts(title: str) -> None:
    assert unexpected([chapter(title)]) == []
