"""The wheel without compiled kernels: what is in it, what it requires, and what it proves beside lark alone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from email.parser import Parser
from pathlib import Path

import lark
import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent

BUILD = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"


def run(*words: str | Path, cwd: Path, **variables: str) -> str:
    """Run a program, without this checkout on its path, and return its output."""
    environment = {name: text for name, text in os.environ.items() if not name.startswith(("PYTHON", "FIBPROVER"))}
    done = subprocess.run(
        [str(word) for word in words], cwd=cwd, env=environment | variables, capture_output=True, text=True,
        timeout=300, check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from a copy of the packages, their compiled kernels included."""
    place = tmp_path_factory.mktemp("pure")
    source = place / "source"
    for name in ("fibprover", "fibprover_ext", "proofs"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE", "MANIFEST.in"):
        shutil.copy(ROOT / name, source)
    run(sys.executable, "-c", BUILD, place, cwd=source, FIBPROVER_PURE="1")
    (made,) = place.glob("*.whl")
    return made


@pytest.mark.long
def test_the_wheel_is_for_every_platform(wheel: Path) -> None:
    assert wheel.name.startswith("fibprover-") and wheel.name.endswith("-py3-none-any.whl")
    files = zipfile.ZipFile(wheel).namelist()
    assert "fibprover/automata/kernels/python/automata.py" in files and "fibprover/language/grammar.lark" in files
    assert "fibprover/language/grammar.json" in files
    assert {"fibprover/proofs/k2.py", "fibprover/proofs/contents.toml", "fibprover/proofs/atlas/1-nim.toml"} <= {*files}
    endings = {".so", ".pyd", ".cpp", ".hpp", ".pyx", ".pxi", ".pxd"}
    assert [file for file in files if Path(file).suffix in endings] == []


def test_in_a_browser_it_requires_lark_alone(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as files:
        (metadata,) = (name for name in files.namelist() if name.endswith("/METADATA"))
        message = Parser().parsestr(files.read(metadata).decode())
    requirements = [Requirement(each) for each in message.get_all("Requires-Dist") or []]
    found = []
    for platform in ("linux", "emscripten"):
        environment = {"sys_platform": platform, "extra": ""}
        found.append({each.name for each in requirements if each.marker is None or each.marker.evaluate(environment)})
    assert found == [{"lark", "numpy"}, {"lark"}]


@pytest.mark.long
def test_it_proves_theorems_beside_lark_alone(wheel: Path, tmp_path: Path) -> None:
    run(sys.executable, "-m", "venv", "--without-pip", "env", cwd=tmp_path)
    programs = tmp_path / "env" / "bin"
    run(
        sys.executable, "-m", "pip", "--python", programs / "python", "install", "--quiet", "--no-index", "--no-deps",
        wheel, cwd=tmp_path,
    )
    packages = sysconfig.get_path("purelib", "venv", {"base": str(tmp_path / "env")})
    shutil.copytree(Path(lark.__file__).parent, Path(packages) / "lark", ignore=shutil.ignore_patterns("__pycache__"))
    assert sorted(each.name for each in Path(packages).iterdir() if not each.name.startswith("fibprover-")) == [
        "fibprover", "fibprover_ext", "lark",
    ]
    assert run(programs / "fibprover", "eval", "?msd_fib Ax Ey y>x", cwd=tmp_path) == "TRUE\n"
    said = run(programs / "fibprover", "prove", "K2", "--jobs", "1", "--no-vacuity", cwd=tmp_path)
    assert "theorems as expected" in said
    assert all(f"\n{name} " in said for name in ("K2.terminal", "K2.stable", "K2.absorbing"))
