"""The factors of the fixed point of a morphism, and of its images: exact sets of words of each length.

Words are texts, whose characters are chr(0), chr(1), ... for the letters 0, 1, ...
"""

from __future__ import annotations

from collections.abc import Sequence

from fibprover.base.errors import LimitError
from fibprover.base.limits import poll

#: Letters of all factors of one length together.
MOST_LETTERS = 30_000_000


class Substitution:
    """A morphism from words to words, none of whose images is empty."""

    def __init__(self, images: Sequence[str]) -> None:
        self.images = tuple(images)
        self._table = dict(enumerate(self.images))
        #: The number of each letter of the images, for the images of each letter.
        self.letters = 1 + max(max(map(ord, image)) for image in self.images)

    def __call__(self, word: str) -> str:
        """Return the image of a word."""
        return word.translate(self._table)

    def after(self, first: Substitution) -> Substitution:
        """Return the morphism that applies another one first."""
        return Substitution([self(image) for image in first.images])

    def to_the(self, power: int) -> Substitution:
        """Return the morphism that applies this one so many times."""
        found = Substitution([chr(letter) for letter in range(len(self.images))])
        for _ in range(power):
            found = self.after(found)
        return found

    @property
    def matrix(self) -> tuple[tuple[int, ...], ...]:
        """How often the letter of each row is in the image of the letter of each column."""
        return tuple(tuple(image.count(chr(row)) for image in self.images) for row in range(self.letters))

    @property
    def is_injective(self) -> bool:
        """Whether different words have different images (Sardinas and Patterson)."""
        images = set(self.images)
        if len(images) < len(self.images):
            return False
        left = {b[len(a):] for a in images for b in images if a != b and b.startswith(a)}
        seen: set[str] = set()
        while left:
            if left & images:
                return False
            seen |= left
            found = {b[len(a):] for a in left for b in images if b.startswith(a)}
            found |= {a[len(b):] for a in left for b in images if a.startswith(b)}
            left = found - seen
        return True


class FixedPoint:
    """The fixed point of a morphism from the letter 0, and its factors."""

    def __init__(self, morphism: Substitution) -> None:
        self.morphism = morphism
        self._factors: dict[int, frozenset[str]] = {0: frozenset([""])}

    def prefix(self, size: int) -> str:
        """Return the first letters."""
        word = chr(0)
        while len(word) < size:
            poll("letters of a fixed point")
            word = self.morphism(word)
        return word[:size]

    def factors(self, size: int) -> frozenset[str]:
        """Return all factors of a length.  Raises LimitError if they have more than MOST_LETTERS letters."""
        if size not in self._factors:
            self._factors[size] = self._closure(size) if size <= 2 else self._windows(size)
        return self._factors[size]

    def _closure(self, size: int) -> frozenset[str]:
        found = [self.prefix(size)]
        seen = set(found)
        for word in found:
            poll("the factors of a fixed point")
            image = self.morphism(word)
            for place in range(len(self.morphism(word[0]))):
                each = image[place : place + size]
                if len(each) == size and each not in seen:
                    seen.add(each)
                    found.append(each)
        return frozenset(seen)

    def _windows(self, size: int) -> frozenset[str]:
        """Return the factors from shorter ones, whose images hold all of them."""
        length = 2
        while length < size and not covers(self.factors(length), self.morphism, size):
            length += 1
        return windows(self.factors(length), self.morphism, size) if length < size else self._closure(size)


class Image:
    """The image of a fixed point under a morphism, and its factors."""

    def __init__(self, inner: FixedPoint, morphism: Substitution) -> None:
        self.inner, self.morphism = inner, morphism
        self._factors: dict[int, frozenset[str]] = {0: frozenset([""])}

    def prefix(self, size: int) -> str:
        """Return the first letters."""
        return self.morphism(self.inner.prefix(size))[:size]

    def factors(self, size: int) -> frozenset[str]:
        """Return all factors of a length."""
        if size not in self._factors:
            words = self.inner.factors(covering(self.inner, self.morphism, size))
            self._factors[size] = windows(words, self.morphism, size)
        return self._factors[size]


def covers(words: frozenset[str], morphism: Substitution, size: int) -> bool:
    """Return whether each window that begins in the image of a first letter ends in the image of the word."""
    return all(len(morphism(word[1:])) + 1 >= size for word in words)


def covering(inner: FixedPoint, morphism: Substitution, size: int) -> int:
    """Return the least length of factors in whose images all words of a length are, from the first letter on."""
    length = 1
    while not covers(inner.factors(length), morphism, size):
        length += 1
        if length > size + 1:
            raise LimitError("the images of the morphism do not grow")
    return length


def windows(words: frozenset[str], morphism: Substitution, size: int) -> frozenset[str]:
    """Return the words of a length in images that begin in those of first letters."""
    found: set[str] = set()
    for word in words:
        poll("the factors of a fixed point")
        image = morphism(word)
        found.update(image[place : place + size] for place in range(len(morphism(word[0]))))
        if len(found) * size > MOST_LETTERS:
            raise LimitError(f"the factors of length {size} have more than {MOST_LETTERS} letters together")
    return frozenset(found)
