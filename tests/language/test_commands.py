"""Scripts: what each command holds, where it stands, and that errors come only when reached."""

from __future__ import annotations

import pytest

from fibprover.base.errors import SyntaxProblem, TextError, TypeMismatch, UnknownName
from fibprover.base.names import full_name
from fibprover.language.commands import (
    DefCommand,
    EvalCommand,
    MacroCommand,
    OperationCommand,
    OtherCommand,
    RegCommand,
    after_command,
    command_at,
    in_script,
    iterate_script,
    line_number,
    parse_script,
)
from fibprover.language.parser import parse_formula
from fibprover.workspace.session import Session

SCRIPT = '''# a comment; with a terminator: and a "quote

def  even "Ey x=2*y":   eval t "x=1
 # in the text; a remark as well
 & y=2"; # after a terminator
  # indented
// another kind
reg r {0, +1 ,- 2} msd_fib 10
  # between
  lsd "[0,1,1]* "::
macro m "%0;%1" ;
invented $even "a;b" [+];[export 1 BA]eval u n k "?msd_fib n=k"::
'''


def test_all_kinds() -> None:
    even, test, reg, macro, other, bracketed = parse_script(SCRIPT)
    assert isinstance(even, DefCommand)
    assert (even.name, even.text, even.variables, even.terminator, even.line) == ("even", "Ey x=2*y", (), ":", 3)
    assert isinstance(test, EvalCommand)
    assert (test.name, test.terminator, test.line) == ("t", ";", 3)
    assert test.text == "x=1\n " + " " * 31 + "\n & y=2"
    assert isinstance(reg, RegCommand)
    assert (reg.name, reg.text, reg.terminator, reg.line) == ("r", "[0,1,1]* ", "::", 8)
    assert reg.alphabets == ((0, 1, -2), "msd_fib", "msd_10", "lsd_2")
    assert isinstance(macro, MacroCommand)
    assert (macro.name, macro.text, macro.terminator) == ("m", "%0;%1", ";")
    assert isinstance(other, OtherCommand)
    assert (other.word, other.rest, other.line) == ("invented", '$even "a;b" [+]', 12)
    assert isinstance(bracketed, EvalCommand)
    assert [meta.words for meta in bracketed.metacommands] == [("export", "1", "BA")]
    assert (bracketed.name, bracketed.variables, bracketed.text) == ("u", ("n", "k"), "?msd_fib n=k")
    assert bracketed.terminator == "::"


def test_places() -> None:
    commands = parse_script(SCRIPT)
    for command in commands:
        written = SCRIPT[command.span.start : command.span.end]
        assert written.endswith(command.terminator)
        assert line_number(SCRIPT, command.span.start) == command.line
        if isinstance(command, OtherCommand):
            assert command.rest in written
            assert SCRIPT[command.word_span.start : command.word_span.end] == command.word
        else:
            assert isinstance(command, DefCommand | EvalCommand | RegCommand | MacroCommand)
            text = SCRIPT[command.text_offset : SCRIPT.index('"', command.text_offset)]
            assert command.text == text.replace("# in the text; a remark as well", " " * 31)
            assert SCRIPT[command.name_span.start : command.name_span.end] == command.name
        if isinstance(command, RegCommand):
            systems = [(name, SCRIPT[span.start : span.end]) for name, span in command.places[2:]]
            assert systems == [("msd_fib", "msd_fib"), ("msd_10", "10"), ("lsd_2", "lsd")]


def test_variables_between_name_and_formula() -> None:
    [command] = parse_script('eval test376 i      length_abc "i<length_abc"     ::')
    assert isinstance(command, EvalCommand)
    assert command.variables == ("i", "length_abc")


def test_names_may_begin_with_any_letter() -> None:
    [command] = parse_script('def A1 "x=1":')
    assert isinstance(command, DefCommand)
    assert command.name == "A1"


@pytest.mark.parametrize("text", ["", "  \n", "# only a comment", "# one\n  // two\n"])
def test_nothing(text: str) -> None:
    assert parse_script(text) == ()


@pytest.mark.parametrize(
    ("written", "full"),
    [
        ("fib", "msd_fib"), ("msd_fib", "msd_fib"), ("lsd_fib", "lsd_fib"), ("2", "msd_2"), ("msd", "msd_2"),
        ("lsd", "lsd_2"), ("lsd_neg_2", "lsd_neg_2"), ("neg_fib", "msd_neg_fib"), ("trib", "msd_trib"),
    ],
)
def test_system_names(written: str, full: str) -> None:
    assert full_name(written) == full


