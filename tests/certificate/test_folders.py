"""`fibprover check` of a folder, and `--explain`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import fibprover as fp
from fibprover.campaigns import certificates
from fibprover.frontends.cli import check
from fibprover.prover.certificate import checking
from fibprover.prover.certificate.explained import explained
from fibprover.prover.verdict.verdict import Verdict
from tests.cli.command import answer


@pytest.fixture
def folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Two certificates, one of them in a folder below."""
    folder = tmp_path / "certificates"
    (folder / "below").mkdir(parents=True)
    for name, formula in (("less", "Ax Ey x<y"), ("below/word", "?msd_2 En T[n]=T[n+1]")):
        answer(capsys, "eval", formula, "--certificate", str(folder / f"{name}.jsonl.gz"))
    (folder / "notes.txt").write_text("no certificate")
    return folder


def test_a_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "check", str(folder), "-j", "1")
    *lines, last = said.out.splitlines()
    assert said.status == 0 and [line.split()[0] for line in lines] == ["valid", "valid"]
    assert [line.split()[-1] for line in lines] == ["less.jsonl.gz", str(Path("below/word.jsonl.gz"))]
    assert last.startswith("2 of 2 valid (")


@pytest.mark.long
def test_results_are_kept(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What has not changed is not checked again; what has is, and is refused."""
    kept = tmp_path / "results.jsonl"
    command = ("check", str(folder), "--results", str(kept), "-j", "2")
    assert "known" not in answer(capsys, *command).out
    assert "2 of them known before" in answer(capsys, *command).out
    wrong = folder / "less.jsonl.gz"
    wrong.write_bytes(gzip.compress(gzip.decompress(wrong.read_bytes()).replace(b"(A x", b"~(A x")))
    said = answer(capsys, *command, "--json")
    (word, less) = sorted(json.loads(said.out), key=lambda each: each["file"])
    assert said.status == 1 and word["verdict"] == "valid" and less["verdict"] == "invalid" and less["reason"]
    (folder / "broken.jsonl").write_text("{}\n")
    wrong.unlink()
    assert answer(capsys, *command).status == 2
    assert len(kept.read_text().splitlines()) == 2
    kept.write_text("other text\n")
    assert answer(capsys, *command).status == 2 and kept.read_text() == "other text\n"


def test_a_folder_by_both_checkers(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each says its own; what one has found does not count for both."""
    program, kept = tmp_path / "program", tmp_path / "results.jsonl"
    command = ("check", str(folder), "-j", "1", "--results", str(kept), "--json")

    def said(*options: str) -> dict[str, str]:
        return {each["file"][-13:]: each["verdict"] for each in json.loads(answer(capsys, *command, *options).out)}

    # Processes that are not forked would not know of the other program.
    monkeypatch.setattr("fibprover.campaigns.sweeps.processes.start_method", lambda: "fork")
    monkeypatch.setattr(checking, "verified_checker", lambda: None)
    monkeypatch.setattr(certificates, "verified_checker", lambda: None)
    monkeypatch.setattr(check, "verified_checker", lambda: None)
    assert set(said().values()) == {"valid"}
    assert "make verified" in answer(capsys, *command, "--both").err
    program.write_text('#!/bin/sh\ncase "$3" in *less*) exit 1;; esac\n')
    program.chmod(0o755)
    for module in (checking, certificates, check):
        monkeypatch.setattr(module, "verified_checker", lambda: str(program))
    assert said("--both") == {"less.jsonl.gz": "invalid", "word.jsonl.gz": "valid"}
    program.write_text("#!/bin/sh\nexit 2\n")
    assert set(said("--both").values()) == {"no certificate"} and set(said().values()) == {"valid"}
    assert answer(capsys, "check", str(folder / "less.jsonl.gz"), "--both").status == 2


def test_explained(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(folder / "below" / "word.jsonl.gz")
    said = answer(capsys, "check", "--explain", file)
    assert said.status == 0 and "there is n such that" in said.out and "\\exists n" in said.out
    assert "0 -> 01, 1 -> 10" in said.out and "Trusted" in said.out
    found = json.loads(answer(capsys, "check", "--explain", "--json", file).out)
    assert found["claims"] == sum(found["rules"].values()) and found["bytes"] == Path(file).stat().st_size
    page = folder / "page.html"
    assert answer(capsys, "check", "--explain", "--html", str(page), file).status == 0
    text = page.read_text()
    assert "there is n such that" in text and "default-src" in text and "<script" not in text and "http:" not in text
    assert answer(capsys, "check", "--html", str(page), file).status == 2
    before = Path(file).read_bytes()
    assert answer(capsys, "check", "--explain", "--html", file, file).status == 2 and Path(file).read_bytes() == before
    wrong = folder / "wrong.jsonl"
    wrong.write_bytes(gzip.decompress(Path(file).read_bytes()).replace(b'"(E n_0', b'"~(E n_0'))
    refused = answer(capsys, "check", "--explain", str(wrong))
    assert refused.status == 1 and "INVALID" in refused.out and "Statement" not in refused.out
    assert answer(capsys, "check", "--explain", str(folder)).status == 2
    assert answer(capsys, "check", "--json", file).status == 2


def test_the_name_of_a_predicate_says_nothing(tmp_path: Path) -> None:
    """A predicate that a file calls pal_T may be any: here of all pairs of equal numbers."""
    session = fp.Session("msd_2")
    session.run('reg both msd_2 msd_2 "([0,0]|[1,1])*":')
    verdict = session.eval("Ei,n $both(i,n)")
    assert isinstance(verdict, Verdict)
    file = tmp_path / "forged.jsonl"
    file.write_text("\n".join(map(json.dumps, verdict.certificate().lines)).replace("both", "pal_T"))
    found = explained(file)
    assert "$pal_T" in found.statement and "pal_T(i, n)" in found.words and "palindrome" not in str(found)
