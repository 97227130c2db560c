"""`fibprover prove` on scripts written for the purpose."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fibprover.cli.main import main

HEAD = "import fibprover as fp\nc = fp.Chapter('T', source='S', system='msd_fib')\n"
TRUE = HEAD + "c.theorem('t.true', 'Ax,y x+y=y+x', statement='sums commute')\n"

KEYS = [
    "id", "source", "statement", "form", "expected", "verdict", "vacuous", "states_textbook", "states_paper",
    "states_built", "seconds", "peak_bytes",
]

Write = Callable[..., Path]
Prove = Callable[..., tuple[int, list[dict[str, Any]], str, str]]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a file of a folder of scripts."""

    def writer(text: str, name: str = "theorems.py") -> Path:
        file = tmp_path / "scripts" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    return writer


@pytest.fixture
def prove(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Prove:
    """Runs `fibprover prove`: exit status, JSON objects, standard output and error."""

    def prover(*arguments: str | Path) -> tuple[int, list[dict[str, Any]], str, str]:
        file = tmp_path / "out.json"
        file.unlink(missing_ok=True)
        status = main(["prove", *map(str, arguments), "--json", str(file)])
        shown = capsys.readouterr()
        return status, json.loads(file.read_text()) if file.exists() else [], shown.out, shown.err

    return prover


def cells(out: str, name: str) -> dict[str, str]:
    """The short columns of a row of the table, from the right: those after the texts."""
    lines = [line.replace("not measured", "not_measured") for line in out.splitlines()]
    (heads,) = (line.split() for line in lines if line.startswith("id "))
    heads = heads[heads.index("form") :]
    (row,) = (line for line in lines if line.split()[:1] == [name] and len(line.split()) > len(heads))
    return dict(zip(heads, row.split()[-len(heads) :], strict=True))


def verdicts(objects: list[dict[str, Any]]) -> dict[str, bool | None]:
    return {row["id"]: row["verdict"] for row in objects}


# -- verdicts and the report ---------------------------------------------------------------------


def test_a_true_theorem_and_a_false_control_are_as_expected(write: Write, prove: Prove) -> None:
    control = "c.theorem('t.control', 'Ax,y x+y=x', statement='zero', source='O', form='control', states_paper=9)\n"
    status, objects, out, err = prove(write(TRUE + control))
    assert (status, err) == (0, "")
    first, second = objects
    assert list(first) == list(second) == KEYS
    assert first | {"seconds": 0, "peak_bytes": 0} == {
        "id": "t.true", "source": "S", "statement": "sums commute", "form": "strong", "expected": True,
        "verdict": True, "vacuous": [], "states_textbook": None, "states_paper": None, "states_built": 4,
        "seconds": 0, "peak_bytes": 0,
    }
    assert (second["form"], second["expected"], second["verdict"]) == ("control", False, False)
    assert (second["source"], second["states_paper"]) == ("O", 9)
    assert isinstance(first["seconds"], float) and first["seconds"] >= 0
    assert first["peak_bytes"] is None or first["peak_bytes"] > 1_000_000
    heads = out.splitlines()[0].split()
    assert heads[:9] == ["id", "statement", "source", "form", "verdict", "expected", "vacuous", "paper", "textbook"]
    assert heads[9:] in (["largest", "seconds"], ["largest", "seconds", "MB"])
    assert "all 2 theorems as expected" in out.splitlines()[-1]
    assert second["vacuous"] is None  # a control has nothing to be vacuous of
    assert (cells(out, "t.true")["vacuous"], cells(out, "t.control")["vacuous"]) == ("no", "-")


@pytest.mark.parametrize(
    ("declaration", "said"),
    [
        ("c.theorem('w', 'Ax Ey x=2*y', statement='s')", "w is FALSE, expected TRUE\n  counterexample: x = 1"),
        ("c.theorem('w', 'Ax Ey y>x', statement='none', form='control')", "w is TRUE, expected FALSE"),
        ("c.define('w', 'x<3', states_paper=27)", "w is FALSE, expected TRUE\n  the automaton has "),
    ],
)
def test_an_unexpected_verdict_is_exit_status_1_with_place_and_reason(
    write: Write, prove: Prove, declaration: str, said: str
) -> None:
    status, objects, out, err = prove(write(TRUE + declaration + "\n"))
    assert status == 1
    assert list(verdicts(objects)) == ["t.true", "w"] and objects[0]["verdict"] is True
    assert objects[1]["verdict"] != objects[1]["expected"]
    assert "theorems.py:4: " + said in err
    assert "1 of 2 theorems as expected" in err
    assert cells(out, "w")["expected"] == "NO"


def test_a_definition_with_its_published_number_of_states_is_a_row(write: Write, prove: Prove) -> None:
    status, objects, _, _ = prove(write(HEAD + "c.define('f', 'x=y', states_paper=2)\n"))
    assert status == 0
    (row,) = objects
    assert (row["id"], row["form"], row["expected"], row["verdict"]) == ("f", "printed", True, True)
    assert (row["states_paper"], row["states_built"]) == (2, 2)


def test_steps_of_every_kind_are_carried_out(write: Write, prove: Prove) -> None:
    write('{"U": {"morphism": [[0, 1], [0]], "coding": [5, 7]}}', "words.json")
    script = HEAD + (
        "c.reg('even_zeros', ['msd_fib'], '0*(00|0*1)*')\n"
        "c.word('W', [[0, 1], [0]], [0, 1])\n"
        "c.words('words.json')\n"
        "c.define('f', 'x=2*y')\n"
        "c.script('macro m \"%0=%1\":\\ndef g \"#m(x,y)\":')\n"
        "c.theorem('all', '$even_zeros(1) & ~$even_zeros(2) & (An (W[n]=0 & U[n]=5) | (W[n]=1 & U[n]=7))"
        " & $f(6,3) & $g(4,4)', statement='s')\n"
    )
    status, objects, _, err = prove(write(script))
    assert (status, verdicts(objects), err) == (0, {"all": True}, "")


def test_textbook_measures_and_compares(write: Write, prove: Prove) -> None:
    script = HEAD + (
        "c.script('def g \"Ey x=y+y\":')\n"
        "c.define('f', 'Ey x=2*y', states_paper=4)\n"
        "c.theorem('t', 'Ax $f(x) <=> $g(x)', statement='s')\n"
        "c.theorem('no.steps', '$f(4)', statement='s')\n"
    )
    status, objects, out, _ = prove(write(script), "--textbook", "-k", "*t*")
    assert "textbook" in out.splitlines()[0]
    measured = {row["id"]: row["states_textbook"] for row in objects}
    assert measured["t"] is not None and measured["t"] >= 1 and measured["no.steps"] == 1
    assert status == 0
    _, objects, _, _ = prove(write(script), "--plan", "textbook", "-k", "t")
    assert {row["id"]: row["states_textbook"] for row in objects} == measured


def test_a_name_may_be_defined_anew_in_terms_of_itself(write: Write, prove: Prove) -> None:
    script = HEAD + (
        "c.define('R', 'a<b')\n"
        "c.define('R', '$R(a,b+1)', states_paper=6)\n"
        "c.script('def R \"?msd_fib $R(a,b+1)\":')\n"
        "c.theorem('t', 'Aa,b a<b+2 <=> $R(a,b)', statement='s')\n"
    )
    status, objects, _, err = prove(write(script), "--textbook")
    assert "disagree" not in err and verdicts(objects)["t"] is True
    assert status in (0, 1)  # 1 only if the number of states, which is not the point here, is another


def test_a_chapter_that_no_name_holds_is_run_all_the_same(write: Write, prove: Prove) -> None:
    script = TRUE + "d = [fp.Chapter('hidden')]\nd[0].theorem('hidden', 'Aa a<a', statement='s')\n"
    status, objects, _, _ = prove(write(script))
    assert status == 1 and verdicts(objects) == {"t.true": True, "hidden": False}


def test_plans_that_disagree_are_an_error(write: Write, prove: Prove, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fibprover.theorems.runner._same", lambda one, other: False)
    status, objects, _, err = prove(write(TRUE), "--textbook")
    assert status == 2 and "t.true: the two plans disagree" in err
    assert objects[0]["states_textbook"] is None


# -- vacuity ----------------------------------------------------------------------------------------

EMPTY = "c.theorem('v', 'An Em (m=n+1 => m>n)', statement='s', form='printed')\n"


def test_a_vacuous_theorem_is_as_expected_and_said_to_be_vacuous(write: Write, prove: Prove) -> None:
    status, objects, out, err = prove(write(TRUE + EMPTY))
    assert (status, err) == (0, "")
    assert [row["vacuous"] for row in objects] == [[], ["m>n"]]
    assert (cells(out, "v")["vacuous"], cells(out, "t.true")["vacuous"]) == ("YES", "no")
    assert "v says nothing of m>n" in out and "vacuity" in out.splitlines()[-1]


def test_vacuity_can_be_left_out(write: Write, prove: Prove, monkeypatch: pytest.MonkeyPatch) -> None:
    import fibprover as fp

    def looked_for(self: fp.Verdict, deep: bool = False) -> object:
        raise AssertionError("nobody asked")

    monkeypatch.setattr(fp.Verdict, "vacuity", looked_for)
    status, objects, out, _ = prove(write(TRUE + EMPTY), "--no-vacuity")
    assert status == 0 and [row["vacuous"] for row in objects] == [None, None]
    assert "vacu" not in out


def test_vacuity_under_the_textbook_plan_is_the_same(write: Write, prove: Prove) -> None:
    _, objects, _, _ = prove(write(TRUE + EMPTY), "--plan", "textbook")
    assert [row["vacuous"] for row in objects] == [[], ["m>n"]]


def test_what_the_limits_leave_open_is_null_and_said(
    write: Write, prove: Prove, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fibprover as fp
    from fibprover.parse.syntax import Span
    from fibprover.verdict.vacuity import UNDECIDED, UNUSED, Finding

    def spent(self: fp.Verdict, deep: bool = False) -> tuple[Finding, ...]:
        return tuple(Finding(grade, "x=x", Span(3, 6), False, self.text) for grade in (UNUSED, UNDECIDED))

    monkeypatch.setattr(fp.Verdict, "vacuity", spent)
    status, objects, out, err = prove(write(TRUE))
    assert (status, err, objects[0]["vacuous"]) == (0, "", None)
    assert cells(out, "t.true")["vacuous"] == "?"
    assert "t.true: the limits do not suffice to see whether it is vacuous" in out


# -- counts of the textbook plan ---------------------------------------------------------------------

COUNTED = HEAD + (
    "c.define('f', 'Ey x=2*y')\n"
    "c.theorem('t', 'Ax $f(x) | Ey x=2*y+1', statement='s', states_paper={paper})\n"
    "c.theorem('u', 'Ax $f(2*x)', statement='s')\n"
)


def test_counts_are_measured_once_and_shown_as_long_as_the_formula_means_the_same(write: Write, prove: Prove) -> None:
    from benchmarks.textbook import main as measure

    file = write(COUNTED.format(paper=4))
    counts = file.parent / "textbook_counts.json"
    _, objects, out, _ = prove(file)
    assert [row["states_textbook"] for row in objects] == [None, None]
    assert cells(out, "t")["textbook"] == "not_measured" and cells(out, "t")["paper"] == "4"
    assert measure([str(file)]) == 0
    written = json.loads(counts.read_text())
    assert set(written["counts"]) == {"t", "u"} and written["seconds"] >= 0 and written["made"]["limit_seconds"] == 300
    _, again, _, _ = prove(file, "--textbook")
    _, objects, out, _ = prove(file)
    known = [row["states_textbook"] for row in objects]
    assert known == [row["states_textbook"] for row in again] and None not in known
    assert cells(out, "t")["textbook"] == str(known[0])

    # Another formula for f that defines the same set: nothing has changed.
    file.write_text(COUNTED.format(paper=4).replace("Ey x=2*y'", "Ez x=z+z'"))
    _, objects, _, _ = prove(file)
    assert [row["states_textbook"] for row in objects] == known

    # Another f, or another formula: not measured.
    file.write_text(COUNTED.format(paper=4).replace("Ey x=2*y'", "Ey x=y'"))
    _, objects, out, _ = prove(file)
    assert [row["states_textbook"] for row in objects] == [None, None]
    assert cells(out, "u")["textbook"] == "not_measured"
    file.write_text(COUNTED.format(paper=4).replace("$f(2*x)", "$f(4*x)"))
    _, objects, _, _ = prove(file)
    assert [row["states_textbook"] for row in objects] == [known[0], None]


def test_only_what_changed_is_measured_again(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    from benchmarks.textbook import main as measure

    file = write(COUNTED.format(paper=4))
    assert measure([str(file)]) == 0
    assert [line.split()[3] for line in capsys.readouterr().out.splitlines()] == ["t", "u"]
    assert measure([str(file)]) == 0 and capsys.readouterr().out == ""
    file.write_text(COUNTED.format(paper=4).replace("$f(2*x)", "$f(4*x)"))
    assert measure([str(file)]) == 0
    assert [line.split()[3] for line in capsys.readouterr().out.splitlines()] == ["u"]


def test_a_spent_budget_of_the_textbook_plan_is_recorded_as_such(write: Write, prove: Prove) -> None:
    from benchmarks.textbook import main as measure

    file = write(HEAD + "c.theorem('t', 'Ax,y,z,u (x=2*y & x+2*y+3*z!=5*u) => x<=x', statement='s')\n")
    assert measure([str(file), "--max-memory", "1M"]) == 0
    count = json.loads((file.parent / "textbook_counts.json").read_text())["counts"]["t"]
    assert count["spent"] == "bytes"
    status, objects, out, _ = prove(file)
    assert (status, objects[0]["states_textbook"]) == (0, None)
    assert cells(out, "t")["textbook"] == f">={count['states']}"


def test_counts_that_are_none_are_an_error_with_the_file(write: Write, prove: Prove) -> None:
    write("[]", "textbook_counts.json")
    status, objects, _, err = prove(write(TRUE))
    assert (status, verdicts(objects)) == (2, {"t.true": True})
    assert "textbook_counts.json holds no counts of the textbook plan" in err


# -- the page ----------------------------------------------------------------------------------------


def test_the_page_tells_what_does_not_matter_and_the_published_numbers(
    write: Write, prove: Prove, tmp_path: Path
) -> None:
    from benchmarks.textbook import main as measure

    file = write(COUNTED.format(paper=4) + EMPTY)
    measure([str(file)])
    page = tmp_path / "page.md"
    assert prove(file, "--markdown", page)[0] == 0
    text = page.read_text()
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert len(table) == 2 + 3 and len({line.replace("\\|", "").count("|") for line in table}) == 1
    assert "- vacuous: `m>n` may be false" in text and "`An Em (m=n+1 => false)`" in text
    assert "- unused: `m=n+1` does not matter" in text
    count = json.loads((file.parent / "textbook_counts.json").read_text())["counts"]["t"]
    assert f"- t: 4 published, {count['states']} the largest" in text


# -- selection -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "ids"),
    [("one", ["a.one", "b.one"]), ("A.", ["a.one", "a.two"]), ("a.*", ["a.one", "a.two"]), ("[b]*", ["b.one"])],
)
def test_k_selects_ids(write: Write, prove: Prove, pattern: str, ids: list[str]) -> None:
    script = HEAD + "".join(f"c.theorem('{name}', '1=1', statement='s')\n" for name in ("a.one", "a.two", "b.one"))
    status, objects, _, _ = prove(write(script), "-k", pattern)
    assert (status, [row["id"] for row in objects]) == (0, ids)


def test_a_chapter_runs_no_further_than_its_last_selected_theorem(write: Write, prove: Prove) -> None:
    script = TRUE + "c.define('bad', 'x=')\nc.theorem('late', '$bad(1)', statement='s')\n"
    assert prove(write(script), "-k", "t.true")[0] == 0
    assert prove(write(script))[0] == 2


@pytest.mark.parametrize("text", [TRUE, "x = 1\n"])
def test_nothing_to_prove_is_an_error(write: Write, prove: Prove, text: str) -> None:
    status, objects, _, err = prove(write(text), "-k", "nothing")
    assert (status, objects) == (2, []) and "no theorem" in err


# -- scripts and folders -------------------------------------------------------------------------


def test_folders_are_searched_and_underscores_passed_over(write: Write, prove: Prove) -> None:
    script = "import fibprover as fp\nc = fp.Chapter('T')\nc.theorem('{0}', '1=1', statement='s')\n"
    for name in ("b.py", "a.py", "deep/er/c.py", "_no.py", "_deep/no2.py", ".hidden.py"):
        write(script.format(name.replace("/", ".")), name)
    write("not python", "notes.txt")
    folder = write(script.format("last"), "z.py").parent
    status, objects, _, _ = prove(folder, folder / "a.py")
    assert (status, [row["id"] for row in objects]) == (0, ["a.py", "b.py", "deep.er.c.py", "last"])
    status, objects, _, _ = prove(folder / "_no.py")
    assert (status, [row["id"] for row in objects]) == (0, ["_no.py"])


def test_scripts_are_apart_from_each_other(write: Write, prove: Prove) -> None:
    script = HEAD + "from _helper import NAME\nc.define('f', 'x=1')\nc.theorem(NAME, '$f(1)', statement='s')\n"
    for folder in ("one", "two"):
        write(f"NAME = {folder!r}\n", f"{folder}/_helper.py")
        write(script, f"{folder}/same.py")
    before = set(sys.modules), list(sys.path)
    root = write(HEAD + "c.theorem('undefined', '$f(1)', statement='s')\n", "z.py").parent
    status, objects, _, err = prove(root)
    assert verdicts(objects) == {"one": True, "two": True, "undefined": None}
    assert status == 2 and "z.py:3: undefined: " in err
    assert not {name for name in set(sys.modules) - before[0] if "helper" in name or "same" in name}
    assert sys.path == before[1]


def test_every_chapter_of_a_script_is_run(write: Write, prove: Prove) -> None:
    script = (
        "import fibprover as fp\n"
        "a, b = fp.Chapter('A', system='msd_fib'), fp.Chapter('B')\nagain = a\n"
        "b.theorem('second', 'Ax x=x', statement='s')\na.theorem('first', 'Ax x=x', statement='s')\n"
    )
    status, objects, _, _ = prove(write(script))
    assert (status, [row["id"] for row in objects]) == (0, ["first", "second"])


def test_a_path_that_does_not_exist_is_an_error(tmp_path: Path, prove: Prove) -> None:
    status, objects, _, err = prove(tmp_path / "nowhere")
    assert (status, objects) == (2, []) and "nowhere" in err


# -- what goes wrong is kept where it is -----------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import fibprover\n1/0\n", "a.py:2: ZeroDivisionError: division by zero"),
        ("x = (\n", "a.py:1: SyntaxError: "),
        ("import fibprover as fp\nc = fp.Chapter('T')\nc.script('eval e \"1=1\":')\n", "a.py:3: eval e: "),
        ("raise SystemExit(0)\n", "a.py:1: the script ends Python when it is imported"),
        (HEAD + "c.theorem('t.true', '1=1', statement='s')\n", "b.py:3: the id t.true is already declared at "),
    ],
)
def test_a_script_that_fails_is_shown_with_its_place_and_the_rest_is_run(
    write: Write, prove: Prove, text: str, said: str
) -> None:
    write(text, "a.py")
    status, objects, _, err = prove(write(TRUE, "b.py").parent)
    assert (status, verdicts(objects)) == (2, {"t.true": True})
    assert said in err and "1 of 1 theorems as expected" not in err and "1 error outside them" in err


@pytest.mark.parametrize(
    ("declaration", "said"),
    [
        ("c.theorem('bad', 'Ax $nil(x)', statement='s')", "theorems.py:3: bad: "),
        ("c.theorem('bad', 'Ax x=', statement='s')", "theorems.py:3: bad: "),
        ("c.theorem('bad', 'x=1', statement='s')", "free variables (x)"),
        ("c.theorem('bad', None, statement='s')", "theorems.py:3: bad: internal error: "),
        ("c.define('bad', 'x=(', states_paper=3)", "theorems.py:3: bad: "),
    ],
)
def test_a_theorem_that_fails_has_no_verdict_and_the_rest_is_run(
    write: Write, prove: Prove, declaration: str, said: str
) -> None:
    rest = "c.theorem('t.true', 'Ax x=x', statement='s')\n"
    status, objects, out, err = prove(write(HEAD + declaration + "\n" + rest))
    assert (status, verdicts(objects)) == (2, {"bad": None, "t.true": True})
    assert said in err and "1 of 2 theorems as expected" in err
    assert objects[0]["states_built"] is None
    assert cells(out, "bad")["verdict"] == "ERROR"


@pytest.mark.parametrize(
    ("declaration", "said"),
    [
        ("c.define('bad', 'x=(')", "theorems.py:3: bad: "),
        ("c.reg('bad', ['msd_fib'], '(0')", "theorems.py:3: bad: "),
        ("c.word('bad', [[1, 0], [0]], [0, 1])", "theorems.py:3: bad: "),
        ("c.words('missing.json')", "theorems.py:3: "),
        ("c.script('def bad \"x=\":')", "theorems.py:3: "),
        ("d = fp.Chapter('D', system='msd_none'); d.theorem('d', '1=1', statement='s')", "theorems.py:3: "),
    ],
)
def test_a_definition_that_fails_is_shown_with_its_place_and_the_rest_is_run(
    write: Write, prove: Prove, declaration: str, said: str
) -> None:
    rest = "c.theorem('t.true', 'Ax x=x', statement='s')\n"
    status, objects, _, err = prove(write(HEAD + declaration + "\n" + rest))
    assert status == 2 and verdicts(objects)["t.true"] is True
    assert said in err


# -- budgets -----------------------------------------------------------------------------------------


def test_a_spent_budget_is_exit_status_3_and_the_next_theorem_is_tried(write: Write, prove: Prove) -> None:
    script = HEAD + (
        "c.theorem('heavy', 'Ax,y,z,u,v,w x+2*y+3*z!=5*u+7*v+11*w', statement='s', form='control')\n"
        "c.theorem('light', 'Ax x=x', statement='s')\n"
    )
    status, objects, out, err = prove(write(script), "--timeout", "0.000001")
    assert status == 3 and verdicts(objects)["heavy"] is None
    assert "heavy: the budget of " in err and " is spent" in err
    assert cells(out, "heavy")["verdict"] == "SPENT"
    assert len(objects) == 2


def test_memory_is_a_budget_too(write: Write, prove: Prove) -> None:
    script = HEAD + "c.theorem('heavy', 'Ax,y,z,u x+2*y+3*z!=5*u', statement='s', form='control')\n"
    status, objects, _, err = prove(write(script), "--max-memory", "1M")
    assert status == 3 and verdicts(objects) == {"heavy": None} and "heavy: the budget of " in err


@pytest.mark.parametrize(
    ("worse", "status"), [("c.theorem('w', '1=2', statement='s')", 1), ("c.theorem('w', '1=', statement='s')", 2)]
)
def test_an_error_and_a_wrong_verdict_come_before_a_spent_budget(
    write: Write, prove: Prove, monkeypatch: pytest.MonkeyPatch, worse: str, status: int
) -> None:
    import fibprover as fp

    real = fp.Session.prove

    def spent(self: fp.Session, formula: str) -> fp.Verdict:
        if formula == "7=7":
            raise fp.BudgetSpent("seconds", 1)
        return real(self, formula)

    monkeypatch.setattr(fp.Session, "prove", spent)
    heavy = "c.theorem('heavy', '7=7', statement='s')\n"
    assert prove(write(HEAD + heavy))[0] == 3
    assert prove(write(HEAD + heavy + worse + "\n"))[0] == status


# -- files and processes -----------------------------------------------------------------------------


def test_json_that_cannot_be_written_is_an_error_after_the_table(
    write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main(["prove", str(write(TRUE)), "--json", str(tmp_path)])
    shown = capsys.readouterr()
    assert status == 2 and "t.true" in shown.out and "cannot be written" in shown.err


def test_a_script_runs_by_itself(write: Write) -> None:
    end = "if __name__ == '__main__':\n    raise SystemExit(fp.prove_script(__file__))\n"
    file = write(TRUE + "c.theorem('no', 'Ax x=1', statement='s')\n" + end)
    done = subprocess.run([sys.executable, file, "-k", "t.true"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "") and "all 1 theorem as expected" in done.stdout
    done = subprocess.run([sys.executable, file], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "no is FALSE, expected TRUE" in done.stderr
