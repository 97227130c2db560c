"""Macro expansion is textual, nested, and refuses to run away."""

from __future__ import annotations

import pytest

from fibprover.base.errors import SyntaxProblem, UnknownName
from fibprover.language.macros import expand_macros, macro_arity

MACROS = {
    "palindrome": "?%0 Ak (k<n) => %1[i+k] = %1[i+n-1-k]",
    "border": "?%0 m>=1 & $%1_factoreq(i,i+n-m,m)",
    "first": "%0",
    "second": "%1%0",
    "sum": "a+b=2",
    "twice": "#first(%0) & #first(%0)",
    "named": "#%0(x)",
    "many": "%10%0%1%2%3%4%5%6%7%8%9",
}


@pytest.mark.parametrize(
    ("text", "expanded"),
    [
        ("#palindrome(msd_2,T)", "?msd_2 Ak (k<n) => T[i+k] = T[i+n-1-k]"),
        ("#border( msd_fib , fibonacci )", "?msd_fib m>=1 & $fibonacci_factoreq(i,i+n-m,m)"),
        ("x=1 & #first(y=2) | z=3", "x=1 & y=2 | z=3"),
        ("#second(b,a)", "ab"),
        ("#sum() | #sum( )", "a+b=2 | a+b=2"),
        ("#first($f(x,y)) & #second(T[i,j],(u,v))", "$f(x,y) & (u,v)T[i,j]"),
        ("#twice(x=1)", "x=1 & x=1"),
        ("#first(#first(#first(x)))", "x"),
        ("#second(#first(a),#second(b,c))", "cba"),
        ("#named(first)", "x"),
        ("#first()#first( )", None),
        ("#second(,a)", "a"),
        ("#many(a,b,c,d,e,f,g,h,i,j,k)", "kabcdefghij"),
        ("no macro", "no macro"),
    ],
)
def test_expansion(text: str, expanded: str | None) -> None:
    if expanded is None:
        with pytest.raises(UnknownName.__mro__[1]):
            expand_macros(text, MACROS)
    else:
        assert expand_macros(text, MACROS) == expanded


def test_text_without_calls_is_itself() -> None:
    text = "x = 1"
    assert expand_macros(text, MACROS) is text


def test_arity() -> None:
    assert [macro_arity(MACROS[name]) for name in ("sum", "first", "second", "many")] == [0, 1, 2, 11]


def test_a_call_of_itself_through_another_is_named() -> None:
    with pytest.raises(SyntaxProblem, match="in the macro `b`: the macro `a` calls itself"):
        expand_macros("x=1 & #a()", {"a": "#b()", "b": "#a()"})


def test_a_near_name_is_proposed() -> None:
    with pytest.raises(UnknownName) as caught:
        expand_macros("#palindrom(msd_2,T)", MACROS)
    assert caught.value.hint == "did you mean palindrome?"
