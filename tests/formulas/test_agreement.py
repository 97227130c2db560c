"""Random formulas: brute force, the textbook plan and the optimized plan say the same.

Guarded formulas are compared with brute force at every assignment of 0..14, and the two plans as
languages, that is at all assignments; formulas without guards between the plans only.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.formulas import prover
from tests.formulas.campaign import MANY, campaign
from tests.oracle.brute import Judge
from tests.oracle.strategies import Case, cases, mixed_cases, world_of

LARGEST = 14
#: With more variables than three, fewer values of each.
FEW = 5


def agrees_with_brute_force(case: Case) -> None:
    largest = LARGEST if len(case.free) <= 3 else FEW
    expected = Judge(case.formula, world_of(case.system)).table(largest)
    if not case.free:
        for plan in ("textbook", "optimized"):
            assert prover.truth(case, plan) is expected[()], (plan, case)
        return
    textbook, optimized = (prover.relation(case, plan) for plan in ("textbook", "optimized"))
    for plan, found in (("textbook", textbook), ("optimized", optimized)):
        assert found.names == case.free, (plan, case)
        answers = prover.table(found, len(case.free), largest)
        wrong = [values for values, truth in expected.items() if truth is not answers[values]]
        assert not wrong, f"{plan}, {case} at {case.free} = {wrong[0]}: brute force says {expected[wrong[0]]}"
    assert textbook == optimized, case


def plans_agree(case: Case) -> None:
    if not case.free:
        assert prover.truth(case, "textbook") is prover.truth(case, "optimized"), case
        return
    textbook, optimized = (prover.relation(case, plan) for plan in ("textbook", "optimized"))
    assert textbook.names == optimized.names == case.free, case
    assert textbook == optimized, case


@pytest.mark.random
def test_guarded_formulas() -> None:
    campaign(cases(guarded=True), agrees_with_brute_force, 20)


@pytest.mark.long
@pytest.mark.random
def test_unguarded_formulas() -> None:
    campaign(cases(guarded=False), plans_agree, 20)


@pytest.mark.long
@pytest.mark.random
def test_formulas_over_two_systems() -> None:
    campaign(mixed_cases(), agrees_with_brute_force, 10)


@pytest.mark.long
@pytest.mark.random
def test_counting_quantifiers() -> None:
    """`E>=k x`, `E<=k x`, `E=k x` among the others."""
    campaign(cases(guarded=True, counting=True), agrees_with_brute_force, 12)
    campaign(cases(guarded=False, counting=True), plans_agree, 8)


@MANY
@pytest.mark.random
def test_many_guarded_formulas(times: int) -> None:
    campaign(cases(guarded=True), agrees_with_brute_force, 200 * times)


@MANY
@pytest.mark.random
def test_many_formulas_over_two_systems(times: int) -> None:
    campaign(mixed_cases(), agrees_with_brute_force, 75 * times)


@MANY
@pytest.mark.random
def test_many_counting_quantifiers(times: int) -> None:
    campaign(cases(guarded=True, counting=True), agrees_with_brute_force, 200 * times)
    campaign(cases(guarded=False, counting=True), plans_agree, 200 * times)


@MANY
@pytest.mark.random
def test_many_unguarded_formulas(times: int) -> None:
    campaign(cases(guarded=False), plans_agree, 500 * times)


@pytest.mark.random
def test_the_comparison_can_fail() -> None:
    """Brute force that judges another formula is contradicted: the campaign does look."""

    def compare_with_the_negation(case: Case) -> None:
        agrees_with_brute_force(replace(case, text=f"~({case.text})"))

    with pytest.raises(AssertionError):
        campaign(cases(guarded=True), compare_with_the_negation, 20, seed=1, shrink=False)
