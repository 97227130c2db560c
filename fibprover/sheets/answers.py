"""How each kind of question about a word is answered: by a decided formula, or by what its relation describes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import monotonic
from types import MappingProxyType

from fibprover.base.errors import BudgetSpent, LimitError
from fibprover.base.limits import Budget, Limits, effective, poll, spending
from fibprover.prover.verdict.relation import Relation
from fibprover.sequences.series import Series
from fibprover.sheets import sheet_text
from fibprover.sheets.answer import Answer, formula_about
from fibprover.sheets.closed_form import closed_form
from fibprover.sheets.derived import derived_answer
from fibprover.sheets.frequencies import letter_frequencies
from fibprover.sheets.question import MOST_COUNTED, Kind, Question
from fibprover.sheets.subject import Subject
from fibprover.sheets.suprema import PLOTTED, Supremum, greatest, limit_superior, supremum
from fibprover.sheets.two_indices import line_answer, size_answer

#: The number of values of a sequence, and of members of a set, that are shown.
SHOWN = 12

#: The most letters that may be dropped from a word to recognize it as another one.
SHIFTS = 6

#: The part of the remaining time for the search for the values of a sequence, or of its differences.
SHARE = 0.4


def _claim(about: Subject, question: Question) -> Answer:
    formula = formula_about(about, question.formula)
    verdict = about.session.prove(formula)
    evidence = verdict.evidence
    states = verdict.trace.largest
    return Answer("proved" if verdict else "refuted", "" if evidence is None else str(evidence), states)


def _set(about: Subject, question: Question) -> Answer:
    formula = formula_about(about, question.formula)
    found = about.session.relation(formula)
    terms = tuple(each for each in range(PLOTTED) if each in found)
    return Answer("proved", _described(found), found.states, found.automaton, terms)


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


def _sequence(about: Subject, question: Question) -> Answer:
    formula = formula_about(about, question.formula)
    counts = about.session.counts("n", formula)
    terms = tuple(int(counts[n]) for n in range(PLOTTED))
    said = f"{', '.join(map(str, terms[:SHOWN]))}, ..."
    # The relation of the formula is known from counting.
    automaton = about.session.relation(formula).automaton
    values = _values(lambda: counts)
    if values is not None:
        return Answer("proved", f"{said} The values are exactly {values}.", counts.dimension, automaton, terms)
    differences = _values(lambda: counts.subsequence(1, 1) - counts)
    if differences is not None:
        said += f" The differences are exactly {differences}."
    return Answer("proved", said, counts.dimension, automaton, terms)


def _values(sequence: Callable[[], Series]) -> str | None:
    """Return the values of a sequence; None if they are infinitely many, or not known in a part of the time left.

    Where they are infinitely many, the search for them may not end; the sequence itself is known without it.
    """
    left = effective(Budget()).deadline - monotonic()
    try:
        with spending(Limits(seconds=None if left == float("inf") else max(left * SHARE, 0.001)).start()):
            return ", ".join(map(str, sorted(sequence().values())))
    except (LimitError, BudgetSpent):
        poll("the values of a sequence")
        return None


def _function(about: Subject, question: Question) -> Answer:
    """Return the values of a function, by the numbers m that are less than them, and where it is infinite."""
    relation = about.session.relation(formula_about(about, question.formula))
    infinite = about.session.relation(formula_about(about, f"Am ({question.formula})"))
    if not infinite.is_empty():
        said = f"infinite for these n: {_described(infinite)}"
        return Answer("proved", said, relation.states, relation.automaton)
    counts = about.session.counts("n", relation)
    terms = tuple(int(counts[n]) for n in range(PLOTTED))
    said = f"{', '.join(map(str, terms[:SHOWN]))}, ..., by a linear representation of dimension {counts.dimension}"
    return Answer("proved", said, relation.states, relation.automaton, terms)


def _supremum(about: Subject, question: Question) -> Answer:
    formula = formula_about(about, question.formula)
    relation = about.session.relation(formula)
    found = supremum(relation)
    if found is None:
        return Answer("proved", "there are no such pairs", relation.states, relation.automaton)
    return Answer(
        "proved", str(found), relation.states, relation.automaton, greatest(relation, found.value),
        sentence=_bound(question.id, found),
    )


#: What a supremum says about lengths n, by the id of its question.
_BOUNDS = MappingProxyType({
    "gaps": "Consecutive occurrences of a factor of length n are at most {} apart ({}).",
    "appearance": "The first occurrence of a factor of length n ends at most at {} ({}).",
    "recurrence-quotient": "The recurrence function R(n) is at most {} ({}).",
})


def _bound(question: str, found: Supremum) -> str:
    """Return what a finite supremum of some questions says as a sentence; "" for the other questions."""
    if question not in _BOUNDS or found.value is None:
        return ""
    times = f"{found.value}n" if str(found.value).isdecimal() else f"n times {found.value}"
    at = "" if found.pair is None else f" at n = {found.pair[1]}"
    how = f"best possible; attained{at}" if found.attained else "best possible, but not attained"
    return _BOUNDS[question].format(times, how)


def _limit(about: Subject, question: Question) -> Answer:
    formula = formula_about(about, question.formula)
    relation = about.session.relation(formula)
    if relation.is_finite():
        said = "there are finitely many such pairs"
    else:
        found = limit_superior(relation)
        said = "infinite" if found is None else str(found)
    return Answer("proved", said, relation.states, relation.automaton)


def _frequency(about: Subject, question: Question) -> Answer:
    """Return the frequency of the letter after the @ of the formula."""
    found = letter_frequencies(about.word.machine, about.session.namespace.system(about.system))
    frequency = found[int(question.formula.rpartition("@")[2])]
    letter = question.formula.rpartition("@")[2]
    said = "It does not exist." if frequency is None else str(frequency)
    has = "no frequency" if frequency is None else f"frequency {frequency}"
    sentence = f"The letter {letter} has {has.removesuffix('.')}."
    return Answer("proved", said, about.word.machine.states, sentence=sentence)


def _word(about: Subject, question: Question) -> Answer:
    """Return the first letters of a word, and where it occurs in the word of the sheet, if it does."""
    formula = formula_about(about, question.formula)
    letters = sorted(set(about.word.outputs))
    last = f"=@{letters[-1]}"
    parts = {letter: about.session.relation(formula.replace(last, f"=@{letter}", 1)) for letter in letters}

    def letter_at(n: int) -> int:
        return next(letter for letter, part in parts.items() if n in part)

    first = [letter_at(n) for n in range(PLOTTED)]
    name, prefix = about.word.name, about.word.prefix(PLOTTED + SHIFTS)
    said = f"{sheet_text.letters_text(first[:30])}..."
    for shift in range(-1, SHIFTS):
        if first[1:] != list(prefix[1 + shift: PLOTTED + shift]):
            continue
        place = f"{name}[n+{shift}]" if shift >= 0 else f"{name}[n-1]"
        guard = "" if shift >= 0 else "n>0 & "
        if all(
            about.session.relation(f"?{about.system} {guard}{place}=@{letter}")
            == (part if shift >= 0 else part & about.session.relation(f"?{about.system} n>0"))
            for letter, part in parts.items()
        ):
            said += f", which is {sheet_text.from_letter(name, shift) if shift >= 0 else f'{first[0]} and then {name}'}"
            break
    final = parts[letters[-1]]
    return Answer("proved", said, max(part.states for part in parts.values()), final.automaton, tuple(first))


def _greatest(about: Subject, question: Question) -> Answer:
    """Return the greatest value of a sequence; raises LimitError as for `Series.values`."""
    formula = formula_about(about, question.formula)
    counts = about.session.counts("n", formula)
    terms = tuple(int(counts[n]) for n in range(PLOTTED))
    automaton = about.session.relation(formula).automaton
    return Answer("proved", str(max(counts.values())), counts.dimension, automaton, terms)


def _cases(about: Subject, question: Question) -> Answer:
    """Return the numbers whose case is true."""
    found, parts, states = [], [], 0
    for number, case in question.cases:
        holds, size = _holds(about, case)
        states = max(states, size)
        if holds:
            found.append(number)
        parts.append(f"({case})" if holds else f"~({case})")
    return _numbers(about, found, parts, states)


def _counts(about: Subject, question: Question) -> Answer:
    """Return the counts that occur, by the formula for one of them and the formula that one is greater."""
    found, parts, states = [], [], 0
    for number in range(MOST_COUNTED):
        exactly, more = (question.formula.replace("#", sign) for sign in (f"={number}", f">={number + 1}"))
        (occurs, size), (goes_on, size_of_more) = _holds(about, exactly), _holds(about, more)
        states = max(states, size, size_of_more)
        if occurs:
            found.append(number)
        if found:
            parts.append(f"({exactly})" if occurs else f"~({exactly})")
        if not goes_on:
            if found and found[0]:
                parts.append(f"~({question.formula.replace('#', f'<={found[0] - 1}')})")
            return _numbers(about, found, [*parts, f"~({more})"], states)
    raise LimitError(f"some count is {MOST_COUNTED} or more")


def _holds(about: Subject, text: str) -> tuple[bool, int]:
    """Return whether a closed formula about X is true, and the most states of an automaton on the way."""
    verdict = about.session.prove(formula_about(about, text))
    return bool(verdict), verdict.trace.largest


def _numbers(about: Subject, numbers: list[int], parts: list[str], states: int) -> Answer:
    said = ", ".join(map(str, numbers)) if numbers else "none"
    return Answer("proved", said, states, formula=formula_about(about, " & ".join(parts)))


def _balance(about: Subject, question: Question) -> Answer:
    """Return the set of differences of numbers of letters, which has no gaps, by its first number that is missing.

    The number of letters changes by one at most from a place to the next one, so that between two factors there are
    some with all differences in between.  An addition of a variable would make larger automata.
    """
    before = ""
    states = 0
    for number, case in question.cases:
        occurs, size = _holds(about, case)
        states = max(states, size)
        if not occurs:
            formula = f"({before}) & ~({case})" if before else f"~({case})"
            said = ", ".join(map(str, range(number)))
            return Answer("proved", said, states, terms=(*range(number),), formula=formula_about(about, formula))
        before = case
    return _set(about, question)


def _steps(about: Subject, question: Question) -> Answer:
    """Return the first case that all numbers satisfy, or the least numbers that do not satisfy each case."""
    least: list[int] = []
    for number, case in question.cases:
        found = about.session.relation(formula_about(about, case))
        missing = ~found
        if missing.is_empty():
            formula = formula_about(about, f"An {case}")
            return Answer("proved", _steps_said(str(number), least), found.states, found.automaton, formula=formula)
        least += missing.values(1)
    last, case = question.cases[-1]
    formula = formula_about(about, f"~(An {case})")
    return Answer("proved", _steps_said(f"none up to {last}", least), found.states, found.automaton, formula=formula)


def _steps_said(found: str, least: list[int]) -> str:
    if not least:
        return found
    numbers = ", ".join(map(str, range(1, len(least) + 1)))
    return f"{found}. For k = {numbers} the shortest of the other prefixes has length {', '.join(map(str, least))}."


#: How each kind of question is answered.
ANSWERS: Mapping[Kind, Callable[[Subject, Question], Answer]] = MappingProxyType({
    "claim": _claim, "set": _set, "sequence": _sequence, "greatest": _greatest, "supremum": _supremum, "limit": _limit,
    "frequency": _frequency, "word": _word, "cases": _cases, "counts": _counts, "steps": _steps,
    "balance": _balance, "derived": derived_answer, "closed form": closed_form, "size": size_answer,
    "line": line_answer, "function": _function,
})
