"""Steps in words."""

from __future__ import annotations

import pytest

from fibprover.prover.logic import Linear
from fibprover.prover.plan.steps import atom_text, text_of
from tests.plan.making import every, plan


@pytest.mark.parametrize(
    ("coefficients", "relation", "constant", "expected"),
    [
        ((1, -1), "=", 0, "a=b"),
        ((3, -2), "<=", 4, "3*a<=2*b+4"),
        ((3, -2), "<=", -4, "3*a+4<=2*b"),
        ((1, 1), "=", 0, "a+b=0"),
        ((1, 1), "<=", 5, "a+b<=5"),
        # Comparisons that are true or false for signs alone: both sides are there nevertheless.
        ((1,), "=", -1, "a+1=0"),
        ((1, 1), "<=", -3, "a+b+3<=0"),
        ((-1, -1), "<=", 3, "0<=a+b+3"),
        ((-1, -1), "<=", 0, "0<=a+b"),
        ((-1,), "<=", -3, "3<=a"),
    ],
)
def test_linear_atoms(coefficients: tuple[int, ...], relation: str, constant: int, expected: str) -> None:
    assert atom_text(Linear("msd_2", coefficients, tuple("ab"[: len(coefficients)]), relation, constant)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("T[x]=@1", "T[x] in {1}"),
        ("T[x]<T[y]", "T[x]<T[y]"),
        ("$sum(x,y,z)", "$sum(x,y,z)"),
        ("x-x=0", "any x"),
        ("x=1 | x=2", "any of 2"),
        ("0=1", "false"),
        ("Ex x<y & ~T[x]=@1", "Ex x+1<=y & ~T[x] in {1}"),
        ("E>=2 x x<y", "E>=2 x x+1<=y"),
        ("Ix x>y", "Ix ..."),
    ],
)
def test_steps(text: str, expected: str) -> None:
    assert text_of(plan(text).root) == expected


def test_every_step_has_a_text() -> None:
    for text in ("x=1 <=> (y=2 ^ (x=y <=> (Ez z<x ^ Iz z>y)))", "~(Ez z<x & ~(Ew w+z=y | T[w]=T[x-y]))"):
        for rules in ((), ("normal-form",), ("guarded-difference", "share-terms")):
            assert all(text_of(step) for step in every(plan(text, *rules).root))
