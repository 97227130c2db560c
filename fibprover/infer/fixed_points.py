"""The morphism of which terms are the beginning of a fixed point, read from the terms themselves.

The image of the first letter begins with it, and the images of the letters that follow come one after the other in the
same terms.  So only their lengths are to choose, when a letter is first met; a wrong choice is soon refuted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fibprover.base.limits import polled

#: The most letters of an image, and of the alphabet.
MOST_IMAGE, MOST_LETTERS = 8, 6

#: Each image is met so many times at least, and there are so many terms for each letter of the images together.
LEAST_USES, TERMS_FOR_EACH = 3, 6

#: No more choices of a length are tried.
MOST_CHOICES = 50_000


@dataclass(frozen=True, slots=True)
class FixedPoint:
    """The images of the letters, the first one first; chosen: the letters of all images together."""

    images: Mapping[int, tuple[int, ...]]
    chosen: int

    def prefix(self, count: int) -> list[int]:
        """Return the first letters."""
        word = list(next(iter(self.images.values())))
        for place, letter in enumerate(polled(word, "letters of a word")):
            if len(word) >= count:
                break
            word += self.images[letter] if place else ()
        return word[:count]


def fixed_point_of(run: Sequence[int]) -> FixedPoint | None:
    """Return the morphism whose fixed point begins with some terms, None unless all that are met have the same next
    terms.

    None also where a letter is not read before the terms end, for images of one length only, and for terms with a
    period: such words are guessed over a base.
    """
    if not 2 <= len(set(run)) <= MOST_LETTERS or _has_period(run):
        return None
    found: FixedPoint | None = None
    ahead: list[int] = []
    for images, uses in _fitting(run):
        chosen = sum(map(len, images.values()))
        is_sure = min(uses.values()) >= LEAST_USES and len(run) >= TERMS_FOR_EACH * chosen
        if found is None and (not is_sure or len(set(map(len, images.values()))) == 1):
            return None
        if not images.keys() >= set(run):
            return None
        one = FixedPoint(images, chosen)
        if found is None:
            found, ahead = one, one.prefix(2 * len(run))
        elif is_sure and one.prefix(2 * len(run)) != ahead:
            return None
    return found


def _has_period(run: Sequence[int]) -> bool:
    return any(run[period:] == run[: len(run) - period] for period in range(1, len(run) // LEAST_USES))


def _fitting(run: Sequence[int]) -> Iterator[tuple[dict[int, tuple[int, ...]], Counter[int]]]:
    """Yield the images that fit, with how often each is met as a whole, those with short images first."""
    ways: list[tuple[dict[int, tuple[int, ...]], Counter[int], int, int]] = [({}, Counter(), 0, 0)]
    for _ in range(MOST_CHOICES):
        if not ways:
            return
        images, uses, read, written = ways.pop()
        while written < len(run) and run[read] in images:
            image = images[run[read]]
            if tuple(run[written : written + len(image)]) != image[: len(run) - written]:
                break
            uses[run[read]] += written + len(image) <= len(run)
            read, written = read + 1, written + len(image)
        else:
            if written >= len(run):
                yield images, uses
                continue
            letter = run[read]
            for length in range(MOST_IMAGE, 1 if not read else 0, -1):
                if written + length <= len(run):
                    image = tuple(run[written : written + length])
                    ways.append(({**images, letter: image}, uses.copy(), read, written))
