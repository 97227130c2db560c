"""Generated formulas: the parser reads each as the tree it was rendered from, and they vary."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as hypothesis_seed

from fibprover.language.parser import parse_formula
from fibprover.language.tree import Binary, Call, Compare, InSystem, Not, Quantified
from tests.oracle.brute import Judge
from tests.oracle.strategies import GUARD, NAMES, Case, cases, rendered_again, world_of

#: They test what other tests draw.
pytestmark = pytest.mark.long

SAMPLE = settings(
    max_examples=100, database=None, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)


def sampled(seed: int, *, guarded: bool, counting: bool = False) -> list[Case]:
    """100 generated formulas, always the same for a seed."""
    found: list[Case] = []

    @hypothesis_seed(seed)
    @SAMPLE
    @given(cases(guarded=guarded, counting=counting))
    def collect(case: Case) -> None:
        found.append(case)

    collect()
    return found


def depth(node: object) -> int:
    """Connectives above the deepest atom; guards and system prefixes do not count."""
    match node:
        case Compare() | Call():
            return 0
        case InSystem(body=body):
            return depth(body)
        case Not(body=body) | Quantified(body=body):
            return 1 + depth(body)
        case Binary(left=left, right=right):
            return 1 + max(depth(left), depth(right))
    raise AssertionError(node)


@pytest.mark.parametrize("guarded", [True, False])
def test_the_parser_reads_what_was_rendered(guarded: bool) -> None:
    for case in sampled(1, guarded=guarded, counting=True):
        for full in (False, True):
            text = rendered_again(case, full=full).text
            assert parse_formula(text).formula == case.formula, text


def test_guarded_formulas_do_not_look_beyond_the_guard() -> None:
    for case in sampled(2, guarded=True)[:25]:
        near = Judge(case.formula, world_of(case.system, GUARD)).table(5)
        far = Judge(case.formula, world_of(case.system, GUARD + 4)).table(5)
        assert near == far, case


def test_generated_formulas_vary() -> None:
    found = sampled(3, guarded=True)
    assert len({case.text for case in found}) > 66
    assert {case.system for case in found} == {"msd_2", "msd_3", "msd_fib"}
    assert all(set(case.free) <= set(NAMES) and list(case.free) == sorted(case.free) for case in found)
    answers = Counter(len(set(Judge(case.formula, world_of(case.system)).table(14).values())) for case in found)
    assert answers[2] >= 30, "formulas that are true somewhere and false somewhere"
    assert {len(case.free) for case in found} >= {0, 1, 2}
    assert max(depth(case.formula) for case in found) >= 4
    everything = " ".join(case.text for case in found)
    for sign in ("<=>", "=>", "&", "|", "^", "~", "E", "A", "!=", ">=", "/", "-", "*", "[", "@", "$", "?msd"):
        assert sign in everything
