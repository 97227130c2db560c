"""Systems given by automata: the valid words and an adder, from which all linear atoms are composed.

If the automata belong to a system that can be derived (a recurrence, an Ostrowski system, a negative base), that
system is used instead, because its atoms are built directly.  Any other system gets its atoms from the adder, by
products and projections, and the values of its words by counting words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from fibprover.automata import kernel_calls, language, operations
from fibprover.automata.dfa import Dfa, build
from fibprover.base.errors import BudgetSpent, DigitError, FibproverError, NumerationError
from fibprover.base.limits import UNLIMITED, Budget, polled
from fibprover.base.wording import plural
from fibprover.numeration.equations import shortest_recurrence
from fibprover.numeration.linear import constant_word
from fibprover.numeration.ostrowski import ostrowski_system
from fibprover.numeration.recurrence import recurrence_system
from fibprover.numeration.system import NumerationSystem, with_identity

#: Number of terms from which the system of some words is guessed.
GUESSED_FROM = 160

#: Coefficients beyond this are refused: they take too many additions.
LARGEST_FACTOR = 1 << 20


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ComposedSystem(NumerationSystem):
    """A system of valid words and an adder; made by `given_system`.  adder: tracks "0" + "1" = "2"."""

    name: str
    digits: tuple[int, ...]
    valid: Dfa
    adder: Dfa
    identity: str = ""

    def with_identity(self, identity: str) -> ComposedSystem:
        """Return the same system with another identity; see `NumerationSystem.with_identity`."""
        valid, adder = with_identity(self.valid, identity), with_identity(self.adder, identity)
        return replace(self, valid=valid, adder=adder, identity=identity)

    def reduced_atom(self, coefficients: tuple[int, ...], relation: str, constant: int, budget: Budget) -> Dfa:
        """Return the atom: both sides are added up and compared; see `NumerationSystem.reduced_atom`."""
        names = [str(index) for index in range(len(coefficients))]
        left = [(c, name) for c, name in zip(coefficients, names, strict=True) if c > 0]
        right = [(-c, name) for c, name in zip(coefficients, names, strict=True) if c < 0]
        total = self._sum(left, max(-constant, 0), "p", budget)
        other = self._sum(right, max(constant, 0), "q", budget)
        comparison = self.less(budget).renamed(["p", "q"]) if relation == "<" else self._equal("p", "q")
        half = operations.exists(operations.conjunction(total, comparison, budget), ["p"], budget)
        result = operations.exists(operations.conjunction(half, other, budget), ["q"], budget)
        if relation == "!=":
            valid = operations.cartesian_product([self.valid.renamed([name]) for name in names], budget)
            result = operations.difference(valid, result, budget)
        return kernel_calls.reorder(result, names, budget)

    def _equal(self, x: str, y: str) -> Dfa:
        rows = [
            {code * (len(self.digits) + 1): target for code, target in self.valid.row(state)}
            for state in range(self.valid.states)
        ]
        return build((self.track(x), self.track(y)), rows, self.valid.outputs)

    def _sum(self, parts: Sequence[tuple[int, str]], constant: int, result: str, budget: Budget) -> Dfa:
        """Return the automaton of result = constant + sum of count times variable."""
        automaton = constant_word(self, constant, result)
        for count, name in parts:
            if count > LARGEST_FACTOR:
                raise NumerationError(f"{self.name} has only an adder, and the factor {count} is too large for it")
            automaton = self._plus(automaton, self._multiple(count, name, "m", budget), "m", result, budget)
        return automaton

    def _plus(self, automaton: Dfa, other: Dfa, addend: str, result: str, budget: Budget) -> Dfa:
        """Add the track `addend` of another automaton to the track `result`, and project the addend away."""
        step = operations.conjunction(other, self.adder.renamed([result, addend, "next"]), budget)
        step = operations.exists(step, [addend], budget)
        return self._followed(automaton, step, result, budget)

    @staticmethod
    def _followed(automaton: Dfa, step: Dfa, result: str, budget: Budget) -> Dfa:
        """Return the automaton with the track `next` of a step from the track `result` in the place of that one."""
        grown = operations.exists(operations.conjunction(automaton, step, budget), [result], budget)
        grown = grown.renamed([result if name == "next" else name for name in grown.names])
        return kernel_calls.reorder(grown, sorted(grown.names), budget)

    def _multiple(self, count: int, name: str, result: str, budget: Budget) -> Dfa:
        """Return the automaton of result = count times name, by doubling."""
        automaton = kernel_calls.minimize(self._equal(name, result), budget)
        automaton = kernel_calls.reorder(automaton, sorted(automaton.names), budget)
        for bit in bin(count)[3:]:
            automaton = self._followed(automaton, self._double(result, "next", budget), result, budget)
            if bit == "1":
                automaton = self._followed(automaton, self.adder.renamed([result, name, "next"]), result, budget)
        return automaton

    def _double(self, x: str, y: str, budget: Budget) -> Dfa:
        """Return the automaton of y = x + x."""
        both = operations.conjunction(self.adder.renamed([x, "same", y]), self._equal(x, "same"), budget)
        return operations.exists(both, ["same"], budget)

    def word_counts(self, lengths: int) -> list[int]:
        """Return the numbers of valid words themselves: an adder demands no other numbers."""
        return [kernel_calls.count_words(self.valid, t) for t in range(lengths)]

    def represent(self, number: int) -> tuple[int, ...]:
        """Return the word of this rank among the valid words of one length, without leading zeros."""
        if number < 0:
            raise DigitError(f"{number} is negative; {self.name} represents the naturals")
        if number:
            self.check_infinite()
        counts = []
        for suffixes in polled(language.suffix_counts(self.valid), f"the word of a number in {self.name}"):
            counts.append(suffixes)
            if suffixes[0] > number:
                break
        digits, state = [], 0
        for suffixes in reversed(counts[:-1]):
            for digit, target in self.valid.row(state):
                if number < suffixes[target]:
                    digits.append(digit)
                    state = target
                    break
                number -= suffixes[target]
        word = tuple(digits)
        return word[next((place for place, digit in enumerate(word) if digit), len(word)) :]

    def check_infinite(self) -> None:
        """Raise NumerationError if there are finitely many valid words apart from leading zeros."""
        if kernel_calls.is_finite(self.valid):
            raise NumerationError(f"{self.name} has finitely many words, so that most numbers have none")

    def value(self, digits: Sequence[int]) -> int:
        """Return the rank of a valid word among those of its length; raises DigitError for words that are not valid."""
        self.check_digits(digits)
        if not self.is_valid(digits):
            raise DigitError(f"{digits} is not a valid word of {self.name}, so it has no value")
        counts = list(islice(language.suffix_counts(self.valid), len(digits) + 1))
        rank, state = 0, 0
        for place, digit in enumerate(digits):
            suffixes = counts[len(digits) - 1 - place]
            for other, target in self.valid.row(state):
                if other == digit:
                    state = target
                    break
                rank += suffixes[target]
        return rank

    def describe(self) -> str:
        """Return the numbers of words, the digits and the sizes of the automata."""
        numbers = ", ".join(str(kernel_calls.count_words(self.valid, t)) for t in range(8))
        return (
            f"{self.name}: given by automata, most significant digit first\n"
            f"  words of length 0, 1, ...: {numbers}, ...\n"
            f"  digits 0 to {len(self.digits) - 1}; valid words: {plural(self.valid.states, 'state')},"
            f" adder: {plural(self.adder.states, 'state')}"
        )


def given_system(name: str, valid: Dfa, adder: Dfa, less: Dfa | None, budget: Budget = UNLIMITED) -> NumerationSystem:
    """Return the system of valid words and an adder, verified.

    Raises NumerationError, with the reason, if there is none.

    valid: one track; adder: three tracks, the third one the sum; less: two tracks, or None for the order by the
    first difference.  Invalid words are removed from all automata, and leading zeros are closed.
    """
    digits = valid.tracks[0].digits
    if digits != tuple(range(len(digits))) or len(digits) < 2:
        raise NumerationError(f"the digits of a numeration system are 0, 1, ..., not {set(digits)}")

    def tracks(names: Sequence[str]) -> tuple[Dfa, ...]:
        return tuple(whole.renamed([track]) for track in names)

    track = valid.tracks[0]._replace(name="x", system=name, identity="")
    whole = kernel_calls.minimize(kernel_calls.close_zeros(valid.with_tracks((track,)), budget), budget)
    if not whole.outputs[0]:
        raise NumerationError(f"{name}: no word of zeros is valid, so 0 has no representation")

    def relation(automaton: Dfa, names: Sequence[str]) -> Dfa:
        if any(own.digits != digits for own in automaton.tracks) or len(automaton.tracks) != len(names):
            raise NumerationError(f"{name}: the automata have different digits or numbers of tracks")
        placed = automaton.with_tracks(tuple(track._replace(name=other) for other in names))
        return operations.as_relation(placed, tracks(names), budget)

    adder = relation(adder, ["0", "1", "2"])
    if kernel_calls.is_finite(whole):
        raise NumerationError(f"{name}: there are finitely many valid words, so that most numbers have none")
    order = None if less is None else relation(less, ["0", "1"])
    for candidate in _candidates(name, whole):
        if candidate.linear((1, 1, -1), "=", 0, budget) == adder and order in (None, candidate.less(budget)):
            return candidate
    system = ComposedSystem(name, digits, whole, adder)
    if order not in (None, system.less(budget)):
        raise NumerationError(f"{name}: the order is not that of the first difference, and no negative base has it")
    report = system.verify(budget)
    if not report:
        failed = "; ".join(report.failed[:3])
        raise NumerationError(f"{name} does not verify: it does not hold that {failed}")
    return system


def _candidates(name: str, valid: Dfa) -> Iterator[NumerationSystem]:
    """Yield derived systems with these valid words."""
    from fibprover.numeration.periodic import negative_base, negative_fibonacci

    terms = [kernel_calls.count_words(valid, t) for t in range(GUESSED_FROM)]
    base = len(valid.tracks[0].digits)
    makers: list[Callable[[], NumerationSystem]] = [
        lambda: recurrence_system(name, *_with_initial(terms)),
        lambda: ostrowski_system(name, *_continued_fraction(terms)),
        lambda: negative_base(base, name),
        lambda: negative_fibonacci(name),
    ]
    for make in makers:
        try:
            found = make()
        except BudgetSpent:
            raise
        except FibproverError:
            continue
        if found.valid == valid:
            yield found


def _with_initial(terms: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the shortest recurrence of these terms, and its initial terms."""
    coefficients = shortest_recurrence(terms)
    return coefficients, list(terms[: len(coefficients)])


def _continued_fraction(terms: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return preperiod and period of a continued fraction whose convergents have these denominators."""
    partial = [0, terms[1]]
    for t in range(1, len(terms) - 1):
        quotient, rest = divmod(terms[t + 1] - terms[t - 1], terms[t])
        if rest or quotient < 1:
            raise NumerationError("no denominators of convergents")
        partial.append(quotient)
    for period in range(1, len(partial) // 3):
        for start in range(1, len(partial) // 3):
            if all(partial[i] == partial[i + period] for i in range(start, len(partial) - period)):
                return partial[:start], partial[start : start + period]
    raise NumerationError("no period")
