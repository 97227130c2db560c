"""Morphisms: rules such as 0->01 1->10, and the automatic words that they and a coding define.

The letter q is a state that goes on the i-th digit to the i-th letter of its image and has no transition on
further digits.  Then the fixed point from letter 0, coded, is read at index n along the digits of n.  Over
base k, morphisms are k-uniform: Cobham's theorem (Uniform tag sequences, Math. Systems Theory 6, 1972).  In other
systems images differ in length, over Fibonacci they have one or two letters (M. Rigo, Generalization of automatic
sequences for numeration systems on a regular language, Theoret. Comput. Sci. 244, 2000).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from operator import index as integer
from pathlib import Path
from typing import Any

from fibprover.automata import kernel_calls, operations
from fibprover.automata.dfa import Dfa, Track, TrackOfSystem, build, build_from, explored
from fibprover.automata.outputs import completed, from_parts
from fibprover.base.errors import AutomatonError, BudgetSpent, FibproverError, FormatError, SyntaxProblem
from fibprover.base.files import MOST_VALUES, read_text
from fibprover.base.limits import UNLIMITED, Budget, polled
from fibprover.base.wording import plural
from fibprover.numeration.system import NumerationSystem
from fibprover.words.automatic import AutomaticWord, automatic_word
from fibprover.words.rules import is_number, parse_rules

#: Fields of a word in a file of words; "for" and "comment" are comments.
_FIELDS = ("morphism", "coding", "system", "for", "comment")


@dataclass(frozen=True, slots=True)
class Morphism:
    """A morphism: a name and the image of every letter."""

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
        """Return the image of a word; raises AutomatonError for a letter that has none."""
        return [letter for each in word for letter in self.image(each)]

    def image(self, letter: int) -> tuple[int, ...]:
        """Return the image of a letter; raises AutomatonError if there is none."""
        found = self.images.get(letter)
        if found is None:
            raise AutomatonError(f"the morphism {self.name} has no image of {letter}")
        return found

    def __str__(self) -> str:
        return " ".join(f"{_written([letter])}->{_written(image)}" for letter, image in sorted(self.images.items()))


def parse_morphism(name: str, text: str) -> Morphism:
    """Return the morphism written as `0->01 1->10`, with commas or blanks between the rules.

    A letter is a digit, or an integer in brackets: `[12]->0[-1]`; on the left side brackets may be left out:
    `12->0[-1]`, where a blank or a comma has to stand before the number.  Raises SyntaxProblem, with the place, for
    anything else, and for a letter with two images or an empty one.
    """
    hint = 'write "0->01 1->10"; letters beyond 9 and below 0 in brackets, as in [12]->0[-1]'
    rules = parse_rules(text, hint)
    for letter in (each for left, image in rules.items() for each in (left, *image)):
        if not is_number(letter):
            place = text.index(letter)
            raise SyntaxProblem("expected a number as a letter of the morphism", text, place, place + 1, hint=hint)
    return Morphism(name, {int(letter): tuple(map(int, image)) for letter, image in rules.items()})


def _written(word: Sequence[int]) -> str:
    return "".join(str(letter) if 0 <= letter <= 9 else f"[{letter}]" for letter in word)


def from_morphism(
    name: str, images: Sequence[Sequence[int]], coding: Sequence[int], index: Track, called: Sequence[int] | None = None
) -> AutomaticWord:
    """Return the word `coding(fixed point of the morphism from letter 0)`, indexed over the track `index`.

    images[q]: the letters, 0 .. len(images) - 1, of the image of letter q; coding[q]: the letter of
    the word.  Raises AutomatonError where these do not define a word: an image that is empty, longer than the
    digit set or holds an unknown letter; a coding of another length; an image of 0 that does not
    begin with 0 (there is then no fixed point from 0, and leading zeros would change the word).
    called: what users call the letters 0, 1, ..., if not so.
    """
    images, coding = _lists_of(images, coding, name)
    called = called or range(len(images))
    if not images:
        raise AutomatonError(f"the morphism of {name} has no letters")
    if len(coding) != len(images):
        raise AutomatonError(
            f"the coding of {name} has {plural(len(coding), 'value')} for {plural(len(images), 'letter')}"
        )
    if not index.digits or index.digits[0] != 0:
        raise AutomatonError(f"the digits of {index.name} must begin with 0 to index a morphic word")
    for letter, image in enumerate(images):
        if not image:
            raise AutomatonError(f"{name}: the image of {called[letter]} is empty")
        if len(image) > len(index.digits):
            raise AutomatonError(
                f"{name}: the image of {called[letter]} has {plural(len(image), 'letter')}, "
                f"but {index.system or 'the index'} has {plural(len(index.digits), 'digit')}"
            )
        for target in image:
            if not 0 <= target < len(images):
                raise AutomatonError(f"{name}: the image of {letter} holds {target}, which is not a letter")
    if images[0][0] != 0:
        raise AutomatonError(
            f"{name}: the image of 0 begins with {called[images[0][0]]}, so it has no fixed point from 0",
            hint="rename the letters so that the first one is 0 and its image begins with 0",
        )
    return automatic_word(name, build([index], [dict(enumerate(image)) for image in images], coding))


def _lists_of(images: object, coding: object, name: str) -> tuple[list[list[int]], list[int]]:
    """Return images and coding, given in any way that has an order, such as arrays, as lists of integers."""
    if isinstance(images, str | Mapping | Set) or not isinstance(images, Iterable):
        raise AutomatonError(
            f"the images of {name} are a list, with one image for each letter 0, 1, ..., not {images!r}",
            hint="as in [[0, 1], [0]] for 0 -> 01, 1 -> 0",
        )
    lists = [_integers(image, f"{name}: the image of {letter}") for letter, image in enumerate(images)]
    return lists, _integers(coding, f"the coding of {name}")


def _integers(values: object, what: str) -> list[int]:
    """Return any ordered integers as a list of Python's; raises AutomatonError for anything else, called `what`."""
    try:
        if isinstance(values, str | bytes | Mapping | Set):
            raise TypeError
        return [integer(value) for value in values]  # type: ignore[attr-defined]
    except TypeError:
        raise AutomatonError(f"{what} is a list of integers, not {values!r}", hint="such as [0, 1]") from None


