"""What is asked of a sequence of numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fibprover.sequences.growth import SequenceGrowth
from fibprover.sequences.recursion import recursion_of
from fibprover.sequences.written import closed_form, written_recursion
from fibprover.sheets.bounds import bounds
from fibprover.sheets.line import Answer, Status
from fibprover.sheets.question import Question
from fibprover.sheets.subject import Numbers, Subject

#: Recursions with more equations are not written.
_MOST_EQUATIONS = 24

#: The ids of the questions.
IDS = ("recursion", "growth", "weights", "mean", "synchronized")

#: The answer about a recursion over a system that is not a base.
_BY_DIGITS = (
    " In it n is any word of digits of {system}, the most significant first, and n.d is n with the digits d after it;"
    " {name} of a word is that of the number which it represents, and 0 if it represents none."
)


#: The same where equations need not hold for all words.
_BY_NUMBERS = (
    ". In it n.d is the number that is written in {system} as n with the digit d after it, and an equation holds where"
    " there is one"
)


@dataclass(frozen=True, slots=True)
class Recursion(Question, kind="recursion"):
    """The recursion of a sequence; name: that it has there; words: what its equations are about, if not numbers."""

    name: str
    words: str = ""

    def answer(self, about: Subject) -> Answer:
        sequence = about.numbers.sequence
        written = written_recursion(sequence, self.name)
        texts = written or recursion_of(sequence).texts(self.name)
        said = ", ".join(texts) if len(texts) <= _MOST_EQUATIONS else f"{len(texts)} equations, too many to be shown"
        closed = closed_form(sequence, self.name)
        said = said if closed is None else f"{said}. So {closed}"
        if not written or not self.words:
            return Answer("proved", said, sequence.dimension)
        sentence = f"{self.statement.replace(self.words, _BY_NUMBERS.format(system=about.system))} {said}"
        return Answer("proved", said, sequence.dimension, sentence=sentence)


@dataclass(frozen=True, slots=True)
class Growth(Question, kind="growth"):
    """How a sequence grows."""

    def answer(self, about: Subject) -> Answer:
        found = about.numbers.sequence.growth()
        known = [] if found.is_bounded else bounds(about.session, about.numbers.sequence, about.session.options.limits)
        if known:  # bounds that are better than those by norms and differences
            near = [] if found.estimate is None else [f"like n^{found.estimate:.3f} at large n (an estimate)"]
            return Answer("proved", "; ".join([*known, *near]), None, exponent=_plotted(found))
        status: Status = "open" if found.degree is None and found.exponent is None else "proved"
        return Answer(status, str(found), None, exponent=_plotted(found))


def _plotted(found: SequenceGrowth) -> float | None:
    """Return e for a plot of a(n)/n^e: the exponent that is proved to be the least one, or else the estimate."""
    if found.is_bounded:
        return None
    return found.exponent if found.radius is not None else found.estimate


@dataclass(frozen=True, slots=True)
class AtWeights(Question, kind="weights"):
    """The terms at the weights of the places of digits."""

    def answer(self, about: Subject) -> Answer:
        found = about.numbers.sequence.recurrence()
        closed = found.closed_form() if found.order else None
        said = f"{found}{'' if closed is None else f'; so s(k) = {closed}'}"
        return Answer("proved", said, None, sentence=f"{self.statement.removesuffix('.')} satisfy {said}.")


@dataclass(frozen=True, slots=True)
class Mean(Question, kind="mean"):
    """The means of the terms at the numbers below the weights of the places of digits."""

    def answer(self, about: Subject) -> Answer:
        said = str(about.numbers.sequence.mean_values())
        return Answer("proved", said, None, sentence=f"{self.statement.removesuffix('.')} is {said}.")


@dataclass(frozen=True, slots=True)
class Synchronized(Question, kind="graph"):
    """Whether the pairs of an index and its term are an automaton."""

    def answer(self, about: Subject) -> Answer:
        found = about.numbers.sequence.synchronized()
        said = "" if found.is_natural and len(set(found.systems)) == 1 else f"T{str(found)[1:]}."
        return Answer("proved", said, found.above.states, found.above.automaton)


def number_questions(numbers: Numbers) -> Iterator[Question]:
    """Yield the questions about a sequence of numbers."""
    section, term, system = "sequence", numbers.term, numbers.sequence.system
    name, named = ("b", f"b(n) = {term}") if numbers.shift else ("a", term)
    zeros = f" (with a(n) = 0 for n < {numbers.shift + numbers.before})" if numbers.before else ""
    is_base = system.integer_base is not None and system.integer_base > 1
    digits = "" if is_base else f".{_BY_DIGITS.format(system=system.name, name=name).removesuffix('.')}"
    yield Recursion("recursion", section, f"A recursion that determines {named}{digits}{zeros}.", name, digits)
    yield Growth("growth", section, f"The growth of {term}{zeros}.")
    below = f"{system.integer_base}^k" if is_base else "U_k"
    where = f"n = {below}" if is_base else f"the weights n = U_k of {system.name}"
    yield AtWeights("weights", section, f"The values s(k) of {term} at {where}{zeros}.")
    yield Mean("mean", section, f"The mean of {term} over n < {below}{zeros}.")
    yield Synchronized("synchronized", section, f"The pairs of n and {term} are recognized by an automaton{zeros}.")
