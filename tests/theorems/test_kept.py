"""`prove --store`: the same report as without, and nothing that is in the store is proved again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import fibprover as fp
from fibprover.campaigns.sweeps.store import Store
from tests.cli.command import answer
from tests.theorems.scripts import EMPTY, HEAD, TRUE, Prove, Write, verdicts

SCRIPT = HEAD + (
    "c.script('macro m \"%0=%1\":')\n"
    "c.define('even', 'Ey x=2*y')\n"
    "c.define('four', '$even(x) & Ey x=4*y')\n"
    "c.define('odd', 'Ey x=2*y+1', states_paper=8)\n"
    "c.theorem('all', 'Ax $even(x) | $odd(x)', statement='s')\n"
    "c.theorem('four', 'Ax $four(x) => $even(x)', statement='s')\n"
    "c.theorem('false', 'Ax Ey x=2*y', statement='s', form='control')\n"
    "c.theorem('macro', 'Ax #m(x,x)', statement='s')\n"
) + EMPTY


@pytest.fixture
def proved(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The formulas that are proved, in this process."""
    formulas: list[str] = []
    real = fp.Session.prove

    def prove(self: fp.Session, formula: str, **options: Any) -> Any:
        formulas.append(formula)
        return real(self, formula, **options)

    monkeypatch.setattr(fp.Session, "prove", prove)
    return formulas


@pytest.fixture
def kept(tmp_path: Path, prove: Prove) -> Prove:
    """Runs `prove` with a store, in one process."""
    return lambda *arguments: prove(*arguments, "-j", "1", "--store", tmp_path / "work.sqlite")


def without_costs(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: value for name, value in row.items() if name not in ("seconds", "peak_bytes")} for row in rows]


@pytest.mark.parametrize("options", [(), ("--textbook",), ("--plan", "textbook"), ("--no-vacuity",)])
def test_the_report_is_the_same(
    write: Write, prove: Prove, kept: Prove, proved: list[str], options: tuple[str, ...]
) -> None:
    file = write(SCRIPT)
    plain = prove(file, *options)
    first = kept(file, *options)
    proved.clear()
    second = kept(file, *options)
    assert proved == []
    assert (plain[0], without_costs(plain[1])) == (first[0], without_costs(first[1]))
    assert first[:2] == second[:2] and first[2].splitlines()[:-1] == second[2].splitlines()[:-1]
    assert len(first[1]) == 6


def test_several_processes_keep_their_rows_too(
    write: Write, prove: Prove, kept: Prove, proved: list[str], tmp_path: Path
) -> None:
    file = write(SCRIPT)
    first = prove(file, "-j", "2", "--store", tmp_path / "work.sqlite")
    second = kept(file)
    assert first[:2] == second[:2] and proved == []


@pytest.mark.parametrize(
    ("before", "after", "again"),
    [
        ("'Ey x=2*y'", "'Ey 2*y=x'", ["Ax $even(x) | $odd(x)", "Ax $four(x) => $even(x)"]),
        ("& Ey x=4*y", "& Ey 4*y=x", ["Ax $four(x) => $even(x)"]),
        ("%0=%1", "%1=%0", ["Ax $even(x) | $odd(x)", "Ax $four(x) => $even(x)", "Ax Ey x=2*y", "Ax #m(x,x)", "An Em"]),
        ("x=2*y', statement='s', form", "2*y=x', statement='s', form", ["Ax Ey 2*y=x"]),
        ("statement='s'", "statement='t'", []),
    ],
)
def test_what_depends_on_a_change_is_proved_again(
    write: Write, kept: Prove, proved: list[str], before: str, after: str, again: list[str]
) -> None:
    kept(write(SCRIPT), "--no-vacuity")
    proved.clear()
    assert before in SCRIPT
    status, rows, _, _ = kept(write(SCRIPT.replace(before, after)), "--no-vacuity")
    assert [formula[: len(start)] for formula, start in zip(proved, again, strict=True)] == again
    assert status == 0 and len(rows) == 6


def test_an_expectation_that_changes_is_reported(write: Write, kept: Prove) -> None:
    assert kept(write(TRUE))[0] == 0
    status, _, _, err = kept(write(TRUE.replace("commute'", "commute', expected=False")))
    assert status == 1 and "t.true is TRUE, expected FALSE" in err


def test_a_file_of_a_script_is_part_of_the_key(write: Write, kept: Prove, tmp_path: Path) -> None:
    automaton = tmp_path / "scripts" / "two.txt"
    file = write(HEAD + "c.load_predicate('two.txt')\nc.theorem('t', 'Ax $two(x)', statement='s')\n")
    automaton.write_text("msd_fib\n\n0 1\n0 -> 0\n1 -> 0\n")
    assert verdicts(kept(file)[1]) == {"t": True}
    automaton.write_text("msd_fib\n\n0 1\n0 -> 0\n")
    assert verdicts(kept(file)[1]) == {"t": False}


