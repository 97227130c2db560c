"""Files of users: what is read, and what is not; devices and pipes are written to, files are replaced
(tests/io/test_folders.py).
"""

from __future__ import annotations

import os
import stat
import threading
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from fibprover.base.errors import BudgetSpent, FileProblem
from fibprover.base.files import MOST_AUTOMATON, begins_with, read_bytes, read_text, write_text
from fibprover.base.limits import Limits, spending
from fibprover.numeration.registry import system_named
from fibprover.workspace.walnut import parse_automaton


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
@pytest.mark.parametrize("linked", [False, True])
def test_a_pipe_is_written_to_and_remains_a_pipe(tmp_path: Path, linked: bool) -> None:
    """As a device is: a process with the rights to do so would put a file in the place of /dev/null."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    path = tmp_path / "link" if linked else pipe
    if linked:
        path.symlink_to(pipe)
    held = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_text(path, "text")
        assert os.read(held, 10) == b"text"
    finally:
        os.close(held)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert sorted(tmp_path.iterdir()) == sorted({pipe, path})


def folder(place: Path) -> None:
    place.mkdir()


def sparse(place: Path) -> None:
    with place.open("wb") as stream:
        stream.truncate(4 << 30)


def device(place: Path) -> None:
    place.symlink_to("/dev/zero")


def endless(place: Path) -> None:
    place.symlink_to("/dev/random")


def socket_file(place: Path) -> None:
    import socket

    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(place))


HOSTILE = [folder, sparse, device, endless, os.mkfifo, socket_file]


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there are no devices here")
@pytest.mark.parametrize("make", HOSTILE, ids=lambda made: made.__name__)
def test_what_is_no_file_is_not_read(tmp_path: Path, make: Callable[[Path], None]) -> None:
    """Neither is it waited for; a pipe that the user named is, but nothing else."""
    place = tmp_path / "given"
    make(place)
    for pipe in (False, True) if make is not os.mkfifo else (False,):
        with pytest.raises(FileProblem, match="given") as problem:
            read_bytes(place, 1 << 20, pipe=pipe)
        kinds = ("folder", "directory", "device", "pipe", "socket", "MB", "such")
        assert any(kind in str(problem.value) for kind in kinds)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_that_is_named(tmp_path: Path) -> None:
    place = tmp_path / "pipe"
    os.mkfifo(place)
    for content, most in ((b"a\r\nb\rc", 100), (b"x" * 5000, 4999)):
        writer = threading.Thread(target=place.write_bytes, args=(content,))
        writer.start()
        try:
            if most > len(content):
                assert read_text(place, most, pipe=True) == "a\nb\nc"
            else:
                with pytest.raises(FileProblem, match="larger"):
                    read_text(place, most, pipe=True)
        finally:
            writer.join()


def test_sizes(tmp_path: Path) -> None:
    place = tmp_path / "given"
    for count in (0, 1, 999, 1000):
        place.write_bytes(b"x" * count)
        assert read_bytes(place, 1000) == b"x" * count
    place.write_bytes(b"x" * 1001)
    with pytest.raises(FileProblem, match="larger"):
        read_bytes(place, 1000)
    assert begins_with(place, b"xx", 2) and not begins_with(place, b"xxx", 2)
    with pytest.raises(FileProblem):
        begins_with(tmp_path / "missing", b"x", 1)


def test_limits_hold_while_a_file_is_read(tmp_path: Path) -> None:
    place = tmp_path / "given"
    place.write_bytes(b"x" * (4 << 20))
    with spending(Limits(seconds=1e-6).start()), pytest.raises(BudgetSpent):
        read_bytes(place, 1 << 30)


@pytest.mark.parametrize("mark", [True, False])
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", ["lsd_2\n\n0 1\n1 -> 0\n", "# \u00e9t\u00e9 \u2200x\nmsd_fib\n", '{"W": 1}'])
def test_another_encoding_is_said(tmp_path: Path, text: str, encoding: str, mark: bool) -> None:
    place = tmp_path / "given"
    place.write_bytes((("\ufeff" if mark else "") + text).encode(encoding))
    with pytest.raises(FileProblem, match="UTF-16") as problem:
        read_text(place)
    assert "iconv" in problem.value.hint
    place.write_bytes((("\ufeff" if mark else "") + text).encode())
    assert read_text(place) == text


@pytest.mark.parametrize("content", [b"a\0b", b"\0", b"\xff", b"caf\xe9", b"ab\0\0cd"])
def test_what_is_no_text(tmp_path: Path, content: bytes) -> None:
    place = tmp_path / "given"
    place.write_bytes(content)
    with pytest.raises(FileProblem, match="text"):
        read_text(place)


def test_lines_of_an_automaton_take_no_memory() -> None:
    """A text of line feeds was a list of as many pairs: 50 times its size."""
    text = "msd_2\n\n0 1\n0 -> 0\n" + "\n" * (1 << 17)
    tracemalloc.start()
    try:
        found = parse_automaton(text, "given", lambda name: system_named(name).track("x"))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found.states == 1 and peak < 1 << 20
    assert MOST_AUTOMATON > 20 * 10_000_000, "ten million transitions are read"
