"""Entries at the prompt: formula or command, complete or not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fibprover.base.errors import SyntaxProblem
from fibprover.frontends.conversation import entry
from fibprover.language.commands import WORDS, parse_script


@pytest.mark.parametrize(
    "text",
    [
        "x=1", "?msd_fib Ex x=1", "$even(n)", "(x=1)", "~(x=1)", "3=x", "_x=2", "Ex x=2", "E=2 x x<3", "Ax,y x=y",
        "An T[n]=0",
        "T[n]=1", ".Ab[n]=1", "test=3", "count+1=2", "first[n]=1", "n", "`x=1", "# remark\nx=1",
        "// remark\n\n x=1", "eval<3",
        "#mine(x,1) & x=2", "A x", "word=1 & x=2",
    ],
)
def test_formulas(text: str) -> None:
    assert entry.is_formula(text, {"mine"})


@pytest.mark.parametrize(
    "text",
    [
        'eval "x=1";', "union c a b;", "help", "help [strategy]", "[strategy * CCLS]eval t", "foo bar;",
        'foo "x";', "foo $bar;",
        "", "  ", "# remark", "#other(x)", ";", '"x"', "word X[n] = T[n];", "test a 3;", "describe $a;",
        "rsplit N [+] T;", "evil thing", "load /tmp/script.txt;", "load ~/script.txt;",
    ],
)
def test_commands(text: str) -> None:
    assert not entry.is_formula(text, {"mine"})


@pytest.mark.parametrize(
    ("text", "file"),
    [
        ("save a.txt", "a.txt"), ("save\ta.txt ;", "a.txt"), ('save "a.txt"', "a.txt"), ('save "a b.txt";', "a b.txt"),
        ("# now\nsave my file.txt\n", "my file.txt"), ("save", ""), ("save;", ""), ('save ""', ""), ('save "', ""),
        ('save "a" "b"', ""), ('save a"', ""), ("save a\nb", ""),
    ],
)
def test_files(text: str, file: str) -> None:
    assert entry.file_of(text) == file


@pytest.mark.parametrize("word", [word for word in WORDS if not word.startswith("[")])
def test_every_command_is_one(word: str) -> None:
    assert not entry.is_formula(f"{word} a")
    assert not entry.is_formula(f"{word};")
    assert entry.is_formula(f"{word}=1")


@pytest.mark.parametrize(
    ("text", "awaited"),
    [
        ("", ""), ("\n", ""), ("# remark\n", ""), ("# eval\n// def\n", ""),
        ("x=1\n", ""), ("x=1;\n", ""), ("(x=1\n", ")"), ("T[n\n", ")"), ("(x=1) &\n", ")"), ("x=1 =>\n", ")"),
        ("Ex\n", ""),
        ("(x=1;\n", ""), ("#mine(1,\n", ")"), ("#mine(1,2)\n", ""),
        ("eval\n", ";"), ('eval t "x=1\n', '"'), ('eval t "x=1;\n', '"'), ('eval t "x=1"\n', ";"),
        ('eval t "x=1";\n', ""),
        ('eval t "x=1"::\n', ""), ('eval t "x=1";\n# then\n', ""), ('eval t "x=1"; # and\n', ""),
        ('eval t "x=1"; def\n', ";"),
        ('eval t\n# "remark\n"x=1";\n', ""), ("help\n", ""), ("help union\n", ""), ("quit\n", ""), ("foo bar\n", ";"),
        ("[export * BA]\n", ";"), (";\n", ""),
        ("describe even\n", ""), ("describe\n", ";"), ("test a\n", ";"), ("test a 3\n", ""), ("union c a b\n", ";"),
        ("load script.txt\n", ""), ("inf a; union c a b\n", ";"), ("describe a;\n", ""), ("list\n", ""),
    ],
)
def test_what_is_awaited(text: str, awaited: str) -> None:
    assert entry.awaited(text, {"mine"}) == awaited


def test_parts() -> None:
    assert entry.formula_of(" x=1 :: \n") == ("x=1", "::")
    assert entry.formula_of("# remark\nx=1\n") == ("x=1", "")
    assert entry.commands_of("help union\n") == "help union\n;"
    assert entry.commands_of("help union;\n") == "help union;\n"
    assert entry.commands_of("describe even\n") == "describe even\n;"
    assert [entry.only_word(text) for text in ("exitt\n", "list;", "x=1", "a b", "")] == ["exitt", "list", "", "", ""]
    assert entry.words_of("  help  union ;\n") == ["help", "union"]
    assert entry.history_text('eval\n  "x=1";\n\n') == 'eval "x=1"; '.rstrip()
    assert entry.history_text("# why\nx=1\n") == "# why\nx=1"


@pytest.mark.long
@given(st.text(alphabet='ax1 =";:#/()[]$?\n&', max_size=40))
def test_entries_end_where_scripts_do(text: str) -> None:
    """Whatever parses as a script is complete, and with a terminator behind it an entry is never waited for."""
    try:
        commands = parse_script(text)
    except SyntaxProblem:
        commands = ()
    if commands and not entry.is_formula(text):
        assert entry.awaited(text) == ""
    if not entry.awaited(text) and not entry.is_formula(text):
        assert entry.awaited(f"{text}\n") == ""


def test_remarks_behind_a_terminator_do_not_wait_for_another_one() -> None:
    assert entry.awaited('def a "x=1"; all of them') == ""
    assert entry.awaited('def a "x=1"; eval b') == ";"
    assert entry.awaited(";") == ""
