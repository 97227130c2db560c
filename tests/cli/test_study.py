"""`fibprover study`."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from fibprover.sheets import study as study_module
from fibprover.sheets.line import Line
from fibprover.sheets.question import Question
from fibprover.sheets.subject import Subject
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
    said = answer(capsys, "study", "FTM", "--only", "reversal", "--timeout", "0.00001")
    assert said.status == 3 and "open     The reversal" in said.out and "Not decided (1): " in said.out


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("FMT",), "FMT"),
        (("T", "--only", "cube"), "cubes"),
        (("T", "--only", "cubes,"), "empty"),
        (("PF",), "index"),
        (("0, 1, 1, 0, 1, 0, 0, 1",), "--terms"),
        (("-1",), "--"),
        (("",), "no word"),
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


@pytest.mark.long
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
        (("T", "-j", "2"), "--all"), (("T", "F", "--json-lines", "x"), "--json"),
        (("--all", "--cpu-timeout", "3"), "--cpu-timeout"),
        (("T", "--json", "-", "--json-lines", "-"), "standard output"),
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


THREE = "eventually-periodic,uniformly-recurrent,complexity"


class Watched:
    """Notes the lines that are answered; output: what was printed before each, with capsys; a signal ends one."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str] | None = None) -> None:
        self.answered: list[str] = []
        self.output: list[str] = []
        self.ends_at = ""
        inner = study_module._line

        def line(about: Subject, question: Question, *others: Any) -> Line:
            if capsys is not None:
                self.output.append(capsys.readouterr().out)
            if question.id == self.ends_at:
                signal.raise_signal(signal.SIGTERM)
            self.answered.append(question.id)
            return inner(about, question, *others)

        monkeypatch.setattr(study_module, "_line", line)


def test_lines_are_printed_and_written_when_they_are_finished(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = Watched(monkeypatch, capsys)
    file = tmp_path / "F.jsonl"
    whole = answer(capsys, "study", "F", "--only", THREE, "--json-lines", str(file))
    assert watched.answered == THREE.split(",")
    before = watched.output
    assert before[0].startswith("F, over msd_fib: 0100101") and "proved" not in before[0]
    assert "eventually periodic" in before[1] and "uniformly recurrent" in before[2]
    assert "The number of factors" in whole.out and "3 lines" in whole.out
    assert [json.loads(line)["id"] for line in file.read_text().splitlines()] == watched.answered


def test_json_lines_and_the_page_have_what_is_finished_where_a_signal_ends_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Watched(monkeypatch).ends_at = "complexity"
    page = tmp_path / "page"
    said = answer(capsys, "study", "F", "--only", THREE, "--json-lines", "-", "--html", str(page))
    assert said.status == 143 and "2 of 3 lines of F" in said.err
    assert [json.loads(line)["id"] for line in said.out.splitlines()] == THREE.split(",")[:2]
    assert "Unfinished" in (page / "index.html").read_text()


@pytest.mark.long
def test_a_store_goes_on_after_the_lines_that_are_finished(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ("study", "0->01, 1->0", "--only", THREE, "--store", str(tmp_path / "lines.sqlite"), "--json", "-")
    with monkeypatch.context() as first:
        Watched(first).ends_at = "complexity"
        assert answer(capsys, *arguments).status == 143
    watched = Watched(monkeypatch)
    second = answer(capsys, *arguments)
    assert second.status == 0 and watched.answered == ["complexity"]
    assert answer(capsys, *arguments).out == second.out and watched.answered == ["complexity"]
    fresh = json.loads(answer(capsys, *arguments[:4], "--json", "-").out)
    assert [line | {"seconds": 0} for line in json.loads(second.out)] == [line | {"seconds": 0} for line in fresh]
    answer(capsys, "study", "0->01, 1->0", "--only", THREE, *arguments[4:6], "--timeout", "5")
    assert watched.answered == ["complexity", *THREE.split(",")]  # lines hold for smaller limits


def test_an_open_line_of_a_store_is_tried_again_with_larger_limits(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ("study", "F", "--only", "trapezoidal", "--store", str(tmp_path / "lines.sqlite"))
    tight = answer(capsys, *arguments, "--timeout", "0.004")
    assert tight.status == 3 and "1 open" in tight.out
    watched = Watched(monkeypatch)
    assert answer(capsys, *arguments, "--timeout", "0.003").status == 3 and not watched.answered
    assert answer(capsys, *arguments, "--timeout", "30").status == 0 and watched.answered == ["trapezoidal"]
    assert answer(capsys, *arguments, "--timeout", "0.004").status == 0  # what is decided stays
    assert watched.answered == ["trapezoidal"]


def test_a_stored_line_has_its_certificate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "certificates"
    arguments = ("study", "T", "--only", "overlaps", "--certify", str(folder), "--store", str(tmp_path / "l.sqlite"))
    for _ in range(2):
        said = answer(capsys, *arguments)
        (file,) = folder.iterdir()
        assert said.status == 0 and "1 certified" in said.out
        file.unlink()


def test_a_store_and_words_over_a_family(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "study", "sturmian", "--only", "squares", "--store", str(tmp_path / "lines.sqlite"))
    assert said.status == 2 and "family" in said.err


def test_seconds_for_all_lines_and_one_reason_for_all_that_are_open(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "lines.sqlite"
    said = answer(capsys, "study", "T", "--cpu-timeout", "0.001", "--store", str(file))
    assert said.status == 3 and "0 proved, 0 refuted, 65 open" in said.out
    assert " ".join(said.out.split()).count("for the whole sheet") == 1 and said.out.count("(1)") == 65
    assert "no tasks" in answer(capsys, "store", str(file)).out  # such lines are not finished
    (line, _) = json.loads(answer(
        capsys, "study", "T", "--cpu-timeout", "0.001", "--only", "cubes,squares", "--json", "-"
    ).out)
    assert "whole sheet" in line["value"]


def test_ids_that_only_other_sheets_have_are_skipped(capsys: pytest.CaptureFixture[str]) -> None:
    for strange in ("blocks-2", "again-3", "growth", "abelian-complexity"):
        said = answer(capsys, "study", "0->01,1->12,2->23,3->30", "--only", strange)
        assert (said.status, said.err) == (0, "") and f"no such lines: {strange}." in said.out
    said = answer(capsys, "study", "T", "--only", "squares,blocks-3")
    assert said.status == 0 and "1 line: 1 proved" in said.out
