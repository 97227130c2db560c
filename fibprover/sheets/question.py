"""A question about a word or a sequence, and the sections of a sheet.

A question is a value: formulas are trees about numbers of the system of the indices, made once, from the name of the
word (`vocabulary.py`).  Each kind of question is a class, which knows how it is answered (`kinds.py`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from fibprover.language.tree import Formula
from fibprover.sheets.line import Answer
from fibprover.sheets.subject import Subject

#: The sections of a sheet, in order.
SECTIONS = (
    "letters", "recurrence", "factors", "symmetry", "palindromes", "repetitions", "special factors", "order", "abelian",
)


@dataclass(frozen=True, slots=True)
class Question:
    """One line of a sheet.

    id: its name, the same for all words; statement: what is claimed or asked, as a sentence about X; kind: what lines,
    pages and scripts call this kind of question.
    """

    kind: ClassVar[str] = ""

    id: str
    section: str
    statement: str

    def __init_subclass__(cls, kind: str = "") -> None:
        cls.kind = kind or cls.kind

    @property
    def shown(self) -> Formula | None:
        """The formula of an open line, with the names of all predicates that are needed; None without one."""
        return None

    def answer(self, about: Subject) -> Answer:
        """Answer the question; FibproverError, such as a spent budget, if it remains open."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class FormulaQuestion(Question):
    """A question about a formula."""

    formula: Formula

    @property
    def shown(self) -> Formula:
        """The formula."""
        return self.formula


def about_word(text: str, name: str) -> str:
    """Return a sentence about X as one about the word with a name."""
    return re.sub(r"\bX\b", name, text)
