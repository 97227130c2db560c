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
    said = answer(capsys, "study", "FTM", "--only", "reversal", "--timeout", "0.001")
    assert said.status == 3 and "open     The reversal" in said.out and "not decided" in said.out


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("FMT",), "FMT"),
        (("T", "--only", "cube"), "cubes"),
        (("T", "--only", "cubes,"), "empty"),
        (("PF",), "index"),
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


def test_pages_and_scripts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script, page = tmp_path / "both.txt", tmp_path / "page"
    said = answer(
        capsys, "study", "T", "0->01, 1->00", "--only", "cubes,squares", "--html", str(page), "--script", str(script),
    )
    assert said.status == 0 and "* X has a cube." in said.out
    assert (page / "index.html").read_text().startswith("<!doctype html>")
    ran = answer(capsys, "run", str(script))
    assert [line for line in ran.out.splitlines() if line.startswith("eval")] == [
        "eval T_squares: TRUE", "eval T_cubes: FALSE", "eval V_squares: TRUE", "eval V_cubes: TRUE",
    ]


def test_all_words_of_the_library(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages, store = tmp_path / "words", tmp_path / "words.sqlite"
    arguments = ("study", "--all", "--only", "letter-1", "--markdown", str(pages), "--store", str(store))
    first = answer(capsys, *arguments)
    assert first.status == 0 and len(first.out.splitlines()) == 33
    texts = {file.name: file.read_text() for file in pages.iterdir()}
    assert len(texts) == 32 and texts["F.md"].startswith("# F: Fibonacci word\n")
    assert "occurs infinitely often" in texts["F.md"] and "[F](F.md)" in texts["index.md"]
    (pages / "F.md").unlink()
    answer(capsys, *arguments)
    assert {file.name: file.read_text() for file in pages.iterdir()} == texts  # from the store, with the same seconds


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ((), "no word is given"),
        (("T", "F", "P"), "not 3"), (("T", "--all"), "--all"), (("--all", "--html", "x"), "--html"),
        (("T", "-j", "2"), "--all"), (("T", "--store", "x"), "--all"),
        (("T", "--matrices", "x.sage"), "--terms"),
    ],
)
def test_options_that_do_not_fit(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], word: str) -> None:
    said = answer(capsys, "study", *arguments)
    assert (said.status, said.out) == (2, "") and word in said.err


def test_matrices_of_terms_that_are_a_word(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    terms = tmp_path / "terms.txt"
    terms.write_text("".join(f"{n} {n.bit_count() % 2}\n" for n in range(64)))
    said = answer(capsys, "study", "--terms", str(terms), "--only", "squares", "--matrices", str(tmp_path / "x.sage"))
    assert (said.status, said.out) == (2, "") and "--script" in said.err
