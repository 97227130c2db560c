"""Optimized against textbook: what breaks the law, and what is said of budgets and of commands in error."""

from __future__ import annotations

from math import inf
from pathlib import Path

import pytest

from benchmarks.plans import FACTOR, SLACK, Compared, Cost, files, main, page

SCRIPT = """def even "?msd_2 Ey x=2*y":
reg ends msd_2 "(0|1)*0":
eval same "?msd_2 Ax $even(x) <=> $ends(x)":
eval wrong "?msd_2 $missing(x)":
"""

CHAPTER = """from fibprover import Chapter
chapter = Chapter("halves", system="msd_2")
chapter.reg("ends", "msd_2", "(0|1)*0")
chapter.define("even", "Ey x=2*y")
chapter.script('def odd "~$even(x)":')
chapter.theorem("same", "Ax $even(x) <=> $ends(x)", statement="the last digit says it")
chapter.theorem("many", "Ax $odd(x)", statement="never tried here", long=True)
chapter.theorem("wrong", "Ax $missing(x)", statement="an error")
"""


def one(optimized: Cost, textbook: Cost) -> Compared:
    return Compared("script.txt", "name", optimized, textbook)


@pytest.mark.parametrize(("optimized", "textbook", "lost"), [
    (Cost(SLACK, 1), Cost(0.0, 1), False),
    (Cost(SLACK + 0.99 * FACTOR, 1), Cost(1.0, 1), False),
    (Cost(SLACK + 1.01 * FACTOR, 1), Cost(1.0, 1), True),
    (Cost(5.0, 1, "seconds"), Cost(4.9, 1), True),
    (Cost(5.0, 1, "seconds"), Cost(5.0, 1, "seconds"), False),
    (Cost(5.0, 1), Cost(1.0, 1, "seconds"), False),
])
def test_the_law(optimized: Cost, textbook: Cost, lost: bool) -> None:
    assert one(optimized, textbook).lost == lost


def test_the_worst_comes_first() -> None:
    lost, exhausted, fine = (
        one(Cost(4.0, 1), Cost(1.0, 7)), one(Cost(9.0, 1, "bytes"), Cost(1.0, 8)), one(Cost(0.1, 1), Cost(5.0, 9))
    )
    assert exhausted.ratio == inf
    rows = page([fine, lost, exhausted], 2).splitlines()[2:4]
    assert [row.rstrip(" |")[-1] for row in rows] == ["8", "7"]
    assert "2 lose" in page([fine, lost, exhausted], 2)


def test_scripts_of_a_folder_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "b.txt").write_text(SCRIPT, encoding="utf-8")
    (tmp_path / "a.txt").write_text("eval one \"1+1=2\":\n", encoding="utf-8")
    (tmp_path / "other.json").write_text("{}", encoding="utf-8")
    assert [file.name for file in files([str(tmp_path)])] == ["a.txt", "b.txt"]
    assert main([str(tmp_path)]) == 0
    captured = capsys.readouterr()
    for name in ("one", "even", "same"):
        assert f"| {name} |" in captured.out
    assert "3 formulas: 0 lose" in captured.out and "missing" in captured.err


def test_a_script_that_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("none.txt", "none.py"):
        assert main([str(tmp_path / name)]) == 2
        assert name in capsys.readouterr().err


def test_theorems_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "halves.py").write_text(CHAPTER, encoding="utf-8")
    (tmp_path / "_helper.py").write_text("raise ValueError", encoding="utf-8")
    assert main([str(tmp_path)]) == 0
    captured = capsys.readouterr()
    for name in ("even", "odd", "same"):
        assert f"| {name} |" in captured.out
    assert "3 formulas: 0 lose" in captured.out and "missing" in captured.err
