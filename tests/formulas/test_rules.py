"""Formulas that set off the planner's rules: the textbook plan, the optimized plan with whatever rules, and brute
force say the same."""

from __future__ import annotations

import random
from collections.abc import Collection

import pytest

import fibprover as fp
from fibprover.base.errors import AutomatonError
from fibprover.base.limits import Limits
from fibprover.prover.decide import Options, decide
from fibprover.prover.evaluate.cache import Cache
from fibprover.prover.plan.rules import JOIN_ORDER, RULES
from tests.formulas import prover
from tests.formulas.campaign import MANY, campaign
from tests.formulas.patterns import BOUND, patterns
from tests.oracle.brute import Judge
from tests.oracle.strategies import Case, world_of

#: Numbers at which brute force looks.
LARGEST = 6
BUDGET = Limits(states=20_000, seconds=5)


def answer(case: Case, off: Collection[str] = (), plan: str = "optimized") -> bool | fp.Relation:
    """What a formula comes to without some rules; nothing is remembered from one call to the next."""
    environment = prover.session(case.system).namespace.environment()
    found = decide(case.text, environment, Cache(), Options(plan, BUDGET, without=frozenset(off)))
    return found.truth if isinstance(found, fp.Verdict) else found


def check(case: Case, offs: list[tuple[str, ...]]) -> bool | fp.Relation:
    """Compares the textbook plan with the optimized one, all rules on and those of each choice off."""
    expected = answer(case, plan="textbook")
    for off in [(), *offs]:
        try:
            found = answer(case, off)
        except AutomatonError as error:
            # Where nothing is projected early, long formulas have more variables than letters can be coded for.
            if JOIN_ORDER in off and "tracks have more than" in str(error):
                continue
            raise
        if isinstance(expected, fp.Relation):
            assert isinstance(found, fp.Relation), (off, case)
            assert found.names == case.free, (off, case)
            assert found == expected, (off, case)
        else:
            assert found is expected, (off, case)
    return expected


def some_rules(case: Case) -> tuple[str, ...]:
    """A choice of rules that depends on nothing but the formula."""
    chance = random.Random(case.text)
    return tuple(chance.sample(RULES, chance.randint(2, len(RULES))))


def quickly(case: Case) -> None:
    check(case, [(random.Random(case.text).choice(RULES),), some_rules(case)])


def thoroughly(case: Case) -> None:
    check(case, [*((rule,) for rule in RULES), some_rules(case), RULES])


def by_brute_force(case: Case) -> None:
    found = check(case, [])
    largest = LARGEST if len(case.free) < 3 else BOUND
    for values, truth in Judge(case.formula, world_of(case.system, BOUND)).table(largest).items():
        holds = found if isinstance(found, bool) else values in found
        assert holds is truth, f"{case} at {case.free} = {values}: brute force says {truth}"


@pytest.mark.random
def test_guarded_formulas() -> None:
    campaign(patterns(guarded=True), quickly, 15)


@pytest.mark.long
@pytest.mark.random
def test_unguarded_formulas() -> None:
    campaign(patterns(guarded=False), quickly, 35)


@pytest.mark.long
@pytest.mark.random
def test_brute_force() -> None:
    campaign(patterns(guarded=True), by_brute_force, 35)


@MANY
@pytest.mark.random
def test_many_guarded_formulas(times: int) -> None:
    campaign(patterns(guarded=True), thoroughly, 70 * times)


@MANY
@pytest.mark.random
def test_many_unguarded_formulas(times: int) -> None:
    campaign(patterns(guarded=False), thoroughly, 70 * times)


@MANY
@pytest.mark.random
def test_much_brute_force(times: int) -> None:
    campaign(patterns(guarded=True), by_brute_force, 250 * times)
