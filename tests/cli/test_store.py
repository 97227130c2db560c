"""`fibprover store`: lists, exports and compares."""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from fibprover.campaigns.sweeps.store import Store, TaskRecord
from tests.cli.command import answer

ONE = TaskRecord("a", "f(1)", "done", 10**5000, seconds=0.5, peak_bytes=2_000_000)
TWO = TaskRecord("b", "f(2)", "failed", error="one\n  hint: two")


def made(file: Path, records: Iterable[TaskRecord]) -> str:
    with Store(file) as store:
        for record in records:
            store.finish(record)
    return str(file)


@pytest.fixture
def file(tmp_path: Path) -> str:
    return made(tmp_path / "work.sqlite", [TWO, ONE])


def test_list(capsys: pytest.CaptureFixture[str], file: str) -> None:
    said = answer(capsys, "store", file)
    assert said.status == 0
    assert [line.split() for line in said.out.splitlines()] == [
        ["done", "0.500", "s", "2", "MB", "f(1)"], ["failed", "f(2)"], ["one"], ["hint:", "two"],
        ["2", "tasks:", "1", "done,", "1", "failed", "(0.50", "s)"],
    ]
    assert "f(1)" not in answer(capsys, "store", file, "--state", "failed").out
    assert "f(2)" not in answer(capsys, "store", file, "--match", "(1").out
    assert answer(capsys, "store", file, "--match", "g").out == "no tasks\n"


def test_exports(capsys: pytest.CaptureFixture[str], file: str, tmp_path: Path) -> None:
    objects = json.loads(answer(capsys, "store", file, "--json", "-", "--state", "failed").out)
    assert [(item["key"], item["state"], item["error"]) for item in objects] == [("b", "failed", TWO.error)]
    long = answer(capsys, "store", file, "--json", "-", "--state", "done").out
    assert f'"result": 1{"0" * 5000},' in long
    assert answer(capsys, "store", file, "--csv", str(tmp_path / "out.csv")).out == ""
    rows = list(csv.DictReader((tmp_path / "out.csv").read_text().splitlines(keepends=True)))
    assert [(row["what"], row["error"]) for row in rows] == [("f(1)", ""), ("f(2)", TWO.error)]
    assert answer(capsys, "store", file, "--json", "-", "--match", "g").out == "[]\n"


