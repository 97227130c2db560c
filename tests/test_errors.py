"""Mistakes in formulas and commands, seen through a session: the class, the place, and what the message names.

Mistakes of syntax are in tests/language; here are those that only show when names have meanings and numbers have
systems, and a few of each other kind end to end. How they are worded is in tests/golden/errors.txt.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fibprover import Limits, Session
from fibprover.base.errors import (
    ArityMismatch,
    AutomatonError,
    DigitError,
    FibproverError,
    FileProblem,
    FormatError,
    LimitError,
    NotSupported,
    SyntaxProblem,
    TextError,
    TypeMismatch,
    UnknownName,
    did_you_mean,
)
from fibprover.numeration.registry import AVAILABLE, UnknownSystemError
from tests.golden import check_golden


@pytest.fixture
def session() -> Session:
    """A session with predicates over two systems and a plain alphabet, two words and a macro."""
    made = Session()
    made.define("even", "Ey x=2*y")
    made.define("less", "?msd_fib x<y")
    made.define("closed", "Ax x>=0")
    made.reg("shift", [[0, 1], [0, 1]], "([0,0]|[0,1][1,1]*[1,0])*")
    made.define_morphic_word("Th", [[0, 1], [1, 0]], [0, 1], "msd_2")
    made.define_morphic_word("G", [[0, 1], [0]], [0, 1], "msd_fib")
    made.macro("twice", "%0=2*%1")
    return made


#: formula, class of the error, the offending part's start and end, what the message and the hint have to name
FORMULAS: list[tuple[str, type[TextError], int, int, list[str]]] = [
    # names that nothing has
    ("$evem(x)", UnknownName, 0, 5, ["predicate", "evem", "even?"]),
    ("$foo(x)", UnknownName, 0, 4, ["predicate", "foo", "closed, even, less, shift"]),
    ("x=1 & Ey $evn(y+x)", UnknownName, 9, 13, ["predicate", "evn", "even?"]),
    ("$Th(n)", UnknownName, 0, 3, ["predicate", "Th", "Th is a word", "Th[...]"]),
    ("$T(n)", UnknownName, 0, 2, ["predicate", "T is a word", "T[...]"]),
    ("W[n]=1", UnknownName, 0, 1, ["word", "W", "G, Th"]),
    ("even[n]=1", UnknownName, 0, 4, ["word", "even", "even is a predicate", "$even"]),
    ("n=3 & .Thh[n]=1", UnknownName, 7, 10, ["word", "Thh", "Th?"]),
    ("#twise(a,b)", UnknownName, 0, 6, ["macro", "twise", "twice?"]),
    ("#foo(a)", UnknownName, 0, 4, ["macro", "foo", "twice"]),
    # signs that are forgotten, or written as elsewhere
    ("Th(n)=1", SyntaxProblem, 2, 3, ["`Th`", "`(`", "$Th(...)", "Th[...]"]),
    ("2n=m", SyntaxProblem, 1, 2, ["operator", "`2`", "`n`", "2*n"]),
    ("msd_fib En n=3", SyntaxProblem, 8, 9, ["`msd_fib`", "?msd_fib"]),
    ("?msd_-2 n=3", SyntaxProblem, 5, 6, ["?msd_neg_2"]),
    ("n=2\N{SUPERSCRIPT THREE}", SyntaxProblem, 3, 4, ["unknown character"]),
    ("n\N{ELEMENT OF}m", SyntaxProblem, 1, 2, ["$name(x)"]),
    ("n=2:", SyntaxProblem, 3, 4, ["`:`", "ends a command"]),
    # numeration systems
    ("?lsd_two x=1", UnknownName, 0, 8, ["lsd_two", AVAILABLE]),
    ("x=1 & ?msd_fibb x=1", UnknownName, 6, 15, ["msd_fibb", "msd_fib?"]),
    ("?msd_rec_1_2 x=1", UnknownName, 0, 12, ["x^2 - x - 2", "factor x + 1", "Pisot"]),
    ("?lsd_1 x=1", UnknownName, 0, 6, ["lsd_1", "2", "1048575"]),
    ("x=_1", NotSupported, 2, 4, ["minus", "msd_2", "msd_neg_2", "msd_neg_fib", "@-1"]),
    ("?msd_0 x=1", UnknownName, 0, 6, ["msd_0", "2", "1048575"]),
    ("?msd_1 x=1", UnknownName, 0, 6, ["msd_1", "2", "1048575"]),
    ("?nowhere x=1", UnknownName, 0, 12, ["msd_nowhere", AVAILABLE]),
    ("?msd_fibb x=1", UnknownName, 0, 9, ["msd_fibb", "msd_fib?"]),
    # numbers of arguments
    ("$even(x,y)", ArityMismatch, 0, 10, ["$even", "1 argument", "2"]),
    ("$even()", ArityMismatch, 0, 7, ["$even", "1 argument", "0"]),
    ("x=1 & $closed(x)", ArityMismatch, 6, 16, ["$closed", "0 arguments", "1"]),
    ("$shift(x)", ArityMismatch, 0, 9, ["$shift", "2 arguments", "1"]),
    ("Th[n][m]=1", ArityMismatch, 0, 8, ["Th", "1 index", "2"]),
    ("#twice(a)", ArityMismatch, 0, 9, ["twice", "2 arguments", "1"]),
    ("#twice(a,b,c)", ArityMismatch, 0, 13, ["twice", "2 arguments", "3"]),
    # one variable, two systems
    ("Ex (?msd_fib x=3) & (?msd_2 x=4)", TypeMismatch, 28, 31, ["x=4", "msd_2", "msd_fib", "x=3"]),
    ("?msd_fib x=1 & $even(x)", TypeMismatch, 21, 22, ["x is", "msd_2", "msd_fib", "x=1", "alphabet"]),
    ("x=y & $less(x,z) & $even(y)", TypeMismatch, 25, 26, ["y is", "msd_2", "msd_fib", "$less", "alphabet"]),
    ("$less(x,y) & $even(x)", TypeMismatch, 19, 20, ["x is", "msd_2", "msd_fib", "$less", "alphabet"]),
    ("Ei Th[i]=G[i]", TypeMismatch, 11, 12, ["i is", "msd_fib", "msd_2", "Th[...]", "alphabet"]),
    # quantifiers over nothing
    ("Ex y=1", UnknownName, 1, 2, ["x does not occur", "remove x"]),
    ("Ax,y x=1", UnknownName, 3, 4, ["y does not occur", "remove y"]),
    ("Ax Ex x=1", UnknownName, 1, 2, ["x does not occur", "remove x"]),
    ("y=2 & Ix y=1", UnknownName, 7, 8, ["x does not occur", "remove x"]),
    ("(Ex x=1) & Ex y=1", UnknownName, 12, 13, ["x does not occur", "remove x"]),
    # arithmetic that no automaton does
    ("x*y=1", TypeMismatch, 0, 3, ["product", "constant"]),
    ("Ex x*x=2", TypeMismatch, 3, 6, ["product", "constant"]),
    ("(x+1)*(y+1)=3", TypeMismatch, 0, 11, ["product", "constant"]),
    ("x/y=1", TypeMismatch, 2, 3, ["division", "constant"]),
    ("2*(x/y)=1", TypeMismatch, 5, 6, ["division", "constant"]),
    ("x/0=1", TypeMismatch, 2, 3, ["division by 0"]),
    ("x/(2-2)=1", TypeMismatch, 3, 6, ["division by 0"]),
    ("Th[x<y]=1", TypeMismatch, 3, 6, ["one free variable", "x, y"]),
    # truth values and numbers
    ("x+1", SyntaxProblem, 0, 3, ["number", "y=x+1"]),
    ("x=1 & ~x", SyntaxProblem, 7, 8, ["`~`", "formula", "number", "x=1"]),
    ("$shift(x,y)=1", SyntaxProblem, 0, 11, ["`=`", "numbers", "truth value"]),
    ("$even(x)+1=2", SyntaxProblem, 0, 8, ["`+`", "numbers", "truth value"]),
    # what follows a whole formula, or is never closed
    ("$even(x) typo", SyntaxProblem, 9, 13, ["operator", "`)`", "`typo`"]),
    ("$even(x))", SyntaxProblem, 8, 9, ["`)`", "no `(` is open"]),
    ("Th[a][b", SyntaxProblem, 5, 6, ["`[`", "never closed"]),
    ("even(x)", SyntaxProblem, 4, 5, ["operator", "`even`", "$even(...)"]),
    # not there yet
    ("E<=2147483647 x x<5", NotSupported, 0, 19, ["2147483646"]),
    ("`$shift(x,y)", NotSupported, 8, 9, ["reversal", "$shift", "{0,1}"]),
]


def of_formula(session: Session, formula: str, plan: str) -> TextError:
    with pytest.raises(TextError) as caught:
        session.eval(formula, plan=plan)
    return caught.value


def names_all(error: FibproverError, parts: list[str]) -> bool:
    return all(part in f"{error.message}\n{error.hint}" for part in parts)


@pytest.mark.parametrize("plan", ["optimized", "textbook"])
@pytest.mark.parametrize(("formula", "kind", "start", "end", "parts"), FORMULAS, ids=[f[0] for f in FORMULAS])
def test_formula(
    session: Session, plan: str, formula: str, kind: type[TextError], start: int, end: int, parts: list[str]
) -> None:
    error = of_formula(session, formula, plan)
    assert (type(error), error.start, error.end, error.text) == (kind, start, end, formula)
    assert names_all(error, parts), str(error)


#: script, class of the error, start and end in the script, what the message and the hint have to name
SCRIPTS: list[tuple[str, type[TextError], int, int, list[str]]] = [
    ('def f "x=";', SyntaxProblem, 8, 9, ["`=`", "right side"]),
    ('def f "x=1"; eval t "$g(x)";', UnknownName, 21, 23, ["predicate", "g"]),
    ('def f "Ey x=2*y"; eval t "$f(x,y)";', ArityMismatch, 26, 33, ["$f", "1 argument", "2"]),
    ('def f "x=1"; eval t "?msd_fib y=1 & $f(y)";', TypeMismatch, 39, 40, ["y is", "msd_2", "msd_fib", "y=1"]),
    ('eval t "?msd_7x x=1";', UnknownName, 8, 15, ["msd_7x"]),
    ('unite f g;', UnknownName, 0, 5, ["command", "unite"]),
    ('def f "x=1"; union u f g;', UnknownName, 23, 24, ["predicate", "g"]),
    ('def f "x=1"; star s f; union u f $nothing;', UnknownName, 33, 41, ["predicate", "nothing"]),
    ('alphabet A msd_tribb T;', UnknownName, 11, 20, ["msd_tribb"]),
    ('convert A 7x T;', UnknownName, 10, 12, ["msd_7x"]),
    ('image I h T;', UnknownName, 8, 9, ["morphism", "h"]),
    ('transduce I h T;', UnknownName, 12, 13, ["transducer", "h"]),
    ('morphism h "0->01, 1"; ', SyntaxProblem, 20, 20, ["`->`"]),
    ('reg r {0,1} "0"; def f "x=1"; union u r f;', NotSupported, 30, 35, ["{0,1}", "msd_2"]),
    ('help nonsense;', UnknownName, 5, 13, ["command", "nonsense"]),
    ('macro m "%0=1"; eval t "#m(x,y)";', ArityMismatch, 24, 31, ["`m`", "1 argument", "2"]),
    ('reg r {0,1} "2";', TypeMismatch, 13, 14, ["digit 2", "{0,1}"]),
    ('reg r msd_fib "2*";', TypeMismatch, 15, 16, ["digit 2", "{0,1}"]),
    ('reg r {0,1} {0,1} "01";', TypeMismatch, 19, 20, ["2 digits"]),
    ('reg r {0,1} "[0,1]";', TypeMismatch, 13, 18, ["1 digit", "2"]),
    ('reg r {0,1} {0,1} "[0,1][1,2]";', TypeMismatch, 27, 28, ["digit 2", "{0,1}", "track 2"]),
    ('reg r {0,1} "(0";', SyntaxProblem, 13, 14, ["`(`", "never closed"]),
    ('eval t "Ax x>=0" ;?', SyntaxProblem, 18, 19, ["command", "`?`"]),
    ('def f "x=1"; export f GV;', UnknownName, 20, 21, ["word", "f is a predicate", "$f"]),
    ('def f "x=1"; alphabet g msd_2 f;', UnknownName, 30, 31, ["word", "f is a predicate", "$f"]),
    ("inf T;", UnknownName, 4, 5, ["predicate", "T is a word"]),
    ('eval a "Ex x=3"\neval b "Ex x=4";', SyntaxProblem, 15, 16, ["`;`", "`eval`", "next line"]),
    ('eval a "Ex x=3"  \n# remark\n draw T;', SyntaxProblem, 15, 16, ["`;`", "`eval`", "next line"]),
    ('eval a "Ex x=3"\nx;', SyntaxProblem, 16, 17, ["unexpected", "`eval`"]),
    ("eval a \N{LEFT DOUBLE QUOTATION MARK}x=1\N{RIGHT DOUBLE QUOTATION MARK};", SyntaxProblem, 7, 8, ['write "']),
    ("reg r msd_2 \N{RIGHT DOUBLE QUOTATION MARK}01;", SyntaxProblem, 12, 13, ['write "']),
    ('def f "x=1"; def f', SyntaxProblem, 18, 18, ["formula", "`def f`"]),
]


def of_script(script: str) -> TextError:
    with pytest.raises(TextError) as caught:
        Session().run(script)
    return caught.value


@pytest.mark.parametrize(("script", "kind", "start", "end", "parts"), SCRIPTS, ids=[s[0] for s in SCRIPTS])
def test_script(script: str, kind: type[TextError], start: int, end: int, parts: list[str]) -> None:
    error = of_script(script)
    assert (type(error), error.start, error.end, error.text) == (kind, start, end, script)
    assert names_all(error, parts), str(error)


@pytest.mark.golden
def test_the_wording(session: Session) -> None:
    """Every message as it is shown, with the place and the hint."""
    errors = [of_formula(session, row[0], "optimized") for row in FORMULAS]
    errors += [of_script(row[0]) for row in SCRIPTS]
    check_golden("errors.txt", "\n\n".join(map(str, errors)) + "\n")


def test_an_error_behind_a_macro_is_shown_in_what_the_macro_became(session: Session) -> None:
    with pytest.raises(SyntaxProblem) as caught:
        session.run('eval t "#twice(x,y) & y=";')
    assert (caught.value.text, caught.value.message) == ("x=2*y & y=", "`=` is missing its right side")
    assert caught.value.text[caught.value.start : caught.value.end] == "="


#: what is called, class of the error, what the message has to name
CALLS: list[tuple[Callable[[Session], object], type[FibproverError], list[str]]] = [
    (lambda s: Session("msd_0"), UnknownSystemError, ["msd_0", "2", "1048575"]),
    (lambda s: Session("lsd_"), UnknownSystemError, ["lsd_"]),
    (lambda s: Session(plan="clever"), FibproverError, ["plan", "clever"]),
    (lambda s: s.eval("x=1", plan="clever"), FibproverError, ["plan", "clever"]),
    (lambda s: s.prove("x<y"), FibproverError, ["free variables", "x, y"]),
    (lambda s: s.relation("Ax x=x"), FibproverError, ["free variable", "TRUE"]),
    (lambda s: s.define("1a", "x=1"), SyntaxProblem, ["not a name"]),
    (lambda s: s.define("a b", "x=1"), SyntaxProblem, ["not a name"]),
    (lambda s: s.define("f", ""), SyntaxProblem, ["empty"]),
    (lambda s: s.reg("r", ["msd_tribb"], "0"), UnknownSystemError, ["msd_tribb"]),
    (lambda s: s.define_morphic_word("W", [[1, 0], [1]], [0, 1]), AutomatonError, ["W", "image of 0", "fixed point"]),
    (lambda s: s.define_morphic_word("W", [[0, 1, 2], [1], [2]], [0, 1, 1]), AutomatonError,
     ["W", "image of 0", "3 letters", "msd_2", "2 digits"]),
    (lambda s: s.namespace.load_word("no/such/W.txt"), FileProblem, ["no/such/W.txt", "No such file"]),
    (lambda s: s.load_words("no/such.json"), FileProblem, ["no/such.json", "No such file"]),
    (lambda s: s.load_words({"W": {}}), FormatError, ["words: W", "morphism", "missing"]),
    (lambda s: Limits(seconds=-1), LimitError, ["seconds", "-1"]),
    (lambda s: Limits(states=0), LimitError, ["states", "not 0"]),
    (lambda s: -1 in s.relation("x=1"), DigitError, ["-1", "msd_2"]),
    (lambda s: "a" in s.relation("x=1"), DigitError, ["x", "msd_2", "'a'"]),
    (lambda s: True in s.relation("x=1"), DigitError, ["x", "msd_2", "True"]),
    (lambda s: (1, 2, 3) in s.relation("x=y"), DigitError, ["2 variables", "x, y", "3"]),
    (lambda s: s.relation("x=1").count(-1), DigitError, ["bound", "-1"]),
    (lambda s: s.relation("x=1").first(-1), DigitError, ["tuples", "-1"]),
    (lambda s: s.relation("x=1") & s.relation("?msd_fib x=1"), AutomatonError, ["x", "msd_2", "msd_fib"]),
    (lambda s: s.relation("x=1").renamed(y="z"), AutomatonError, ["no variable y", "x"]),
    (lambda s: s.relation("x=1").exists("y"), AutomatonError, ["no variable y", "x"]),
]


@pytest.mark.parametrize(("call", "kind", "parts"), CALLS, ids=[" ".join(call[2]) for call in CALLS])
def test_call(
    session: Session, call: Callable[[Session], object], kind: type[FibproverError], parts: list[str]
) -> None:
    with pytest.raises(FibproverError) as caught:
        call(session)
    assert type(caught.value) is kind
    assert names_all(caught.value, parts), str(caught.value)


def test_a_definition_that_fails_leaves_the_old_one(session: Session) -> None:
    with pytest.raises(UnknownName):
        session.define("even", "Ey x=3*y & $nothing(x)")
    with pytest.raises(TypeMismatch):
        session.reg("shift", [[0, 1]], "2")
    assert session.relation("$even(x)").values(3) == [0, 2, 4]
    assert session.relation("?msd_fib $shift(x,y)").names == ("x", "y")


def test_hints_know_large_letters_from_small_ones_and_both_are_near() -> None:
    assert did_you_mean("EVAL", ["eval", "def"]) == "did you mean eval?"
    assert did_you_mean("pposk2", ["PPOSK2", "other"]) == "did you mean PPOSK2?"
    assert did_you_mean("t", ["T", "t"]) == "did you mean t?"