def test_commands_before_an_error_are_there() -> None:
    script = 'def a "x=1":\ndef b "y=1":\ndef 3 "z=1":\ndef c "u=1":'
    commands = iterate_script(script)
    assert [next(commands).line, next(commands).line] == [1, 2]
    with pytest.raises(SyntaxProblem) as caught:
        next(commands)
    assert line_number(script, caught.value.start) == 3
    with pytest.raises(SyntaxProblem):
        parse_script(script)


def test_problems_in_quoted_text_are_shown_in_the_script() -> None:
    script = 'def a "x=1":\ndef b "y=1 &\n  z=":\n'
    command = parse_script(script)[1]
    assert isinstance(command, DefCommand)
    with pytest.raises(SyntaxProblem) as caught:
        parse_formula(command.text)
    shown = in_script(caught.value, script, command.text, command.text_offset)
    assert type(shown) is SyntaxProblem
    assert (shown.start, shown.end) == (script.index("=", 24), script.index("=", 24) + 1)
    assert str(shown) == '`=` is missing its right side\n    z=":\n     ^'
    for kind in (UnknownName, TypeMismatch):
        problem = kind("m", command.text, 1, 2, hint="h")
        again = in_script(problem, script, command.text, command.text_offset)
        assert (type(again), again.hint, again.start) == (kind, "h", command.text_offset + 1)
    elsewhere = SyntaxProblem("m", "expanded text", 1, 2)
    assert in_script(elsewhere, script, command.text, command.text_offset) is elsewhere


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ('reg a lsd_2 "(0|1)*00"; all strings that end in 00\n\teval b "x=1":\n', [0, 1]),  # Walnut's own demo
        ('def a "x=1"; defining a function ', [0]),
        ('def a "x=1";non-trivial (case) - 3 states, really!\neval b "x=1";', [0, 1]),
        ('def a "x=1":: // one\n;;\n:::\neval b "x=1";;', [0, 1]),
        (";", []),
    ],
)
def test_what_walnut_overlooks_behind_a_terminator(script: str, words: list[int]) -> None:
    """The rest of the line, where it is plain words; and terminators that end nothing."""
    names = ["a", "b"]
    assert [getattr(command, "name", "") for command in parse_script(script)] == [names[number] for number in words]


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ('evl b "x=1";', None),
        ("quitt", "unknown command `quitt`"),
        ("Ax $a(x)", "unknown command `Ax`"),
        ("Ax x=x", "unknown command `Ax`"),
        ("test whether it holds", "`whether`|expected|`it` is not a number"),
        ("inff a;", None),
        ('"b"', "a command must begin here"),
        ("\nall strings that end in 00", "unknown command `all`"),
    ],
)
def test_what_may_be_a_command_is_not_overlooked(rest: str, message: str | None) -> None:
    script = f'def a "x=1"; {rest}'
    if message is None:
        assert isinstance(parse_script(script)[1], OtherCommand)
        return
    with pytest.raises(SyntaxProblem, match=message):
        parse_script(script)


def test_metacommands_without_anything_behind() -> None:
    (command,) = parse_script('[earlyExistTermination] [strategy * CCL]eval t "Ex x=1"::')
    assert [meta.words[0] for meta in command.metacommands] == ["earlyExistTermination", "strategy"]
    with pytest.raises(SyntaxProblem, match="unknown metacommand"):
        parse_script('[earlyexit]eval t "Ex x=1"::')


def test_remarks_in_formulas() -> None:
    """A line that begins with # or // and calls no macro; the places of all else stay."""
    script = 'eval a "Ex x=1\n  # one, of them\n & #m(x)\n #m(x,\n  2)\n// two\n & y=2":'
    (command,) = parse_script(script)
    assert isinstance(command, EvalCommand)
    assert " ".join(command.text.split()) == "Ex x=1 & #m(x) #m(x, 2) & y=2"
    assert len(command.text) == script.rindex('"') - script.index('"') - 1
    (untouched,) = parse_script('eval a "#m(x)\n\n#m (x)";')
    assert isinstance(untouched, EvalCommand)
    assert untouched.text == "#m(x)\n\n#m (x)"


def test_an_unknown_command_is_shown_at_its_word() -> None:
    script = 'def a "x=1"; foo "foo" "a":'
    with pytest.raises(UnknownName, match="unknown command `foo`") as caught:
        Session().run(script)
    assert (caught.value.text, caught.value.start, caught.value.end) == (script, 13, 16)


