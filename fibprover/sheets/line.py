"""The answer to a question, and the line of a sheet that it becomes."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from fibprover.automata.dfa import Dfa
from fibprover.language.tree import Formula
from fibprover.sheets.sentences import with_value

if TYPE_CHECKING:
    from fibprover.numeration.slope_sets import SlopeSet
    from fibprover.prover.certificate.checking import CertificateCheck

Status = Literal["proved", "refuted", "open"]


class Answer(NamedTuple):
    """The answer to a question; the fields are those of a line.

    formula: what was proved, None if it is the formula of the question; by: the method, "" if the formula was decided.
    """

    status: Status
    value: str
    states: int | None
    automaton: Dfa | None = None
    terms: tuple[int | None, ...] = ()
    formula: Formula | None = None
    sentence: str = ""
    by: str = ""
    slopes: SlopeSet | None = None
    exponent: float | None = None


#: The section of the line that says what terms suggest.
SECTION = "conjecture"

#: The beginning of the value of a line that is open, before the reason.
OPEN = "not decided: "

#: The section of the lines about sequences of numbers.
_OF_NUMBERS = "sequence"

#: A value that is the evidence for a claim.
_EVIDENCE = re.compile(r"(least |a )?(witness|counterexample)")

#: The first word of a sentence, if it is not a name.
_ARTICLE = re.compile(r"(The|A|Each|All|Consecutive|Factor) ")


@dataclass(frozen=True, slots=True)
class Line:
    """What is known about one question.

    status: "proved" (also of a set, a sequence, or a number that was found), "refuted", or "open"; value: what was
    found, or the evidence, as text; tree: the formula that was decided or whose relation was described, None without
    one; states: of its automaton, None without one; seconds: wall time; kind: of the question (`kinds.py`); automaton:
    of the relation of the formula, where there is one; terms: what a plot shows, the first values of a sequence, the
    members of a set below PLOTTED, or for p = 0, 1, ... the greatest n, None where there is none; sentence: the
    statement with the value in it, "" if the value follows the statement; certificate: None unless asked for; by: the
    method, "" if a formula was decided; slopes: those for which the formula is true, None unless the word is one over a
    family; exponent: e of a plot of a(n)/n^e, proved or estimated, None without a plot.
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
    sentence: str = ""
    certificate: CertificateCheck | None = None
    by: str = ""
    slopes: SlopeSet | None = None
    exponent: float | None = None

    @property
    def text(self) -> str:
        """The statement with what was found."""
        if self.sentence or not self.value:
            return self.sentence or self.statement
        phrase = self.statement.removesuffix(".")
        if _EVIDENCE.match(self.value):
            return f"{phrase} ({self.value})."
        if self.status == "proved" and ". " not in self.statement and not self.value[0].isupper():
            return f"{phrase}: {self.value}" if self.section == _OF_NUMBERS else with_value(self.statement, self.value)
        return f"{self.statement} {self.value}"

    @property
    def formula(self) -> str:
        """The formula as text, "" without one."""
        return "" if self.tree is None else str(self.tree)


def under_conjecture(line: Line) -> Line:
    """Return a line about a conjectured word or sequence, whose sentences say so."""
    return replace(line, statement=_supposed(line.statement), sentence=_supposed(line.sentence))


def _supposed(text: str) -> str:
    begun = _ARTICLE.sub(lambda found: found[0].lower(), text)
    return f"Under the conjecture, {begun}" if text else ""
