"""Walnut's folders: whose files come first, what a name may be, and what is left when writing is cut off."""

from __future__ import annotations

import signal
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest

from fibprover.base.errors import FileProblem
from fibprover.base.folders import (
    AUTOMATA,
    BASES,
    COMMANDS,
    RESULT,
    WRITTEN,
    Folders,
    LazyFileMapping,
    folders_for,
    snapshot,
)
from fibprover.workspace.walnut import base_files, read_base, write_automaton


@pytest.fixture
def places(tmp_path: Path) -> Folders:
    made = Folders(tmp_path / "home", tmp_path / "deep" / "session")
    (made.home / AUTOMATA).mkdir(parents=True)
    made.prepare()
    return made


def test_a_name_that_an_earlier_session_made(places: Folders) -> None:
    """The latest of them is named; the session itself, and one that another library has the name of, are not."""
    now = Folders(places.home, places.home / "Session" / "2026_03")
    now.prepare()
    for session in ("2026_01", "2026_02", "2026_03"):
        put(places.home / "Session" / session, AUTOMATA if session != "2026_03" else BASES, "even")
    assert "2026_02'" in now.elsewhere(AUTOMATA, "even")
    assert now.elsewhere(AUTOMATA, "odd") == now.elsewhere(AUTOMATA, "../even") == now.elsewhere(RESULT, "even") == ""
    put(now.session, AUTOMATA, "even")
    assert "2026_02'" in now.elsewhere(AUTOMATA, "even")


def put(folder: Path, library: str, name: str) -> Path:
    path = folder / library / f"{name}.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("true\n")
    return path


def test_the_folders_that_are_written_to_are_there_from_the_beginning(places: Folders) -> None:
    assert sorted(path.name for path in places.session.iterdir()) == sorted(WRITTEN)
    assert places.result == places.session / RESULT


def test_the_session_comes_before_the_home(places: Folders) -> None:
    assert places.find(AUTOMATA, "f") is None
    at_home = put(places.home, AUTOMATA, "f")
    assert places.find(AUTOMATA, "f") == at_home
    own = put(places.session, AUTOMATA, "f")
    put(places.session, AUTOMATA, "g")
    assert places.find(AUTOMATA, "f") == own
    assert places.names(AUTOMATA) == ["f", "g"]


def test_a_base_in_either_direction(places: Folders) -> None:
    lsd = put(places.home, BASES, "lsd_b")
    assert places.base("b") == lsd
    msd = put(places.home, BASES, "msd_b")
    assert places.base("b") == msd
    assert places.base("c") is None


@pytest.mark.parametrize(
    "name", ["../f", "sub/f", "", ".", "..", "f.txt", "f\0", "/etc/passwd", "a\\b", "x" * 5000 + "/"]
)
def test_names_do_not_leave_the_folder(places: Folders, name: str) -> None:
    put(places.home, "", "f")
    put(places.home, AUTOMATA + "/sub", "f")
    assert places.find(AUTOMATA, name) is None
    with pytest.raises(FileProblem, match="cannot be the name"):
        places.place(AUTOMATA, name)


def test_a_name_too_long_for_a_file_has_none(places: Folders) -> None:
    assert places.find(AUTOMATA, "x" * 5000) is None


def test_scripts_do_not_leave_the_folder(places: Folders) -> None:
    assert places.command_file("a/b.txt") == places.home / COMMANDS / "a" / "b.txt"
    for name in ("../x.txt", "a/../../x.txt", str(places.home / "x.txt")):
        with pytest.raises(FileProblem, match="lies outside"):
            places.command_file(name)


def test_no_home_and_no_place_for_a_session(tmp_path: Path) -> None:
    with pytest.raises(FileProblem, match="not a folder"):
        Folders(tmp_path / "nowhere", tmp_path / "s").prepare()
    (tmp_path / "file").write_text("")
    with pytest.raises(FileProblem, match="cannot be made"):
        Folders(tmp_path, tmp_path / "file").prepare()
    assert not (tmp_path / "s").exists()


def test_what_the_options_mean() -> None:
    def now() -> datetime:
        return datetime(2026, 1, 2, 3, 4, 5)

    assert folders_for("H", "S") == Folders(Path("H"), Path("S"))
    assert folders_for("H", "S", one=True) == Folders(Path("H"), Path("H"))
    assert folders_for(None, "S") == Folders(Path(), Path("S"))
    assert folders_for("H", None, now=now) == Folders(Path("H"), Path("H/Session/2026_01_02_03_04_05"))


