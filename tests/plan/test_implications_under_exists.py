"""Which formulas are suspicious, and where."""

from __future__ import annotations

import pytest

from fibprover.language.parser import parse_formula
from fibprover.language.tree import Variable, nodes
from fibprover.prover.formula_warnings import implications_under_exists


@pytest.mark.parametrize(
    ("formula", "places"),
    [
        ("Ex (x=1 => x=2)", ["Ex (x=1 => x=2)"]),
        ("Ex,y x=1 => y=2", ["Ex,y x=1 => y=2"]),
        ("Ex ?msd_fib (x=1 => x=2)", ["Ex ?msd_fib (x=1 => x=2)"]),
        ("E>=2 x (x=1 => x=2)", ["E>=2 x (x=1 => x=2)"]),
        ("Ey Ex (x=y => x=2)", ["Ex (x=y => x=2)"]),
        ("Ey (y=1 => Ex (x=y => x=2))", ["Ey (y=1 => Ex (x=y => x=2))", "Ex (x=y => x=2)"]),
        ("Az ~(Ex (x=z => x=2)) & (Ex (x=1 => z=2))", ["Ex (x=z => x=2)", "Ex (x=1 => z=2)"]),
        ("Az $f(z, Ex (x=t => x=2)) & W[Ex (x=u => x=3)]=1", ["Ex (x=t => x=2)", "Ex (x=u => x=3)"]),
        ("Ax (x=1 => x=2)", []),
        ("Ex (x=1 & (x=1 => x=2))", []),
        ("Ex ~(x=1 => x=2)", []),
        ("Ex (x=1 <=> x=2)", []),
        ("Ex (~x=1 | x=2)", []),
        ("E>=0 x (x=1 => x=2)", []),
        ("E<=2 x (x=1 => x=2)", []),
        ("E=2 x (x=1 => x=2)", []),
        ("Ix (x=1 => x=2)", []),
    ],
)
def test_implications_under_an_existential_quantifier(formula: str, places: list[str]) -> None:
    found = implications_under_exists(parse_formula(formula))
    assert [formula[remark.span.start : remark.span.end] for remark in found] == places


def test_a_warning_names_the_variables_and_shows_the_place() -> None:
    (remark,) = implications_under_exists(parse_formula("x=1 & Ey,z (y=x => z=y)"))
    assert remark.message.endswith("false of some y, z")
    assert "\n  x=1 & Ey,z (y=x => z=y)\n        ^^^^^^^^^^^^^^^^^\n" in remark.shown("x=1 & Ey,z (y=x => z=y)")


def test_nodes_come_in_the_order_of_the_text_and_of_any_depth() -> None:
    formula = parse_formula("a=b+c & $f(d,e) => W[g]=1").formula
    assert [node.name for node in nodes(formula) if isinstance(node, Variable)] == ["a", "b", "c", "d", "e", "g"]
    deep = parse_formula("~" * 190 + "x=1").formula
    assert len(list(nodes(deep))) == 193


def test_a_warning_about_counting_says_how_many() -> None:
    (remark,) = implications_under_exists(parse_formula("E>=3 y (y=x => y=2)"))
    assert remark.message.endswith("false of 3 values of y")
