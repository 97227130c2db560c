"""A plan never binds a name twice on one path, never has it both bound and free, and uses no other name."""

from __future__ import annotations

import pickle

import pytest

from fibprover.base.values import replaced
from fibprover.prover.logic import Linear, Logic
from fibprover.prover.plan import rewrite
from fibprover.prover.plan.steps import AtLeast, Block, Combine, Leaf, NegatedConjunct, Plan, PlanError, Project, Step
from tests.plan.making import known, plan


def atom(*names: str) -> Leaf:
    return Leaf(Linear("msd_2", (1,) * len(names), names, "<=", 5), tuple(sorted(names)))


def block(quantified: str, parts: list[Step], *negated: NegatedConjunct) -> Block:
    names = {name for part in (*parts, *negated) for name in part.variables} - set(quantified)
    return Block(tuple(quantified), tuple(parts), negated, tuple(sorted(names)))


def make(root: Step, free: str) -> Plan:
    sort = known().namespace.definitions["power"].sorts[0]
    return Plan(root, dict.fromkeys("xyz", sort), tuple(free), "optimized")


@pytest.mark.parametrize(("root", "free", "message"), [
    (block("y", [atom("x", "y"), block("y", [atom("y")])]), "x", "binds y twice"),
    (block("y", [atom("x", "y"), Project(("y",), atom("y"), ())]), "x", "binds y twice"),
    (block("y", [atom("y")], NegatedConjunct(("y",), atom("x", "y"))), "x", "binds y twice"),
    (block("", [], NegatedConjunct(("y",), block("y", [atom("x", "y")]))), "x", "binds y twice"),
    (block("y", [atom("y"), AtLeast(("y", "z"), 2, atom("x", "y", "z"), ("x",))]), "x", "binds y twice"),
    (AtLeast(("y", "y"), 2, atom("x", "y"), ("x",)), "x", "binds y twice"),
    (Combine("&", atom("x"), Project(("x",), atom("x"), ()), ("x",)), "x", "binds x twice"),
    (block("", [atom("x", "y")]), "x", "uses y unbound"),
    (Combine("&", atom("y"), Project(("y",), atom("x", "y"), ("x",)), ("x", "y")), "x", "uses y unbound"),
])
def test_a_plan_with_a_wrong_scope_is_refused(root: Step, free: str, message: str) -> None:
    with pytest.raises(PlanError, match=message):
        make(root, free)


def test_names_may_be_bound_on_several_paths() -> None:
    twice = Combine("&", Project(("y",), atom("x", "y"), ("x",)), Project(("y",), atom("y"), ()), ("x",))
    assert pickle.loads(pickle.dumps(make(twice, "x"))) == make(twice, "x")
    copies = (NegatedConjunct(("y",), atom("x", "y")), NegatedConjunct(("y",), atom("y")))
    assert replaced(make(block("", [], *copies), "x"), name="other").name == "other"


def test_the_check_finds_copies_that_share_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """`E=1` becomes "one, and no two": once a plan was made of it in which both bound the same variables."""
    text = "E=1 x (Ey x+y=5 & y>2)"
    plan(text)

    def shared(self: rewrite._Rewriting, node: Logic) -> Logic:
        return node

    monkeypatch.setattr(rewrite._Rewriting, "apart", shared)
    with pytest.raises(PlanError, match="twice"):
        plan(text)
