"""The return words of a prefix of a word, and the morphism of the word that they derive from a fixed point.

Durand, "A characterization of substitutive sequences using return words" (1998).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from fibprover.automata.dfa import Dfa
from fibprover.base.errors import LimitError
from fibprover.numeration.system import NumerationSystem

#: The most return words that are found, and the letters of the image of one.
MOST, MOST_IMAGE = 60, 20_000

Letters = tuple[int, ...]


class Returns(NamedTuple):
    """The return words of a prefix that were found.

    words: in the order in which they first occur; places: where they occur; letters: the first letters of the derived
    word.
    """

    words: tuple[Letters, ...]
    places: tuple[int, ...]
    letters: Letters


def return_words(letters: Sequence[int], length: int) -> Returns | None:
    """Return the return words of the prefix of this length; None if it does not occur again.

    Raises LimitError if there are too many.
    """
    start = tuple(letters[:length])
    occurs = [i for i in range(len(letters) - length + 1) if tuple(letters[i : i + length]) == start]
    numbers: dict[Letters, int] = {}
    places, found = [], []
    for here, there in pairwise(occurs):
        word = tuple(letters[here:there])
        if word not in numbers:
            if len(numbers) >= MOST:
                raise LimitError(f"the prefix of length {length} has more than {MOST} return words")
            numbers[word] = len(numbers)
            places.append(here)
        found.append(numbers[word])
    return Returns(tuple(numbers), tuple(places), tuple(found)) if found else None


def morphism_of(machine: Dfa, system: NumerationSystem) -> dict[int, Letters] | None:
    """Return a morphism whose fixed point is the word of this automaton; None if its letters do not determine images.

    A number followed by a digit is the place of a letter of the image of the letter at this number.  None, too, where
    other words may come before a digit: in the Pell system 4 is 20, and 2 alone is no number.
    """
    valid = system.msd_first.valid
    found: dict[int, Letters] = {}
    ahead = [(0, 0)]
    seen = set(ahead)
    for state, other in ahead:
        image = []
        for code, target in machine.row(state):
            beyond = valid.successor(other, code)
            if beyond is None:
                continue
            if not valid.outputs[beyond]:
                return None
            image.append(machine.outputs[target])
            if (target, beyond) not in seen:
                seen.add((target, beyond))
                ahead.append((target, beyond))
        if found.setdefault(machine.outputs[state], tuple(image)) != tuple(image):
            return None
    return found


def derived_morphism(
    images: Mapping[int, Letters], prefix: Letters, first: Letters
) -> tuple[list[Letters], list[Letters]]:
    """Return the images of the letters 0, 1, ... of the derived word of a fixed point, which begins with 0, and the
    return words that are these letters.

    prefix: of the fixed point; first: the first return word.  Raises LimitError if there are too many.
    """
    words, found = [first], []
    for word in words:
        if len(words) > MOST:
            raise LimitError(f"the prefix has more than {MOST} return words")
        image = tuple(letter for each in word for letter in images[each])
        if len(image) > MOST_IMAGE:
            raise LimitError(f"a return word of the prefix has an image of more than {MOST_IMAGE} letters")
        # The image of a return word is followed by the image of the prefix, which begins with the prefix.
        following = image + tuple(letter for each in prefix for letter in images[each])
        places = [i for i in range(len(image) + 1) if following[i : i + len(prefix)] == prefix]
        parts = [image[here:there] for here, there in pairwise(places)]
        words += [part for part in dict.fromkeys(parts) if part not in words]
        found.append(tuple(words.index(part) for part in parts))
    return found, words


def in_order(images: Mapping[int, Letters], first: int) -> list[Letters]:
    """Return a morphism with its letters numbered in the order in which they occur in the fixed point from one."""
    numbers = {first: 0}
    for letter in (ahead := [first]):
        for each in images[letter]:
            if each not in numbers:
                numbers[each] = len(numbers)
                ahead.append(each)
    return [tuple(numbers[each] for each in images[letter]) for letter in ahead]
