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


def keep(folder: Path, name: str, rows: object, *options: str) -> None:
    """Write what the folder has of a script that was finished with options."""
    given = options or ("--timeout", "60", "--max-memory", "4G")
    made_with = theorem_certificates.made_with(theorem_certificates.PROOFS / f"{name}.py", given)
    (folder / f"{name}.json").write_text(json.dumps({"made_with": made_with, "rows": rows}))


def test_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    found = {"k1": [row(True), row(False, size=4000, verified=False)], "k2": [row(True, "20 s are spent"), row(None)]}
    for name, rows in found.items():
        keep(tmp_path, name, rows)

    def never(*arguments: object, **options: object) -> None:
        raise AssertionError("a script that is finished is proved again")

    monkeypatch.setattr("benchmarks.theorem_certificates.subprocess.run", never)
    assert theorem_certificates.main([str(tmp_path), "k1", "k2"]) == 0
    lines = [line.strip("| ").split(" | ") for line in capsys.readouterr().out.splitlines()]
    assert lines[2][:6] == ["k1", "2", "2", "1", "3.0", "4.0"]
    assert lines[3][:6] == ["k2", "1", "0", "0", "-", "-"]
    assert lines[4][:4] == ["all", "3", "2", "1"]
    assert ["1 not certified: 20 s are spent"] in lines and ["0 skipped as they take long, 1 not decided"] in lines


def test_results_of_other_options_are_not_taken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(tmp_path, "k1", [row(True)], "--timeout", "1", "--max-memory", "4G")
    (tmp_path / "k2.json").write_text(json.dumps([row(True)]))  # as an earlier program has written it
    commands = list[list[str]]()

    def prove(command: list[str], **options: object) -> None:
        commands.append(command)
        if Path(command[-1]).stem == "k1":
            Path(command[command.index("--json") + 1]).write_text(json.dumps([row(True), row(True)]))

    monkeypatch.setattr("benchmarks.theorem_certificates.subprocess.run", prove)
    assert theorem_certificates.main([str(tmp_path), "--table", "k1", "k2"]) == 0
    assert commands == [] and "| k1 |" not in capsys.readouterr().out
    assert theorem_certificates.main([str(tmp_path), "k1", "k2"]) == 0
    assert [Path(command[-1]).stem for command in commands] == ["k1", "k2"]
    assert "| k1 | 2 | 2 |" in capsys.readouterr().out
    # k1 is there now; k2, whose proofs were killed, is tried again.
    assert theorem_certificates.main([str(tmp_path), "k1", "k2"]) == 0
    assert [Path(command[-1]).stem for command in commands] == ["k1", "k2", "k2"]
    assert theorem_certificates.main([str(tmp_path), "--timeout", "1", "k1"]) == 0
    assert [Path(command[-1]).stem for command in commands[3:]] == ["k1"]
