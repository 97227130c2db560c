"""Terms shared by cost: which of two blocks is carried out, and that it does not change the relation."""

from __future__ import annotations

from pathlib import Path

import pytest

import fibprover as fp
from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import Limits
from fibprover.prover.evaluate import blocks
from fibprover.prover.plan import steps
from fibprover.prover.plan.textbook import textbook
from tests.plan.making import automaton, plan, resolved

PAPER = Path(__file__).parents[2] / "proofs" / "paper_commands.txt"

#: Two exclusions of the paper: the widest join of the first is small if its terms stay apart, that of the second if
#: they are shared.
APART, SHARED = "opt2W2c", "opt2W2b"


@pytest.fixture(scope="module")
def printed() -> dict[str, str]:
    """The printed commands by name."""
    lines = [line for line in PAPER.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return {line.split(maxsplit=2)[1]: line for line in lines}


def relation(printed: dict[str, str], name: str, *off: str) -> fp.Relation:
    """One relation about W^2, by a session of its own."""
    session = fp.Session("msd_fib", without=off)
    for command in ("shift", "phin", "phi2n", "optW", "pposW2_asym", "pposW2"):
        session.run(printed[command])
    text = printed[name].split('"')[1]
    found = session.eval(text)
    assert isinstance(found, fp.Relation) and found.trace is not None
    return found


def largest(found: fp.Relation) -> int:
    assert found.trace is not None
    return found.trace.largest


@pytest.mark.long
def test_the_cheaper_one_is_carried_out(printed: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Sharing always, or never, makes one of the two automata larger."""
    chosen = {name: relation(printed, name) for name in (APART, SHARED)}
    never = {name: relation(printed, name, "share-terms") for name in (APART, SHARED)}
    monkeypatch.setattr(blocks, "CHOICE_FIRST", 1 << 40)
    always = {name: relation(printed, name) for name in (APART, SHARED)}
    assert largest(chosen[APART]) == largest(never[APART]) < largest(always[APART])
    assert largest(chosen[SHARED]) == largest(always[SHARED]) < largest(never[SHARED]) / 2
    for name in (APART, SHARED):
        assert chosen[name] == never[name] == always[name]


#: A negated conjunct that needs p and two terms if they are shared, else only i and p.
CHOICE = "Ep p<9 & T[p-i]=@1 & T[p-2*i]=@1 & ~(Er r<p & $near(r,p) & (r=p-i | r=p-2*i))"


@pytest.fixture(params=[1, 20, 1000, 1 << 40])
def bound(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """The bound of the first attempt."""
    chosen: int = request.param
    monkeypatch.setattr(blocks, "CHOICE_FIRST", chosen)
    return chosen


def test_the_relation_does_not_depend_on_the_bound(bound: int) -> None:
    made = plan(CHOICE)
    assert isinstance(made.root, steps.Either)
    assert automaton(made) == automaton(textbook(resolved(CHOICE)))


def test_limits_of_the_user_hold_in_every_attempt(printed: dict[str, str], bound: int) -> None:
    session = fp.Session("msd_fib", limits=Limits(transitions=2000))
    for command in ("shift", "phin", "phi2n", "optW", "pposW2_asym", "pposW2"):
        session.run(printed[command])
    with pytest.raises(BudgetSpent) as found:
        session.eval(printed[APART].split('"')[1])
    assert found.value.resource == "transitions" and found.value.limit == 2000


def test_blocks_whose_negated_conjuncts_need_no_more_tracks_leave_no_choice() -> None:
    for text in ("Ei,p T[p-i]=@1 & p<9 & i<x", "Ep p<9 & T[p-i]=@1 & ~(p-i=3)"):
        assert not isinstance(plan(text).root, steps.Either)
