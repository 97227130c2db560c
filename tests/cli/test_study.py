"""`fibprover study`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import answer


def test_a_word_of_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "study", "T", "--only", "squares,overlaps", "--only", "complexity")
    assert (said.status, said.err) == (0, "")
    lines = said.out.splitlines()
    assert lines[0].startswith("T, over msd_2: 0110100110010110")
    assert lines[-1].startswith("3 lines: 2 proved, 1 refuted, 0 open")
    assert any(line.split()[:1] == ["refuted"] and "overlap" in line for line in lines)


def test_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, page = tmp_path / "T.json", tmp_path / "T.md"
    said = answer(capsys, "study", "0->01, 1->10", "--only", "cubes", "--json", str(file), "--markdown", str(page))
    assert said.status == 0
    (line,) = json.loads(file.read_text())
    assert (line["id"], line["status"]) == ("cubes", "refuted")
    assert page.read_text().startswith("# W\n")
    only = answer(capsys, "study", "0->01, 1->10", "--only", "cubes", "--json", "-")
    assert [each | {"seconds": 0} for each in json.loads(only.out)] == [line | {"seconds": 0}]


def test_an_open_line(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "study", "F", "--only", "critical-exponent")
    assert said.status == 3 and "open" in said.out and "from 3.6" in said.out


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("FMT",), "FMT"),
        (("T", "--only", "cube"), "cubes"),
        (("T", "--only", "cubes,"), "empty"),
        (("pascal",), "index"),
        (("0->", "--only", "cubes"), "0"),
        (("missing.txt",), "missing.txt"),
        (("T", "--timeout", "0"), "timeout"),
    ],
)
def test_errors_say_what_is_wrong(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], word: str) -> None:
    said = answer(capsys, "study", *arguments)
    assert (said.status, said.out) == (2, "")
    assert word in said.err and "Traceback" not in said.err


def test_a_file_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "study", "T", "--only", "cubes", "--json", str(tmp_path / "none" / "T.json"))
    assert said.status == 2 and "none" in said.err
