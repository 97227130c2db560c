"""Trees as values: substitution without capture, and mistakes of users that are errors and no tracebacks."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest
from hypothesis import given

import fibprover as fp
from fibprover.base.errors import FibproverError, LimitError, NotSupported
from fibprover.language.tree import Compare, Formula, Term, Variable, map_children, renamed_apart, with_names
from tests.language.trees import formulas

u, x, y = fp.variables("u x y")


@given(tree=formulas(3))
def test_trees_are_values(tree: Formula) -> None:
    copy = pickle.loads(pickle.dumps(tree))
    assert copy == tree and hash(copy) == hash(tree)
    assert map_children(tree, lambda node: node) is tree
    apart = renamed_apart(tree, ["x", "y_1"])
    assert apart.free == tree.free and renamed_apart(apart, ["x", "y_1"]) == apart
    assert with_names(tree, {"T": "T"}) == tree


@pytest.mark.parametrize(
    ("formula", "term"),
    [
        ("Ey y>x", "y+1"), ("Ey,y_ y+y_=x", "y"), ("(Ex x>3) & x<5", "2*u"), ("Ay y<x => (Ez z=y+x)", "z+y"),
        ("T[x]=1 & T[x+1]=0", "u+2"), ("T[Ez x=2*z]=1", "u+1"), ("T[Ez x=2*z]=T[x]", "u-1"), ("$p(Ez x=2*z+1)", "u+1"),
        ("~$p(x=3)", "u+1"), ("E>=2 y y<x", "y+1"), ("T[x=4]=1 | x=u", "u-2"), ("x-1=y", "y-1"),
    ],
)
def test_substitution_means_what_the_term_means(formula: str, term: str) -> None:
    """f with t for x is: some w = t satisfies f with w for x; where t has no value, atoms are false instead."""
    session = fp.Session()
    session.define("p", "x=5 | x=3")
    tree = fp.formula(formula)
    value = fp.formula(f"{term}=w").substitute()
    replaced = tree.substitute(x=left(value))
    renamed = tree.substitute(x=Variable("w"))
    defined = fp.formula(f"{term}={term}")
    around = fp.formula("w=w & y=y & u=u & z=z")
    one = session.relation(replaced & defined & around)
    other = session.relation(fp.exists(Variable("w_"), value.substitute(w=Variable("w_")) & renamed.substitute(
        w=Variable("w_"))) & around)
    assert one == other, str(replaced)


def left(equation: Formula) -> Term:
    assert isinstance(equation, Compare)
    return equation.left


def test_keys_of_substitutions() -> None:
    assert (x < y).substitute({x: 3}) == (x < y).substitute(x=3) == (x < y).substitute({"x": 3})
    for wrong in ({1: 2}, [1]):
        with pytest.raises(FibproverError):
            (x < y).substitute(wrong)  # type: ignore[arg-type]


MISTAKES: list[Callable[[], object]] = [
    lambda: fp.variable(5),  # type: ignore[arg-type]
    lambda: fp.variables(5),  # type: ignore[arg-type]
    lambda: fp.variable("A"), lambda: fp.letter("T"), lambda: fp.letter(5, x),  # type: ignore[arg-type]
    lambda: fp.call(5, x),  # type: ignore[arg-type]
    lambda: (x < 1).in_system(2),  # type: ignore[arg-type]
    lambda: fp.formula(None),  # type: ignore[arg-type]
    lambda: fp.formula(x < 1),  # type: ignore[arg-type]
    lambda: fp.at_least(2.5, x, x < y),  # type: ignore[arg-type]
    lambda: fp.at_least(True, x, x < y), lambda: fp.at_least(-1, x, x < y),
    lambda: fp.at_least("2", x, x < y),  # type: ignore[arg-type]
    lambda: fp.forall(x < y), lambda: fp.forall(x), lambda: fp.forall(x, x, x < y), lambda: fp.forall(),
    lambda: fp.forall(x + 1, x < y),  # type: ignore[arg-type]
    lambda: (x < 1) & 3,  # type: ignore[operator]
    lambda: x + "1",  # type: ignore[operator]
    lambda: x + (y < 1),  # type: ignore[operator]
    lambda: fp.Session().relation(x == 1),  # type: ignore[arg-type, comparison-overlap]
    lambda: fp.Session().prove(fp.forall(x, fp.letter("Nosuch", x).eq(0))),
    lambda: fp.Session().relation(fp.at_least(10**5000, x, x < y)),
]


@pytest.mark.parametrize("mistake", range(len(MISTAKES)))
def test_mistakes_are_errors(mistake: int) -> None:
    with pytest.raises(FibproverError):
        MISTAKES[mistake]()


def test_a_formula_is_not_true_or_false() -> None:
    with pytest.raises(TypeError, match="&"):
        bool(x < y)
    with pytest.raises(TypeError):
        assert 1 < x < 3
    assert (x < y) != (y < x) and (x < y) in [x < y]


def test_shared_nodes_are_counted() -> None:
    """A tree of 40 levels may have 2^40 nodes."""
    term: Term = x
    for _ in range(40):
        term = term + term
    with pytest.raises(LimitError):
        fp.Session().relation(term < y)


def test_connectives_in_words_have_brackets() -> None:
    a, b, c = (variable.eq(0) for variable in fp.variables("a b c"))
    assert ((a >> b).iff(c)).prose() == "(if a = 0, then b = 0) if and only if c = 0"
    assert ((a ^ b).iff(c)).prose() == "(either a = 0 or b = 0, but not both) if and only if c = 0"
    assert (a.iff(b >> c)).prose() == "a = 0 if and only if (if b = 0, then c = 0)"
    assert ((a & b) >> (b | c)).prose() == "if a = 0 and b = 0, then b = 0 or c = 0"


def test_counts_for_walnut_are_compared_in_the_system_of_the_body() -> None:
    session = fp.Session()
    tree = fp.formula("?msd_fib E>=2 x ?msd_2 x<y")
    assert session.relation(tree.walnut()) == session.relation(tree)
    with pytest.raises(NotSupported):
        fp.formula("E>=2 x (?msd_fib x<y) & x=x").walnut()


def test_a_recursive_call_within_an_argument_is_refused() -> None:
    """Its measure would not be looked at: a set with another solution once passed for the only one."""
    session = fp.Session()
    for recursion in ("x<2 | (x>=1000000 & $r(0+T[$r(x)]))", "x=0 | $r(x+T[$r(x-1)])"):
        with pytest.raises(NotSupported):
            session.solve("r", recursion)
