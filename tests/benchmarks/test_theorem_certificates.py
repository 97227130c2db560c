"""The table of certified theorems counts what was found, and a script that is finished is not tried again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import theorem_certificates


def row(verdict: bool | None, reason: str = "", size: int = 2000, verified: bool = True) -> dict[str, object]:
    """A row of `fibprover prove --json`."""
    made = {"bytes": size, "reason": reason, "checked": not reason, "verified": verified, "written_seconds": 0.5,
            "checked_seconds": 2.0}
    return {"verdict": verdict, "skipped": False, **({} if verdict is None else {"certificate": made})}


def test_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    found = {"k1": [row(True), row(False, size=4000, verified=False)], "k2": [row(True, "20 s are spent"), row(None)]}
    for name, rows in found.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(rows))

    def never(*arguments: object, **options: object) -> None:
        raise AssertionError("a script that is finished is proved again")

    monkeypatch.setattr("benchmarks.theorem_certificates.subprocess.run", never)
    assert theorem_certificates.main([str(tmp_path), "k1", "k2"]) == 0
    lines = [line.strip("| ").split(" | ") for line in capsys.readouterr().out.splitlines()]
    assert lines[2][:6] == ["k1", "2", "2", "1", "3.0", "4.0"]
    assert lines[3][:6] == ["k2", "1", "0", "0", "-", "-"]
    assert lines[4][:4] == ["all", "3", "2", "1"]
    assert ["1 not certified: 20 s are spent"] in lines and ["0 skipped as they take long, 1 not decided"] in lines
