"""The sheet of a word: each question answered, or left open within its time."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Literal

from fibprover.errors import FibproverError, LimitError, did_you_mean
from fibprover.limits import Limits, spending
from fibprover.sheets import report
from fibprover.sheets.questions import Question, questions
from fibprover.sheets.subject import Subject, subject
from fibprover.sheets.suprema import supremum
from fibprover.values import Printed, value
from fibprover.verdict.relation import Relation
from fibprover.words.automatic import AutomaticWord

#: Seconds for each question unless limits are given.
SECONDS = 10.0

#: How many values of a sequence and members of a set are shown.
SHOWN = 12

#: A question of a variable by itself, for a sequence one place later.
_N = re.compile(r"\bn\b")

Status = Literal["proved", "refuted", "open"]


@dataclass(frozen=True, slots=True)
class Line:
    """What is known of one question.

    status: "proved" (also of a set, a sequence, or a number that was found), "refuted", or "open"; value: what was
    found, or the evidence, as text; formula: the one that was decided or whose relation was described; states: of its
    automaton, None without one; seconds: wall time.
    """

    id: str
    section: str
    statement: str
    status: Status
    value: str
    formula: str
    states: int | None
    seconds: float


@value
class Sheet(Printed):
    """All lines about a word, in order; prints itself as text, and shows itself in notebooks as a table."""

    name: str
    given: str
    system: str
    letters: tuple[int, ...]
    prefix: tuple[int, ...]
    lines: tuple[Line, ...]
    seconds: float

    def __str__(self) -> str:
        """Return the sheet as text."""
        return report.text_of(self)

    def __repr__(self) -> str:
        counts = ", ".join(f"{self.count(status)} {status}" for status in ("proved", "refuted", "open"))
        return f"<Sheet of {self.name}: {counts}>"

    def __getitem__(self, name: str) -> Line:
        """Return the line with this id; FibproverError for another one."""
        for line in self.lines:
            if line.id == name:
                return line
        raise FibproverError(
            f"the sheet has no line {name!r}", hint=did_you_mean(name, [line.id for line in self.lines]) or ""
        )

    def count(self, status: Status) -> int:
        """Return how many lines have a status."""
        return sum(line.status == status for line in self.lines)

    def as_json(self) -> list[dict[str, Any]]:
        """Return the lines as values of JSON."""
        return report.json_of(self)

    def to_markdown(self) -> str:
        """Return the sheet as a page."""
        return report.markdown_of(self)

    def _repr_markdown_(self) -> str:
        return self.to_markdown()


def study(
    word: str | AutomaticWord, *, only: Sequence[str] = (), limits: Limits | None = None,
    notify: Callable[[str], None] | None = None,
) -> Sheet:
    """Return the sheet of theorems about a word.

    word: a name of the library, a morphism such as "0->01, 1->0", a file, or a word; only: the ids of some lines;
    limits: of each line (by default ten seconds); notify: called with the id of each line before it is begun.
    FibproverError for a text that is no such word, and for an unknown id.
    """
    begun = perf_counter()
    limits = limits or Limits(seconds=SECONDS)
    about = subject(word, limits)
    letters = tuple(sorted(set(about.word.outputs)))
    asked = list(questions(letters))
    known = [each.id for each in asked]
    for name in only:
        if name not in known:
            raise FibproverError(f"no line of a sheet is {name!r}", hint=did_you_mean(name, known) or ", ".join(known))
    lines = []
    for question in asked:
        if only and question.id not in only:
            continue
        if notify is not None:
            notify(question.id)
        lines.append(_line(about, question, limits))
    return Sheet(
        about.word.name, about.given, about.system, letters, tuple(about.word.prefix(60)),
        tuple(lines), perf_counter() - begun,
    )


def _formula(about: Subject, text: str) -> str:
    """Return a formula about X for a word and its system."""
    name = about.word.name
    return f"?{about.system} " + text.replace("_X(", f"_{name}(").replace("X[", f"{name}[")


def _line(about: Subject, question: Question, limits: Limits) -> Line:
    """Answer a question."""
    formula = _formula(about, question.formula)
    statement = re.sub(r"\bX\b", about.word.name, question.statement)
    begun = perf_counter()
    status: Status = "open"
    states: int | None = None
    try:
        with spending(limits.start()):
            status, found, states = _ANSWERS[question.kind](about, formula)
    except FibproverError as problem:  # a spent budget, or a predicate of the word that cannot be made
        found = f"not decided: {problem.message}"
    seconds = perf_counter() - begun
    return Line(question.id, question.section, statement, status, found, formula, states, seconds)


_Answer = tuple[Status, str, int | None]


def _claim(about: Subject, formula: str) -> _Answer:
    verdict = about.session.prove(formula)
    evidence = verdict.evidence
    states = verdict.trace.largest
    return "proved" if verdict else "refuted", "" if evidence is None else str(evidence), states


def _set(about: Subject, formula: str) -> _Answer:
    found = about.session.relation(formula)
    return "proved", _described(found), found.states


def _described(found: Relation) -> str:
    """Return the members of a set of numbers: all of them if they are few, or all but some."""
    if found.is_empty():
        return "none"
    if found.is_finite():
        count = found.count()
        members = ", ".join(map(str, found.values(min(count, SHOWN))))
        return members if count <= SHOWN else f"{count} numbers: {members}, ..."
    others = ~found
    if others.is_empty():
        return "all"
    if others.is_finite() and others.count() <= SHOWN:
        return f"all but {', '.join(map(str, others.values(others.count())))}"
    return f"{', '.join(map(str, found.values(SHOWN)))}, ..."


def _sequence(about: Subject, formula: str) -> _Answer:
    counts = about.session.counts("n", formula)
    said = f"{', '.join(str(counts[n]) for n in range(SHOWN))}, ..."
    for what, sequence in (
        ("The values are exactly", counts),
        ("The differences are exactly", about.session.counts("n", _N.sub("(n+1)", formula)) - counts),
    ):
        try:
            return "proved", f"{said} {what} {', '.join(map(str, sorted(sequence.values())))}.", counts.dimension
        except LimitError:
            continue
    return "proved", said, counts.dimension


def _supremum(about: Subject, formula: str) -> _Answer:
    states = about.session.relation(formula).states
    found = supremum(about.session, formula, about.system)
    if found is None:
        return "proved", "there are no such pairs", states
    at = "" if found.pair is None else f" (n = {found.pair[0]}, p = {found.pair[1]})" if found.attained else ""
    return ("proved" if found.is_exact else "open"), f"{found}{at}", states


_ANSWERS: dict[str, Callable[[Subject, str], _Answer]] = {
    "claim": _claim, "set": _set, "sequence": _sequence, "supremum": _supremum,
}