def fixed_point(morphism: Morphism, name: str, index: Track) -> AutomaticWord:
    """Return the fixed point of a morphism from letter 0, over a track with as many digits as the longest image.

    The letters may be any integers, 0 among them.  Where an image is shorter than others, the further digits have no
    transition, and the word has no letter at such indices.  Raises AutomatonError where letters or images do not define
    a word, such as an image of 0 that does not begin with 0.
    """
    letters = sorted(morphism.images, key=lambda letter: (letter != 0, letter))
    if 0 not in letters:
        raise AutomatonError(f"{morphism.name} has no image of 0, the first letter of its fixed point")
    images = [morphism.image(letter) for letter in letters]
    states = {letter: state for state, letter in enumerate(letters)}
    for letter in sorted({letter for image in images for letter in image} - states.keys()):
        raise AutomatonError(f"{name}: the letter {letter} of {morphism.name} has no image")
    return from_morphism(name, [[states[letter] for letter in image] for image in images], letters, index, letters)


def uniform_image(machine: Dfa, morphism: Morphism, system: NumerationSystem, budget: Budget = UNLIMITED) -> Dfa:
    """Return the machine of the image of a word with one index under a uniform morphism.

    machine: most significant digit first, over a track of `system`.  Raises AutomatonError if the morphism is not
    uniform, or has no image of a letter of the word.
    """
    width = morphism.width
    if width is None:
        raise AutomatonError(f"the morphism {morphism.name} is not uniform: its images differ in length")
    if len(machine.tracks) != 1:
        raise AutomatonError(f"only a word with one index has an image; this word has {len(machine.tracks)} indices")
    images = {letter: morphism.image(letter) for letter in sorted(set(machine.outputs))}
    if width == 1:
        coded = machine.with_outputs(images[letter][0] for letter in machine.outputs)
        return kernel_calls.minimize_outputs(coded, budget)
    base = system.integer_base
    if base is not None and base > 0:
        return _image_over_base(machine, images, width, base, budget)
    return _image_by_division(machine, images, width, system, budget)


def _image_over_base(
    machine: Dfa, images: Mapping[int, tuple[int, ...]], width: int, base: int, budget: Budget
) -> Dfa:
    """Return the machine of the image over a base: while it reads N = width * n + r, it runs the given machine on n.

    After N' = base * N + d the remainder is that of base * r + d, and the quotient is the next digit of n,
    since base * r + d < base * width.
    """
    complete = completed(machine, 0, budget)
    what = "the image of a word"

    def steps(at: tuple[int, int]) -> Iterator[tuple[int, tuple[int, int]]]:
        state, remainder = at
        for digit in polled(range(base), what):
            quotient, after = divmod(base * remainder + digit, width)
            target = complete.successor(state, quotient)
            assert target is not None
            yield digit, (target, after)

    # The letter 0 that `completed` adds need not have an image.
    found = build_from(
        machine.tracks, explored((0, 0), steps, budget, what),
        lambda at: images.get(complete.outputs[at[0]], (0,) * width)[at[1]],
    )
    return kernel_calls.minimize_outputs(found, budget)


