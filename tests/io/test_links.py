"""Symbolic links below the folder of a session: nothing is written through them, whatever a command writes."""

from __future__ import annotations

import shutil
from datetime import datetime
from pathlib import Path

import pytest

import fibprover as fp
from fibprover.base.errors import FileProblem
from fibprover.base.folders import RESULT, WRITTEN, folders_for
from fibprover.words.transducers import Transducer
from tests.cli.command import answer

#: Something for each folder that is written to, with drawings, logs, matrices, automata of steps, and exports.
SCRIPT = """\
reg odd msd_2 "(0|1)*1";
def even "Ey x=2*y"::
eval asked "Ax $even(x) => ~$odd(x)"::
eval counted n "i<n & $even(i)";
[export 0 BA] eval stepped "Ex x>5 & $odd(x)"::
morphism thue "0->01 1->10";
promote W thue;
macro twice "%0=2*%1";
ost o [0] [1];
export $even GV;
"""


def opened(folder: Path) -> fp.Session:
    session = fp.Session()
    folder.mkdir(exist_ok=True)
    session.use_folders(folder)
    return session


def carried_out(folder: Path) -> None:
    """Write something into each folder of a session."""
    session = opened(folder)
    session.run(SCRIPT)
    session.prove("Ei,n $pal_W(i,n)")
    session.namespace.transducers["SWAP"] = Transducer("SWAP", ({0: (0, 1), 1: (0, 0)},))


def files(folder: Path) -> dict[Path, bytes]:
    return {
        path.relative_to(folder): path.read_bytes() for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink()
    }


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder that no session is to write to."""
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "kept").write_bytes(b"kept")
    return folder


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """The folder of a session in which something of each sort was written."""
    carried_out(tmp_path / "first")
    return tmp_path / "first"


def test_a_file_that_is_a_link_is_replaced(tmp_path: Path, written: Path, outside: Path) -> None:
    """To a file, to a folder, to a device, or to nothing."""
    names = sorted(files(written))
    assert {name.parts[0] for name in names} == set(WRITTEN)
    second = tmp_path / "second"
    targets = (outside / "kept", outside, Path("/dev/full"), outside / "new")
    for number, name in enumerate(names):
        (second / name).parent.mkdir(parents=True, exist_ok=True)
        (second / name).symlink_to(targets[number % len(targets)])
    carried_out(second)
    assert files(outside) == {Path("kept"): b"kept"}
    assert sorted(files(second)) == names
    assert not any((second / name).is_symlink() for name in names)


@pytest.mark.parametrize("library", WRITTEN)
@pytest.mark.parametrize("exists", [True, False])
def test_a_folder_that_is_a_link_is_refused(tmp_path: Path, outside: Path, library: str, exists: bool) -> None:
    folder = tmp_path / "session"
    folder.mkdir()
    (folder / library).symlink_to(outside if exists else outside / "new", target_is_directory=True)
    with pytest.raises(FileProblem, match=library):
        opened(folder)
    assert list(outside.iterdir()) == [outside / "kept"]


@pytest.mark.parametrize("library", WRITTEN)
def test_a_folder_that_becomes_a_link_is_refused_when_it_is_written_to(
    tmp_path: Path, outside: Path, library: str
) -> None:
    session = opened(tmp_path / "session")
    shutil.rmtree(tmp_path / "session" / library)
    (tmp_path / "session" / library).symlink_to(outside, target_is_directory=True)
    folders = session.namespace.folders
    assert folders is not None
    with pytest.raises(FileProblem, match="link"):
        folders.write(library, "kept", "true\n", ending="")
    with pytest.raises(FileProblem, match="link"):
        folders.remove(library, "kept", "")
    assert files(outside) == {Path("kept"): b"kept"}


def test_the_folder_of_a_session_may_be_a_link(tmp_path: Path, written: Path) -> None:
    """The user has named it."""
    (tmp_path / "real").mkdir()
    (tmp_path / "named").symlink_to(tmp_path / "real", target_is_directory=True)
    carried_out(tmp_path / "named")
    assert sorted(files(tmp_path / "real")) == sorted(files(written))


def test_a_folder_of_sessions_that_is_a_link_has_no_new_ones(tmp_path: Path, outside: Path) -> None:
    (tmp_path / "Session").symlink_to(outside, target_is_directory=True)
    with pytest.raises(FileProblem, match="link"):
        folders_for(str(tmp_path), None, now=lambda: datetime(2026, 1, 2, 3, 4, 5))
    assert list(outside.iterdir()) == [outside / "kept"]
    assert folders_for(str(tmp_path), str(tmp_path / "Session" / "mine")).session == tmp_path / "Session" / "mine"


def test_a_file_that_a_command_names_may_be_a_link(tmp_path: Path, outside: Path) -> None:
    session = opened(tmp_path / "session")
    session.run('def even "Ey x=2*y";')
    (tmp_path / "named.txt").symlink_to(outside / "kept")
    session.export("$even", "TXT", tmp_path / "named.txt")
    assert (tmp_path / "named.txt").is_symlink()
    assert (outside / "kept").read_text() == (tmp_path / "session" / RESULT / "even.txt").read_text()


@pytest.mark.long
def test_names_of_certificates_are_no_links(
    tmp_path: Path, outside: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The user has named their folder only."""
    folder = tmp_path / "certificates"
    folder.mkdir()
    (folder / "R.jsonl.gz").symlink_to(outside / "kept")
    (tmp_path / "script.txt").write_text('solve R "n=0 | n>1 & $R(n-2)" by n;')
    said = answer(capsys, "run", "--system", "msd_2", "--certify", str(folder), str(tmp_path / "script.txt"))
    assert (said.status, said.err) == (0, "")
    assert files(outside) == {Path("kept"): b"kept"}
    assert list(files(folder)) == [Path("R.jsonl.gz")]
