"""Counts of the textbook plan in reports, and the page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.theorems.scripts import EMPTY, HEAD, TRUE, Prove, Write, cells, verdicts

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
    file.write_text(COUNTED.format(paper=4).replace("$f(2*x)", "$f(40*x)"))
    _, objects, _, _ = prove(file)
    assert [row["states_textbook"] for row in objects] == [known[0], None]


def test_only_what_changed_is_measured_again(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    from benchmarks.textbook import main as measure

    file = write(COUNTED.format(paper=4))
    assert measure([str(file)]) == 0
    assert [line.split()[3] for line in capsys.readouterr().out.splitlines()] == ["t", "u"]
    assert measure([str(file)]) == 0 and capsys.readouterr().out == ""
    file.write_text(COUNTED.format(paper=4).replace("$f(2*x)", "$f(40*x)"))
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
    assert "textbook_counts.json does not hold counts of the textbook plan" in err


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
    assert "- vacuous: `m>n` " in text and "`An Em (m=n+1 => false)`" in text
    assert "- unused: `m=n+1` does not matter" in text
    count = json.loads((file.parent / "textbook_counts.json").read_text())["counts"]["t"]
    assert f"- t: 4 published, {count['states']} the largest" in text
