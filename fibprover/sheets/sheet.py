"""The sheet of a word: each question answered, or left open within its time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, overload

from fibprover.base.errors import BudgetSpent, FibproverError, did_you_mean
from fibprover.base.folders import naming, read_script
from fibprover.base.limits import Limits, spending
from fibprover.base.names import word_predicate
from fibprover.base.values import value
from fibprover.language.builder import forall
from fibprover.language.tree import Call, Formula, disjunction, has_calls, nodes
from fibprover.prover.environment import Definition
from fibprover.sheets import report
from fibprover.sheets.answer import Answer
from fibprover.sheets.comparison import Comparison
from fibprover.sheets.derived import Derived
from fibprover.sheets.line import Line, Lines
from fibprover.sheets.no_automaton import NoAutomaton
from fibprover.sheets.question import Question
from fibprover.sheets.questions import questions
from fibprover.sheets.script import CONJECTURE, script_of, script_of_line
from fibprover.sheets.subject import UNNAMED, Subject, subject
from fibprover.sheets.tables import table_questions
from fibprover.sheets.terms import Terms, read_terms, terms_from
from fibprover.sheets.vocabulary import LENGTHS, Vocabulary, i, j, letters, m, n
from fibprover.words.automatic import AutomaticWord

if TYPE_CHECKING:
    from fibprover.sheets.sequence_sheet import SequenceSheet

#: Seconds for each question unless limits are given.
SECONDS = 10.0

#: Equality of factors, of which all predicates of words are made, and palindromes are made before the questions, and
#: may take so many times as long as one.
FIRST = 12

#: That of numbers of places of a prefix has this part of the time: where it can be learned, it is soon.
SHARE = 0.25


@value
class Sheet(Lines):
    """All lines about a word, in order; prints itself as text, and shows itself in notebooks as a table.

    prefix: the first letters, of a word with two indices those of the first rows and columns; word: the word itself;
    predicates: those of the word that its formulas call, as far as they were made.
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
        return report.letters_text(self.prefix) if len(self.word.tracks) == 1 else report.rows_text(self.prefix)

    def beside(self, other: Sheet) -> Comparison:
        """Return this sheet and another one side by side."""
        return Comparison(self, other)

    def to_script(self, line: str | None = None) -> str:
        """Return the sheet, or the line with this id, as a script for Walnut and for `fibprover run`."""
        return script_of(self) if line is None else script_of_line(self, self[line])


