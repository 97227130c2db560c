"""`fibprover prove` on scripts written for the purpose."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fibprover.frontends.cli.main import main
from tests.theorems.scripts import Prove, Write


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are as wide as in a pipe."""
    monkeypatch.setenv("COLUMNS", "160")


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a file of a folder of scripts."""

    def writer(text: str, name: str = "theorems.py") -> Path:
        file = tmp_path / "scripts" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    return writer


@pytest.fixture
def prove(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Prove:
    """Runs `fibprover prove`: exit status, JSON objects, standard output and error."""

    def prover(*arguments: str | Path) -> tuple[int, list[dict[str, Any]], str, str]:
        file = tmp_path / "out.json"
        file.unlink(missing_ok=True)
        status = main(["prove", *map(str, arguments), "--json", str(file)])
        shown = capsys.readouterr()
        return status, json.loads(file.read_text()) if file.exists() else [], shown.out, shown.err

    return prover
