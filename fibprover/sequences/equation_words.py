"""Equations about words n.w: the numbers that end in w, and where a difference of two sides is 0.

A word n is a row of the linear representation; words are read most significant digit first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import build_from, explored
from fibprover.numeration.system import NumerationSystem
from fibprover.sequences.counting import values_of_states
from fibprover.sequences.rational import product, times
from fibprover.sequences.series import Series

_Word = tuple[int, ...]


def word_before(system: NumerationSystem, number: int, ending: _Word) -> _Word | None:
    """Return the word n, without zeros in front, for which n.w represents a number; None if it does not end in w."""
    digits = system.represent(number)
    digits = (0,) * (len(ending) - len(digits)) + digits
    start = len(digits) - len(ending)
    if digits[start:] != ending:
        return None
    first = next((place for place, digit in enumerate(digits[:start]) if digit), start)
    return digits[first:start]


def exceptions_of_words(
    system: NumerationSystem, difference: Series, given: Sequence[int], ending: _Word
) -> tuple[int, ...] | None:
    """Return the given numbers n.w for which a difference is not 0; None if it is not 0 for another word n."""
    words = {number: word_before(system, number, ending) for number in given}
    places = {word for word in words.values() if word is not None}
    if not places or (difference * _elsewhere(system, difference, places)).first_nonzero() is not None:
        return None
    return tuple(number for number, word in words.items() if word is not None and _value(system, difference, word))


def _elsewhere(system: NumerationSystem, sequence: Series, words: set[_Word]) -> Series:
    """Return the sequence of words that is 0 for these, also with zeros in front, and 1 for all others."""
    longest = max(map(len, words))

    def steps(at: _Word | None) -> Iterator[tuple[int, _Word | None]]:
        for code, digit in enumerate(system.digits):
            if at is None or len(at) >= longest:
                yield code, at if at == () and not digit else None
            else:
                yield code, (*at, digit) if at or digit else ()

    start: _Word | None = ()
    machine = build_from([system.track("n")], explored(start, steps), lambda at: int(at is None or at not in words))
    machine = kernel_calls.minimize_outputs(machine)
    entering, leaving, parts = values_of_states(machine, machine.outputs)
    return replace(sequence, entering=entering, leaving=leaving, parts=parts)


def _value(system: NumerationSystem, sequence: Series, word: _Word) -> bool:
    """Return whether the value at a word is not 0."""
    row = sequence.entering
    for digit in word:
        row = times(row, sequence.parts[system.digits.index(digit)])
    return bool(product(row, sequence.leaving))