#: Before each line about a word that its terms suggest.
UNDER = "Under the conjecture: "


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

    word: a name of the library, a morphism such as "0->01, 1->0", a file, or a word; terms: instead of a word the
    first terms of a sequence, or a b-file, of which the word is a conjecture; definition: a formula that proves it,
    in which $a(n), with the index n of the terms, means that a(n) is 1 and not 0, or $a(n,v) that a(n) = v; of terms
    that are numbers, more than are letters, it is the formula whose variables other than n are counted; systems: in
    which the word or the sequence of the terms is looked for; only: the ids of some lines; limits: of each line (by
    default ten seconds); notify: called with the id of each line before it is begun; unnamed: a capital letter, the
    name of a word that has none.
    FibproverError for a text that is no such word, and for an unknown id; NoAutomaton for terms that suggest no word.
    """
    begun = perf_counter()
    limits = limits or Limits(seconds=SECONDS)
    if (word is None) == (terms is None):
        raise FibproverError("a sheet is about a word or about terms", hint='study("T") or study(terms=[0, 1, 1, ...])')
    guessed = None
    if terms is not None:
        found = _of_terms(_given(terms), definition, systems, only, limits, notify)
        if not isinstance(found, tuple):
            return found
        guessed = found
    about = guessed[0] if guessed else subject(word or "", limits.within(None), unnamed)
    _check_letters(about)
    alphabet = tuple(sorted(set(about.word.outputs)))
    asked = list(
        table_questions(Vocabulary(about.word.name), alphabet) if about.is_table
        else questions(about.word.name, alphabet, about.word.prefix(max(LENGTHS)))
    )
    known = [each.id for each in asked]
    for name in only:
        if name not in known:
            raise FibproverError(f"no line of a sheet is {name!r}", hint=did_you_mean(name, known) or ", ".join(known))
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
            lines = [replace(line, statement=UNDER + line.statement) for line in lines]
        lines.insert(0, first)
    return Sheet(
        about.word.name, about.given, about.system, alphabet, report.first_letters(about.word),
        tuple(lines), perf_counter() - begun, about.word, _made(about),
    )


def _check_letters(about: Subject) -> None:
    """Raise FibproverError for a word that has no letter at some number."""
    places = (m, n) if about.is_table else (n,)
    x, alphabet = Vocabulary(about.word.name), sorted(set(about.word.outputs))
    verdict = about.prove(forall(*places, disjunction(x.has(each, *places) for each in alphabet)))
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
    from fibprover.sheets.conjecture import conjecture  # late: it needs numpy

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
    """Return why the predicates are not known from which the others are made, for those that a question needs."""
    x = Vocabulary(about.word.name)
    needed = set[str]().union(*(_needed(x, question) for question in wanted))
    seconds = None if limits.seconds is None else FIRST * limits.seconds
    missing = {}
    for predicate in (x.equal(i, j, n), x.palindrome(i, n)):
        if predicate.name not in needed:
            continue
        formula = about.stated(predicate)
        if notify is not None:
            notify(str(formula))
        try:
            with spending(limits.within(seconds).start()):
                about.session.relation(formula)
        except FibproverError as problem:
            missing[predicate.name] = f"{formula} is needed, and {problem.message}"
    return missing | _not_learned(about, needed, missing, limits)


def _needed(x: Vocabulary, question: Question) -> set[str]:
    """Return the names of the predicates that a question needs to be made before."""
    if question.shown is None:
        return set()
    called = {each.name for each in nodes(question.shown) if isinstance(each, Call)}
    counting = {name for name in called if word_predicate(name) is None}
    factors = called - counting or any(name.startswith("occ") for name in counting)
    return called | {x.predicate("feq")} if factors else called


def _not_learned(
    about: Subject, needed: Collection[str], missing: Collection[str], limits: Limits
) -> dict[str, str]:
    """Learn the predicates that count letters and prefixes, and return why some are not known."""
    x = Vocabulary(about.word.name)
    equality = x.predicate("feq")
    sums = {x.predicate(letters(each)) for each in about.word.outputs}
    found: dict[str, str] = {}
    for name, recursion in x.recursions(about.word.outputs).items():
        if name not in needed:
            continue
        found[name] = "the numbers of letters in prefixes have no automaton, or one that was not found"
        of_factors = has_calls(recursion, {equality})
        # If one of two letters has none, the other one has none; longer factors, whose recursion mentions equality of
        # factors, hardly have one then.
        without = {*missing, *found} & {equality, *sums} - {name}
        if (of_factors or len(sums) == 2) and without:
            continue
        share = SHARE if of_factors else 1.0
        try:
            with spending(limits.within(None if limits.seconds is None else share * limits.seconds).start()):
                about.session.solve(name, about.stated(recursion), by=n)
            del found[name]
        except FibproverError:
            pass
    return found


def _reason(about: Subject, question: Question, missing: Mapping[str, str]) -> str:
    """Return why a question cannot be answered, "" if it can; that of a derived word can without what is learned."""
    needed = _needed(Vocabulary(about.word.name), question)
    if isinstance(question, Derived):
        needed = {name for name in needed if word_predicate(name) is not None}
    return next((why for name, why in missing.items() if name in needed), "")


def _line(about: Subject, question: Question, limits: Limits, missing: Mapping[str, str]) -> Line:
    """Answer a question; missing: see `_missing`."""
    begun = perf_counter()
    reason = _reason(about, question, missing)
    if reason:
        answer = Answer("open", f"not decided: {reason}", None)
    else:
        try:
            with spending(limits.start()):
                answer = question.answer(about)
        except FibproverError as problem:  # a spent budget, or a predicate of the word that cannot be made
            answer = Answer("open", f"not decided: {problem.message}", None)
    seconds = perf_counter() - begun
    shown = None if question.shown is None else about.stated(question.shown)
    formula: Formula | None = shown if answer.formula is None else answer.formula
    return Line(
        question.id, question.section, question.said(about.word.name), answer.status, answer.value, formula,
        answer.states, seconds, question.kind, answer.automaton, answer.terms,
    )
