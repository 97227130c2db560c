"""Scripts and folders of scripts: found, imported apart from each other, reported where they fail."""

from __future__ import annotations

import os
import py_compile
import subprocess
import sys
from pathlib import Path

import pytest

import fibprover as fp
from fibprover.frontends.cli.main import main
from tests.theorems.scripts import HEAD, TRUE, Prove, Write, verdicts


@pytest.mark.long
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


@pytest.mark.parametrize("helper", ["_helper.py", "parts/__init__.py", "parts/first.py"])
def test_helpers_are_compiled_from_their_texts(helper: str, write: Write, prove: Prove) -> None:
    """Python may keep compiled code of another text with the same length and the same time."""
    module = helper.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    script = write(HEAD + f"from {module} import TEXT\nc.theorem('t', TEXT, statement='s')\n")
    file = write("TEXT = 'An n>=0'\n", helper)
    kept = py_compile.compile(str(file), invalidation_mode=py_compile.PycInvalidationMode.TIMESTAMP, doraise=True)
    before, finders = file.stat(), list(sys.meta_path)
    write("TEXT = 'An n>=1'\n", helper)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert kept is not None and Path(kept).is_file() and file.stat().st_size == before.st_size
    assert verdicts(prove(script)[1]) == {"t": False}
    assert sys.meta_path == finders


@pytest.mark.parametrize("name", ["theorems.pyc", "theorems.txt", "theorems"])
def test_a_file_that_is_no_script_is_an_error(name: str, write: Write, prove: Prove) -> None:
    file = write("", name)
    file.write_bytes(b"\0\0")
    status, objects, _, err = prove(file)
    assert status == 2 and not objects and name in err and "end in .py" in err and "SyntaxError" not in err


@pytest.mark.parametrize("regular", [True, False])
def test_helpers_in_packages_are_apart_from_each_other(regular: bool, write: Write, prove: Prove) -> None:
    for folder in ("one", "two"):
        write(f"NAME = {folder!r}\n", f"{folder}/_parts/first.py")
        if regular:
            write("", f"{folder}/_parts/__init__.py")
        file = write(HEAD + "from _parts.first import NAME\nc.theorem(NAME, '0=0', statement='s')\n", f"{folder}/x.py")
    assert verdicts(prove(file.parent.parent)[1]) == {"one": True, "two": True}
    assert not {name for name in sys.modules if name.startswith("_parts")}


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


@pytest.mark.long
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