def test_certificates_are_checked_again(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each file once, with all tasks that name it; one that is missing or forged is found."""
    good, forged = tmp_path / "good.jsonl", tmp_path / "forged.jsonl"
    text = (Path(__file__).resolve().parents[2] / "docs" / "certificate.jsonl").read_text()
    good.write_text(text)
    forged.write_text(text.replace('"(E x x=1)"', '"~(E x x=1)"'))
    tasks = [TaskRecord(name, name, "done", True, certificate=str(good)) for name in ("k2.one", "k2.two")]
    right = made(tmp_path / "right.sqlite", [*tasks, ONE])
    monkeypatch.setattr("fibprover.base.threads.cores", lambda: 1 << 12)  # a check gets no less memory for that
    said = answer(capsys, "store", right, "--recheck")
    assert said.status == 0 and "(k2.one, k2.two)  (E x x=1)" in said.out and "1 of 1" in said.out
    wrong = [replace(tasks[0], key="f", what="k2.f", certificate=str(forged)),
             replace(tasks[0], key="m", what="k2.m", certificate=str(tmp_path / "none.jsonl"))]
    said = answer(capsys, "store", made(tmp_path / "wrong.sqlite", [*tasks, *wrong]), "--recheck")
    found = {line.split("(")[1].split(")")[0]: line.split()[0] for line in said.out.splitlines() if "(k2" in line}
    assert said.status == 1 and found == {"k2.one, k2.two": "valid", "k2.f": "invalid", "k2.m": "missing"}


def test_another_file_in_place_of_a_certificate_is_found(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A store has the digest of each certificate, so that a proof of something else does not pass for it."""
    file = tmp_path / "c.jsonl"
    text = (Path(__file__).resolve().parents[2] / "docs" / "certificate.jsonl").read_text()
    file.write_text(text)
    made_as = {"digest": sha256(file.read_bytes()).hexdigest(), "reason": ""}
    task = TaskRecord("a", "k2.one", "done", {"certificate": made_as}, certificate=str(file))
    # A path may also begin in the folder of the store.
    store = made(tmp_path / "work.sqlite", [task, replace(task, key="b", what="k2.two", certificate="c.jsonl")])
    said = answer(capsys, "store", store, "--recheck")
    assert said.status == 0 and "(k2.one, k2.two)" in said.out and "1 of 1" in said.out
    file.write_text(text.replace(": ", ":"))  # valid, too
    assert answer(capsys, "check", str(file)).status == 0
    said = answer(capsys, "store", store, "--recheck")
    assert said.status == 1 and [line.split()[0] for line in said.out.splitlines()] == ["replaced", "0"]


def test_what_has_no_certificate_is_said_with_the_reason(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    plain = TaskRecord("p", "k2.one", "done", {"certificate": {"digest": "", "reason": "1 s is spent"}})
    store = made(tmp_path / "work.sqlite", [plain, ONE, replace(plain, key="f", what="k2.two", state="failed")])
    said = answer(capsys, "store", store, "--recheck")
    assert said.status == 0
    assert [line.split()[0] for line in said.out.splitlines()] == ["not", "0"]
    assert "k2.one  1 s is spent" in said.out and "2 tasks without" in said.out


def test_certificates_of_a_sheet_are_checked_again(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    store, folder = str(tmp_path / "work.sqlite"), tmp_path / "certificates"
    options = ("--only", "overlaps", "--certify", str(folder), "--store", store)
    assert answer(capsys, "study", "T", *options).status == 0
    said = answer(capsys, "store", store, "--recheck")
    assert said.status == 0 and "T: overlaps" in said.out and "1 of 1" in said.out
    (made_file,) = folder.iterdir()
    made_file.unlink()
    assert answer(capsys, "store", store, "--recheck").out.startswith("missing")


def test_a_certificate_that_was_written_in_place_of_another_one_is_checked(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """An earlier task, say of a theorem whose formula was another one, has lost its own; the later one has not."""
    file = tmp_path / "c.jsonl"
    file.write_text((Path(__file__).resolve().parents[2] / "docs" / "certificate.jsonl").read_text())
    later = {"digest": sha256(file.read_bytes()).hexdigest(), "reason": ""}
    task = TaskRecord("a", "k2.before", "done", {"certificate": {**later, "digest": "0" * 64}}, certificate=str(file))
    store = made(tmp_path / "work.sqlite", [task, replace(task, key="b", what="k2.now", result={"certificate": later})])
    said = answer(capsys, "store", store, "--recheck")
    found = {line.split("(")[1].split(")")[0]: line.split()[0] for line in said.out.splitlines() if "(k2" in line}
    assert said.status == 1 and found == {"k2.before": "replaced", "k2.now": "valid"}


def test_files_that_cannot_be_read_do_not_end_the_check_of_others(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    good, huge = tmp_path / "good.jsonl", tmp_path / "huge.jsonl"
    good.write_text((Path(__file__).resolve().parents[2] / "docs" / "certificate.jsonl").read_text())
    with huge.open("wb") as stream:
        stream.truncate(1 << 31)  # a file with a hole: it takes no room
    tasks = [TaskRecord(name, f"k2.{name}", "done", True, certificate=str(each)) for name, each in (
        ("huge", huge), ("long", tmp_path / ("n" * 5000)), ("folder", tmp_path), ("good", good),
    )]
    said = answer(capsys, "store", made(tmp_path / "work.sqlite", tasks), "--recheck")
    lines = [line for line in said.out.splitlines() if "(k2" in line]
    found = {line.split("(k2.")[1].split(")")[0]: line.split("  ")[0] for line in lines}
    assert said.status == 1
    assert found == {"huge": "no certificate", "long": "missing", "folder": "missing", "good": "valid"}
    assert "1 of 4" in said.out


@pytest.mark.parametrize("accepts", [True, False])
def test_how_many_both_checkers_accept_is_said(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, accepts: bool
) -> None:
    """The one that is proved in Coq may not be built, or not have time: then the other one alone has accepted."""
    program = tmp_path / "checker"
    program.write_text(f"#!/bin/sh\nexit {0 if accepts else 2}\n")
    program.chmod(0o755)
    monkeypatch.setattr("fibprover.prover.certificate.checking.verified_checker", lambda: str(program))
    # Processes that are not forked would not know of it.
    monkeypatch.setattr("fibprover.campaigns.sweeps.processes.start_method", lambda: "fork")
    monkeypatch.setattr("fibprover.base.threads.cores", lambda: 1)
    file = Path(__file__).resolve().parents[2] / "docs" / "certificate.jsonl"
    store = made(tmp_path / "work.sqlite", [TaskRecord("a", "k2.one", "done", True, certificate=str(file))])
    said = answer(capsys, "store", store, "--recheck")
    assert said.status == 0 and f"1 of 1 certificate valid, {int(accepts)} by both checkers" in said.out


def test_comparisons(capsys: pytest.CaptureFixture[str], file: str, tmp_path: Path) -> None:
    again = replace(TWO, state="done", result=4, error="")
    other = made(tmp_path / "other", [ONE, again, replace(ONE, key="c", what="f(3)")])
    assert answer(capsys, "store", file, "--compare", file).status == 0
    said = answer(capsys, "store", file, "--compare", other)
    assert said.status == 1
    assert said.out.splitlines() == [
        "only in the second: f(3)", "f(2): failed; in the second: 4", "1 of 3 tasks are equal",
    ]


def test_a_page(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file, page = tmp_path / "work.sqlite", tmp_path / "page.html"
    made(file, [ONE, replace(TWO, what="<f>", error="a < b"), replace(ONE, key="c", what="long", seconds=3.0)])
    with Store(file) as store:
        store.claim("d", "begun")
        assert answer(capsys, "store", str(file), "--html", str(page)).status == 0
    text = page.read_text()
    assert "4 tasks: 1 under way, 2 done, 1 failed; 3.5 s" in text and "refresh" not in text
    assert "&lt;f&gt;" in text and "a &lt; b" in text and "<f>" not in text
    places = [text.index(each) for each in ("Failed", "Under way", "begun", "long", "f(1)")]
    assert places == sorted(places)
    assert answer(capsys, "store", str(file), "--every", "5").status == 2


def test_a_page_is_written_until_it_is_interrupted(
    capsys: pytest.CaptureFixture[str], file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, pauses = tmp_path / "page.html", []

    def sleep(pause: float) -> None:
        pauses.append(pause)
        if len(pauses) == 2:
            raise KeyboardInterrupt
        made(Path(file), [replace(ONE, key="new", what="f(new)")])

    monkeypatch.setattr(time, "sleep", sleep)
    assert answer(capsys, "store", file, "--html", str(page), "--every", "2").status == 130
    assert pauses == [2.0, 2.0]
    assert "f(new)" in page.read_text() and 'content="2"' in page.read_text()


def test_a_file_that_is_missing_is_not_made(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    said = answer(capsys, "store", str(tmp_path / "none.sqlite"))
    assert said.status == 2 and "none.sqlite" in said.err
    assert list(tmp_path.iterdir()) == []
