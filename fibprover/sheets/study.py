"""The way from a word, or from terms, to its sheet: each question is answered, or left open within its time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Protocol

from fibprover.base.errors import FibproverError
from fibprover.base.files import make_folder
from fibprover.base.limits import Limits, cpu_clock, limits_of_part, poll
from fibprover.base.names import word_predicate
from fibprover.language.tree import Call, Formula, WordValue, nodes
from fibprover.sheets.allowance import ADDITION, Allowance
from fibprover.sheets.asked import wanted
from fibprover.sheets.certified import certified
from fibprover.sheets.desubstitution import ByDesubstitution, is_answered
from fibprover.sheets.line import OPEN, Answer, Line, under_conjecture
from fibprover.sheets.predicates import FIRST, counts_letters, missing_predicates, reason
from fibprover.sheets.question import Question, about_word
from fibprover.sheets.sheet import Sheet
from fibprover.sheets.subject import UNNAMED, Subject, WithoutAddition, subject
from fibprover.sheets.terms import Terms
from fibprover.words.automatic import AutomaticWord
from fibprover.workspace.guard import enforced

#: Seconds for each question unless limits are given.
SECONDS = 10.0

#: The addition of the system of a word may take so many times as long as a line to be found.
OF_ADDITION = 4


def study(
    word: str | AutomaticWord | None = None, *, terms: str | Terms | Sequence[int] | None = None, definition: str = "",
    systems: Sequence[str] = (), only: Sequence[str] = (), limits: Limits | None = None,
    notify: Callable[[str], None] | None = None, unnamed: str = UNNAMED, certify: str | Path | None = None,
    coding: str = "", cpu_seconds: float | None = None, kept: KeptLines | None = None,
    show: Callable[[Sheet, int], None] | None = None,
) -> Sheet:
    """Return the sheet of theorems about a word, or about a sequence of numbers.

    Parameters:

    - word: a name of the library, a morphism such as "0->01, 1->0", a file, or a word; the number of a word or a
      sequence in the OEIS, or equations of a sequence
    - terms: instead of a word the first terms of a sequence, or a b-file; the sheet is then about a conjecture
    - definition: a formula that proves the conjecture. In it, $a(n) means that a(n) is 1 and not 0, and $a(n,v) that
      a(n) = v, where n is the index of the terms. If the terms are numbers, more than are letters, it may be a formula
      whose variables other than n are counted. Or equations of numbers, such as "a(0)=0, a(2n)=a(n), a(2n+1)=a(n)+1"
    - systems: the numeration systems in which the word or the sequence of the terms is looked for
    - only: the ids of the lines that are wanted, by default all; those that only other words have are skipped
    - limits: what each line may spend, by default ten seconds
    - notify: is called with the id of each line before the line is begun
    - unnamed: a capital letter, the name of a word that has none
    - certify: a folder for certificates of the lines that are formulas, which are checked (docs/certificates.md); a
      certificate, and its check, may spend what a line may
    - coding: of the fixed point of a morphism, such as "a->011, b->0, c->01"
    - cpu_seconds: what all lines may spend together; those that are not reached are open
    - kept: the lines that are finished, of an earlier call that was interrupted; it gets the others
    - show: is called before the first line and after each, with the sheet of those that are finished and the number of
      all

    Errors: FibproverError for a text that is no such word, and for an unknown id; NoAutomaton for terms that suggest
    no word.

    >>> sheet = fp.study("0->01, 1->0", only=["complexity"])
    >>> print(sheet.lines[0].value)
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, ... All differences are 1.
    """
    grown = growing(
        word, terms=terms, definition=definition, systems=systems, only=only, limits=limits, notify=notify,
        unnamed=unnamed, certify=certify, coding=coding, cpu_seconds=cpu_seconds, kept=kept,
    )
    for sheet, lines in grown:
        if show is not None:
            show(sheet, lines)
    return sheet


def growing(
    word: str | AutomaticWord | None = None, *, terms: str | Terms | Sequence[int] | None = None, definition: str = "",
    systems: Sequence[str] = (), only: Sequence[str] = (), limits: Limits | None = None,
    notify: Callable[[str], None] | None = None, unnamed: str = UNNAMED, certify: str | Path | None = None,
    coding: str = "", cpu_seconds: float | None = None, kept: KeptLines | None = None,
) -> Iterator[tuple[Sheet, int]]:
    """Yield the sheet before its first line and after each, with the number of all lines; parameters as of `study`."""
    if certify is not None:
        make_folder(certify)
    if (word is None) == (terms is None):
        raise FibproverError(
            "a sheet is about a word or about terms; give one of them", hint='study("T") or study(terms=[0, 1, 1, ...])'
        )
    allowance = Allowance(limits or limits_of_part(SECONDS), cpu_seconds, cpu_clock())
    begun = perf_counter()
    first = None
    if terms is not None:
        from fibprover.sheets.search import suggested  # late: it needs numpy, and sheets of words do not

        found = suggested(terms, definition, systems, allowance.part())
        about, first = found.about, found.line(perf_counter() - begun)
    else:
        making = allowance.part(OF_ADDITION, ADDITION)
        about = subject(word or "", allowance.line.within(None), unnamed, coding, making)
    asked = tuple(_placed(about, wanted(about, only)))
    work = _Work(about, asked, first, allowance, certify, kept or _NothingKept(), begun, tuple(only))
    for sheet in work.sheets(notify):
        yield sheet, len(work.wanted) + (first is not None)


class KeptLines(Protocol):
    """Lines that are finished, kept while a sheet is made so that an interrupted command goes on where it was."""

    def get(self, about: Subject, name: str) -> Line | None:
        """Return the line with an id, None if it is not there."""

    def keep(self, about: Subject, line: Line) -> None:
        """Keep a line."""


class _NothingKept:
    """No lines."""

    def get(self, about: Subject, name: str) -> Line | None:
        """Return None."""

    def keep(self, about: Subject, line: Line) -> None:
        """Keep nothing."""


@dataclass(frozen=True, slots=True)
class _Work:
    """What a sheet is made of.

    wanted: the questions, each with the word that it is asked about, which is the same word; first: the line about the
    conjecture, if there is one; certify: a folder for certificates; begun: when the work began; only: the ids that were
    asked for.
    """

    about: Subject
    wanted: tuple[tuple[Subject, Question], ...]
    first: Line | None
    allowance: Allowance
    certify: str | Path | None
    kept: KeptLines
    begun: float
    only: tuple[str, ...]

    def sheets(self, notify: Callable[[str], None] | None) -> Iterator[Sheet]:
        """Yield the sheet without lines (but that about the conjecture), and after each line the sheet so far."""
        about = self.about
        other = None if about.morphic is None else ByDesubstitution(about.morphic)
        first = self.first if self.first is None else self._certified(about, self.first)
        lines: list[Line] = []
        yield self._sheet(first, lines)
        there = {question.id: self.kept.get(one, question.id) for one, question in self.wanted}
        missing: dict[str, str] = {}
        for one in self._asked():
            needed = [asked for of, asked in self.wanted if of is one and there[asked.id] is None]
            missing |= missing_predicates(one, needed, self.allowance, notify)
        had_all = not missing or self.allowance.has_all_before(FIRST)
        for place, (one, question) in enumerate(self.wanted):
            poll("the sheet")  # the line before is open if it met the end of the caller's budget; no other one begins
            if notify is not None:
                notify(question.id)
            line, left = there[question.id], len(self.wanted) - place
            if line is None:
                has_all = self.allowance.has_all(left) and (had_all or not reason(one, question, missing))
                line = _line(one, question, self.allowance, left, missing, other, about.name)
                line = self._certified(one, line)
                if line.status != "open" or (has_all and not self.allowance.is_spent):
                    self.kept.keep(one, line)
            lines.append(line)
            yield self._sheet(first, lines)

    def _asked(self) -> dict[Subject, None]:
        """Return the word that questions are asked about, and the same one for sums, if any are asked about it."""
        return dict.fromkeys(one for one, _ in self.wanted)

    def _sheet(self, first: Line | None, answered: Sequence[Line]) -> Sheet:
        """Return the sheet of the lines that are answered."""
        lines = list(answered)
        if first is not None:
            if first.status != "proved":
                lines = [under_conjecture(line) for line in lines]
            lines.insert(0, first)
        about = self.about
        words = _words(about, None if first is None else first.tree)
        words += tuple(one.word for one in self._asked() if one is not about)
        of_words = {each.name for each in words}
        predicates = tuple(
            predicate for one in dict.fromkeys((about, *self._asked()))
            for name, predicate in one.session.namespace.word_predicates.items() if name.partition("_")[2] in of_words
        )
        ids = {question.id for _, question in self.wanted}
        skipped = tuple(name for name in self.only if name not in ids)
        seconds = perf_counter() - self.begun
        return Sheet(about.topic, about.given, about.system, tuple(lines), seconds, words, predicates, skipped)

    def _certified(self, about: Subject, line: Line) -> Line:
        """Return a line with its certificate, if there is a folder for certificates."""
        if self.certify is None:
            return line
        return replace(line, certificate=certified(about, line, self.certify, self.allowance.line))


def _placed(about: Subject, asked: Sequence[Question]) -> Iterator[tuple[Subject, Question]]:
    """Yield the questions, each with the word that it is asked about: those about sums with the one for sums."""
    sums = about.sums
    summed = {} if sums is None else {each.id: each for each in wanted(sums, ()) if counts_letters(sums, each)}
    for each in asked:
        if sums is not None and each.id in summed:
            yield sums, summed[each.id]
        else:
            yield about, each


def _words(about: Subject, definition: Formula | None) -> tuple[AutomaticWord, ...]:
    """Return the word, or those of the library that the definition of a sequence mentions."""
    if isinstance(about.topic, WithoutAddition):
        return ()
    if about.is_word:
        return (about.word,)
    names: list[str] = []
    for each in () if definition is None else nodes(definition):
        if isinstance(each, WordValue):
            names.append(each.word)
        elif isinstance(each, Call) and (parts := word_predicate(each.name)) is not None:
            names.append(parts[1])
    library = about.session.namespace.library_words
    return tuple(library[name] for name in dict.fromkeys(names) if name in library)


def _line(
    about: Subject, question: Question, allowance: Allowance, left: int, missing: Mapping[str, str],
    other: ByDesubstitution | None, name: str,
) -> Line:
    """Answer a question.

    left: how many lines are left with it; missing: see `missing_predicates`; other: what is known by desubstitution;
    name: of the word in sentences.
    """
    begun = perf_counter()
    answer = _answered(about, question, allowance, left, missing, other)
    if answer.status == "open" and allowance.is_spent:
        answer = answer._replace(value=allowance.spent)
    seconds = perf_counter() - begun
    by_formula = question.shown is not None and not isinstance(about.topic, WithoutAddition)
    shown = about.stated(question.shown) if by_formula and question.shown is not None else None
    formula: Formula | None = None if answer.by else shown if answer.formula is None else answer.formula
    return Line(
        question.id, question.section, about_word(question.statement, name), answer.status, answer.value, formula,
        answer.states, seconds, question.kind, answer.automaton, answer.terms, about_word(answer.sentence, name),
        by=answer.by, slopes=answer.slopes, exponent=answer.exponent,
    )


def _answered(
    about: Subject, question: Question, allowance: Allowance, left: int, missing: Mapping[str, str],
    other: ByDesubstitution | None,
) -> Answer:
    """Answer a question by its formula, or else by desubstitution, where the word is a fixed point."""
    answer = Answer("open", "", None)
    if not isinstance(about.topic, WithoutAddition):
        why = reason(about, question, missing)
        answer = Answer("open", f"{OPEN}{why}", None)
        if not why:
            answer = _within(lambda: allowance.fair(left), lambda: question.answer(about))
    if answer.status != "open" or other is None or not is_answered(question):
        return answer
    found = _within(allowance.part, lambda: other.answer(question))
    return found if found.status != "open" or not answer.value else answer


def _within(limits: Callable[[], Limits], answer: Callable[[], Answer]) -> Answer:
    """Return an answer; it is open where a budget is spent, or a predicate of the word cannot be made."""
    try:
        with enforced(limits()):
            return answer()
    except FibproverError as problem:
        return Answer("open", f"{OPEN}{problem.message}", None)
