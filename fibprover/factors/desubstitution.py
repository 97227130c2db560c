"""How factors are cut into images of letters: synchronizing points, and what the images of two contexts share.

A cut of an occurrence of a word in the image of a factor is a place where the image of a letter begins or ends.  If all
words of a length have a cut that all their occurrences share, so have all longer ones (Klouda, "Bispecial factors in
circular non-pushy D0L languages", 2012, calls it a synchronizing point; for primitive morphisms with aperiodic fixed
points there is such a length by Mosse, 1992).  The length is found by looking at all factors, which is its proof.
"""

from __future__ import annotations

from collections.abc import Iterable

from fibprover.base.errors import Undecided
from fibprover.base.limits import poll
from fibprover.factors.language import FixedPoint, Substitution, covering

#: Longer factors are not searched for synchronizing points.
MOST_SYNCHRONIZING = 2000

#: More letters on a side are no context.
MOST_CONTEXT = 80


def synchronizing_length(inner: FixedPoint, morphism: Substitution) -> int:
    """Return the least length such that all occurrences of each factor of this length share a cut.

    The factors are those of the image of a fixed point.  Raises Undecided if none is found, as for periodic words.
    """
    high = 1
    while not is_synchronizing(inner, morphism, high):
        high *= 2
        if high > MOST_SYNCHRONIZING:
            raise Undecided(f"some factors of {high // 2} letters have no synchronizing point")
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_synchronizing(inner, morphism, middle) else (middle, high)
    return high


def is_synchronizing(inner: FixedPoint, morphism: Substitution, size: int) -> bool:
    """Return whether all occurrences of each factor of a length share a cut."""
    shared: dict[str, int] = {}
    lengths = [len(image) for image in morphism.images]
    window = (1 << (size + 1)) - 1
    for word in inner.factors(covering(inner, morphism, size)):
        poll("synchronizing points")
        image, cuts, at = morphism(word), 1, 0
        for letter in word:
            at += lengths[ord(letter)]
            cuts |= 1 << at
        for place in range(lengths[ord(word[0])]):
            factor = image[place : place + size]
            shared[factor] = shared.get(factor, window) & (cuts >> place)
    return all(shared.values())


class Contexts:
    """What the images of contexts on both sides share: for a fixed point, and a morphism that is applied to it.

    size: the letters of a context on each side, so many that the images of two of them, which differ in the letter
    nearest to the word, differ, and that `rest` letters are left of each beyond what they share; rest: None for as many
    letters as a context has.
    """

    def __init__(self, inner: FixedPoint, morphism: Substitution, rest: int | None = None, least: int = 1) -> None:
        self.inner, self.morphism, self.size = inner, morphism, least
        while not self._suffices(self.size if rest is None else rest):
            self.size += 1
            if self.size > MOST_CONTEXT:
                raise Undecided(f"the images of contexts of {MOST_CONTEXT} letters do not differ enough")
        self.rest = self.size if rest is None else rest

    def _suffices(self, rest: int) -> bool:
        words = self.inner.factors(self.size)
        for side in (0, -1):
            images = {word: self.morphism(word) for word in words}
            most = 0
            for one, two in _differing(words, side):
                size = len(self.shared(images[one], images[two], side))
                if size == min(len(images[one]), len(images[two])):
                    return False
                most = max(most, size)
            if any(len(image) - most < rest for image in images.values()):
                return False
        return True

    @staticmethod
    def shared(one: str, two: str, side: int) -> str:
        """Return the longest common suffix (side -1), or prefix (side 0)."""
        most = min(len(one), len(two))
        size = 0
        if side == 0:
            while size < most and one[size] == two[size]:
                size += 1
            return one[:size]
        while size < most and one[-1 - size] == two[-1 - size]:
            size += 1
        return one[len(one) - size :]

    def added(self, words: Iterable[str], side: int) -> set[str]:
        """Return what the images of two contexts that differ in the letter nearest to the word share."""
        return {
            self.shared(self.morphism(one), self.morphism(two), side) for one, two in _differing(words, side)
        }

    def left(self, context: str, shared: str) -> str:
        """Return what is left of the image of a context before the letters that it shares."""
        image = self.morphism(context)
        return image[: len(image) - len(shared)][-self.rest :]

    def right(self, context: str, shared: str) -> str:
        """Return what is left of the image of a context after the letters that it shares."""
        return self.morphism(context)[len(shared) :][: self.rest]


def _differing(words: Iterable[str], side: int) -> Iterable[tuple[str, str]]:
    """Yield the pairs of words with different letters at a side."""
    groups: dict[str, list[str]] = {}
    for word in words:
        groups.setdefault(word[side], []).append(word)
    letters = sorted(groups)
    for place, one in enumerate(letters):
        for two in letters[place + 1 :]:
            yield from ((left, right) for left in groups[one] for right in groups[two])
