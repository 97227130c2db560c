"""What is read of scripts and Python files without deciding anything."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fibprover import __version__
from fibprover.base.errors import BudgetSpent, FibproverError
from fibprover.base.limits import Limits, spending
from fibprover.frontends.cli.main import COMMANDS
from fibprover.frontends.editor.folder import definitions_in
from fibprover.frontends.editor.places import Places
from fibprover.language.commands import iterate_script
from tests.editor.reading import make, python, read, said

SCRIPT = '''\
def even "Ey x=2*y";
eval fine "Ax $even(x) | $even(x+1)";
eval mixed "?msd_fib Ax $even(x) | $even(x+1)";
eval arity "Ax $even(x,x)";
eval unknown "Ax $odd(x)";
eval open "Ax (x=x";
evall x "x=x";
reg power msd_2 "0*1(";
eval late "En $power(n)";
eval free n "$even(x)";
eval system "?msd_fibb x=x";
eval word "An $feq_T(n,n)";
first evenn;
image J h T;
'''


def test_each_kind_of_mistake_is_found_at_its_place() -> None:
    assert said(read(SCRIPT), SCRIPT) == [
        ("error", "x+1"), ("error", "$even(x,x)"), ("error", "$odd"), ("error", "("), ("error", "evall"),
        ("error", "("), ("error", "n "), ("error", "?msd_fibb"), ("error", "$feq_T(n,n)"), ("error", "evenn"),
        ("error", "h"),
    ]


@pytest.mark.parametrize("part", ["Ax $even(x,x)", "Ax $odd(x)", "Ax (x=x", "?msd_fibb x=x"])
def test_the_places_are_those_of_the_errors_of_an_evaluation(part: str) -> None:
    session = make("")
    session.define("even", "Ey x=2*y")
    with pytest.raises(FibproverError) as caught:
        session.eval(part)
    text = f'def even "Ey x=2*y"; eval t "{part}";'
    (found,) = read(text).problems
    assert found.message.splitlines()[0] == caught.value.message
    assert text.index(part) + getattr(caught.value, "start", 0) == found.start


def test_the_parameters_of_what_is_defined_are_known_without_deciding_it() -> None:
    # The formula of `hard` takes very long to decide, and that of `union` depends on it.
    text = '''\
def hard "?msd_trib Ex,y,z 255*x+17*y=1001*z & z>n & At t<x => TR[t]=TR[t+y]";
union both hard hard;
solve g "?msd_fib (n=0 & v=0) | Em,a,b n=m+1 & $g(m,a) & $g(a,b) & v+b=n";
morphism thue "0->01 1->10"; promote X thue;
macro less "%0<%1";
eval a "?msd_trib $both(3) & $hard(4)"; eval b "$both(1,2)"; eval c "?msd_fib $g(1,1)"; eval d "$g(1)";
eval e "X[3]=7"; eval f "#less(1,2)";
'''
    assert said(read(text), text) == [("error", "$both(1,2)"), ("error", "$g(1)"), ("warning", "X[3]=7")]


def test_what_is_not_known_is_not_reported_on() -> None:
    text = 'def a "Ey x=2*y"; def b "y=y+"; combine C a b; eval t "$b(1,2,3) & C[1]=5 & $zzz(1)"; eval u "C[1]=1";'
    assert said(read(text), text) == [("error", "+"), ("error", "$zzz")]


def test_files_that_are_loaded_and_other_scripts_of_the_folder_are_read(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text('def even "Ey x=2*y"; load two.txt;')
    (tmp_path / "two.txt").write_text('def odd "~$even(x)"; load one.txt;')
    text = 'load one.txt; eval t "$odd(1) & $even(1,2)"; eval u "$third(1)"; load none.txt; eval v "$any(1)";'
    (tmp_path / "three.txt").write_text('def third "x=3";')
    outline = read(text, tmp_path / "main.txt")
    assert said(outline, text) == [("error", "$even(1,2)"), ("warning", "$third"), ("warning", "none.txt")]
    assert "three.txt" in outline.problems[1].message


PYTHON = '''\
import fibprover as fp
from fibprover import Session as S

LATER = "Ax $even(x"
s = fp.Session("msd_fib")
s.define("even", "Ey x=2*y")
s.prove("Ax $even(x) | $even(x+1)")
s.prove(LATER)
t = S()
t.eval("$even(3)")
t.run("""
def odd "Ey x=2*y+1";
eval t "$odd(1,2)";
""")
s.prove("""Ax
    $even(x,\\x78)""" " | x=1")
fp.formula("x=")
other.eval("x=")
s.value("T[")
print(s.prove(f"{LATER}"))
def about(u: fp.Session, v):
    u.eval("$whatever(3) & x=")
    v.eval("x=")
helper(t)
t.eval("$any(3)")
'''


def test_formulas_in_strings_of_python_are_read() -> None:
    assert said(python(PYTHON), PYTHON) == [
        ("error", "("), ("warning", "$even"), ("error", "$odd(1,2)"), ("error", "$even(x,\\x78)"), ("error", "="),
        ("error", "["), ("error", "="),
    ]


def test_nothing_of_a_python_file_is_executed(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    python(f"import fibprover as fp\nopen({str(mark)!r}, 'w')\nfp.Session().eval('1=1')\n")
    assert not mark.exists()
    assert python("import fibprover as fp\nfp.Session(").statements == ()


def test_a_session_that_begins_anew_has_no_names() -> None:
    text = "import fibprover as fp\ns = fp.Session()\ns.define('a', 'x=1')\ns = fp.Session()\ns.eval('$a(1)')\n"
    outline = python(text)
    assert said(outline, text) == [("warning", "$a")]
    assert [len(outline.needed(number)) for number in range(2)] == [1, 1]


def test_only_what_a_statement_uses_is_needed_and_the_last_definition_counts() -> None:
    text = 'def a "x=1"; def b "x=2"; def a "x=3 & $b(x)"; def c "x=4"; macro m "$a(%0)"; eval t "#m(5)"; def b "x=7";'
    outline = read(text)
    assert [each.title for each in outline.needed(5)] == ["def b", "def a", "macro m", "eval t"]
    assert "x=3" in outline.needed(5)[1].text


def test_the_word_of_a_system_is_defined_where_the_system_is() -> None:
    text = 'dumont_thomas w "0->01, 1->0"; word X[n]=W[n+1]; eval bl "En W[n]=1"; eval own "?msd_w En n=1";'
    outline = read(text)
    assert [each.title for each in outline.needed(1)] == ["dumont_thomas w", "word X"]
    for number in (2, 3):
        assert outline.needed(number)[0].title == "dumont_thomas w"
    found = outline.defining("W", 2)
    assert found is not None and text[found.defines["W"].start : found.defines["W"].end] == "w"
    assert ("W", found.defines["W"]) in definitions_in(text)
    assert [name for name, _ in definitions_in('solve f "n=0" g "n=1";')] == ["f", "g"]
    made = "s.dumont_thomas('w', '0->01, 1->0')"
    outline = python(f"import fibprover as fp\ns = fp.Session()\n{made}\ns.eval('W[n]=0')\n")
    assert not outline.problems and len(outline.needed(2)) == 2


def test_columns_are_counted_in_units_of_utf_16() -> None:
    text = "\U0001d53d x\n∀y\n"
    places = Places(text)
    assert places.position(text.index("x")) == (0, 3)
    assert places.position(text.index("y")) == (1, 1)
    for offset in range(len(text) + 1):
        assert places.offset(*places.position(offset)) == offset
    assert places.offset(0, 99) == 3 and places.offset(99, 0) == len(text)


def test_a_command_without_an_end_is_read_within_the_budget() -> None:
    with spending(Limits(cpu_seconds=0.2).start()), pytest.raises(BudgetSpent):
        list(iterate_script("def a " + "x " * 300_000))


def test_reading_ends_with_its_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fibprover.frontends.editor.outline.LIMITS", Limits(cpu_seconds=1e-6))
    assert len(read('def a "x=;\n' * 500).problems) < 500


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_places_in_python_files_with_other_ends_of_lines(end: str) -> None:
    lines = ["s = fp.Session()", "s.run('''", 'def a "Ey x=2*y";', 'eval b "Ex $nope(x)";', "''')", 's.eval("$no(1)")']
    text = end.join(["import fibprover as fp", *lines, ""])
    outline = python(text)
    assert said(outline, text) == [("warning", "$nope"), ("warning", "$no")]
    assert [text[each.span.start : each.span.end] for each in outline.statements] == [*lines[2:4], "$no(1)"]


def test_the_extension_for_visual_studio_code_starts_this_program() -> None:
    folder = Path(__file__).resolve().parent.parent.parent / "editors" / "vscode"
    package = json.loads((folder / "package.json").read_text())
    assert package["version"] == __version__
    command = package["contributes"]["configuration"]["properties"]["fibprover.command"]["default"]
    assert command[0] == "fibprover" and command[1] in COMMANDS
    for file in (package["main"], package["contributes"]["languages"][0]["configuration"]):
        assert (folder / file).is_file()
    grammar = package["contributes"]["grammars"][0]
    written = json.loads((folder.parent / Path(grammar["path"]).name).read_text())
    assert written["scopeName"] == grammar["scopeName"]
