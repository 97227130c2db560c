"""Scripts of commands as chapters: each `eval` of a closed formula is a theorem, everything else defines names."""

from __future__ import annotations

from pathlib import Path

from fibprover.base.files import MOST_TEXT, read_text
from fibprover.campaigns.theorems.chapter import Chapter
from fibprover.language.commands import EvalCommand, MacroCommand, iterate_script
from fibprover.language.parser import parse


def chapter_of_commands(file: Path) -> Chapter:
    """Return the chapter of a script; its title is the name of the file.

    The verdict that is expected of a theorem is TRUE, as a script says none.  Raises FileProblem; a TextError with the
    place for what is no script.
    """
    text = read_text(file, MOST_TEXT)
    chapter = Chapter(file.stem)
    macros: dict[str, str] = {}
    for command in iterate_script(text):
        written = text[command.span.start : command.span.end]
        if not isinstance(command, EvalCommand):
            chapter.script(written)
            if isinstance(command, MacroCommand):
                macros[command.name] = command.text
        elif not parse(command.text, macros).formula.free:
            chapter.theorem(command.name, command.text, statement="")
    chapter.close()
    return chapter
