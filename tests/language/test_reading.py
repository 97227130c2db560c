"""What formulas mean: priorities, the reach of quantifiers and systems, and the traps of the lexer."""

from __future__ import annotations

import pytest

from fibprover.language.parser import parse_formula
from fibprover.language.tree import (
    Arithmetic,
    Binary,
    Call,
    Compare,
    Formula,
    InSystem,
    Letter,
    Negative,
    Not,
    Number,
    Quantified,
    Reversed,
    SystemTerm,
    Variable,
    WordValue,
)


def tree(text: str) -> object:
    """The formula without its places."""
    return parse_formula(text).formula


def v(name: str) -> Variable:
    return Variable(name)


def n(value: int) -> Number:
    return Number(value)


def equal(left: str, right: int) -> Compare:
    return Compare("=", v(left), n(right))


#: Text, and the same with every operator in parentheses.
PRIORITIES = [
    ("_a*b=c", "((_a)*b)=c"),
    ("a*_b=c", "(a*(_b))=c"),
    ("__a=b", "(_(_a))=b"),
    ("_a+b=c", "((_a)+b)=c"),
    ("a+b*c=d", "(a+(b*c))=d"),
    ("a*b+c=d", "((a*b)+c)=d"),
    ("a-b-c=d", "((a-b)-c)=d"),
    ("a-b+c=d", "((a-b)+c)=d"),
    ("a/b*c=d", "((a/b)*c)=d"),
    ("a*b/c=d", "((a*b)/c)=d"),
    ("a/b/c=d", "((a/b)/c)=d"),
    ("a+b/c-d=e", "((a+(b/c))-d)=e"),
    ("a=b+c*d", "a=(b+(c*d))"),
    ("a+1<b-1", "(a+1)<(b-1)"),
    ("~a=b", "~(a=b)"),
    ("~a=b & c=d", "(~(a=b)) & (c=d)"),
    ("`a=b | c=d", "(`(a=b)) | (c=d)"),
    ("~`~a=b", "~(`(~(a=b)))"),
    ("a=1 & b=2 | c=3", "((a=1) & (b=2)) | (c=3)"),
    ("a=1 | b=2 & c=3", "((a=1) | (b=2)) & (c=3)"),
    ("a=1 ^ b=2 & c=3", "((a=1) ^ (b=2)) & (c=3)"),
    ("a=1 & b=2 ^ c=3 | d=4", "(((a=1) & (b=2)) ^ (c=3)) | (d=4)"),
    ("a=1 => b=2 & c=3", "(a=1) => ((b=2) & (c=3))"),
    ("a=1 | b=2 => c=3", "((a=1) | (b=2)) => (c=3)"),
    ("a=1 => b=2 => c=3", "((a=1) => (b=2)) => (c=3)"),
    ("a=1 <=> b=2 <=> c=3", "((a=1) <=> (b=2)) <=> (c=3)"),
    ("a=1 <=> b=2 => c=3", "(a=1) <=> ((b=2) => (c=3))"),
    ("a=1 => b=2 <=> c=3", "((a=1) => (b=2)) <=> (c=3)"),
    ("~a=1 => ~b=2", "(~(a=1)) => (~(b=2))"),
    ("Ex (x=1) & y=2", "Ex ((x=1) & (y=2))"),
    ("Ex x=1 <=> y=2", "Ex ((x=1) <=> (y=2))"),
    ("Ex x=1 => Ay y=2 | z=3", "Ex ((x=1) => (Ay ((y=2) | (z=3))))"),
    ("(Ex x=1) & y=2", "(Ex (x=1)) & (y=2)"),
    ("y=2 & Ex x=1 | z=3", "(y=2) & (Ex ((x=1) | (z=3)))"),
    ("y=2 | z=1 & Ex x=1 => z=3", "((y=2) | (z=1)) & (Ex ((x=1) => (z=3)))"),
    ("y=2 => z=1 <=> Ex x=1 & z=3", "((y=2) => (z=1)) <=> (Ex ((x=1) & (z=3)))"),
    ("y=2 <=> z=1 => Ex x=1 <=> z=3", "(y=2) <=> ((z=1) => (Ex ((x=1) <=> (z=3))))"),
    ("~Ex x=1 & y=2", "~(Ex ((x=1) & (y=2)))"),
    ("y=2 & ~`Ix x>1 | z=3", "(y=2) & (~(`(Ix ((x>1) | (z=3)))))"),
    ("Ax Ey x<y & y<z", "Ax (Ey ((x<y) & (y<z)))"),
    ("?msd_fib x=1 & y=2", "?msd_fib ((x=1) & (y=2))"),
    ("x=1 & ?msd_3 y=2 | z=3", "(x=1) & (?msd_3 ((y=2) | (z=3)))"),
    ("(?msd_3 y=2) | z=3", "(?msd_3 (y=2)) | (z=3)"),
    ("~?msd_3 y=2 | z=3", "~(?msd_3 ((y=2) | (z=3)))"),
    ("E>=2 x x<y & y<z", "E>=2 x ((x<y) & (y<z))"),
    ("x>=2=>y=1", "(x>=2) => (y=1)"),
    ("x=2=>y=1", "(x=2) => (y=1)"),
    ("x<2=>y<=1", "(x<2) => (y<=1)"),
    ("x<=2<=>y=1", "(x<=2) <=> (y=1)"),
    ("x=1<=>y=1", "(x=1) <=> (y=1)"),
    ("x>y<=>y<x", "(x>y) <=> (y<x)"),
    ("a=r&b=s", "(a=r) & (b=s)"),
    ("x!=1=>y!=1", "(x!=1) => (y!=1)"),
    ("x=1&~y=2", "(x=1) & (~(y=2))"),
    ("$f(Ex x=y, z)", "$f((Ex (x=y)),(z))"),
    ("T[i+j]=T[i]+1", "(T[(i+j)])=((T[i])+1)"),
]