def test_sessions_of_the_same_second_have_folders_of_their_own(tmp_path: Path) -> None:
    def now() -> datetime:
        return datetime(2026, 1, 2, 3, 4, 5)

    made = []
    for _ in range(3):
        found = folders_for(str(tmp_path), None, now=now)
        found.prepare()
        made.append(found.session.name)
    assert made == ["2026_01_02_03_04_05", "2026_01_02_03_04_05_2", "2026_01_02_03_04_05_3"]


# -- names that are read and written ----------------------------------------------------------------


def test_a_shelf_reads_once_and_writes_before_it_remembers() -> None:
    asked: list[str] = []
    written: dict[str, int] = {}

    def read(name: str) -> int | None:
        asked.append(name)
        return {"a": 1, "b": 2}.get(name)

    def write(name: str, meaning: int) -> None:
        if meaning < 0:
            raise FileProblem("the disk is full")
        written[name] = meaning

    shelf = LazyFileMapping({"own": 0}, read, write, lambda: ["a", "b"])
    assert (shelf["a"], shelf["a"], shelf["own"], shelf.get("c"), "b" in shelf) == (1, 1, 0, None, True)
    assert asked == ["a", "c", "b"]
    assert list(shelf) == ["own", "a", "b"]
    shelf["a"] = 5
    assert (shelf["a"], written) == (5, {"a": 5})
    with pytest.raises(FileProblem):
        shelf["a"] = -1
    with pytest.raises(FileProblem):
        shelf["new"] = -1
    assert (shelf["a"], shelf.get("new")) == (5, None)


def test_a_shelf_at_a_moment() -> None:
    shelf: LazyFileMapping[int] = LazyFileMapping({}, {"a": 1}.get, lambda name, meaning: None, lambda: ["a"])
    before = snapshot(shelf)
    shelf["a"] = 2
    shelf["b"] = 3
    assert (before["a"], before.get("b"), shelf["a"]) == (1, None, 2)


# -- writing that is cut off ------------------------------------------------------------------------

_KILLED = """
import os, signal, sys
from fibprover.base.files import write_text
def killed(*_): os.kill(os.getpid(), signal.SIGKILL)
{moment} = killed
write_text(sys.argv[1], "new " * 100_000)
"""


@pytest.mark.parametrize("moment", ["os.fsync", "os.replace"])
@pytest.mark.parametrize("old", [None, "old\n"])
def test_a_killed_process_leaves_the_old_file_or_none(places: Folders, moment: str, old: str | None) -> None:
    path = places.place(AUTOMATA, "f")
    if old is not None:
        path.write_text(old)
    ended = subprocess.run(
        [sys.executable, "-c", _KILLED.format(moment=moment), str(path)], capture_output=True, check=False
    )
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    assert (path.read_text() if path.exists() else None) == old
    assert places.names(AUTOMATA) == ([] if old is None else ["f"])  # what lies beside it is no name


def test_bases_round_trip(tmp_path: Path) -> None:
    corpus = Path(__file__).parents[3] / "shared" / "corpus" / "library" / BASES
    if not corpus.is_dir():
        pytest.skip("the corpus is not beside the checkout")
    for name in ("msd_fib", "msd_neg_fib", "msd_ns"):
        base = read_base(corpus / f"{name}.txt")
        for file, automaton in base_files(base):
            write_automaton(automaton, tmp_path / f"{file}.txt")
        assert read_base(tmp_path / f"{name}.txt") == base
    assert (tmp_path / "msd_neg_fib_less_than.txt").exists()
    assert not (tmp_path / "msd_fib_less_than.txt").exists()


def test_sessions_that_begin_together_have_folders_of_their_own(tmp_path: Path) -> None:
    moment = datetime(2026, 1, 2, 3, 4, 5)
    made = [folders_for(str(tmp_path), None, now=lambda: moment).session for _ in range(3)]
    assert [folder.name for folder in made] == ["2026_01_02_03_04_05", "2026_01_02_03_04_05_2", "2026_01_02_03_04_05_3"]
    assert all(folder.is_dir() for folder in made)
    assert folders_for(str(tmp_path / "none"), None, now=lambda: moment).session.name == "2026_01_02_03_04_05"
    assert not (tmp_path / "none").exists()
