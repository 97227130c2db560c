"""lower.linear: one normal form for every linear comparison, true of the same numbers."""

from __future__ import annotations

from itertools import product
from math import gcd

import pytest

from fibprover.prover import logic
from fibprover.prover.logic import Logic
from fibprover.prover.lower import RELATIONS, Affine, linear

NAMES = ("x", "y")
VALUES = (0, 1, 2, 3, 5, 8)


def holds(node: Logic, values: dict[str, int]) -> bool:
    """The truth of what `linear` returns: an atom, a constant, or one of them beside an Anything."""
    match node:
        case logic.Truth():
            return node.value
        case logic.Universe():
            return True
        case logic.And():
            return holds(node.left, values) and holds(node.right, values)
        case logic.Linear():
            total = sum(c * values[name] for c, name in zip(node.coefficients, node.variables, strict=True))
            return RELATIONS[node.relation](total, node.constant)
    raise AssertionError(f"{node} is no normal form")


@pytest.mark.parametrize("relation", RELATIONS)
def test_same_numbers(relation: str) -> None:
    for a, b, constant in product((-6, -4, -1, 0, 2, 3, 6), (-9, -4, 0, 1, 6), (-13, -6, -1, 0, 1, 3, 7, 12)):
        found = linear("msd_2", {"x": a, "y": b}, constant, relation)
        assert logic.free_variables(found) == {"x", "y"}, (a, b, constant)
        for x, y in product(VALUES, repeat=2):
            expected = RELATIONS[relation](a * x + b * y, constant)
            assert holds(found, {"x": x, "y": y}) is expected, (a, b, relation, constant, x, y, found)


@pytest.mark.parametrize("relation", RELATIONS)
def test_it_is_normal(relation: str) -> None:
    for a, b, constant in product((-6, -2, 3, 4), (-9, -4, 1, 6), (-13, -6, 0, 3, 12)):
        found = linear("msd_2", {"x": a, "y": b}, constant, relation)
        if isinstance(found, logic.And):
            assert relation in ("=", "!=") and constant % gcd(a, b)
            continue
        assert isinstance(found, logic.Linear)
        assert found.relation in ("=", "!=", "<=")
        assert gcd(*found.coefficients) == 1
        assert list(found.coefficients) == sorted(found.coefficients, reverse=True)
        mirror = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(relation, relation)
        negative = linear("msd_2", {"y": -b, "x": -a}, -constant, mirror)
        assert isinstance(negative, logic.Linear)
        assert (negative.coefficients, negative.relation, negative.constant) == (
            found.coefficients, found.relation, found.constant,
        )


@pytest.mark.parametrize(("first", "second"), [
    (({"x": 1, "p": -1}, 0, "<="), ({"p": 1, "x": -1}, 0, ">=")),
    (({"x": 2, "y": 2}, 5, "<"), ({"y": 1, "x": 1}, 2, "<=")),
    (({"x": 1, "y": -1}, 3, "="), ({"y": 1, "x": -1}, -3, "=")),
    (({"x": 2, "y": -4}, 6, "!="), ({"x": -1, "y": 2}, -3, "!=")),
    (({"x": 1}, 3, ">"), ({"x": 2}, 7, ">=")),
])
def test_equal_comparisons_are_one_atom(
    first: tuple[dict[str, int], int, str], second: tuple[dict[str, int], int, str]
) -> None:
    assert linear("msd_2", *first) == linear("msd_2", *second)


def test_no_variables() -> None:
    assert linear("msd_2", {}, 0, "=") == logic.Truth(True)
    assert linear("msd_2", {}, 1, "<") == logic.Truth(True)
    assert linear("msd_2", {}, 1, ">=") == logic.Truth(False)
    assert linear("msd_2", {"x": 0}, -1, ">") == logic.And(logic.Truth(True), logic.Universe(("x",)))


def test_systems_stay_apart() -> None:
    assert linear("msd_2", {"x": 1}, 3, "=") != linear("msd_fib", {"x": 1}, 3, "=")


def test_affine_forms() -> None:
    x, three = Affine({"x": 2}, 1), Affine({"y": 1, "x": -2}, 3)
    assert x.plus(three).coefficients == {"x": 0, "y": 1} and x.plus(three).constant == 4
    assert x.plus(three, -2).coefficients == {"x": 6, "y": -2} and x.plus(three, -2).constant == -5
    assert x.times(0).is_constant and not x.is_constant
    assert x.is_natural and not three.is_natural and not Affine({}, -1).is_natural and Affine({"x": 0}, 0).is_natural