@pytest.mark.parametrize("script", ["x=1", "x=1;", "Ax x>=0;", "?fib x=1;", "~x=1;", "eval x=1;", "def x=1;"])
def test_a_formula_without_its_command_gets_a_hint_at_eval(script: str) -> None:
    with pytest.raises(TextError) as caught:
        Session().run(script)
    assert "eval" in caught.value.hint or "quotes" in caught.value.hint
    assert script[caught.value.start] == script.removeprefix("eval ").removeprefix("def ")[0]


def test_a_predicate_is_no_alphabet_of_an_expression() -> None:
    with pytest.raises(SyntaxProblem, match=r"`\$a` is not an alphabet") as caught:
        parse_script('reg r msd_2 $a "0*":')
    assert (caught.value.start, caught.value.end) == (12, 14)


@pytest.mark.parametrize("remark", ["", "  ", " // of b; and more", "# of b", "; ;"])
def test_where_a_script_goes_on_after_a_command_that_cannot_be_read(remark: str) -> None:
    """After the line with a terminator at its end: blanks, another terminator and comments may follow that."""
    begun = f'def a "x=1"; def b x:y "x=1":{remark}'
    script = f'{begun}\ndef c "x=2";'
    assert after_command(script, script.index("b x")) == len(begun)
    (command,) = iterate_script(script, len(begun))
    assert isinstance(command, DefCommand) and (command.name, command.line) == ("c", 2)
    assert after_command('def a "x', 0) == 8


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("def f", "def"), ("def $f", "def"), ('eval"x"', "eval"), ("reg {0}", "reg"), ("cls", "cls"), ("inf ;", "inf"),
        ("draw f", "draw"), ("test=1", ""), ("test & x", ""), ("test[n]=1", ""), ("first<x", ""), ("Evil x", ""),
        ("count 3", ""), ("", ""), (" def f", ""),
    ],
)
def test_where_a_command_seems_to_begin(text: str, word: str) -> None:
    assert command_at(text, 0) == word


def test_a_predicate_may_follow_a_name_without_a_blank() -> None:
    (command,) = parse_script("union u a$b;")
    assert isinstance(command, OperationCommand) and command.arguments == ("u", "a", "$b")


def test_a_formula_with_carriage_returns_has_no_command_on_its_lines() -> None:
    with pytest.raises(SyntaxProblem) as caught:
        parse_script('def a "x=\r\ntest\r\n+1" y z;')
    assert "never closed" not in caught.value.message


@pytest.mark.parametrize(("script", "wrong"), [
    ("def a@ 5;", "a@"), ("def @ 5;", "@"), ('eval a@\t5 "x=1";', "a@"), ('eval e x@ 5 "x=1";', "x@"),
    ("promote P h msd_2@ 5;", "5"), ("convert C @ 7 T;", "7"),
    ('[strategy 1\nQUICK]eval "x=1"::', "QUICK"), ('[strategy\n\nCCL CCLS]eval "x=1"::', "CCL"),
    ('[strategy 1\n]eval "x=1"::', "]"), ('[strategy 1 CCL\n  5]eval "x=1"::', "5"),
    ('[\nstrategi 1 CCL]eval "x=1"::', "strategi"), ('[ \n]eval "x=1"::', "]"),
    ('[strategy 1\n# 7 ] CCL\nQUICK]eval "x=1"::', "QUICK"),
    ('reg r {0, # zero\n1} "0*";', "# zero"), ('reg r {0,1 // and } one\n} "0*";', "// and } one"),
    ('reg r {0,\n# a } and "\n1,\nx} "0*";', "x"), ("ost o [0] [1\n# 2, three\n x];", "x"),
    ("ost o [0] [1\n 2 -x];", "-x"), ("ost o [0 #] [1];", "#"),
])
def test_errors_are_at_what_is_wrong(script: str, wrong: str) -> None:
    with pytest.raises(SyntaxProblem) as caught:
        parse_script(script)
    found = script[caught.value.start : caught.value.end]
    assert found == wrong
    assert script.rindex(wrong) == caught.value.start or script.count(wrong) > 1


def test_comments_may_stand_in_brackets() -> None:
    reg, ost = parse_script('reg r {0,\n# the } other "\n// one\n1} "0*"; ost o [0]\n# a\n[1\n# 7 ];\n 2];')
    assert isinstance(reg, RegCommand) and reg.alphabets == ((0, 1),)
    assert isinstance(ost, OperationCommand) and ost.arguments == ("o", (0,), (1, 2))
