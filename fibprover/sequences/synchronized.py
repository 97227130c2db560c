"""The automaton of the pairs (n, a(n)) of a sequence, where there is one: the sequence is synchronized.

It is learned from values, and proved by formulas: each n has one v in the automaton, and the counts of u < v are the
sequence.  Carpi and Maggi, On synchronized sequences and their separators (2001), have the notion.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import lcm
from random import Random
from typing import TYPE_CHECKING

from fibprover.base.errors import AutomatonError, BudgetSpent, LimitError
from fibprover.base.limits import Limits
from fibprover.learn.tree import Learner, Words
from fibprover.numeration.system import NumerationSystem
from fibprover.prover.verdict.relation import Relation
from fibprover.sequences.counting import count_representation
from fibprover.sequences.rational import Number

if TYPE_CHECKING:
    from fibprover.sequences.series import Series

#: So many first numbers make the first candidate; so many counterexamples the next one.
_FIRST, _MORE = 64, 16

#: A larger automaton is not learned, nor one that takes more candidates.
MOST_STATES, _MOST_CANDIDATES = 1000, 200

#: So many first values, and others at numbers with up to so many bits, are looked at before a proof.
_SAMPLE, _BITS = 512, 60

#: A value with so many more digits than its number is that of no small automaton.
_FAR, _DIGITS = 10**60, 20


def graph(sequence: Series) -> Relation:
    """Return the relation of n and v with a(n) = v; raises AutomatonError if a value is no natural number.

    Raises LimitError if it is not found: the sequence may not be synchronized.
    """
    scale, above, below = graphs(sequence)
    if scale > 1 or not (below.exists("v") - below.where(v=0)).is_empty():
        raise AutomatonError("some values of the sequence are not natural numbers")
    return above


def graphs(sequence: Series, of_values: NumerationSystem | None = None) -> tuple[int, Relation, Relation]:
    """Return s, and the relations of n and v with s a(n) = v and with -s a(n) = v; proved.

    s is a natural number for which all s a(n) are integers; of_values: the system of v, by default that of n.  Raises
    LimitError as for `graph`.
    """
    system = sequence.system
    if system.signed:
        raise LimitError("synchronized automata are looked for in systems of natural numbers")
    scale = lcm(*(sequence[number].denominator for number in range(_FIRST)))
    if of_values is None and max(sequence[_FAR], -sequence[_FAR]) * scale > _FAR * 10**_DIGITS:
        raise LimitError("the sequence grows too fast to be synchronized with a small automaton")
    whole = sequence * scale
    sides = [_GraphCandidate(whole, sign, of_values or system) for sign in (1, -1)]
    random = Random(1)
    sample = [*range(_SAMPLE), *(random.getrandbits(bits) for bits in range(10, _BITS) for _ in range(2))]
    values = {number: whole[number] for number in sample}
    if any(number.denominator != 1 for number in values.values()):
        raise LimitError("the denominators of the values grow")
    try:
        for _ in range(_MOST_CANDIDATES):
            above, below = (side.candidate() for side in sides)
            wrong = list(_counterexamples(whole, above, below, values))
            if not wrong:
                return scale, above, below
            for number, value in wrong:
                for side in sides:
                    side.correct(number, value)
    except BudgetSpent as spent:
        if spent.resource != "states":
            raise
    raise LimitError(f"no automaton of the pairs (n, a(n)) with {MOST_STATES} states or less was found")


class _GraphCandidate:
    """What is known of the pairs (n, v) with a(n) = v, or with -a(n) = v."""

    def __init__(self, sequence: Series, sign: int, of_values: NumerationSystem) -> None:
        self.systems = {system.name: system for system in (sequence.system, of_values)}
        self.sequence = sequence
        self.sign = sign
        self.values: dict[int, Number] = {}
        tracks = [sequence.system.track("n"), of_values.track("v")]
        words = Words(tracks, [sequence.system, of_values], Limits().start())
        self.learner = Learner(words, self.holds, Limits(states=MOST_STATES).start())
        for number in range(_FIRST):
            self.correct(number, 0)

    def holds(self, pair: tuple[int, ...]) -> bool:
        number, value = pair
        if number not in self.values:
            self.values[number] = self.sequence[number] * self.sign
        return self.values[number] == value

    def correct(self, number: int, value: int) -> None:
        """Make the candidate right about a pair, and about the number."""
        self.learner.correct(self.learner.words.word((number, value)))
        if not self.holds((number, value)) and self.values[number] >= 0 and self.values[number].denominator == 1:
            self.learner.correct(self.learner.words.word((number, int(self.values[number]))))

    def candidate(self) -> Relation:
        return Relation(self.learner.automaton(), self.systems.__getitem__)


def _counterexamples(
    whole: Series, above: Relation, below: Relation, values: Mapping[int, Number]
) -> Iterator[tuple[int, int]]:
    """Yield pairs about which candidates are wrong, or numbers with some v; none is a proof that both are right.

    values: some of the sequence, which are looked at before the proof is tried.
    """
    missed = [(n, v) for n, v in values.items() if (n, abs(v)) not in (above if v > 0 else below)]
    if missed:
        yield from ((n, 0) for n, _ in missed[:_MORE])
        return
    here, there = above.exists("v"), below.exists("v")
    # Each number has a v; both signs only if it is 0.
    for odd in (~(here | there), (here & there) - (above.where(v=0) & below.where(v=0))):
        for number in odd.values(_MORE) if not odd.is_finite() else odd.values()[:_MORE]:
            for side in (above, below):
                yield number, next((v for v in side.where(n=number).values(1)), 0)
    of_values = above.system(above.automaton.tracks[1].system)
    less = Relation(of_values.linear((-1, 1), "<", 0).renamed(["v", "w"]), above.system)
    functions = True
    for side in (above, below):
        for number, v, w in (side & side.renamed(v="w") & less).first(_MORE):
            functions = False
            yield number, v
            yield number, w
    if functions:
        counted = [_counts(whole, (side & less).exists("v")) for side in (above, below)]
        place = (counted[0] - counted[1] - whole).first_nonzero()
        if place is not None:
            for side in (above, below):
                yield place[0], next((v for v in side.where(n=place[0]).values(1)), 0)


def _counts(sequence: Series, pairs: Relation) -> Series:
    """Return how many w there are for each n."""
    entering, leaving, parts = count_representation(pairs, ["n"])
    return replace(sequence, entering=entering, leaving=leaving, parts=parts)
