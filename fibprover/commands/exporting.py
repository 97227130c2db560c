"""`export`: an automaton as a file for other programs."""

from __future__ import annotations

from pathlib import Path

from fibprover.automata.dfa import Dfa
from fibprover.errors import UnknownName, did_you_mean
from fibprover.formats.atomic import write_text
from fibprover.formats.ba import to_ba
from fibprover.formats.dot import to_dot
from fibprover.formats.walnut import automaton_text

#: The formats, and the endings of their files.
FORMATS = {"GV": ".gv", "BA": ".ba", "TXT": ".txt"}


def export(a: Dfa, name: str, form: str, path: str | Path, *, word: bool = False) -> Path:
    """Writes an automaton, given as users see it, and returns the file; path: a folder for NAME.gv and the like,
    or a file.

    UnknownName for another format, and for a word in BA, which knows no outputs; FileProblem where
    the file cannot be written.
    """
    kind = form.upper()
    possible = [known for known in FORMATS if not (word and known == "BA")]
    if kind not in possible:
        what = "BA has no outputs, and this is a word" if kind in FORMATS else f"there is no format {form}"
        raise UnknownName(what, form, 0, len(form), hint=did_you_mean(kind, possible))
    file = Path(path)
    if file.is_dir():
        file /= name + FORMATS[kind]
    if kind == "GV":
        text = to_dot(a, name, word=word, limit=a.states)
    else:
        text = to_ba(a) if kind == "BA" else automaton_text(a)
    write_text(file, text)
    return file
