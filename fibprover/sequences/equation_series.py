"""The right sides of equations as sequences of n, which linear representations are calculated for.

Over words n.w, whose index is a word of digits, a sequence is a representation that need not be 0 for words which are
no numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from fibprover.base.errors import BudgetSpent, FibproverError, LimitError, NotSupported
from fibprover.base.limits import spending
from fibprover.language.builder import letter
from fibprover.language.equations import (
    Alternating,
    Constant,
    Digits,
    Equation,
    Expression,
    Extreme,
    Floor,
    Index,
    LetterAt,
    Plus,
    Power,
    Residue,
    TermAt,
    Times,
    index_term,
    linear_index,
)
from fibprover.language.tree import Term, Variable, disjunction
from fibprover.prover.verdict.relation import Relation
from fibprover.sequences.counting import values_of_states
from fibprover.sequences.determined import Decider, N, called_index, index_of
from fibprover.sequences.negative_values import COMPARED, is_never_negative
from fibprover.sequences.rational import matrix_of
from fibprover.sequences.series import Series, counts
from fibprover.sequences.subsequence import followed
from fibprover.sequences.synchronized import graphs

#: Differences whose values take so many rows at most are compared at once; the automata of others may take so long.
MOST_ROWS, SECONDS = 1000, 5.0

#: The value of a relation at n.
_TO = Variable("to")


class SeriesOf:
    """Expressions as sequences; sequences: those of the equations, and others by name; text: of the equations."""

    def __init__(
        self, decider: Decider, sequences: Mapping[str, Series], known: Callable[[str], Series], text: str
    ) -> None:
        self.decider = decider
        self.sequences = sequences
        self.known = known
        self.text = text
        self.system = decider.system
        self.numbers = counts(decider.relation(Variable("i") < N, "i", "n"), ["n"])

    def indicator(self, relation: Relation) -> Series:
        """Return the sequence that is 1 where a relation of n holds, and 0 elsewhere."""
        return counts(relation, ["n"])

    def difference(self, equation: Equation) -> Series:
        """Return the left side less the right side."""
        if equation.left.word is not None:
            return self._difference_of_words(equation, equation.left.word)
        left, sequence = equation.left, self.sequences[equation.name]
        return self._shifted(sequence, left.factor, left.start, index_of(equation)) - self.of(equation.right)

    def _difference_of_words(self, equation: Equation, word: tuple[int, ...]) -> Series:
        """Return the difference for all words n for which n.w is a representation, 0 for the others."""
        valid = self.system.valid
        found = values_of_states(valid, (int(output != 0) for output in valid.outputs))
        number = replace(self.numbers, entering=found[0], leaving=found[1], parts=found[2])
        return (followed(self.sequences[equation.name], word) - self.of(equation.right, words=True)) * (
            followed(number, word)
        )

    def _shifted(self, sequence: Series, factor: int, start: int, index: Term) -> Series:
        """Return a(factor n + start), or a at another index, which is this term in n; 0 where there is no index."""
        if factor > 0 and start >= 0:
            return sequence if (factor, start) == (1, 0) else sequence.subsequence(factor, start)
        return self._at(sequence, index)

    def _at(self, sequence: Series, index: Term) -> Series:
        relation = self.decider.relation(_TO.eq(index), "n", "to")
        return sequence.summed(relation.automaton)

    def of(self, expression: Expression, *, words: bool = False) -> Series:
        """Return an expression as a sequence; words: of words n, for which the number 1 is 1 for every word."""
        match expression:
            case Constant(number):
                return self._everywhere(number) if words else self.numbers * 0 + number
            case Index():
                return self.numbers
            case TermAt():
                return self._term(expression)
            case LetterAt():
                return self._letters(expression)
            case Plus(left, right):
                return self.of(left, words=words) + self.of(right, words=words)
            case Times(Constant(number), right) | Times(right, Constant(number)):
                return self.of(right, words=words) * number
            case Times(left, right):
                return self.of(left, words=words) * self.of(right, words=words)
            case Power(of, exponent):
                return self.of(of, words=words) ** exponent
            case Alternating(exponent):
                return 1 - 2 * (self.of(exponent, words=words) % 2)
            case Floor(of, divisor):
                inside = self.of(of, words=words)
                return (inside - inside % divisor) * Fraction(1, divisor)
            case Residue(of, modulus):
                return self.of(of, words=words) % modulus
            case Extreme(left, right, greatest):
                return self._extreme(self.of(left, words=words), self.of(right, words=words), greatest)
        raise AssertionError(f"unknown expression {expression!r}")

    def _everywhere(self, number: Fraction | int) -> Series:
        """Return the sequence with one value at all words of digits, also at those that represent no number."""
        one = matrix_of(1, [(0, 0, 1)])
        return replace(self.numbers, entering=(1,), leaving=(number,), parts=(one,) * len(self.system.digits))

    def _term(self, term: TermAt) -> Series:
        sequence = self.sequences.get(term.name)
        if sequence is None:
            sequence = self.known(term.name)
            if sequence.systems != (self.system,):
                names = ", ".join(system.name for system in sequence.systems)
                raise NotSupported(
                    f"{term.name} is a sequence over {names}, and the equations are over {self.system.name}", self.text,
                    term.place.start, term.place.end,
                )
        if isinstance(term.at, Digits):
            return followed(sequence, term.at.word)
        place = linear_index(term.at)
        index = called_index(self.text, term)
        return self._at(sequence, index) if place is None else self._shifted(sequence, *place, index)

    def _letters(self, at: LetterAt) -> Series:
        index = index_term(at.at, N)
        if index is None:
            raise NotSupported(
                "the index of a letter is a sum of multiples of n, of numbers and of floors", self.text,
                at.place.start, at.place.end,
            )
        word = self.decider.environment.words[at.word]
        found = self.numbers * 0
        try:
            for each in sorted({output for output in word.machine.outputs if output}):
                found = found + each * self.indicator(self.decider.relation(letter(at.word, index).eq(each), "n"))
        except BudgetSpent:
            raise
        except FibproverError as problem:
            raise NotSupported(problem.message, self.text, at.place.start, at.place.end, hint=problem.hint) from None
        return found

    def _extreme(self, one: Series, two: Series, greatest: bool) -> Series:
        difference = one - two
        greater = self.indicator(self._not_negative(difference, greatest))
        return two + greater * difference if greatest else one - greater * difference

    def _from_some_index(self, difference: Series) -> Relation | None:
        """Return the same for a difference that has one sign from some n on, by its own differences; None if unknown.
        """
        first = difference[:COMPARED]
        sign = next((1 if each > 0 else -1 for each in reversed(first) if each), 1)
        start = max((n + 1 for n, each in enumerate(first) if each * sign < 0), default=0)
        if start > COMPARED // 2 or not is_never_negative(sign * difference.subsequence(1, start)):
            return None
        before = [N.eq(n) for n, each in enumerate(first[:start]) if each >= 0]
        return self.decider.relation(disjunction([*before, *([start <= N] if sign > 0 else []), N.ne(N)]), "n")

    def _not_negative(self, difference: Series, greatest: bool) -> Relation:
        """Return n for which a difference is not negative; for all others it is not positive.

        It takes few values, or one sign from some n on, or its pairs have an automaton.
        """
        try:
            return difference.where(lambda value: value >= 0, MOST_ROWS)
        except LimitError:
            pass
        found = self._from_some_index(difference)
        if found is not None:
            return found
        try:
            with spending(self.decider.options.limits.within(SECONDS).start()):
                return graphs(difference)[1].exists("v")
        except (LimitError, BudgetSpent) as problem:
            raise LimitError(
                f"{'max' if greatest else 'min'} needs to know which one of two sequences is greater: {problem.message}"
            ) from None
