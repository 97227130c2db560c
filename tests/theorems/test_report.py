"""The table's shape."""

from __future__ import annotations

import mmap
from dataclasses import replace

import pytest

from fibprover.base.limits import peak_bytes, reset_peak
from fibprover.campaigns.theorems.chapter import DeclaredTheorem, SourceLine
from fibprover.campaigns.theorems.proof_report import ProofReport, Row
from fibprover.prover.certificate.checking import CertificateCheck


def row(name: str, statement: str, source: str = "a source that is rather long, section 12.3") -> Row:
    claim = DeclaredTheorem(name, "1=1", statement, source, "strong", True, None, SourceLine("x.py", 1))
    return Row(claim, True, None, 12, 0.25, 1000)


@pytest.mark.parametrize("width", [110, 120, 200])
def test_long_texts_are_folded_into_the_width_and_lose_nothing(width: int) -> None:
    statement = " ".join(f"word{i}" for i in range(40))
    lines = ProofReport((row("a", statement), row("b", "short", "")), ()).table(width).splitlines()
    assert max(map(len, lines)) <= width
    begin, end = lines[0].index("statement"), lines[0].index("source")
    shown = " ".join(line[begin:end].strip() for line in lines[2:] if not line.startswith("b"))
    assert shown == statement
    assert lines[2].split()[-5:] == ["TRUE", "yes", "12", "0.250", "0"]


def test_on_a_narrow_terminal_the_texts_stand_below_their_row() -> None:
    rows = (row("a", "one two three", "somewhere"), row("b", " ".join(["many"] * 30), ""))
    lines = ProofReport(rows, ()).table(80).splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].split() == ["id", "form", "verdict", "expected", "largest", "seconds", "MB"]
    assert lines[2:4] == ["a   strong  TRUE     yes            12    0.250   0", "    one two three, somewhere"]
    assert " ".join(lines[5:]).split() == ["many"] * 30


def test_a_table_too_narrow_for_its_columns_is_still_whole() -> None:
    table = ProofReport((row("a", "one two three"),), ()).table(10)
    assert "one two three" in table and "0.250" in table


def test_certificates_are_counted_and_reasons_by_kind() -> None:
    reasons = ["", *(f"it is not checked: line {line}: Malformed too long" for line in (7, 12)), "odd"]
    made = [CertificateCheck("x", 1000, 1.0, 2.0, reason) for reason in reasons]
    report = ProofReport(tuple(replace(row(str(place), ""), certificate=one) for place, one in enumerate(made)), ())
    lines = report.certificates()
    assert [line.split()[0] for line in lines[:3]] == ["1", "2", "3"]
    assert lines[3].startswith("1 of 4 ")
    assert lines[4:] == ["  2 not: it is not checked: too long", "  1 not: odd"]


def test_the_peak_is_of_the_work_since_the_reset() -> None:
    if peak_bytes() is None:
        pytest.skip("this platform does not tell a process its peak memory")
    reset_peak()
    before = peak_bytes() or 0
    with mmap.mmap(-1, 50_000_000) as block:  # pages that no earlier test has left to this process
        block.write(b"x" * 50_000_000)
        during = peak_bytes() or 0
    assert during >= before + 40_000_000
    reset_peak()
    after = peak_bytes() or 0
    assert after <= during  # less where the mark can be reset, the same where it cannot
