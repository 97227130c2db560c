"""Scripts, regular expressions and macro calls that are none: exact place, whole message, kind of error."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fibprover.errors import ArityMismatch, SyntaxProblem, TextError, TypeMismatch, UnknownName
from fibprover.syntax.commands import parse_script
from fibprover.syntax.macros import expand_macros
from fibprover.syntax.regex import parse_regex

NAME = "a name is a letter, then letters, digits or _"
META = "write [strategy 3 CCLS] or [export * BA], with the number of an automaton or * for all"
QUOTES = 'the formula stands in quotes: eval test "..."'
ALPHABET = "an alphabet is a set such as {0,1} or a numeration system such as msd_fib"
EMPTY_WORD = "the empty word is written ()"
LETTERS = "letters are digits; a negative one is written [-1]"
NONE_OPEN = "no `(` is open"
THERE_IS = "there is a, b, bad, loop, m, one"

#: A text, start and end of the place, a part of the message, a part of the hint ("" by default), and the type of the
#: error (SyntaxProblem by default).
Row = (
    tuple[str, int, int, str]
    | tuple[str, int, int, str, str]
    | tuple[str, int, int, str, str, type[TextError]]
)

SCRIPTS: tuple[Row, ...] = (
    ("eval", 4, 4, "expected a name after `eval`", "write eval NAME"),
    ("eval x=1;", 5, 8, "`x=1` is not a name", NAME),
    ("eval test;", 9, 10, "expected a formula in quotes after `eval test`"),
    ("eval test", 9, 9, "expected a formula in quotes after `eval test`"),
    ("eval test x=1;", 10, 13, "`x=1` is not a name of a variable", QUOTES),
    ("eval 23 \"x=1\";", 5, 7, "`23` is not a name", NAME),
    ("eval a-b \"x=1\";", 5, 8, "`a-b` is not a name", NAME),
    ("eval test 23 \"x=1\";", 10, 12, "`23` is not a name of a variable", QUOTES),
    ("eval test \"x=1", 10, 11, "this quote is never closed"),
    ("eval test \"x=1\"", 15, 15, "expected `;`"),
    ("eval test \"x=1\" y;", 16, 17, "nothing more is expected"),
    ("eval test \"x=1\" eval t \"y=1\";", 16, 17, "nothing more is expected"),
    ("\"x=1\";", 0, 1, "a command must begin here, not `\"`"),
    ("[x", 0, 1, "this `[` is never closed"),
    ("[export 1]eval t \"x=1\"::", 0, 10, "`export` needs a number or *, and a name", META),
    ("[export one BA]eval t \"x=1\"::", 0, 15, "`export` needs a number or *, and a name", META),
    ("[export 1 AB]eval t \"x=1\"::", 0, 13, "`AB` is none of BA, GV, TXT", META),
    ("[strategy * QUICK]eval t \"x=1\"::", 0, 18, "`QUICK` is none of SC, BRZ, CCL, CCLS, BRZ-CCL, BRZ-CCLS", META),
    ("[magic * SC]eval t \"x=1\"::", 0, 12, "there is no metacommand [magic * SC]", META),
    (
        "[export 1 BA]eval t \"x=1\";", 25, 26, "metacommands work before commands that end in `::`",
        "end the command in ::",
    ),
    ("[export 1 BA]", 13, 13, "expected a command"),
    ("eval a \"x=1\"; ?", 14, 15, "a command must begin here, not `?`"),
    ("invented", 8, 8, "expected `;`, `:` or `::` after the command `invented`"),
    ("invented \"a", 9, 10, "this quote is never closed"),
    (
        "reg f \"0\";", 6, 7,
        "expected the alphabet of every track", "write reg NAME ALPHABET",
    ),
    ("reg {0,1} \"0\";", 4, 5, "expected a name after `reg`", "write reg NAME ALPHABET"),
    ("reg f {0,1 \"0\";", 6, 7, "this `{` is never closed"),
    ("reg f {} \"0\";", 7, 8, "expected a digit"),
    ("reg f {0,,1} \"0\";", 9, 10, "expected a digit"),
    ("reg f {0,a} \"0\";", 9, 10, "`a` is not a digit"),
    ("reg f {0,0} \"0\";", 9, 10, "the digit 0 is in the alphabet already"),
    ("reg f 0,1} \"0\";", 6, 9, "`0,1` is not an alphabet", ALPHABET),
    ("reg f {0,1};", 11, 12, "expected a regular expression in quotes after `reg f`"),
    ("reg f msd-2 \"0\";", 6, 11, "`msd-2` is not an alphabet", ALPHABET),
    ("reg f {99999999999} \"0\";", 7, 18, "a digit may be at most 1000000000"),
    ("macro m;", 7, 8, "expected a text in quotes after `macro m`"),
    ("macro \"x\";", 6, 7, "expected a name after `macro`", "write macro NAME"),
    ("reg f } \"0\";", 6, 7, "`}` without `{`"),
)

OPERATIONS: tuple[Row, ...] = (
    ("union", 5, 5, "expected a name after `union`", "write union NEW OLD ...;"),
    ("union a;", 7, 8, "expected a name", "write union NEW OLD ...;"),
    ("union $a b;", 6, 8, "`$a` is not a name", "write union NEW OLD ...;"),
    ("union a b+;", 8, 10, "`b+` is not a name", "write union NEW OLD ...;"),
    ("union a b", 9, 9, "expected `;`, `:` or `::` after the command `union`"),
    ("concat a b;", 10, 11, "expected a name", "write concat NEW OLD OLD ...;"),
    ("star a b c;", 9, 10, "nothing more is expected in the command `star`", "write star NEW OLD;"),
    ("star a [0];", 7, 8, "expected a name", "write star NEW OLD;"),
    ("star a \"b\";", 7, 8, "expected a name", "write star NEW OLD;"),
    ("split a b;", 9, 10, "expected the signs of the tracks", "write split NEW OLD [SIGN] ...;"),
    ("split a b[+][1];", 12, 15, "`1` is not a sign: it is +, - or nothing", "write split NEW OLD [SIGN] ...;"),
    ("split a b[+", 9, 10, "expected the signs of the tracks", "write split NEW OLD [SIGN] ...;"),
    ("rsplit a b[+];", 9, 10, "expected the signs of the tracks", "write rsplit NEW [SIGN] ... OLD;"),
    ("join a b;", 8, 9, "expected indices in brackets", "write join NEW WORD[i][j] ...;"),
    ("join a b[1];", 8, 11, "`1` is not a name of an index", "write join NEW WORD[i][j] ...;"),
    ("join a;", 6, 7, "expected a word with its indices", "write join NEW WORD[i][j] ...;"),
    ("combine a;", 9, 10, "expected a name", "write combine NEW OLD[=k] ...;"),
    ("combine a b=x;", 11, 13, "`x` is not a value"),
    ("combine a b=;", 11, 12, "expected a value"),
    ("combine a b=99999999999;", 11, 23, "a value may be at most 1000000000"),
    ("convert a;", 9, 10, "expected a numeration system", "write convert NEW SYSTEM OLD;"),
    ("convert a msd_2;", 15, 16, "expected a name", "write convert NEW SYSTEM OLD;"),
    ("alphabet a $b;", 11, 12, "expected the alphabet of every track", "write alphabet NEW ALPHABET ... OLD;"),
    ("alphabet a {0,1};", 16, 17, "expected a name", "write alphabet NEW ALPHABET ... OLD;"),
    ("alphabet a {0,1 b;", 11, 12, "this `{` is never closed"),
    ("alphabet a msd-2 b;", 11, 16, "`msd-2` is not an alphabet", ALPHABET),
    ("morphism a 0->1;", 11, 12, "expected a text in quotes after `morphism`"),
    ("test a;", 6, 7, "expected a number", "write test NAME NUMBER;"),
    ("test a ten;", 7, 10, "`ten` is not a number"),
    ("test a -1;", 7, 9, "a number of values cannot be negative", "write test NAME NUMBER;"),
    ("export a;", 8, 9, "expected a format", "write export NAME FORMAT;"),
    ("ost a [0];", 9, 10, "expected numbers in brackets", "write ost NEW [PREPERIOD] [PERIOD];"),
    ("ost a [0] [x];", 10, 13, "`x` is not a number"),
    ("load ;", 5, 6, "expected the name of a file", "write load FILE;"),
    ("quit now;", 5, 6, "nothing more is expected in the command `quit`", "write quit;"),
)

ONE_TRACK: tuple[Row, ...] = (
    ("(", 0, 1, "this `(` is never closed"),
    (")", 0, 1, "a regular expression ends here, but `)` follows", NONE_OPEN),
    ("(0", 0, 1, "this `(` is never closed"),
    ("0)", 1, 2, "a regular expression ends here, but `)` follows", NONE_OPEN),
    ("0|", 2, 2, "expected an expression after `|`", EMPTY_WORD),
    ("|0", 0, 1, "expected an expression", EMPTY_WORD),
    ("0||1", 2, 3, "expected an expression after `|`", EMPTY_WORD),
    ("0&", 2, 2, "expected an expression after `&`", EMPTY_WORD),
    ("*", 0, 1, "`*` has nothing to repeat"),
    ("(*0)", 1, 2, "`*` has nothing to repeat"),
    ("~", 0, 1, "expected an expression after `~`"),
    ("0~", 1, 2, "expected an expression after `~`"),
    ("(~)", 1, 2, "expected an expression after `~`"),
    ("2", 0, 1, "the digit 2 is not in the alphabet {0,1}", "", TypeMismatch),
    (".2", 1, 2, "the digit 2 is not in the alphabet {0,1}", "", TypeMismatch),
    ("[2]", 1, 2, "the digit 2 is not in the alphabet {0,1}", "", TypeMismatch),
    ("[", 0, 1, "this `[` is never closed"),
    ("[0", 0, 1, "this `[` is never closed"),
    ("]", 0, 1, "`]` closes nothing"),
    ("[]", 0, 2, "expected digits between `[` and `]`"),
    ("[^]", 0, 3, "expected digits between `[` and `]`"),
    ("[0,1]", 0, 5, "a letter has 1 digit here, one a track, not 2", "", TypeMismatch),
    ("[0-", 0, 1, "this `[` is never closed"),
    ("[0-]", 1, 3, "this range has no end"),
    ("[1-0]", 1, 4, "the range 1-0 is empty"),
    ("[a]", 1, 2, "`a` is not a digit"),
    ("[-2]", 1, 3, "the digit -2 is not in the alphabet {0,1}", "", TypeMismatch),
    ("[--1]", 1, 2, "`-` is not a digit"),
    ("0{", 1, 2, "a repetition is written {n}, {n,} or {n,m}"),
    ("0{x}", 1, 2, "a repetition is written {n}, {n,} or {n,m}"),
    ("0{2,1}", 1, 6, "2 is more than 1"),
    ("0{9999999}", 1, 10, "a repetition may be at most 1000000"),
    ("{2}", 0, 1, "`{` has nothing to repeat"),
    ("a", 0, 1, "unknown character `a` in a regular expression", LETTERS),
    ("T[a]=1", 0, 1, "unknown character `T` in a regular expression", LETTERS),
    ("0 1 2", 4, 5, "the digit 2 is not in the alphabet {0,1}", "", TypeMismatch),
    ("[0,", 0, 1, "this `[` is never closed"),
    ("0}", 1, 2, "`}` closes nothing"),
    ("[012]", 3, 4, "the digit 2 is not in the alphabet {0,1}", "", TypeMismatch),
    ("[^7]", 2, 3, "the digit 7 is not in the alphabet {0,1}", "", TypeMismatch),
)

WIDE: tuple[Row, ...] = (
    (
        "[^10]", 0, 5,
        "this could mean the letter 10 or its figures",
        "list single figures in another order, or write a union of letters",
    ),
    ("[-1]", 1, 3, "the digit -1 is not in the alphabet {0,1,2,3,4,5,6,7,8,9,10,11}", "", TypeMismatch),
)

TWO_TRACKS: tuple[Row, ...] = (
    ("0", 0, 1, "a letter has 2 digits here, one a track", "write it in brackets: [0,0]", TypeMismatch),
    ("[0]", 0, 3, "a letter has 2 digits here, one a track, not 1", "", TypeMismatch),
    ("[0,2]", 3, 4, "the digit 2 is not in the alphabet {0,1} of track 2", "", TypeMismatch),
    ("[0,1,0]", 0, 7, "a letter has 2 digits here, one a track, not 3", "", TypeMismatch),
    ("[0,]", 3, 4, "expected a digit"),
    ("[0,*]", 3, 4, "`*` is not a digit"),
    ("[0,1", 0, 1, "this `[` is never closed"),
    ("[^0,1]", 1, 3, "`^0` is not a digit"),
    ("[0,1][0,3]", 8, 9, "the digit 3 is not in the alphabet {0,1} of track 2", "", TypeMismatch),
)

MACROS: tuple[Row, ...] = (
    ("#", 0, 1, "`#` begins a macro call: `#name(...)`"),
    ("#m", 2, 2, "expected `(` after `#m`"),
    ("#m(", 2, 3, "this `(` is never closed"),
    ("#m(1", 2, 3, "this `(` is never closed"),
    ("#m(1)", 0, 5, "the macro `m` takes 2 arguments, not 1", "", ArityMismatch),
    ("#m(1,2,3)", 0, 9, "the macro `m` takes 2 arguments, not 3", "", ArityMismatch),
    ("#n(1)", 0, 2, "unknown macro `n`", THERE_IS, UnknownName),
    ("#one(1)", 0, 7, "the macro `one` takes 0 arguments, not 1", "", ArityMismatch),
    ("#loop(1)", 0, 8, "in the macro `loop`: the macro `loop` calls itself"),
    ("#a(1)", 0, 5, "in the macro `b`: the macro `a` calls itself"),
    ("x=1 & #bad(2)", 6, 13, "in the macro `bad`: unknown macro `nothing`", THERE_IS, UnknownName),
    ("#m(#m(1),2)", 3, 8, "the macro `m` takes 2 arguments, not 1", "", ArityMismatch),
    ("#m(#q(1),2)", 3, 5, "unknown macro `q`", THERE_IS, UnknownName),
    ("#m (1,2)", 2, 3, "expected `(` after `#m`"),
)

KNOWN = {"m": "%0=%1", "loop": "#loop(%0)", "a": "#b(%0)", "b": "#a(%0)", "one": "x=1", "bad": "#nothing(%0)"}


def check(read: Callable[[str], object], row: Row) -> None:
    text, start, end, message, *rest = row
    kind = rest[1] if len(rest) > 1 else SyntaxProblem
    with pytest.raises(TextError) as caught:
        read(text)
    problem = caught.value
    hint = str(rest[0]) if rest else ""
    assert (problem.start, problem.end) == (start, end)
    assert message in problem.message and hint in problem.hint
    assert type(problem) is kind
    assert problem.text == text


@pytest.mark.parametrize("row", SCRIPTS, ids=lambda row: repr(row[0]))
def test_scripts(row: Row) -> None:
    check(parse_script, row)


@pytest.mark.parametrize("row", OPERATIONS, ids=lambda row: repr(row[0]))
def test_operations(row: Row) -> None:
    check(parse_script, row)


@pytest.mark.parametrize("row", ONE_TRACK, ids=lambda row: repr(row[0]))
def test_regular_expressions_over_one_track(row: Row) -> None:
    check(lambda text: parse_regex(text, [(0, 1)]), row)


@pytest.mark.parametrize("row", WIDE, ids=lambda row: repr(row[0]))
def test_regular_expressions_over_a_wide_alphabet(row: Row) -> None:
    check(lambda text: parse_regex(text, [range(12)]), row)


@pytest.mark.parametrize("row", TWO_TRACKS, ids=lambda row: repr(row[0]))
def test_regular_expressions_over_two_tracks(row: Row) -> None:
    check(lambda text: parse_regex(text, [(0, 1), (0, 1)]), row)


@pytest.mark.parametrize("row", MACROS, ids=lambda row: repr(row[0]))
def test_macro_calls(row: Row) -> None:
    check(lambda text: expand_macros(text, KNOWN), row)
