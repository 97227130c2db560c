"""The kinds of questions about a word, each with its answer: a decided formula, or what its relation describes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from fibprover.base.errors import BudgetSpent, LimitError
from fibprover.base.limits import Budget, effective, poll, spending
from fibprover.base.wording import exactly, sentence
from fibprover.language.builder import exists, forall
from fibprover.language.tree import Formula, Letter, Quantified, Variable, WordValue, conjunction
from fibprover.prover.verdict.relation import Relation
from fibprover.prover.verdict.slopes import SlopeVerdict
from fibprover.prover.verdict.verdict import Verdict
from fibprover.sequences.rational import Number
from fibprover.sequences.series import MOST_STATES, Series
from fibprover.sheets import sheet_text, suprema
from fibprover.sheets.frequencies import letter_frequencies
from fibprover.sheets.line import Answer
from fibprover.sheets.question import FormulaQuestion, Question
from fibprover.sheets.subject import Subject
from fibprover.sheets.suprema import PLOTTED
from fibprover.sheets.vocabulary import Vocabulary, m, n

#: The number of values of a sequence, and of members of a set, that are shown.
SHOWN = 12

#: The most letters that may be dropped from a word to recognize it as another one.
SHIFTS = 6

#: The part of the remaining time for the search for the values of a sequence, or of its differences.
SHARE = 0.4

#: The most values of a sequence, or of its differences, that are listed: where there are more, there are mostly
#: infinitely many, and the search for all would look at thousands of rows in vain.
MOST_VALUES = 100

#: Counts that are not less are not looked for.
MOST_COUNTED = 100


@dataclass(frozen=True, slots=True)
class Claim(FormulaQuestion, kind="claim"):
    """Whether a closed formula is true; over a family, for which slopes."""

    def answer(self, about: Subject) -> Answer:
        verdict = about.prove(self.formula)
        if isinstance(verdict, SlopeVerdict):
            return self._by_slopes(verdict)
        states = verdict.trace.largest
        return Answer("proved" if verdict else "refuted", _evidence_of(verdict), states)

    def _by_slopes(self, verdict: SlopeVerdict) -> Answer:
        slopes = verdict.slopes
        said = slopes.description
        claim = self.statement if self.statement.startswith("X ") else self.statement[0].lower() + self.statement[1:]
        return Answer(
            "refuted" if slopes.answer == "none" else "proved", said, verdict.trace.largest,
            sentence=f"{said[0].upper()}{said[1:]}, {claim}", slopes=slopes,
        )


def _evidence_of(verdict: Verdict) -> str:
    """Return the evidence for or against a claim, "" without any.

    What shows that a claim is false is a counterexample of it, also where its formula is the negation of an E.
    """
    if verdict.evidence is None:
        return ""
    return str(replace(verdict.evidence, kind="witness" if verdict else "counterexample"))


@dataclass(frozen=True, slots=True)
class SetOfNumbers(FormulaQuestion, kind="set"):
    """Which numbers n satisfy a formula."""

    def answer(self, about: Subject) -> Answer:
        found = about.relation(self.formula)
        terms = tuple(each for each in range(PLOTTED) if each in found)
        return Answer("proved", _described(found), found.states, found.automaton, terms)


def _described(found: Relation) -> str:
    """Return the members of a set of numbers: all of them if they are few, or all but some."""
    if found.is_empty():
        return "none"
    if found.is_finite():
        size = found.count()
        members = ", ".join(map(str, found.values(min(size, SHOWN))))
        return members if size <= SHOWN else f"{size} numbers: {members}, ..."
    others = ~found
    if others.is_empty():
        return "all"
    if others.is_finite() and others.count() <= SHOWN:
        return f"all but {', '.join(map(str, others.values(others.count())))}"
    return f"{', '.join(map(str, found.values(SHOWN)))}, ..."


@dataclass(frozen=True, slots=True)
class SequenceOfNumbers(FormulaQuestion, kind="sequence"):
    """How many values the other variables of a formula have for each n."""

    def answer(self, about: Subject) -> Answer:
        relation = about.relation(self.formula)
        counts, terms = _counted(about, relation)
        said = f"{', '.join(map(str, terms[:SHOWN]))}, ..."
        values = _values(lambda: counts)
        if values is not None:
            said += f" {sentence(exactly('values', values))}"
        elif (differences := _values(lambda: counts.subsequence(1, 1) - counts)) is not None:
            said += f" {sentence(exactly('differences', differences))}"
        return Answer("proved", said, counts.dimension, relation.automaton, terms)


def _counted(about: Subject, relation: Relation) -> tuple[Series, tuple[int, ...]]:
    """Return how many values the other variables of a relation have for each n, and the first numbers of these."""
    counts = about.session.counts("n", relation)
    return counts, tuple(int(counts[n]) for n in range(PLOTTED))


def _values(sequence: Callable[[], Series]) -> Sequence[Number] | None:
    """Return the values of a sequence in rising order.

    None if they are more than MOST_VALUES, or not known in a part of the time left.  Where they are infinitely many,
    so many are soon found; the sequence itself is known without it.
    """
    try:
        with spending(effective(Budget()).share(SHARE).start()):
            values = sequence().values(MOST_VALUES + 1, most=MOST_STATES)
            return sorted(values) if len(values) <= MOST_VALUES else None
    except (LimitError, BudgetSpent):
        poll("the values of a sequence")
        return None


@dataclass(frozen=True, slots=True)
class Greatest(FormulaQuestion, kind="greatest"):
    """The greatest of the numbers of values that the other variables of a formula have for each n."""

    def answer(self, about: Subject) -> Answer:
        relation = about.relation(self.formula)
        counts, terms = _counted(about, relation)
        return Answer("proved", str(max(counts.values())), counts.dimension, relation.automaton, terms)


@dataclass(frozen=True, slots=True)
class Function(FormulaQuestion, kind="function"):
    """The function whose value at n is the number of the m that satisfy a formula: those that are less than it."""

    def answer(self, about: Subject) -> Answer:
        relation = about.relation(self.formula)
        infinite = about.relation(forall(m, self.formula))
        if not infinite.is_empty():
            said = f"infinite for these n: {_described(infinite)}"
            return Answer("proved", said, relation.states, relation.automaton)
        counts, terms = _counted(about, relation)
        said = f"{', '.join(map(str, terms[:SHOWN]))}, ..., by a linear representation of dimension {counts.dimension}"
        return Answer("proved", said, relation.states, relation.automaton, terms)


@dataclass(frozen=True, slots=True)
class Supremum(FormulaQuestion, kind="supremum"):
    """The supremum of n/p over the pairs n, p that satisfy a formula.

    bound: a sentence about lengths n with the places "bound", a multiple of n, "factor", what its factor is, and "how",
    whether it is attained; "" for none.
    """

    bound: str = ""

    def answer(self, about: Subject) -> Answer:
        relation = about.relation(self.formula)
        found = suprema.supremum(relation)
        if found is None:
            return Answer("proved", "there are no such pairs", relation.states, relation.automaton)
        return Answer(
            "proved", str(found), relation.states, relation.automaton, suprema.greatest(relation, found.value),
            sentence=self.sentence_of(found),
        )

    def sentence_of(self, found: suprema.Supremum) -> str:
        """Return what a finite supremum says as a sentence; "" where the question has none."""
        if not self.bound or found.value is None:
            return ""
        value = str(found.value)
        bound, factor = (f"{value}n", "") if value.isdecimal() else ("cn", f", with c = {value}")
        at = "" if found.pair is None else f" at n = {found.pair[1]}"
        how = f"best possible; attained{at}" if found.attained else "best possible, but not attained"
        return self.bound.format(bound=bound, factor=factor, how=how)


@dataclass(frozen=True, slots=True)
class Limit(FormulaQuestion, kind="limit"):
    """The limit superior of n/p, for large p, over the pairs n, p that satisfy a formula."""

    def answer(self, about: Subject) -> Answer:
        relation = about.relation(self.formula)
        if relation.is_finite():
            said = "there are finitely many such pairs"
        else:
            found = suprema.limit_superior(relation)
            said = "infinite" if found is None else str(found)
        return Answer("proved", said, relation.states, relation.automaton)


@dataclass(frozen=True, slots=True)
class Frequency(FormulaQuestion, kind="frequency"):
    """The frequency of a letter; formula: that it is at n."""

    letter: int

    def answer(self, about: Subject) -> Answer:
        found = letter_frequencies(about.word.machine, about.session.namespace.system(about.system))[self.letter]
        said = "It does not exist." if found is None else str(found)
        has = "no frequency" if found is None else f"frequency {found}"
        sentence = f"The letter {self.letter} has {has.removesuffix('.')}."
        return Answer("proved", said, about.word.machine.states, sentence=sentence)


@dataclass(frozen=True, slots=True)
class WordQuestion(Question, kind="word"):
    """Which word has at n the letter that the word of the sheet has at some places.

    place: a variable; letter: at the place; where: which places these are.
    """

    place: Variable
    letter: WordValue
    where: Formula
    shown_letter: int

    def about_letter(self, letter: int) -> Formula:
        """Return the formula that the word has a letter at n."""
        return exists(self.place, self.letter.eq(Letter(letter)) & self.where)

    @property
    def shown(self) -> Formula:
        """The formula of one letter."""
        return self.about_letter(self.shown_letter)

    def answer(self, about: Subject) -> Answer:
        parts = {letter: about.relation(self.about_letter(letter)) for letter in sorted(set(about.word.outputs))}
        first = [next(letter for letter, part in parts.items() if n in part) for n in range(PLOTTED)]
        said = f"{sheet_text.letters_text(first[:30])}..."
        prefix = about.word.prefix(PLOTTED + SHIFTS)
        for shift in range(-1, SHIFTS):
            if first[1:] == list(prefix[1 + shift: PLOTTED + shift]) and occurs_at(about, shift, parts):
                name = about.word.name
                which = sheet_text.from_letter(name, shift) if shift >= 0 else f"{first[0]} and then {name}"
                said += f", which is {which}"
                break
        final = parts[self.shown_letter]
        return Answer("proved", said, max(part.states for part in parts.values()), final.automaton, tuple(first))


def occurs_at(about: Subject, shift: int, parts: Mapping[int, Relation]) -> bool:
    """Return whether the word with these relations of its letters is the word of the sheet from a letter on.

    shift: -1 if it has one letter more in front.
    """
    words = Vocabulary(about.word.name)
    if shift < 0:
        later = about.relation(n > 0)
        return all(
            about.relation((n > 0) & words.has(letter, n - 1)) == part & later for letter, part in parts.items()
        )
    return all(about.relation(words.has(letter, n + shift)) == part for letter, part in parts.items())


@dataclass(frozen=True, slots=True)
class Cases(Question, kind="cases"):
    """For which numbers a closed formula, one for each number, is true."""

    cases: tuple[tuple[int, Formula], ...]

    @property
    def shown(self) -> Formula:
        """The last formula."""
        return self.cases[-1][1]

    def answer(self, about: Subject) -> Answer:
        found: list[int] = []
        parts: list[Formula] = []
        states = 0
        for number, case in self.cases:
            verdict = about.prove(case)
            states = max(states, verdict.trace.largest)
            if verdict:
                found.append(number)
            parts.append(case if verdict else ~case)
        return _numbers(about, found, parts, states)


@dataclass(frozen=True, slots=True)
class Counts(Question, kind="counts"):
    """Which numbers of values a variable has: for the values of others, how many it has in a formula.

    others: their variables; where: what is asked of them, if it is anything; counted: the variable.
    """

    others: tuple[Variable, ...]
    where: Formula | None
    counted: Variable
    formula: Formula

    def some(self, relation: str, number: int) -> Formula:
        """Return the formula that some of the counts is =, >= or <= a number."""
        body: Formula = Quantified("E", (self.counted,), self.formula, relation, number)
        return exists(*self.others, body if self.where is None else self.where & body)

    @property
    def shown(self) -> Formula:
        """The formula that a count is too large to be looked for."""
        return self.some(">=", MOST_COUNTED)

    def answer(self, about: Subject) -> Answer:
        found: list[int] = []
        parts: list[Formula] = []
        states = 0
        for number in range(MOST_COUNTED):
            exactly, more = self.some("=", number), self.some(">=", number + 1)
            occurs, goes_on = about.prove(exactly), about.prove(more)
            states = max(states, occurs.trace.largest, goes_on.trace.largest)
            if occurs:
                found.append(number)
            if found:
                parts.append(exactly if occurs else ~exactly)
            if not goes_on:
                if found and found[0]:
                    parts.append(~self.some("<=", found[0] - 1))
                return _numbers(about, found, [*parts, ~more], states)
        raise LimitError(f"some count is {MOST_COUNTED} or more")


def _numbers(about: Subject, numbers: list[int], parts: list[Formula], states: int) -> Answer:
    said = ", ".join(map(str, numbers)) if numbers else "none"
    return Answer("proved", said, states, formula=about.stated(conjunction(parts)))


@dataclass(frozen=True, slots=True)
class Balance(SetOfNumbers, kind="balance"):
    """The set of differences of numbers of letters, which has no gaps.

    The number of letters changes by one at most from a place to the next one, so that between two factors there are
    some with all differences in between.  formula: that n is one; cases: for 1, 2, ... the closed formula that the
    number is one.  An addition of a variable, as in the formula, would make larger automata.
    """

    cases: tuple[Formula, ...]

    def answer(self, about: Subject) -> Answer:
        before: Formula | None = None
        states = 0
        for number, case in zip(count(1), self.cases, strict=False):
            verdict = about.prove(case)
            states = max(states, verdict.trace.largest)
            if not verdict:
                formula = ~case if before is None else before & ~case
                said = ", ".join(map(str, range(number)))
                return Answer("proved", said, states, terms=(*range(number),), formula=about.stated(formula))
            before = case
        return SetOfNumbers.answer(self, about)


@dataclass(frozen=True, slots=True)
class Steps(Question, kind="steps"):
    """The first of the formulas, for the numbers 1, 2, ..., that all n satisfy."""

    cases: tuple[Formula, ...]

    @property
    def shown(self) -> Formula:
        """The last formula."""
        return self.cases[-1]

    def answer(self, about: Subject) -> Answer:
        least: list[int] = []
        for number, case in zip(count(1), self.cases, strict=False):
            found = about.relation(case)
            missing = ~found
            if missing.is_empty():
                formula: Formula = forall(n, case)
                said = _steps_said(str(number), least)
                return Answer("proved", said, found.states, found.automaton, formula=about.stated(formula))
            least += missing.values(1)
        formula = ~forall(n, self.cases[-1])
        said = _steps_said(f"none up to {len(self.cases)}", least)
        return Answer("proved", said, found.states, found.automaton, formula=about.stated(formula))


def _steps_said(found: str, least: list[int]) -> str:
    if not least:
        return found
    numbers = ", ".join(map(str, range(1, len(least) + 1)))
    return f"{found}. For k = {numbers} the shortest of the other prefixes has length {', '.join(map(str, least))}."
