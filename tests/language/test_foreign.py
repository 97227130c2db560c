"""Notations of other languages: the error names what was written, and the hint what to write."""

from __future__ import annotations

import pytest

from fibprover.base.errors import SyntaxProblem
from fibprover.language.parser import parse_formula


@pytest.mark.parametrize(
    ("text", "written", "hint"),
    [
        ("x = 1 and y = 2", "and", "write &"),
        ("(x=1) or y=2", "or", "write |"),
        ("$p(x) and $q(x)", "and", "write &"),
        ("x=1 AND y=2", "AND", "write &"),
        ("x=1 implies y=2", "implies", "write =>"),
        ("x=1 iff y=2", "iff", "write <=>"),
        ("not x=1", "not", "write ~"),
        ("not (x=1)", "not", "write ~"),
        ("x=1 & not $p(x)", "not", "write ~"),
        ("forall x: x=x", "forall", "write Ax"),
        ("for all n n=n", "for", "write An"),
        ("FORALL x x=1", "FORALL", "write Ax"),
        ("exists y, y>x", "exists", "write Ey"),
        ("Exists y y=1", "Exists", "write Ey"),
        ("x=1 -> y=2", "->", "write =>"),
        ("x=1 ==> y=2", "==>", "write =>"),
        ("x=1 <-> y=2", "<->", "write <=>"),
        ("x==1", "==", "write ="),
        ("x=1 && y=2", "&&", "write &"),
        ("x=1||y=2", "||", "write |"),
        ("x=1 /\\ y=2", "/\\", "write &"),
        ("x=1 \\/ y=2", "\\/", "write |"),
        ("x~=1", "~=", "write !="),
        ("x=/=1", "=/=", "write !="),
        ("x//2=1", "//", "write /"),
        ("!x=1", "!", "write ~ for not; `!=` is unequal"),
        ("∀x x=x", "∀", "write A"),
        ("x%2=0", "%", "write (Ek x=2*k)"),
        ("k%3=2 & k<9", "%", "write (Ej k=3*j+2)"),
        ("x%2=0 => y=1", "%", "write (Ek x=2*k)"),
        ("x%2<1", "%", "write (Ek x=3*k+1) for x%3=1"),
        ("2*x%3=1", "%", "write (Ek x=3*k+1) for x%3=1"),
        ("y+x%3=2", "%", "write (Ek x=3*k+1) for x%3=1"),
        ("x%3=7", "%", "write (Ek x=3*k+1) for x%3=1"),
        ("x%0=0", "%", "write (Ek x=3*k+1) for x%3=1"),
        ("x%3=1+y", "%", "write (Ek x=3*k+1) for x%3=1"),
        ("x mod 2 = 0", "mod", "write (Ek x=2*k)"),
        ("Ax,y: x=y", ":", "leave `:` out: Ax x=x"),
        ("Ax. x=x", ".", "leave `.` out: Ax x=x"),
        ("x=1;", ";", "leave it out; to run commands, use fibprover run"),
    ],
)
def test_what_to_write(text: str, written: str, hint: str) -> None:
    with pytest.raises(SyntaxProblem) as caught:
        parse_formula(text)
    problem = caught.value
    assert text[problem.start : problem.end] == written
    assert f"`{written}`" in problem.message and problem.hint == hint


@pytest.mark.parametrize("text", ["x^2=4", "x^2+1=4", "2^x=4", "x=2^k", "x**2=4"])
def test_powers(text: str) -> None:
    with pytest.raises(SyntaxProblem) as caught:
        parse_formula(text)
    assert caught.value.hint.startswith("formulas have no powers")


@pytest.mark.parametrize(("text", "hint"), [("true", "write 0=0"), ("x=1 & false", "write 0=1")])
def test_truth_values(text: str, hint: str) -> None:
    with pytest.raises(SyntaxProblem) as caught:
        parse_formula(text)
    assert caught.value.hint == hint


@pytest.mark.parametrize("text", ["and=1 & not=2", "forall<exists", "x=1 & mod=2", "Efor for=1", "~x=1", "(x=1)^(y=2)"])
def test_the_words_are_variables_where_they_are_operands(text: str) -> None:
    parse_formula(text)


def test_an_argument_of_a_macro_is_no_remainder() -> None:
    for text in ("%0=1", "x=%0"):
        with pytest.raises(SyntaxProblem, match="macro"):
            parse_formula(text)