def test_a_script_that_loads_a_file_is_not_kept(write: Write, kept: Prove, proved: list[str], tmp_path: Path) -> None:
    loaded = tmp_path / "loaded.txt"
    loaded.write_text('def f "x=x";')
    file = write(f"{HEAD}c.script('load {loaded};')\nc.theorem('t', 'Ax $f(x)', statement='s')\n")
    assert verdicts(kept(file)[1]) == {"t": True}
    loaded.write_text('def f "x=0";')
    assert verdicts(kept(file)[1]) == {"t": False}


def test_problems_are_reported_again(write: Write, kept: Prove) -> None:
    script = SCRIPT + "c.define('bad', 'x=(')\nc.theorem('last', '1=1', statement='s')\n"
    first, second = kept(write(script)), kept(write(script))
    assert (first[0], second[0]) == (2, 2) and "bad" in first[3] and "bad" in second[3]
    assert first[1] == second[1]


def test_a_spent_budget_is_tried_again(write: Write, kept: Prove, proved: list[str], tmp_path: Path) -> None:
    file = write(HEAD + "c.theorem('t', '1=1', statement='s')\n")
    with Store(tmp_path / "work.sqlite") as store:
        assert kept(file)[0] == 0
        (row, of_names) = store.records()
        store.replace(type(row)(row.key, row.what, "failed", error="spent"))
        proved.clear()
        assert kept(file)[0] == 0 and proved == ["1=1"]
        assert [record.state for record in store.records()] == ["done", "done"] and of_names.what != row.what


def test_a_certificate_that_is_gone_is_written_again(
    write: Write, kept: Prove, proved: list[str], tmp_path: Path
) -> None:
    file, folder = write(TRUE), tmp_path / "certificates"
    first = kept(file, "--certificates", folder)
    proved.clear()
    assert kept(file, "--certificates", folder)[:2] == first[:2] and proved == []
    (certificate,) = folder.iterdir()
    certificate.unlink()
    assert kept(file, "--certificates", folder)[0] == 0
    assert proved and certificate.exists()


def test_theorems_that_say_the_same_have_one_certificate(
    write: Write, kept: Prove, proved: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever their ids are; another definition of a name makes another theorem of the same formula."""
    folder = tmp_path / "certificates"
    definition, theorem = "c.define('f', '{}')\n", "c.theorem('{}', 'Ex $f(x)', statement='s')\n"
    file = write(HEAD + definition.format("x=3") + theorem.format("one") + theorem.format("two")
                 + definition.format("x=4") + theorem.format("three"))
    status, rows, _, _ = kept(file, "--certificates", folder)
    assert status == 0 and verdicts(rows) == {"one": True, "two": True, "three": True}
    assert proved == ["Ex $f(x)"] * 2
    assert [Path(row["certificate"]["file"]).name for row in rows] == [
        "one.jsonl.gz", "one.jsonl.gz", "three.jsonl.gz",
    ]
    assert len(list(folder.iterdir())) == 2
    said = answer(capsys, "store", str(tmp_path / "work.sqlite"), "--recheck")
    assert said.status == 0 and "2 of 2" in said.out


def test_a_shared_certificate_of_which_one_theorem_says_something_else_now(
    write: Write, kept: Prove, proved: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The other one is proved again: the file will be a proof of something else."""
    folder, theorem = tmp_path / "certificates", "c.theorem('{}', '{}', statement='s')\n"
    kept(write(HEAD + theorem.format("one", "Ex x=3") + theorem.format("two", "Ex x=3")), "--certificates", folder)
    file = write(HEAD + theorem.format("one", "Ex x=4") + theorem.format("two", "Ex x=3"))
    for again in (["Ex x=4", "Ex x=3"], []):
        proved.clear()
        status, rows, _, _ = kept(file, "--certificates", folder)
        assert status == 0 and proved == again
        for row, number in zip(rows, (4, 3), strict=True):
            assert f"={number})" in answer(capsys, "check", row["certificate"]["file"]).out


def test_a_certificate_that_another_one_has_replaced_is_written_again(
    write: Write, kept: Prove, proved: list[str], tmp_path: Path
) -> None:
    folder, theorem = tmp_path / "certificates", "c.theorem('one', 'Ex x={}', statement='s')\n"
    for number in (3, 4, 3):
        proved.clear()
        kept(write(HEAD + theorem.format(number)), "--certificates", folder)
        assert proved == [f"Ex x={number}"]


def test_a_page_shows_evidence_from_the_store(
    write: Write, kept: Prove, proved: list[str], tmp_path: Path
) -> None:
    first = kept(write(SCRIPT), "--html", tmp_path / "one")
    proved.clear()
    second = kept(write(SCRIPT), "--html", tmp_path / "two")
    assert first[:2] == second[:2] and proved == []
    assert any(row["evidence"] for row in second[1])
    assert (tmp_path / "two" / "index.html").exists()


def test_a_store_that_is_something_else_is_an_error(
    write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str], prove: Prove
) -> None:
    other = tmp_path / "other.sqlite"
    other.write_text("no store" * 1000)
    status, rows, _, err = prove(write(TRUE), "--store", other)
    assert (status, rows) == (2, []) and "other.sqlite" in err and "hint" in err
