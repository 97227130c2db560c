"""Formulas as unions of polyhedra: the same solutions, no two pieces with a common one, and written again."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from fibprover.games.formulas import resolve_rule
from fibprover.games.polyhedra import (
    NotPolyhedral,
    Polyhedron,
    as_bounds,
    difference,
    includes,
    is_empty,
    make_disjoint,
    polyhedron,
    simplify,
    solution_polyhedra,
    to_formula,
)
from tests.oracle.games import holds

from .rules_at_random import formulas

Grid = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]

SIZE = {2: 24, 4: 7}


def grid(text: str, names: tuple[str, ...], reach: int = 60) -> Grid:
    axes = np.meshgrid(*[np.arange(SIZE[len(names)])] * len(names), indexing="ij")
    found = holds(text, dict(zip(names, axes, strict=True)), reach)
    return np.broadcast_to(found, axes[0].shape)


def points(p: Polyhedron | None, names: tuple[str, ...]) -> Grid:
    axes = np.meshgrid(*[np.arange(SIZE[len(names)])] * len(names), indexing="ij")
    found = np.full(axes[0].shape, p is not None)
    for row in as_bounds(p) if p is not None else []:
        found &= sum(c * axis for c, axis in zip(row, axes, strict=False)) + row[-1] >= 0
    return found


def check(text: str, names: tuple[str, ...]) -> None:
    try:
        union = solution_polyhedra(resolve_rule(text), names)
        pieces = make_disjoint(union)
    except NotPolyhedral:
        return
    expected = grid(text, names)
    assert np.array_equal(np.any([points(p, names) for p in union] or [np.zeros_like(expected)], axis=0), expected)
    assert np.array_equal(sum((points(p, names).astype(int) for p in pieces), np.zeros(expected.shape, int)), expected)
    for p in pieces:
        assert np.array_equal(grid(str(to_formula(p)), names), points(p, names))


@pytest.mark.long
@settings(max_examples=50)
@given(formulas(("i", "j")))
def test_two_variables(text: str) -> None:
    check(text, ("i", "j"))


@pytest.mark.long
@settings(max_examples=60)
@given(formulas(("p", "q", "r", "s")))
def test_four_variables(text: str) -> None:
    check(text, ("p", "q", "r", "s"))


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("i=0 | j=0 | i=j", {"i=0", "j=0 & i>0", "i=j & i>0"}),
        ("j=1 | j=2 | j=3", {"j>0 & j<=3"}),
        ("i/2=j", {"2*j<=i & i<=2*j+1"}),
        ("i-j=2", {"i=j+2"}),
        ("~(i-j=2)", {"j+3<=i", "i<=j+1"}),
        ("i!=j", {"j<i", "i<j"}),
        ("Ek i=k+3 & j<=k", {"j+3<=i"}),
        ("Ek k<j & i=2*k", None),
        ("Ak k<i => k+k<j", {"2*i<=j+1"}),
        ("Ek,l k>0 & l>0 & i=k+l & j=k", {"j>0 & j<i"}),
        ("i=j | i!=j", {"0=0"}),
        ("i<j & j<i", set()),
        ("2*i=3*j & 2*i!=3*j+1", {"2*i=3*j"}),
        ("E>=2 k k<i", None),
        ("Ek i=2*k", None),
        ("i/2*2=i", None),
    ],
)
def test_pieces(text: str, pieces: set[str] | None) -> None:
    if pieces is None:
        with pytest.raises(NotPolyhedral):
            solution_polyhedra(resolve_rule(text), ("i", "j"))
    else:
        union = solution_polyhedra(resolve_rule(text), ("i", "j"))
        assert {str(to_formula(p)) for p in make_disjoint(union)} == pieces
        assert {str(to_formula(p)) for p in union} == pieces or len(pieces) > 1
        check(text, ("i", "j"))


@pytest.mark.parametrize(
    "text",
    [
        " & ".join(f"({k % 5 + 1}*i!={k % 3 + 2}*j+{k})" for k in range(12)),
        " <=> ".join(f"({k % 5 + 1}*i<{k % 3 + 2}*j+{k} ^ i={k})" for k in range(6)),
        " | ".join(f"(i={k * k})" for k in range(80)),
        " & ".join(f"(i={k} ^ (j>{k} ^ i+j={3 * k}))" for k in range(12)),
    ],
)
def test_many_pieces_end_soon(text: str) -> None:
    check(text, ("i", "j"))


def test_polyhedra_that_are_not_seen_to_be_empty_are_kept() -> None:
    two_thirds = polyhedron(("i", "j"), [], [(3, -3, -1), (-3, 3, 2)])
    assert two_thirds is None or is_empty(two_thirds)
    equal = polyhedron(("i", "j"), [], [(2, -3, 0), (-2, 3, 0)])
    assert equal is not None and equal.equations == ((2, -3, 0),) and equal.bounds == ()
    assert polyhedron(("i",), [(2, 1)], []) is None
    assert polyhedron(("i",), [(0, 1)], []) is None
    assert polyhedron(("i",), [(0, 0)], [(0, 5)]) == Polyhedron(("i",), (), ())


def test_sets() -> None:
    quadrant = Polyhedron(("i", "j"), (), ())
    above = Polyhedron(("i", "j"), (), ((-1, 1, -1),))
    assert includes(quadrant, above) and not includes(above, quadrant)
    assert [str(to_formula(p)) for p in difference(quadrant, above)] == ["j<=i"]
    assert difference(above, quadrant) == []
    both = polyhedron(("i", "j"), [], [(-1, 1, -1), (0, 1, -1), (-1, 1, 3)])
    assert both is not None and str(to_formula(simplify(both))) == "i<j"
