"""Trees of the truth of parts: brute force agrees with every part at its values, and with the tuples that are listed.

The quantifiers within the formulas are guarded, so brute force judges them at numbers of any size.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import fibprover as fp
from fibprover.base.errors import FibproverError
from fibprover.base.limits import Limits
from fibprover.prover.truth import TruthTree, below_zero
from tests.formulas import prover
from tests.formulas.campaign import campaign
from tests.oracle.brute import holds
from tests.oracle.strategies import GUARD, Case, cases, world_of


def nodes(tree: TruthTree) -> Iterator[TruthTree]:
    yield tree
    for part in tree.parts:
        yield from nodes(part)


def numbers(pairs: tuple[tuple[str, object], ...]) -> dict[str, int]:
    found = {name: each for name, each in pairs if isinstance(each, int)}
    assert len(found) == len(pairs)
    return found


def the_tree_is_right(case: Case) -> None:
    world, session = world_of(case.system), prover.session(case.system)
    values = {name: (5 * place + 2) % GUARD for place, name in enumerate(case.free)}
    for known in (values, dict(list(values.items())[:1]), {}):
        for tree in nodes(session.truths(case.text, known)):
            formula = session.parse(tree.text).formula
            at = numbers(tree.at)
            assert not tree.problem and set(at) | set(tree.free) == set(formula.free), tree
            if tree.truth is not None:
                assert holds(formula, at, world) is tree.truth, tree
            for listed in tree.first:
                more = numbers(tuple(zip(tree.free, listed, strict=True)))
                assert holds(formula, {**at, **more}, world), (tree, more)
            if tree.shown_by:
                (part,) = tree.parts
                assert part.truth is tree.truth, tree
                assert set(tree.shown_by) <= set(part.at), tree


@pytest.mark.long
@pytest.mark.random
def test_parts_at_values() -> None:
    campaign(cases(guarded=True), the_tree_is_right, 12)


def test_what_a_variable_is_in_the_formula_it_is_in_its_parts() -> None:
    """x is an integer because of the word of the left part; alone, the right part would be about naturals."""
    session = fp.Session("msd_2")
    session.define("negative", "?msd_neg_2 x<0")
    tree = session.truths("$negative(x) & x<3", x=-4)
    assert [part.truth for part in nodes(tree)] == [True, True, True]
    assert tree.truth and bool(tree)


def test_a_variable_that_is_bound_again_has_no_value_from_outside() -> None:
    tree = fp.Session().truths("x=3 & Ex x=5", x=3)
    inner = tree.parts[1]
    assert tree.truth and inner.shown_by == (("x", 5),) and inner.parts[0].at == (("x", 5),)


def test_first_quantifiers_are_looked_into_at_other_values() -> None:
    session = fp.Session("msd_fib")
    inner = session.relation("Ey x=2*y & y<z")
    for x in range(8):
        for z in range(8):
            tree = session.truths("?msd_fib Az Ex Ey x=2*y & y<z", x=x, z=z)
            below, part = tree.parts[0], tree.parts[0].parts[0]
            assert (tree.truth, tree.shown_by, below.truth) == (False, (("z", 0),), z > 0)
            assert dict(part.at) == {"x": x, "z": z} and part.truth is ((x, z) in inner)
            assert part.outcome == inner and part.states == inner.states
    assert session.truths("Ax Ey x=2*y", x=4).parts[0].shown_by == (("y", 2),)


def test_variables_beside_a_chosen_one_show_the_truth_together_with_it() -> None:
    session = fp.Session("msd_fib")
    for formula in ("Ax,y x<y => Ez x<z & z<y", "Ax Ay x<y => Ez x<z & z<y"):
        below = [part for part in nodes(session.truths(formula, x=4)) if part.text == "x<y"]
        assert [(dict(part.at), part.truth) for part in below] == [({"x": 4, "y": 5}, True)]  # nothing is between
    witness = session.truths("Ex,y x=2*y & y>3", x=20)
    assert witness.parts[0].truth and dict(witness.parts[0].at) == {"x": 20, "y": 10}
    none = session.truths("Ex,y x=2*y & y>3", x=21).parts[0]  # no y shows it
    assert none.free == ("y",) and not none.first


def test_terms_below_zero_are_named() -> None:
    tree = fp.Session().truths("Ax x-1<x")
    assert tree.shown_by == (("x", 0),) and "x-1" in tree.parts[0].remark
    assert not fp.Session().truths("x-1<x", x=1).remark
    assert not fp.Session("msd_neg_2").truths("x-1<x", x=0).remark


@pytest.mark.parametrize(
    ("formula", "term"),
    [
        ("Ax x-1<x", "x-1"), ("?msd_fib Ax,y x>y => x-y-1>0 | x=y+1", ""), ("Ax,y x+y=y & x-(y+1)<x", "x-(y+1)"),
        ("Ax Ey x-1=y", "x-1"), ("Ax x=x & (Ex x-2=5 & x<3)", ""), ("?msd_neg_2 Ax x-1=x", ""),
        ("Ax x-1>=0 | x>1", "x-1"), ("Ey y=1 & y-2=0", ""), ("~(Ex x-1<0)", ""),
    ],
)
def test_a_counterexample_says_which_term_is_negative(formula: str, term: str) -> None:
    verdict = fp.Session().prove(formula)
    assert below_zero(verdict).startswith(f"{term} would") if term else not below_zero(verdict)


def test_what_takes_too_long_says_so_and_the_rest_is_known() -> None:
    session = fp.Session("msd_10", limits=Limits(states=40))
    tree = session.truths("x<3 | 1000*x=y*1001", x=5, y=1)
    small, large = tree.parts
    assert small.truth is False and large.truth is None and large.problem and tree.truth is None
    with pytest.raises(FibproverError):
        bool(tree)


def test_values_of_other_names_are_errors() -> None:
    for formula, values in (
        ("x<3", {"y": 1}), ("3<4 & (Ex x<3)", {"x": 1}), ("E>=2 x x<3", {"x": 1}), ("x<3", {"x": -1}),
    ):
        with pytest.raises(FibproverError):
            fp.Session().truths(formula, values)
