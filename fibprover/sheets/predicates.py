"""The predicates of a word that the questions of its sheet need: made before them, or the reasons why they are not."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from fibprover.automata.dfa import Dfa
from fibprover.base.errors import FibproverError
from fibprover.base.names import word_predicate
from fibprover.language.tree import Call, nodes
from fibprover.prover.environment import Definition
from fibprover.sheets.allowance import BEFORE, Allowance
from fibprover.sheets.derived import Derived
from fibprover.sheets.question import Question
from fibprover.sheets.subject import Subject, WithoutAddition
from fibprover.sheets.vocabulary import EXCESS, LENGTHS, Vocabulary, excess, i, j, letters, n, occurrences
from fibprover.words.letter_counts import letter_counts, letter_counts_by_morphism
from fibprover.workspace.guard import enforced

#: Equality of factors, of which all predicates of words are made, and palindromes are made before the questions, and
#: may take so many times as long as one.
FIRST = 12

#: The predicates that count letters get these parts of the time where they are found, and proved, and where they are
#: learned: those of the library that are learned take 0.14 s at most.  None was learned that counts the places of a
#: prefix and was not found.
OF_GUESSED, OF_LEARNED = 0.2, 0.06


def missing_predicates(
    about: Subject, wanted: Sequence[Question], allowance: Allowance, notify: Callable[[str], None] | None
) -> dict[str, str]:
    """Return for each basic predicate that could not be made the reason; only those are tried that a question needs."""
    x = Vocabulary(about.name)
    needed = set[str]().union(*(_needed(about, question) for question in wanted))
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
            with enforced(allowance.part(FIRST, BEFORE)):
                about.session.relation(formula)
        except FibproverError as problem:
            missing[predicate.name] = f"{formula} is needed, and {problem.message}"
    missing |= _not_learned(about, needed, missing, allowance)
    return missing | _not_defined(about, needed, missing, allowance)


def _needed(about: Subject, question: Question) -> set[str]:
    """Return the names of the predicates that a question needs to be made before."""
    if question.shown is None:
        return set()
    x = Vocabulary(about.name)
    called = set[str]()
    formulas = [question.shown]
    for formula in formulas:
        names = {each.name for each in nodes(formula) if isinstance(each, Call)} - called
        called |= names
        defined = (x.definition(name, about.letters) for name in names)
        formulas += [formula for formula in defined if formula is not None]
    counting = {name for name in called if word_predicate(name) is None}
    factors = called - counting or any(name.startswith("occ") for name in counting)
    return called | {x.predicate("feq")} if factors else called


def counts_letters(about: Subject, question: Question) -> bool:
    """Return whether a question needs the numbers of letters in prefixes."""
    x = Vocabulary(about.name)
    return not _needed(about, question).isdisjoint(x.predicate(letters(each)) for each in about.letters)


def _not_learned(
    about: Subject, needed: Collection[str], missing: Collection[str], allowance: Allowance
) -> dict[str, str]:
    """Find, or learn, the predicates that count letters and prefixes, and return why some are not known."""
    x = Vocabulary(about.name)
    sums = {x.predicate(letters(each)): each for each in about.letters}
    found: dict[str, str] = {}
    for name, recursion in x.recursions(about.letters).items():
        if name not in needed:
            continue
        of_factors = name not in sums
        what = "numbers of places where a prefix occurs" if of_factors else "numbers of letters in prefixes"
        found[name] = f"no automaton was found for the {what}"
        # If one of two letters has none, the other one has none.
        one_has_none = len(sums) == 2 and not {*found}.isdisjoint({*sums} - {name})
        if (x.predicate("feq") in missing) if of_factors else one_has_none:
            continue
        try:
            with enforced(allowance.part(OF_GUESSED, BEFORE)):
                counts = _occurrences(about, name) if of_factors else _letters(about, sums[name])
            if counts is None and of_factors:
                continue
            with enforced(allowance.part(OF_LEARNED if counts is None else OF_GUESSED, BEFORE)):
                if counts is not None:
                    about.session.namespace.definitions[name] = Definition(name, counts)
                about.session.solve(name, about.stated(recursion), by=n)
            del found[name]
        except FibproverError:
            about.session.namespace.definitions.pop(name, None)
    return found


def _letters(about: Subject, letter: int) -> Dfa | None:
    """Return an automaton that counts a letter, if one is found; `solve` tries it first, and proves it."""
    system, budget = about.numbers_system, about.session.namespace.budget()
    counts = letter_counts(about.word.machine, letter, system, budget)
    if counts is None and about.morphic is not None:
        counts = letter_counts_by_morphism(about.morphic, letter, system, budget)
    return counts


def _occurrences(about: Subject, name: str) -> Dfa | None:
    """Return an automaton that counts the places of a prefix, if one is found: they are a word of the letters 0 and 1.
    """
    x = Vocabulary(about.name)
    length = next(each for each in LENGTHS if x.predicate(occurrences(each)) == name)
    places = about.relation(x.equal(0, n, length)).automaton
    return letter_counts(places, 1, about.numbers_system, about.session.namespace.budget())


def _not_defined(
    about: Subject, needed: Collection[str], missing: Mapping[str, str], allowance: Allowance
) -> dict[str, str]:
    """Define the predicates that compare factors with prefixes, and return why some are not made."""
    x = Vocabulary(about.name)
    found: dict[str, str] = {}
    for name in map(x.predicate, [*map(excess, about.letters), EXCESS]):
        formula = x.definition(name, about.letters) if name in needed else None
        if formula is None:
            continue
        called = {each.name for each in nodes(formula) if isinstance(each, Call)}
        if called & {*missing, *found}:
            continue  # what it calls is named as the reason
        try:
            with enforced(allowance.part(of_rest=BEFORE)):
                about.session.define(name, about.stated(formula))
        except FibproverError as problem:
            found[name] = f"${name} is needed, and {problem.message}"
    return found


def reason(about: Subject, question: Question, missing: Mapping[str, str]) -> str:
    """Return why a question cannot be answered, "" if it can; that of a derived word can without what is learned."""
    needed = _needed(about, question)
    if isinstance(question, Derived):
        needed = {name for name in needed if word_predicate(name) is not None}
    return next((why for name, why in missing.items() if name in needed), "")
