"""The library of words: words that have names, generated from their definitions when they are first asked for.

A session looks here for a word that nobody has defined in it.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from fibprover.automata.dfa import Track
from fibprover.errors import UnknownName, did_you_mean
from fibprover.values import value
from fibprover.words.automatic import AutomaticWord

#: How alike a name has to be to one of the library, whose names are short.
_NEAR = 0.7

# The definitions and what builds words from them are imported late: most formulas use no word of the library.


@value
class Morphic:
    """A word given by a morphism and a coding.

    images: the image of every letter as a row of letters 0-9, separated by blanks; the word is the fixed point
    from 0.  coding: one letter each, the letters themselves if it is missing.
    """

    images: str
    coding: str = ""

    def word(self, name: str, tracks: tuple[Track, ...]) -> AutomaticWord:
        from fibprover.words.morphism import from_morphism

        images = [[int(letter) for letter in image] for image in self.images.split()]
        coding = [int(letter) for letter in self.coding] if self.coding else range(len(images))
        return from_morphism(name, images, coding, tracks[0])


@value
class Stepwise:
    """A word given by a state: where it starts, what a digit of every index does to it, and its letter."""

    start: Any
    step: Callable[..., Any]
    letter: Callable[[Any], int]

    def word(self, name: str, tracks: tuple[Track, ...]) -> AutomaticWord:
        from fibprover.words.machine import from_machine

        return from_machine(name, tracks, self.start, self.step, self.letter)


@value
class Entry:
    """A word of the library.

    definition: what its letter at n is; indices: of each, a numeration system or the digits of a plain alphabet;
    oeis: its number in the On-Line Encyclopedia of Integer Sequences, if it has one; relation: how its letters are
    that sequence's terms.
    """

    name: str
    title: str
    definition: str
    indices: tuple[str | tuple[int, ...], ...]
    given: Morphic | Stepwise
    oeis: str = ""
    relation: str = ""


class LibraryWords(Mapping[str, AutomaticWord]):
    """The words of the library by name, each built when it is first taken.

    digits_of_system: the digits of a numeration system.
    """

    def __init__(self, digits_of_system: Callable[[str], tuple[int, ...]]) -> None:
        self._digits = digits_of_system
        self._built: dict[str, AutomaticWord] = {}

    def __getitem__(self, name: str) -> AutomaticWord:
        found = self._built.get(name)
        if found is None:
            found = self._built[name] = self._build(entries()[name])
        return found

    def __contains__(self, name: object) -> bool:
        return name in entries()

    def __iter__(self) -> Iterator[str]:
        return iter(entries())

    def __len__(self) -> int:
        return len(entries())

    def behind(self, own: Mapping[str, AutomaticWord]) -> Mapping[str, AutomaticWord]:
        """These words, hidden by other words of the same names."""
        return ChainMap(own, self)  # type: ignore[arg-type]  # it is only read

    def _build(self, entry: Entry) -> AutomaticWord:
        names = ("n",) if len(entry.indices) == 1 else tuple(f"n{number}" for number in range(len(entry.indices)))
        tracks = tuple(
            Track(name, self._digits(index), index) if isinstance(index, str) else Track(name, index)
            for name, index in zip(names, entry.indices, strict=True)
        )
        return entry.given.word(entry.name, tracks)


def entries() -> Mapping[str, Entry]:
    """What the library holds, by name."""
    from fibprover.words.classics import CLASSICS

    return CLASSICS


def entry_of(name: str) -> Entry:
    """The word of this name as the library describes it; UnknownName if there is none."""
    found = entries().get(name)
    if found is None:
        raise UnknownName(
            f"the library has no word {name}", name, 0, len(name), hint=did_you_mean(name, list(entries()))
        )
    return found


def hint_for(name: str, known: Iterable[str]) -> str:
    """A hint for a word that is not among those known: the name that was probably meant, or what there is."""
    own = [word for word in known if word not in entries()]
    hint = did_you_mean(name, own)
    if hint.startswith("did you mean"):
        return hint
    near = get_close_matches(name, list(entries()), n=1, cutoff=_NEAR)
    if near:
        return f"did you mean {near[0]}, the {entries()[near[0]].title}?"
    return hint or "`fibprover words` lists the words that are there from the beginning"
