"""The theorems and the atlas that come with fibprover are found in any folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from fibprover.base.errors import FileProblem
from fibprover.campaigns.bundled import bundled_folder, paths_meant
from fibprover.frontends.cli.main import main


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_folder_here_comes_first(tmp_path: Path) -> None:
    assert paths_meant([]) == [bundled_folder()]
    (tmp_path / "proofs").mkdir()
    assert paths_meant([]) == [Path("proofs")]


def test_a_name_is_that_of_a_script(tmp_path: Path) -> None:
    scripts = bundled_folder()
    assert paths_meant(["K2", "m-wythoff"]) == [scripts / "k2.py", scripts / "m_wythoff.py"]
    (tmp_path / "k2").mkdir()
    assert paths_meant(["k2"]) == [Path("k2")]
    assert paths_meant(["K2"]) == [scripts / "k2.py"] or Path("K2").exists()  # file systems may ignore case


@pytest.mark.parametrize("name", ["K22", "_paper", "nothing"])
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(FileProblem):
        paths_meant([name])


@pytest.mark.long
def test_a_chapter_is_proved_and_a_game_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", "K2", "-k", "K2.stable", "--no-vacuity", "--jobs", "1"]) == 0
    assert "K2.stable" in capsys.readouterr().out
    assert main(["atlas", "--only", "wythoff"]) == 0
    assert "wythoff" in capsys.readouterr().out
