"""Traces and budgets: what an evaluation says of itself, and how it stops."""

from __future__ import annotations

from itertools import pairwise

import pytest

import fibprover as fp
from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import Limits
from fibprover.prover.evaluate.trace import Record

PLANS = ("textbook", "optimized")


def test_textbook_steps_are_the_subformulas_in_order() -> None:
    session = fp.Session("msd_fib")
    steps = session.eval("Ax x<5 => ~(Ey y+y=x & y>3)", plan="textbook").trace
    assert steps is not None
    assert [label for label, _ in steps.steps()] == [
        "x<5", "y+y=x", "y>3", "y+y=x & y>3", "Ey y+y=x & y>3", "~(Ey y+y=x & y>3)", "x<5 => ~(Ey y+y=x & y>3)",
        "Ax x<5 => ~(Ey y+y=x & y>3)",
    ]


def test_states_are_those_of_minimal_automata() -> None:
    session = fp.Session("msd_2")
    found = session.relation("x=3 | x=4", plan="textbook")
    assert found.trace is not None
    assert dict(found.trace.steps()) == {"x=3": 3, "x=4": 4, "x=3 | x=4": found.states}
    assert found.trace.largest == max(record.states for record in found.trace.records)


@pytest.mark.parametrize("plan", PLANS)
def test_records(plan: str) -> None:
    session = fp.Session("msd_2")
    seen: list[Record] = []
    session.options = type(session.options)(plan, Limits(), seen.append)
    trace = session.eval("Ex,y x+y=7 & x<y & ~(Ez z+z=x)").trace
    assert trace is not None and list(trace.records) == seen
    assert all(before.seconds <= after.seconds <= trace.seconds for before, after in pairwise(seen))
    assert all(record.label and record.operation and record.states >= 1 for record in seen)
    assert all(not record.label.startswith("[") for record in seen if record.source)
    assert str(trace).count("\n") == len(seen) - 1


def test_empty_trace() -> None:
    from fibprover.prover.evaluate.trace import Trace

    assert str(Trace((), 0, 0.0)) == "(no steps)"


HARD = "Ax,y (x<1000 & y<x => (Ez 3*z+y=7*x+11 | 5*z=x+y+2 | 2*z+1=x | z+z+z=y))"


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize(
    ("limits", "resource"),
    [(Limits(states=5), "states"), (Limits(transitions=9), "transitions"), (Limits(seconds=1e-9), "seconds"),
     (Limits(bytes=1), "bytes")],
    ids=["states", "transitions", "seconds", "bytes"],
)
def test_budgets(plan: str, limits: Limits, resource: str) -> None:
    session = fp.Session("msd_2")
    with pytest.raises(BudgetSpent) as spent:
        session.eval(HARD, plan=plan, limits=limits)
    assert spent.value.resource == resource
    assert all(isinstance(record, Record) for record in spent.value.trace)
    # Nothing half-done stays behind: the next evaluation is right.
    easy = "Ax x<9 => (Ey x=2*y | x=2*y+1)"
    assert session.eval(easy, plan=plan)


@pytest.mark.parametrize("plan", PLANS)
def test_a_spent_budget_carries_the_trace_so_far(plan: str) -> None:
    session = fp.Session("msd_2")
    with pytest.raises(BudgetSpent) as spent:
        session.eval("x<3 & y<4 & x+y=z & x+y+z+w=v", plan=plan, limits=Limits(states=8))
    assert any(record.label == "x<3" for record in spent.value.trace)


def test_budgets_of_evidence() -> None:
    session = fp.Session("msd_2")
    verdict = session.prove("Ex,y x+y=1000 & x>y+7")
    assert verdict.evidence is not None and verdict.evidence.values == {"x": 504, "y": 496}
    limited = session.prove("Ex,y 3*x+5*y=1000 & x>y+7", limits=Limits(seconds=3600, states=100_000))
    assert limited.evidence is not None and limited.evidence.values == {"x": 130, "y": 122}
