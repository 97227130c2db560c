"""Programs that read what is written: where they are, and what they say of a file."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest


@cache
def mathics() -> str | None:
    """A Python that has Mathics3: this one, or that which FIBPROVER_MATHICS names; None if there is none."""
    python = os.environ.get("FIBPROVER_MATHICS", sys.executable)
    found = subprocess.run(
        [python, "-c", "import importlib.util, sys; sys.exit(importlib.util.find_spec('mathics') is None)"],
        capture_output=True, check=False,
    )
    return python if found.returncode == 0 else None


def needs(program: str, package: str) -> pytest.MarkDecorator:
    """Skip a test where a program is missing."""
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{package} is not installed")


needs_octave = needs("octave-cli", "octave")
needs_graphviz = needs("dot", "graphviz")
needs_pdflatex = needs("pdflatex", "pdflatex")


def said(command: Sequence[str], folder: Path | None = None, text: str = "") -> str:
    """What a program writes to standard output; it must not fail."""
    done = subprocess.run(
        command, cwd=folder, input=text, capture_output=True, text=True, encoding="utf-8", errors="replace",
        timeout=120, check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def typeset(folder: Path, body: str, preamble: str = "") -> str:
    """What pdflatex says of a document, which it must accept without a warning about a character."""
    (folder / "x.tex").write_text(
        f"\\documentclass{{article}}\n\\usepackage{{amsmath,amsthm}}\n{preamble}\n"
        f"\\begin{{document}}\n{body}\n\\end{{document}}\n", encoding="utf-8",
    )
    log = said(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "x.tex"], folder)
    assert not re.search(r"Missing character|invalid in math mode", log), log[-3000:]
    return log
