"""The answer to a question."""

from __future__ import annotations

from typing import Literal, NamedTuple

from fibprover.automata.dfa import Dfa
from fibprover.sheets.question import about_word
from fibprover.sheets.subject import Subject

Status = Literal["proved", "refuted", "open"]


def formula_about(about: Subject, text: str) -> str:
    """Return a formula about X for a word and its system."""
    last = str(max(about.word.outputs))
    return f"?{about.system} {about_word(text, about.word.name)}".replace("@L", f"@{last}")


class Answer(NamedTuple):
    """The answer to a question; the fields are those of a line.

    formula: what was proved, "" if it is the formula of the question; sentence: the statement with the value in it, ""
    if the value follows the statement.
    """

    status: Status
    value: str
    states: int | None
    automaton: Dfa | None = None
    terms: tuple[int | None, ...] = ()
    formula: str = ""
    sentence: str = ""
