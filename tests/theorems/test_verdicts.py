"""Verdicts and the report of `fibprover prove`."""

from __future__ import annotations

import pytest

from tests.theorems.scripts import HEAD, KEYS, TRUE, Prove, Write, cells, verdicts


def test_a_true_theorem_and_a_false_control_are_as_expected(write: Write, prove: Prove) -> None:
    control = "c.theorem('t.control', 'Ax,y x+y=x', statement='zero', source='O', form='control', states_paper=9)\n"
    status, objects, out, err = prove(write(TRUE + control))
    assert (status, err) == (0, "")
    first, second = objects
    assert list(first) == list(second) == KEYS
    assert first | {"seconds": 0, "peak_bytes": 0} == {
        "id": "t.true", "source": "S", "statement": "sums commute", "form": "strong", "expected": True,
        "verdict": True, "skipped": False, "vacuous": [], "evidence": None, "states_textbook": None,
        "states_paper": None,
        "states_built": 1, "seconds": 0, "peak_bytes": 0,
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
        ("c.theorem('w', 'Ax Ey x=2*y', statement='s')", "w is FALSE, expected TRUE\n  least counterexample: x = 1"),
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


def test_scripts_of_a_chapter_may_override_systems_with_either_plan(write: Write, prove: Prove) -> None:
    script = HEAD + (
        "c.define('p', '?msd_fib n=5')\n"
        "c.script('def q \"?msd_2 $p(n)\";')\n"
        "c.theorem('t', '?msd_fib $q(5)', statement='s')\n"
    )
    for arguments in ((), ("--textbook",), ("--plan", "textbook")):
        status, objects, _, err = prove(write(script), *arguments)
        assert (status, verdicts(objects), err.count("error")) == (0, {"t": True}, 0), err


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
    monkeypatch.setattr("fibprover.campaigns.theorems.task._same", lambda one, other: False)
    status, objects, _, err = prove(write(TRUE), "--textbook")
    assert status == 2 and "t.true: the two plans disagree" in err
    assert objects[0]["states_textbook"] is None
