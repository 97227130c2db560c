"""The verdicts of the theorems of proofs/ under both plans, chapter by chapter."""

from __future__ import annotations

import pytest

from fibprover.campaigns.theorems.proof_report import Row
from fibprover.campaigns.theorems.runner import run
from fibprover.campaigns.theorems.task import ProofSettings
from tests.proofs.chapters import FURTHER, HEAVIEST, HEAVY, LIGHT, LONG, TOO_HEAVY, as_expected, chapter, claims_of


def test_most_claims_are_tried_under_both_plans() -> None:
    assert len([claim for one in LIGHT for claim in claims_of(one) if claim not in LONG]) > 200


@pytest.mark.parametrize("title", [
    pytest.param(one.title, marks=[pytest.mark.long] if place % 6 else []) for place, one in enumerate(LIGHT)
])
def test_every_verdict_is_the_expected_one_under_both_plans(title: str) -> None:
    rows = as_expected(chapter(title), ProofSettings(textbook=True))
    assert [row.claim.id for row in rows if not row.as_expected or row.states_textbook is None] == []


@pytest.mark.long
@pytest.mark.parametrize("title", [
    pytest.param(title, marks=[pytest.mark.very_long] if title in HEAVIEST else [])
    for title in (*HEAVY, *(title for title in FURTHER if title not in HEAVY + TOO_HEAVY))
])
def test_both_plans_agree_on_what_is_heavy_too(title: str) -> None:
    results = list(run([chapter(title)], ProofSettings(textbook=True)))
    tried = [result for result in results if not (isinstance(result, Row) and result.skipped)]
    assert tried
    assert [result for result in tried if not (isinstance(result, Row) and result.as_expected)] == []
