"""What is said about a place of a document, and what is evaluated on request."""

from __future__ import annotations

from pathlib import Path

import pytest

from fibprover.base.limits import Limits
from fibprover.frontends.editor.answers import completions, definitions, is_evaluated, meaning
from fibprover.frontends.editor.running import Evaluations
from tests.editor.reading import at, make, python, read

SCRIPT = '''\
def even "Ey x=2*y";
macro less "%0<%1";
morphism thue "0->01 1->10"; promote X thue;
eval t "$even(3) & #less(1,2) & X[3]=F[4] & $feq_X(1,2,3) & (?msd_fib n=n)";
'''

PYTHON = '''\
import fibprover as fp
s = fp.Session("msd_fib")
s.define("even", "Ey x=2*y")
s.prove("Ax $even(x) | $even(x+1)")
'''


@pytest.mark.parametrize(("part", "said"), [
    ("$ev", ("**$even**(x: msd_2)", 'def even "Ey x=2*y";')), ("#le", ('macro less "%0<%1";',)),
    ("& X", ("promote X",)),
    ("=F", ("Fibonacci", "0100101")), ("$feq", ("$feq_X(i,j,n)", "equal")), ("?msd_f", ("U[t] = U[t-1] + U[t-2]",)),
    ("\nev", ("decides a formula",)),
])
def test_names_have_meanings(part: str, said: tuple[str, ...]) -> None:
    outline = read(SCRIPT)
    found = meaning(outline, *at(outline, SCRIPT, part))
    assert all(each in found for each in said), found


@pytest.mark.parametrize(("part", "place"), [("$ev", "even"), ("#le", "less"), ("& X", "X"), ("$feq", "X")])
def test_definitions_are_found(part: str, place: str) -> None:
    outline = read(SCRIPT)
    (found,) = definitions(outline, *at(outline, SCRIPT, part), None)
    assert found.file is None and SCRIPT[found.span.start : found.span.end] == place


def test_definitions_are_found_in_other_files_and_in_python(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text('def even "Ey x=2*y";')
    (tmp_path / "two.txt").write_text('# a remark\ndef odd "x=1";')
    (tmp_path / "Automata Library").mkdir()
    (tmp_path / "Automata Library" / "kept.txt").write_text("msd_2\n0 1\n0 -> 0\n1 -> 0\n")
    text = 'load one.txt; eval t "$even(1) & $odd(2) & $kept(1)";'
    outline = read(text, tmp_path / "main.txt")
    found = [definitions(outline, *at(outline, text, part), tmp_path)[0] for part in ("$e", "$o", "$k")]
    assert [Path(each.file or "").name for each in found] == ["one.txt", "two.txt", "kept.txt"]
    assert [each.span.start for each in found] == [4, 15, 0]
    outline = python(PYTHON)
    (place,) = definitions(outline, *at(outline, PYTHON, "| $e"), None)
    assert PYTHON[place.span.start : place.span.end] == '"even"'


@pytest.mark.parametrize(("text", "offered"), [
    (SCRIPT + 'eval u "$ev', "$even("), (SCRIPT + 'eval u "x=X', "X["), (SCRIPT + "pro", "promote "),
    (SCRIPT + "first ev", "even "), (SCRIPT + 'eval u "?msd_tri', "?msd_trib "),
])
def test_words_are_completed_in_scripts(text: str, offered: str) -> None:
    found = completions(read(text), text, len(text), python=False, session=make(""))
    assert offered in found.texts
    assert offered.startswith(text[found.span.start : found.span.end])


def test_words_are_completed_in_strings_of_python_that_are_not_closed() -> None:
    text = PYTHON + 's.prove("Ax $ev'
    assert "$even(" in completions(python(PYTHON), text, len(text), python=True, session=make("")).texts
    text = PYTHON + "s.prove(ev"
    assert completions(python(PYTHON), text, len(text), python=True, session=make("")).texts == ()


def test_a_statement_is_evaluated_with_what_it_needs_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = '[export * BA]def even "Ey x=2*y":: export $even GV; def never "x="; '
    text += 'eval t "Ax $even(x) | $even(x+1)"; first even;'
    outline = read(text)
    evaluations = Evaluations(make, Limits())
    monkeypatch.chdir(tmp_path)
    assert [each.title for each in outline.statements if each.runs][-1] == "first even"

    def run(number: int) -> object:
        *before, last = [each.entry for each in outline.needed(number)]
        assert last is not None and all(before)
        return evaluations.run(str(tmp_path), "", [each for each in before if each], last, 20.0)

    assert run(3) == {"text": "TRUE", "verdict": True}
    assert "0" in str(run(4))
    assert list(tmp_path.iterdir()) == [] and len(evaluations.sessions) == 1
    about = evaluations.about(str(tmp_path), "", [("command", 'def even "Ey x=2*y"::')], "even", 20.0)
    assert "2 states" in about["text"] and "0, 2, 4" in about["text"]


def test_formulas_of_python_are_evaluated_in_the_system_of_their_session() -> None:
    outline = python(PYTHON)
    needed = outline.needed(1)
    assert [each.entry for each in needed] == [
        ("define", "even", "Ey x=2*y"), ("formula", "Ax $even(x) | $even(x+1)"),
    ]
    evaluations = Evaluations(make, Limits())
    assert evaluations.run("", needed[0].system, [], ("define", "even", "x=1"), 9.0)["text"].startswith("{x:msd_fib}")
    assert evaluations.run("", "", [], ("term", "T[5]+2"), 9.0)["text"] == "2"
    problem = evaluations.run("", "", [], ("formula", "x="), 9.0)
    assert problem["kind"] == "error" and problem["start"] == 1


def test_an_evaluation_ends_by_its_budget() -> None:
    hard = "?msd_trib Ex,y,z 255*x+17*y=1001*z & z>3 & At t<x => TR[t]=TR[t+y]"
    assert Evaluations(make, Limits()).run("", "", [], ("formula", hard), 0.2)["error"] == "BudgetSpent"


def test_a_hover_evaluates_definitions_of_predicates_alone() -> None:
    outline = read(SCRIPT)
    assert is_evaluated(outline, *at(outline, SCRIPT, "$ev")) == 0
    assert is_evaluated(outline, *at(outline, SCRIPT, "#le")) is None
    assert is_evaluated(outline, *at(outline, SCRIPT, "=F")) is None
