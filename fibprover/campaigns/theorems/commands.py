"""Scripts of commands as chapters: each `eval` of a closed formula is a theorem, everything else defines names."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

from fibprover.base.files import MOST_TEXT, read_text
from fibprover.campaigns.theorems.chapter import Chapter
from fibprover.language.commands import EvalCommand, MacroCommand, iterate_script
from fibprover.language.parser import parse


def chapter_of_commands(file: Path, prefix: str = "") -> Chapter:
    """Return the chapter of a script; its title is the name of the file.  Raises FileProblem, and as `chapter_of_text`.
    """
    return chapter_of_text(read_text(file, MOST_TEXT), file.stem, prefix)


def chapter_of_text(text: str, title: str, prefix: str = "", system: str = "msd_2") -> Chapter:
    """Return the chapter of commands.

    prefix: of the ids, which are the names of the `eval` commands; a name that comes again is numbered.

    system: of formulas that name none.  The verdict that is expected of a theorem is TRUE, as a script says none.
    Raises a TextError with the place for what is no script.
    """
    chapter = Chapter(title, system=system)
    macros: dict[str, str] = {}
    taken: set[str] = set()
    for command in iterate_script(text):
        written = text[command.span.start : command.span.end]
        if not isinstance(command, EvalCommand):
            chapter.script(written)
            if isinstance(command, MacroCommand):
                macros[command.name] = command.text
        elif not parse(command.text, macros).formula.free:
            name = next(each for each in _names(command.name) if each not in taken)
            taken.add(name)
            chapter.theorem(f"{prefix}{name}", command.text, statement="")
    chapter.close()
    return chapter


def _names(name: str) -> Iterator[str]:
    """Yield a name, and the same with the numbers 2, 3, ... after it."""
    yield name
    yield from (f"{name}_{number}" for number in count(2))
