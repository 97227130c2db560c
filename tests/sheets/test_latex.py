"""Sheets as LaTeX."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import fibprover as fp

IDS = ("letter-1-gaps", "complexity", "reversal", "critical-exponent", "bispecial")


@pytest.fixture(scope="module")
def text() -> str:
    sheet = fp.study("0->01, 1->0", only=IDS)
    assert sheet._repr_latex_() == sheet.to_latex()
    return sheet.to_latex()


def test_a_sheet_is_sections_with_items(text: str) -> None:
    """The last section says what the predicates of the others mean, each before it is called."""
    titles = ["Letters", "Factors", "Symmetry", "Repetitions", "Special factors", "The predicates in the formulas"]
    assert re.findall(r"subsection\*\{(.*)\}", text) == titles and text.count("\\item[") == len(IDS)
    assert text.count("\\begin{") == text.count("\\end{") and text.count("{") == text.count("}")
    assert text.count("$") % 2 == 0
    sheet, _, defined = text.partition("The predicates in the formulas")
    equal, first = r"\mathrm{feq}_{\mathrm{W}}(i, j, n)$ means", r"\mathrm{first}_{\mathrm{W}}(i, n)$ means"
    assert r"\mathrm{first}_{\mathrm{W}}(i, n)" in sheet and 0 < defined.index(equal) < defined.index(first)


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_it_compiles(text: str, tmp_path: Path) -> None:
    body = f"\\documentclass{{article}}\n\\usepackage{{amsmath}}\n\\begin{{document}}\n{text}\\end{{document}}\n"
    (tmp_path / "sheet.tex").write_text(body)
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "sheet.tex"], cwd=tmp_path, capture_output=True,
        check=False,
    )
    assert done.returncode == 0 and (tmp_path / "sheet.pdf").exists(), done.stdout
