"""Certificates of lines about all words of a family, and about some of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from fibprover.checker import fibcheck
from fibprover.sheets import certified
from fibprover.sheets.study import study


@pytest.mark.parametrize(("word", "line", "some"), [
    ("0->01,1->10 | 0->01,1->00", "complement", "$slopes_complement_W() <=> "),
    ("0->01,1->10 | 0->01,1->00", "overlaps", "$slopes_overlaps_W() <=> "),
    ("0->01,1->10 | 0->01,1->00", "recurrent", ""),
    ("sturmian", "letter-0", ""),
])
def test_lines_about_a_family(word: str, line: str, some: str, tmp_path: Path) -> None:
    """Where a line is true for some sequences, its certificate says that these are those of an expression."""
    sheet = study(word, only=[line], certify=tmp_path)
    (found,) = sheet.lines
    assert found.certificate is not None and found.certificate.checked and found.slopes is not None
    assert (found.slopes.answer == "some") is bool(some)
    said = list(fibcheck.check(found.certificate.file).understood())
    assert some in said[-1]
    if some:
        (predicate,) = (each for each in said if each.startswith("predicate slopes_"))
        shorter = min(filter(None, (found.slopes.expression, found.slopes.complement.expression)), key=len)
        assert f"are words of {shorter};" in predicate


def test_an_expression_that_no_certificate_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A certificate that had a digest in its place would not say what the line says."""
    monkeypatch.setattr(certified, "sequences", lambda definition: {})
    (found,) = study("0->01,1->10 | 0->01,1->00", only=["complement"], certify=tmp_path).lines
    assert found.certificate is not None and not found.certificate.checked and "too long" in found.certificate.reason
