"""The way from a word, or from terms, to its sheet: each question is answered, or left open within its time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from fibprover.base.errors import BudgetSpent, FibproverError, did_you_mean
from fibprover.base.files import make_folder
from fibprover.base.folders import naming, read_script
from fibprover.base.limits import Limits, limits_of_part
from fibprover.base.names import word_predicate
from fibprover.infer.choice import MOST_LETTERS
from fibprover.language.builder import forall
from fibprover.language.equation_parser import are_equations
from fibprover.language.tree import Call, Formula, WordValue, disjunction, has_calls, nodes
from fibprover.sheets.certified import certified
from fibprover.sheets.conjecture import Conjecture, conjecture
from fibprover.sheets.defined import SEQUENCE
from fibprover.sheets.derived import Derived
from fibprover.sheets.desubstitution import ByDesubstitution, is_answered
from fibprover.sheets.families import family_questions
from fibprover.sheets.line import Answer, Line, under_conjecture
from fibprover.sheets.no_automaton import NoAutomaton
from fibprover.sheets.question import Question, about_word
from fibprover.sheets.questions import questions
from fibprover.sheets.sequence import conjecture_of_numbers, number_questions
from fibprover.sheets.sheet import Sheet
from fibprover.sheets.subject import UNNAMED, Numbers, Subject, WithoutAddition, subject
from fibprover.sheets.terms import Terms, is_list, read_terms, terms_from
from fibprover.sheets.two_indices import table_questions
from fibprover.sheets.vocabulary import LENGTHS, Vocabulary, i, j, letters, m, n
from fibprover.words.automatic import AutomaticWord
from fibprover.workspace.guard import enforced

#: Seconds for each question unless limits are given.
SECONDS = 10.0

#: Equality of factors, of which all predicates of words are made, and palindromes are made before the questions, and
#: may take so many times as long as one.
FIRST = 12

#: The predicates that count letters, and occurrences of a prefix, get these parts of the time: those of the library
#: that are learned take 0.14 s at most.
OF_LETTERS, OF_PREFIXES = 0.2, 0.06


def study(
    word: str | AutomaticWord | None = None, *, terms: str | Terms | Sequence[int] | None = None, definition: str = "",
    systems: Sequence[str] = (), only: Sequence[str] = (), limits: Limits | None = None,
    notify: Callable[[str], None] | None = None, unnamed: str = UNNAMED, certify: str | Path | None = None,
    interrupted: Callable[[Sheet, int], None] | None = None, coding: str = "",
) -> Sheet:
    """Return the sheet of theorems about a word, or about a sequence of numbers.

    Parameters:

    - word: a name of the library, a morphism such as "0->01, 1->0", a file, or a word
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
    - interrupted: is called where Ctrl-C ends the work, with a sheet of the lines that are finished and the number of
      all; the interruption goes on
    - coding: of the fixed point of a morphism, such as "a->011, b->0, c->01"

    Errors: FibproverError for a text that is no such word, and for an unknown id; NoAutomaton for terms that suggest
    no word.

    >>> sheet = fp.study("0->01, 1->0", only=["complexity"])
    >>> print(sheet.lines[0].value)
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, ... The differences are exactly 1.
    """
    begun = perf_counter()
    if certify is not None:
        make_folder(certify)
    limits = limits or limits_of_part(SECONDS)
    if (word is None) == (terms is None):
        raise FibproverError(
            "a sheet is about a word or about terms; give one of them", hint='study("T") or study(terms=[0, 1, 1, ...])'
        )
    first = None
    if terms is not None:
        found = suggested(terms, definition, systems, limits)
        about = found.about
        first = _certified(about, found.line(perf_counter() - begun), certify, limits)
    else:
        about = subject(word or "", limits.within(None), unnamed, coding)
    wanted = _wanted(about, only)
    other = None if about.morphic is None else ByDesubstitution(about.morphic)
    lines: list[Line] = []

    skipped = tuple(name for name in only if name not in {each.id for each in wanted})

    def sheet() -> Sheet:
        return _sheet(about, first, lines, perf_counter() - begun, skipped)

    try:
        missing = _missing(about, wanted, limits, notify)
        for question in wanted:
            if notify is not None:
                notify(question.id)
            lines.append(_certified(about, _line(about, question, limits, missing, other), certify, limits))
    except KeyboardInterrupt:
        if interrupted is not None:
            interrupted(sheet(), len(wanted) + (first is not None))
        raise
    return sheet()


def _sheet(
    about: Subject, first: Line | None, answered: Sequence[Line], seconds: float, skipped: tuple[str, ...]
) -> Sheet:
    """Return the sheet of the lines that are answered; first: the line about the conjecture, if there is one."""
    lines = list(answered)
    if first is not None:
        if first.status != "proved":
            lines = [under_conjecture(line) for line in lines]
        lines.insert(0, first)
    words = _words(about, None if first is None else first.tree)
    made = about.session.namespace.word_predicates
    predicates = tuple(made[name] for name in made if name.partition("_")[2] in {each.name for each in words})
    return Sheet(about.topic, about.given, about.system, tuple(lines), seconds, words, predicates, skipped)


def _certified(about: Subject, line: Line, folder: str | Path | None, limits: Limits) -> Line:
    """Return a line with its certificate, if there is a folder for certificates."""
    return line if folder is None else replace(line, certificate=certified(about, line, folder, limits))


def _wanted(about: Subject, only: Sequence[str]) -> list[Question]:
    """Return the questions about a subject, or those with some ids; FibproverError for an unknown one."""
    asked = list(_questions(about))
    known = [each.id for each in asked]
    strange = [name for name in only if name not in known]
    others = _ids_of_others(about) if strange else set()
    for name in strange:
        if name not in others or len(strange) == len(only):
            said = f"{about.name} has no line" if name in others else "no line of a sheet has the id"
            raise FibproverError(f"{said} {name!r}", hint=did_you_mean(name, known, kind="ids"))
    return [each for each in asked if not only or each.id in only]


def _ids_of_others(about: Subject) -> set[str]:
    """Return the ids of the lines of other words, if it is about a word."""
    if not about.is_word:
        return set()
    found = {each.id for size in (2, 3, 4) for each in questions("W", range(size), (0, 1))}
    return found | {each.id for each in table_questions(Vocabulary("W"), (0, 1))}


def _questions(about: Subject) -> Iterator[Question]:
    if isinstance(about.topic, Numbers):
        return number_questions(about.topic)
    if isinstance(about.topic, WithoutAddition):
        asked = questions(about.name, about.letters, about.topic.prefix(max(LENGTHS)))
        return (each for each in asked if is_answered(each))
    _check_letters(about)
    if about.is_family:
        return family_questions(about.name, about.letters, about.system)
    if about.is_table:
        return table_questions(Vocabulary(about.name), about.letters)
    return questions(about.name, about.letters, about.word.prefix(max(LENGTHS)))


def _check_letters(about: Subject) -> None:
    """Raise FibproverError for a word that has no letter at some number."""
    places = (m, n) if about.is_table else (n,)
    x = Vocabulary(about.name)
    verdict = about.prove(forall(*places, disjunction(x.has(each, *places) for each in about.letters)))
    if not verdict:
        raise FibproverError(f"{about.name} has no letter at some numbers ({verdict.evidence})")


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


def _missing(
    about: Subject, wanted: Sequence[Question], limits: Limits, notify: Callable[[str], None] | None
) -> dict[str, str]:
    """Return for each basic predicate that could not be made the reason; only those are tried that a question needs."""
    x = Vocabulary(about.name)
    needed = set[str]().union(*(_needed(x, question) for question in wanted))
    if not needed or isinstance(about.topic, WithoutAddition):
        return {}
    missing = {}
    for predicate in (x.equal(i, j, n), x.palindrome(i, n)):
        if predicate.name not in needed:
            continue
        formula = about.stated(predicate)
        if notify is not None:
            notify(str(formula))
        try:
            with enforced(limits.share(FIRST)):
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
    x = Vocabulary(about.name)
    equality = x.predicate("feq")
    sums = {x.predicate(letters(each)) for each in about.letters}
    found: dict[str, str] = {}
    for name, recursion in x.recursions(about.letters).items():
        if name not in needed:
            continue
        found[name] = "no automaton was found for the numbers of letters in prefixes"
        of_factors = has_calls(recursion, {equality})
        # If one of two letters has none, the other one has none; longer factors, whose recursion mentions equality of
        # factors, hardly have one then.
        without = {*missing, *found} & {equality, *sums} - {name}
        if (of_factors or len(sums) == 2) and without:
            continue
        share = OF_PREFIXES if of_factors else OF_LETTERS
        try:
            with enforced(limits.share(share)):
                about.session.solve(name, about.stated(recursion), by=n)
            del found[name]
        except FibproverError:
            pass
    return found


def _reason(about: Subject, question: Question, missing: Mapping[str, str]) -> str:
    """Return why a question cannot be answered, "" if it can; that of a derived word can without what is learned."""
    needed = _needed(Vocabulary(about.name), question)
    if isinstance(question, Derived):
        needed = {name for name in needed if word_predicate(name) is not None}
    return next((why for name, why in missing.items() if name in needed), "")


def _answered(
    about: Subject, question: Question, limits: Limits, missing: Mapping[str, str], other: ByDesubstitution | None
) -> Answer:
    """Answer a question by its formula, or else by desubstitution, where the word is a fixed point."""
    answer = Answer("open", "", None)
    if not isinstance(about.topic, WithoutAddition):
        reason = _reason(about, question, missing)
        answer = Answer("open", f"not decided: {reason}", None)
        if not reason:
            answer = _within(limits, lambda: question.answer(about))
    if answer.status != "open" or other is None or not is_answered(question):
        return answer
    found = _within(limits, lambda: other.answer(question))
    return found if found.status != "open" or not answer.value else answer


def _within(limits: Limits, answer: Callable[[], Answer]) -> Answer:
    """Return an answer; it is open where a budget is spent, or a predicate of the word cannot be made."""
    try:
        with enforced(limits):
            return answer()
    except FibproverError as problem:
        return Answer("open", f"not decided: {problem.message}", None)


def _line(
    about: Subject, question: Question, limits: Limits, missing: Mapping[str, str], other: ByDesubstitution | None
) -> Line:
    """Answer a question; missing: see `_missing`; other: what is known by desubstitution."""
    begun = perf_counter()
    answer = _answered(about, question, limits, missing, other)
    seconds = perf_counter() - begun
    by_formula = question.shown is not None and not isinstance(about.topic, WithoutAddition)
    shown = about.stated(question.shown) if by_formula and question.shown is not None else None
    formula: Formula | None = shown if answer.formula is None else answer.formula
    return Line(
        question.id, question.section, about_word(question.statement, about.name), answer.status, answer.value, formula,
        answer.states, seconds, question.kind, answer.automaton, answer.terms, about_word(answer.sentence, about.name),
        by=answer.by, slopes=answer.slopes,
    )


def suggested(
    terms: str | Terms | Sequence[int], definition: str, systems: Sequence[str], limits: Limits
) -> Conjecture:
    """Return the word of the terms of a list or a b-file, or their sequence.

    Terms of few values may be the letters of a word, and numbers if they are none.  Others are counted by their
    definition; without one the word of their differences is looked for first.  NoAutomaton with what was tried.
    """
    with enforced(limits):
        given = _given(terms)
    without: NoAutomaton | BudgetSpent | None = None
    letters = len(set(given.run)) <= MOST_LETTERS and not are_equations(SEQUENCE, definition)
    if letters or not definition:
        try:
            with enforced(limits):
                return conjecture(given, definition, systems=systems, limits=limits)
        except (NoAutomaton, BudgetSpent) as problem:
            without = problem
    try:
        return conjecture_of_numbers(given, definition, systems=systems, limits=limits)
    except NoAutomaton as none:
        if isinstance(without, BudgetSpent):
            of = "" if letters else " of the differences"
            without = NoAutomaton(f"no automaton{of}: {without.message}", ())
        if without is None:
            raise
        raise NoAutomaton(f"{without.message}\n{none.message}", without.attempts, hint=none.hint) from None


def _given(terms: str | Terms | Sequence[int]) -> Terms:
    if isinstance(terms, str) and is_list(terms):
        return read_terms(terms)
    if isinstance(terms, str):
        text = read_script(terms)
        with naming(terms, text):
            return read_terms(text)
    return terms if isinstance(terms, Terms) else terms_from(terms)
