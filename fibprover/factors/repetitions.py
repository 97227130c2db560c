"""The repetitions in the image of a fixed point: finitely many, and families of those that follow each other.

Two occurrences of a word v at a distance p, with different letters before them and after them, are a repetition of
length p + |v| and period p that goes on to no side; each repetition is a part of one.  If v has a synchronizing point,
the two occurrences are those of s m(w) t for two occurrences of a word w, and p is the length of the image of what is
between the beginnings of these; what s and t are, and which letters are around, follows from the contexts of w.
Compared with weights that the morphism multiplies by its dominant eigenvalue, v only gains on p, and by less and less.
So repetitions of an exponent at least 1 + e come from finitely many ones with a short v and a short p.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from fibprover.base.errors import LimitError, Undecided
from fibprover.base.limits import poll
from fibprover.base.values import value
from fibprover.factors.desubstitution import Contexts, synchronizing_length
from fibprover.factors.language import FixedPoint, Image, Substitution
from fibprover.factors.perron import Perron, is_primitive
from fibprover.factors.sequences import Orbit, Vector, letter_counts, plus, times
from fibprover.factors.suprema import Quotients

#: Longer periods are not looked at, nor more repetitions that begin families.
MOST_PERIOD, MOST_BEGINNINGS = 4000, 200_000

#: The words before and after each of the two occurrences.
Sides = tuple[str, str, str, str]


@value
class Repetition:
    """The length of the v of a repetition, and its period."""

    more: int
    period: int


@value
class Repetitions:
    """All repetitions of an exponent of at least 1 + least: single ones, and families; the quotients are |v|/p."""

    single: tuple[Repetition, ...]
    families: tuple[Quotients, ...]


@value
class _Start:
    """A repetition in the fixed point: what is around, the letters of v, and those from one v to the other."""

    sides: Sides
    more: Vector
    period: Vector


def repetitions(
    inner: FixedPoint, outer: Substitution | None, of: Perron, least: float
) -> Repetitions:
    """Return the repetitions of the image of a fixed point with exponents of at least 1 + least, and some others.

    Raises Undecided for matrices that are not primitive, LimitError where there is too much to look at.
    """
    matrix = inner.morphism.matrix
    if not is_primitive(matrix):
        raise Undecided("the matrix of the morphism is not primitive")
    size = 1 if outer is None else Contexts(inner, outer, rest=1).size
    contexts = Contexts(inner, inner.morphism, least=size)
    last = None if outer is None else Contexts(inner, outer, rest=1, least=contexts.size)
    short = synchronizing_length(inner, inner.morphism)
    bounds = _Bounds(inner, outer, of, contexts, last, short, least)
    starts = list(_starts(inner, contexts.size, short, bounds.period))
    found = set[Repetition]()
    families = set[Quotients]()
    if outer is not None:
        length = synchronizing_length(inner, outer)
        for start in _starts(Image(inner, outer), 1, length, ceil(length / least)):
            found.add(Repetition(sum(start.more), sum(start.period)))
    for start in starts:
        if bounds.may_reach(start):
            single, family = _orbits(start, contexts, last, outer, matrix)
            found |= single
            families |= family
    kept = tuple(each for each in found if each.more >= least * each.period)
    return Repetitions(kept, tuple(families))


class _Bounds:
    """How much v can gain on p, by weights that the morphism multiplies by its dominant eigenvalue.

    Numbers are floating point ones; what is bounded by them is taken a little larger.
    """

    def __init__(
        self, inner: FixedPoint, outer: Substitution | None, of: Perron, contexts: Contexts, last: Contexts | None,
        short: int, least: float,
    ) -> None:
        weights = [float(each) for each in of.weights]
        self.weights, growth = weights, float(of.field.beta)
        sizes = [1] * len(weights) if outer is None else list(map(len, outer.images))
        rates = [size / weight for size, weight in zip(sizes, weights, strict=True)]
        words = inner.factors(contexts.size)

        def most(shared: set[str]) -> float:
            return max((sum(weights[ord(letter)] for letter in each) for each in shared), default=0.0)

        gained = (most(contexts.added(words, -1)) + most(contexts.added(words, 0))) / (growth - 1)
        beyond = 0
        if last is not None:
            beyond = sum(max(map(len, last.added(inner.factors(last.size), side)), default=0) for side in (-1, 0))
        self._gained, self._beyond, self._least = gained, beyond, least
        self._rates = min(rates), max(rates)
        heaviest = (short - 1) * max(weights)
        bound = (beyond + max(rates) * (heaviest + gained)) / (least * min(rates))
        self.period = max(1, int(1.01 * bound / min(weights)) + 1)
        if self.period > MOST_PERIOD:
            raise LimitError(f"repetitions come from those with periods up to {self.period}, which are too many")

    def may_reach(self, start: _Start) -> bool:
        """Return whether a repetition that comes from this one can have the exponent that is asked for."""
        more, period = (
            sum(a * b for a, b in zip(self.weights, vector, strict=True)) for vector in (start.more, start.period)
        )
        least, greatest = self._rates
        return 1.01 * (self._beyond + greatest * (more + self._gained)) >= self._least * least * period


def _starts(language: FixedPoint | Image, size: int, short: int, most: int) -> Iterator[_Start]:
    """Yield the repetitions whose v is shorter than a bound, and whose p is at most another one."""
    seen: set[str] = set()
    letters = 1 + max(map(ord, language.factors(1)))
    for word in language.factors(2 * size + most + short):
        poll("repetitions")
        for period in range(1, most + 1):
            two = size + period
            if word[size - 1] == word[two - 1]:
                continue
            more = 0
            while more < short and word[size + more] == word[two + more]:
                more += 1
            end = two + more + size
            if more == short or (key := f"{period} {word[:end]}") in seen:
                continue
            seen.add(key)
            if len(seen) > MOST_BEGINNINGS:
                raise LimitError(f"more than {MOST_BEGINNINGS} repetitions begin families")
            sides = (
                word[:size], word[two - size : two], word[size + more : size + more + size], word[two + more : end],
            )
            yield _Start(
                sides, letter_counts(word[size : size + more], letters), letter_counts(word[size:two], letters)
            )


def _orbits(
    start: _Start, contexts: Contexts, last: Contexts | None, outer: Substitution | None,
    matrix: tuple[Vector, ...],
) -> tuple[set[Repetition], set[Quotients]]:
    """Return the repetitions that come from one: single ones before their sides repeat, and families."""
    size = len(matrix)
    path: list[tuple[Sides, Vector, Vector]] = []
    sides, more, period = start.sides, start.more, start.period
    seen: dict[Sides, int] = {}
    while sides not in seen:
        seen[sides] = len(path)
        path.append((sides, more, period))
        sides, added = _following(contexts, sides)
        more, period = plus(times(matrix, more), letter_counts(added, size)), times(matrix, period)
    begin = seen[sides]
    power = len(path) - begin
    found, families = set[Repetition](), set[Quotients]()
    for place, (own, vector, between) in enumerate(path):
        weights: Vector = (1,) * size
        offset = 0
        if outer is not None and last is not None:
            weights = tuple(map(len, outer.images))
            offset = len(_following(last, own)[1])
        if place < begin:
            first, second = (sum(a * b for a, b in zip(weights, each, strict=True)) for each in (vector, between))
            found.add(Repetition(first + offset, second))
            continue
        constant, at = (0,) * size, own
        for _ in range(power):
            at, added = _following(contexts, at)
            constant = plus(times(matrix, constant), letter_counts(added, size))
        zero = (0,) * size
        families.add(Quotients(
            Orbit(matrix, power, vector, constant, weights, offset), Orbit(matrix, power, between, zero, weights, 0),
        ))
    return found, families


def _following(contexts: Contexts, sides: Sides) -> tuple[Sides, str]:
    """Return what is around the repetition that comes from one with these sides, and what v gains."""
    one, two, three, four = sides
    s = contexts.shared(contexts.morphism(one), contexts.morphism(two), -1)
    t = contexts.shared(contexts.morphism(three), contexts.morphism(four), 0)
    return (
        contexts.left(one, s), contexts.left(two, s), contexts.right(three, t), contexts.right(four, t),
    ), s + t
