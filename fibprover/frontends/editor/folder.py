"""The other scripts in the folder of a document, and what they define."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from fibprover.base.errors import FibproverError, SyntaxProblem
from fibprover.base.files import read_text
from fibprover.language.commands import iterate_script
from fibprover.language.source import Span
from fibprover.language.undefined import UndefinedNames

#: The most characters of a document that is read.
MOST = 1 << 20

#: The most scripts of a folder in which a name is looked for, and the most characters of one.
MOST_SCRIPTS, MOST_OF_ONE = 200, 1 << 17


def definitions_in(text: str) -> Iterator[tuple[str, Span]]:
    """Yield the names that a script defines, with their places, as far as it can be read."""
    with suppress(SyntaxProblem):
        for command in iterate_script(text):
            yield from UndefinedNames().definitions(command).items()


def scripts_of(folder: Path | None) -> Iterator[tuple[Path, str]]:
    """Yield the scripts of a folder with their texts: files *.txt that define something."""
    if folder is None or not folder.is_dir():
        return
    for file in sorted(folder.glob("*.txt"))[:MOST_SCRIPTS]:
        try:
            if file.stat().st_size <= MOST_OF_ONE:
                yield file, read_text(file)
        except (FibproverError, OSError):
            continue


def script_defining(name: str, folder: Path) -> Path | None:
    """Return a script of a folder that defines a name; None if there is none."""
    for file, text in scripts_of(folder):
        if name in text and any(name == found for found, _ in definitions_in(text)):
            return file
    return None
