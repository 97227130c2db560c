"""Witnesses and counterexamples: numbers at which brute force agrees, and the least such.

The quantifiers within the formulas are guarded, so brute force judges them at numbers of any size.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

import fibprover as fp
from fibprover.prover.verdict.evidence import EvidenceSearch
from tests.formulas import prover
from tests.formulas.campaign import campaign
from tests.oracle.brute import Judge, holds
from tests.oracle.strategies import Case, cases, world_of

LARGEST = 14


def evidence_is_right(case: Case) -> None:
    """`E x,y P` and `A x,y P` for a formula P with free variables x, y."""
    world = world_of(case.system)
    names = case.free
    table = Judge(case.formula, world).table(LARGEST)
    for quantifier, kind, sought in (("E", "witness", True), ("A", "counterexample", False)):
        verdict = prover.session(case.system).eval(f"{quantifier}{','.join(names)} ({case.text})")
        assert isinstance(verdict, fp.Verdict)
        near = [values for values, truth in table.items() if truth is sought]
        if verdict.truth is not sought:
            assert not near, f"{verdict} of {quantifier} {case}, but look at {names} = {near[:1]}"
            continue
        evidence = verdict.evidence
        assert evidence is not None, case
        # Quantifiers that follow directly may have their numbers shown too.
        assert evidence.kind == kind, case
        assert set(names) <= set(evidence.values), case
        values = {name: value for name, value in numbers(evidence.values).items() if name in names}
        assert holds(case.formula, values, world) is sought, f"{evidence} of {quantifier} {case}"
        shown = tuple(values[name] for name in names)
        if evidence.least and near:
            assert shown <= min(near), f"{evidence} of {quantifier} {case}, but {min(near)}"
        for met in (verdict.met, {}):
            some = hurried(replace(verdict, met=met))
            assert some is not None and some.kind == kind and some.values.keys() == evidence.values.keys(), case
            values = {name: value for name, value in numbers(some.values).items() if name in names}
            assert holds(case.formula, values, world) is sought, f"{some} of {quantifier} {case}"


def hurried(verdict: fp.Verdict) -> fp.Evidence | None:
    """The evidence where no time is left to look for the least."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(EvidenceSearch, "least_within", lambda *arguments: None)
        return verdict.evidence


def numbers(values: Mapping[str, object]) -> dict[str, int]:
    """The values, all of which are numbers here."""
    found = {name: value for name, value in values.items() if isinstance(value, int)}
    assert len(found) == len(values), values
    return found


@pytest.mark.long
@pytest.mark.random
def test_evidence() -> None:
    campaign(cases(guarded=True).filter(lambda case: bool(case.free)), evidence_is_right, 12)


@pytest.mark.very_long
@pytest.mark.random
def test_much_evidence() -> None:
    campaign(cases(guarded=True).filter(lambda case: bool(case.free)), evidence_is_right, 1000)
