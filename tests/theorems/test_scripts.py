"""Scripts and folders of scripts: found, imported apart from each other, reported where they fail."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import fibprover as fp
from fibprover.frontends.cli.main import main
from tests.theorems.scripts import HEAD, TRUE, Prove, Write, verdicts


def test_folders_are_searched_and_underscores_passed_over(write: Write, prove: Prove) -> None:
    script = "import fibprover as fp\nc = fp.Chapter('T')\nc.theorem('{0}', '1=1', statement='s')\n"
    for name in ("b.py", "a.py", "deep/er/c.py", "_no.py", "_deep/no2.py", ".hidden.py"):
        write(script.format(name.replace("/", ".")), name)
    write("not python", "notes.txt")
    folder = write(script.format("last"), "z.py").parent
    status, objects, _, _ = prove(folder, folder / "a.py")
    assert (status, [row["id"] for row in objects]) == (0, ["a.py", "b.py", "deep.er.c.py", "last"])
    status, objects, _, _ = prove(folder / "_no.py")
    assert (status, [row["id"] for row in objects]) == (0, ["_no.py"])


def test_scripts_are_apart_from_each_other(write: Write, prove: Prove) -> None:
    script = HEAD + "from _helper import NAME\nc.define('f', 'x=1')\nc.theorem(NAME, '$f(1)', statement='s')\n"
    for folder in ("one", "two"):
        write(f"NAME = {folder!r}\n", f"{folder}/_helper.py")
        write(script, f"{folder}/same.py")
    before = set(sys.modules), list(sys.path)
    root = write(HEAD + "c.theorem('undefined', '$f(1)', statement='s')\n", "z.py").parent
    status, objects, _, err = prove(root)
    assert verdicts(objects) == {"one": True, "two": True, "undefined": None}
    assert status == 2 and "z.py:3: undefined: " in err
    assert not {name for name in set(sys.modules) - before[0] if "helper" in name or "same" in name}
    assert sys.path == before[1]


def test_every_chapter_of_a_script_is_run(write: Write, prove: Prove) -> None:
    script = (
        "import fibprover as fp\n"
        "a, b = fp.Chapter('A', system='msd_fib'), fp.Chapter('B')\nagain = a\n"
        "b.theorem('second', 'Ax x=x', statement='s')\na.theorem('first', 'Ax x=x', statement='s')\n"
    )
    status, objects, _, _ = prove(write(script))
    assert (status, [row["id"] for row in objects]) == (0, ["first", "second"])


def test_a_path_that_does_not_exist_is_an_error(tmp_path: Path, prove: Prove) -> None:
    status, objects, _, err = prove(tmp_path / "nowhere")
    assert (status, objects) == (2, []) and "nowhere" in err


def test_json_that_cannot_be_written_is_an_error_after_the_table(
    write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main(["prove", str(write(TRUE)), "--json", str(tmp_path)])
    shown = capsys.readouterr()
    assert status == 2 and "t.true" in shown.out and "cannot be written" in shown.err


def test_a_script_runs_by_itself(write: Write) -> None:
    end = "if __name__ == '__main__':\n    raise SystemExit(fp.prove_script(__file__))\n"
    file = write(TRUE + "c.theorem('no', 'Ax x=1', statement='s')\n" + end)
    done = subprocess.run([sys.executable, file, "-k", "t.true"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "") and "all 1 theorem as expected" in done.stdout
    done = subprocess.run([sys.executable, file], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "no is FALSE, expected TRUE" in done.stderr


def test_a_command_line_of_something_else_is_not_read(
    write: Write, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A notebook calls prove_script as well, and its kernel has options of its own."""
    file = write(TRUE)
    monkeypatch.setattr(sys, "argv", ["ipykernel_launcher.py", "-f", "kernel.json"])
    assert fp.prove_script(file) == 0
    assert "all 1 theorem as expected" in capsys.readouterr().out
