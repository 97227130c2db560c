"""Formulas as LaTeX."""

from __future__ import annotations

import pytest

from fibprover.language.formula_latex import formula_latex


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("?msd_fib Ei,n n>0 & $feq_F(i,i+n,n)", r"\exists i,n\; n>0\wedge \mathrm{feq\_F}(i,i+n,n)"),
        ("Am Ei i>m & X[i]!=@-1", r"\forall m\; \exists i\; i>m\wedge \mathrm{X}[i]\neq -1"),
        ("Ax (x<=2 <=> ~(x>=3))", r"\forall x\; (x\leq 2\Leftrightarrow \neg (x\geq 3))"),
        ("Ax12 $p(x12) | 2*x12=x => .AB[x]=@0", None),
        ("Ix x^2", r"\exists^{\infty} x\; x\oplus 2"),
        ("Ax x=x & (Ey y=x)", r"\forall x\; x=x\wedge (\exists y\; y=x)"),
        ("E_ x", None),
        ("Ap E=1 q $P(p,q)", r"\forall p\; \exists^{=1} q\; \mathrm{P}(p,q)"),
        ("E>= 2 a,b a=b", r"\exists^{\geq 2} a,b\; a=b"),
    ],
)
def test_formulas(typed: str, expected: str | None) -> None:
    found = formula_latex(typed)
    assert expected is None or found == expected
    assert found.count("{") == found.count("}") and "$" not in found and "#" not in found and "&" not in found


def test_names_of_several_letters() -> None:
    assert formula_latex("Ax12 x12=abc") == r"\forall \mathit{x12}\; \mathit{x12}=\mathit{abc}"


# An old matplotlib calls a new pyparsing by names that are deprecated there.
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_formulas_are_mathematics_to_another_program() -> None:
    """The mathematics of matplotlib reads what is written of the questions about words."""
    mathtext = pytest.importorskip("matplotlib.mathtext")
    from fibprover.sheets.questions import questions

    parser = mathtext.MathTextParser("path")
    for question in questions((0, 1)):
        parser.parse(f"${formula_latex(question.shown)}$")
