"""Devices and pipes are written to; files are replaced (tests/io/test_folders.py)."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from fibprover.base.files import write_text


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
