"""What is printed is read as the same tree, and says where each node stands."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from fibprover.base.errors import LimitError, NotSupported
from fibprover.language.builder import (
    at_least,
    at_most,
    call,
    exactly,
    exists,
    forall,
    infinitely_many,
    letter,
    variable,
    variables,
)
from fibprover.language.parser import parse_formula
from fibprover.language.source import source_of
from fibprover.language.tree import Formula, Not, Quantified, Variable, WordValue, nodes
from fibprover.workspace.session import Session
from tests.language.trees import formulas

x, y, z, n = variables("x y z n")


@pytest.mark.long
@settings(max_examples=300)
@given(tree=formulas(4))
def test_what_is_printed_is_read_as_the_same_tree(tree: Formula) -> None:
    read = parse_formula(str(tree))
    assert read.formula == tree
    assert str(read.formula) == str(tree)


@given(tree=formulas(4))
def test_the_printer_knows_the_places(tree: Formula) -> None:
    """They are those that the parser finds in the same text."""
    assert source_of(tree) == parse_formula(str(tree))


@given(tree=formulas(3))
def test_latex_and_prose_are_written_of_every_tree(tree: Formula) -> None:
    latex, prose = tree.latex(), tree.prose()
    assert latex.count("{") == latex.count("}") and "$" not in latex
    assert prose and "\n" not in prose


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("?msd_fib Ei,n n>0 & $feq_F(i,i+n,n)", r"\exists i, n\; n > 0 \wedge \mathrm{feq}_{\mathrm{F}}(i, i + n, n)"),
        ("Am Ei i>m & X[i]!=@-1", r"\forall m\; \exists i\; i > m \wedge \mathrm{X}[i] \neq -1"),
        ("Ax (x<=2 <=> ~(x>=3))", r"\forall x\; x \leq 2 \Leftrightarrow \neg (x \geq 3)"),
        ("Ax x=x & (Ey y=x)", r"\forall x\; x = x \wedge \exists y\; y = x"),
        ("Ix .AB[x]=@0", r"\exists^{\infty} x\; \mathrm{AB}[x] = 0"),
        ("Ap E=1 q $P(p,q)", r"\forall p\; \exists^{= 1} q\; \mathrm{P}(p, q)"),
        ("E>= 2 a,b a=b", r"\exists^{\geq 2} a, b\; a = b"),
        ("Ax12 x12=abc", r"\forall \mathit{x12}\; \mathit{x12} = \mathit{abc}"),
    ],
)
def test_latex(typed: str, expected: str) -> None:
    assert parse_formula(typed).formula.latex() == expected


# An old matplotlib calls a new pyparsing by names that are deprecated there.
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.long
def test_latex_is_mathematics_to_another_program() -> None:
    """The mathematics of matplotlib reads what is written of the questions about words."""
    mathtext = pytest.importorskip("matplotlib.mathtext")
    from fibprover.sheets.questions import questions

    parser = mathtext.MathTextParser("path")
    for question in questions("W", (0, 1), (0, 1)):
        assert question.shown is not None
        parser.parse(f"${question.shown.latex()}$")


@pytest.mark.parametrize(
    ("tree", "text"),
    [
        (exists(x, x > 1) & (y < 2), "(Ex x>1) & y<2"),
        ((y < 2) & exists(x, x > 1), "y<2 & Ex x>1"),
        (~exists(x, x > 1) >> (y < 2), "~(Ex x>1) => y<2"),
        (Not(x.eq(1)), "~(x=1)"),
        ((x < 1) & (y < 1) & (z < 1), "x<1 & y<1 & z<1"),
        ((x < 1) & ((y < 1) & (z < 1)), "x<1 & (y<1 & z<1)"),
        (((x < 1) & (y < 1)) | (z < 1), "(x<1 & y<1) | z<1"),
        ((x - (y - z)).eq(2 * (x + 1)), "x-(y-z)=2*(x+1)"),
        (letter("Evil", n).eq(-1), ".Evil[n]=@-1"),
        (call("f", (x + 1).in_system("fib")), "$f(?msd_fib x+1)"),
        (exactly(0, x, x < n), "E=0 x x<n"),
        (infinitely_many(x, letter("T", x).eq(letter("T", x + n))), "Ix T[x]=T[x+n]"),
    ],
)
def test_own_syntax(tree: Formula, text: str) -> None:
    assert str(tree) == text
    assert parse_formula(text).formula == tree


WALNUT = (
    at_least(2, x, x < n), at_most(1, x, x < n), exactly(2, x, x < n), exactly(0, x, x < n), at_least(1, x, x < n),
)


@pytest.mark.parametrize("tree", WALNUT)
def test_counts_are_written_out_for_walnut(tree: Quantified) -> None:
    """A text without counts, of the same meaning, also where a copy would capture a variable."""
    session = Session()
    around = (tree & exists(variable("x_"), variable("x_").eq(n))) | n.eq(7)
    for each in (tree, around, ~tree):
        text = each.walnut()
        read = parse_formula(text).formula
        assert not any(isinstance(node, Quantified) and node.relation for node in nodes(read))
        assert session.relation(text) == session.relation(each)
    pairs = at_least(3, x, y, x + y <= n)
    assert session.relation(pairs.walnut()) == session.relation(pairs)


def test_what_walnut_cannot_have() -> None:
    for tree in (at_least(9, x, x < n), at_least(0, x, x < n)):
        with pytest.raises(NotSupported):
            tree.walnut()


def test_prose() -> None:
    i, j = variables("i j")
    said = forall(i, n, exists(j, (j > i) & call("feq_T", i, j, n))).prose()
    assert said == "for all i and n, there is j such that j > i and the factors of T of length n at i and j are equal"
    assert at_least(2, x, x < n).prose() == "there are at least 2 values of x such that x < n"
    assert exactly(1, x, y, x < y).prose() == "there is exactly 1 pair x and y such that x < y"
    assert ((x < 1) >> ((y < 1) | (z < 1))).prose() == "if x < 1, then y < 1 or z < 1"


def test_a_deep_tree_is_an_error_and_no_crash() -> None:
    tree: Formula = x < 1
    for _ in range(5000):
        tree = ~tree
    for use in (str, source_of):
        with pytest.raises(LimitError):
            use(tree)
    wide: Formula = x < 1
    for _ in range(300):
        wide = wide & wide
    with pytest.raises(LimitError):
        source_of(wide)


def test_nodes_refuse_names_that_cannot_be_read() -> None:
    from fibprover.base.errors import FibproverError

    for wrong in (lambda: Variable("A"), lambda: Variable("x y"), lambda: WordValue("1", (x,)), lambda: call("p q", x)):
        with pytest.raises(FibproverError):
            wrong()
