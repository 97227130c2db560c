"""Linear atoms of many variables: joined to what connects the variables without being built."""

from __future__ import annotations

import pytest

import fibprover as fp
from fibprover.prover.evaluate import blocks
from fibprover.prover.evaluate.schedule import wide_atoms
from tests.plan.making import plan

CHAIN = "a<=b & b<=c & c<=d & d<=e & e<=3"

FORMULAS = [
    f"{CHAIN} & a+b+c+d=e", f"{CHAIN} & a+b+c+d!=e", f"{CHAIN} & ~(a+b+c+d<=e)", f"Ea,b,c,d {CHAIN} & a+b+c=d+e",
    f"Ac,d,e ({CHAIN}) => a+b+c+d>=e", f"{CHAIN} & a+b+c+d+1=2*e & a+2*b+c!=d+e",
    f"Ea,b,c,d,e {CHAIN} & 2*a+b+c+d=e & a>0",
    f"Eb {CHAIN} & ~(Ez a+b+c+d<=e+z & z=1)", f"{CHAIN} & (a+b+c+d=e | a+b+c=d+e)",
]


@pytest.mark.parametrize("system", ["msd_2", "msd_fib"])
@pytest.mark.parametrize("text", FORMULAS)
def test_same_relation_as_the_textbook_plan(text: str, system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "MOST_WIDE", 1)
    outcomes = [fp.Session(system).eval(text, plan=name) for name in ("optimized", "textbook")]
    first, second = outcomes
    if isinstance(first, fp.Verdict):
        assert isinstance(second, fp.Verdict) and first.truth is second.truth
    else:
        assert isinstance(second, fp.Relation) and first == second and not first.is_empty()


def test_the_atom_is_not_built(monkeypatch: pytest.MonkeyPatch) -> None:
    session = fp.Session("msd_fib")
    text = f"{CHAIN} & a+b+c+d=e"

    def built() -> list[str]:
        trace = session.eval(text).trace
        assert trace is not None
        return [record.label for record in trace.records if record.operation == "atom"]

    assert "a+b+c+d=e" in built()
    monkeypatch.setattr(blocks, "MOST_WIDE", 1)
    session.cache.clear()
    assert "a+b+c+d=e" not in built()


def test_only_atoms_that_others_connect_are_wide() -> None:
    def found(text: str) -> int:
        root = plan(text).root
        assert hasattr(root, "parts")
        return len(wide_atoms(root.parts))

    assert found(f"{CHAIN} & a+b+c+d=e") == 1
    assert found("a<=b & c<=d & e<=3 & a+b+c+d=e") == 0
    assert found("a<=b & b<=c & c<=d & a+b+c=d") == 0


def test_a_budget_smaller_than_that_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "MOST_WIDE", 10**9)
    with pytest.raises(fp.BudgetSpent):
        fp.Session("msd_fib", limits=fp.Limits(transitions=50)).eval(f"{CHAIN} & a+b+c+d=e")


def test_what_remains_of_a_large_equation_is_one_part_of_a_conjunction() -> None:
    """It is a congruence, found without the automaton of the equation, and here it is not empty."""
    session = fp.Session("msd_2")
    assert session.relation("Ey x=100003*y+17 & x>300").first(2) == [(100020,), (200023,)]
    assert not session.prove("Ex,y x=100003*y+17 & x>300 & x<100020")
