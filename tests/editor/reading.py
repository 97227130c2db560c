"""Documents with marks, as editors have them."""

from __future__ import annotations

from pathlib import Path

from fibprover.frontends.editor.answers import NameAt, name_at
from fibprover.frontends.editor.outline import Outline, outline_of
from fibprover.frontends.editor.running import session_in
from fibprover.workspace.session import Session


def make(system: str) -> Session:
    return Session(system or None)


def read(text: str, file: Path | None = None) -> Outline:
    """Return the outline of a document; file: where it is, a script in no folder unless given."""
    folder = "" if file is None else str(file.parent)
    return outline_of(text, file, lambda system: session_in(folder, make, system))


def python(text: str) -> Outline:
    """Return the outline of a Python file."""
    return read(text, Path("/nowhere/at/all/file.py"))


def at(outline: Outline, text: str, part: str) -> tuple[NameAt, int]:
    """Return the name at the first character after `part`, whose last occurrence counts, and the statement there."""
    offset = text.rindex(part) + len(part)
    name, number = name_at(outline, offset), outline.statement_at(offset)
    assert name is not None and number is not None
    return name, number


def said(outline: Outline, text: str) -> list[tuple[str, str]]:
    """Return the severity and the text of the place of each problem."""
    return [(each.severity, text[each.start : each.end]) for each in outline.problems]
