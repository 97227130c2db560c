"""The tuples of a relation one after the other, computed as they are asked for.

Numbers below 2^63 come from the kernel, some 10^7 a second; longer ones, words over plain alphabets, and numbers of
systems whose digits have no weights are decoded one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import TypeAlias

from fibprover.automata import kernel_calls, language
from fibprover.automata.dfa import Dfa, Track
from fibprover.base.limits import UNLIMITED, Budget
from fibprover.numeration.system import NumerationSystem

#: The value on one track: a number, or the letters of a word over a plain alphabet.
Value: TypeAlias = int | tuple[int, ...]

#: Looks up a numeration system by its name.
Systems: TypeAlias = Callable[[str], NumerationSystem]

#: The most tuples that are computed before they are handed out.
LARGEST_CHUNK = 1 << 15

#: How many values of digit words are remembered.
_REMEMBERED = 1 << 14


def tuples(a: Dfa, system: Systems, budget: Budget = UNLIMITED, *, at_once: int = 1) -> Iterator[tuple[Value, ...]]:
    """Yield the tuples of a relation by the length of the longest representation, then letter by letter.

    at_once: how many are computed at first; later more and more.  Raises BudgetSpent while it is iterated.
    """
    return chain.from_iterable(_chunks(a, system, budget, max(1, min(at_once, LARGEST_CHUNK))))


def _chunks(a: Dfa, system: Systems, budget: Budget, size: int) -> Iterator[Iterator[tuple[Value, ...]]]:
    weights = _weights(a.tracks, system)
    stream = kernel_calls.WordStream(a, budget, weights)
    while weights:
        numbers = stream.numbers(size)
        yield zip(*[iter(numbers)] * len(weights), strict=True)
        if len(numbers) < size * len(weights):
            break
        size = min(2 * size, LARGEST_CHUNK)
    decode = decoder(a.tracks, system)
    while words := stream.words(size):
        yield (decode(a.digit_words(codes)) for codes in words)
        size = min(2 * size, LARGEST_CHUNK)


def _weights(tracks: Sequence[Track], system: Systems) -> list[Sequence[int]]:
    """Return equally many weights for each track; [] if some track has none."""
    weights = [system(track.system).short_weights() if track.system else () for track in tracks]
    places = min(map(len, weights), default=0)
    return [each[:places] for each in weights] if places else []


def decoder(tracks: Sequence[Track], system: Systems) -> Callable[[language.Words], tuple[Value, ...]]:
    """Return the function from digit words to the values that they represent; it remembers what it has seen."""
    known: list[dict[tuple[int, ...], Value]] = [{} for _ in tracks]
    read = [_reader(track, system) for track in tracks]

    def decoded(words: language.Words) -> tuple[Value, ...]:
        values: list[Value] = []
        for seen, value_of, word in zip(known, read, words, strict=True):
            if word not in seen:
                if len(seen) >= _REMEMBERED:
                    seen.clear()
                seen[word] = value_of(word)
            values.append(seen[word])
        return tuple(values)

    return decoded


def _reader(track: Track, system: Systems) -> Callable[[tuple[int, ...]], Value]:
    """Return the function from a digit word on a track to its value."""
    if track.system:
        return system(track.system).value
    return (lambda word: word[::-1]) if track.stored_reversed else (lambda word: word)
