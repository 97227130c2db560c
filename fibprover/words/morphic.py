"""Words as papers give them: a morphism and a coding, with letters of any kind and images of any length.

In come rules such as `a->ab, b->cb, c->a` and `a->011, b->0, c->01`; out goes a `MorphicWord`: a morphism of the
letters 0, 1, ..., whose fixed point from 0 becomes the word when one number is read for each letter.

A coding by longer images is removed first: each letter a becomes the letters (a,0), ..., (a,m-1) for an image of m
letters, and a power of the morphism, in which the image of a has m letters or more, is cut into m parts; (a,k) has the
letters of all images of the k-th part.  The parts consist of whole images, so that all eigenvalues of the new morphism
but 0 are those of the power: where the one has a regular addition, so has the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from fibprover.automata.dfa import Dfa
from fibprover.base.errors import FibproverError, LimitError
from fibprover.base.limits import polled
from fibprover.base.values import value
from fibprover.numeration.system import NumerationSystem
from fibprover.words.rules import Rules, is_number

#: Letters of a morphism that is made, and letters of an image.
MOST_LETTERS, MOST_IMAGE = 1000, 10_000


@value
class MorphicWord:
    """The images of the letters 0, 1, ..., of which 0 is the first one of the fixed point, and the number for each.

    letters: what the numbers stand for, where they are not the letters themselves; source: the images and the blocks of
    numbers that these are made of, if a letter becomes several numbers.
    """

    images: tuple[tuple[int, ...], ...]
    outputs: tuple[int, ...]
    letters: tuple[tuple[str, int], ...]
    source: tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]] | None = None

    @property
    def blocks(self) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
        """The images of the letters 0, 1, ... of a morphism, and for each the numbers that it becomes."""
        return self.source or (self.images, tuple((number,) for number in self.outputs))

    @property
    def width(self) -> int | None:
        """The length that all images have, None if they differ."""
        lengths = set(map(len, self.images))
        return lengths.pop() if len(lengths) == 1 else None

    def prefix(self, count: int) -> list[int]:
        """Return the first numbers."""
        word = [0]
        while len(word) < count:
            word = [each for letter in polled(word, "letters of a word") for each in self.images[letter]]
        return [self.outputs[letter] for letter in word[:count]]


def morphic_word(rules: Rules, coding: Rules | None = None) -> MorphicWord:
    """Return the word of a fixed point, coded; without a coding its letters are those of the morphism.

    The fixed point of a uniform morphism begins with 0 if that can be, others with the letter of the first rule, or the
    first one that can.  Letters that are all numbers are these numbers; others are 0, 1, ... in the order of the rules.
    Raises FibproverError for letters without an image, for a morphism without a fixed point, and for sizes that no
    automaton could have.
    """
    for letter in sorted({each for image in rules.values() for each in image} - rules.keys()):
        raise FibproverError(f"the letter {letter} of the morphism has no image")
    first = _first(rules)
    used = [first]
    for letter in used:
        used += [each for each in dict.fromkeys(rules[letter]) if each not in used]
    # In the order of the rules, but for the first one.
    used = [first, *(letter for letter in rules if letter in used and letter != first)]
    coded = {letter: (letter,) for letter in rules} if coding is None else coding
    for letter in used:
        if letter not in coded:
            raise FibproverError(f"the coding has no image of the letter {letter}", hint="it needs one for each letter")
    written = list(rules) if coding is None else [each for letter in coded for each in coded[letter]]
    numbers = letter_numbers(written)
    images = _images(rules, used)
    blocks = [tuple(numbers[each] for each in coded[letter]) for letter in used]
    letters = () if all(map(is_number, numbers)) else tuple(numbers.items())
    if all(len(block) == 1 for block in blocks):
        return MorphicWord(images, tuple(block[0] for block in blocks), letters)
    return MorphicWord(*_of_blocks(images, blocks), letters, (images, tuple(blocks)))


def of_automaton(machine: Dfa, system: NumerationSystem) -> MorphicWord | None:
    """Return an automatic word as a coded fixed point: a state, with one of the valid words, becomes those after it.

    None where other words may come before a digit: in the Pell system 4 is 20, and 2 alone is no number; where leading
    zeros change the word, and for an automaton that reads the last digit first.
    """
    valid = system.valid
    if not system.name.startswith("msd") or system.signed:
        return None
    numbers = {(0, 0): 0}
    ahead = [(0, 0)]
    images = []
    for state, other in polled(ahead, "the morphism of a word"):
        image = []
        for code, target in machine.row(state):
            beyond = valid.successor(other, code)
            if beyond is None:
                continue
            after = target, beyond
            if not valid.outputs[beyond]:
                return None
            if after not in numbers:
                numbers[after] = len(numbers)
                ahead.append(after)
            image.append(numbers[after])
        if not image or len(numbers) > MOST_LETTERS:
            return None
        images.append(tuple(image))
    if images[0][0] != 0 or len(images[0]) < 2:
        return None
    return MorphicWord(tuple(images), tuple(int(machine.outputs[state]) for state, _ in ahead), ())


def _first(rules: Rules) -> str:
    """Return the first letter of the fixed point."""
    can_begin = [letter for letter, image in rules.items() if len(image) > 1 and image[0] == letter]
    if not can_begin:
        raise FibproverError(
            "no letter is the first one of its own longer image, so that the morphism has no infinite fixed point",
            hint="a power of it may have one: replace the letters of each image by their images",
        )
    uniform = len(set(map(len, rules.values()))) == 1
    return "0" if uniform and "0" in can_begin else can_begin[0]


def letter_numbers(letters: Sequence[str]) -> dict[str, int]:
    """Return the number of each letter."""
    distinct = list(dict.fromkeys(letters))
    if all(map(is_number, distinct)):
        return {letter: int(letter) for letter in distinct}
    return {letter: number for number, letter in enumerate(distinct)}


def _images(rules: Rules, used: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    places = {letter: place for place, letter in enumerate(used)}
    return tuple(tuple(places[each] for each in rules[letter]) for letter in used)


def _of_blocks(
    images: Sequence[tuple[int, ...]], blocks: Sequence[tuple[int, ...]]
) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Return images and numbers of a word whose letters become blocks; see above."""
    if sum(map(len, blocks)) > MOST_LETTERS:
        raise LimitError(f"the coding makes more than {MOST_LETTERS} letters")
    for letter, block in enumerate(blocks):
        if _length_in_the_end(images, letter) < len(block):
            raise FibproverError(
                "the images of a letter stay shorter than its block in the coding",
                hint="such as those of c in a->abc, b->ab, c->c, where c is coded by two letters",
            )
    power: list[tuple[int, ...]] = [(letter,) for letter in range(len(images))]
    while any(len(image) < len(block) for image, block in zip(power, blocks, strict=True)) or len(power[0]) < 2:
        power = [tuple(each for letter in image for each in images[letter]) for image in power]
        if max(map(len, power)) > MOST_IMAGE:
            raise LimitError(f"the images of a power of the morphism have more than {MOST_IMAGE} letters")
    begins = [0]
    for block in blocks:
        begins.append(begins[-1] + len(block))
    made: list[tuple[int, ...]] = []
    for image, block in zip(power, blocks, strict=True):
        cuts = [place * len(image) // len(block) for place in range(len(block) + 1)]
        made += [
            tuple(each for letter in image[low:high] for each in range(begins[letter], begins[letter + 1]))
            for low, high in pairwise(cuts)
        ]
    return tuple(made), tuple(number for block in blocks for number in block)


def _length_in_the_end(images: Sequence[tuple[int, ...]], letter: int) -> float:
    """Return the length to which the images of a letter under powers of a morphism grow."""
    lengths, size = [1] * len(images), len(images)
    found = []
    for _ in range(2 * size + 1):
        found.append(lengths[letter])
        lengths = [sum(lengths[each] for each in image) for image in images]
    # A letter that grows does so within any `size` steps.
    return float("inf") if found[2 * size] > found[size] else found[size]
