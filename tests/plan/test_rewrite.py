"""Equivalences in terms of other connectives: the copies share free variables and nothing else."""

from __future__ import annotations

from itertools import product

import pytest

from fibprover.prover import logic
from fibprover.prover.logic import Logic, free_variables
from fibprover.prover.plan.rewrite import MOST_NESTED, without_equivalences
from tests.plan.making import resolved


def nodes(node: Logic) -> list[Logic]:
    """The node and all below it."""
    match node:
        case logic.Not() | logic.Exists() | logic.ForAll() | logic.Infinite():
            return [node, *nodes(node.body)]
        case logic.And() | logic.Or() | logic.Xor() | logic.Implies() | logic.Iff():
            return [node, *nodes(node.left), *nodes(node.right)]
    return [node]


def bound(node: Logic) -> list[str]:
    names: list[str] = []
    for one in nodes(node):
        if isinstance(one, logic.Exists | logic.ForAll):
            names += one.variables
        elif isinstance(one, logic.Infinite):
            names.append(one.variable)
    return names


def truth(node: Logic, atoms: dict[Logic, bool]) -> bool:
    """The truth of a formula without quantifiers."""
    match node:
        case logic.Not():
            return not truth(node.body, atoms)
        case logic.And():
            return truth(node.left, atoms) and truth(node.right, atoms)
        case logic.Or():
            return truth(node.left, atoms) or truth(node.right, atoms)
        case logic.Implies():
            return not truth(node.left, atoms) or truth(node.right, atoms)
        case logic.Iff():
            return truth(node.left, atoms) is truth(node.right, atoms)
        case logic.Xor():
            return truth(node.left, atoms) is not truth(node.right, atoms)
    return atoms[node]


@pytest.mark.parametrize("text", [
    "x=1 <=> y=2", "x=1 ^ y=2", "(x=1 <=> y=2) <=> x=3", "x=1 ^ (y=2 <=> (x=3 ^ y=4))", "~(x=1 ^ ~(y=2 <=> x=3)) | y=5",
    "x=1 ^ x=2 ^ x=3 ^ x=4 ^ x=5", "(x=1 => y=2) <=> (~x=1 ^ y=2)",
])
def test_truth_tables(text: str) -> None:
    before = resolved(text)
    after = without_equivalences(before)
    atoms = [node for node in dict.fromkeys(nodes(before.logic)) if isinstance(node, logic.Linear)]
    for values in product((False, True), repeat=len(atoms)):
        table: dict[Logic, bool] = dict(zip(atoms, values, strict=True))
        assert truth(before.logic, table) is truth(after.logic, table), values


@pytest.mark.parametrize("text", [
    "(Ez z=x) <=> (Az z>=x)", "(Ez z=x) ^ (Iz z>x & (Ey y=z))", "((Ez z=x) <=> (Ez z=y)) ^ (Ez z=x+y)",
    "Ex ((Ez z=x) <=> (Ex x=y))", "Az ((Iy y>z) <=> (Ey T[y]=T[z]) ^ $near(x,z+1))",
])
def test_copies_bind_names_of_their_own(text: str) -> None:
    before = resolved(text)
    after = without_equivalences(before)
    names = bound(after.logic)
    assert len(names) == len(set(names)) > len(bound(before.logic))
    assert free_variables(after.logic) == free_variables(before.logic) == set(before.free)
    for name in names:
        assert after.sorts[name].system == "msd_2"
        assert after.names.get(name, "'").rstrip("*")[0] in "xyz'"


def test_nothing_else_changes() -> None:
    before = resolved("Ex x=1 & ~(Ay y<x => (Iz z>y | T[x]=T[y]))")
    assert without_equivalences(before).logic == before.logic


def test_nesting_is_bounded() -> None:
    text = " <=> ".join(f"x={i}" for i in range(12))
    found = nodes(without_equivalences(resolved(text)).logic)
    assert any(isinstance(node, logic.Iff) for node in found)
    assert len(found) < 4 ** (MOST_NESTED + 1) * 12


@pytest.mark.parametrize("nested", [0, MOST_NESTED])
@pytest.mark.parametrize(
    "text",
    ["E=1 x x<y", "E=2 x (E=1 z (z<x & (Ey y=z+x)))", "E=1 x (x=y <=> (Ez z/2=x))", "(E=1 x x<=y) ^ (E=1 x x<y)"],
)
def test_no_two_quantifiers_have_a_variable_in_common(text: str, nested: int) -> None:
    """Counts bring copies of what is counted; scopes of conjunctions are merged."""
    def all_bound(node: Logic) -> list[str]:
        if isinstance(node, logic.AtLeast):
            return [*node.variables, *all_bound(node.body)]
        if isinstance(node, logic.Exists | logic.ForAll):
            return [*node.variables, *all_bound(node.body)]
        if isinstance(node, logic.Not):
            return all_bound(node.body)
        if isinstance(node, logic.And | logic.Or | logic.Xor | logic.Implies | logic.Iff):
            return [*all_bound(node.left), *all_bound(node.right)]
        return []

    names = all_bound(without_equivalences(resolved(text), nested).logic)
    assert len(names) == len(set(names)) > 1
