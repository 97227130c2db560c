"""The answer to a question."""

from __future__ import annotations

from typing import Literal, NamedTuple

from fibprover.automata.dfa import Dfa
from fibprover.language.tree import Formula

Status = Literal["proved", "refuted", "open"]


class Answer(NamedTuple):
    """The answer to a question; the fields are those of a line.

    formula: what was proved, None if it is the formula of the question.
    """

    status: Status
    value: str
    states: int | None
    automaton: Dfa | None = None
    terms: tuple[int | None, ...] = ()
    formula: Formula | None = None
    sentence: str = ""
