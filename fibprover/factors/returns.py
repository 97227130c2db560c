"""Return words of factors, the greatest distances between their occurrences, and the recurrence of the whole word.

A factor a v b, with a bispecial factor v that comes from a short one v' by the morphism, occurs where v' occurs between
some of its contexts, and nowhere else.  So its return words are the images of those of v' between these contexts, which
are read off in a prefix that has all factors of some length.  A factor whose distance between occurrences is greatest,
compared with its length, is a letter or a v b: shorter ones occur more often.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from fibprover.base.errors import LimitError, Undecided
from fibprover.base.limits import poll
from fibprover.base.values import value
from fibprover.factors.bispecial import Around, Path, Words
from fibprover.factors.desubstitution import Contexts
from fibprover.factors.language import FixedPoint, Image, Substitution, covers
from fibprover.factors.sequences import Orbit, Vector, letter_counts, plus, times
from fibprover.factors.suprema import Quotients

#: The prefix in which return words are looked for has at most so many letters, and the one that it is the image of.
MOST_TEXT, MOST_LETTERS = 4_000_000, 400_000

#: The classes of contexts that are followed along a cycle.
MOST_CLASSES = 200


class Prefix:
    """A prefix of a fixed point or its image, which has all factors up to a length."""

    def __init__(self, inner: FixedPoint, outer: Substitution | None, complete: int) -> None:
        power = inner.morphism.to_the(0) if outer is None else outer
        # All pairs of letters, or longer words where letters do not grow.
        seeds = inner.factors(2)
        size = 2
        while not covers(seeds, power, complete):
            power = power.after(inner.morphism)
            if max(map(len, power.images)) > MOST_LETTERS:
                size, power = size + 1, inner.morphism.to_the(0) if outer is None else outer
                seeds = inner.factors(size)
                if size > 12:
                    raise LimitError(f"no short prefix has all factors of {complete} letters")
        letters = inner.prefix(size)
        while not seeds <= {letters[place : place + size] for place in range(len(letters))}:
            poll("a prefix that has all factors")
            letters = inner.prefix(2 * len(letters))
            if len(letters) > MOST_LETTERS:
                raise LimitError(f"no short prefix has all factors of {complete} letters")
        self.text, self.complete = power(letters), complete
        self._known: dict[str, list[int]] = {}
        if len(self.text) > MOST_TEXT:
            raise LimitError(f"no short prefix has all factors of {complete} letters")

    def returns(self, around: Around, word: str) -> set[str]:
        """Return the return words of a word between some contexts, without these.

        Raises Undecided if some are too long for this prefix.
        """
        places = sorted({
            place + len(left) for left, right in around for place in self._places(left + word + right)
        })
        longest = max(len(left + word + right) for left, right in around)
        gaps = {b - a for a, b in pairwise(places)}
        if len(places) < 2 or max(gaps) + longest > self.complete or places[0] > max(gaps) + longest:
            raise Undecided("a factor occurs too rarely for the prefix that was looked at")
        return {self.text[a:b] for a, b in pairwise(places)}

    def _places(self, word: str) -> list[int]:
        """Return where a word occurs."""
        if word not in self._known:
            found = self._known[word] = list[int]()
            place = self.text.find(word)
            while place >= 0:
                found.append(place)
                place = self.text.find(word, place + 1)
        return self._known[word]


@value
class Returns:
    """The factors a v b for the v of a family, or one: how many return words they have, and their greatest distances.

    letters: a and b, None for v itself; lengths: of the factor; distances: for each return word.
    """

    letters: tuple[str, str] | None
    number: int
    lengths: Orbit | int
    distances: tuple[Orbit, ...] | tuple[int, ...]


class ReturnsOfFactors:
    """The return words of the bispecial factors of the image of a fixed point, and of these with letters around."""

    def __init__(
        self, inner: FixedPoint, outer: Substitution | None, contexts: Contexts, last: Contexts | None, complete: int
    ) -> None:
        self.inner, self.outer, self.contexts, self.last = inner, outer, contexts, last
        self.prefix = Prefix(inner, None, complete)
        self._found: dict[tuple[str, Around], set[str]] = {}

    def _returns(self, word: str, around: Around) -> set[str]:
        key = word, around
        if key not in self._found:
            self._found[key] = self.prefix.returns(around, word)
        return self._found[key]

    def _before(self, around: Around, contexts: Contexts, s: str, t: str, inside: Around) -> Around:
        """Return the contexts of w, among these, whose images are contexts of s m(w) t among `inside`."""
        return frozenset(
            (left, right) for left, right in around
            if contexts.morphism(left).endswith(s) and contexts.morphism(right).startswith(t)
            and (contexts.left(left, s), contexts.right(right, t)) in inside
        )

    def _along(self, path: Path, inside: Around) -> Around:
        for source, edge in reversed(path):
            inside = self._before(source, self.contexts, edge.s, edge.t, inside)
        return inside

    def of(
        self, words: Words, letters: tuple[str, str] | None, end: tuple[str, str, Around] | None, least: int
    ) -> Iterator[Returns]:
        """Yield the return words of the words of a family, or of what the outer morphism makes of them.

        letters: a and b; end: s, t and the contexts of s m(w) t for the outer morphism m; least: shorter ones than this
        are left out there.
        """
        around = words.around if end is None else end[2]
        inside = frozenset(
            (left, right) for left, right in around if letters is None or (left[-1], right[0]) == letters
        )
        if end is not None and self.last is not None:
            inside = self._before(words.around, self.last, end[0], end[1], inside)
        inside = self._along(words.ending, inside)
        if words.step is None:
            yield self._one(words, letters, end, self._along(words.path, inside), 0, 0)
            return
        seen: dict[Around, int] = {}
        while inside not in seen:
            poll("return words")
            seen[inside] = len(seen)
            inside = self._along(words.cycle, inside)
            if len(seen) > MOST_CLASSES:
                raise Undecided("the contexts of a family do not repeat")
        classes = list(seen)
        begin = seen[inside]
        for number, each in enumerate(classes):
            period = 0 if number < begin else len(classes) - begin
            found = self._one(words, letters, end, self._along(words.path, each), number, period)
            short = least + (0 if letters is None else 2) if end is not None else 0
            if isinstance(found.lengths, Orbit):
                skipped = len(found.lengths.below(short))
                later = tuple(each.later(skipped) for each in found.distances if isinstance(each, Orbit))
                yield Returns(letters, found.number, found.lengths.later(skipped), later)
            elif found.lengths >= short:
                yield found

    def _one(
        self, words: Words, letters: tuple[str, str] | None, end: tuple[str, str, Around] | None, inside: Around,
        number: int, period: int,
    ) -> Returns:
        """Return the return words of one word of a family, and of those after it by so many cycles; 0 for itself."""
        matrix = self.inner.morphism.matrix
        size = len(matrix)
        found = self._returns(words.origin, inside)
        beside = 0 if letters is None else 2
        offset = beside + (0 if end is None else len(end[0]) + len(end[1]))
        weights: Vector = (1,) * size if self.outer is None else tuple(map(len, self.outer.images))
        offset += sum(weights[ord(letter)] for letter in words.tail.before + words.tail.after)
        turned = tuple(zip(*matrix, strict=True))
        for _ in range(words.tail.power):
            weights = times(turned, weights)
        own = Orbit(matrix, 1, letter_counts(words.first, size), (0,) * size, weights, offset)
        if words.step is not None:
            step = words.step
            constant = plus(letter_counts(step.before, size), letter_counts(step.after, size))
            own = Orbit(matrix, step.power, own.start, constant, weights, offset).later(number)
        power = len(words.path) + (words.step.power * number if words.step is not None else 0)
        distances = []
        for each in sorted({letter_counts(word, size) for word in found}):
            vector = each
            for _ in range(power):
                vector = times(matrix, vector)
            distances.append(Orbit(matrix, own.period, vector, (0,) * size, weights, 0))
        if not period:
            return Returns(
                letters, len(found), own.length(own.start), tuple(each.length(each.start) for each in distances)
            )
        return Returns(
            letters, len(found), own.split(period)[0], tuple(each.split(period)[0] for each in distances)
        )


def of_short_ones(
    language: FixedPoint | Image, prefix: Prefix, below: int
) -> Iterator[Returns]:
    """Yield the return words of the bispecial factors shorter than a bound, and of these with letters around."""
    for length in range(below):
        around: dict[str, set[tuple[str, str]]] = {}
        for word in language.factors(length + 2):
            around.setdefault(word[1:-1], set()).add((word[0], word[-1]))
        for word, pairs in sorted(around.items()):
            if len({a for a, _ in pairs}) < 2 or len({b for _, b in pairs}) < 2:
                continue
            for letters in (None, *sorted(pairs)):
                inside = frozenset(pairs) if letters is None else frozenset([letters])
                found = prefix.returns(inside, word)
                beside = 0 if letters is None else 2
                yield Returns(letters, len(found), length + beside, tuple(sorted(set(map(len, found)))))


def quotients(found: list[Returns], more: bool) -> tuple[list[tuple[int, int]], list[Quotients]]:
    """Return the quotients of distances by lengths, as pairs and as families.

    more: with the length of the factor minus 1 added to the distances, as the recurrence function has it.
    """
    pairs: list[tuple[int, int]] = []
    families: list[Quotients] = []
    for each in found:
        for distance in each.distances:
            if isinstance(each.lengths, int) and isinstance(distance, int):
                pairs.append((distance + (each.lengths - 1 if more else 0), each.lengths))
            elif isinstance(each.lengths, Orbit) and isinstance(distance, Orbit):
                families.append(Quotients(_added(distance, each.lengths) if more else distance, each.lengths))
    return pairs, families


def _added(distance: Orbit, length: Orbit) -> Orbit:
    start, constant = (
        tuple(a + b for a, b in zip(one, two, strict=True))
        for one, two in ((distance.start, length.start), (distance.constant, length.constant))
    )
    return Orbit(length.matrix, length.period, start, constant, length.weights, length.offset - 1)
