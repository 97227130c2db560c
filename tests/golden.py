"""Whole texts that tests compare with files of tests/golden: few, so that a change of wording shows in one place.

`make golden` writes the files anew, and the output of commands in the documentation; read the difference before you
commit it.
"""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "golden"

#: The environment variable that `make golden` sets.
RENEW = "FIBPROVER_RENEW_GOLDEN"


def renewing() -> bool:
    """Return whether `make golden` runs the tests."""
    return bool(os.environ.get(RENEW))


def check_golden(name: str, text: str) -> None:
    """Compare a text with a file of tests/golden; a test that calls this is marked as `golden`."""
    file = FOLDER / name
    if renewing():
        FOLDER.mkdir(exist_ok=True)
        file.write_bytes(text.encode())
    assert file.is_file(), f"there is no {file}: `make golden` writes it"
    assert text == file.read_bytes().decode(), f"{file.name} differs; if the new text is right: `make golden`"
