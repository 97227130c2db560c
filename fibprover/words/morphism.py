"""Words that are given by a morphism and a coding, and files of such words.

The morphism is generalized from uniform ones as the numeration system wants it: the letter q, read
as a state, goes on the i-th digit to the i-th letter of its image, and has no transition on further
digits.  So the fixed point from letter 0, coded, is read at index n along the digits of n (for
Fibonacci: seed 000, section 2, where images have one or two letters; for base k: k-uniform morphisms).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from fibprover.automata.dfa import Track, build
from fibprover.errors import AutomatonError, FibproverError, FormatError
from fibprover.words.automatic import AutomaticWord, automatic_word

#: Fields of a word in a file of words; "for" and "comment" are remarks.
_FIELDS = ("morphism", "coding", "system", "for", "comment")


def from_morphism(
    name: str, images: Sequence[Sequence[int]], coding: Sequence[int], index: Track
) -> AutomaticWord:
    """The word `coding(fixed point of the morphism from letter 0)`, indexed over the track `index`.

    images[q]: the letters, 0 .. len(images) - 1, of the image of letter q; coding[q]: the letter of
    the word.  AutomatonError where these do not make a word: an image that is empty, longer than the
    digit set or holds an unknown letter; a coding of another length; an image of 0 that does not
    begin with 0 (there is then no fixed point from 0, and leading zeros would change the word).
    """
    if not images:
        raise AutomatonError(f"the morphism of {name} has no letters")
    if len(coding) != len(images):
        raise AutomatonError(f"the coding of {name} has {len(coding)} values for {len(images)} letters")
    if not index.digits or index.digits[0] != 0:
        raise AutomatonError(f"the digits of {index.name} must begin with 0 to index a morphic word")
    for letter, image in enumerate(images):
        if not image:
            raise AutomatonError(f"{name}: the image of {letter} is empty")
        if len(image) > len(index.digits):
            raise AutomatonError(
                f"{name}: the image of {letter} has {len(image)} letters, "
                f"but {index.system or 'the index'} has {len(index.digits)} digits"
            )
        for target in image:
            if not 0 <= target < len(images):
                raise AutomatonError(f"{name}: the image of {letter} holds {target}, which is not a letter")
    if images[0][0] != 0:
        raise AutomatonError(
            f"{name}: the image of 0 begins with {images[0][0]}, so it has no fixed point from 0",
            hint="rename the letters so that the first one is 0 and its image begins with 0",
        )
    return automatic_word(name, build([index], [dict(enumerate(image)) for image in images], coding))


def load_words(
    source: str | Path | Mapping[str, Any],
    digits_of_system: Callable[[str], tuple[int, ...]],
    default_system: str = "msd_fib",
) -> dict[str, AutomaticWord]:
    """The words of a JSON file (or of its parsed content), by name.

    Format: {name: {"morphism": [[...], ...], "coding": [...], "system": optional, "for": remark}};
    the name "comment" is a remark.  digits_of_system: the digits of a system, or an error of its own.
    FormatError names the file, the word and the cause; nothing is returned of a file with an error.
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
            words[name] = _word(name, entry, digits_of_system, default_system)
        except FormatError:
            raise
        except FibproverError as error:
            raise FormatError(error.message, place, hint=error.hint) from error
    return words


def _parsed(path: Path) -> Any:
    """The JSON value in a file; FormatError with the line if it is none."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(f"is not UTF-8 text: {error.reason} at byte {error.start}", str(path)) from error
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise FormatError(f"cannot be read: {reason}", str(path)) from error
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
    """A JSON object; a name given twice is an error, not a silent choice."""
    result: dict[str, Any] = {}
    for name, value in pairs:
        if name in result:
            raise AutomatonError(f"the name {name!r} is given twice")
        result[name] = value
    return result


def _word(
    name: str, entry: Any, digits_of_system: Callable[[str], tuple[int, ...]], default_system: str
) -> AutomaticWord:
    """One word from its JSON value; AutomatonError with the cause where it is none."""
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
    return from_morphism(name, images, coding, Track("i", digits_of_system(system), system))


def _is_integers(value: Any) -> bool:
    """Whether a JSON value is a list of integers that fit 32 bits (JSON's true and false are none)."""
    return isinstance(value, list | tuple) and all(type(item) is int and -(2**31) <= item < 2**31 for item in value)
