"""Maps of words that keep palindromes, and permutations and reversals that map factors to factors.

Two morphisms f and g are conjugate if z f(a) = g(a) z for a word z and all letters a, or f(a) z = z g(a).  Then fixed
points of primitive ones have the same factors.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations

from fibprover.factors.language import FixedPoint, Substitution

#: Powers of a morphism that are compared, and letters of a morphism whose permutations are tried.
MOST_POWER, MOST_PERMUTED = 2, 6


def keeps_palindromes(before: str, morphism: Substitution, after: str) -> bool:
    """Return whether the reversal of before m(w) after is before m(w reversed) after, for all words w.

    With a palindrome z such that z m(a) = r(a) z for the reversal r(a) of the image of each letter a, z m(w) = r(w) z
    for all words w, where r(w) is the reversal of m(w reversed).
    """
    if len(before) < len(after):  # the same, read backward
        before, after = after[::-1], before[::-1]
        images = [image[::-1] for image in morphism.images]
    else:
        images = list(morphism.images)
    start = after[::-1]
    if not before.startswith(start):
        return False
    z = before[len(start) :]
    return z == z[::-1] and all(z + image == image[::-1] + z for image in images)


def keeps_factors(
    morphism: Substitution, outer: Substitution | None, mirror: bool, letters: Mapping[str, str] | None
) -> bool:
    """Return whether words with other letters, and reversed if `mirror`, are factors where the words are; False if not
    known.

    morphism: a primitive one, whose fixed point, or its image under the outer one, has the factors; letters: the image
    of each letter of it, None for itself.  Some permutation of the letters of the morphism has to do it for the fixed
    point: with it the morphism becomes conjugate to itself, and so has the outer one.
    """
    size = len(morphism.images)
    inner = FixedPoint(morphism)
    table = {ord(letter): image for letter, image in (letters or {}).items()}

    def turned(word: str) -> str:
        return word[::-1] if mirror else word

    for own in permutations(range(size)) if size <= MOST_PERMUTED else [tuple(range(size))]:
        mine = {letter: chr(image) for letter, image in enumerate(own)}
        if outer is None and letters is not None and any(mine[letter] != image for letter, image in table.items()):
            continue
        if outer is None and letters is None and own != tuple(range(size)):
            continue
        if any(turned(each.translate(mine)) not in inner.factors(2) for each in inner.factors(2)):
            continue
        if outer is not None:
            images = [turned(image.translate(table)) for image in outer.images]
            if not _conjugate([outer.images[each] for each in own], images):
                continue
        for power in range(1, MOST_POWER + 1):
            found = morphism.to_the(power)
            images = [turned(image.translate(mine)) for image in found.images]
            if _conjugate([found.images[each] for each in own], images):
                return True
    return False


def _conjugate(one: list[str], two: list[str]) -> bool:
    """Return whether z f(a) = g(a) z, or f(a) z = z g(a), for a word z and all letters; f and g: images in order."""
    if list(map(len, one)) != list(map(len, two)):
        return False
    most = 2 * max(map(len, one))
    for first, second in ((one, two), (two, one)):
        long = second[0] * (most // len(second[0]) + 1)
        if any(
            all(long[:size] + f == g + long[:size] for f, g in zip(first, second, strict=True))
            for size in range(most + 1)
        ):
            return True
    return False
