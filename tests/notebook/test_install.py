"""`fibprover kernel`."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest

from fibprover.frontends.notebook.__main__ import main as start
from tests.cli.command import answer


def test_install_and_uninstall(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "share" / "jupyter" / "kernels" / "walnut"
    said = answer(capsys, "kernel", "install", "--prefix", str(tmp_path), "--name", "walnut")
    assert said.status == 0 and "installed" in said.out and str(folder) in said.out
    kernel = json.loads((folder / "kernel.json").read_text())
    assert kernel["argv"] == [sys.executable, "-m", "fibprover.frontends.notebook", "-f", "{connection_file}"]
    assert kernel["display_name"] == "fibprover (walnut)"
    assert answer(capsys, "kernel", "install", "--prefix", str(tmp_path), "--name", "walnut").status == 0
    said = answer(capsys, "kernel", "uninstall", "--prefix", str(tmp_path), "--name", "walnut")
    assert said.status == 0 and "removed" in said.out and str(folder) in said.out
    assert not folder.exists()
    said = answer(capsys, "kernel", "uninstall", "--prefix", str(tmp_path), "--name", "walnut")
    assert said.status == 2 and "no kernel called walnut" in said.err


def test_for_the_user(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path))
    assert answer(capsys, "kernel", "install").status == 0
    assert (tmp_path / "kernels" / "fibprover" / "kernel.json").is_file()
    assert answer(capsys, "kernel", "uninstall").status == 0
    assert not (tmp_path / "kernels" / "fibprover").exists()


def test_a_kernel_of_others_is_left_alone(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "share" / "jupyter" / "kernels" / "walnut"
    folder.mkdir(parents=True)
    (folder / "kernel.json").write_text('{"argv": ["java", "-jar"], "display_name": "Walnut", "language": "walnut"}')
    said = answer(capsys, "kernel", "uninstall", "--prefix", str(tmp_path), "--name", "walnut")
    assert said.status == 2
    assert "is not fibprover's" in said.err
    assert folder.is_dir()


@pytest.mark.parametrize(
    ("arguments", "said"), [(("install", "--name", "a b"), "'a b'"), (("remove",), "ACTION cannot be remove")]
)
def test_wrong_arguments(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str) -> None:
    found = answer(capsys, "kernel", *arguments)
    assert found.status == 2
    assert said in found.err


def test_a_missing_extra_says_its_install_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    real = importlib.util.find_spec

    def without(name: str, package: str | None = None) -> object:
        return None if name == "ipykernel" else real(name, package)

    monkeypatch.setattr("fibprover.frontends.cli.kernel.find_spec", without)
    monkeypatch.setitem(sys.modules, "ipykernel.kernelapp", None)
    with pytest.raises(SystemExit, match=r"pip install 'fibprover\[notebook\]'"):
        start()
    said = answer(capsys, "kernel", "install", "--prefix", str(tmp_path))
    assert said.status == 2
    assert "ipykernel" in said.err and "pip install 'fibprover[notebook]'" in said.err
