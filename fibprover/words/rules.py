"""Morphisms and transducers: rules that make words of words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fibprover.errors import AutomatonError, SyntaxProblem

#: A letter as scripts write it: a digit, or an integer in brackets.
_LETTER = re.compile(r"\s*(?:(\d)|\[\s*([+-]?\s*\d{1,9})\s*\])", re.ASCII)

#: The letter that a rule is about: there, several digits without brackets are one number.
_LEFT = re.compile(r"\s*(?:(\d{1,9})|\[\s*([+-]?\s*\d{1,9})\s*\])(?=\s*->)", re.ASCII)
_ARROW = re.compile(r"\s*->")


@dataclass(frozen=True, slots=True)
class Morphism:
    """A name, and the image of every letter."""

    name: str
    images: Mapping[int, tuple[int, ...]]

    @property
    def width(self) -> int | None:
        """The length that all images have, None if they differ."""
        lengths = {len(image) for image in self.images.values()}
        return lengths.pop() if len(lengths) == 1 else None

    @property
    def longest(self) -> int:
        """The length of the longest image."""
        return max(len(image) for image in self.images.values())

    def of(self, word: Sequence[int]) -> list[int]:
        """The image of a word; AutomatonError for a letter that has none."""
        return [letter for each in word for letter in self.image(each)]

    def image(self, letter: int) -> tuple[int, ...]:
        """The image of a letter; AutomatonError if there is none."""
        found = self.images.get(letter)
        if found is None:
            raise AutomatonError(f"the morphism {self.name} has no image of {letter}")
        return found

    def __str__(self) -> str:
        return " ".join(f"{_written([letter])}->{_written(image)}" for letter, image in sorted(self.images.items()))


@dataclass(frozen=True, slots=True)
class Transducer:
    """A name, and for every state the moves by letter: the next state and the letter it writes.

    State 0 is initial.
    """

    name: str
    moves: tuple[Mapping[int, tuple[int, int]], ...]

    def of(self, word: Sequence[int]) -> list[int]:
        """What it makes of a word, letter by letter; AutomatonError for a letter it has no move for."""
        state, result = 0, []
        for letter in word:
            state, written = self.move(state, letter)
            result.append(written)
        return result

    def move(self, state: int, letter: int) -> tuple[int, int]:
        """The next state and what is written; AutomatonError if there is no move."""
        found = self.moves[state].get(letter)
        if found is None:
            raise AutomatonError(f"the transducer {self.name} has no move for {letter} from its state {state}")
        return found


def parse_morphism(name: str, text: str) -> Morphism:
    """The morphism written as `0->01 1->10`, with commas or blanks between the rules.

    A letter is a digit, or an integer in brackets: `[12]->0[-1]`; on the left side brackets may be left out:
    `12->0[-1]`, where a blank or a comma has to stand before the number.  SyntaxProblem, with the place, for
    anything else, and for a letter with two images or an empty one.
    """
    images: dict[int, tuple[int, ...]] = {}
    at = 0
    while text[at:].strip(" \t\r\n,"):
        at += len(text[at:]) - len(text[at:].lstrip(" \t\r\n,"))
        left = _LEFT.match(text, at)
        arrow = _ARROW.match(text, left.end()) if left else None
        if left is None or arrow is None:
            letter_there = _LETTER.match(text, at)
            place = letter_there.end() if letter_there else at
            what = "`->`" if letter_there else "a letter"
            raise SyntaxProblem(
                f"expected {what} of the morphism", text, place, place + 1,
                hint='write "0->01 1->10"; letters beyond 9 and below 0 in brackets, as in [12]->0[-1]',
            )
        letter, at = _value(left), arrow.end()
        image: list[int] = []
        while (found := _LETTER.match(text, at)) is not None and not _LEFT.match(text, at):
            image.append(_value(found))
            at = found.end()
        if not image:
            raise SyntaxProblem(
                f"the image of {letter} is empty", text, left.start(), arrow.end(),
                hint="between rules stands a blank or a comma",
            )
        if letter in images:
            raise SyntaxProblem(f"{letter} has an image already", text, left.start(), left.end())
        images[letter] = tuple(image)
    if not images:
        raise SyntaxProblem("a morphism needs a rule", text, 0, len(text), hint='such as "0->01 1->10"')
    return Morphism(name, images)


def _value(found: re.Match[str]) -> int:
    return int(found[1] or "".join(found[2].split()))


def _written(word: Sequence[int]) -> str:
    return "".join(str(letter) if 0 <= letter <= 9 else f"[{letter}]" for letter in word)
