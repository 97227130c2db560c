"""The steps of an installation, and what the Makefile installs for whom."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

STEP = [sys.executable, str(ROOT / ".ci" / "step.py")]


def step(what: str, code: str) -> subprocess.CompletedProcess[str]:
    """Run Python code as a step, with its output in pipes."""
    command = [*STEP, what, sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_a_step_is_a_line_and_hides_what_it_prints() -> None:
    done = step("making it", "print('noise')")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"making it: \d+ s\n", done.stdout)


def test_a_step_that_fails_shows_what_it_printed() -> None:
    done = step("making it", "import sys; print('first', flush=True); sys.exit('last')")
    assert done.returncode == 1
    assert re.fullmatch(r"making it: \d+ s, failed\n", done.stdout)
    assert done.stderr == "first\nlast\n"


def test_a_step_that_is_killed_fails() -> None:
    done = step("making it", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    assert done.returncode == 128 + signal.SIGKILL


def test_a_program_that_is_missing_is_named() -> None:
    done = subprocess.run([*STEP, "making it", "/nowhere/maker"], capture_output=True, text=True, check=False)
    assert done.returncode == 127
    assert done.stderr == "/nowhere/maker: No such file or directory\n"


@pytest.mark.long
def test_a_terminal_counts_the_seconds() -> None:
    ours, theirs = os.openpty()
    code = "import time; time.sleep(1.5)"
    with subprocess.Popen([*STEP, "making it", sys.executable, "-c", code], stdout=theirs):
        os.close(theirs)
        shown = b""
        while b"\n" not in shown:
            shown += os.read(ours, 1000)
    os.close(ours)
    seconds = [int(text) for text in re.findall(rb"making it: (\d+) s", shown)]
    assert seconds == sorted(seconds)
    assert len(seconds) >= 2
    assert seconds[-1] >= 1


def made(tmp_path: Path, target: str) -> str:
    """Return what make would do for a target where nothing is installed."""
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    # Within `make test` this is a make of its own.
    outer = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS"}
    surroundings = {name: value for name, value in os.environ.items() if name not in outer}
    done = subprocess.run(
        ["make", "-n", target, f"VENV={tmp_path}/venv"],
        cwd=ROOT, env=surroundings, capture_output=True, text=True, check=True,
    )
    return done.stdout


def test_an_environment_without_pip_is_made_anew(tmp_path: Path) -> None:
    """An interruption leaves such a one, and so does Debian's Python where its package of venv is missing."""
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    python = tmp_path / "python"
    python.write_text(
        f'#!/bin/sh\ncase "$*" in "-m venv"*) echo nothing is made; exit 7;; esac\nexec "{sys.executable}" "$@"\n'
    )
    python.chmod(0o755)
    done = subprocess.run(
        ["make", "prove", f"VENV={tmp_path}/venv", f"PYTHON={python}"], cwd=ROOT, capture_output=True, text=True,
        env={name: value for name, value in os.environ.items() if not name.startswith("M")}, check=False,
    )
    assert done.returncode and re.search(r"making .*venv: \d+ s, failed", done.stdout), done.stdout
    assert "nothing is made" in done.stderr


@pytest.mark.long
def test_the_kernels_are_translated_anew_when_their_options_change(tmp_path: Path) -> None:
    pytest.importorskip("Cython")
    shutil.copy(ROOT / "setup.py", tmp_path)
    (tmp_path / "fibprover_ext").mkdir()
    for header in (ROOT / "fibprover_ext").glob("*.hpp"):
        shutil.copy(header, tmp_path / "fibprover_ext")
    for name in ("automata", "inference", "games"):
        (tmp_path / "fibprover_ext" / f"{name}.pyx").write_text("def one():\n    return 1\n")
    made = tmp_path / "build" / "cython" / "fibprover_ext" / "games.cpp"
    times = []
    for renewed in (False, False, True):
        if renewed:
            later = made.stat().st_mtime + 1
            os.utime(tmp_path / "setup.py", (later, later))
        code = "import setup; setup.extensions()"
        subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
        times.append(made.stat().st_mtime_ns)
    assert times[0] == times[1] < times[2]


def test_proving_installs_nothing_for_tests(tmp_path: Path) -> None:
    installed = re.compile(r"requirements\.py (\w+)")
    assert installed.findall(made(tmp_path, "prove")) == ["needed"]
    assert installed.findall(made(tmp_path, "test")) == ["needed", "dev"]
    file = tomllib.loads((ROOT / "pyproject.toml").read_text())
    listed = subprocess.run(
        [sys.executable, ".ci/requirements.py", "needed"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    labels = file["project"]["optional-dependencies"]["labels"]
    needed = [*file["project"]["dependencies"], *labels, *file["build-system"]["requires"]]
    assert listed == [requirement.partition(";")[0] for requirement in needed]  # markers are for browsers


def test_the_first_lines_of_the_readme_are_those_that_proving_ends_with(tmp_path: Path) -> None:
    text = (ROOT / "README.md").read_text()
    first, second = re.findall(r"^    (\S.*?) +#", text, re.MULTILINE)[:2]
    assert first == "make prove"
    assert second == "source .venv/bin/activate"
    assert second.replace(".venv", f"{tmp_path}/venv") in made(tmp_path, "prove").splitlines()[-1]


def test_the_commands_of_the_readme_are_targets(tmp_path: Path) -> None:
    targets = re.findall(r"^    make ([\w-]+)", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert len(targets) >= 3
    for target in targets:
        assert made(tmp_path, target)
