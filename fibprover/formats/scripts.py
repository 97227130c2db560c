"""Scripts as files: their text, and errors that name the file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fibprover.errors import BudgetSpent, FibproverError, FileProblem, TextError

#: A script longer than this is a mistake: the name of some other file.
_MOST_BYTES = 50 << 20


@contextmanager
def naming(file: str, text: str) -> Iterator[None]:
    """Puts the file, and the line where it is known, in front of what is wrong with a script."""
    try:
        yield
    except BudgetSpent:
        raise
    except FibproverError as error:
        name = "standard input" if file == "-" else file
        if isinstance(error, TextError) and error.text == text:
            name += f", line {text.count(chr(10), 0, error.start) + 1}"
        if not error.message.startswith(name):
            error.message = f"{name}: {error.message}"
        raise


def read_script(file: str) -> str:
    """The text of a file, `-` for standard input, its lines ended by line feeds; FileProblem where there is none."""
    name = "standard input" if file == "-" else file
    try:
        if file == "-":
            raw = sys.stdin.buffer.read(_MOST_BYTES + 1)
        else:
            with Path(file).open("rb") as stream:
                raw = stream.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise FileProblem(f"{name} cannot be read: {reason}") from error
    if len(raw) > _MOST_BYTES:
        raise FileProblem(f"{name} is no script: it is larger than {_MOST_BYTES >> 20} MB")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileProblem(f"{name} is not UTF-8 text: {error.reason} at byte {error.start}") from error
    if "\0" in text:
        raise FileProblem(f"{name} is no text: it holds a zero byte")
    # A carriage return alone ends a line, too: a remark would run to the end of the file.
    return text.replace("\r\n", "\n").replace("\r", "\n")