@pytest.mark.parametrize(("text", "bracketed"), PRIORITIES, ids=[text for text, _ in PRIORITIES])
def test_priorities(text: str, bracketed: str) -> None:
    assert tree(text) == tree(bracketed)
    blank = " " + text.replace(" ", "\n\t ") + " "
    assert tree(blank) == tree(bracketed)


def test_the_trees_behind_the_brackets() -> None:
    """Two trees spelt out, so that comparing texts with each other rests on something."""
    assert tree("y=2 & Ex x=1 | z=3") == Binary(
        "&",
        equal("y", 2),
        Quantified("E", (v("x"),), Binary("|", equal("x", 1), equal("z", 3))),
    )
    assert tree("~a-b*_3!=c") == Not(
        Compare(
            "!=",
            Arithmetic("-", v("a"), Arithmetic("*", v("b"), Negative(n(3)))),
            v("c"),
        ),
    )


TRAPS: list[tuple[str, Formula]] = [
    ("(b)=(5)", equal("b", 5)),
    ("(((b)=((5))))", equal("b", 5)),
    ("((x)+1=3)", Compare("=", Arithmetic("+", v("x"), n(1)), n(3))),
    ("E b, c ,d b = 12", Quantified("E", (v("b"), v("c"), v("d")), equal("b", 12))),
    ("Ex(x=1)", Quantified("E", (v("x"),), equal("x", 1))),
    ("E=3 x x=1", Quantified("E", (v("x"),), equal("x", 1), "=", 3)),
    ("E <= 10 x,y (x=1)", Quantified("E", (v("x"), v("y")), equal("x", 1), "<=", 10)),
    ("E>=0 x(x=1)", Quantified("E", (v("x"),), equal("x", 1), ">=", 0)),
    ("Ix x=1", Quantified("I", (v("x"),), equal("x", 1))),
    ("Ax_Ey x_Ey=1", Quantified("A", (v("x_Ey"),), equal("x_Ey", 1))),
    ("`x=1", Reversed(equal("x", 1))),
    ("?fib x=1", InSystem("msd_fib", equal("x", 1))),
    ("?lsd x=1", InSystem("lsd_2", equal("x", 1))),
    ("?10 x=1", InSystem("msd_10", equal("x", 1))),
    ("?msd_neg_fib x=1", InSystem("msd_neg_fib", equal("x", 1))),
    ("$A1(x)", Call("A1", (v("x"),))),
    ("$E_x ( x , 1 )", Call("E_x", (v("x"), n(1)))),
    ("$f()", Call("f", ())),
    (
        "$f(?msd_3 c-2)",
        Call("f", (SystemTerm("msd_3", Arithmetic("-", v("c"), n(2))),)),
    ),
    ("$f((?msd_3 c))", Call("f", (SystemTerm("msd_3", v("c")),))),
    ("$f(z=5,x)", Call("f", (equal("z", 5), v("x")))),
    ("$f(?msd_10 w=17)", Call("f", (InSystem("msd_10", equal("w", 17)),))),
    ("@-10=T[a]", Compare("=", Letter(-10), WordValue("T", (v("a"),)))),
    ("T[a]=@+3", Compare("=", WordValue("T", (v("a"),)), Letter(3))),
    (
        "T[n]=.T[n][m]",
        Compare("=", WordValue("T", (v("n"),)), WordValue("T", (v("n"), v("m")))),
    ),
    (".A1[n]=1", Compare("=", WordValue("A1", (v("n"),)), n(1))),
    ("T[a=5]=1", Compare("=", WordValue("T", (equal("a", 5),)), n(1))),
    (
        "T[?msd_2 a]=1",
        Compare("=", WordValue("T", (SystemTerm("msd_2", v("a")),)), n(1)),
    ),
    ("a_1=2", equal("a_1", 2)),
    ("x=18446744073709551616", equal("x", 2**64)),
]


@pytest.mark.parametrize(("text", "expected"), TRAPS, ids=[text for text, _ in TRAPS])
def test_traps(text: str, expected: Formula) -> None:
    assert tree(text) == expected


def test_big_numbers() -> None:
    digits = "9" * 4300
    assert tree(f"x={digits}") == equal("x", 10**4300 - 1)
