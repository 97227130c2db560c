"""The sheet of a word: each question answered, or left open within its time."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from types import MappingProxyType
from typing import TYPE_CHECKING, overload

from fibprover.base.errors import BudgetSpent, FibproverError, did_you_mean
from fibprover.base.folders import naming, read_script
from fibprover.base.limits import Limits, spending
from fibprover.base.values import value
from fibprover.prover.environment import Definition
from fibprover.sheets import sheet_text
from fibprover.sheets.abelian import prefix_sum, sum_recursion
from fibprover.sheets.answer import Answer, formula_about
from fibprover.sheets.answers import ANSWERS
from fibprover.sheets.comparison import Comparison
from fibprover.sheets.derived import LENGTHS, occurrences, occurrences_recursion
from fibprover.sheets.line import Line, Lines, under_conjecture
from fibprover.sheets.no_automaton import NoAutomaton
from fibprover.sheets.question import Question
from fibprover.sheets.questions import questions
from fibprover.sheets.script import CONJECTURE, script_of, script_of_line
from fibprover.sheets.subject import UNNAMED, Subject, subject
from fibprover.sheets.terms import Terms, read_terms, terms_from
from fibprover.sheets.two_indices import table_questions
from fibprover.words.automatic import AutomaticWord

if TYPE_CHECKING:
    from fibprover.sheets.sequence_sheet import SequenceSheet

#: Seconds for each question unless limits are given.
SECONDS = 10.0

#: Predicates that many questions need, by the text that their formulas have in common.  Each is made first, and may
#: take FIRST times as long as a question.  All predicates of words are made of equality of factors.
FIRST_PREDICATES: Mapping[str, str] = MappingProxyType({"$": "$feq_X(i,j,n)", "$pal": "$pal_X(i,n)"})
FIRST = 12

#: The predicate that counts occurrences of a prefix gets this part of the time: if it can be learned, this is quick.
SHARE = 0.25


@value
class Sheet(Lines):
    """The lines about a word, in order; it prints itself as text, and shows itself in notebooks as a table.

    Fields:

    - prefix: the first letters, of a word with two indices those of the first rows and columns
    - word: the word itself
    - predicates: those of the word that its formulas call, as far as they were made

    >>> sheet = fp.study("F", only=["uniformly-recurrent"])
    >>> [(line.id, line.status) for line in sheet.lines]
    [('uniformly-recurrent', 'proved')]
    """

    name: str
    given: str
    system: str
    letters: tuple[int, ...]
    prefix: tuple[int, ...]
    lines: tuple[Line, ...]
    seconds: float
    word: AutomaticWord
    predicates: tuple[Definition, ...] = ()

    __repr__ = Lines.__repr__  # which `value` would replace

    @property
    def beginning(self) -> str:
        """The first letters as text, of a word with two indices the first rows."""
        return sheet_text.letters_text(self.prefix) if len(self.word.tracks) == 1 else sheet_text.rows_text(self.prefix)

    def beside(self, other: Sheet) -> Comparison:
        """Return this sheet and another one side by side."""
        return Comparison(self, other)

    def to_script(self, line: str | None = None) -> str:
        """Return the sheet, or the line with this id, as a script for Walnut and for `fibprover run`."""
        return script_of(self) if line is None else script_of_line(self, self[line])


@overload
def study(
    word: str | AutomaticWord, *, only: Sequence[str] = (), limits: Limits | None = None,
    notify: Callable[[str], None] | None = None, unnamed: str = UNNAMED,
) -> Sheet: ...


@overload
def study(
    *, terms: str | Terms | Sequence[int], definition: str = "", systems: Sequence[str] = (), only: Sequence[str] = (),
    limits: Limits | None = None, notify: Callable[[str], None] | None = None, unnamed: str = UNNAMED,
) -> Sheet | SequenceSheet: ...


def study(
    word: str | AutomaticWord | None = None, *, terms: str | Terms | Sequence[int] | None = None, definition: str = "",
    systems: Sequence[str] = (), only: Sequence[str] = (), limits: Limits | None = None,
    notify: Callable[[str], None] | None = None, unnamed: str = UNNAMED,
) -> Sheet | SequenceSheet:
    """Return the sheet of theorems about a word, or about a sequence of numbers.

    Parameters:

    - word: a name of the library, a morphism such as "0->01, 1->0", a file, or a word
    - terms: instead of a word the first terms of a sequence, or a b-file; the sheet is then about a conjecture
    - definition: a formula that proves the conjecture. In it, $a(n) means that a(n) is 1 and not 0, and $a(n,v) that
      a(n) = v, where n is the index of the terms. If the terms are numbers, more than are letters, it is the formula
      whose variables other than n are counted
    - systems: the numeration systems in which the word or the sequence of the terms is looked for
    - only: the ids of the lines that are wanted, by default all
    - limits: what each line may spend, by default ten seconds
    - notify: is called with the id of each line before the line is begun
    - unnamed: a capital letter, the name of a word that has none

    Returns: a Sheet, or a SequenceSheet if the terms are numbers.

    Errors: FibproverError for a text that is no such word, and for an unknown id; NoAutomaton for terms that suggest
    no word.

    >>> sheet = fp.study("0->01, 1->0", only=["complexity"])
    >>> print(sheet.lines[0].value)
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, ... The differences are exactly 1.
    """
    begun = perf_counter()
    limits = limits or Limits(seconds=SECONDS)
    if (word is None) == (terms is None):
        raise FibproverError(
            "a sheet is about a word or about terms; give one of them", hint='study("T") or study(terms=[0, 1, 1, ...])'
        )
    guessed = None
    if terms is not None:
        found = _of_terms(_given(terms), definition, systems, only, limits, notify)
        if not isinstance(found, tuple):
            return found
        guessed = found
    about = guessed[0] if guessed else subject(word or "", limits.within(None), unnamed)
    _check_letters(about)
    letters = tuple(sorted(set(about.word.outputs)))
    asked = list(
        table_questions(letters) if about.is_table else questions(letters, about.word.prefix(max(LENGTHS)))
    )
    known = [each.id for each in asked]
    for name in only:
        if name not in known:
            raise FibproverError(f"no line of a sheet has the id {name!r}", hint=did_you_mean(name, known, kind="ids"))
    wanted = [each for each in asked if not only or each.id in only]
    missing = _missing(about, wanted, limits, notify)
    lines = []
    for question in wanted:
        if notify is not None:
            notify(question.id)
        lines.append(_line(about, question, limits, missing))
    if guessed:
        first = guessed[1]
        if first.status != "proved":
            lines = [under_conjecture(line) for line in lines]
        lines.insert(0, first)
    return Sheet(
        about.word.name, about.given, about.system, letters, sheet_text.first_letters(about.word),
        tuple(lines), perf_counter() - begun, about.word, _made(about),
    )


def _check_letters(about: Subject) -> None:
    """Raise FibproverError for a word that has no letter at some number."""
    places = "[m][n]" if about.is_table else "[n]"
    some = " | ".join(f"{about.word.name}{places}=@{letter}" for letter in sorted(set(about.word.outputs)))
    verdict = about.session.prove(f"?{about.system} A{'m,n' if about.is_table else 'n'} {some}")
    if not verdict:
        raise FibproverError(f"{about.word.name} has no letter at some numbers ({verdict.evidence})")


def _made(about: Subject) -> tuple[Definition, ...]:
    """Return the predicates of the word that were made for the formulas."""
    made = about.session.namespace.word_predicates
    return tuple(made[name] for name in made if name.partition("_")[2] == about.word.name)


def _given(terms: str | Terms | Sequence[int]) -> Terms:
    """Return the terms of a list, or of a b-file."""
    if isinstance(terms, str):
        text = read_script(terms)
        with naming(terms, text):
            return read_terms(text)
    return terms if isinstance(terms, Terms) else terms_from(terms)


def _of_terms(
    terms: Terms, definition: str, systems: Sequence[str], only: Sequence[str], limits: Limits,
    notify: Callable[[str], None] | None,
) -> tuple[Subject, Line] | SequenceSheet:
    """Return the word of the terms, or the sheet of their sequence.

    Terms that are numbers are counted by their definition; without one the word of their differences is looked for
    first.  NoAutomaton with what was tried in both ways.
    """
    # These need numpy.
    from fibprover.infer.choice import MOST_LETTERS
    from fibprover.sheets.sequence_sheet import study_sequence

    if len(set(terms.run)) <= MOST_LETTERS:
        return _conjecture(terms, definition, systems, limits)
    without = None
    if not definition:
        try:
            return _conjecture(terms, "", systems, limits)
        except NoAutomaton as none:
            without = none
        except BudgetSpent as spent:
            without = NoAutomaton(f"no automaton of the differences: {spent.message}", ())
    try:
        return study_sequence(terms, definition, systems=systems, only=only, limits=limits, notify=notify)
    except NoAutomaton as none:
        if without is None:
            raise
        raise NoAutomaton(f"{without.message}\n{none.message}", without.attempts, hint=none.hint) from None


def _conjecture(
    given: Terms, definition: str, systems: Sequence[str], limits: Limits
) -> tuple[Subject, Line]:
    """Return the word that terms suggest, and the line that says so."""
    from fibprover.sheets.conjecture import conjecture  # imported late, since it needs numpy

    begun = perf_counter()
    with spending(limits.start()):
        found = conjecture(given, definition, systems=systems, limits=limits)
    evidence = f"{found.evidence} {found.way}".strip()
    line = Line(
        "word", CONJECTURE, found.statement, found.status, evidence, found.formula, found.states,
        perf_counter() - begun,
    )
    return found.about, line


def _missing(
    about: Subject, wanted: Sequence[Question], limits: Limits, notify: Callable[[str], None] | None
) -> dict[str, str]:
    """Return for each basic predicate that could not be made the reason; only those are tried that a question needs."""
    seconds = None if limits.seconds is None else FIRST * limits.seconds
    found = {}
    for mark, predicate in FIRST_PREDICATES.items():
        if not any(mark in each.mentioned.replace("$sum", "") for each in wanted):
            continue
        formula = formula_about(about, predicate)
        if notify is not None:
            notify(formula)
        try:
            with spending(limits.within(seconds).start()):
                about.session.relation(formula)
        except FibproverError as problem:
            found[mark] = f"{formula} is needed, and {problem.message}"
    sums = [f"${prefix_sum(letter)}_{about.word.name}" for letter in about.word.outputs]
    for name, recursion in _recursions(about, wanted).items():
        found[f"${name}"] = "no automaton was found for the numbers of letters in prefixes"
        # If one of two letters has none, the other one has none; longer factors, whose recursion mentions equality of
        # factors, hardly have one then.
        if ("$feq" in recursion or len(set(sums)) == 2) and found.keys() & {"$", *sums} - {f"${name}"}:
            continue
        share = SHARE if "$feq" in recursion else 1.0
        try:
            with spending(limits.within(None if limits.seconds is None else share * limits.seconds).start()):
                about.session.solve(name, formula_about(about, recursion), by="n")
            del found[f"${name}"]
        except FibproverError:
            pass
    return found


def _recursions(about: Subject, wanted: Sequence[Question]) -> dict[str, str]:
    """Return the recursions of the predicates that questions mention and that are learned, by their names."""
    known = {prefix_sum(letter): sum_recursion(letter) for letter in sorted(set(about.word.outputs))}
    known |= {occurrences(length): occurrences_recursion(length) for length in LENGTHS}
    return {
        f"{kind}_{about.word.name}": recursion for kind, recursion in known.items()
        if any(f"${kind}_X(" in each.mentioned for each in wanted)
    }


def _reason(about: Subject, question: Question, missing: Mapping[str, str]) -> str:
    """Return why a question cannot be answered, "" if it can; that of a derived word can without what is learned."""
    mentioned = formula_about(about, question.mentioned)
    plain = mentioned.replace("$sum", "sum")
    for mark, why in missing.items():
        if mark in FIRST_PREDICATES and mark in plain:
            return why
        if mark not in FIRST_PREDICATES and f"{mark}(" in mentioned and question.kind != "derived":
            return why
    return ""


def _line(about: Subject, question: Question, limits: Limits, missing: Mapping[str, str]) -> Line:
    """Answer a question; missing: see `_missing`."""
    statement = _about(about, question.statement)
    begun = perf_counter()
    reason = _reason(about, question, missing)
    if reason:
        answer = Answer("open", f"not decided: {reason}", None)
    else:
        try:
            with spending(limits.start()):
                answer = ANSWERS[question.kind](about, question)
        except FibproverError as problem:  # a spent budget, or a predicate of the word that cannot be made
            answer = Answer("open", f"not decided: {problem.message}", None)
    seconds = perf_counter() - begun
    formula = answer.formula or formula_about(about, question.shown)
    return Line(
        question.id, question.section, statement, answer.status, answer.value, formula, answer.states, seconds,
        question.kind, answer.automaton, answer.terms, _about(about, answer.sentence),
    )


def _about(about: Subject, text: str) -> str:
    """Return a sentence about X as one about the word."""
    return re.sub(r"\bX\b", about.word.name, text)
