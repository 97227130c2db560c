"""Formulas that are none: each with the exact place and the whole message."""

from __future__ import annotations

import pytest

from fibprover.errors import SyntaxProblem
from fibprover.syntax.formula import parse_formula

NATURALS = "there are natural numbers only; a negative letter is written @-5"
VARIABLE = "a variable cannot begin with A, E or I: these are quantifiers"
COMPARE = "a comparison makes a formula of it: x=1"
CHAIN = "write a<b & b<c"
NONE_OPEN = "no `(` is open"
SYSTEM = "a system stands before a formula, an argument or an index"

#: Text, start and end of the place, message, and hint if there is one.
Row = tuple[str, int, int, str] | tuple[str, int, int, str, str]

FORMULAS: tuple[Row, ...] = (
    ("", 0, 0, "the formula is empty"),
    ("  ", 0, 2, "the formula is empty"),
    ("x", 0, 1, "a formula must be true or false; this is a number", COMPARE),
    ("0*typo", 0, 6, "a formula must be true or false; this is a number", COMPARE),
    ("0*typo & x=1", 0, 6, "`&` joins truth values; this is a number", COMPARE),
    ("x+1", 0, 3, "a formula must be true or false; this is a number", COMPARE),
    ("(((", 2, 3, "this `(` is never closed"),
    (")))", 0, 1, "a formula must begin here, but `)` does", NONE_OPEN),
    ("()", 1, 2, "nothing stands between `(` and `)`"),
    ("x=1)", 3, 4, "a formula ends here, but `)` follows", NONE_OPEN),
    ("x=1]", 3, 4, "a formula ends here, but `]` follows", "no `[` is open"),
    ("(x=1]", 4, 5, "`]` cannot close `(`", "expected `)` first"),
    ("T[x)=1", 3, 4, "`)` cannot close `[`", "expected `]` first"),
    ("F[a][b", 4, 5, "this `[` is never closed"),
    ("F[a][b=1", 4, 5, "this `[` is never closed"),
    ("F[]=1", 2, 3, "expected an index between `[` and `]`"),
    ("(x=1 & (y=2)", 0, 1, "this `(` is never closed"),
    ("a=", 1, 2, "`=` is missing its right side"),
    ("a= & b=1", 1, 2, "`=` is missing its right side"),
    ("a=1 &", 5, 5, "expected a formula after `&`"),
    ("a=1 => ", 6, 7, "expected a formula after `=>`"),
    ("~", 1, 1, "expected a formula after `~`"),
    ("*x=1", 0, 1, "`*` is missing its left side"),
    ("& x=1", 0, 1, "`&` is missing its left side"),
    ("a+*b=1", 2, 3, "expected a term after `+`, not `*`"),
    ("x=(1+)", 5, 6, "expected a term after `+`, not `)`"),
    ("x=-1", 2, 3, "expected a term after `=`, not `-`", NATURALS),
    ("-1=x", 0, 1, "expected a formula or a term, not `-`", NATURALS),
    ("x==1", 2, 3, "expected a term after `=`, not `=`", "write ="),
    ("x=<1", 2, 3, "expected a term after `=`, not `<`", "write <="),
    ("x<>1", 2, 3, "expected a term after `<`, not `>`", "write !="),
    ("x=1 && y=1", 5, 6, "expected a formula after `&`, not `&`", "write &"),
    ("x=1 !y=1", 4, 5, "unknown operator `!`", "`~` is not, `!=` is unequal"),
    ("x=1 y=2", 4, 5, "an operator is missing between `1` and `y`"),
    ("2x=4", 1, 2, "an operator is missing between `2` and `x`"),
    ("1 2=x", 2, 3, "an operator is missing between `1` and `2`"),
    ("(x=1)(y=2)", 5, 6, "an operator is missing between `)` and `(`"),
    ("f(x)=1", 1, 2, "an operator is missing between `f` and `(`", "a call is written $f(...)"),
    ("x=1 Ey y=1", 4, 5, "an operator is missing between `1` and `E`"),
    ("a<b<c", 3, 4, "comparisons do not chain", CHAIN),
    ("a=b=c", 3, 4, "comparisons do not chain", CHAIN),
    ("a<b & c<d<e", 9, 10, "comparisons do not chain", CHAIN),
    ("~a=b=c", 4, 5, "comparisons do not chain", CHAIN),
    ("x & y=1", 0, 1, "`&` joins truth values; this is a number", COMPARE),
    ("x=1 & y", 6, 7, "`&` joins truth values; this is a number", COMPARE),
    ("~x", 1, 2, "`~` stands before a truth value; this is a number", COMPARE),
    ("Ex x", 3, 4, "the quantifier `E` stands before a truth value; this is a number", COMPARE),
    ("(x=1)+2=3", 0, 5, "`+` computes with numbers; this is a truth value"),
    ("(a=1)=2", 0, 5, "`=` compares numbers; this is a truth value"),
    ("_(a=1)=2", 1, 6, "`_` stands before a number; this is a truth value"),
    ("x=1,y=2", 3, 4, "`,` separates the arguments of a call, and none is open here"),
    ("(x=1,y=2)", 4, 5, "`,` separates the arguments of a call, and none is open here"),
    (
        "Ex=3", 2, 3,
        "`Ex` is a quantifier: a formula must follow, not `=`",
        VARIABLE + "; a counting quantifier is written E=3 x",
    ),
    ("Ab=1", 2, 3, "`Ab` is a quantifier: a formula must follow, not `=`", VARIABLE),
    ("Ax", 2, 2, "expected a formula after the quantifier `Ax`", VARIABLE),
    ("(Ex)", 3, 4, "expected a formula after the quantifier `Ex`", VARIABLE),
    ("Ex,", 3, 3, "expected a variable after `Ex,`"),
    ("Ex,=1", 3, 4, "expected a variable after `Ex,`, not `=`", VARIABLE),
    ("E", 1, 1, "expected a variable after the quantifier `E`"),
    (
        "E x=1", 3, 4,
        "`E x` is a quantifier: a formula must follow, not `=`",
        VARIABLE + "; a counting quantifier is written E=3 x",
    ),
    ("E1 x=1", 1, 2, "expected a variable after the quantifier `E`, not `1`", VARIABLE),
    ("A[n]=1", 1, 2, "expected a variable after the quantifier `A`, not `[`", "the word A is written .A[...]"),
    (
        "Ab[n]=1", 2, 3,
        "`Ab` is a quantifier: a formula must follow, not `[`",
        "a word whose name begins with A is written .Ab[...]",
    ),
    (
        "AxEy x=y", 1, 4,
        "`xEy` is read as one name, and it does not occur in what follows",
        "leave a space between quantifiers: Ax Ey",
    ),
    ("AxEy=y", 4, 5, "`AxEy` is a quantifier: a formula must follow, not `=`", VARIABLE),
    ("Ex,y,x x=y", 5, 6, "`x` is quantified twice here"),
    ("E>=x y=1", 3, 4, "expected a number after `E>=`, not `x`"),
    ("E>=3 (x=1)", 5, 6, "expected a variable after `E>=3`, not `(`", VARIABLE),
    ("E>=3", 4, 4, "expected a variable after `E>=3`"),
    ("E>3 x x=1", 1, 2, "a quantifier does not count with `>`", "write E>=k, E<=k or E=k"),
    ("A=3 x x=1", 0, 3, "only `E` counts, not `A`", "E>=3 x: at least three x"),
    (
        "x=Ey", 2, 3,
        "expected a term after `=`, not the quantifier `E`",
        VARIABLE + "; a word whose name begins with E is written .E...[n]",
    ),
    (
        "x=~y", 2, 3,
        "expected a term after `=`, not `~`",
        "put the formula in parentheses, and join it with & | ^ => <=>",
    ),
    ("x=?msd_2 1", 2, 8, "expected a term after `=`, not `?msd_2`", SYSTEM),
    ("?msd_3 x+?msd_2 y=3", 9, 15, "expected a term after `+`, not `?msd_2`", SYSTEM),
    (
        "(?msd_3 x)+1=2", 0, 10,
        "`+` computes with numbers; a numeration system cannot be named here",
        "`?system` stands before a formula, an argument or an index",
    ),
    ("?msd_2 x", 0, 8, "a formula must be true or false; this is a number", COMPARE),
    ("$f(?msd_2 ?msd_3 x)", 3, 18, "two numeration systems are named for one number"),
    ("? x=1", 0, 1, "`?` names a numeration system, and its name must follow: `?msd_fib`"),
    ("?", 0, 1, "`?` names a numeration system, and its name must follow: `?msd_fib`"),
    ("$f", 2, 2, "expected `(` after `$f`", "a call is written $f(...)"),
    ("$f x", 3, 4, "expected `(` after `$f`", "a call is written $f(...)"),
    ("$ f(x)", 0, 1, "`$` begins a call, and a name must follow: `$name(...)`"),
    ("$f(", 2, 3, "this `(` is never closed"),
    ("$f(x", 2, 3, "this `(` is never closed"),
    ("$f(x,", 2, 3, "this `(` is never closed"),
    ("$f(x,)", 5, 6, "expected an argument before `)`"),
    ("$f(,x)", 3, 4, "expected an argument before `,`"),
    ("$f(x y)", 5, 6, "an operator is missing between `x` and `y`"),
    ("$f(x]", 4, 5, "`]` cannot close `(`", "expected `)` first"),
    (".T=1", 2, 3, "expected `[` after `.T`", "the letter of a word is written .T[...]"),
    (". T[n]=1", 0, 1, "`.` begins a word, and its name and an index must follow: `.Word[n]`"),
    ("@=x", 0, 1, "`@` begins a letter, and a number must follow: `@1`"),
    ("@x=1", 0, 1, "`@` begins a letter, and a number must follow: `@1`"),
    ("x=@-", 2, 3, "`@` begins a letter, and a number must follow: `@1`"),
    ("x=1 # why", 4, 5, "`#` begins a macro call: `#name(...)`"),
    ("%0=1", 0, 1, "`%` stands for an argument in the text of a macro only"),
    ("x≤1", 1, 2, "unknown character `≤`", "write <="),
    ("∀x x=1", 0, 1, "unknown character `∀`", "write A"),
    ("x=1;", 3, 4, "unknown character `;`"),
    ("\"x=1\"", 0, 1, "unknown character `\"`"),
    ("x=1||y=1", 4, 5, "expected a formula after `|`, not `|`", "write |"),
    ("é=1", 0, 1, "unknown character `é`"),
)


@pytest.mark.parametrize("row", FORMULAS, ids=lambda row: repr(row[0]))
def test_place_and_message(row: Row) -> None:
    text, start, end, message, *hint = row
    with pytest.raises(SyntaxProblem) as caught:
        parse_formula(text)
    problem = caught.value
    assert (problem.start, problem.end, problem.message, problem.hint) == (start, end, message, "".join(hint))
    assert problem.text == text
