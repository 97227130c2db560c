"""Mistakes in formulas and commands, seen through a session: the class, the place and the message of each.

What is wrong with the syntax of a formula is in tests/parse; here are the mistakes that only
show when names have meanings and numbers have systems, and a few of each other kind end to end.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fibprover import Limits, Session
from fibprover.errors import (
    ArityMismatch,
    AutomatonError,
    DigitError,
    FibproverError,
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

BASE = "there is no numeration system {}: a base lies between 2 and 65535"
NO_SYSTEM = "there is no numeration system {}"
PREDICATES = "there is closed, even, less, shift"
ONE_SYSTEM = "one variable or comparison holds numbers of one system; write the system with ?, as in ?msd_fib"
ITS_DIGITS = ONE_SYSTEM + "; if the digits in {} are meant, `alphabet` reads a word or predicate so"
FACTOR = "a product needs a constant factor: numbers can be multiplied by constants only"
NUMBER = "a comparison makes a formula of it: x=1"
UNUSED = "the quantified variable {} does not occur in its scope"
BELOW = "from the quantifier, or check the names below it"


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


#: formula, class of the error, the offending part's start and end, message, hint
FORMULAS: list[tuple[str, type[TextError], int, int, str, str]] = [
    # names that nothing has
    ("$evem(x)", UnknownName, 0, 5, "no predicate is called evem", "did you mean even?"),
    ("$foo(x)", UnknownName, 0, 4, "no predicate is called foo", PREDICATES),
    ("x=1 & Ey $evn(y+x)", UnknownName, 9, 13, "no predicate is called evn", "did you mean even?"),
    ("$Th(n)", UnknownName, 0, 3, "no predicate is called Th", PREDICATES),
    ("W[n]=1", UnknownName, 0, 1, "no word is called W", "there is G, Th"),
    ("even[n]=1", UnknownName, 0, 4, "no word is called even", "there is G, Th"),
    ("n=3 & .Thh[n]=1", UnknownName, 7, 10, "no word is called Thh", "did you mean Th?"),
    ("#twise(a,b)", UnknownName, 0, 6, "unknown macro `twise`", "did you mean twice?"),
    ("#foo(a)", UnknownName, 0, 4, "unknown macro `foo`", "there is twice"),
    # numeration systems
    ("?lsd_two x=1", UnknownName, 0, 8, NO_SYSTEM.format("lsd_two"), AVAILABLE),
    ("x=1 & ?msd_fibb x=1", UnknownName, 6, 15, NO_SYSTEM.format("msd_fibb"), AVAILABLE),
    ("?msd_rec_1_2 x=1", UnknownName, 0, 12, "x^2 - x - 2 has the factor x + 1, so it is not the minimal polynomial "
     "of a Pisot number", ""),
    ("?lsd_1 x=1", UnknownName, 0, 6, BASE.format("lsd_1"), ""),
    ("x=_1", NotSupported, 2, 4, "the unary minus _ needs a system with negative numbers, and msd_2 has none",
     "write ?msd_neg_2 or ?msd_neg_fib, or a difference of naturals, or @-1 for a letter"),
    ("?msd_0 x=1", UnknownName, 0, 6, BASE.format("msd_0"), ""),
    ("?msd_1 x=1", UnknownName, 0, 6, BASE.format("msd_1"), ""),
    ("?nowhere x=1", UnknownName, 0, 12, "there is no numeration system msd_nowhere", AVAILABLE),
    ("?msd_fibb x=1", UnknownName, 0, 9, "there is no numeration system msd_fibb", AVAILABLE),
    # numbers of arguments
    ("$even(x,y)", ArityMismatch, 0, 10, "$even takes 1 argument, not 2", ""),
    ("$even()", ArityMismatch, 0, 7, "$even takes 1 argument, not 0", ""),
    ("x=1 & $closed(x)", ArityMismatch, 6, 16, "$closed takes 0 arguments, not 1", ""),
    ("$shift(x)", ArityMismatch, 0, 9, "$shift takes 2 arguments, not 1", ""),
    ("Th[n][m]=1", ArityMismatch, 0, 8, "Th takes 1 index, not 2", ""),
    ("#twice(a)", ArityMismatch, 0, 9, "the macro `twice` takes 2 arguments, not 1", ""),
    ("#twice(a,b,c)", ArityMismatch, 0, 13, "the macro `twice` takes 2 arguments, not 3", ""),
    # one variable, two systems
    ("Ex (?msd_fib x=3) & (?msd_2 x=4)", TypeMismatch, 28, 31,
     "x=4 is in msd_2 here, but has to be in msd_fib because of x=3", ONE_SYSTEM),
    ("?msd_fib x=1 & $even(x)", TypeMismatch, 21, 22,
     "x is in msd_2 here, but has to be in msd_fib because of x=1", ITS_DIGITS.format("msd_fib")),
    ("x=y & $less(x,z) & $even(y)", TypeMismatch, 25, 26,
     "y is in msd_2 here, but has to be in msd_fib because of $less", ITS_DIGITS.format("msd_fib")),
    ("$less(x,y) & $even(x)", TypeMismatch, 19, 20,
     "x is in msd_2 here, but has to be in msd_fib because of $less", ITS_DIGITS.format("msd_fib")),
    ("Ei Th[i]=G[i]", TypeMismatch, 11, 12,
     "i is in msd_fib here, but has to be in msd_2 because of Th[...]", ITS_DIGITS.format("msd_2")),
    # quantifiers over nothing
    ("Ex y=1", UnknownName, 1, 2, UNUSED.format("x"), f"remove x {BELOW}"),
    ("Ax,y x=1", UnknownName, 3, 4, UNUSED.format("y"), f"remove y {BELOW}"),
    ("Ax Ex x=1", UnknownName, 1, 2, UNUSED.format("x"), f"remove x {BELOW}"),
    ("y=2 & Ix y=1", UnknownName, 7, 8, UNUSED.format("x"), f"remove x {BELOW}"),
    ("(Ex x=1) & Ex y=1", UnknownName, 12, 13, UNUSED.format("x"), f"remove x {BELOW}"),
    # arithmetic that no automaton does
    ("x*y=1", TypeMismatch, 0, 3, FACTOR, ""),
    ("Ex x*x=2", TypeMismatch, 3, 6, FACTOR, ""),
    ("(x+1)*(y+1)=3", TypeMismatch, 0, 11, FACTOR, ""),
    ("x/y=1", TypeMismatch, 2, 3, "only division by a constant is possible", ""),
    ("2*(x/y)=1", TypeMismatch, 5, 6, "only division by a constant is possible", ""),
    ("x/0=1", TypeMismatch, 2, 3, "division by 0 has no value", ""),
    ("x/(2-2)=1", TypeMismatch, 3, 6, "division by 0 has no value", ""),
    ("Th[x<y]=1", TypeMismatch, 3, 6,
     "a formula as an argument needs exactly one free variable, this one has x, y", ""),
    # truth values and numbers
    ("x+1", SyntaxProblem, 0, 3, "a formula must be true or false; this is a number", NUMBER),
    ("x=1 & ~x", SyntaxProblem, 7, 8, "`~` stands before a truth value; this is a number", NUMBER),
    ("$shift(x,y)=1", SyntaxProblem, 0, 11, "`=` compares numbers; this is a truth value", ""),
    ("$even(x)+1=2", SyntaxProblem, 0, 8, "`+` computes with numbers; this is a truth value", ""),
    # what follows a whole formula, or is never closed
    ("$even(x) typo", SyntaxProblem, 9, 13, "an operator is missing between `)` and `typo`", ""),
    ("$even(x))", SyntaxProblem, 8, 9, "a formula ends here, but `)` follows", "no `(` is open"),
    ("Th[a][b", SyntaxProblem, 5, 6, "this `[` is never closed", ""),
    ("even(x)", SyntaxProblem, 4, 5, "an operator is missing between `even` and `(`", "a call is written $even(...)"),
    # not there yet
    ("E<=2147483647 x x<5", NotSupported, 0, 19, "a counting quantifier counts to 2147483646 at most", ""),
    ("`$shift(x,y)", NotSupported, 8, 9,
     "the reversal ` needs numbers, and $shift has the plain alphabet {0,1} here", ""),
]


@pytest.mark.parametrize("plan", ["optimized", "textbook"])
@pytest.mark.parametrize(("formula", "kind", "start", "end", "message", "hint"), FORMULAS, ids=[f[0] for f in FORMULAS])
def test_formula(
    session: Session, plan: str, formula: str, kind: type[TextError], start: int, end: int, message: str, hint: str
) -> None:
    with pytest.raises(TextError) as caught:
        session.eval(formula, plan=plan)
    error = caught.value
    assert (type(error), error.start, error.end) == (kind, start, end)
    assert (error.message, error.hint, error.text) == (message, hint, formula)


#: script, class of the error, start and end in the script, message
SCRIPTS: list[tuple[str, type[TextError], int, int, str]] = [
    ('def f "x=";', SyntaxProblem, 8, 9, "`=` is missing its right side"),
    ('def f "x=1"; eval t "$g(x)";', UnknownName, 21, 23, "no predicate is called g"),
    ('def f "Ey x=2*y"; eval t "$f(x,y)";', ArityMismatch, 26, 33, "$f takes 1 argument, not 2"),
    ('def f "x=1"; eval t "?msd_fib y=1 & $f(y)";', TypeMismatch, 39, 40,
     "y is in msd_2 here, but has to be in msd_fib because of y=1"),
    ('eval t "?msd_7x x=1";', UnknownName, 8, 15, "there is no numeration system msd_7x"),
    ('unite f g;', UnknownName, 0, 5, "there is no command unite"),
    ('def f "x=1"; union u f g;', UnknownName, 23, 24, "no predicate is called g"),
    ('def f "x=1"; star s f; union u f $nothing;', UnknownName, 33, 41, "no predicate is called nothing"),
    ('alphabet A msd_tribb T;', UnknownName, 11, 20, "there is no numeration system msd_tribb"),
    ('convert A 7x T;', UnknownName, 10, 12, "there is no numeration system msd_7x"),
    ('image I h T;', UnknownName, 8, 9, "no morphism is called h"),
    ('transduce I h T;', UnknownName, 12, 13, "no transducer is called h"),
    ('morphism h "0->01, 1"; ', SyntaxProblem, 20, 20, "expected `->` of the morphism"),
    ('reg r {0,1} "0"; def f "x=1"; union u r f;', NotSupported, 30, 35,
     "a union needs automata over the same alphabets: {0,1} and msd_2 differ"),
    ('help nonsense;', UnknownName, 5, 13, "there is no command nonsense"),
    ('macro m "%0=1"; eval t "#m(x,y)";', ArityMismatch, 24, 31, "the macro `m` takes 1 argument, not 2"),
    ('reg r {0,1} "2";', TypeMismatch, 13, 14, "the digit 2 is not in the alphabet {0,1}"),
    ('reg r msd_fib "2*";', TypeMismatch, 15, 16, "the digit 2 is not in the alphabet {0,1}"),
    ('reg r {0,1} {0,1} "01";', TypeMismatch, 19, 20, "a letter has 2 digits here, one a track"),
    ('reg r {0,1} "[0,1]";', TypeMismatch, 13, 18, "a letter has 1 digit here, one a track, not 2"),
    ('reg r {0,1} {0,1} "[0,1][1,2]";', TypeMismatch, 27, 28, "the digit 2 is not in the alphabet {0,1} of track 2"),
    ('reg r {0,1} "(0";', SyntaxProblem, 13, 14, "this `(` is never closed"),
    ('eval t "Ax x>=0" ;?', SyntaxProblem, 18, 19, "a command must begin here, not `?`"),
    ('def f "x=1"; def f', SyntaxProblem, 18, 18, "expected a formula in quotes after `def f`"),
]


@pytest.mark.parametrize(("script", "kind", "start", "end", "message"), SCRIPTS, ids=[s[0] for s in SCRIPTS])
def test_script(script: str, kind: type[TextError], start: int, end: int, message: str) -> None:
    with pytest.raises(TextError) as caught:
        Session().run(script)
    error = caught.value
    assert (type(error), error.start, error.end, error.message, error.text) == (kind, start, end, message, script)


def test_an_error_behind_a_macro_is_shown_in_what_the_macro_became(session: Session) -> None:
    with pytest.raises(SyntaxProblem) as caught:
        session.run('eval t "#twice(x,y) & y=";')
    assert (caught.value.text, caught.value.message) == ("x=2*y & y=", "`=` is missing its right side")
    assert caught.value.text[caught.value.start : caught.value.end] == "="


#: what is called, class of the error, message
CALLS: list[tuple[Callable[[Session], object], type[FibproverError], str]] = [
    (lambda s: Session("msd_0"), UnknownSystemError, BASE.format("msd_0")),
    (lambda s: Session("lsd_"), UnknownSystemError, NO_SYSTEM.format("lsd_")),
    (lambda s: Session(plan="clever"), FibproverError, "there is no plan 'clever'"),
    (lambda s: s.eval("x=1", plan="clever"), FibproverError, "there is no plan 'clever'"),
    (lambda s: s.prove("x<y"), FibproverError,
     "the formula has free variables (x, y), so it is neither true nor false"),
    (lambda s: s.relation("Ax x=x"), FibproverError, "the formula has no free variable: it is TRUE"),
    (lambda s: s.define("1a", "x=1"), SyntaxProblem, "this is not a name"),
    (lambda s: s.define("a b", "x=1"), SyntaxProblem, "this is not a name"),
    (lambda s: s.define("f", ""), SyntaxProblem, "the formula is empty"),
    (lambda s: s.reg("r", ["msd_tribb"], "0"), UnknownSystemError, NO_SYSTEM.format("msd_tribb")),
    (lambda s: s.define_morphic_word("W", [[1, 0], [1]], [0, 1]), AutomatonError,
     "W: the image of 0 begins with 1, so it has no fixed point from 0"),
    (lambda s: s.define_morphic_word("W", [[0, 1, 2], [1], [2]], [0, 1, 1]), AutomatonError,
     "W: the image of 0 has 3 letters, but msd_2 has 2 digits"),
    (lambda s: s.namespace.load_word("no/such/W.txt"), FormatError,
     "no/such/W.txt: cannot be read: No such file or directory"),
    (lambda s: s.load_words("no/such.json"), FormatError, "no/such.json: cannot be read: No such file or directory"),
    (lambda s: s.load_words({"W": {}}), FormatError, "words: W: the field 'morphism' is missing"),
    (lambda s: Limits(seconds=-1), LimitError, "the limit on seconds must be positive, not -1"),
    (lambda s: Limits(states=0), LimitError, "the limit on states must be positive, not 0"),
    (lambda s: -1 in s.relation("x=1"), DigitError, "-1 is negative; msd_2 represents the naturals"),
    (lambda s: "a" in s.relation("x=1"), DigitError, "x is a number of msd_2, not 'a'"),
    (lambda s: True in s.relation("x=1"), DigitError, "x is a number of msd_2, not True"),
    (lambda s: (1, 2, 3) in s.relation("x=y"), DigitError, "this relation is of 2 variables (x, y), not 3"),
    (lambda s: s.relation("x=1").count(-1), DigitError, "a bound cannot be negative: -1"),
    (lambda s: s.relation("x=1").first(-1), DigitError, "a number of tuples cannot be negative: -1"),
    (lambda s: s.relation("x=1") & s.relation("?msd_fib x=1"), AutomatonError,
     "x is in msd_2 on one side and in msd_fib on the other"),
    (lambda s: s.relation("x=1").renamed(y="z"), AutomatonError, "this relation has no variable y; it has x"),
    (lambda s: s.relation("x=1").exists("y"), AutomatonError, "this relation has no variable y; it has x"),
]


@pytest.mark.parametrize(("call", "kind", "message"), CALLS, ids=[call[2] for call in CALLS])
def test_call(session: Session, call: Callable[[Session], object], kind: type[FibproverError], message: str) -> None:
    with pytest.raises(FibproverError) as caught:
        call(session)
    assert (type(caught.value), caught.value.message) == (kind, message)


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