def _image_by_division(
    machine: Dfa, images: Mapping[int, tuple[int, ...]], width: int, system: NumerationSystem, budget: Budget
) -> Dfa:
    """Return the machine of the image by division: N has the letter at place r of the image of the letter at n.

    Here N = width * n + r.
    """
    (track,) = machine.tracks
    parts: dict[int, Dfa] = {}
    for place in polled(range(width), "the image of a word"):
        division = system.linear((1, -width), "=", place, budget).renamed([track.name, "quotient"])
        for letter in sorted({images[letter][place] for letter in images} - {0}):
            chosen = machine.with_outputs(images[output][place] == letter for output in machine.outputs)
            part = kernel_calls.join(chosen.renamed(["quotient"]), division, budget)
            found = operations.exists(part, ["quotient"], budget)
            parts[letter] = operations.disjunction(parts[letter], found, budget) if letter in parts else found
    return from_parts(parts, machine.tracks, budget)


def load_words(
    source: str | Path | Mapping[str, Any],
    track_of_system: TrackOfSystem,
    default_system: str = "msd_fib",
) -> dict[str, AutomaticWord]:
    """Return the words of a JSON file (or of its parsed content) by name.

    Format: {name: {"morphism": [[...], ...], "coding": [...], "system": optional, "for": comment}};
    the name "comment" is a comment.  track_of_system: returns a track of a system, or raises an error.
    FormatError names the file, the word and the cause.
    """
    if isinstance(source, Mapping):
        place, content = "words", source
    else:
        place, content = str(source), _parsed(Path(source))
    if not isinstance(content, Mapping):
        raise FormatError("a file of words is one object {name: {...}}", place)
    words: dict[str, AutomaticWord] = {}
    for name, entry in content.items():
        if name == "comment":
            continue
        try:
            words[name] = _word(name, entry, track_of_system, default_system)
        except (FormatError, BudgetSpent):
            raise
        except FibproverError as error:
            raise FormatError(error.message, place, hint=error.hint) from error
    return words


def _parsed(path: Path) -> Any:
    """Return the JSON value in a file; FormatError with the line if it is not JSON."""
    text = read_text(path, MOST_VALUES, pipe=True)
    try:
        return json.loads(text, object_pairs_hook=_distinct)
    except json.JSONDecodeError as error:
        raise FormatError(f"is not JSON: {error.msg}", str(path), error.lineno) from error
    except ValueError as error:  # an integer of thousands of digits, which Python refuses to convert
        raise FormatError("is not JSON that can be read: a number has too many digits", str(path)) from error
    except RecursionError as error:
        raise FormatError("is nested too deeply", str(path)) from error
    except AutomatonError as error:
        raise FormatError(error.message, str(path)) from error


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object as a dict; raises AutomatonError for a name given twice."""
    result: dict[str, Any] = {}
    for name, value in pairs:
        if name in result:
            raise AutomatonError(f"the name {name!r} is given twice")
        result[name] = value
    return result


def _word(
    name: str, entry: Any, track_of_system: TrackOfSystem, default_system: str
) -> AutomaticWord:
    """Return one word from its JSON value; AutomatonError with the cause if it is malformed."""
    if not re.fullmatch(r"[a-zA-Z]\w*", name, re.ASCII):
        raise AutomatonError(f"{name!r} is not a name for a word")
    if not isinstance(entry, Mapping):
        raise AutomatonError(f"{name}: an object with \"morphism\" and \"coding\" is expected")
    for field in entry:
        if field not in _FIELDS:
            raise AutomatonError(f"{name}: unknown field {field!r}", hint="there is " + ", ".join(_FIELDS))
    for field in ("morphism", "coding"):
        if field not in entry:
            raise AutomatonError(f"{name}: the field {field!r} is missing")
    images, coding, system = entry["morphism"], entry["coding"], entry.get("system", default_system)
    if not isinstance(images, list | tuple) or not all(_is_integers(image) for image in images):
        raise AutomatonError(f"{name}: the morphism has to be a list of lists of integers")
    if not _is_integers(coding):
        raise AutomatonError(f"{name}: the coding has to be a list of integers of 32 bits")
    if not isinstance(system, str):
        raise AutomatonError(f"{name}: the system has to be a name such as {default_system!r}")
    return from_morphism(name, images, coding, track_of_system(system)._replace(name="i"))


def _is_integers(value: Any) -> bool:
    """Return whether a JSON value is a list of integers of 32 bits (true and false are not integers)."""
    return isinstance(value, list | tuple) and all(type(item) is int and -(2**31) <= item < 2**31 for item in value)
