"""Certificates of the lines of study about sequences that count, and about sets of numbers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fibprover.checker import fibcheck
from fibprover.sheets.study import study
from tests.few import few

#: The first numbers of factors of the Thue-Morse word, as the literature has them (A005942).
FACTORS = [1, 2, 4, 6, 10, 12, 16, 20, 22, 24, 28, 32, 36, 40, 42, 44]

#: Lines, with what the checker says of a sequence or in an equation, or a part of the statement.
SAID = {
    ("F", "complexity-formula"): r"p\(x_\d+\) = number\(x_\d+\) \+ 1 where 0<=x_\d+",
    ("T", "complexity-formula"): r"p\(x_\d+\) = 4\*number\(x_\d+\) \+ -1\*number\(x_\d+\) \+ -4 where",
    ("T", "complexity"): "is the number of .*: " + ", ".join(map(str, FACTORS)),
    ("PD", "complexity"): r"p\(x_\d+\) = 1 where x_\d+=0; p\(x_\d+\) = p\(m_\d+\) \+ differences\(m_\d+\) where",
    ("T", "palindromes"): r"is the number of .*: 1, 2, 2, 2, 2, 0, 4, 0, 4, 0, 4, 0, ",
    ("T", "left-branches"): r"by \d+ claims: .*E>=2 .*~\(E n_\d+ \(E>=3 .*values\[n_\d+\]=@1 \| values\[n_\d+\]=@2",
    ("T", "appearance-function"): r"is the number of .*: 0, 2, 7, 8, 15, 16, 29, 30, 31, (.*\n)*.*each count is finite",
    ("T", "square-orders"): r"the regular expression 0\*1\(\(0\|1\)0\*\)\?",
    ("F", "palindromic-prefixes"): r"by \d+ claims: .*\(A m_\d+ \(E n_\d+ \(m_\d+\+1<=n_\d+ & ",
}


@pytest.mark.parametrize(("word", "line", "text"), few([(*key, text) for key, text in SAID.items()], 4))
def test_certified(word: str, line: str, text: str, tmp_path: Path) -> None:
    """The checker says what the line says."""
    (found,) = study(word, only=[line], certify=tmp_path).lines
    check = found.certificate
    assert check is not None and check.checked, check
    assert re.search(text, "\n".join(fibcheck.check(check.file).understood()))


PAGE = Path(__file__).resolve().parents[2] / "docs" / "certificates.md"


def said_of(word: str, line: str, folder: Path) -> list[str]:
    """Return what the checker says of the certificate of a line."""
    (found,) = study(word, only=[line], certify=folder).lines
    assert found.certificate is not None
    return list(fibcheck.check(found.certificate.file).understood())


def test_the_page_shows_a_closed_form(tmp_path: Path) -> None:
    printed = said_of("F", "complexity-formula", tmp_path)
    first = next(place for place, line in enumerate(printed) if line.startswith("sequence "))
    assert "\n".join(["```text", *printed[first:], "```"]) in PAGE.read_text()


def test_the_page_shows_differences(tmp_path: Path) -> None:
    printed = said_of("T", "complexity", tmp_path)
    shown = [line for line in printed if line.startswith(("word differences: ", "by induction, the only sequences: "))]
    assert "\n".join(["```text", *shown, "```"]) in PAGE.read_text()


def test_the_page_shows_a_critical_exponent(tmp_path: Path) -> None:
    printed = said_of("F", "critical-exponent", tmp_path)
    (floor,) = (line for line in printed if line.startswith("predicate floor_F: "))
    assert "\n".join(["```text", floor, printed[-1], "```"]) in PAGE.read_text()
