"""Which questions are asked of a word or a sequence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fibprover.base.errors import FibproverError, did_you_mean
from fibprover.base.names import STURMIAN
from fibprover.language.builder import forall
from fibprover.language.tree import disjunction
from fibprover.sheets.desubstitution import is_answered
from fibprover.sheets.families import family_questions
from fibprover.sheets.question import Question
from fibprover.sheets.questions import questions
from fibprover.sheets.sequence import IDS, number_questions
from fibprover.sheets.subject import Numbers, Subject, WithoutAddition
from fibprover.sheets.two_indices import table_questions
from fibprover.sheets.vocabulary import LENGTHS, Vocabulary, m, n


def wanted(about: Subject, only: Sequence[str]) -> list[Question]:
    """Return the questions about a subject, or those with some ids, of which others may have some.

    Raises FibproverError for an id that no sheet has.
    """
    asked = list(_questions(about))
    known = [each.id for each in asked]
    strange = [name for name in only if name not in known]
    others = _ids() if strange else set()
    for name in strange:
        if name not in others:
            hint = did_you_mean(name, sorted({*known, *others}), kind="ids")
            raise FibproverError(f"no line of a sheet has the id {name!r}", hint=hint)
    return [each for each in asked if not only or each.id in only]


def _ids() -> set[str]:
    """Return the ids of the lines of all sheets, of words with at most four letters."""
    found = {each.id for size in (2, 3, 4) for each in questions("W", range(size), (0, 1))}
    found |= {each.id for each in table_questions(Vocabulary("W"), (0, 1))}
    return found | {each.id for each in family_questions("W", (0, 1), STURMIAN)} | set(IDS)


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
