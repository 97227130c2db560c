"""Verdicts, relations and traces are plain data: they can be pickled, before and after evidence was requested."""

from __future__ import annotations

import pickle
from typing import TypeVar

import pytest

import fibprover as fp
from fibprover.base.limits import Limits
from fibprover.numeration.periodic import negative_base, negative_fibonacci
from fibprover.numeration.system import NumerationSystem
from tests.plan.making import known

T = TypeVar("T")


def copied(value: T) -> T:
    copy: T = pickle.loads(pickle.dumps(value))
    return copy


@pytest.mark.parametrize("text", [
    "Ex x>3 & T[x]=@1", "Ax x=x", "Ax,y x<y => x+5<y+3", "Ex $power(x) & P[x]=P[x]", "E=1 x x=2", "?msd_fib Ex x>3",
])
@pytest.mark.parametrize("plan", ["optimized", "textbook"])
def test_a_verdict(text: str, plan: str) -> None:
    verdict = known().prove(text, plan=plan)
    copy = copied(verdict)
    assert copy == verdict
    assert copy.evidence == verdict.evidence
    again = copied(verdict)
    assert again == verdict
    assert "evidence" in vars(again)
    if verdict:
        assert copy.vacuity(deep=True) == verdict.vacuity(deep=True)


def test_a_verdict_with_definitions_and_macros() -> None:
    session = fp.Session("msd_fib")
    session.macro("less", "%0<%1")
    session.define("small", "x<5 & (x=x | x>7)")
    session.define("between", "$small(x) & #less(x,y)")
    session.define("unused", "x=1")
    verdict = session.prove("Ex,y $between(x,y) & #less(y,20)", limits=Limits(seconds=60))
    copy = copied(verdict)
    assert copy == verdict
    assert set(copy.environment.definitions) == {"between", "small"}
    assert not copy.cache.entries
    found = copy.vacuity(deep=True)
    assert found == verdict.vacuity(deep=True)
    assert any(part.within == ("between", "small") for part in found)


@pytest.mark.parametrize("text", ["x<5 & T[x]=@1", "?lsd_fib x+y=z", "$power(x) & y>x"])
def test_a_relation(text: str) -> None:
    relation = known().relation(text)
    copy = copied(relation)
    assert copy == relation
    assert copy.first(5) == relation.first(5)
    assert copy.trace == relation.trace
    assert copied(relation.trace) == relation.trace
    assert (copy & relation) == relation
    assert (~copy | relation).is_finite() is False


def test_numbers_of_a_system_that_was_added() -> None:
    session = fp.Session()
    session.add_system(fp.recurrence_system("msd_mine", (3, 1), (1, 4)))
    session.define("small", "?msd_mine x<9")
    relation, other = session.relation("?msd_mine x<7"), session.relation("x<5")
    copy = copied(relation)
    assert copy == relation
    assert copy.first(9) == [(x,) for x in range(7)]
    assert (other.renamed(x="y") & copied(relation)).first(3) == (other.renamed(x="y") & relation).first(3)
    verdict = session.prove("Ex $small(x) & (?msd_mine x>3)")
    assert copied(verdict).evidence == verdict.evidence
    assert copied(verdict).vacuity(deep=True) == verdict.vacuity(deep=True)


@pytest.mark.parametrize("system", [
    fp.ostrowski_system("msd_root", [0, 3], [1, 2]), negative_base(2, "msd_minus"),
    negative_fibonacci("msd_minus"), fp.recurrence_system("msd_mine", (3, 1), (1, 4)),
], ids=str)
def test_every_system_that_was_added(system: NumerationSystem) -> None:
    session = fp.Session()
    session.add_system(system)
    relation = session.relation(f"?{system.name} x+2=y & y<9")
    assert copied(relation).first(5) == relation.first(5)
    verdict = session.prove(f"?{system.name} Ax,y x+y=y+x & x<=x")
    assert copied(verdict).vacuity() == verdict.vacuity()
    assert copied(system).represent(1000) == system.represent(1000)


@pytest.mark.parametrize("text", ["Ex `(?lsd_mine x=3)", "?msd_mine Ex `(x=3)", "Ex `($small(x) & x>3)"])
def test_a_reversal_in_a_system_that_was_added(text: str) -> None:
    session = fp.Session()
    session.add_system(fp.recurrence_system("msd_mine", (3, 1), (1, 4)))
    session.define("small", "?msd_mine x<9")
    verdict = session.prove(text)
    assert copied(verdict).evidence == verdict.evidence is not None
    assert copied(verdict).vacuity(deep=True) == verdict.vacuity(deep=True)
