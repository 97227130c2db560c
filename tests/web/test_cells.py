"""Cells of the page, and its questions, without a server; compared with what the prover says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import fibprover as fp
from fibprover.base.limits import Limits
from fibprover.frontends.display.drawing import draw
from fibprover.frontends.web import figures
from fibprover.frontends.web.cells import Cells
from fibprover.frontends.web.examples import EXAMPLES, Example


def answers(kind: str, cell: str, cells: Cells | None = None) -> list[dict[str, Any]]:
    shown: list[str] = []
    good = (cells or Cells()).run(kind, cell, shown.append)
    found = [each for each in map(json.loads, shown) if each["kind"] != "progress"]
    assert good == (not any(each["kind"] == "error" for each in found))
    return found


# -- cells -----------------------------------------------------------------------------------------------


def test_commands_and_python_share_a_session() -> None:
    cells = Cells()
    (made,) = answers("commands", 'def even "Ey n=2*y";', cells)
    assert "infinite, 2 states" in made["text"] and "<" in made["html"]
    printed, value = answers("python", 'print(s.eval("En $even(n) & n>2"))\n6 in s.relation("$even(n)")', cells)
    assert (printed["text"], value["text"]) == ("TRUE\n", "True")


def test_errors_are_answers() -> None:
    (problem,) = answers("commands", "Ax Ey x<<y")
    assert "<y" in problem["text"] and (problem["start"], problem["end"]) == (8, 9)
    assert "ZeroDivisionError" in answers("python", "print(1); 1/0")[-1]["text"]
    assert answers("python", "print(1); 1/0")[0]["text"] == "1\n"
    assert "SyntaxError" in answers("python", "def")[0]["text"]
    assert "&lt;b&gt;" in answers("python", "raise ValueError('<b>')")[0]["html"]


def test_whatever_a_cell_raises_is_an_answer() -> None:
    hidden = "class Hidden(Exception):\n    def __str__(self): raise ValueError\nraise Hidden()"
    for cell, said in (
        ("raise KeyboardInterrupt", "KeyboardInterrupt"), ("raise GeneratorExit", "GeneratorExit"), (hidden, "Hidden"),
    ):
        assert said in answers("python", cell)[-1]["text"]


def test_a_cell_may_end_itself() -> None:
    shown: list[str] = []
    assert Cells().run("python", "print(1)\nraise SystemExit\nprint(2)", shown.append)
    assert not Cells().run("python", "raise SystemExit('no')", shown.append)
    assert [event["text"] for event in map(json.loads, shown) if event["kind"] == "answer"] == ["1\n"]
    (problem,) = answers("python", "import sys; sys.exit(3)")
    assert problem["kind"] == "error" and "SystemExit: 3" in problem["text"]


def test_a_class_is_a_value() -> None:
    assert "Relation" in answers("python", "fp.Relation")[0]["text"]


def test_an_interactive_session_is_run_input_by_input() -> None:
    cell = ">>> x = 3\n>>> for i in range(2):\n...     x += i\n>>> x\n4\n"
    assert [each["text"] for each in answers("python", cell)] == ["4"]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.title)
def test_examples_have_no_error(example: Example) -> None:
    found = answers(example.kind, example.text)
    assert found and all(each["kind"] == "answer" for each in found)
    proofs = [line for each in found for line in each["text"].splitlines() if re.match(r"[\w ]+: +(TRUE|FALSE)", line)]
    assert all(line.endswith("TRUE") for line in proofs)


def test_warnings_of_the_session_are_answers(tmp_path: Path) -> None:
    (tmp_path / "Word Automata Library").mkdir()
    (tmp_path / "Word Automata Library" / "ODD.txt").write_text("msd_2\n0 0\n0 -> 1\n1 -> 1\n1 2\n0 -> 1\n1 -> 1\n")
    session = fp.Session()
    session.use_folders(tmp_path, written=False)
    warning, verdict = answers("commands", "En ODD[n]=@2", Cells(session))
    assert "ODD.txt" in warning["text"] and verdict["text"].startswith("TRUE")


def test_python_is_run_where_it_is_allowed() -> None:
    cells = Cells(python=False)
    (problem,) = answers("python", "import os", cells)
    assert problem["kind"] == "error" and "os" not in cells.names


def test_a_cell_that_takes_too_long_ends() -> None:
    cells = Cells()
    answers("commands", 'def kept "x>3";', cells)
    cells.limits = Limits(seconds=0.2)
    *_, problem = answers("commands", "?msd_fib Ex,y,z 1234567*x+7654321*y=1001001*z & z>x & x>y", cells)
    assert problem["kind"] == "error" and "0.2 s" in problem["text"]
    cells.limits = None
    assert answers("commands", "$kept(4)", cells)[0]["text"] == "TRUE"


def test_progress_is_shown_while_a_cell_runs() -> None:
    shown: list[dict[str, Any]] = []

    def show(event: str) -> None:
        shown.append(json.loads(event))
        if shown[-1]["kind"] == "progress":
            (tmp / "seen").touch()

    with TemporaryDirectory() as folder:
        tmp = Path(folder)
        waiting = f"import os, time\nwhile not os.path.exists({str(tmp / 'seen')!r}): time.sleep(0.01)"
        assert Cells().run("python", waiting, show)
    assert shown[0]["kind"] == "progress" and shown[0]["seconds"] > 0 and shown[0]["step"] == 0


# -- figures ---------------------------------------------------------------------------------------------


def ask(cells: Cells, question: str, **arguments: Any) -> Any:
    return json.loads(cells.ask(question, json.dumps(arguments)))


def walked(automaton: dict[str, Any], words: list[list[int]]) -> int | None:
    """The output after words, by the arrays that the page has; None where there is no transition."""
    state, offsets = 0, [0]
    for row in automaton["rows"]:
        offsets.append(offsets[-1] + len(automaton["codes"][row]))
    for letter in zip(*words, strict=True):
        code = 0
        for digits, digit in zip(automaton["digits"], letter, strict=True):
            code = code * len(digits) + digits.index(digit)
        codes = automaton["codes"][automaton["rows"][state]]
        if code not in codes:
            return None
        state = automaton["targets"][offsets[state] + codes.index(code)]
    return int(automaton["outputs"][state])


@pytest.mark.parametrize("formula", ["?msd_fib x+3=2*y", "?lsd_fib x=2*y+1", "?msd_neg_2 x+y=1", "?lsd_3 x<y"])
def test_the_way_of_the_digits_ends_where_the_relation_says(formula: str) -> None:
    cells = Cells()
    (answer,) = answers("commands", formula, cells)
    figure, relation = answer["figure"], fp.Session().relation(formula)
    for x in range(-4 if "neg" in formula else 0, 12):
        for y in range(12):
            words = ask(cells, "represent", id=figure["id"], values=[str(x), f" {y}"])["words"]
            assert bool(walked(figure["automaton"], words)) == ((x, y) in relation)


def test_the_way_of_the_digits_in_a_word_ends_at_its_letter() -> None:
    cells = Cells()
    (answer,) = answers("python", "fp.word('F')", cells)
    figure, word = answer["figure"], fp.word("F")
    words = [ask(cells, "represent", id=figure["id"], values=[str(n)])["words"] for n in range(60)]
    letters = [walked(figure["automaton"], each) for each in words]
    assert figure["word"] and letters == [word[n] for n in range(60)]


def test_letters_are_typed_where_there_are_no_numbers() -> None:
    cells = Cells()
    (answer,) = answers("commands", 'reg ones {0,1} {0,1} "[1,1]*";', cells)
    represent = {"id": answer["figure"]["id"]}
    assert ask(cells, "represent", **represent, values=["0110", "1,1,1,1"]) == {"words": [[0, 1, 1, 0], [1, 1, 1, 1]]}
    for values, said in (
        (["012", "111"], "letters"), (["01", "1"], "length"), (["1"], "tracks"), ([[], {}], "letters")
    ):
        assert said in ask(cells, "represent", **represent, values=values)["error"]


def test_a_number_that_is_none_is_an_error() -> None:
    cells = Cells()
    (answer,) = answers("commands", "n>3", cells)
    for typed in ("", "x", "1.5", "--1", "²", "9" * 1001, "1e3"):
        assert "number" in ask(cells, "represent", id=answer["figure"]["id"], values=[typed])["error"]
    long = ask(cells, "represent", id=answer["figure"]["id"], values=["9" * 1000])["words"][0]
    assert int("".join(map(str, long)), 2) == int("9" * 1000)
    assert "error" in ask(cells, "represent", id=answer["figure"]["id"], values=["-1"])


def test_a_drawing_says_where_its_arrows_lead() -> None:
    cells = Cells()
    (answer,) = answers("commands", "?msd_fib x=2*y", cells)
    automaton = draw(fp.Session().relation("?msd_fib x=2*y")).automaton
    ends = {(source, target) for *_, source, target in answer["figure"]["drawing"]["edges"]}
    assert ends == {(state, target) for state in range(automaton.states) for _, target in automaton.row(state)}


def test_large_automata_have_members_and_no_drawing() -> None:
    cells = Cells()
    (answer,) = answers("commands", "?lsd_2 x=257*y", cells)
    figure = answer["figure"]
    assert figure["states"] > 80 and figure["automaton"] is None and "not drawn" in figure["drawing"]["reason"]
    assert [row[0][0] for row in ask(cells, "members", id=figure["id"], count=2)["rows"]] == ["0", "257"]


def test_members_are_listed_page_by_page() -> None:
    cells = Cells()
    (answer,) = answers("commands", "?lsd_2 x=2*y & x<9", cells)
    number = answer["figure"]["id"]
    first = ask(cells, "members", id=number, first=0, count=3)
    rows = [[["0", "0"]] * 2, [["2", "01"], ["1", "1"]], [["4", "001"], ["2", "01"]]]
    assert first == {"names": ["x", "y"], "rows": rows, "more": True}
    rest = ask(cells, "members", id=number, first=3, count=9)
    assert [row[0][0] for row in rest["rows"]] == ["6", "8"] and not rest["more"]
    assert "first" in ask(cells, "members", id=number, first=10**9)["error"]
    assert "img" in ask(cells, "board", id=number)["html"]


# -- why -------------------------------------------------------------------------------------------------


def parts(tree: dict[str, Any]) -> list[dict[str, Any]]:
    return [tree, *(part for below in tree["parts"] for part in parts(below))]


def test_the_parts_of_a_formula_have_their_truth_and_their_automata() -> None:
    cells = Cells()
    (answer,) = answers("commands", "?msd_fib Ax x>3 => (Ey x=2*y) | x-5>0", cells)
    assert "figure" not in answer and answer["why"]["names"] == ["x"]
    number = answer["why"]["id"]
    at = {part["text"]: part for part in parts(ask(cells, "why", id=number, values={"x": "7"}))}
    assert (at["x>3"]["truth"], at["Ey x=2*y"]["truth"], at["x-5>0"]["truth"]) == (True, False, True)
    failing = {part["text"]: part for part in parts(ask(cells, "why", id=number))}  # where it fails
    assert failing["x>3"]["verdict"] == "TRUE at x = 5"
    known = ask(cells, "part", id=number, number=failing["Ey x=2*y"]["number"])
    even = fp.Session().relation("?msd_fib Ey x=2*y")
    assert known["figure"]["states"] == even.states and "0, 2, 4, 6" in known["text"]
    rows = ask(cells, "members", id=known["figure"]["id"], count=3)["rows"]
    assert [row[0][0] for row in rows] == ["0", "2", "4"]


def test_names_mean_in_the_parts_what_they_meant() -> None:
    cells = Cells()
    _, answer = answers("commands", 'def a "n>5";\nAn $a(n) => n>5', cells)
    answers("commands", 'def a "n>2";', cells)
    tree = ask(cells, "why", id=answer["why"]["id"], values={"n": "4"})
    assert [part["truth"] for part in parts(tree) if part["text"] == "$a(n)"] == [False]


def test_parts_that_are_not_reached_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = Cells()
    (answer,) = answers("commands", "?msd_fib Ex x=5 & (Ey,z 12345*y+321*z=x+7777)", cells)
    monkeypatch.setattr(figures, "SECONDS", 0.0001)
    tree = ask(cells, "why", id=answer["why"]["id"])
    assert [part["truth"] for part in parts(tree)][-1] is None and "not known" in parts(tree)[-1]["verdict"]


def test_a_part_is_known_after_its_names_have_changed() -> None:
    cells = Cells()
    _, answer = answers("commands", 'def a "n>5";\nAn $a(n) => n>5', cells)
    answers("commands", 'def a "n>5 & m>5";', cells)  # with two arguments
    number = answer["why"]["id"]
    named = [part["number"] for part in parts(ask(cells, "why", id=number)) if part["text"] == "$a(n)"]
    assert ask(cells, "part", id=number, number=named[0])["figure"]["names"] == ["n"]


def test_relations_of_other_sessions_are_shown_and_explained_where_their_names_are_known() -> None:
    cells = Cells()
    define = "t = fp.Session('msd_fib')\nt.define('a', 'n>5')\n"
    (answer,) = answers("python", define + "t.relation('$a(n) & n<9')", cells)
    assert answer["figure"]["names"] == ["n"] and "why" not in answer
    answers("commands", 'def a "?msd_fib n>7";', cells)
    (answer,) = answers("python", "t.relation('$a(n) & n<9')", cells)
    assert "error" in ask(cells, "why", id=answer["why"]["id"])  # of another `a` nothing would be true
    (answer,) = answers("python", "t.relation('Ey x=2*y')", cells)
    tree = ask(cells, "why", id=answer["why"]["id"])
    assert ask(cells, "part", id=answer["why"]["id"], number=0)["figure"]["states"] == answer["figure"]["states"], tree


def test_words_are_typed_by_their_letters() -> None:
    cells = Cells()
    _, answer = answers("commands", 'reg r {0,1} "0*10*";\nEw $r(w) & n>3', cells)
    for word, expected in (("010", True), ("0,0,1", True), ("011", False)):
        tree = ask(cells, "why", id=answer["why"]["id"], values={"w": word, "n": "5"})
        assert {part["text"]: part["truth"] for part in parts(tree)}["$r(w)"] is expected
    assert "letters" in ask(cells, "why", id=answer["why"]["id"], values={"w": "012"})["error"]


def test_what_has_no_formula_has_no_why() -> None:
    cells = Cells()
    (word,) = answers("python", "fp.word('F')", cells)
    assert "why" not in word and "formula" in ask(cells, "why", id=word["figure"]["id"])["error"]
    (answer,) = answers("commands", "n>3", cells)
    number = answer["why"]["id"]
    assert "forgotten" in ask(cells, "part", id=number, number=0)["error"]
    assert "number" in ask(cells, "why", id=number, values={"n": "x"})["error"]
    assert "m" in ask(cells, "why", id=number, values={"m": "3"})["error"]


# -- names and remarks -----------------------------------------------------------------------------------


def remarks(cell: str, cells: Cells | None = None) -> list[tuple[str, str]]:
    """What is remarked of a cell: the severity, and the part of the cell."""
    found = ask(cells or Cells(), "diagnose", cell=cell)["found"]
    return [(each["severity"], cell[each["start"] : each["end"]]) for each in found]


def test_remarks_have_their_places() -> None:
    assert remarks("Ax Ey x<<y") == [("error", "<")]
    assert remarks('def a "x>1";\ndef b "x>>1";\n\n$a(3) & y<<3') == [("error", ">"), ("error", "<")]
    assert remarks("Ax x=x") == remarks("") == remarks("# nothing") == remarks("%showme x") == []
    assert remarks("3+4") == remarks("T[5]") == []
    assert remarks("Ax $nothing(x) | x=1") == [("error", "$nothing")]
    assert [severity for severity, _ in remarks("Ax,y (x=1 | x=2 & y=3) => x<3")] == ["warning"]


def test_nothing_is_evaluated_for_remarks() -> None:
    cells = Cells()
    assert remarks('def later "x>3";\n$later(4)', cells) == []
    assert "later" not in cells.session.namespace.predicates


def test_names_are_offered() -> None:
    cells = Cells()
    answers("commands", 'def evening "Ey n=2*y";', cells)
    found = ask(cells, "complete", cell="Ax $eve", cursor=7)
    assert found["start"] == 3 and any("evening" in text for text in found["texts"])
    assert "2 states" in ask(cells, "describe", cell="$evening(3)", cursor=4)["text"]


# -- files -----------------------------------------------------------------------------------------------


def test_a_dropped_script_becomes_a_cell_and_is_not_run() -> None:
    cells = Cells()
    found = ask(cells, "open", name="C:\\x\\a.txt", text='def later "x>3";\n')
    assert found["cells"] == [{"kind": "commands", "text": 'def later "x>3";'}]
    assert "later" not in cells.session.namespace.predicates


def test_a_dropped_automaton_defines_its_name() -> None:
    cells = Cells()
    found = ask(cells, "open", name="dir/../even.txt", text="msd_2\n0 1\n0 -> 0\n1 -> 1\n1 0\n0 -> 0\n1 -> 1\n")
    assert "$even" in found["text"]
    assert answers("commands", "An $even(2*n) & ~$even(2*n+1)", cells)[0]["text"] == "TRUE"
    text = "msd_2\n0 0\n0 -> 1\n1 -> 1\n1 2\n0 -> 1\n1 -> 1\n"
    found = ask(cells, "open", name="odd.txt", text=text)
    assert "the word odd" in found["text"] and "warning: odd.txt: " in found["text"]
    for name in ("..txt", "1.txt", "a b.txt", "é.txt"):
        assert "error" in ask(cells, "open", name=name, text="msd_2\n0 1\n0 -> 0\n1 -> 0\n")
    assert "error" in ask(cells, "open", name="bad.txt", text="msd_2\n0 1\n0 -> 7\n")


def test_a_dropped_notebook_becomes_cells() -> None:
    cells = Cells()
    notebook = {
        "metadata": {"kernelspec": {"language": "python"}},
        "cells": [
            {"cell_type": "code", "source": ["%%fibprover\n", "Ax x=x"]}, {"cell_type": "markdown", "source": "words"},
            {"cell_type": "code", "source": "1+1"},
        ],
    }
    found = ask(cells, "open", name="a.ipynb", text=json.dumps(notebook))
    assert found["cells"] == [{"kind": "commands", "text": "Ax x=x"}, {"kind": "python", "text": "1+1"}]
    for text in ("[]", "{", '{"cells": [3]}', '{"cells": 3}', "[" * 100_000):
        assert "not a notebook" in ask(cells, "open", name="a.ipynb", text=text)["error"]


CELLS: list[dict[str, Any]] = [
    {"kind": "commands", "text": 'def even "Ey n=2*y";\n# all\nAn $even(2*n)', "answers": ["TRUE_"]},
    {"kind": "commands", "text": "%showme even\nEn $even(n) & n>2;\n<<"},
    {"kind": "python", "text": "1+1"},
]


def export(cells: Any, form: str) -> Any:
    return json.loads(Cells().ask("export", json.dumps({"cells": cells, "form": form})))


def test_an_exported_script_says_the_same() -> None:
    text = export(CELLS, form="script")["text"]
    said = [str(value) for _, value in fp.Session().run(text)]
    assert said[1:] == ["TRUE", "TRUE"]
    assert "# %showme even" in text and "# <<" in text and "# 1+1" in text and "# all\n" in text


def test_an_exported_notebook_opens_again() -> None:
    cells = Cells()
    text = export(CELLS, form="notebook")["text"]
    again = ask(cells, "open", name="a.ipynb", text=text)["cells"]
    assert again == [{"kind": each["kind"], "text": each["text"]} for each in CELLS]


def test_exported_latex_is_an_article_of_the_theorems() -> None:
    cells = [CELLS[0], {"kind": "commands", "text": "x<3; An $even(n)", "answers": ["{x: finite_}"]}]
    text = export(cells, form="latex")["text"]
    assert text.count(r"\begin{theorem}") == 1 and text.count(r"\begin{remark}") == 1
    assert r"\begin{definition}" in text and "eval cell2_" in text and "counterexample: $n = 1$" in text
    shown = text.partition(r"\section*{Other cells}")[2].partition(r"\appendix")[0]
    assert "x < 3" in shown and "finite{" in shown and "even}(2" not in shown
    assert text.count("\\begin{") == text.count("\\end{")
    unknown = export([{"kind": "commands", "text": "An $even(2*n)", "answers": ["TRUE"]}], form="latex")["text"]
    assert "TRUE" in unknown and "theorem" not in unknown


def test_exporting_runs_no_commands_that_read_files(tmp_path: Path) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text('def outside "n>54321":')
    cells = [{"kind": "commands", "text": text, "answers": []} for text in (f"load {outside};", "An $outside(n)")]
    assert "54321" not in export(cells, form="latex")["text"]


def test_exported_latex_has_the_formulas() -> None:
    text = export(CELLS[1:], form="latex")["text"]
    assert r"\exists n" in text
    text = export([{"kind": "commands", "text": "n=2*y", "answers": ["TRUE_"]}], form="latex")["text"]
    assert "n = 2 y" in text and "TRUE_" not in text  # the sign is escaped
    assert text.count("\\begin{") == text.count("\\end{")
    wrong: list[tuple[str, Any]] = [("pdf", []), ("script", [{"kind": "commands"}]), ("script", [{"text": 3}])]
    for form, bad in wrong:
        assert "error" in export(bad, form)
