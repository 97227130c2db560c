"""`export`: an automaton as a file for other programs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fibprover.automata.dfa import Dfa
from fibprover.automata.reading import as_read
from fibprover.errors import UnknownName, did_you_mean
from fibprover.evaluate.trace import Record
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


class StepExport:
    """Writes automata of an evaluation's steps as they are finished: NAME_step_0.ba and so on in a folder.

    wanted: a step's number, or "*" for all, and a format.  Steps are numbered in the order of the
    trace, from 0; what their automata are is the planner's business.
    """

    def __init__(self, name: str, wanted: Sequence[tuple[str, str]], folder: Path) -> None:
        self.name = name
        self.wanted = wanted
        self.folder = folder
        self.steps = 0

    def __call__(self, _record: Record, automaton: Dfa) -> None:
        """Takes note of a finished step."""
        for number, form in self.wanted:
            if number == "*" or int(number) == self.steps:
                export(as_read(automaton), f"{self.name}_step_{self.steps}", form, self.folder)
        self.steps += 1
