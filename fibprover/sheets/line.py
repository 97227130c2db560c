"""A line of a sheet."""

from __future__ import annotations

from dataclasses import dataclass

from fibprover.automata.dfa import Dfa
from fibprover.language.tree import Formula
from fibprover.sheets.answer import Status

#: The section of the line that says what terms suggest.
SECTION = "conjecture"


@dataclass(frozen=True, slots=True)
class Line:
    """What is known of one question.

    status: "proved" (also of a set, a sequence, or a number that was found), "refuted", or "open"; value: what was
    found, or the evidence, as text; tree: the formula that was decided or whose relation was described, None without
    one; states: of its automaton, None without one; seconds: wall time; kind: of the question (`kinds.py`); automaton:
    of the relation of the formula, where there is one; terms: what a plot shows, the first values of a sequence, the
    members of a set below PLOTTED, or for p = 0, 1, ... the greatest n, None where there is none.
    """

    id: str
    section: str
    statement: str
    status: Status
    value: str
    tree: Formula | None
    states: int | None
    seconds: float
    kind: str = "claim"
    automaton: Dfa | None = None
    terms: tuple[int | None, ...] = ()

    @property
    def formula(self) -> str:
        """The formula as text, "" without one."""
        return "" if self.tree is None else str(self.tree)
