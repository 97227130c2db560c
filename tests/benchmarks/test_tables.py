"""The page: tables are well-formed, and say what was measured and what was not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

import fibprover as fp
from benchmarks.ablation import ablation
from benchmarks.groups import paper_groups
from benchmarks.job import Job
from benchmarks.measure import Measured, Run
from benchmarks.run import main
from benchmarks.scaling import RECURRENCES, SUBJECT, balanced, copied, counts, digits, scaling, series, tracks
from benchmarks.table import megabytes, seconds, table
from fibprover.language.commands import DefCommand, EvalCommand


def rows(text: str) -> list[list[list[str]]]:
    """The cells of the tables of a page; every line of a table has as many as its header."""
    tables = []
    for block in re.findall(r"(?:^\|.*\|$\n?)+", text, re.MULTILINE):
        cells = [re.split(r"(?<!\\)\|", line)[1:-1] for line in block.splitlines()]
        assert {len(line) for line in cells} == {len(cells[0])}
        assert all(re.fullmatch(r" ---:? ", cell) for cell in cells[1])
        tables.append([[cell.strip() for cell in line] for line in (cells[0], *cells[2:])])
    return tables


def test_a_table() -> None:
    text = table(["a|b", "c"], [["x|y\nz", "1"], ["", "> 60 s"]])
    assert rows(text) == [[["a\\|b", "c"], ["x\\|y z", "1"], ["", "> 60 s"]]]
    with pytest.raises(ValueError, match="2 cells"):
        table(["a", "b"], [["1"]])


def test_numbers() -> None:
    assert [seconds(value) for value in (0.01234, 1.234, 12.34)] == ["0.012", "1.23", "12.3"]
    assert (megabytes(12_345_678), megabytes(0)) == ("12", "-")


def done(wall: float, largest: int) -> Measured:
    command = {"name": SUBJECT, "seconds": wall, "largest": largest, "states": largest, "transitions": largest}
    return Measured((Run(wall, wall, 1, {"commands": [command]}),))


def test_the_ablation_has_a_row_for_each_rule_and_says_where_a_budget_is_spent() -> None:
    asked = []

    def measure(job: Job, runs: int, expected: Sequence[bool], patience: float) -> Measured:
        asked.append((job.without, job.plan, job.seconds, job.bytes, runs))
        return Measured((), "> 60 s") if job.without == ("cache",) else done(0.5, 7)

    groups = paper_groups()[:2]
    text = str(ablation(groups, ("cache", "counting"), 4, lambda _: None, measure))
    times, sizes = rows(text)
    titles = ["all rules", "without cache", "without counting", "textbook plan"]
    assert times[0] == sizes[0] == ["", "K", "sequences"]
    assert [line[0] for line in times[1:]] == [line[0] for line in sizes[1:]] == titles
    assert times[1][1:] == times[3][1:] == ["0.500"] * 2 and sizes[1][1:] == ["7"] * 2
    assert times[2][1:] == sizes[2][1:] == ["> 60 s"] * 2
    variants = [((), "optimized"), (("cache",), "optimized"), (("counting",), "optimized"), ((), "textbook")]
    assert asked == [(*variant, 60.0, 4 << 30, 4) for variant in variants for _ in groups]


def test_scaling_gives_up_a_column_once_its_budget_is_spent() -> None:
    def measure(job: Job, runs: int, expected: Sequence[bool], patience: float) -> Measured:
        spent = "msd_fib" in job.script and "x0+x1=y0+y1" in job.script
        return Measured((), "> 4 GB") if spent else done(2.0, 9)

    (found,) = rows(str(scaling([tracks(("msd_2", "msd_fib"), 5)], 1, lambda _: None, measure)))
    assert [line[1] for line in found[1:]] == ["2.00, 9"] * 4
    assert [line[2] for line in found[1:]] == ["2.00, 9", "2.00, 9", "> 4 GB", ""]


@pytest.mark.long
def test_the_scripts_of_scaling_can_be_run() -> None:
    """Each column's first row, each with the systems it needs."""
    for one in series():
        for (_, off), script in zip(one.columns, one.rows[0][1], strict=True):
            made = fp.Session(without=off)
            for name, (coefficients, initial) in RECURRENCES.items():
                if name in script and name not in made.namespace.systems:
                    made.add_system(fp.recurrence_system(name, coefficients, initial))
            command, _ = made.run(script)[-1]
            assert isinstance(command, DefCommand | EvalCommand) and command.name == SUBJECT


def test_what_grows() -> None:
    assert [balanced(count) for count in (2, 3, 4)] == ["x0=y0", "x0+x1=y0", "x0+x1=y0+y1"]
    assert copied(2).endswith("(r1!=r0|s1!=s0))") and copied(1).count("!=") == 0
    assert all(len(scripts) == len(one.columns) for one in (tracks(), digits(), counts()) for _, scripts in one.rows)


def test_copies_and_counts_are_the_same_relation() -> None:
    made = fp.Session()
    for _, scripts in counts(3).rows:
        one, other = (made.run(script)[-1][1] for script in scripts[:2])
        assert isinstance(one, fp.Relation) and isinstance(other, fp.Relation)
        assert one.automaton == other.automaton


def test_a_page_of_one_group(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "page.md"
    assert main(["--runs", "1", "--only", "W3", "wythoff-2", "-o", str(file)]) == 0
    said = capsys.readouterr()
    assert file.read_text() == said.out and said.err.splitlines() == ["W^3: stable, absorbing", "m-Wythoff, m = 2"]
    head = r"# Measurements\n\nfibprover \S+, Python \S+, .* cores, \d{4}-\d\d-\d\d\. Medians of 1 run,"
    assert re.match(head, said.out)
    printed, games = rows(said.out)
    assert [line[0] for line in printed] == ["what", "W^3: stable, absorbing"] and printed[1][-1] == "1"
    assert [line[0] for line in games] == ["what", "m-Wythoff, m = 2"] and "failed" not in said.out


@pytest.mark.parametrize("arguments", [["--only", "W7"], ["--runs", "0"], ["--peer-timeout", "0"]])
def test_wrong_options(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2 and arguments[0] in capsys.readouterr().err


@pytest.mark.long
def test_the_ablation_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    from fibprover.prover.plan.rules import RULES

    assert main(["--runs", "1", "--only", "ablation", "W3"]) == 0
    times, sizes = rows(capsys.readouterr().out)
    assert times[0] == sizes[0] == ["", "W3"] and len(times) == len(sizes) == len(RULES) + 3
    assert all(line[1].isdigit() for line in sizes[1:])
